/* Network shop: what runs where and how it is joined. Made by dalsynth from shop.xml,
 * machine.xml and cores.xml. */
#include <net.h>

enum {
    PROCESSOR_core_0,
    PROCESSOR_core_1,
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
extern const struct dal_code dal_code_Lane;
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
    [PROCESSOR_core_1] =
        {
            .name = "core_1",
            .kind = DAL_PROCESSOR_CORE,
            .core = 1,
            .origin = {.file = "machine.xml", .line = 8},
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
            /* both ends on core_0 */
            .kind = DAL_CHANNEL_CORE,
            .producer = PROCESS_Source,
            .consumer = PROCESS_Lane_0,
            /* least live 1 + Source 1 x 256 firings x rate 1 + Lane_0 1 x 256 firings x rate 1 */
            .capacity = 513,
            .token_bytes = 32,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 49},
        },
    [CHANNEL_cooked_0] =
        {
            .name = "cooked_0",
            /* both ends on core_0 */
            .kind = DAL_CHANNEL_CORE,
            .producer = PROCESS_Lane_0,
            .consumer = PROCESS_Join,
            /* least live 1 + Lane_0 1 x 256 firings x rate 1 + Join 1 x 163 firings x rate 1 */
            .capacity = 420,
            .token_bytes = 32,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 53},
        },
    [CHANNEL_raw_1] =
        {
            .name = "raw_1",
            /* core_0 and core_1 are different cores */
            .kind = DAL_CHANNEL_CORES,
            .producer = PROCESS_Source,
            .consumer = PROCESS_Lane_1,
            /* least live 1 + Source 1 x 256 firings x rate 1 + Lane_1 1 x 256 firings x rate 1 */
            .capacity = 513,
            .token_bytes = 32,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 49},
        },
    [CHANNEL_cooked_1] =
        {
            .name = "cooked_1",
            /* core_1 and core_0 are different cores */
            .kind = DAL_CHANNEL_CORES,
            .producer = PROCESS_Lane_1,
            .consumer = PROCESS_Join,
            /* least live 1 + Lane_1 1 x 256 firings x rate 1 + Join 1 x 163 firings x rate 1 */
            .capacity = 420,
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
            /* size given in cores.xml:15 */
            .capacity = 64,
            .token_bytes = 4,
            .rate_in = 1,
            .rate_out = 1,
            .initial_tokens = 0,
            .origin = {.file = "shop.xml", .line = 85},
        },
    [CHANNEL_printed] =
        {
            .name = "printed",
            /* Sink may be fired by any of 2 cores */
            .kind = DAL_CHANNEL_CORES,
            .producer = PROCESS_Tail,
            .consumer = PROCESS_Sink,
            /* least live 5 + Tail 1 x 2048 firings x rate 1 + Sink 2 x 819 firings x rate 5 */
            .capacity = 10243,
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

static const int processors_Lane_1[] = {
    PROCESSOR_core_1,
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
    PROCESSOR_core_1,
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
            /* bound in cores.xml:3 */
            .processors = processors_Source,
            .processor_count = 1,
            .code = &dal_code_Source,
            .work_items = 1,
            .shadow_copies = 1,
            /* 64 bytes of windows a firing, 16384 bytes at once */
            .block = 256,
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
            .source = "forward.c",
            .key = "2c24ff7099ebae95deb55eeea75e52a2",
            .kind = DAL_PROCESS_C,
            /* bound in cores.xml:3 */
            .processors = processors_Lane_0,
            .processor_count = 1,
            .code = &dal_code_Lane,
            .work_items = 1,
            .shadow_copies = 1,
            /* 64 bytes of windows a firing, 16384 bytes at once */
            .block = 256,
            .priority = 0,
            .ports = ports_Lane_0,
            .port_count = 2,
            .index = index_Lane_0,
            .index_count = 1,
            .repetitions = 5,
            .origin = {.file = "shop.xml", .line = 18},
        },
    [PROCESS_Lane_1] =
        {
            .name = "Lane_1",
            .base = "Lane",
            .source = "forward.c",
            .key = "2c24ff7099ebae95deb55eeea75e52a2",
            .kind = DAL_PROCESS_C,
            /* bound in cores.xml:7 */
            .processors = processors_Lane_1,
            .processor_count = 1,
            .code = &dal_code_Lane,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 420 of channel cooked_1, shared by 2 */
            .block = 210,
            .priority = 0,
            .ports = ports_Lane_1,
            .port_count = 2,
            .index = index_Lane_1,
            .index_count = 1,
            .repetitions = 5,
            .origin = {.file = "shop.xml", .line = 18},
        },
    [PROCESS_Join] =
        {
            .name = "Join",
            .base = "Join",
            .source = "join.c",
            .key = "cf2b480a96e88ffc41aa67f2dcd74714",
            .kind = DAL_PROCESS_C,
            /* bound in cores.xml:3 */
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
            /* bound in cores.xml:3 */
            .processors = processors_Tail,
            .processor_count = 1,
            .code = &dal_code_Tail,
            .work_items = 1,
            .shadow_copies = 1,
            /* capacity 64 of channel sums, shared by 1 */
            .block = 64,
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
            /* bound in cores.xml:11 */
            .processors = processors_Sink,
            .processor_count = 2,
            .code = &dal_code_Sink,
            .work_items = 1,
            .shadow_copies = 1,
            /* 20 bytes of windows a firing, 16384 bytes at once */
            .block = 819,
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
        .file = "cores.xml",
        .digest = "ca156fd7edbbc7b92d3e9d7d93c3319e",
    },
    {
        .what = "variables",
        .file = "",
        .digest = "e7887ad0993be33692c8240fa0bdb46c",
    },
    {
        .what = "sources",
        .file = "",
        .digest = "94ce4452547da98810a3681c5dc28b77",
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
    .queue.depth = 256,
    .queue.policy = "fcfs",
    .made = made,
    .made_count = sizeof(made) / sizeof(made[0]),
};

int main(int argc, char **argv)
{
    return dal_main(&net, argc, argv);
}
