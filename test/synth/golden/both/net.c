/* Network stripes: what runs where and how it is joined. Made by dalsynth from stripes.xml,
 * machine.xml and both.xml. */
#include <net.h>

enum {
    PROCESSOR_core_1,
    PROCESSOR_gpu_0,
    PROCESSORS,
};

/* In the order in which a worker looks at them. */
enum {
    PROCESS_First,
    PROCESS_Stripe_0,
    PROCESS_Stripe_1,
    PROCESS_Last,
    PROCESSES,
};

enum {
    CHANNEL_into_0,
    CHANNEL_into_1,
    CHANNEL_end,
    CHANNELS,
};

extern const struct dal_code dal_code_First;
extern const struct dal_code dal_code_Stripe;
extern const struct dal_kernel dal_kernel_Stripe;
extern const struct dal_code dal_code_Last;

static const struct dal_processor_desc processors[] = {
    [PROCESSOR_core_1] =
        {
            .name = "core_1",
            .kind = DAL_PROCESSOR_CORE,
            .core = 1,
            .origin = {.file = "machine.xml", .line = 8},
        },
    [PROCESSOR_gpu_0] =
        {
            .name = "gpu-0",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "GPU_DEV1",
            .origin = {.file = "machine.xml", .line = 11},
        },
};

static const struct dal_channel_desc channels[] = {
    [CHANNEL_into_0] =
        {
            .name = "into_0",
            /* both ends on core_1 */
            .kind = DAL_CHANNEL_CORE,
            .producer = PROCESS_First,
            .consumer = PROCESS_Stripe_0,
            /* size given in stripes.xml:15 */
            .capacity = 32,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 2,
            .initial_tokens = 0,
            .origin = {.file = "stripes.xml", .line = 15},
        },
    [CHANNEL_into_1] =
        {
            .name = "into_1",
            /* gpu-0 has its own memory, apart from core_1 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Stripe_0,
            .consumer = PROCESS_Stripe_1,
            /* size given in stripes.xml:15 */
            .capacity = 32,
            .token_bytes = 4,
            .rate_in = 8,
            .rate_out = 8,
            .initial_tokens = 0,
            .origin = {.file = "stripes.xml", .line = 15},
        },
    [CHANNEL_end] =
        {
            .name = "end",
            /* gpu-0 has its own memory, apart from core_1 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Stripe_1,
            .consumer = PROCESS_Last,
            /* size given in stripes.xml:29 */
            .capacity = 32,
            .token_bytes = 4,
            .rate_in = 8,
            .rate_out = 4,
            .initial_tokens = 0,
            .origin = {.file = "stripes.xml", .line = 29},
        },
};

static const int processors_First[] = {
    PROCESSOR_core_1,
};

static const struct dal_port_desc ports_First[] = {
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_into_0,
        .rate = 1,
    },
};

static const int processors_Stripe_0[] = {
    PROCESSOR_core_1,
};

static const int index_Stripe_0[] = {
    0,
};

static const struct dal_port_desc ports_Stripe_0[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_into_0,
        .rate = 2,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_into_1,
        .rate = 8,
    },
};

static const int processors_Stripe_1[] = {
    PROCESSOR_gpu_0,
};

static const int index_Stripe_1[] = {
    1,
};

static const struct dal_port_desc ports_Stripe_1[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_into_1,
        .rate = 8,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_end,
        .rate = 8,
    },
};

static const int processors_Last[] = {
    PROCESSOR_core_1,
};

static const struct dal_port_desc ports_Last[] = {
    {
        .name = "sums",
        .output = 0,
        .channel = CHANNEL_end,
        .rate = 4,
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
            /* bound in both.xml:3 */
            .processors = processors_First,
            .processor_count = 1,
            .code = &dal_code_First,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 32 of channel into_0, shared by 1 */
            .block = 32,
            .priority = 0,
            .ports = ports_First,
            .port_count = 1,
            .repetitions = 2,
            .origin = {.file = "stripes.xml", .line = 5},
        },
    [PROCESS_Stripe_0] =
        {
            .name = "Stripe_0",
            .base = "Stripe",
            .source = "stripe.c",
            .key = "45f677eb41a3c38377b86940fc1fe4c1",
            .kind = DAL_PROCESS_C,
            /* bound in both.xml:3 */
            .processors = processors_Stripe_0,
            .processor_count = 1,
            .code = &dal_code_Stripe,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 32 of channel into_1, shared by 2 */
            .block = 2,
            .priority = 0,
            .ports = ports_Stripe_0,
            .port_count = 2,
            .index = index_Stripe_0,
            .index_count = 1,
            .repetitions = 1,
            .origin = {.file = "stripes.xml", .line = 10},
        },
    [PROCESS_Stripe_1] =
        {
            .name = "Stripe_1",
            .base = "Stripe",
            .source = "stripe.c",
            .key = "54dea1ff5b0afa2ce2fd50c92c253e2d",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in both.xml:4 */
            .processors = processors_Stripe_1,
            .processor_count = 1,
            .kernel = &dal_kernel_Stripe,
            /* I given in stripes.xml:13 */
            .work_items = 3,
            /* S given in stripes.xml:10 */
            .shadow_copies = 4,
            .block = 1,
            .priority = 0,
            .ports = ports_Stripe_1,
            .port_count = 2,
            .index = index_Stripe_1,
            .index_count = 1,
            .repetitions = 1,
            .origin = {.file = "stripes.xml", .line = 10},
        },
    [PROCESS_Last] =
        {
            .name = "Last",
            .base = "Last",
            .source = "last.c",
            .key = "60c7bcf28863ccf98ced4632ae216176",
            .kind = DAL_PROCESS_C,
            /* bound in both.xml:3 */
            .processors = processors_Last,
            .processor_count = 1,
            .code = &dal_code_Last,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 32 of channel end, shared by 2 */
            .block = 4,
            .priority = 0,
            .ports = ports_Last,
            .port_count = 1,
            .repetitions = 2,
            .origin = {.file = "stripes.xml", .line = 25},
        },
};

/* What `--version` says and `dalsynth --verify` compares. */
static const struct dal_made_desc made[] = {
    {
        .what = "architecture",
        .file = "machine.xml",
        .digest = "75c1178a558510edc4d75a5e46d4d6c8",
    },
    {
        .what = "network",
        .file = "stripes.xml",
        .digest = "ecb8c44bdafa8f9f14b354ad4154891c",
    },
    {
        .what = "mapping",
        .file = "both.xml",
        .digest = "aa6c2e6876952e8aa14051ffb1040097",
    },
    {
        .what = "variables",
        .file = "",
        .digest = "10d677e8e19e0717f2d682e03409f542",
    },
    {
        .what = "sources",
        .file = "",
        .digest = "314181593d5d953941074fa02eaf2e19",
    },
};

static const struct dal_net net = {
    .version = DAL_NET_VERSION,
    .name = "stripes",
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
