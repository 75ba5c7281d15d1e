/*
 * Random networks in the runtime's tables: on up to 16 cores of up to 3 nodes, with pools, copies,
 * several readers of a port, KPN processes with channels that have to grow, phases, state in place,
 * periods, live parameters, latencies, processes that end early; or on one node with one or two
 * devices, chains of processes in shadow copies. Each firing hashes what it reads and makes its
 * tokens of that. So what a process has to read is known beforehand, by an interpreter with one
 * queue a channel.
 */
#include "test/schedules/random.h"

#include "rt/base/shape.h"
#include "include/kinds.h"
#include "rt/nodes/peers.h"
#include "test/schedules/schedules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct _local_states {
    uint64_t hash, fired;
    long value; /* of the live parameter */
};

struct queue {
    unsigned char *bytes;
    size_t first, last, room;
};

struct random_graph graph;
struct node nodes[NODES];
struct dal_net net;
struct record records[RECORDED_HERE][NODES];
int nap_ms[RECORDED_HERE];
struct late_traits traits;
static struct dal_process_desc processes[NODES];
static struct dal_channel_desc channels[EDGES];
static struct dal_processor_desc processors[CORES + LATE_DEVICES]; /* devices behind cores */
static struct dal_latency_desc latency;
static uint64_t drawn;
static int core_count, kpn_count, device_count;

static const char *const rank_names[RANKS] = {"a", "b", "c", "d"};
static const struct dal_parameter_desc live = {.name = "live", .value = "0", .live = 1};
static const char *const port_names[PORTS] = {"0",  "1",  "2",  "3",  "4",  "5",  "6",  "7",
                                              "8",  "9",  "10", "11", "12", "13", "14", "15",
                                              "16", "17", "18", "19", "20", "21", "22", "23"};

/* ---- what a firing does ---------------------------------------------------------------------- */

static uint64_t stir(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ b) * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    return (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9u;
}

static uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return stir(hash, count);
}

static void fill_bytes(unsigned char *bytes, size_t count, uint64_t hash)
{
    for (size_t i = 0; i < count; i++) {
        hash = hash * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (unsigned char)(hash >> 56);
    }
}

/* Of a port in a phase; of a process without, phase 0. */
static size_t window_bytes(const struct node *node, int phase, int port)
{
    return node->phases ? node->phase_unit[phase * node->port_count + port].bytes
                        : node->unit[port].bytes;
}

static const struct node *node_of(DALProcess *p)
{
    return &nodes[DAL_getIndex(0, p)];
}

int node_is_recorded(const struct node *node)
{
    return node->on_device ? node->core_count == 1 : !node->stateless;
}

static void record_firing(struct record *record, uint64_t hash)
{
    if (record->count < FIRINGS)
        record->hashes[record->count] = hash;
    record->count++;
}

static uint64_t read_all(DALProcess *p, const struct node *node, uint64_t hash)
{
    unsigned char bytes[BYTES];
    int i, phase = node->phases ? DAL_getPhase(p) : 0;
    for (i = 0; i < node->port_count; i++) {
        size_t count = window_bytes(node, phase, i);
        if (!node->ports[i].output && count) {
            DAL_read((void *)port_names[i], bytes, (int)count, p);
            hash = hash_bytes(hash, bytes, count);
        }
    }
    return hash;
}

static void write_all(DALProcess *p, const struct node *node, uint64_t hash)
{
    unsigned char bytes[BYTES];
    int i, phase = node->phases ? DAL_getPhase(p) : 0;
    for (i = 0; i < node->port_count; i++) {
        size_t count = window_bytes(node, phase, i);
        if (node->ports[i].output && count) {
            fill_bytes(bytes, count, stir(hash, (uint64_t)i));
            DAL_write((void *)port_names[i], bytes, (int)count, p);
        }
    }
}

/* It only grows, and between iterations. */
static long look_at_live(DALProcess *p, const struct node *node)
{
    uint64_t iteration = node->repetitions ? node->repetitions : 1;
    long value;
    DAL_getParameterInt(live.name, &value, p);
    if (value < p->local->value ||
        (value != p->local->value && !node->phases && p->local->fired % iteration))
        dal_schedule_fail("a live parameter has changed when it must not");
    return value;
}

/* What else there is may end before a channel has to grow, and devices rest for longer than a
 * launch may take. */
static void begin_late(const struct node *node, int run)
{
    const struct timespec nap = {.tv_sec = nap_ms[run] / 1000,
                                 .tv_nsec = nap_ms[run] % 1000 * 1000000L};
    if ((node->is_kpn || node->is_sink) && nap_ms[run] && records[run][node - nodes].count == 0)
        nanosleep(&nap, NULL);
}

static int fire_state(DALProcess *p)
{
    const struct node *node = node_of(p);
    begin_late(node, DAL_getIndex(1, p));
    p->local->value = look_at_live(p, node);
    p->local->hash = read_all(p, node, p->local->hash);
    record_firing(&records[DAL_getIndex(1, p)][node - nodes], p->local->hash);
    write_all(p, node, p->local->hash);
    if (look_at_live(p, node) != p->local->value)
        dal_schedule_fail("a live parameter has changed within a firing");
    return ++p->local->fired == node->end;
}

static int fire_stateless(DALProcess *p)
{
    const struct node *node = node_of(p);
    write_all(p, node, read_all(p, node, 0));
    return 0;
}

/* `name` has the numbers of node and run. On one device, firings are in their order. */
void late_kernel(const char *name, unsigned char *const *windows, uint64_t firing)
{
    int number, run;
    const struct node *node;
    uint64_t hash = 0;
    if (sscanf(name, "%d %d", &number, &run) != 2)
        dal_schedule_fail("no such kernel");
    node = &nodes[number];
    for (int i = 0; i < node->port_count; i++)
        if (!node->ports[i].output)
            hash = hash_bytes(hash, windows[i] + firing * node->unit[i].bytes, node->unit[i].bytes);
    if (node_is_recorded(node))
        record_firing(&records[run][number], hash);
    for (int i = 0; i < node->port_count; i++)
        if (node->ports[i].output)
            fill_bytes(windows[i] + firing * node->unit[i].bytes, node->unit[i].bytes,
                       stir(hash, (uint64_t)i));
}

static void run_code(DALProcess *p, struct dal_activation *a)
{
    const struct node *node = node_of(p);
    struct dal_window windows[PORTS];
    unsigned char *first[PORTS];
    if (node->phases)
        dal_unit_run_phases(p, a, p->fire, node->unit, node->phase_unit, node->phases,
                            node->port_count, windows, first);
    else
        dal_unit_run(p, a, p->fire, node->unit, node->port_count, windows, first);
}

static void run_phase(DALProcess *p, struct dal_activation *a)
{
    const struct node *node = node_of(p);
    struct dal_window windows[PORTS];
    unsigned char *first[PORTS];
    dal_unit_run_phase(p, a, p->fire, node->unit, node->phase_unit, node->phases, node->port_count,
                       windows, first);
}

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};
/* ---- what it has to read --------------------------------------------------------------------- */

static void put(struct queue *queue, const unsigned char *bytes, size_t count)
{
    if (queue->last + count > queue->room) {
        queue->room = 2 * (queue->last + count);
        queue->bytes = realloc(queue->bytes, queue->room);
        if (!queue->bytes)
            abort();
    }
    if (bytes)
        memcpy(queue->bytes + queue->last, bytes, count);
    else
        memset(queue->bytes + queue->last, 0, count);
    queue->last += count;
}

/* Tokens of a phase, or those of the whole cycle that begins with it where it is fired as a whole.
 */
static size_t needs_bytes(const struct node *node, int port)
{
    int phase = node->phases ? (int)(node->count % (uint64_t)node->phases) : 0;
    if (node->phases && !node->by_phase)
        return phase == 0 ? node->unit[port].bytes : 0;
    return window_bytes(node, phase, port);
}

static int can_fire(const struct node *node, const struct queue *queues)
{
    if (node->end && node->count == node->end)
        return 0;
    for (int i = 0; i < node->port_count; i++) {
        const struct queue *queue = &queues[node->edges[i]];
        if (!node->ports[i].output && queue->last - queue->first < needs_bytes(node, i))
            return 0;
    }
    return node->count < FIRINGS;
}

static uint64_t interpret_inputs(const struct node *node, int phase, struct queue *queues)
{
    uint64_t hash = node->count && !node->stateless ? node->expected[node->count - 1] : 0;
    for (int i = 0; i < node->port_count; i++) {
        struct queue *queue = &queues[node->edges[i]];
        size_t count = window_bytes(node, phase, i);
        if (!node->ports[i].output && count) {
            hash = hash_bytes(hash, queue->bytes + queue->first, count);
            queue->first += count;
        }
    }
    return hash;
}

static void interpret(struct node *node, struct queue *queues)
{
    int i, k, phase = node->phases ? (int)(node->count % (uint64_t)node->phases) : 0;
    uint64_t hash = interpret_inputs(node, phase, queues);
    unsigned char bytes[BYTES];
    node->expected[node->count++] = hash;
    for (i = 0; i < node->port_count; i++) {
        size_t count = window_bytes(node, phase, i);
        if (!node->ports[i].output || !count)
            continue;
        fill_bytes(bytes, count, stir(hash, (uint64_t)i));
        for (k = 0; k < graph.edge_count; k++)
            if (graph.edges[k].port == node->edges[i])
                put(&queues[k], bytes, count);
    }
}

/* Nobody lacks space here, so what is read does not depend on the order. */
static void interpret_all(void)
{
    static struct queue queues[EDGES];
    int i, moved = 1;
    for (i = 0; i < graph.edge_count; i++) {
        queues[i].first = queues[i].last = 0;
        put(&queues[i], NULL, (size_t)graph.edges[i].initial * (size_t)graph.edges[i].bytes);
    }
    for (i = 0; i < graph.node_count; i++)
        nodes[i].count = 0;
    while (moved)
        for (moved = i = 0; i < graph.node_count; i++)
            while (can_fire(&nodes[i], queues)) {
                interpret(&nodes[i], queues);
                moved = 1;
            }
}

/* ---- a network of a seed --------------------------------------------------------------------- */

static int inplace[EDGES]; /* by channel */

static int has_inplace(int number)
{
    for (int i = 0; i < graph.edge_count; i++)
        if (inplace[i] && graph.edges[i].from == number)
            return 1;
    return 0;
}

static int is_alone(int number)
{
    int count = 0;
    for (int i = 0; i < graph.edge_count; i++)
        count += graph.edges[i].port == graph.edges[number].port;
    return count == 1;
}

/* State that is changed in place: as many slots as initial tokens. */
static void draw_inplace(struct random_dice *dice)
{
    for (int i = 0; i < graph.edge_count; i++) {
        struct random_edge *edge = &graph.edges[i];
        inplace[i] = edge->from == edge->to && is_alone(i) && random_once(dice, 2);
        if (inplace[i])
            edge->initial = edge->capacity = edge->rate_in * (1 + random_below(dice, 3));
    }
}

static void add_port(struct node *node, struct random_edge *edge, int number, int output)
{
    int rate = output ? edge->rate_in : edge->rate_out, i = node->port_count++;
    node->edges[i] = number;
    node->ports[i] = (struct dal_port_desc){.name = port_names[i],
                                            .output = output,
                                            .channel = number,
                                            .rate = node->is_kpn ? 1 : (uint64_t)rate};
    node->unit[i].bytes = (size_t)rate * (size_t)edge->bytes;
    node->unit[i].must = output ? node->unit[i].bytes : 0;
}

/* All of one rank; the first ranks have a process each. */
static void draw_cores(struct node *node, struct random_dice *dice)
{
    int here = core_count / rank_count, first = random_below(dice, here), i;
    int home = node->index < rank_count ? node->index : random_below(dice, rank_count);
    node->core_count = random_once(dice, 3) ? 1 + random_below(dice, here) : 1;
    for (i = 0; i < node->core_count; i++)
        node->cores[i] = home + (first + i) % here * rank_count;
}

/* One of the devices, or blocks dealt to both. */
static void draw_devices(struct node *node, struct random_dice *dice)
{
    int first = random_below(dice, device_count), i;
    node->core_count = !has_inplace(node->index) && random_once(dice, 4) ? device_count : 1;
    for (i = 0; i < node->core_count; i++)
        node->cores[i] = core_count + (first + i) % device_count;
}

/* Only a network on one node has devices. */
static void draw_traits(struct random_dice *dice)
{
    device_count =
        rank_count > 1 || random_once(dice, 3) ? 0 : 1 + random_below(dice, LATE_DEVICES);
    traits = (struct late_traits){.unified = random_once(dice, 3),
                                  .fine_svm = random_once(dice, 2),
                                  .one_context = random_once(dice, 2),
                                  .share_memory = random_once(dice, 2),
                                  .calls_back = random_once(dice, 2),
                                  .on_cores = random_once(dice, 4)};
    traits.fine_svm &= traits.unified;
}

static void draw_period(struct node *node, struct random_dice *dice)
{
    int64_t period_ns = (int64_t)1 << (8 + random_below(dice, 16));
    node->period = (struct dal_period_desc){.period_ns = period_ns,
                                            .phase_ns = random_once(dice, 2) ? period_ns / 3 : 0,
                                            .deadline_ns = 1 + period_ns / 2,
                                            .repetitions = 1 + (uint64_t)random_below(dice, 4),
                                            .overrun = (enum dal_overrun)random_below(dice, 3)};
}

/* Each port's tokens of a cycle are dealt to the phases. */
static void draw_phases(struct node *node, struct random_dice *dice)
{
    node->phases = 2 + random_below(dice, PHASES - 1);
    node->by_phase = random_once(dice, 2);
    for (int i = 0; i < node->port_count; i++) {
        size_t bytes = (size_t)graph.edges[node->edges[i]].bytes, from = 0;
        for (int k = 0; k < node->phases; k++) {
            struct dal_unit_port *unit = &node->phase_unit[k * node->port_count + i];
            int left = (int)((node->unit[i].bytes - from) / bytes);
            int tokens = k + 1 == node->phases ? left : random_below(dice, left + 1);
            unit->bytes = (size_t)tokens * bytes;
            unit->must = node->ports[i].output ? unit->bytes : 0;
            unit->from = from;
            from += unit->bytes;
        }
    }
}

static void fill_code(struct node *node, int has_unit)
{
    node->code = (struct dal_code){.state = node->stateless ? NULL : &state,
                                   .fire = node->stateless ? fire_stateless : fire_state,
                                   .run = has_unit ? run_code : NULL,
                                   .phase_ports = node->phases ? node->phase_unit : NULL,
                                   .phases = node->phases,
                                   .run_phase = has_unit && node->by_phase ? run_phase : NULL};
}

/* Its edges are there. */
static void draw_node(struct random_dice *dice, int number)
{
    const struct random_node *drawn_node = &graph.nodes[number];
    struct node *node = &nodes[number];
    int firings = drawn_node->firings * (1 + random_below(dice, 12)), i;
    *node = (struct node){.index = number, .is_sink = drawn_node->sink};
    snprintf(node->name, NAME, "p%d", number);
    if (drawn_node->source || random_once(dice, 5))
        node->end = 1 + (uint64_t)random_below(dice, firings);
    node->on_device = device_count && !drawn_node->source && !node->end && random_once(dice, 2);
    node->is_kpn = kpn_count && !node->on_device && !has_inplace(number) && random_once(dice, 3);
    node->stateless = !node->end && !node->is_kpn && !node->is_sink && random_once(dice, 3);
    for (i = 0; i < graph.edge_count; i++) {
        if (random_edge_at(&graph, i, number, 0))
            add_port(node, &graph.edges[i], i, 0);
        if (random_edge_at(&graph, i, number, 1))
            add_port(node, &graph.edges[i], i, 1);
        node->stateless &= graph.edges[i].from != number || graph.edges[i].to != number;
    }
    node->stateless |= node->on_device;
    if (node->on_device)
        draw_devices(node, dice);
    else
        draw_cores(node, dice);
    if (!node->is_kpn && !node->stateless && random_once(dice, 8))
        draw_period(node, dice);
    if (!node->is_kpn && !node->stateless && !has_inplace(number) && random_once(dice, 5))
        draw_phases(node, dice);
    fill_code(node, !node->is_kpn && random_once(dice, 2));
}

static void fill_process(struct random_dice *dice, int number)
{
    struct node *node = &nodes[number];
    node->repetitions = node->is_kpn ? 0 : (uint64_t)graph.nodes[number].firings;
    processes[number] = (struct dal_process_desc){
        .name = node->name,
        .base = node->name,
        .kind = node->on_device ? DAL_PROCESS_DEVICE
                : node->is_kpn  ? DAL_PROCESS_KPN
                                : DAL_PROCESS_C,
        .processors = node->cores,
        .processor_count = node->core_count,
        .code = node->on_device ? NULL : &node->code,
        .work_items = 1,
        .priority = random_below(dice, 3),
        .by_phase = node->by_phase,
        .shadow_copies =
            node->stateless ? 1 + (uint32_t)random_below(dice, node->on_device ? 9 : 3) : 1,
        .block = 1 + (uint64_t)random_below(dice, 8),
        .periodic = node->period.period_ns ? &node->period : NULL,
        .io = node->is_sink && !node->on_device,
        .ports = node->ports,
        .port_count = node->port_count,
        .index_count = 2,
        .parameters = &live,
        .parameter_count = !node->stateless,
        .repetitions = node->repetitions,
        .origin = {"random", number}};
}

static int next_reader(int number)
{
    for (int i = number + 1; i < graph.edge_count; i++)
        if (graph.edges[i].port == graph.edges[number].port)
            return i;
    return 0;
}

/* Does a process with dynamic rates use the port's ring? Then it may be too small, and grows,
 * unless a device uses it, too. */
static int is_dynamic(int port)
{
    int dynamic = 0;
    for (int i = 0; i < graph.edge_count; i++) {
        const struct node *from = &nodes[graph.edges[i].from], *to = &nodes[graph.edges[i].to];
        if (graph.edges[i].port != port)
            continue;
        if (from->on_device || to->on_device)
            return 0;
        dynamic |= from->is_kpn || to->is_kpn;
    }
    return dynamic;
}

static int least_size(int port)
{
    int least = 1;
    for (int i = 0; i < graph.edge_count; i++) {
        const struct random_edge *edge = &graph.edges[i];
        if (edge->port != port)
            continue;
        if (!nodes[edge->from].is_kpn && edge->rate_in > least)
            least = edge->rate_in;
        if (!nodes[edge->to].is_kpn && edge->rate_out > least)
            least = edge->rate_out;
        if (edge->initial > least)
            least = edge->initial;
    }
    return least;
}

static int rank_of(const struct node *node)
{
    return node->cores[0] % rank_count;
}

/* `way` is drawn for all channels of a port. */
static enum dal_channel_kind kind_of(const struct node *from, const struct node *to, int way)
{
    static const enum dal_channel_kind kinds[2][4] = {
        {DAL_CHANNEL_STAGED, DAL_CHANNEL_NAIVE, DAL_CHANNEL_UNIFIED, DAL_CHANNEL_MAPPED},
        {DAL_CHANNEL_STAGED, DAL_CHANNEL_NAIVE, DAL_CHANNEL_CONTEXT, DAL_CHANNEL_CONTEXT}};
    int same = from->core_count == to->core_count, count = from->on_device + to->on_device;
    for (int i = 0; i < from->core_count && same; i++)
        same = from->cores[i] == to->cores[i];
    if (rank_of(from) != rank_of(to))
        return DAL_CHANNEL_REMOTE;
    if (count == 0)
        return same && from->core_count == 1 && !from->is_kpn && !to->is_kpn ? DAL_CHANNEL_CORE
                                                                             : DAL_CHANNEL_CORES;
    return count == 2 && same ? DAL_CHANNEL_DEVICE : kinds[count - 1][way];
}

static void fill_channel(int number, uint64_t capacity, uint64_t message, int way)
{
    const struct random_edge *edge = &graph.edges[number];
    const struct node *from = &nodes[edge->from], *to = &nodes[edge->to];
    channels[number] =
        (struct dal_channel_desc){.name = port_names[number % PORTS],
                                  .kind = kind_of(from, to, way),
                                  .producer = edge->from,
                                  .consumer = edge->to,
                                  .capacity = capacity,
                                  .message = message,
                                  .token_bytes = (uint64_t)edge->bytes,
                                  .rate_in = from->is_kpn ? 1 : (uint64_t)edge->rate_in,
                                  .rate_out = to->is_kpn ? 1 : (uint64_t)edge->rate_out,
                                  .initial_tokens = (uint64_t)edge->initial,
                                  .inplace = inplace[number],
                                  .next_of_port = next_reader(number)};
}

static void fill_channels(struct random_dice *dice)
{
    int way;
    for (int i = 0; i < graph.edge_count; i++) {
        uint64_t capacity = (uint64_t)graph.edges[i].capacity;
        uint64_t message = (uint64_t)random_below(dice, 5);
        if (graph.edges[i].port != i)
            continue;
        way = random_below(dice, 4);
        if (is_dynamic(i))
            capacity = (uint64_t)(least_size(i) + random_below(dice, 4));
        for (int k = i; k < graph.edge_count; k++)
            if (graph.edges[k].port == i)
                fill_channel(k, capacity, message, way);
    }
}

/* Of the ring of a port, as channels/create_layout.c has it: where the first window of the
 * producer begins, before which there are `slots` tokens a lap. */
static uint64_t first_slot(int port, struct dal_shape *shape)
{
    struct dal_windows readers[EDGES], producer;
    uint64_t initial = 0;
    int count = 0;
    for (int i = port; i < graph.edge_count; i++) {
        const struct node *to = &nodes[channels[i].consumer];
        if (graph.edges[i].port != port)
            continue;
        readers[count++] =
            (struct dal_windows){channels[i].rate_out, channels[i].initial_tokens,
                                 to->on_device ? processes[to->index].shadow_copies : 0};
        if (channels[i].initial_tokens > initial)
            initial = channels[i].initial_tokens;
    }
    producer = (struct dal_windows){.rate = channels[port].rate_in};
    *shape = dal_shape_for(producer, readers, count, channels[port].capacity, 1 << 20);
    return shape->start + initial;
}

/* The last firing, or the one before it, begins with a ring, or in its tail. */
static void aim_end(struct random_dice *dice, struct node *node, int port)
{
    struct dal_shape shape;
    uint64_t first = first_slot(port, &shape), rate = channels[port].rate_in;
    uint64_t lap = 1 + (uint64_t)random_below(dice, 3),
             phases = node->phases ? (uint64_t)node->phases : 1;
    uint64_t end =
        (lap * shape.slots - first % shape.slots) / rate + 1 + (uint64_t)random_below(dice, 2);
    end = end * phases + (uint64_t)random_below(dice, (int)phases);
    if (end < FIRINGS)
        node->end = end;
}

static int is_interpreted(void)
{
    for (int i = 0; i < graph.node_count; i++)
        if (nodes[i].count == FIRINGS)
            return 0;
    return 1;
}

/* Unless somebody would then fire more often than there is room for. What is expected is known
 * behind it. */
static void aim_ends(struct random_dice *dice)
{
    uint64_t drawn_ends[NODES];
    for (int i = 0; i < graph.node_count; i++)
        drawn_ends[i] = nodes[i].end;
    for (int i = 0; i < graph.edge_count; i++) {
        struct node *node = &nodes[graph.edges[i].from];
        if (graph.edges[i].port == i && node->end && !inplace[i] && random_once(dice, 2))
            aim_end(dice, node, i);
    }
    interpret_all();
    if (is_interpreted())
        return;
    for (int i = 0; i < graph.node_count; i++)
        nodes[i].end = drawn_ends[i];
    interpret_all();
}

static void draw_once(struct random_dice *dice)
{
    do {
        random_graph_draw(&graph, dice);
    } while (graph.node_count > NODES || graph.edge_count > PORTS);
    random_graph_size(&graph, dice);
    draw_inplace(dice);
}

/* Between the ends of a channel, if they have iterations. */
static int draw_latency(struct random_dice *dice)
{
    const struct random_edge *edge = &graph.edges[random_below(dice, graph.edge_count)];
    latency = (struct dal_latency_desc){
        .from = edge->from, .to = edge->to, .max_ns = 1 << random_below(dice, 20)};
    return edge->from < edge->to && nodes[edge->from].repetitions && nodes[edge->to].repetitions &&
           !random_once(dice, 3);
}

void network_draw(uint64_t seed)
{
    struct random_dice dice;
    struct dal_hello hello;
    drawn = seed;
    random_seed(&dice, seed);
    draw_once(&dice);
    rank_count = random_once(&dice, 3) ? 2 + random_below(&dice, 2) : 1;
    core_count = random_once(&dice, 3) ? CORES / rank_count : 1 + random_below(&dice, 5);
    core_count *= rank_count;
    kpn_count = random_once(&dice, 2);
    draw_traits(&dice);
    for (int i = 0; i < core_count + device_count; i++)
        processors[i] = (struct dal_processor_desc){
            .name = port_names[i],
            .kind = i < core_count ? DAL_PROCESSOR_CORE : DAL_PROCESSOR_OPENCL,
            .core = -1,
            .node = i % rank_count,
            .identifier = i < core_count ? NULL : late_names[i - core_count]};
    for (int i = 0; i < graph.node_count; i++)
        draw_node(&dice, i);
    for (int i = 0; i < graph.node_count; i++)
        fill_process(&dice, i);
    fill_channels(&dice);
    aim_ends(&dice);
    net = (struct dal_net){.version = DAL_NET_VERSION,
                           .name = "random",
                           .processors = processors,
                           .processor_count = core_count + device_count,
                           .processes = processes,
                           .process_count = graph.node_count,
                           .channels = channels,
                           .channel_count = graph.edge_count,
                           .queue.depth = 1 + random_below(&dice, 5),
                           .queue.policy = random_once(&dice, 2) ? "fcfs" : "priority",
                           .latencies = &latency,
                           .latency_count = draw_latency(&dice)};
    if (rank_count == 1)
        return;
    net.nodes = rank_names;
    net.node_count = rank_count;
    net.transport = &fake;
    dal__hello_make(&hello); /* reads the program, which would take long under a schedule */
}

static void describe_node(const struct node *node)
{
    const struct dal_process_desc *desc = &processes[node->index];
    printf("  %s:%s%s%s %d of %d %s of %s, block %" PRIu64 ", copies %u, ends %" PRIu64
           ", firings %" PRIu64 ";",
           node->name,
           node->is_kpn     ? " kpn"
           : node->by_phase ? " by phase"
           : node->phases   ? " phases"
                            : "",
           node->code.run ? " unit" : "", desc->periodic ? " periodic" : "", node->core_count,
           node->on_device ? device_count : core_count, node->on_device ? "devices" : "cores",
           rank_names[rank_of(node)], desc->block, desc->shadow_copies, node->end, node->count);
    for (int i = 0; i < node->port_count; i++)
        printf(" %s%d*%" PRIu64, node->ports[i].output ? ">" : "<", node->edges[i],
               node->ports[i].rate);
    printf("\n");
}

void network_describe(void)
{
    printf("network %" PRIu64 ": %d processes, %d channels, %d cores, %d nodes, "
           "%d devices%s%s%s%s%s%s, depth %d, %s\n",
           drawn, graph.node_count, graph.edge_count, core_count, rank_count, device_count,
           traits.unified ? " unified" : "", traits.fine_svm ? " svm" : "",
           traits.one_context ? " one context" : "", traits.share_memory ? " shared" : "",
           traits.calls_back ? " call back" : "", traits.on_cores ? " of cores" : "",
           net.queue.depth, net.queue.policy);
    for (int i = 0; i < graph.node_count; i++)
        describe_node(&nodes[i]);
    for (int i = 0; i < graph.edge_count; i++)
        printf("  channel %d %s: %s to %s, %" PRIu64 " tokens of %" PRIu64 " bytes, %" PRIu64
               " initial\n",
               i, dal_channel_traits(channels[i].kind)->name, nodes[graph.edges[i].from].name,
               nodes[graph.edges[i].to].name, channels[i].capacity, channels[i].token_bytes,
               channels[i].initial_tokens);
}
