/* Network wide: what runs where and how it is joined. Made by dalsynth from wide.xml, hall.xml
 * and auto.xml. */
#include <net.h>

enum {
    PROCESSOR_core_0,
    PROCESSOR_gpu,
    PROCESSORS,
};

/* In the order in which a worker looks at them. */
enum {
    PROCESS_First,
    PROCESS_Any,
    PROCESS_One,
    PROCESS_Own,
    PROCESS_Few,
    PROCESS_Last,
    PROCESSES,
};

enum {
    CHANNEL_c0,
    CHANNEL_c1,
    CHANNEL_c2,
    CHANNEL_c3,
    CHANNEL_c4,
    CHANNELS,
};

extern const struct dal_code dal_code_First;
extern const struct dal_kernel dal_kernel_Any;
extern const struct dal_kernel dal_kernel_One;
extern const struct dal_kernel dal_kernel_Own;
extern const struct dal_kernel dal_kernel_Few;
extern const struct dal_code dal_code_Last;

static const struct dal_processor_desc processors[] = {
    [PROCESSOR_core_0] =
        {
            .name = "core_0",
            .kind = DAL_PROCESSOR_CORE,
            .core = 0,
            .origin = {.file = "hall.xml", .line = 4},
        },
    [PROCESSOR_gpu] =
        {
            .name = "gpu",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "GPU_DEV1",
            .origin = {.file = "hall.xml", .line = 6},
        },
};

static const struct dal_channel_desc channels[] = {
    [CHANNEL_c0] =
        {
            .name = "c0",
            /* gpu has its own memory, apart from core_0 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_First,
            .consumer = PROCESS_Any,
            /* least live 1 + First 1 x 1024 firings x rate 1 + Any 2 x 32768 firings x rate 1 */
            .capacity = 66561,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "wide.xml", .line = 36},
        },
    [CHANNEL_c1] =
        {
            .name = "c1",
            /* both ends on gpu: the host never sees the tokens */
            .kind = DAL_CHANNEL_DEVICE,
            .producer = PROCESS_Any,
            .consumer = PROCESS_One,
            /* least live 2 + Any 2 x 32768 firings x rate 1 + One 2 x 16384 firings x rate 2 */
            .capacity = 131074,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 2,
            .initial_tokens = 0,
            .origin = {.file = "wide.xml", .line = 48},
        },
    [CHANNEL_c2] =
        {
            .name = "c2",
            /* both ends on gpu: the host never sees the tokens */
            .kind = DAL_CHANNEL_DEVICE,
            .producer = PROCESS_One,
            .consumer = PROCESS_Own,
            /* least live 2 + One 2 x 16384 firings x rate 2 + Own 2 x 32768 firings x rate 1 */
            .capacity = 131074,
            .token_bytes = 16,
            .rate_in = 2,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "wide.xml", .line = 60},
        },
    [CHANNEL_c3] =
        {
            .name = "c3",
            /* both ends on gpu: the host never sees the tokens */
            .kind = DAL_CHANNEL_DEVICE,
            .producer = PROCESS_Own,
            .consumer = PROCESS_Few,
            /* least live 1 + Own 2 x 32768 firings x rate 1 + Few 2 x 2 firings x rate 1 */
            .capacity = 65541,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "wide.xml", .line = 72},
        },
    [CHANNEL_c4] =
        {
            .name = "c4",
            /* gpu has its own memory, apart from core_0 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Few,
            .consumer = PROCESS_Last,
            /* size given in auto.xml:5 */
            .capacity = 640,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "wide.xml", .line = 84},
        },
};

static const int processors_First[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_First[] = {
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_c0,
        .rate = 1,
    },
};

static const int processors_Any[] = {
    PROCESSOR_gpu,
};

static const struct dal_port_desc ports_Any[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_c0,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_c1,
        .rate = 1,
    },
};

static const int processors_One[] = {
    PROCESSOR_gpu,
};

static const struct dal_port_desc ports_One[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_c1,
        .rate = 2,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_c2,
        .rate = 2,
    },
};

static const int processors_Own[] = {
    PROCESSOR_gpu,
};

static const struct dal_port_desc ports_Own[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_c2,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_c3,
        .rate = 1,
    },
};

static const int processors_Few[] = {
    PROCESSOR_gpu,
};

static const struct dal_port_desc ports_Few[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_c3,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_c4,
        .rate = 1,
    },
};

static const int processors_Last[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_Last[] = {
    {
        .name = "sums",
        .output = 0,
        .channel = CHANNEL_c4,
        .rate = 1,
    },
};

static const struct dal_process_desc processes[] = {
    [PROCESS_First] =
        {
            .name = "First",
            .base = "First",
            .source = "first.c",
            .key = "482c06de70b6bad913b15bf558f76485",
            .kind = DAL_PROCESS_C,
            /* bound in auto.xml:3 */
            .processors = processors_First,
            .processor_count = 1,
            .code = &dal_code_First,
            .work_items = 1,
            .shadow_copies = 1,
            /* 16 bytes of windows a firing, 16384 bytes at once */
            .block = 1024,
            .priority = 0,
            .ports = ports_First,
            .port_count = 1,
            .repetitions = 2,
            .origin = {.file = "wide.xml", .line = 4},
        },
    [PROCESS_Any] =
        {
            .name = "Any",
            .base = "Any",
            .source = "any.cl",
            .key = "d1023ff5f23dd965aed655d20922eded",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in auto.xml:4 */
            .processors = processors_Any,
            .processor_count = 1,
            .kernel = &dal_kernel_Any,
            /* I: a firing has work for 4, at most 256 are taken */
            .work_items = 4,
            /* S for 1 MB a launch: 60 units of gpu, 32 bytes a firing; made to match its
             * neighbours on the device */
            .shadow_copies = 32768,
            .block = 1,
            .priority = 0,
            .ports = ports_Any,
            .port_count = 2,
            .repetitions = 2,
            .origin = {.file = "wide.xml", .line = 9},
        },
    [PROCESS_One] =
        {
            .name = "One",
            .base = "One",
            .source = "one.cl",
            .key = "a3f3f1fc1449690d842e07663686cc15",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in auto.xml:4 */
            .processors = processors_One,
            .processor_count = 1,
            .kernel = &dal_kernel_One,
            /* I: the kernel does not know of work-items */
            .work_items = 1,
            /* S for 1 MB a launch: 60 units of gpu, 64 bytes a firing; made to match its
             * neighbours on the device */
            .shadow_copies = 16384,
            .block = 1,
            .priority = 0,
            .ports = ports_One,
            .port_count = 2,
            .repetitions = 1,
            .origin = {.file = "wide.xml", .line = 15},
        },
    [PROCESS_Own] =
        {
            .name = "Own",
            .base = "Own",
            .source = "own.cl",
            .key = "a3b7c66171334aa3bc5a6b8c9037a23d",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in auto.xml:4 */
            .processors = processors_Own,
            .processor_count = 1,
            .kernel = &dal_kernel_Own,
            /* I as the kernel requires */
            .work_items = 2,
            /* S for 1 MB a launch: 60 units of gpu, 32 bytes a firing; made to match its
             * neighbours on the device */
            .shadow_copies = 32768,
            .block = 1,
            .priority = 0,
            .ports = ports_Own,
            .port_count = 2,
            .repetitions = 2,
            .origin = {.file = "wide.xml", .line = 21},
        },
    [PROCESS_Few] =
        {
            .name = "Few",
            .base = "Few",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in auto.xml:4 */
            .processors = processors_Few,
            .processor_count = 1,
            .kernel = &dal_kernel_Few,
            /* I given in wide.xml:30 */
            .work_items = 4,
            /* S given in wide.xml:27; leaves 97 % of gpu idle */
            .shadow_copies = 2,
            .block = 1,
            .priority = 0,
            .ports = ports_Few,
            .port_count = 2,
            .repetitions = 2,
            .origin = {.file = "wide.xml", .line = 27},
        },
    [PROCESS_Last] =
        {
            .name = "Last",
            .base = "Last",
            .source = "last.c",
            .key = "ae2d2ed55d2ba1d7da017e8ff1b611ef",
            .kind = DAL_PROCESS_C,
            /* bound in auto.xml:3 */
            .processors = processors_Last,
            .processor_count = 1,
            .code = &dal_code_Last,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 640 of channel c4, shared by 2 */
            .block = 320,
            .priority = 0,
            .ports = ports_Last,
            .port_count = 1,
            .repetitions = 2,
            .origin = {.file = "wide.xml", .line = 32},
        },
};

/* What `--version` says and `dalsynth --verify` compares. */
static const struct dal_made_desc made[] = {
    {
        .what = "architecture",
        .file = "hall.xml",
        .digest = "43bd9b6589fc2b441d7992f6458cd083",
    },
    {
        .what = "network",
        .file = "wide.xml",
        .digest = "087b48ba6687e655e44db058b6462c2a",
    },
    {
        .what = "mapping",
        .file = "auto.xml",
        .digest = "79d51d0161fedbc62b5c2c6c4640be1f",
    },
    {
        .what = "sources",
        .file = "",
        .digest = "26bae6d8d6758ba7a862a7fa10b63fbc",
    },
};

static const struct dal_net net = {
    .version = DAL_NET_VERSION,
    .name = "wide",
    .processors = processors,
    .processor_count = PROCESSORS,
    .processes = processes,
    .process_count = PROCESSES,
    .channels = channels,
    .channel_count = CHANNELS,
    .queue.depth = 256,
    .queue.policy = "fcfs",
    .made = made,
    .made_count = sizeof(made) / sizeof(made[0]),
};

int main(int argc, char **argv)
{
    return dal_main(&net, argc, argv);
}
