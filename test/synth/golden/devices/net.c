/* Network shop: what runs where and how it is joined. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#include <net.h>

enum {
    PROCESSOR_core_0,
    PROCESSOR_core_0_device,
    PROCESSOR_gpu_0,
    PROCESSORS,
};

/* In the order in which a worker looks at them. */
enum {
    PROCESS_Source,
    PROCESS_Lane_0,
    PROCESS_Lane_1,
    PROCESS_Join,
    PROCESS_Tail,
    PROCESS_Sink,
    PROCESSES,
};

enum {
    CHANNEL_raw_0,
    CHANNEL_cooked_0,
    CHANNEL_raw_1,
    CHANNEL_cooked_1,
    CHANNEL_memory,
    CHANNEL_sums,
    CHANNEL_printed,
    CHANNELS,
};

extern const struct dal_code dal_code_Source;
extern const struct dal_kernel dal_kernel_Lane;
extern const struct dal_code dal_code_Lane;
extern const struct dal_kernel dal_kernel_Lane_1;
extern const struct dal_code dal_code_Join;
extern const struct dal_code dal_code_Tail;
extern const struct dal_code dal_code_Sink;

static const struct dal_processor_desc processors[] = {
    [PROCESSOR_core_0] =
        {
            .name = "core_0",
            .kind = DAL_PROCESSOR_CORE,
            .core = 0,
            .origin = {.file = "machine.xml", .line = 4},
        },
    [PROCESSOR_core_0_device] =
        {
            .name = "core_0",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "CPU_32902_SomeProcessor_DEV1_SUB1",
            .origin = {.file = "machine.xml", .line = 5},
        },
    [PROCESSOR_gpu_0] =
        {
            .name = "gpu-0",
            .kind = DAL_PROCESSOR_OPENCL,
            .identifier = "GPU_DEV1",
            .origin = {.file = "machine.xml", .line = 11},
        },
};

/* clang-format off */
static const unsigned char initial_memory[16] = {
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
    0x0c, 0x0d, 0x0e, 0x0f,
};
/* clang-format on */

static const struct dal_channel_desc channels[] = {
    [CHANNEL_raw_0] =
        {
            .name = "raw_0",
            /* core_0 shares its memory with core_0 */
            .kind = DAL_CHANNEL_UNIFIED,
            .producer = PROCESS_Source,
            .consumer = PROCESS_Lane_0,
            /* least live 1 + Source 1 x 256 firings x rate 1 + Lane_0 2 x 8 firings x rate 1 */
            .capacity = 273,
            .token_bytes = 32,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 49},
        },
    [CHANNEL_cooked_0] =
        {
            .name = "cooked_0",
            /* core_0 shares its memory with core_0 */
            .kind = DAL_CHANNEL_UNIFIED,
            .producer = PROCESS_Lane_0,
            .consumer = PROCESS_Join,
            /* least live 1 + Lane_0 2 x 8 firings x rate 1 + Join 1 x 163 firings x rate 1 */
            .capacity = 180,
            .token_bytes = 32,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 53},
        },
    [CHANNEL_raw_1] =
        {
            .name = "raw_1",
            /* gpu-0 has its own memory, apart from core_0 */
            .kind = DAL_CHANNEL_STAGED,
            .producer = PROCESS_Source,
            .consumer = PROCESS_Lane_1,
            /* least live 1 + Source 1 x 256 firings x rate 1 + Lane_1 2 x 4 firings x rate 1 */
            .capacity = 265,
            .token_bytes = 32,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 49},
        },
    [CHANNEL_cooked_1] =
        {
            .name = "cooked_1",
            /* the mapping asks for it (devices.xml:16) */
            .kind = DAL_CHANNEL_NAIVE,
            .producer = PROCESS_Lane_1,
            .consumer = PROCESS_Join,
            /* least live 1 + Lane_1 2 x 4 firings x rate 1 + Join 1 x 163 firings x rate 1; made
             * 188 to hold what is on a longer way beside it */
            .capacity = 188,
            .token_bytes = 32,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 53},
        },
    [CHANNEL_memory] =
        {
            .name = "memory",
            /* both ends on core_0 */
            .kind = DAL_CHANNEL_CORE,
            .producer = PROCESS_Join,
            .consumer = PROCESS_Join,
            /* size given in shop.xml:75 */
            .capacity = 2,
            .token_bytes = 16,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 1,
            .initial_data = initial_memory,
            .origin = {.file = "shop.xml", .line = 75},
        },
    [CHANNEL_sums] =
        {
            .name = "sums",
            /* both ends on core_0 */
            .kind = DAL_CHANNEL_CORE,
            .producer = PROCESS_Join,
            .consumer = PROCESS_Tail,
            /* size given in shop.xml:85 */
            .capacity = 32,
            .token_bytes = 4,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 85},
        },
    [CHANNEL_printed] =
        {
            .name = "printed",
            /* both ends on core_0 */
            .kind = DAL_CHANNEL_CORE,
            .producer = PROCESS_Tail,
            .consumer = PROCESS_Sink,
            /* least live 5 + Tail 1 x 2048 firings x rate 1 + Sink 1 x 819 firings x rate 5 */
            .capacity = 6148,
            .token_bytes = 4,
            .rate_in = 1,
            .rate_out = 5,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 94},
        },
};

static const int processors_Source[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_Source[] = {
    {
        .name = "out_0",
        .output = 1,
        .channel = CHANNEL_raw_0,
        .rate = 1,
    },
    {
        .name = "out_1",
        .output = 1,
        .channel = CHANNEL_raw_1,
        .rate = 1,
    },
};

static const struct dal_parameter_desc parameters_Source[] = {
    {
        .name = "greeting",
        .value = "say \"hello\"\\ in 8 words",
    },
};

static const int processors_Lane_0[] = {
    PROCESSOR_core_0_device,
};

static const int cores_Lane_0[] = {
    PROCESSOR_core_0,
};

static const int index_Lane_0[] = {
    0,
};

static const struct dal_port_desc ports_Lane_0[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_raw_0,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_cooked_0,
        .rate = 1,
    },
};

/* When the kernel of Lane_0 cannot be had. */
static const struct dal_process_desc fallback_Lane_0 = {
    .name = "Lane_0",
    .base = "Lane",
    .source = "forward.c",
    .key = "2c24ff7099ebae95deb55eeea75e52a2",
    .kind = DAL_PROCESS_C,
    /* bound in devices.xml:7 */
    .processors = cores_Lane_0,
    .processor_count = 1,
    .code = &dal_code_Lane,
    .work_items = 1,
    .shadow_copies = 1,
    /* capacity 180 of channel cooked_0, shared by 2 */
    .block = 90,
    .priority = 0,
    .ports = ports_Lane_0,
    .port_count = 2,
    .index = index_Lane_0,
    .index_count = 1,
    .repetitions = 5,
    .origin = {.file = "shop.xml", .line = 18},
};

static const int processors_Lane_1[] = {
    PROCESSOR_gpu_0,
};

static const int cores_Lane_1[] = {
    PROCESSOR_core_0,
};

static const int index_Lane_1[] = {
    1,
};

static const struct dal_port_desc ports_Lane_1[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_raw_1,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_cooked_1,
        .rate = 1,
    },
};

/* When the kernel of Lane_1 cannot be had. */
static const struct dal_process_desc fallback_Lane_1 = {
    .name = "Lane_1",
    .base = "Lane",
    .source = "forward.c",
    .key = "2c24ff7099ebae95deb55eeea75e52a2",
    .kind = DAL_PROCESS_C,
    /* bound in devices.xml:11 */
    .processors = cores_Lane_1,
    .processor_count = 1,
    .code = &dal_code_Lane,
    .work_items = 1,
    .shadow_copies = 1,
    /* capacity 188 of channel cooked_1, shared by 2 */
    .block = 94,
    .priority = 2,
    .ports = ports_Lane_1,
    .port_count = 2,
    .index = index_Lane_1,
    .index_count = 1,
    .repetitions = 5,
    .origin = {.file = "shop.xml", .line = 18},
};

static const int processors_Join[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_Join[] = {
    {
        .name = "in_0",
        .output = 0,
        .channel = CHANNEL_cooked_0,
        .rate = 1,
    },
    {
        .name = "in_1",
        .output = 0,
        .channel = CHANNEL_cooked_1,
        .rate = 1,
    },
    {
        .name = "state",
        .output = 0,
        .channel = CHANNEL_memory,
        .rate = 1,
    },
    {
        .name = "next",
        .output = 1,
        .channel = CHANNEL_memory,
        .rate = 1,
    },
    {
        .name = "sum",
        .output = 1,
        .channel = CHANNEL_sums,
        .rate = 1,
    },
};

static const int processors_Tail[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_Tail[] = {
    {
        .name = "in",
        .output = 0,
        .channel = CHANNEL_sums,
        .rate = 1,
    },
    {
        .name = "out",
        .output = 1,
        .channel = CHANNEL_printed,
        .rate = 1,
    },
};

static const int processors_Sink[] = {
    PROCESSOR_core_0,
};

static const struct dal_port_desc ports_Sink[] = {
    {
        .name = "sums",
        .output = 0,
        .channel = CHANNEL_printed,
        .rate = 5,
    },
};

static const struct dal_process_desc processes[] = {
    [PROCESS_Source] =
        {
            .name = "Source",
            .base = "Source",
            .source = "source.c",
            .key = "630cd3c55ab7f009f58d5af455963c92",
            .kind = DAL_PROCESS_C,
            /* bound in devices.xml:3 */
            .processors = processors_Source,
            .processor_count = 1,
            .code = &dal_code_Source,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 265 of channel raw_1, shared by 2 */
            .block = 132,
            .priority = 0,
            .ports = ports_Source,
            .port_count = 2,
            .parameters = parameters_Source,
            .parameter_count = 1,
            .repetitions = 5,
            .origin = {.file = "shop.xml", .line = 9},
        },
    [PROCESS_Lane_0] =
        {
            .name = "Lane_0",
            .base = "Lane",
            .source = "lane.cl",
            .key = "8f73a1465b57a0fb5f5c172a271c4a1b",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in devices.xml:7 */
            .processors = processors_Lane_0,
            .processor_count = 1,
            .kernel = &dal_kernel_Lane,
            /* I given in shop.xml:23 */
            .work_items = 8,
            /* S given in shop.xml:18 */
            .shadow_copies = 8,
            .block = 1,
            .priority = 0,
            .ports = ports_Lane_0,
            .port_count = 2,
            .index = index_Lane_0,
            .index_count = 1,
            .repetitions = 5,
            .origin = {.file = "shop.xml", .line = 18},
            .fallback = &fallback_Lane_0,
        },
    [PROCESS_Lane_1] =
        {
            .name = "Lane_1",
            .base = "Lane",
            .source = "lane.cl",
            .key = "8f73a1465b57a0fb5f5c172a271c4a1b",
            .kind = DAL_PROCESS_DEVICE,
            /* bound in devices.xml:11 */
            .processors = processors_Lane_1,
            .processor_count = 1,
            .kernel = &dal_kernel_Lane_1,
            /* I given in devices.xml:11 */
            .work_items = 16,
            /* S given in devices.xml:11 */
            .shadow_copies = 4,
            .block = 1,
            .priority = 2,
            .ports = ports_Lane_1,
            .port_count = 2,
            .index = index_Lane_1,
            .index_count = 1,
            .repetitions = 5,
            .origin = {.file = "shop.xml", .line = 18},
            .fallback = &fallback_Lane_1,
        },
    [PROCESS_Join] =
        {
            .name = "Join",
            .base = "Join",
            .source = "join.c",
            .key = "cf2b480a96e88ffc41aa67f2dcd74714",
            .kind = DAL_PROCESS_C,
            /* bound in devices.xml:3 */
            .processors = processors_Join,
            .processor_count = 1,
            .code = &dal_code_Join,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 2 of channel memory, shared by 1 */
            .block = 2,
            .priority = 0,
            .ports = ports_Join,
            .port_count = 5,
            .repetitions = 5,
            .origin = {.file = "shop.xml", .line = 27},
        },
    [PROCESS_Tail] =
        {
            .name = "Tail",
            .base = "Tail",
            .source = "forward.c",
            .key = "2c912a01f35f7b98e33cb8b9e55f8ca4",
            .kind = DAL_PROCESS_C,
            /* bound in devices.xml:3 */
            .processors = processors_Tail,
            .processor_count = 1,
            .code = &dal_code_Tail,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 32 of channel sums, shared by 1 */
            .block = 32,
            .priority = 0,
            .ports = ports_Tail,
            .port_count = 2,
            .repetitions = 5,
            .origin = {.file = "shop.xml", .line = 37},
        },
    [PROCESS_Sink] =
        {
            .name = "Sink",
            .base = "Sink",
            .source = "sink.c",
            .key = "d967a8572171602f076da75c82d8a6d3",
            .kind = DAL_PROCESS_C,
            /* bound in devices.xml:3 */
            .processors = processors_Sink,
            .processor_count = 1,
            .code = &dal_code_Sink,
            .work_items = 1,
            .shadow_copies = 1,
            /* cache of core_0, shared by its 3 channels */
            .block = 546,
            .io = 1,
            .priority = 0,
            .ports = ports_Sink,
            .port_count = 1,
            .repetitions = 1,
            .origin = {.file = "shop.xml", .line = 43},
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
        .file = "shop.xml",
        .digest = "b0288a4bbefe394a17b50fb867e036fa",
    },
    {
        .what = "mapping",
        .file = "devices.xml",
        .digest = "fcb1a10ac88bb496717a8e2d59799176",
    },
    {
        .what = "variables",
        .file = "",
        .digest = "e7887ad0993be33692c8240fa0bdb46c",
    },
    {
        .what = "sources",
        .file = "",
        .digest = "99de4a17a0d8233f98c9378f7b6f58ef",
    },
};

static const struct dal_net net = {
    .version = DAL_NET_VERSION,
    .name = "shop",
    .processors = processors,
    .processor_count = PROCESSORS,
    .processes = processes,
    .process_count = PROCESSES,
    .channels = channels,
    .channel_count = CHANNELS,
    .queue.depth = 32,
    .queue.policy = "fcfs",
    .queue.realtime = 49,
    .made = made,
    .made_count = sizeof(made) / sizeof(made[0]),
};

int main(int argc, char **argv)
{
    return dal_main(&net, argc, argv);
}
