#include "spec/sdf/graph.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

int dal_sdf_is_loop(const struct dal_sdf_channel *channel)
{
    return channel->producer == channel->consumer;
}

int dal_sdf_is_counted(const struct dal_sdf_graph *graph, size_t channel)
{
    size_t i = channel;
    if (graph->channels[channel].first_of_port != channel)
        return 0;
    while (i != DAL_SDF_NONE && dal_sdf_is_loop(&graph->channels[i]))
        i = graph->channels[i].next_of_port;
    return i != DAL_SDF_NONE;
}

uint64_t dal_sdf_port_least(const struct dal_sdf_graph *graph, size_t first)
{
    uint64_t least = 0;
    for (size_t i = first; i != DAL_SDF_NONE; i = graph->channels[i].next_of_port)
        least = graph->channels[i].least > least ? graph->channels[i].least : least;
    return least;
}

uint64_t dal_sdf_port_step(const struct dal_sdf_graph *graph, size_t first)
{
    uint64_t step = 0, least = dal_sdf_port_least(graph, first);
    for (size_t i = first; i != DAL_SDF_NONE; i = graph->channels[i].next_of_port)
        step = dal_gcd(dal_gcd(step, graph->channels[i].step), least - graph->channels[i].least);
    return step;
}

void dal_sdf_share(const struct dal_sdf_graph *graph, uint64_t *capacity)
{
    for (size_t i = 0; i < graph->channel_count; i++)
        capacity[i] = capacity[graph->channels[i].first_of_port];
}

size_t dal_sdf_other_end(const struct dal_sdf_graph *graph, const struct dal_sdf_end *end)
{
    const struct dal_sdf_channel *channel = &graph->channels[end->channel];
    return end->output ? channel->consumer : channel->producer;
}

uint64_t dal_sdf_least_capacity(uint64_t rate_in, uint64_t rate_out, uint64_t tokens, int is_loop)
{
    uint64_t common = dal_gcd(rate_in, rate_out);
    uint64_t least = rate_in + rate_out - common + tokens % common;
    if (is_loop && tokens + rate_in > least)
        least = tokens + rate_in;
    return least > tokens ? least : tokens;
}

/* Most pairs of phases that are looked at. */
#define MAX_PAIRS ((uint64_t)1 << 16)

/* Returns the rates of a port as phases; a constant rate is one phase. */
static struct dal_sdf_phases phases_of(const struct dal_sdf_phases *phases, const uint64_t *rate)
{
    return phases->count ? *phases : (struct dal_sdf_phases){.of = rate, .count = 1};
}

static uint64_t common_rate(uint64_t common, const struct dal_sdf_phases *phases)
{
    for (size_t i = 0; i < phases->count; i++)
        common = dal_gcd(common, phases->of[i]);
    return common;
}

uint64_t dal_sdf_capacity_step(const struct dal_sdf_channel *channel)
{
    struct dal_sdf_phases in = phases_of(&channel->phases_in, &channel->rate_in);
    struct dal_sdf_phases out = phases_of(&channel->phases_out, &channel->rate_out);
    return common_rate(common_rate(0, &in), &out);
}

/* Returns the first phase with the largest rate. */
static size_t largest_phase(const struct dal_sdf_phases *phases)
{
    size_t most = 0;
    for (size_t i = 1; i < phases->count; i++)
        most = phases->of[i] > phases->of[most] ? i : most;
    return most;
}

/* Sums the first `count` phases. */
static uint64_t sum_phases(const struct dal_sdf_phases *phases, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += phases->of[i];
    return sum;
}

/* A channel alone; `common` is the divisor of the sums of both sequences. */
struct pairing {
    struct dal_sdf_phases in, out;
    uint64_t common, tokens, least;
};

/* The consumer waits at a phase that reads `rate` tokens, after `read` tokens of its cycle. The
 * producer must write `writes` tokens, after `written`. Fewer than `rate` tokens are there then;
 * finds the most that can be. */
static void pair_phases(struct pairing *p, uint64_t written, uint64_t writes, uint64_t read,
                        uint64_t rate)
{
    uint64_t rest, most;
    if (writes == 0 || rate == 0)
        return;
    rest = (p->tokens + written + p->common - read % p->common) % p->common;
    if (rest >= rate)
        return;
    most = rest + (rate - 1 - rest) / p->common * p->common;
    p->least = most + writes > p->least ? most + writes : p->least;
}

static void pair_with_all(struct pairing *p, uint64_t written, uint64_t writes)
{
    uint64_t read = 0;
    for (size_t k = 0; k < p->out.count; k++) {
        pair_phases(p, written, writes, read, p->out.of[k]);
        read += p->out.of[k];
    }
}

/* Each pair gives a bound, and all pairs the exact number. If there are too many, takes those with
 * the largest rate on either side. */
static void pair_all(struct pairing *p)
{
    int all = (uint64_t)p->in.count * p->out.count <= MAX_PAIRS;
    size_t most_in = largest_phase(&p->in), most_out = largest_phase(&p->out);
    uint64_t written = 0, read = sum_phases(&p->out, most_out);
    for (size_t i = 0; i < p->in.count; i++) {
        if (all || i == most_in)
            pair_with_all(p, written, p->in.of[i]);
        else
            pair_phases(p, written, p->in.of[i], read, p->out.of[most_out]);
        written += p->in.of[i];
    }
}

/* Returns the bound of a process's channel to itself: the most tokens before a firing, with those
 * that it writes. */
static uint64_t least_of_loop(const struct pairing *p)
{
    uint64_t tokens = p->tokens, least = 0;
    size_t count = p->in.count / dal_gcd(p->in.count, p->out.count) * p->out.count;
    for (size_t i = 0; i < count; i++) {
        uint64_t writes = p->in.of[i % p->in.count], reads = p->out.of[i % p->out.count];
        least = tokens + writes > least ? tokens + writes : least;
        if (tokens + writes < reads)
            break;
        tokens += writes - reads;
    }
    return least;
}

uint64_t dal_sdf_least_with_phases(const struct dal_sdf_channel *channel)
{
    struct pairing p = {.in = phases_of(&channel->phases_in, &channel->rate_in),
                        .out = phases_of(&channel->phases_out, &channel->rate_out),
                        .tokens = channel->initial_tokens,
                        .least = channel->initial_tokens};
    uint64_t loop;
    p.common = dal_gcd(sum_phases(&p.in, p.in.count), sum_phases(&p.out, p.out.count));
    if (!dal_sdf_is_loop(channel)) {
        pair_all(&p);
        return p.least;
    }
    loop = least_of_loop(&p);
    return loop > p.least ? loop : p.least;
}

int dal_sdf_graph_init(struct dal_sdf_graph *graph, size_t processes, size_t channels)
{
    *graph = (struct dal_sdf_graph){
        .processes = dal_calloc(processes + 1, sizeof(*graph->processes)),
        .channels = dal_calloc(channels + 1, sizeof(*graph->channels)),
        .ends = dal_calloc(2 * channels + 1, sizeof(*graph->ends)),
    };
    if (graph->processes && graph->channels && graph->ends)
        return DAL_OK;
    dal_sdf_graph_finish(graph);
    return DAL_ERR_NOMEM;
}

void dal_sdf_graph_finish(struct dal_sdf_graph *graph)
{
    dal_free_all(graph->processes, graph->channels, graph->ends, graph->times);
    *graph = (struct dal_sdf_graph){0};
}

static void add_end(struct dal_sdf_graph *graph, size_t process, size_t channel, int output)
{
    const struct dal_sdf_channel *c = &graph->channels[channel];
    struct dal_sdf_process *p = &graph->processes[process];
    graph->ends[p->first + p->count++] =
        (struct dal_sdf_end){.channel = channel,
                             .rate = output ? c->rate_in : c->rate_out,
                             .phases = output ? c->phases_in : c->phases_out,
                             .output = output};
}

void dal_sdf_graph_ends(struct dal_sdf_graph *graph)
{
    size_t first = 0;
    for (size_t i = 0; i < graph->process_count; i++)
        graph->processes[i].count = 0;
    for (size_t i = 0; i < graph->channel_count; i++) {
        graph->processes[graph->channels[i].producer].count++;
        graph->processes[graph->channels[i].consumer].count++;
    }
    for (size_t i = 0; i < graph->process_count; i++) {
        graph->processes[i].first = first;
        first += graph->processes[i].count;
        graph->processes[i].count = 0;
    }
    for (size_t i = 0; i < graph->channel_count; i++) {
        add_end(graph, graph->channels[i].producer, i, 1);
        add_end(graph, graph->channels[i].consumer, i, 0);
    }
}

/* Strongly connected components without recursion (Tarjan 1972) */

/* Arrays are by node unless said otherwise, all in one block. */
struct walk {
    size_t *next; /* the target to look at */
    size_t *low, *index;
    size_t *stack, *path;
    size_t *first;  /* into targets; one more at the end */
    size_t *target; /* sorted by source */
    size_t stacked, depth, seen, components;
    size_t *component;
};

static int walk_init(struct walk *walk, size_t nodes, size_t edges, size_t *component)
{
    size_t *block = dal_calloc(6 * nodes + edges + 2, sizeof(*block));
    *walk = (struct walk){.next = block, .component = component};
    if (!block)
        return DAL_ERR_NOMEM;
    walk->low = block + nodes;
    walk->index = walk->low + nodes;
    walk->stack = walk->index + nodes;
    walk->path = walk->stack + nodes;
    walk->first = walk->path + nodes;
    walk->target = walk->first + nodes + 1;
    return DAL_OK;
}

static void sort_edges(struct walk *walk, size_t nodes, const struct dal__edge *edges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        walk->first[edges[i].from + 1]++;
    for (size_t i = 0; i < nodes; i++) {
        walk->first[i + 1] += walk->first[i];
        walk->next[i] = walk->first[i];
    }
    for (size_t i = 0; i < count; i++)
        walk->target[walk->next[edges[i].from]++] = edges[i].to;
    for (size_t i = 0; i < nodes; i++) {
        walk->next[i] = walk->first[i];
        walk->index[i] = DAL_SDF_NONE;
        walk->component[i] = DAL_SDF_NONE;
    }
}

static void enter_node(struct walk *walk, size_t node)
{
    walk->index[node] = walk->low[node] = walk->seen++;
    walk->stack[walk->stacked++] = node;
    walk->path[walk->depth++] = node;
}

/* Makes a component of all that is on the stack from `node` on. */
static void close_component(struct walk *walk, size_t node)
{
    size_t member;
    do {
        member = walk->stack[--walk->stacked];
        walk->component[member] = walk->components;
    } while (member != node);
    walk->components++;
}

static void leave_node(struct walk *walk, size_t node)
{
    size_t above;
    if (walk->low[node] == walk->index[node])
        close_component(walk, node);
    if (--walk->depth == 0)
        return;
    above = walk->path[walk->depth - 1];
    if (walk->low[node] < walk->low[above])
        walk->low[above] = walk->low[node];
}

static void visit_from(struct walk *walk, size_t root)
{
    enter_node(walk, root);
    while (walk->depth > 0) {
        size_t node = walk->path[walk->depth - 1], to;
        if (walk->next[node] == walk->first[node + 1]) {
            leave_node(walk, node);
            continue;
        }
        to = walk->target[walk->next[node]++];
        if (walk->index[to] == DAL_SDF_NONE)
            enter_node(walk, to);
        else if (walk->component[to] == DAL_SDF_NONE && walk->index[to] < walk->low[node])
            walk->low[node] = walk->index[to];
    }
}

int dal__strong(size_t nodes, const struct dal__edge *edges, size_t edge_count, size_t *component,
                size_t *count)
{
    struct walk walk;
    if (walk_init(&walk, nodes, edge_count, component))
        return DAL_ERR_NOMEM;
    sort_edges(&walk, nodes, edges, edge_count);
    for (size_t i = 0; i < nodes; i++)
        if (walk.index[i] == DAL_SDF_NONE)
            visit_from(&walk, i);
    *count = walk.components;
    dal_free(walk.next);
    return DAL_OK;
}

/* Splitting */

struct split {
    const struct dal_sdf_graph *graph;
    size_t *component; /* by process */
    size_t *dense;     /* by process: its place in its part */
    size_t count;
};

static int find_components(struct split *split, const uint64_t *capacity)
{
    const struct dal_sdf_graph *graph = split->graph;
    struct dal__edge *edges = dal_calloc(2 * graph->channel_count + 1, sizeof(*edges));
    size_t count = 0;
    int status = DAL_ERR_NOMEM;
    if (!edges)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < graph->channel_count; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[i];
        edges[count++] = (struct dal__edge){.from = channel->producer, .to = channel->consumer};
        if (capacity[channel->number] != DAL_SDF_UNLIMITED)
            edges[count++] = (struct dal__edge){.from = channel->consumer, .to = channel->producer};
    }
    status = dal__strong(graph->process_count, edges, count, split->component, &split->count);
    dal_free(edges);
    return status;
}

/* Returns whether a channel is in part `which`. */
static int is_inside(const struct split *split, const struct dal_sdf_channel *channel, size_t which)
{
    return split->component[channel->producer] == which &&
           split->component[channel->consumer] == which;
}

/* Allocates all parts (or the one) with room for what they will have. */
static int allocate_parts(const struct split *split, struct dal_sdf_parts *parts, size_t chosen)
{
    const struct dal_sdf_graph *graph = split->graph;
    size_t *processes = dal_calloc(split->count + 1, sizeof(*processes));
    size_t *channels = dal_calloc(split->count + 1, sizeof(*channels));
    int status = processes && channels ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < graph->process_count && !status; i++)
        processes[split->component[i]]++;
    for (size_t i = 0; i < graph->channel_count && !status; i++) {
        size_t which = split->component[graph->channels[i].producer];
        channels[which] += (size_t)is_inside(split, &graph->channels[i], which);
    }
    for (size_t i = 0; i < split->count && !status; i++)
        if (chosen == DAL_SDF_NONE)
            status = dal_sdf_graph_init(&parts->list[i], processes[i], channels[i]);
        else if (chosen == i)
            status = dal_sdf_graph_init(&parts->list[0], processes[i], channels[i]);
    dal_free_all(processes, channels);
    return status;
}

static void fill_parts(struct split *split, struct dal_sdf_parts *parts, size_t chosen)
{
    const struct dal_sdf_graph *graph = split->graph;
    for (size_t i = 0; i < graph->process_count; i++) {
        size_t which = split->component[i];
        struct dal_sdf_graph *part = &parts->list[chosen == DAL_SDF_NONE ? which : 0];
        if (chosen != DAL_SDF_NONE && chosen != which)
            continue;
        split->dense[i] = part->process_count;
        part->processes[part->process_count++] = graph->processes[i];
    }
    for (size_t i = 0; i < graph->channel_count; i++) {
        size_t which = split->component[graph->channels[i].producer];
        struct dal_sdf_graph *part = &parts->list[chosen == DAL_SDF_NONE ? which : 0];
        struct dal_sdf_channel *channel;
        if ((chosen != DAL_SDF_NONE && chosen != which) ||
            !is_inside(split, &graph->channels[i], which))
            continue;
        channel = &part->channels[part->channel_count++];
        *channel = graph->channels[i];
        channel->producer = split->dense[channel->producer];
        channel->consumer = split->dense[channel->consumer];
    }
    for (size_t i = 0; i < parts->count; i++)
        dal_sdf_graph_ends(&parts->list[i]);
}

int dal_sdf_parts_init(struct dal_sdf_parts *parts, const struct dal_sdf_graph *graph,
                       const uint64_t *capacity, size_t only)
{
    struct split split = {
        .graph = graph,
        .component = dal_calloc(graph->process_count + 1, sizeof(*split.component)),
        .dense = dal_calloc(graph->process_count + 1, sizeof(*split.dense)),
    };
    int status = split.component && split.dense ? DAL_OK : DAL_ERR_NOMEM;
    *parts = (struct dal_sdf_parts){0};
    if (!status)
        status = find_components(&split, capacity);
    if (!status) {
        size_t chosen = only == DAL_SDF_NONE ? DAL_SDF_NONE : split.component[only];
        parts->count = only == DAL_SDF_NONE ? split.count : 1;
        parts->list = dal_calloc(parts->count + 1, sizeof(*parts->list));
        status = parts->list ? allocate_parts(&split, parts, chosen) : DAL_ERR_NOMEM;
        if (!status)
            fill_parts(&split, parts, chosen);
    }
    if (status)
        dal_sdf_parts_finish(parts);
    dal_free_all(split.component, split.dense);
    return status;
}

void dal_sdf_parts_finish(struct dal_sdf_parts *parts)
{
    for (size_t i = 0; parts->list && i < parts->count; i++)
        dal_sdf_graph_finish(&parts->list[i]);
    dal_free(parts->list);
    *parts = (struct dal_sdf_parts){0};
}
