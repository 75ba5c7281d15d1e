/* Network fan: what runs where and how it is joined. Made by dalsynth from fan.xml, rack.xml and
 * readers.xml. */
#include <net.h>

enum {
    PROCESSOR_core_0,
    PROCESSOR_a,
    PROCESSOR_b,
    PROCESSOR_d,
    PROCESSORS,
};

/* In the order in which a worker looks at them. */
enum {
    PROCESS_First,
    PROCESS_Kernel_0,
    PROCESS_Kernel_1,
    PROCESS_Kernel_2,
    PROCESS_Kernel_3,
    PROCESS_Last,
    PROCESSES,
};

enum {
    CHANNEL_near,
    CHANNEL_into_0,
    CHANNEL_end_0,
    CHANNEL_into_1,
    CHANNEL_end_1,
    CHANNEL_into_2,
    CHANNEL_end_2,
    CHANNEL_into_3,
    CHANNEL_end_3,
    CHANNELS,
};

extern const struct dal_code dal_code_First;
extern const struct dal_code dal_code_Last;
extern const struct dal_kernel dal_kernel_Kernel;

static const struct dal_processor_desc processors[] = {
    [PROCESSOR_core_0] =
        {
            .name = "core_0",
            .kind = DAL_PROCESSOR_CORE,
            .core = 0,
            .origin = {.file = "rack.xml", .line = 3},
        },
    [PROCESSOR_a] =
        {
            .name = "a",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "CPU_DEV1",
            .origin = {.file = "rack.xml", .line = 5},
        },
    [PROCESSOR_b] =
        {
            .name = "b",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "CPU_DEV2",
            .origin = {.file = "rack.xml", .line = 8},
        },
    [PROCESSOR_d] =
        {
            .name = "d",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "ACC_DEV2",
            .origin = {.file = "rack.xml", .line = 14},
        },
};

static const struct dal_channel_desc channels[] = {
    [CHANNEL_near] =
        {
            .name = "near",
            /* both ends on core_0 */
            .kind = DAL_CHANNEL_CORE,
            .producer = PROCESS_First,
            .consumer = PROCESS_Last,
            /* size given in fan.xml:16 */
            .capacity = 64,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 2,
            .initial_tokens = 0,
            .next_of_port = CHANNEL_into_0,
            .origin = {.file = "fan.xml", .line = 16},
        },
    [CHANNEL_into_0] =
        {
            .name = "into_0",
            /* a shares its memory with core_0; shares the ring of channel near */
            .kind = DAL_CHANNEL_UNIFIED,
            .producer = PROCESS_First,
            .consumer = PROCESS_Kernel_0,
            /* size given in fan.xml:16 */
            .capacity = 64,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .next_of_port = CHANNEL_into_1,
            .origin = {.file = "fan.xml", .line = 34},
        },
    [CHANNEL_end_0] =
        {
            .name = "end_0",
            /* a shares its memory with core_0 */
            .kind = DAL_CHANNEL_UNIFIED,
            .producer = PROCESS_Kernel_0,
            .consumer = PROCESS_Last,
            /* least live 2 + Kernel_0 2 x 8 firings x rate 1 + Last 1 x 102 firings x rate 2;
             * made 444 to hold what is on a longer way beside it */
            .capacity = 444,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 2,
            .initial_tokens = 0,
            .next_of_port = CHANNEL_into_3,
            .origin = {.file = "fan.xml", .line = 42},
        },
    [CHANNEL_into_1] =
        {
            .name = "into_1",
            /* d has its own memory, apart from core_0; same port as channel near */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_First,
            .consumer = PROCESS_Kernel_1,
            /* size given in fan.xml:16 */
            .capacity = 64,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .next_of_port = CHANNEL_into_2,
            .origin = {.file = "fan.xml", .line = 34},
        },
    [CHANNEL_end_1] =
        {
            .name = "end_1",
            /* d has its own memory, apart from core_0 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Kernel_1,
            .consumer = PROCESS_Last,
            /* least live 2 + Kernel_1 2 x 8 firings x rate 1 + Last 1 x 102 firings x rate 2;
             * made 444 to hold what is on a longer way beside it */
            .capacity = 444,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 2,
            .initial_tokens = 0,
            .origin = {.file = "fan.xml", .line = 42},
        },
    [CHANNEL_into_2] =
        {
            .name = "into_2",
            /* d has its own memory, apart from core_0; shares the ring of channel into_1 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_First,
            .consumer = PROCESS_Kernel_2,
            /* size given in fan.xml:16 */
            .capacity = 64,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "fan.xml", .line = 34},
        },
    [CHANNEL_end_2] =
        {
            .name = "end_2",
            /* d has its own memory, apart from core_0 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Kernel_2,
            .consumer = PROCESS_Last,
            /* least live 2 + Kernel_2 2 x 8 firings x rate 1 + Last 1 x 102 firings x rate 2;
             * made 444 to hold what is on a longer way beside it */
            .capacity = 444,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 2,
            .initial_tokens = 0,
            .origin = {.file = "fan.xml", .line = 42},
        },
    [CHANNEL_into_3] =
        {
            .name = "into_3",
            /* a and b share memory and a context of platform "One"; shares the ring of channel
             * end_0 */
            .kind = DAL_CHANNEL_CONTEXT,
            .producer = PROCESS_Kernel_0,
            .consumer = PROCESS_Kernel_3,
            /* least live 1 + Kernel_0 2 x 8 firings x rate 1 + Kernel_3 2 x 8 firings x rate 1;
             * made 444 as channel end_0 of the same port */
            .capacity = 444,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "fan.xml", .line = 34},
        },
    [CHANNEL_end_3] =
        {
            .name = "end_3",
            /* b shares its memory with core_0, block by block */
            .kind = DAL_CHANNEL_MAPPED,
            .producer = PROCESS_Kernel_3,
            .consumer = PROCESS_Last,
            /* least live 2 + Kernel_3 2 x 8 firings x rate 1 + Last 1 x 102 firings x rate 2 */
            .capacity = 222,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 2,
            .initial_tokens = 0,
            .origin = {.file = "fan.xml", .line = 42},
        },
};

static const int processors_First[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_First[] = {
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_near,
        .rate = 1,
    },
};

static const int processors_Kernel_0[] = {
    PROCESSOR_a,
};

static const int index_Kernel_0[] = {
    0,
};

static const struct dal_port_desc ports_Kernel_0[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_into_0,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_end_0,
        .rate = 1,
    },
};

static const int processors_Kernel_1[] = {
    PROCESSOR_d,
};

static const int index_Kernel_1[] = {
    1,
};

static const struct dal_port_desc ports_Kernel_1[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_into_1,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_end_1,
        .rate = 1,
    },
};

static const int processors_Kernel_2[] = {
    PROCESSOR_d,
};

static const int index_Kernel_2[] = {
    2,
};

static const struct dal_port_desc ports_Kernel_2[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_into_2,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_end_2,
        .rate = 1,
    },
};

static const int processors_Kernel_3[] = {
    PROCESSOR_b,
};

static const int index_Kernel_3[] = {
    3,
};

static const struct dal_port_desc ports_Kernel_3[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_into_3,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_end_3,
        .rate = 1,
    },
};

static const int processors_Last[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_Last[] = {
    {
        .name = "near",
        .output = 0,
        .channel = CHANNEL_near,
        .rate = 2,
    },
    {
        .name = "in_0",
        .output = 0,
        .channel = CHANNEL_end_0,
        .rate = 2,
    },
    {
        .name = "in_1",
        .output = 0,
        .channel = CHANNEL_end_1,
        .rate = 2,
    },
    {
        .name = "in_2",
        .output = 0,
        .channel = CHANNEL_end_2,
        .rate = 2,
    },
    {
        .name = "in_3",
        .output = 0,
        .channel = CHANNEL_end_3,
        .rate = 2,
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
            /* bound in readers.xml:3 */
            .processors = processors_First,
            .processor_count = 1,
            .code = &dal_code_First,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 64 of channel near, shared by 2 */
            .block = 32,
            .priority = 0,
            .ports = ports_First,
            .port_count = 1,
            .repetitions = 2,
            .origin = {.file = "fan.xml", .line = 5},
        },
    [PROCESS_Kernel_0] =
        {
            .name = "Kernel_0",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in readers.xml:4 */
            .processors = processors_Kernel_0,
            .processor_count = 1,
            .kernel = &dal_kernel_Kernel,
            /* I given in fan.xml:32 */
            .work_items = 4,
            /* S given in fan.xml:29 */
            .shadow_copies = 8,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_0,
            .port_count = 2,
            .index = index_Kernel_0,
            .index_count = 1,
            .repetitions = 2,
            .origin = {.file = "fan.xml", .line = 29},
        },
    [PROCESS_Kernel_1] =
        {
            .name = "Kernel_1",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in readers.xml:5 */
            .processors = processors_Kernel_1,
            .processor_count = 1,
            .kernel = &dal_kernel_Kernel,
            /* I given in fan.xml:32 */
            .work_items = 4,
            /* S given in fan.xml:29 */
            .shadow_copies = 8,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_1,
            .port_count = 2,
            .index = index_Kernel_1,
            .index_count = 1,
            .repetitions = 2,
            .origin = {.file = "fan.xml", .line = 29},
        },
    [PROCESS_Kernel_2] =
        {
            .name = "Kernel_2",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in readers.xml:6 */
            .processors = processors_Kernel_2,
            .processor_count = 1,
            .kernel = &dal_kernel_Kernel,
            /* I given in fan.xml:32 */
            .work_items = 4,
            /* S given in fan.xml:29 */
            .shadow_copies = 8,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_2,
            .port_count = 2,
            .index = index_Kernel_2,
            .index_count = 1,
            .repetitions = 2,
            .origin = {.file = "fan.xml", .line = 29},
        },
    [PROCESS_Kernel_3] =
        {
            .name = "Kernel_3",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in readers.xml:7 */
            .processors = processors_Kernel_3,
            .processor_count = 1,
            .kernel = &dal_kernel_Kernel,
            /* I given in fan.xml:32 */
            .work_items = 4,
            /* S given in fan.xml:29 */
            .shadow_copies = 8,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_3,
            .port_count = 2,
            .index = index_Kernel_3,
            .index_count = 1,
            .repetitions = 2,
            .origin = {.file = "fan.xml", .line = 29},
        },
    [PROCESS_Last] =
        {
            .name = "Last",
            .base = "Last",
            .source = "gather.c",
            .key = "4e181acdb403a52a7db651812015e5d2",
            .kind = DAL_PROCESS_C,
            /* bound in readers.xml:3 */
            .processors = processors_Last,
            .processor_count = 1,
            .code = &dal_code_Last,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 64 of channel near, shared by 1 */
            .block = 32,
            .priority = 0,
            .ports = ports_Last,
            .port_count = 5,
            .repetitions = 1,
            .origin = {.file = "fan.xml", .line = 9},
        },
};

/* What `--version` says and `dalsynth --verify` compares. */
static const struct dal_made_desc made[] = {
    {
        .what = "architecture",
        .file = "rack.xml",
        .digest = "7688d476275e0dd646d48bc467ce3aaf",
    },
    {
        .what = "network",
        .file = "fan.xml",
        .digest = "6e9bb95e2bff52f6e7777bcf129d3fd0",
    },
    {
        .what = "mapping",
        .file = "readers.xml",
        .digest = "97a7916005a6d4573ace06313cd6a994",
    },
    {
        .what = "variables",
        .file = "",
        .digest = "2663c9fd80a5bff5f909058a6449d327",
    },
    {
        .what = "sources",
        .file = "",
        .digest = "5f1debcaddd474c1e30e3b21ad2a2b84",
    },
};

static const struct dal_net net = {
    .version = DAL_NET_VERSION,
    .name = "fan",
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
