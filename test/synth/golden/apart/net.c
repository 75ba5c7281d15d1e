/* Network chain: what runs where and how it is joined. Made by dalsynth from chain.xml, rack.xml
 * and apart.xml. */
#include <net.h>

enum {
    PROCESSOR_core_0,
    PROCESSOR_c,
    PROCESSOR_e,
    PROCESSORS,
};

/* In the order in which a worker looks at them. */
enum {
    PROCESS_First,
    PROCESS_Kernel_0,
    PROCESS_Kernel_1,
    PROCESS_Kernel_2,
    PROCESS_Kernel_3,
    PROCESS_Kernel_4,
    PROCESS_Last,
    PROCESSES,
};

enum {
    CHANNEL_into_0,
    CHANNEL_into_1,
    CHANNEL_into_2,
    CHANNEL_into_3,
    CHANNEL_into_4,
    CHANNEL_end,
    CHANNELS,
};

extern const struct dal_code dal_code_First;
extern const struct dal_kernel dal_kernel_Kernel;
extern const struct dal_code dal_code_Last;
extern const struct dal_kernel dal_kernel_Kernel_1_to_Kernel_2;

static const struct dal_processor_desc processors[] = {
    [PROCESSOR_core_0] =
        {
            .name = "core_0",
            .kind = DAL_PROCESSOR_CORE,
            .core = 0,
            .origin = {.file = "rack.xml", .line = 3},
        },
    [PROCESSOR_c] =
        {
            .name = "c",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "ACC_DEV1",
            .origin = {.file = "rack.xml", .line = 11},
        },
    [PROCESSOR_e] =
        {
            .name = "e",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "ACC_DEV3",
            .origin = {.file = "rack.xml", .line = 17},
        },
};

static const struct dal_channel_desc channels[] = {
    [CHANNEL_into_0] =
        {
            .name = "into_0",
            /* c has its own memory, apart from core_0 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_First,
            .consumer = PROCESS_Kernel_0,
            /* least live 1 + First 1 x 1024 firings x rate 1 + Kernel_0 2 x 16 firings x rate 1 */
            .capacity = 1057,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_into_1] =
        {
            .name = "into_1",
            /* c and e share no memory: each has a ring of its own, and the host's lies between */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Kernel_0,
            .consumer = PROCESS_Kernel_1,
            /* least live 1 + Kernel_0 4 x 16 firings x rate 1 + Kernel_1 4 x 16 firings x rate 1 */
            .capacity = 129,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_into_2] =
        {
            .name = "into_2",
            /* both ends in one group on e: a work-group keeps the tokens */
            .kind = DAL_CHANNEL_GROUP,
            .producer = PROCESS_Kernel_1,
            .consumer = PROCESS_Kernel_2,
            /* least live 1 + Kernel_1 2 x 16 firings x rate 1 + Kernel_2 2 x 16 firings x rate 1 */
            .capacity = 65,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_into_3] =
        {
            .name = "into_3",
            /* Kernel_3 takes turns on 2 devices: each has a ring of its own */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Kernel_2,
            .consumer = PROCESS_Kernel_3,
            /* least live 1 + Kernel_2 4 x 16 firings x rate 1 + Kernel_3 8 x 16 firings x rate 1 */
            .capacity = 193,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_into_4] =
        {
            .name = "into_4",
            /* a block of S firings stays on one of 2 devices: the host never sees its tokens */
            .kind = DAL_CHANNEL_DEVICE,
            .producer = PROCESS_Kernel_3,
            .consumer = PROCESS_Kernel_4,
            /* least live 1 + Kernel_3 4 x 16 firings x rate 1 + Kernel_4 4 x 16 firings x rate 1 */
            .capacity = 129,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_end] =
        {
            .name = "end",
            /* Kernel_4 takes turns on 2 devices: each has a ring of its own */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Kernel_4,
            .consumer = PROCESS_Last,
            /* least live 1 + Kernel_4 4 x 16 firings x rate 1 + Last 1 x 1024 firings x rate 1 */
            .capacity = 1089,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 38},
        },
};

static const int processors_First[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_First[] = {
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_into_0,
        .rate = 1,
    },
};

static const int processors_Kernel_0[] = {
    PROCESSOR_c,
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
        .channel = CHANNEL_into_1,
        .rate = 1,
    },
};

static const int processors_Kernel_1[] = {
    PROCESSOR_e,
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
        .channel = CHANNEL_into_2,
        .rate = 1,
    },
};

static const int processors_Kernel_2[] = {
    PROCESSOR_e,
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
        .channel = CHANNEL_into_3,
        .rate = 1,
    },
};

static const int processors_Kernel_3[] = {
    PROCESSOR_c,
    PROCESSOR_e,
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
        .channel = CHANNEL_into_4,
        .rate = 1,
    },
};

static const int processors_Kernel_4[] = {
    PROCESSOR_c,
    PROCESSOR_e,
};

static const int index_Kernel_4[] = {
    4,
};

static const struct dal_port_desc ports_Kernel_4[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_into_4,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_end,
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
        .channel = CHANNEL_end,
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
            /* bound in apart.xml:3 */
            .processors = processors_First,
            .processor_count = 1,
            .code = &dal_code_First,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 1057 of channel into_0, shared by 2 */
            .block = 528,
            .priority = 0,
            .ports = ports_First,
            .port_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 5},
        },
    [PROCESS_Kernel_0] =
        {
            .name = "Kernel_0",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in apart.xml:4 */
            .processors = processors_Kernel_0,
            .processor_count = 1,
            .kernel = &dal_kernel_Kernel,
            /* I given in chain.xml:13 */
            .work_items = 4,
            /* S given in chain.xml:10 */
            .shadow_copies = 16,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_0,
            .port_count = 2,
            .index = index_Kernel_0,
            .index_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 10},
        },
    [PROCESS_Kernel_1] =
        {
            .name = "Kernel_1",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in apart.xml:5 */
            .processors = processors_Kernel_1,
            .processor_count = 1,
            .kernel = &dal_kernel_Kernel,
            /* I given in chain.xml:13 */
            .work_items = 4,
            /* S given in chain.xml:10 */
            .shadow_copies = 16,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_1,
            .port_count = 2,
            .index = index_Kernel_1,
            .index_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 10},
        },
    [PROCESS_Kernel_2] =
        {
            .name = "Kernel_2",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in apart.xml:6 */
            .processors = processors_Kernel_2,
            .processor_count = 1,
            .kernel = &dal_kernel_Kernel,
            /* I given in chain.xml:13 */
            .work_items = 4,
            /* S given in chain.xml:10 */
            .shadow_copies = 16,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_2,
            .port_count = 2,
            .index = index_Kernel_2,
            .index_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 10},
        },
    [PROCESS_Kernel_3] =
        {
            .name = "Kernel_3",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in apart.xml:7 */
            .processors = processors_Kernel_3,
            .processor_count = 2,
            .kernel = &dal_kernel_Kernel,
            /* I given in chain.xml:13 */
            .work_items = 4,
            /* S given in chain.xml:10 */
            .shadow_copies = 16,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_3,
            .port_count = 2,
            .index = index_Kernel_3,
            .index_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 10},
        },
    [PROCESS_Kernel_4] =
        {
            .name = "Kernel_4",
            .base = "Kernel",
            .source = "pass.cl",
            .key = "452fd9eb9f777249e408bb57b9ab6e36",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in apart.xml:8 */
            .processors = processors_Kernel_4,
            .processor_count = 2,
            .kernel = &dal_kernel_Kernel,
            /* I given in chain.xml:13 */
            .work_items = 4,
            /* S given in chain.xml:10 */
            .shadow_copies = 16,
            .block = 1,
            .priority = 0,
            .ports = ports_Kernel_4,
            .port_count = 2,
            .index = index_Kernel_4,
            .index_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 10},
        },
    [PROCESS_Last] =
        {
            .name = "Last",
            .base = "Last",
            .source = "last.c",
            .key = "ae2d2ed55d2ba1d7da017e8ff1b611ef",
            .kind = DAL_PROCESS_C,
            /* bound in apart.xml:3 */
            .processors = processors_Last,
            .processor_count = 1,
            .code = &dal_code_Last,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 1089 of channel end, shared by 2 */
            .block = 544,
            .priority = 0,
            .ports = ports_Last,
            .port_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 24},
        },
};

static const struct dal_group_member members_Kernel_1[] = {
    {
        .process = PROCESS_Kernel_1,
        .firings = 1,
    },
    {
        .process = PROCESS_Kernel_2,
        .firings = 1,
    },
};

static const struct dal_group_port outside_Kernel_1[] = {
    {
        .member = 0,
        .port = 0,
    },
    {
        .member = 1,
        .port = 1,
    },
};

static const struct dal_group_desc groups[] = {
    {
        .name = "Kernel_1_to_Kernel_2",
        .members = members_Kernel_1,
        .member_count = 2,
        .ports = outside_Kernel_1,
        .port_count = 2,
        .kernel = &dal_kernel_Kernel_1_to_Kernel_2,
        .work_items = 4,
        /* by the S of its processes */
        .rounds = 16,
        .scratch_bytes = 0,
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
        .file = "chain.xml",
        .digest = "f23825974f774a2b9c87edbc73698bfe",
    },
    {
        .what = "mapping",
        .file = "apart.xml",
        .digest = "132e32910c1cb507f40c0a05f2b896a3",
    },
    {
        .what = "variables",
        .file = "",
        .digest = "dd7c1ff7a6aa6b23849cf8b18b4009f7",
    },
    {
        .what = "sources",
        .file = "",
        .digest = "e4b893363653669b49bc6d5f728b36f4",
    },
};

static const struct dal_net net = {
    .version = DAL_NET_VERSION,
    .name = "chain",
    .processors = processors,
    .processor_count = PROCESSORS,
    .processes = processes,
    .process_count = PROCESSES,
    .channels = channels,
    .channel_count = CHANNELS,
    .groups = groups,
    .group_count = 1,
    .queue.depth = 256,
    .queue.policy = "fcfs",
    .made = made,
    .made_count = sizeof(made) / sizeof(made[0]),
};

int main(int argc, char **argv)
{
    return dal_main(&net, argc, argv);
}
