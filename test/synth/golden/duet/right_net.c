/* Network chain: what runs where and how it is joined. Made by dalsynth from chain.xml, rack.xml
 * and solo.xml. */
#include <net.h>

enum {
    PROCESSOR_core_0,
    PROCESSOR_a,
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

extern const struct dal_code dal_code_right_First;
extern const struct dal_kernel dal_kernel_right_Kernel;
extern const struct dal_code dal_code_right_Last;
extern const struct dal_kernel dal_kernel_right_Kernel_0_to_Kernel_4;

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
};

static const struct dal_channel_desc channels[] = {
    [CHANNEL_into_0] =
        {
            .name = "into_0",
            /* a shares its memory with core_0 */
            .kind = DAL_CHANNEL_UNIFIED,
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
            /* both ends in one group on a: a work-group keeps the tokens */
            .kind = DAL_CHANNEL_GROUP,
            .producer = PROCESS_Kernel_0,
            .consumer = PROCESS_Kernel_1,
            /* least live 1 + Kernel_0 2 x 16 firings x rate 1 + Kernel_1 2 x 16 firings x rate 1 */
            .capacity = 65,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_into_2] =
        {
            .name = "into_2",
            /* both ends in one group on a: a work-group keeps the tokens */
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
            /* both ends in one group on a: a work-group keeps the tokens */
            .kind = DAL_CHANNEL_GROUP,
            .producer = PROCESS_Kernel_2,
            .consumer = PROCESS_Kernel_3,
            /* least live 1 + Kernel_2 2 x 16 firings x rate 1 + Kernel_3 2 x 16 firings x rate 1 */
            .capacity = 65,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_into_4] =
        {
            .name = "into_4",
            /* both ends in one group on a: a work-group keeps the tokens */
            .kind = DAL_CHANNEL_GROUP,
            .producer = PROCESS_Kernel_3,
            .consumer = PROCESS_Kernel_4,
            /* least live 1 + Kernel_3 2 x 16 firings x rate 1 + Kernel_4 2 x 16 firings x rate 1 */
            .capacity = 65,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "chain.xml", .line = 15},
        },
    [CHANNEL_end] =
        {
            .name = "end",
            /* a shares its memory with core_0 */
            .kind = DAL_CHANNEL_UNIFIED,
            .producer = PROCESS_Kernel_4,
            .consumer = PROCESS_Last,
            /* least live 1 + Kernel_4 2 x 16 firings x rate 1 + Last 1 x 1024 firings x rate 1 */
            .capacity = 1057,
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
        .channel = CHANNEL_into_1,
        .rate = 1,
    },
};

static const int processors_Kernel_1[] = {
    PROCESSOR_a,
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
    PROCESSOR_a,
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
    PROCESSOR_a,
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
    PROCESSOR_a,
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
            /* bound in solo.xml:3 */
            .processors = processors_First,
            .processor_count = 1,
            .code = &dal_code_right_First,
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
            /* bound in solo.xml:4 */
            .processors = processors_Kernel_0,
            .processor_count = 1,
            .kernel = &dal_kernel_right_Kernel,
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
            /* bound in solo.xml:4 */
            .processors = processors_Kernel_1,
            .processor_count = 1,
            .kernel = &dal_kernel_right_Kernel,
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
            /* bound in solo.xml:4 */
            .processors = processors_Kernel_2,
            .processor_count = 1,
            .kernel = &dal_kernel_right_Kernel,
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
            /* bound in solo.xml:4 */
            .processors = processors_Kernel_3,
            .processor_count = 1,
            .kernel = &dal_kernel_right_Kernel,
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
            /* bound in solo.xml:4 */
            .processors = processors_Kernel_4,
            .processor_count = 1,
            .kernel = &dal_kernel_right_Kernel,
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
            /* bound in solo.xml:3 */
            .processors = processors_Last,
            .processor_count = 1,
            .code = &dal_code_right_Last,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 1057 of channel end, shared by 2 */
            .block = 528,
            .priority = 0,
            .ports = ports_Last,
            .port_count = 1,
            .repetitions = 1,
            .origin = {.file = "chain.xml", .line = 24},
        },
};

static const struct dal_group_member members_Kernel_0[] = {
    {
        .process = PROCESS_Kernel_0,
        .firings = 1,
    },
    {
        .process = PROCESS_Kernel_1,
        .firings = 1,
    },
    {
        .process = PROCESS_Kernel_2,
        .firings = 1,
    },
    {
        .process = PROCESS_Kernel_3,
        .firings = 1,
    },
    {
        .process = PROCESS_Kernel_4,
        .firings = 1,
    },
};

static const struct dal_group_port outside_Kernel_0[] = {
    {
        .member = 0,
        .port = 0,
    },
    {
        .member = 4,
        .port = 1,
    },
};

static const struct dal_group_desc groups[] = {
    {
        .name = "right_Kernel_0_to_Kernel_4",
        .members = members_Kernel_0,
        .member_count = 5,
        .ports = outside_Kernel_0,
        .port_count = 2,
        .kernel = &dal_kernel_right_Kernel_0_to_Kernel_4,
        .work_items = 4,
        /* by the S of its processes */
        .rounds = 16,
        .scratch_bytes = 0,
    },
};

extern const struct dal_net dal_net_right;

const struct dal_net dal_net_right = {
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
};
