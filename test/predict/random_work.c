/*
 * random_work SEED FOLDER CORES MAPPINGS TENTHS [DEVICE]
 *
 * Writes a network drawn by chance into a folder that exists, whose C processes compute for a drawn
 * time: network.xml, pN.c, map-0.xml with all on core_0, map-1.xml .. map-MAPPINGS.xml, and
 * `iterations`, how many one run has; it takes some tenths of a second on one core. With a device,
 * processes that keep nothing are portable: map-device.xml has them all there, and of the drawn
 * mappings some. The same arguments give the same files.
 */
#include "test/determinism/random_graph.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LEAST_ROUNDS = 500, /* of arithmetic; some 0.5 us */
    OCTAVES = 8,
    ROUND_NS = 1, /* about */
    LARGE = 64,   /* times as many bytes has every fourth channel */
};

struct work {
    struct random_graph graph;
    struct random_dice dice;
    long rounds[RANDOM_NODES];
    int stateless[RANDOM_NODES];
    long iterations;
    int cores;
    const char *folder, *device; /* the latter may be NULL */
};

/* Times are spread evenly over octaves, as those of real processes are. */
static void draw(struct work *work, double tenths)
{
    struct random_graph *graph = &work->graph;
    double rounds = 0;
    random_graph_draw(graph, &work->dice);
    for (int i = 0; i < graph->node_count; i++) {
        long least = (long)LEAST_ROUNDS << random_below(&work->dice, OCTAVES);
        work->rounds[i] = least + random_below(&work->dice, (int)least);
        work->stateless[i] = !graph->nodes[i].source && random_once(&work->dice, 2);
        rounds += (double)graph->nodes[i].firings * (double)work->rounds[i];
    }
    for (int i = 0; i < graph->edge_count; i++)
        graph->edges[i].bytes *= graph->edges[i].port % 4 == 0 ? LARGE : 1;
    work->iterations = (long)(1e8 * tenths / (ROUND_NS * rounds));
    work->iterations += 4;
}

static int is_portable(const struct work *work, int node)
{
    return work->device && work->stateless[node] && !work->graph.nodes[node].sink;
}

/* ---- the network ----------------------------------------------------------------------------- */

static void write_process(FILE *file, const struct work *work, int node)
{
    const struct random_graph *graph = &work->graph;
    fprintf(file, "  <process name=\"P%d\"%s>\n", node,
            work->stateless[node] ? " stateless=\"true\"" : "");
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].to == node)
            fprintf(file, "    <port type=\"input\" name=\"i%d\"/>\n", i);
        if (random_edge_at(graph, i, node, 1))
            fprintf(file, "    <port type=\"output\" name=\"o%d\"/>\n", i);
    }
    fprintf(file, "    <source type=\"%s\" location=\"p%d.c\"/>\n  </process>\n",
            is_portable(work, node) ? "portable" : "c", node);
}

static void write_channel(FILE *file, const struct random_graph *graph, int number)
{
    const struct random_edge *edge = &graph->edges[number];
    fprintf(file,
            "  <sw_channel type=\"fifo\" name=\"c%d\" tokensize=\"%d\" tokenratein=\"%d\""
            " tokenrateout=\"%d\" initialtokens=\"%d\">\n"
            "    <port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>\n"
            "  </sw_channel>\n",
            number, edge->bytes, edge->rate_in, edge->rate_out, edge->initial);
    fprintf(file,
            "  <connection name=\"in%d\"><origin name=\"P%d\"><port name=\"o%d\"/></origin>\n"
            "    <target name=\"c%d\"><port name=\"in\"/></target></connection>\n"
            "  <connection name=\"out%d\"><origin name=\"c%d\"><port name=\"out\"/></origin>\n"
            "    <target name=\"P%d\"><port name=\"i%d\"/></target></connection>\n",
            number, edge->from, edge->port, number, number, number, edge->to, number);
}

static void write_network(const struct work *work)
{
    FILE *file = random_create(work->folder, "network.xml");
    fprintf(file, "<processnetwork name=\"network\">\n");
    for (int i = 0; i < work->graph.node_count; i++)
        write_process(file, work, i);
    for (int i = 0; i < work->graph.edge_count; i++)
        write_channel(file, &work->graph, i);
    fprintf(file, "</processnetwork>\n");
    random_finish(file);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* The text for each channel into the process, or out of it, with the channel's number for each @.
 */
static void write_each(FILE *file, const struct work *work, int node, int is_output,
                       const char *text)
{
    const struct random_graph *graph = &work->graph;
    for (int i = 0; i < graph->edge_count; i++) {
        const char *c = text;
        if (!random_edge_at(graph, i, node, is_output))
            continue;
        for (; *c; c++)
            if (*c == '@')
                fprintf(file, "%d", i);
            else
                putc(*c, file);
    }
}

/* Reads a byte of each input, computes, fills each output with what it found. */
static void write_source(const struct work *work, int node)
{
    const struct random_graph *graph = &work->graph;
    FILE *file = random_create(work->folder, "p%d.c", node);
    fprintf(file, "#include \"dal.h\"\n#include <string.h>\n\n");
    if (graph->nodes[node].source)
        fprintf(file, "struct _local_states {\n    long fired;\n};\n\n");
    fprintf(file,
            "int P%d_fire(DALProcess *p)\n{\n"
            "    unsigned long long number = %d;\n    long i;\n",
            node, node + 1);
    write_each(file, work, node, 0,
               "    unsigned char *i@ =\n"
               "        DAL_read_begin(PORT_i@, TOKEN_i@_SIZE, TOKEN_i@_RATE, p);\n");
    write_each(file, work, node, 0, "    number += *i@;\n    DAL_read_end(PORT_i@, i@, p);\n");
    fprintf(file,
            "    for (i = 0; i < %ld; i++)\n"
            "        number = number * 6364136223846793005ull + 1442695040888963407ull;\n",
            work->rounds[node]);
    write_each(file, work, node, 1,
               "    {\n        unsigned char *o = DAL_write_begin(PORT_o@, TOKEN_o@_SIZE, "
               "TOKEN_o@_RATE, TOKEN_o@_RATE, 0, p);\n"
               "        memset(o, (int)(number >> 56), TOKEN_o@_SIZE * TOKEN_o@_RATE);\n"
               "        DAL_write_end(PORT_o@, o, p);\n    }\n");
    if (graph->nodes[node].source)
        fprintf(file, "    return ++p->local->fired == %ld;\n}\n",
                work->iterations * graph->nodes[node].firings);
    else
        fprintf(file, "    return number == 0;\n}\n");
    random_finish(file);
}

/* The same for a core or a device. */
static void write_portable(const struct work *work, int node)
{
    FILE *file = random_create(work->folder, "p%d.c", node);
    fprintf(file,
            "#include \"dal.h\"\n#include <stdint.h>\n\nint P%d_fire(DALProcess *p)\n{\n"
            "    uint64_t number = %d;\n    int i;\n",
            node, node + 1);
    write_each(file, work, node, 0,
               "    DAL_WINDOW const uint8_t *i@ =\n"
               "        DAL_read_begin(PORT_i@, TOKEN_i@_SIZE, TOKEN_i@_RATE, p);\n");
    write_each(file, work, node, 1,
               "    DAL_WINDOW uint8_t *o@ = DAL_write_begin(PORT_o@, TOKEN_o@_SIZE, "
               "TOKEN_o@_RATE, TOKEN_o@_RATE, 0, p);\n");
    write_each(file, work, node, 0, "    number += i@[0];\n");
    fprintf(file,
            "    for (i = 0; i < %ld; i++)\n"
            "        number = number * 6364136223846793005ul + 1442695040888963407ul;\n",
            work->rounds[node]);
    write_each(file, work, node, 1,
               "    DAL_foreach (k : PORT_o@)\n"
               "        for (int b = 0; b < TOKEN_o@_SIZE; b++)\n"
               "            o@[k * TOKEN_o@_SIZE + b] = (uint8_t)(number >> 56);\n");
    write_each(file, work, node, 0, "    DAL_read_end(PORT_i@, i@, p);\n");
    write_each(file, work, node, 1, "    DAL_write_end(PORT_o@, o@, p);\n");
    fprintf(file, "    return 0;\n}\n");
    random_finish(file);
}

/* ---- mappings -------------------------------------------------------------------------------- */

static void write_device(FILE *file, const struct work *work, int node)
{
    fprintf(file,
            "  <binding name=\"b%d\"><process name=\"P%d\"/><processor name=\"%s\"/></binding>\n",
            node, node, work->device);
}

static void write_binding(FILE *file, struct work *work, int node)
{
    char core[24] = "core_*";
    if (is_portable(work, node) && random_once(&work->dice, 2)) {
        write_device(file, work, node);
        return;
    }
    if (!random_once(&work->dice, work->stateless[node] ? 2 : 6))
        snprintf(core, sizeof(core), "core_%d", random_below(&work->dice, work->cores));
    fprintf(file,
            "  <binding name=\"b%d\"><process name=\"P%d\"/><processor name=\"%s\"/></binding>\n",
            node, node, core);
}

static void write_mapping(struct work *work, int number)
{
    FILE *file = random_create(work->folder, "map-%d.xml", number);
    fprintf(file, "<mapping name=\"map-%d\" processnetwork=\"network\">\n", number);
    for (int i = 0; number > 0 && i < work->graph.node_count; i++)
        write_binding(file, work, i);
    if (number == 0)
        fprintf(file, "  <binding name=\"all\"><process name=\"*\"/><processor name=\"core_0\"/>"
                      "</binding>\n");
    fprintf(file, "</mapping>\n");
    random_finish(file);
}

static void write_all_on_device(const struct work *work)
{
    FILE *file = random_create(work->folder, "map-device.xml");
    fprintf(file, "<mapping name=\"map-device\" processnetwork=\"network\">\n");
    for (int i = 0; i < work->graph.node_count; i++)
        if (is_portable(work, i))
            write_device(file, work, i);
        else
            fprintf(file,
                    "  <binding name=\"b%d\"><process name=\"P%d\"/>"
                    "<processor name=\"core_0\"/></binding>\n",
                    i, i);
    fprintf(file, "</mapping>\n");
    random_finish(file);
}

int main(int argc, char **argv)
{
    struct work *work = calloc(1, sizeof(*work));
    FILE *file;
    int mappings;
    if (argc < 6 || argc > 7 || !work || atoi(argv[3]) < 1) {
        fprintf(stderr, "usage: random_work SEED FOLDER CORES MAPPINGS TENTHS [DEVICE]\n");
        return 2;
    }
    random_seed(&work->dice, strtoull(argv[1], NULL, 10));
    work->folder = argv[2];
    work->device = argv[6];
    work->cores = atoi(argv[3]);
    mappings = atoi(argv[4]);
    draw(work, atof(argv[5]));
    write_network(work);
    for (int i = 0; i < work->graph.node_count; i++)
        (is_portable(work, i) ? write_portable : write_source)(work, i);
    if (work->device)
        write_all_on_device(work);
    for (int i = 0; i <= mappings; i++)
        write_mapping(work, i);
    file = random_create(work->folder, "iterations");
    fprintf(file, "%ld\n", work->iterations);
    random_finish(file);
    free(work);
    return 0;
}
