/*
 * random_network SEED FOLDER CORES DEVICES[+CUDA][@NODES][:THREADS]...
 *
 * Writes a network drawn by chance into a folder that exists: network-K.xml and map-K.xml for K
 * from 0 up to the number of DEVICES, and its processes. The same arguments give the same files.
 *
 * All networks are one but for taps (input/tap.c): every channel of network 0 has one, any
 * other network some, so that the rest of its channels may stay within a device. And in network 0
 * all rates are fixed; in another one some processes are KPN processes, with a source that reads
 * and writes as much as it did, but at ports with dynamic rates. Mapping 0 is everything as C on
 * core_0; mapping K uses the cores core_0.. and, for what has a kernel, devices up to the K-th
 * DEVICES argument, device_0.. of OpenCL and then cuda_0.. of CUDA. With NODES each process is on
 * one of so many alike nodes, whose processors are n0/core_0.. and so on. With THREADS those C
 * sources that share their loops have teams of so many, and workers leave cores for them.
 *
 * `channels` has a line for each stream that a run leaves in its working folder, producers first:
 *
 *     NAME TOKEN-BYTES LEAST-BYTES TAP-RATE
 *
 * LEAST-BYTES is what the sinks' firings need: so much is there after every run of the drawn
 * length. What comes behind may be cut short, as who writes it ends with the last of its readers.
 * Sinks' streams (TAP-RATE 0) are whole.
 *
 * `lengths` has a line for each process that ends with firing number -p NAME.firings=N, sources
 * first, which always do:
 *
 *     NAME FIRINGS-IN-AN-ITERATION PHASES ITERATIONS
 *
 * ITERATIONS is what was drawn, 0 where a process ends with its inputs.
 */
#include "test/determinism/random_plan.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 24 };

/* The graph with its taps. Nodes and edges of the plan's graph keep their numbers. */
struct variant {
    struct random_graph graph;
    char nodes[RANDOM_NODES][NAME], edges[RANDOM_EDGES][NAME];
    int taps[RANDOM_EDGES]; /* by edge of the plan: its tap's node, or 0 */
    int kpn[RANDOM_NODES];  /* by node of the plan: all of its ports are dynamic */
};

/* ---- drawing --------------------------------------------------------------------------------- */

static int most_initial(const struct random_graph *graph, int port)
{
    int most = 0;
    for (int i = port; i < graph->edge_count; i++)
        if (graph->edges[i].port == port && graph->edges[i].initial > most)
            most = graph->edges[i].initial;
    return most;
}

/* The initial tokens of the edge at a port that has most, one drawn or all; NULL where all are
 * zero. */
static unsigned char *draw_tokens(struct random_plan *plan, int port)
{
    int bytes = plan->graph.edges[port].bytes, tokens = most_initial(&plan->graph, port), i;
    int drawn = random_once(&plan->dice, 2) ? bytes : bytes * tokens;
    unsigned char *data;
    if (tokens == 0 || random_once(&plan->dice, 4))
        return NULL;
    data = malloc((size_t)(bytes * tokens));
    if (!data)
        random_fail("memory");
    for (i = 0; i < bytes * tokens; i++)
        data[i] = i < drawn ? (unsigned char)random_below(&plan->dice, 256) : data[i - bytes];
    return data;
}

/* The attribute with an edge's initial tokens, the last of its port's; once where all are one. */
static char *write_data(struct random_plan *plan, int number, const unsigned char *tokens)
{
    const struct random_edge *edge = &plan->graph.edges[number];
    int most = most_initial(&plan->graph, edge->port), bytes = edge->bytes * edge->initial, i;
    char *text = calloc(1, 600);
    if (!text)
        random_fail("memory");
    if (!tokens || bytes == 0)
        return text;
    tokens += (size_t)(edge->bytes * (most - edge->initial));
    if (memcmp(tokens, tokens + edge->bytes, (size_t)(bytes - edge->bytes)) == 0)
        bytes = edge->bytes;
    if (bytes <= 256) {
        strcpy(text, " value=\"");
        for (i = 0; i < bytes; i++)
            sprintf(text + strlen(text), "%02x", tokens[i]);
        strcat(text, "\"");
    } else {
        FILE *file = random_create(plan->folder, "c%d.bin", number);
        fwrite(tokens, 1, (size_t)(edge->bytes * edge->initial), file);
        random_finish(file);
        sprintf(text, " data=\"c%d.bin\"", number);
    }
    return text;
}

static void draw_data(struct random_plan *plan)
{
    const struct random_graph *graph = &plan->graph;
    for (int port = 0; port < graph->edge_count; port++) {
        unsigned char *tokens = graph->edges[port].port == port ? draw_tokens(plan, port) : NULL;
        for (int i = port; graph->edges[port].port == port && i < graph->edge_count; i++)
            if (graph->edges[i].port == port)
                plan->data[i] = write_data(plan, i, tokens);
        free(tokens);
    }
}

/* A simulated device is slow: there one work-item reads for all when there is much to read. */
static int reads_much(const struct random_graph *graph, int node)
{
    int bytes = 0;
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to == node)
            bytes += graph->edges[i].bytes * graph->edges[i].rate_out;
    return bytes > 200;
}

static int has_loop(const struct random_graph *graph, int node)
{
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].from == node && graph->edges[i].to == node)
            return 1;
    return 0;
}

/* A rate of a cycle over its phases: some have none. */
static void spread(struct random_dice *dice, int *rates, int phases, int tokens)
{
    memset(rates, 0, RANDOM_PHASES * sizeof(*rates));
    while (tokens-- > 0)
        rates[random_below(dice, phases)]++;
}

/* With dice of their own, so that networks are else what they were. */
static void draw_firing(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 2000003);
    for (int i = 0; i < plan->graph.node_count; i++)
        plan->traits[i].by_phase = random_once(&dice, 2) && plan->traits[i].phases > 1;
    /* Who is fired phase by phase, or ends by itself, ends with any number of tokens: all of them
     * go on. */
    for (int i = 0; i < plan->graph.edge_count; i++) {
        int from = plan->graph.edges[i].from;
        if (plan->traits[from].by_phase ||
            (plan->traits[from].phases > 1 && random_counts(plan, from)))
            plan->tap_rates[i] = 1;
    }
}

/* Likewise. */
static void draw_teams(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 3000003);
    for (int i = 0; i < plan->graph.node_count; i++)
        plan->traits[i].shares_loops = random_once(&dice, 2);
}

/* Likewise. */
static void draw_phases(struct random_plan *plan, uint64_t seed)
{
    const struct random_graph *graph = &plan->graph;
    struct random_dice dice;
    random_seed(&dice, seed + 1000003);
    for (int i = 0; i < graph->node_count; i++) {
        struct random_trait *traits = &plan->traits[i];
        traits->phases = random_once(&dice, 3) ? 2 + random_below(&dice, RANDOM_PHASES - 1) : 1;
    }
    draw_firing(plan, seed);
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        spread(&dice, plan->in_phases[i], plan->traits[edge->to].phases, edge->rate_out);
        if (edge->port == i)
            spread(&dice, plan->out_phases[i], plan->traits[edge->from].phases, edge->rate_in);
    }
}

/* Likewise. Behind initial tokens windows do not lie in the ring as they would from its beginning:
 * it has a tail, and what ends by itself may end there. */
static void draw_offsets(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 4000003);
    for (int i = 0; i < plan->graph.edge_count; i++) {
        struct random_edge *edge = &plan->graph.edges[i];
        if (random_counts(plan, edge->from) && edge->initial == 0 && edge->from < edge->to &&
            random_once(&dice, 2))
            edge->initial = 1 + random_below(&dice, 10);
    }
}

static void draw(struct random_plan *plan, uint64_t seed)
{
    struct random_graph *graph = &plan->graph;
    struct random_dice *dice = &plan->dice;
    random_graph_draw(graph, dice);
    plan->iterations = 30 + random_below(dice, 100);
    for (int i = 0; i < graph->node_count; i++) {
        const struct random_node *node = &graph->nodes[i];
        plan->traits[i] = (struct random_trait){
            .has_kernel = !node->source && !node->sink && !random_once(dice, 5),
            .stateless =
                !node->source && !node->sink && !has_loop(graph, i) && random_once(dice, 2),
            .local_memory = reads_much(graph, i) || random_once(dice, 2),
            .blocks = 1 + random_below(dice, 12),
            .ends_in_firing = random_once(dice, 2),
        };
        plan->traits[i].has_parameters = plan->traits[i].has_kernel && i % 3 == 1;
    }
    for (int i = 0; i < graph->edge_count; i++) {
        plan->inputs[i].copies = random_once(dice, 2);
        plan->outputs[i].copies = random_once(dice, 2);
        plan->tap_rates[i] = random_once(dice, 3) ? graph->edges[i].rate_in : 1;
    }
    draw_offsets(plan, seed);
    draw_data(plan);
}

/* ---- networks -------------------------------------------------------------------------------- */

static void name_nodes(struct variant *variant)
{
    for (int i = 0; i < variant->graph.node_count; i++)
        snprintf(variant->nodes[i], NAME, "P%d", i);
    for (int i = 0; i < variant->graph.edge_count; i++)
        snprintf(variant->edges[i], NAME, "c%d", i);
}

/* Initial tokens stand behind the tap, so that the rates of its stream need not divide them. */
static void add_tap(struct variant *variant, const struct random_plan *plan, int number)
{
    struct random_graph *graph = &variant->graph;
    int node = graph->node_count++, second = graph->edge_count++, rate = plan->tap_rates[number];
    struct random_edge *edge = &graph->edges[number];
    graph->nodes[node].firings = graph->nodes[edge->from].firings * edge->rate_in / rate;
    graph->edges[second] = *edge;
    graph->edges[second].from = edge->to = node;
    graph->edges[second].port = second;
    graph->edges[second].rate_in = edge->rate_out = rate;
    edge->initial = 0;
    variant->taps[number] = node;
    snprintf(variant->nodes[node], NAME, "Tap_%d", number);
    snprintf(variant->edges[second], NAME, "c%d_tapped", number);
}

/* A sink writes down what it has read: as a KPN process also a part of what a firing needs. */
static void choose_kpn(struct variant *variant, struct random_plan *plan)
{
    for (int i = 0; i < plan->graph.node_count; i++)
        variant->kpn[i] = !plan->graph.nodes[i].sink && random_once(&plan->dice, 4) &&
                          plan->traits[i].phases == 1;
}

/* A tap in 0 of `among`, 1, .. or `among` of as many channels. */
static void make_variant(struct variant *variant, struct random_plan *plan, int some, int among)
{
    *variant = (struct variant){.graph = plan->graph};
    name_nodes(variant);
    for (int i = 0; i < plan->graph.edge_count; i++)
        if (random_below(&plan->dice, among) < some)
            add_tap(variant, plan, i);
}

static int has_portable(const struct random_plan *plan, int node)
{
    return node < plan->graph.node_count && plan->traits[node].has_kernel &&
           !plan->traits[node].has_parameters;
}

/* Of a node in an iteration: calls of its fire. */
static int firings_of(const struct random_plan *plan, int node)
{
    return plan->graph.nodes[node].firings * plan->traits[node].phases;
}

static void write_port(FILE *file, const struct random_plan *plan, int node, int edge, int output,
                       int kpn)
{
    fprintf(file, "    <port type=\"%s\" name=\"%c%d\"", output ? "output" : "input",
            output ? 'o' : 'i', edge);
    if (output && !kpn && has_portable(plan, node) &&
        edge == random_first_output(&plan->graph, node))
        fprintf(file, " blocks=\"%d\"", plan->traits[node].blocks);
    fprintf(file, "/>\n");
}

static void write_ports(FILE *file, const struct random_plan *plan, int node, int kpn)
{
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < plan->graph.edge_count; i++)
            if (random_edge_at(&plan->graph, i, node, output))
                write_port(file, plan, node, i, output, kpn);
}

/* Half of what keeps nothing says so; of the others dalsynth has to find it. */
static int says_so(const struct random_plan *plan, int node)
{
    return plan->traits[node].stateless && (plan->iterations + node) % 2;
}

static void write_process(FILE *file, const struct random_plan *plan, int node, int kpn)
{
    fprintf(file, "  <process name=\"P%d\" type=\"local\"%s%s>\n", node,
            says_so(plan, node) && !kpn ? " stateless=\"true\"" : "",
            plan->traits[node].by_phase ? " firing=\"phase\"" : "");
    write_ports(file, plan, node, kpn);
    fprintf(file, "    <source id=\"0\" type=\"c\" location=\"p%d.c\" libs=\"-lm\"/>\n", node);
    if (plan->traits[node].has_kernel)
        fprintf(file, "    <source id=\"1\" type=\"opencl\" location=\"p%d.cl\"/>\n", node);
    if (random_counts(plan, node))
        fprintf(file, "    <parameter name=\"firings\" value=\"%d\"/>\n",
                plan->graph.nodes[node].source ? plan->iterations * firings_of(plan, node) : 0);
    if (plan->traits[node].has_parameters)
        fprintf(file,
                "    <parameter name=\"salt\" value=\"%d\"/>\n"
                "    <parameter name=\"tint\" value=\"-%d.1\"/>\n",
                31 * node - 100, node);
    if (has_portable(plan, node))
        fprintf(file,
                "    <source id=\"2\" type=\"portable\" location=\"p%d_portable.c\" "
                "libs=\"-lm\"/>\n",
                node);
    fprintf(file, "  </process>\n");
}

static void write_tap(FILE *file, int edge)
{
    fprintf(file,
            "  <process name=\"Tap\" type=\"local\">\n"
            "    <append function=\"%d\"/>\n"
            "    <port type=\"input\" name=\"in\"/>\n"
            "    <port type=\"output\" name=\"out\"/>\n"
            "    <source id=\"0\" type=\"c\" location=\"tap.c\"/>\n"
            "    <parameter name=\"file\" value=\"c%d\"/>\n"
            "    <parameter name=\"delay\" value=\"0\"/>\n"
            "    <parameter name=\"fault\" value=\"\"/>\n"
            "  </process>\n",
            edge, edge);
}

/* `edge` of the plan that a variant's edge is a part of. */
static int origin(const struct variant *variant, int edge)
{
    return atoi(variant->edges[edge] + 1);
}

static void write_end(FILE *file, const struct random_plan *plan, const struct variant *variant,
                      int edge, int output)
{
    const struct random_edge *e = &variant->graph.edges[edge];
    int node = output ? e->from : e->to;
    char port[NAME];
    if (node >= plan->graph.node_count)
        snprintf(port, NAME, "%s", output ? "out" : "in");
    else
        snprintf(port, NAME, "%c%d", output ? 'o' : 'i',
                 output ? plan->graph.edges[origin(variant, edge)].port : origin(variant, edge));
    fprintf(file, "  <connection name=\"%s_%s\">\n", variant->edges[edge], output ? "in" : "out");
    if (output)
        fprintf(file,
                "    <origin name=\"%s\"><port name=\"%s\"/></origin>\n"
                "    <target name=\"%s\"><port name=\"in\"/></target>\n",
                variant->nodes[node], port, variant->edges[edge]);
    else
        fprintf(file,
                "    <origin name=\"%s\"><port name=\"out\"/></origin>\n"
                "    <target name=\"%s\"><port name=\"%s\"/></target>\n",
                variant->edges[edge], variant->nodes[node], port);
    fprintf(file, "  </connection>\n");
}

static int is_kpn(const struct random_plan *plan, const struct variant *variant, int node)
{
    return node < plan->graph.node_count && variant->kpn[node];
}

static void write_rate(FILE *file, const char *attribute, int rate, int dynamic)
{
    if (dynamic)
        fprintf(file, " %s=\"dynamic\"", attribute);
    else
        fprintf(file, " %s=\"%d\"", attribute, rate);
}

/* Of a cyclo-static node; returns 0 of any other. */
static int write_phases(FILE *file, const struct random_plan *plan, const char *attribute, int node,
                        const int *rates)
{
    int i, phases = node < plan->graph.node_count ? plan->traits[node].phases : 1;
    if (phases == 1)
        return 0;
    fprintf(file, " %s=\"", attribute);
    for (i = 0; i < phases; i++)
        fprintf(file, "%s%d", i ? "," : "", rates[i]);
    fprintf(file, "\"");
    return 1;
}

static void write_channel(FILE *file, const struct random_plan *plan, const struct variant *variant,
                          int edge)
{
    const struct random_edge *e = &variant->graph.edges[edge];
    int number = origin(variant, edge), port = plan->graph.edges[number].port;
    fprintf(file, "  <sw_channel type=\"fifo\" name=\"%s\" tokensize=\"%d\"", variant->edges[edge],
            e->bytes);
    if (!write_phases(file, plan, "tokenratein", e->from, plan->out_phases[port]))
        write_rate(file, "tokenratein", e->rate_in, is_kpn(plan, variant, e->from));
    if (!write_phases(file, plan, "tokenrateout", e->to, plan->in_phases[number]))
        write_rate(file, "tokenrateout", e->rate_out, is_kpn(plan, variant, e->to));
    if (e->initial)
        fprintf(file, " initialtokens=\"%d\"%s", e->initial, plan->data[origin(variant, edge)]);
    fprintf(file, ">\n    <port type=\"input\" name=\"in\"/>\n"
                  "    <port type=\"output\" name=\"out\"/>\n  </sw_channel>\n");
    write_end(file, plan, variant, edge, 1);
    write_end(file, plan, variant, edge, 0);
}

static void write_network(const struct random_plan *plan, const struct variant *variant, int number)
{
    FILE *file = random_create(plan->folder, "network-%d.xml", number);
    fprintf(file, "<processnetwork name=\"network\">\n");
    for (int i = 0; i < plan->graph.node_count; i++)
        write_process(file, plan, i, variant->kpn[i]);
    for (int i = 0; i < plan->graph.edge_count; i++)
        if (variant->taps[i])
            write_tap(file, i);
    for (int i = 0; i < variant->graph.edge_count; i++)
        write_channel(file, plan, variant, i);
    fprintf(file, "</processnetwork>\n");
    random_finish(file);
}

/* ---- mappings -------------------------------------------------------------------------------- */

/* What a mapping may use. */
struct machine {
    int devices, cuda, nodes; /* of each node; 0 without nodes */
    int threads;              /* of a team; 0: there are none */
};

/* Where a process is. */
struct place {
    int on_device, node;
    char prefix[NAME]; /* of its processors' names */
};

static void draw_node(struct place *place, struct random_dice *dice, int nodes)
{
    *place = (struct place){0};
    if (nodes == 0)
        return;
    place->node = random_below(dice, nodes);
    snprintf(place->prefix, NAME, "n%d/", place->node);
}

/* Half of the processes that several devices take in turn make as much of a block of firings as
 * their neighbours: `firings` is how often one fires in an iteration. */
static void write_device_binding(FILE *file, struct random_dice *dice, const char *name,
                                 const char *prefix, const struct machine *machine, int is_portable,
                                 int firings)
{
    static const char *const items[] = {"1", "2", "3", "8", "4x4", "64", "16x1", "2x3x4"};
    int device = random_below(dice, machine->devices + machine->cuda);
    int is_cuda = device >= machine->devices;
    int alike = is_cuda ? machine->cuda : machine->devices;
    const char *kind = is_cuda ? "cuda" : "device";
    const char *many = items[random_below(dice, 8)];
    int copies = random_once(dice, 3) ? 1 : 1 + random_below(dice, 16);
    char processor[NAME];
    snprintf(processor, NAME, "%s_%d", kind, is_cuda ? device - machine->devices : device);
    if (alike > 1 && random_once(dice, 2)) {
        snprintf(processor, NAME, "%s_*", kind);
        copies = random_once(dice, 2) ? firings : copies;
    }
    fprintf(file,
            "  <binding name=\"b%s\"><process name=\"%s\" sourceid=\"%d\"/>"
            "<processor name=\"%s%s\"/><target",
            name, name, random_once(dice, 3) && is_portable ? 2 : 1, prefix, processor);
    if (random_once(dice, 4)) /* left to dalsynth */
        fprintf(file, "%s", random_once(dice, 2) ? "" : " shadowcopies=\"auto\"");
    else
        fprintf(file, " shadowcopies=\"%d\"", copies);
    if (random_once(dice, 4))
        fprintf(file, " workitems=\"auto\"");
    else
        fprintf(file, " workitems=\"%s\"", many);
    fprintf(file, "%s/></binding>\n", random_once(dice, 2) ? " group=\"yes\"" : "");
}

/* Cores from the middle on are for the threads of `team`; 0: this process has none, -1: nobody. */
static void write_core_binding(FILE *file, struct random_plan *plan, const char *name,
                               const char *prefix, int source, int stateless, int team)
{
    char core[NAME] = "core_*", target[64] = "";
    int number = 0;
    if (!random_once(&plan->dice, stateless ? 2 : 4))
        snprintf(core, NAME, "core_%d", number = random_below(&plan->dice, plan->cores));
    else if (stateless)
        snprintf(target, sizeof(target), "<target shadowcopies=\"%d\"/>",
                 number = 1 + random_below(&plan->dice, plan->cores));
    if (team >= 0)
        snprintf(core, NAME, "core_%d", number % ((plan->cores + 1) / 2));
    if (team >= 0)
        snprintf(target, sizeof(target), team ? "<target threads=\"%d\"/>" : "", team);
    fprintf(file,
            "  <binding name=\"b%s\"><process name=\"%s\" sourceid=\"%d\"/>"
            "<processor name=\"%s%s\"/>%s</binding>\n",
            name, name, source, prefix, core, target);
}

/* For write_core_binding(). */
static int find_team(const struct random_plan *plan, const struct machine *machine, int node,
                     int source)
{
    if (machine->threads == 0)
        return -1;
    return node < plan->graph.node_count && source == 0 && plan->traits[node].shares_loops
               ? machine->threads
               : 0;
}

/* Notes where they are. */
static void write_bindings(FILE *file, struct random_plan *plan, const struct variant *variant,
                           const struct machine *machine, struct place *places)
{
    int source;
    for (int i = 0; i < variant->graph.node_count; i++) {
        int has_kernel = i < plan->graph.node_count && plan->traits[i].has_kernel;
        int kpn = is_kpn(plan, variant, i);
        int by_phase = i < plan->graph.node_count && plan->traits[i].by_phase;
        draw_node(&places[i], &plan->dice, machine->nodes);
        places[i].on_device = has_kernel && !kpn && !by_phase &&
                              machine->devices + machine->cuda > 0 && !random_once(&plan->dice, 5);
        if (places[i].on_device) {
            write_device_binding(file, &plan->dice, variant->nodes[i], places[i].prefix, machine,
                                 has_portable(plan, i), variant->graph.nodes[i].firings);
            continue;
        }
        source = has_portable(plan, i) && !kpn && random_once(&plan->dice, 2) ? 2 : 0;
        write_core_binding(file, plan, variant->nodes[i], places[i].prefix, source,
                           i < plan->graph.node_count && plan->traits[i].stateless && !kpn &&
                               !by_phase,
                           find_team(plan, machine, i, source));
    }
}

/* Every third mapping leaves all sizes to dalsynth: only then a process is fired often in a row. */
static void write_sizes(FILE *file, struct random_plan *plan, const struct variant *variant,
                        const struct place *places, int number)
{
    static const char *const kinds[] = {"", "", " kind=\"staged\"", " kind=\"naive\""};
    for (int i = 0; i < variant->graph.edge_count; i++) {
        const struct random_edge *edge = &variant->graph.edges[i];
        int kind = random_below(&plan->dice, 4);
        int open = random_once(&plan->dice, 3) || number % 3 == 1; /* left to dalsynth */
        const struct place *from = &places[edge->from], *to = &places[edge->to];
        if ((!from->on_device && !to->on_device) || from->node != to->node)
            kind = 0;
        if (open && !*kinds[kind])
            continue;
        fprintf(file, "  <channel name=\"%s\"", variant->edges[i]);
        if (!open)
            fprintf(file, " size=\"%d\"", edge->capacity);
        fprintf(file, "%s/>\n", kinds[kind]);
    }
}

static void write_mapping(struct random_plan *plan, struct variant *variant, int number,
                          const struct machine *machine)
{
    struct place places[RANDOM_NODES];
    FILE *file = random_create(plan->folder, "map-%d.xml", number);
    fprintf(file, "<mapping name=\"map-%d\" processnetwork=\"network\">\n", number);
    random_graph_size(&variant->graph, &plan->dice);
    write_bindings(file, plan, variant, machine, places);
    write_sizes(file, plan, variant, places, number);
    if (random_once(&plan->dice, 2))
        fprintf(file, "  <queue depth=\"%d\" policy=\"%s\"/>\n", 1 + random_below(&plan->dice, 8),
                random_once(&plan->dice, 2) ? "fcfs" : "priority");
    fprintf(file, "</mapping>\n");
    random_finish(file);
}

static void write_reference(struct random_plan *plan, struct variant *variant)
{
    FILE *file = random_create(plan->folder, "map-0.xml");
    make_variant(variant, plan, 1, 1);
    write_network(plan, variant, 0);
    fprintf(file, "<mapping name=\"map-0\" processnetwork=\"network\">\n"
                  "  <binding name=\"all\"><process name=\"*\" sourceid=\"0\"/>"
                  "<processor name=\"core_0\"/></binding>\n</mapping>\n");
    random_finish(file);
}

/* ---- the list of streams --------------------------------------------------------------------- */

/* By node, the firings that it takes for all firings of the sinks. */
static void find_needed(const struct random_plan *plan, int *needed)
{
    const struct random_graph *graph = &plan->graph;
    int changed = 1;
    for (int i = 0; i < graph->node_count; i++)
        needed[i] = graph->nodes[i].sink ? graph->nodes[i].firings * plan->iterations : 0;
    while (changed) {
        changed = 0;
        for (int i = 0; i < graph->edge_count; i++) {
            const struct random_edge *edge = &graph->edges[i];
            int tokens = needed[edge->to] * edge->rate_out - edge->initial;
            int firings = tokens > 0 ? (tokens + edge->rate_in - 1) / edge->rate_in : 0;
            if (firings > needed[edge->from]) {
                needed[edge->from] = firings;
                changed = 1;
            }
        }
    }
}

static void write_channel_stream(FILE *file, const struct random_plan *plan, int number,
                                 const int *needed)
{
    const struct random_edge *edge = &plan->graph.edges[number];
    int tokens = needed[edge->to] * edge->rate_out - edge->initial;
    fprintf(file, "c%d %d %d %d\n", number, edge->bytes, tokens > 0 ? tokens * edge->bytes : 0,
            plan->tap_rates[number]);
}

static void write_sink_stream(FILE *file, const struct random_plan *plan, int node,
                              const int *needed)
{
    const struct random_graph *graph = &plan->graph;
    int bytes = 0;
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to == node)
            bytes += graph->edges[i].bytes * graph->edges[i].rate_out;
    fprintf(file, "P%d %d %d 0\n", node, bytes, bytes * needed[node]);
}

static void write_streams(const struct random_plan *plan)
{
    const struct random_graph *graph = &plan->graph;
    FILE *file = random_create(plan->folder, "channels");
    int needed[RANDOM_NODES], node, i;
    find_needed(plan, needed);
    for (node = 0; node < graph->node_count; node++)
        for (i = 0; i < graph->edge_count; i++)
            if (graph->edges[i].from == node)
                write_channel_stream(file, plan, i, needed);
    for (node = 0; node < graph->node_count; node++)
        if (graph->nodes[node].sink)
            write_sink_stream(file, plan, node, needed);
    random_finish(file);
}

static void write_lengths(const struct random_plan *plan)
{
    FILE *file = random_create(plan->folder, "lengths");
    for (int source = 1; source >= 0; source--)
        for (int i = 0; i < plan->graph.node_count; i++)
            if (random_counts(plan, i) && plan->graph.nodes[i].source == source)
                fprintf(file, "P%d %d %d %d\n", i, firings_of(plan, i), plan->traits[i].phases,
                        source * plan->iterations);
    random_finish(file);
}

/* DEVICES[+CUDA][@NODES][:THREADS] */
static struct machine read_machine(const char *text)
{
    const char *cuda = strchr(text, '+'), *nodes = strchr(text, '@'), *threads = strchr(text, ':');
    return (struct machine){.devices = atoi(text),
                            .cuda = cuda ? atoi(cuda + 1) : 0,
                            .nodes = nodes ? atoi(nodes + 1) : 0,
                            .threads = threads ? atoi(threads + 1) : 0};
}

int main(int argc, char **argv)
{
    struct random_plan *plan = calloc(1, sizeof(*plan));
    struct variant *variant = calloc(1, sizeof(*variant));
    struct machine machine;
    if (argc < 4 || !plan || !variant) {
        fprintf(stderr, "usage: random_network SEED FOLDER CORES "
                        "DEVICES[+CUDA][@NODES][:THREADS]...\n");
        return 2;
    }
    random_seed(&plan->dice, strtoull(argv[1], NULL, 10));
    plan->folder = argv[2];
    plan->cores = atoi(argv[3]);
    draw(plan, strtoull(argv[1], NULL, 10));
    draw_phases(plan, strtoull(argv[1], NULL, 10));
    draw_teams(plan, strtoull(argv[1], NULL, 10));
    random_write_sources(plan);
    write_reference(plan, variant);
    for (int i = 1; i + 3 < argc; i++) {
        make_variant(variant, plan, random_below(&plan->dice, 3), 2);
        choose_kpn(variant, plan);
        write_network(plan, variant, i);
        machine = read_machine(argv[3 + i]);
        write_mapping(plan, variant, i, &machine);
    }
    write_streams(plan);
    write_lengths(plan);
    for (int i = 0; i < plan->graph.edge_count; i++)
        free(plan->data[i]);
    free(variant);
    free(plan);
    return 0;
}
