/* Mappings of a variant. */
#include "test/determinism/random_open.h"
#include "test/determinism/random_words.h"

#include <string.h>

/* Where a process is. */
struct place {
    int on_device, node;
    int has_words;            /* in one group, perhaps */
    char prefix[RANDOM_NAME]; /* of its processors' names */
};

static void draw_node(struct place *place, struct random_dice *dice, int nodes)
{
    *place = (struct place){0};
    if (nodes == 0)
        return;
    place->node = random_below(dice, nodes);
    snprintf(place->prefix, RANDOM_NAME, "n%d/", place->node);
}

static void write_words_binding(FILE *file, const char *name, int source,
                                const struct random_words_place *words)
{
    fprintf(file,
            "  <binding name=\"b%s\"><process name=\"%s\" sourceid=\"%d\"/>"
            "<processor name=\"%s%s\"/>"
            "<target shadowcopies=\"%d\" workitems=\"%d\" group=\"yes\"/></binding>\n",
            name, name, source, words->prefix, words->processor, words->copies, words->items);
}

/* Half of the processes that several devices take in turn make as much of a block of firings as
 * their neighbours: `firings` is how often one fires in an iteration. */
static void write_device_binding(FILE *file, struct random_plan *plan, const char *name,
                                 const char *prefix, const struct random_machine *machine, int node,
                                 int firings)
{
    struct random_dice *dice = &plan->dice;
    static const char *const items[] = {"1", "2", "3", "8", "4x4", "64", "16x1", "2x3x4"};
    int device = random_below(dice, machine->devices + machine->cuda);
    int is_cuda = device >= machine->devices;
    int alike = is_cuda ? machine->cuda : machine->devices;
    const char *kind = is_cuda ? "cuda" : "device";
    char few[RANDOM_NAME];
    const char *many = random_words_items(plan, node, items[random_below(dice, 8)], few);
    int copies = random_once(dice, 3) ? 1 : 1 + random_below(dice, 16);
    char processor[RANDOM_NAME];
    snprintf(processor, RANDOM_NAME, "%s_%d", kind, is_cuda ? device - machine->devices : device);
    if (alike > 1 && random_once(dice, 2)) {
        snprintf(processor, RANDOM_NAME, "%s_*", kind);
        copies = random_once(dice, 2) ? firings : copies;
    }
    fprintf(file,
            "  <binding name=\"b%s\"><process name=\"%s\" sourceid=\"%d\"/>"
            "<processor name=\"%s%s\"/><target",
            name, name, random_once(dice, 3) && random_has_portable(plan, node) ? 2 : 1, prefix,
            processor);
    if (random_once(dice, 4)) /* left to dalsynth */
        fprintf(file, "%s", random_once(dice, 2) ? "" : " shadowcopies=\"auto\"");
    else
        fprintf(file, " shadowcopies=\"%d\"", copies);
    if (random_once(dice, 4) && many != few)
        fprintf(file, " workitems=\"auto\"");
    else
        fprintf(file, " workitems=\"%s\"", many);
    fprintf(file, "%s/></binding>\n", random_once(dice, 2) ? " group=\"yes\"" : "");
}

/* Cores from the middle on are for the threads of `team`; 0: this process has none, -1: nobody. */
static void write_core_binding(FILE *file, struct random_plan *plan, const char *name,
                               const char *prefix, int source, int stateless, int team)
{
    char core[RANDOM_NAME] = "core_*", target[64] = "";
    int number = 0;
    if (!random_once(&plan->dice, stateless ? 2 : 4))
        snprintf(core, RANDOM_NAME, "core_%d", number = random_below(&plan->dice, plan->cores));
    else if (stateless)
        snprintf(target, sizeof(target), "<target shadowcopies=\"%d\"/>",
                 number = 1 + random_below(&plan->dice, plan->cores));
    if (team >= 0)
        snprintf(core, RANDOM_NAME, "core_%d", number % ((plan->cores + 1) / 2));
    if (team >= 0)
        snprintf(target, sizeof(target), team ? "<target threads=\"%d\"/>" : "", team);
    fprintf(file,
            "  <binding name=\"b%s\"><process name=\"%s\" sourceid=\"%d\"/>"
            "<processor name=\"%s%s\"/>%s</binding>\n",
            name, name, source, prefix, core, target);
}

/* For write_core_binding(). */
static int find_team(const struct random_plan *plan, const struct random_machine *machine, int node,
                     int source)
{
    if (machine->threads == 0)
        return -1;
    return node < plan->graph.node_count && source == 0 && plan->traits[node].shares_loops
               ? machine->threads
               : 0;
}

/* Notes where they are. */
static void write_bindings(FILE *file, struct random_plan *plan,
                           const struct random_variant *variant,
                           const struct random_machine *machine, struct place *places,
                           const struct random_words_place *words)
{
    int source;
    for (int i = 0; i < variant->graph.node_count; i++) {
        int has_kernel = i < plan->graph.node_count && plan->traits[i].has_kernel;
        int kpn = random_is_kpn(plan, variant, i);
        int by_phase = i < plan->graph.node_count && plan->traits[i].by_phase;
        draw_node(&places[i], &plan->dice, machine->nodes);
        if (random_is_open(plan, variant, i))
            continue;
        if (words->is_one && random_has_words(plan, i) && !kpn) {
            places[i] = (struct place){.on_device = 1, .node = words->node, .has_words = 1};
            source = random_has_portable(plan, i) && random_once(&plan->dice, 2) ? 2 : 1;
            write_words_binding(file, variant->flat_nodes[i], source, words);
            continue;
        }
        places[i].on_device = has_kernel && !kpn && !by_phase &&
                              machine->devices + machine->cuda > 0 && !random_once(&plan->dice, 5);
        if (places[i].on_device) {
            write_device_binding(file, plan, variant->flat_nodes[i], places[i].prefix, machine, i,
                                 variant->graph.nodes[i].firings);
            continue;
        }
        source = random_has_portable(plan, i) && !kpn && random_once(&plan->dice, 2) ? 2 : 0;
        write_core_binding(file, plan, variant->flat_nodes[i], places[i].prefix, source,
                           i < plan->graph.node_count && plan->traits[i].stateless && !kpn &&
                               !by_phase,
                           find_team(plan, machine, i, source));
    }
}

/* Every third mapping leaves all sizes to dalsynth: only then a process is fired often in a row. */
static void write_sizes(FILE *file, struct random_plan *plan, const struct random_variant *variant,
                        const struct place *places, int number)
{
    static const char *const kinds[] = {"", "", " kind=\"staged\"", " kind=\"naive\""};
    for (int i = 0; i < variant->graph.edge_count; i++) {
        const struct random_edge *edge = &variant->graph.edges[i];
        int kind = random_below(&plan->dice, 4);
        int open = random_once(&plan->dice, 3) || number % 3 == 1; /* left to dalsynth */
        const struct place *from = &places[edge->from], *to = &places[edge->to];
        if ((!from->on_device && !to->on_device) || from->node != to->node ||
            (from->has_words && to->has_words))
            kind = 0;
        if (open && !*kinds[kind])
            continue;
        fprintf(file, "  <channel name=\"%s\"", variant->flat_edges[i]);
        if (!open)
            fprintf(file, " size=\"%d\"", edge->capacity);
        fprintf(file, "%s/>\n", kinds[kind]);
    }
}

void random_write_mapping(struct random_plan *plan, struct random_variant *variant, int number,
                          const struct random_machine *machine)
{
    struct place places[RANDOM_NODES];
    struct random_words_place words;
    FILE *file = random_create(plan->folder, "map-%d.xml", number);
    fprintf(file, "<mapping name=\"map-%d\" processnetwork=\"network\">\n", number);
    random_graph_size(&variant->graph, &plan->dice);
    random_words_place(&words, plan, machine, number);
    write_bindings(file, plan, variant, machine, places, &words);
    random_open_bind(file, plan, variant);
    write_sizes(file, plan, variant, places, number);
    if (random_once(&plan->dice, 2))
        fprintf(file, "  <queue depth=\"%d\" policy=\"%s\"/>\n", 1 + random_below(&plan->dice, 8),
                random_once(&plan->dice, 2) ? "fcfs" : "priority");
    fprintf(file, "</mapping>\n");
    random_finish(file);
}
