/*
 * Networks drawn by chance with channels of the newest token, in the runtime's tables: one to three
 * graphs with rings of any rates, and such channels within and between them. A run is recorded. Two
 * replays, each on other cores, with other capacities and other naps, must give all sinks the same
 * bytes, and have the same record.
 *
 *   DAL_TEST_NETWORKS=N   how many networks (12)
 *   DAL_TEST_SEED=S       the first one's seed (1)
 */
#include "rt/network/network.h"
#include "test/determinism/random_graph.h"
#include "test/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PARTS = 3, NODES = 30, EDGES = 160, PORTS = 24, CORES = 3, FIRINGS = 2000, BYTES = 8192 };
enum { RECORDING, REPLAYS = 2, RUNS = RECORDING + 1 + REPLAYS };
enum { READS_AND_WRITES, WRITES, DOES_NOTHING, ENDS }; /* what a process does in its last firing */

struct _local_states {
    uint64_t hash, fired;
};

struct node {
    char name[16];
    struct dal_port_desc ports[PORTS];
    size_t bytes[PORTS]; /* of a firing, by port */
    int port_count, output_count;
    uint64_t end; /* it ends with this firing; 0: with its inputs */
    int ends;     /* how */
    int cores[CORES], core_count;
    int index;
};

/* What a process has read in a run: a hash by firing. */
struct record {
    uint64_t hashes[FIRINGS], count;
};

static struct random_graph parts[PARTS];
static struct node nodes[NODES];
static struct dal_channel_desc channels[EDGES];
static struct dal_process_desc processes[NODES];
static char channel_names[EDGES][16];
static struct record records[RUNS][NODES];
static int part_count, node_count, channel_count, run_number;
static uint64_t run_seed;    /* of naps */
static char names[RUNS][64]; /* files of records */

static const char *const port_names[PORTS] = {"0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",
                                              "8",  "9",  "10", "11", "12", "13", "14", "15",
                                              "16", "17", "18", "19", "20", "21", "22", "23"};
static const struct dal_processor_desc cores[CORES] = {
    {.name = "0", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "1", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "2", .kind = DAL_PROCESSOR_CORE, .core = -1}};

/* ---- what a firing does ---------------------------------------------------------------------- */

static uint64_t stir(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ b) * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    return (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
}

/* Now and then for as long as many firings take: each run has other times. */
static void nap_by_chance(const struct node *node, uint64_t fired)
{
    uint64_t chance = stir(run_seed + (uint64_t)node->index, fired);
    const struct timespec nap = {.tv_nsec = (long)(chance % 200000)};
    if (stir(run_seed, (uint64_t)node->index) % 3 == 0 && chance >> 61 == 0)
        nanosleep(&nap, NULL);
}

static uint64_t read_all(DALProcess *p, const struct node *node, uint64_t hash)
{
    unsigned char bytes[BYTES];
    for (int i = 0; i < node->port_count; i++)
        if (!node->ports[i].output) {
            DAL_read((void *)port_names[i], bytes, (int)node->bytes[i], p);
            for (size_t k = 0; k < node->bytes[i]; k++)
                hash = (hash ^ bytes[k]) * 0x100000001b3u;
        }
    return stir(hash, 1);
}

static void write_all(DALProcess *p, const struct node *node, uint64_t hash)
{
    unsigned char bytes[BYTES];
    for (int i = 0; i < node->port_count; i++)
        if (node->ports[i].output) {
            for (size_t k = 0; k < node->bytes[i]; k++)
                bytes[k] = (unsigned char)(stir(hash, k + (uint64_t)i) >> 56);
            DAL_write((void *)port_names[i], bytes, (int)node->bytes[i], p);
        }
}

static int fire_node(DALProcess *p)
{
    const struct node *node = &nodes[DAL_getIndex(0, p)];
    struct record *record = &records[run_number][node->index];
    int is_last = ++p->local->fired == node->end;
    nap_by_chance(node, p->local->fired);
    if (!is_last || node->ends == READS_AND_WRITES) {
        p->local->hash = read_all(p, node, p->local->hash);
        if (record->count < FIRINGS)
            record->hashes[record->count] = p->local->hash;
        record->count++;
    }
    if (!is_last || node->ends != DOES_NOTHING)
        write_all(p, node, stir(p->local->hash, p->local->fired));
    return is_last;
}

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};
static const struct dal_code code = {.state = &state, .fire = fire_node};

/* ---- a network of a seed --------------------------------------------------------------------- */

static void add_port(struct node *node, int output, int channel, int rate)
{
    int i = node->port_count++;
    node->output_count += output;
    node->bytes[i] = (size_t)rate * channels[channel].token_bytes;
    node->ports[i] = (struct dal_port_desc){
        .name = port_names[i], .output = output, .channel = channel, .rate = (uint64_t)rate};
}

static int add_channel(const struct dal_channel_desc *desc)
{
    int i = channel_count++;
    channels[i] = *desc;
    snprintf(channel_names[i], sizeof(channel_names[i]), "c%d", i);
    channels[i].name = channel_names[i];
    return i;
}

static int next_reader(const struct random_graph *part, int edge, int first_channel)
{
    for (int i = edge + 1; i < part->edge_count; i++)
        if (part->edges[i].port == part->edges[edge].port)
            return first_channel + i;
    return 0;
}

static void add_ring(const struct random_graph *part, int edge, int first_node, int first_channel)
{
    const struct random_edge *e = &part->edges[edge];
    const struct dal_channel_desc desc = {.producer = first_node + e->from,
                                          .consumer = first_node + e->to,
                                          .token_bytes = (uint64_t)e->bytes,
                                          .rate_in = (uint64_t)e->rate_in,
                                          .rate_out = (uint64_t)e->rate_out,
                                          .initial_tokens = (uint64_t)e->initial,
                                          .next_of_port = next_reader(part, edge, first_channel)};
    int i = add_channel(&desc);
    if (e->port == edge)
        add_port(&nodes[desc.producer], 1, i, e->rate_in);
    add_port(&nodes[desc.consumer], 0, i, e->rate_out);
}

static void add_part(const struct random_graph *part, struct random_dice *dice)
{
    int first = node_count, first_channel = channel_count;
    for (int i = 0; i < part->node_count; i++) {
        struct node *node = &nodes[node_count];
        int firings = part->nodes[i].firings * (2 + random_below(dice, 30));
        *node = (struct node){.index = node_count++, .ends = random_below(dice, ENDS)};
        snprintf(node->name, sizeof(node->name), "p%d", node->index);
        if (part->nodes[i].source || random_once(dice, 6))
            node->end = 1 + (uint64_t)random_below(dice, firings);
    }
    for (int i = 0; i < part->edge_count; i++)
        add_ring(part, i, first, first_channel);
}

static int part_of(int node)
{
    int part = 0;
    for (; node >= parts[part].node_count; part++)
        node -= parts[part].node_count;
    return part;
}

/* May the first token of the later one be needed for the first one of the earlier one? */
static int has_way_back(const struct random_graph *part)
{
    for (int i = 0; i < part->edge_count; i++)
        if (part->edges[i].from > part->edges[i].to)
            return 1;
    return 0;
}

/* From an earlier process to a later one. Where rings tie both of them, a reader that waits for
 * what is fresh, or young, would hold up the writer. */
static void add_newest(struct random_dice *dice)
{
    int from = random_below(dice, node_count - 1);
    int to = from + 1 + random_below(dice, node_count - from - 1);
    int apart = part_of(from) != part_of(to);
    const struct dal_channel_desc desc = {.kind = DAL_CHANNEL_NEWEST,
                                          .producer = from,
                                          .consumer = to,
                                          .capacity = 1,
                                          .token_bytes = 1 + (uint64_t)random_below(dice, 300),
                                          .rate_in = 1,
                                          .rate_out = 1,
                                          .repeat = !apart || random_once(dice, 2),
                                          .age_ns = apart && random_once(dice, 3) ? 1000000 : 0};
    int i;
    if ((!apart && has_way_back(&parts[part_of(from)])) || channel_count == EDGES ||
        nodes[from].port_count == PORTS || nodes[to].port_count == PORTS)
        return;
    i = add_channel(&desc);
    add_port(&nodes[from], 1, i, 1);
    add_port(&nodes[to], 0, i, 1);
}

static void draw_network(struct random_dice *dice)
{
    int count;
    node_count = channel_count = 0;
    part_count = 1 + random_below(dice, PARTS);
    for (int i = 0; i < part_count; i++) {
        random_graph_draw(&parts[i], dice);
        add_part(&parts[i], dice);
    }
    count = 1 + random_below(dice, 5);
    for (int i = 0; i < count; i++)
        add_newest(dice);
}

/* ---- a mapping ------------------------------------------------------------------------------- */

static enum dal_channel_kind ring_kind(const struct node *from, const struct node *to)
{
    int one = from->core_count == 1 && to->core_count == 1 && from->cores[0] == to->cores[0];
    return one ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES;
}

static void draw_process(struct random_dice *dice, struct node *node, int used)
{
    const struct random_graph *part = &parts[part_of(node->index)];
    int first = random_below(dice, used), number = node->index;
    node->core_count = random_once(dice, 6) ? used : 1;
    for (int i = 0; i < node->core_count; i++)
        node->cores[i] = (first + i) % used;
    for (int i = 0; &parts[i] < part; i++)
        number -= parts[i].node_count;
    processes[node->index] =
        (struct dal_process_desc){.name = node->name,
                                  .base = node->name,
                                  .kind = DAL_PROCESS_C,
                                  .processors = node->cores,
                                  .processor_count = node->core_count,
                                  .code = &code,
                                  .shadow_copies = 1,
                                  .block = 1 + (uint64_t)random_below(dice, 8),
                                  .ports = node->ports,
                                  .port_count = node->port_count,
                                  .index = &node->index,
                                  .index_count = 1,
                                  .repetitions = (uint64_t)part->nodes[number].firings,
                                  .origin = {"drawn", node->index}};
}

static void draw_mapping(struct random_dice *dice)
{
    int used = 1 + random_below(dice, CORES), channel = 0;
    for (int i = 0; i < node_count; i++)
        draw_process(dice, &nodes[i], used);
    for (int i = 0; i < part_count; i++) {
        random_graph_size(&parts[i], dice);
        for (int k = 0; k < parts[i].edge_count; k++, channel++) {
            struct dal_channel_desc *desc = &channels[channel];
            desc->capacity = (uint64_t)parts[i].edges[k].capacity;
            desc->kind = ring_kind(&nodes[desc->producer], &nodes[desc->consumer]);
        }
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int run_network(void)
{
    static const struct dal_monitor_limits limits = {.stall_ns = INT64_C(20000000000),
                                                     .growth_bytes = 1 << 30};
    const struct dal_network_options options = {.limits = &limits};
    const struct dal_net net = {.version = DAL_NET_VERSION,
                                .name = "drawn",
                                .processors = cores,
                                .processor_count = CORES,
                                .processes = processes,
                                .process_count = node_count,
                                .channels = channels,
                                .channel_count = channel_count,
                                .queue.depth = 1,
                                .queue.policy = "fcfs"};
    struct dal_network *network;
    int status = dal_network_create(&network, &net, &options);
    if (status == DAL_OK)
        status = dal_network_run(network);
    if (status == DAL_OK)
        status = dal_network_report(network);
    dal_network_destroy(network);
    return status;
}

static int run_once(struct random_dice *dice, int number)
{
    run_number = number;
    run_seed = (uint64_t)random_below(dice, 1 << 30);
    memset(records[number], 0, sizeof(records[number]));
    draw_mapping(dice);
    setenv("DAL_RECORD", names[number], 1);
    if (number != RECORDING)
        setenv("DAL_REPLAY", names[RECORDING], 1);
    else
        unsetenv("DAL_REPLAY");
    return run_network();
}

/* Reads the lines of a channel: its reads, and how many there were. Returns their number. */
static int lines_of(int run, int channel, char (*lines)[64])
{
    FILE *file = fopen(names[run], "r");
    char line[64], name[16];
    int count = 0;
    while (file && fgets(line, sizeof(line), file) && count < FIRINGS)
        if (sscanf(line, "%*d %15s", name) == 1 && strcmp(name, channels[channel].name) == 0)
            strcpy(lines[count++], line);
    if (file)
        fclose(file);
    return count;
}

/* Does nobody read what it writes? Then the bytes that it has read are the network's. */
static int is_sink(int number)
{
    return nodes[number].output_count == 0;
}

/* Who has lost all its readers ends at any time. */
static int same_record(int run, int channel)
{
    static char first[FIRINGS][64], again[FIRINGS][64];
    int count = lines_of(RECORDING, channel, first), other = lines_of(run, channel, again);
    if (count == 0 || other == 0 || (is_sink(channels[channel].consumer) && count != other))
        return 0;
    count = (count < other ? count : other) - !is_sink(channels[channel].consumer);
    for (int i = 0; i < count; i++)
        if (strcmp(first[i], again[i]) != 0)
            return 0;
    return 1;
}

static int same_reads(int run, int number)
{
    const struct record *first = &records[RECORDING][number], *again = &records[run][number];
    uint64_t count = first->count < again->count ? first->count : again->count;
    if (is_sink(number) && first->count != again->count)
        return 0;
    count = count < FIRINGS ? count : FIRINGS;
    return memcmp(first->hashes, again->hashes, count * sizeof(first->hashes[0])) == 0;
}

/* Returns whether a replay is right; tells what is not. */
static int compare_run(int run)
{
    for (int i = 0; i < node_count; i++)
        if (!same_reads(run, i)) {
            printf("process %s has read other tokens (%" PRIu64 " and %" PRIu64 " firings)\n",
                   nodes[i].name, records[RECORDING][i].count, records[run][i].count);
            return 0;
        }
    for (int i = 0; i < channel_count; i++)
        if (channels[i].kind == DAL_CHANNEL_NEWEST && !same_record(run, i)) {
            printf("channel %s has another record\n", channels[i].name);
            return 0;
        }
    return 1;
}

static int replays_are_right(uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed);
    draw_network(&dice);
    for (int run = 0; run < RUNS; run++) {
        int status = run_once(&dice, run);
        if (status == DAL_OK && (run == RECORDING || compare_run(run)))
            continue;
        printf("FAIL: run %d, status %d; again: DAL_TEST_SEED=%" PRIu64
               " DAL_TEST_NETWORKS=1 test/newest/test_drawn\n",
               run, status, seed);
        return 0;
    }
    return 1;
}

static void replays(void)
{
    uint64_t first = (uint64_t)suite_number("DAL_TEST_SEED", 1);
    long count = suite_number("DAL_TEST_NETWORKS", 12), right = 0;
    for (int i = 0; i < RUNS; i++)
        snprintf(names[i], sizeof(names[i]), "drawn-%ld-%d", (long)getpid(), i);
    for (long i = 0; i < count; i++)
        right += replays_are_right(first + (uint64_t)i);
    for (int i = 0; i < RUNS; i++)
        remove(names[i]);
    CU_ASSERT_EQUAL(right, count);
}

int main(void)
{
    static const struct test tests[] = {{"replays are the same runs", replays}};
    return run_suite("drawn networks with channels of the newest token", tests, 1);
}
