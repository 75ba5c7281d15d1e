/* The files of a variant: the network, and the networks within it. */
#include "test/determinism/random_open.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is written: the network or a part of it, and what stands in it for an edge. */
struct sheet {
    FILE *file;
    const struct random_plan *plan;
    struct random_variant *variant;
    int number, part; /* of the network, and in it */
};

/* ---- names of channels ----------------------------------------------------------------------- */

/* Of one of the channels that an edge becomes. */
static struct random_piece piece_of(const struct sheet *sheet, int edge)
{
    return random_parts_piece(&sheet->variant->parts, &sheet->variant->graph, edge, sheet->part);
}

static int lead_alike(const struct random_piece *a, const struct random_piece *b)
{
    return b->is_there && a->to_part == b->to_part && a->port == b->port;
}

/* An edge's outermost channel is named after the first of those that it stands for. */
static int first_alike(const struct sheet *sheet, int edge, const struct random_piece *piece)
{
    int port = sheet->variant->graph.edges[edge].port;
    for (int i = port; i < edge; i++) {
        struct random_piece other = piece_of(sheet, i);
        if (sheet->variant->graph.edges[i].port == port && lead_alike(piece, &other))
            return i;
    }
    return edge;
}

/* Names the channel that remains of an edge, as spec/read/join.h says. */
static void name_edge(const struct sheet *sheet, int edge)
{
    struct random_variant *variant = sheet->variant;
    struct sheet up = *sheet;
    struct random_piece piece = piece_of(&up, edge);
    int first = edge;
    while (!piece.is_outermost) {
        up.part = variant->parts.around[up.part];
        piece = piece_of(&up, edge);
    }
    if (piece.to_part != RANDOM_NO_PART) {
        unsigned char *named = &variant->is_named[up.part][piece.port][piece.to_part];
        if (*named)
            up.part = sheet->part;
        else
            first = first_alike(&up, edge, &piece);
        *named = 1;
    }
    random_name_flat(&variant->parts, up.part, variant->edges[first], variant->flat_edges[edge]);
}

/* Is this channel there already, for another edge? Notes that it is. */
static int stands_there(const struct sheet *sheet, const struct random_piece *piece)
{
    unsigned char *written;
    if (piece->to_part == RANDOM_NO_PART)
        return 0;
    written = &sheet->variant->is_written[sheet->part][piece->port][piece->to_part];
    return (*written)++;
}

/* ---- processes ------------------------------------------------------------------------------- */

static void write_port(FILE *file, const struct random_plan *plan, int node, int edge, int output,
                       int kpn)
{
    fprintf(file, "    <port type=\"%s\" name=\"%c%d\"", output ? "output" : "input",
            output ? 'o' : 'i', edge);
    if (output && !kpn && random_has_portable(plan, node) &&
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

static int salt_of(int node)
{
    return 31 * node - 100;
}

static void write_sources(const struct sheet *sheet, int node)
{
    const char *up = sheet->part ? "../" : "";
    fprintf(sheet->file, "    <source id=\"0\" type=\"c\" location=\"%sp%d.c\" libs=\"-lm\"/>\n",
            up, node);
    if (sheet->plan->traits[node].has_kernel)
        fprintf(sheet->file, "    <source id=\"1\" type=\"opencl\" location=\"%sp%d.cl\"/>\n", up,
                node);
    if (random_has_portable(sheet->plan, node))
        fprintf(sheet->file,
                "    <source id=\"2\" type=\"portable\" location=\"%sp%d_portable.c\" "
                "libs=\"-lm\"/>\n",
                up, node);
}

static void write_constant(FILE *file, int node)
{
    fprintf(file, "    <constant name=\"table\" value=\"uint32_t:");
    for (unsigned i = 0; i < RANDOM_TABLE; i++)
        fprintf(file, " %u", ((unsigned)node * RANDOM_TABLE + i) * 2654435761u);
    fprintf(file, "\"/>\n");
}

/* In a part, the salt is another one until its use says it (write_part). */
static void write_process(const struct sheet *sheet, int node, int kpn)
{
    const struct random_plan *plan = sheet->plan;
    FILE *file = sheet->file;
    fprintf(file, "  <process name=\"P%d\" type=\"local\"%s%s>\n", node,
            says_so(plan, node) && !kpn ? " stateless=\"true\"" : "",
            plan->traits[node].by_phase ? " firing=\"phase\"" : "");
    write_ports(file, plan, node, kpn);
    write_sources(sheet, node);
    if (random_counts(plan, node))
        fprintf(file, "    <parameter name=\"firings\" value=\"%d\"/>\n",
                plan->graph.nodes[node].source ? plan->iterations * random_firings(plan, node) : 0);
    if (plan->traits[node].has_parameters)
        fprintf(file,
                "    <parameter name=\"salt\" value=\"%d\"/>\n"
                "    <parameter name=\"tint\" value=\"-%d.1\"/>\n",
                sheet->part ? 12345 : salt_of(node), node);
    if (plan->traits[node].has_constant)
        write_constant(file, node);
    fprintf(file, "  </process>\n");
}

/* Keeps a stream as a tap does, and passes nothing on. */
static void write_keeper(const struct sheet *sheet, int edge)
{
    fprintf(sheet->file,
            "  <process name=\"Whole\" type=\"local\">\n"
            "    <append function=\"%d\"/>\n"
            "    <port type=\"input\" name=\"in\"/>\n"
            "    <source id=\"0\" type=\"c\" location=\"whole.c\"/>\n"
            "    <parameter name=\"file\" value=\"whole-%d\"/>\n"
            "  </process>\n",
            edge, edge);
}

static void write_tap(const struct sheet *sheet, int edge)
{
    fprintf(sheet->file,
            "  <process name=\"Tap\" type=\"local\">\n"
            "    <append function=\"%d\"/>\n"
            "    <port type=\"input\" name=\"in\"/>\n"
            "    <port type=\"output\" name=\"out\"/>\n"
            "    <source id=\"0\" type=\"c\" location=\"%stap.c\"/>\n"
            "    <parameter name=\"file\" value=\"c%d\"/>\n"
            "    <parameter name=\"delay\" value=\"0\"/>\n"
            "    <parameter name=\"fault\" value=\"\"/>\n"
            "  </process>\n",
            edge, sheet->part ? "../" : "", edge);
}

/* ---- channels -------------------------------------------------------------------------------- */

static void name_port(const struct sheet *sheet, int node, int edge, int output,
                      char port[RANDOM_NAME])
{
    const struct random_plan *plan = sheet->plan;
    int number = random_origin(sheet->variant, edge);
    if (node >= plan->graph.node_count)
        snprintf(port, RANDOM_NAME, "%s", output ? "out" : "in");
    else
        snprintf(port, RANDOM_NAME, "%c%d", output ? 'o' : 'i',
                 output ? plan->graph.edges[number].port : number);
}

/* What a channel leads from (output) or to: a process, a part, or the network itself. */
static void write_end(const struct sheet *sheet, const struct random_piece *piece, int edge,
                      int output)
{
    const struct random_variant *variant = sheet->variant;
    const struct random_edge *e = &variant->graph.edges[edge];
    int part = output ? piece->from_part : piece->to_part, node = output ? e->from : e->to;
    const char *kind = output ? "origin" : "target";
    char name[RANDOM_NAME] = ".", port[RANDOM_NAME];
    if (part == RANDOM_NO_PART) {
        if (random_is_open(sheet->plan, variant, node)) {
            random_open_name(sheet->plan, random_origin(variant, edge), output, port);
        } else {
            snprintf(name, RANDOM_NAME, "%s", variant->nodes[node]);
            name_port(sheet, node, edge, output, port);
        }
    } else {
        snprintf(port, RANDOM_NAME, "%s_%d", output == (part == sheet->part) ? "in" : "out",
                 piece->port);
        if (part != sheet->part) {
            *name = '\0';
            random_name_part(&variant->parts, part, sheet->part, name);
        }
    }
    fprintf(sheet->file, "    <%s name=\"%s\"><port name=\"%s\"/></%s>\n", kind, name, port, kind);
}

static void write_connection(const struct sheet *sheet, const struct random_piece *piece, int edge,
                             int output)
{
    const char *name = sheet->variant->edges[edge];
    fprintf(sheet->file, "  <connection name=\"%s_%s\">\n", name, output ? "in" : "out");
    if (output)
        write_end(sheet, piece, edge, 1);
    fprintf(sheet->file, "    <%s name=\"%s\"><port name=\"%s\"/></%s>\n",
            output ? "target" : "origin", name, output ? "in" : "out",
            output ? "target" : "origin");
    if (!output)
        write_end(sheet, piece, edge, 0);
    fprintf(sheet->file, "  </connection>\n");
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

/* The rates of the ends that are processes. */
static void write_rates(const struct sheet *sheet, const struct random_piece *piece, int edge)
{
    const struct random_plan *plan = sheet->plan;
    const struct random_variant *variant = sheet->variant;
    const struct random_edge *e = &variant->graph.edges[edge];
    int number = random_origin(variant, edge), port = plan->graph.edges[number].port;
    if (piece->from_part == RANDOM_NO_PART && !random_is_open(plan, variant, e->from) &&
        !write_phases(sheet->file, plan, "tokenratein", e->from, plan->out_phases[port]))
        write_rate(sheet->file, "tokenratein", e->rate_in, random_is_kpn(plan, variant, e->from));
    if (piece->to_part == RANDOM_NO_PART && !random_is_open(plan, variant, e->to) &&
        !write_phases(sheet->file, plan, "tokenrateout", e->to, plan->in_phases[number]))
        write_rate(sheet->file, "tokenrateout", e->rate_out, random_is_kpn(plan, variant, e->to));
}

static int says_size(const struct sheet *sheet, const struct random_piece *piece, int edge)
{
    const struct random_parts *parts = &sheet->variant->parts;
    switch (parts->sized_at[sheet->variant->graph.edges[edge].port]) {
    case RANDOM_SIZED_FIRST:
        return piece->from_part == RANDOM_NO_PART;
    case RANDOM_SIZED_LAST:
        return piece->to_part == RANDOM_NO_PART;
    default:
        return 1;
    }
}

/* Only a channel that is one edge's alone has its initial tokens. */
static int says_initial(const struct sheet *sheet, const struct random_piece *piece, int edge)
{
    const struct random_parts *parts = &sheet->variant->parts;
    int port = sheet->variant->graph.edges[edge].port;
    return parts->starts_last[edge] || parts->is_shared[port] ? piece->to_part == RANDOM_NO_PART
                                                              : piece->is_outermost;
}

static void write_initial(const struct sheet *sheet, int edge)
{
    const char *data = sheet->plan->data[random_origin(sheet->variant, edge)];
    const char *file = strstr(data, "data=\"");
    fprintf(sheet->file, " initialtokens=\"%d\"", sheet->variant->graph.edges[edge].initial);
    if (file && sheet->part)
        fprintf(sheet->file, " data=\"../%s", file + strlen("data=\""));
    else
        fprintf(sheet->file, "%s", data);
}

static void write_channel(const struct sheet *sheet, int edge)
{
    const struct random_edge *e = &sheet->variant->graph.edges[edge];
    struct random_piece piece = piece_of(sheet, edge);
    if (!piece.is_there || stands_there(sheet, &piece))
        return;
    if (piece.to_part == RANDOM_NO_PART)
        name_edge(sheet, edge);
    fprintf(sheet->file, "  <sw_channel type=\"fifo\" name=\"%s\"", sheet->variant->edges[edge]);
    if (says_size(sheet, &piece, edge))
        fprintf(sheet->file, " tokensize=\"%d\"", e->bytes);
    write_rates(sheet, &piece, edge);
    if (e->initial && says_initial(sheet, &piece, edge))
        write_initial(sheet, edge);
    fprintf(sheet->file, ">\n    <port type=\"input\" name=\"in\"/>\n"
                         "    <port type=\"output\" name=\"out\"/>\n  </sw_channel>\n");
    write_connection(sheet, &piece, edge, 1);
    write_connection(sheet, &piece, edge, 0);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A part's own ports, each once. */
static void write_own_ports(const struct sheet *sheet)
{
    unsigned char there[2][RANDOM_EDGES] = {{0}};
    for (int i = 0; i < sheet->variant->graph.edge_count; i++) {
        const struct random_edge *edge = &sheet->variant->graph.edges[i];
        struct random_piece piece = piece_of(sheet, i);
        int output = piece.to_part == sheet->part;
        if (!piece.is_there || (!output && piece.from_part != sheet->part) ||
            there[output][piece.port]++)
            continue;
        fprintf(sheet->file, "  <port type=\"%s\" name=\"%s_%d\"", output ? "output" : "input",
                output ? "out" : "in", piece.port);
        if (sheet->variant->parts.sized_at[edge->port] == RANDOM_SIZED_ALL)
            fprintf(sheet->file, " tokensize=\"%d\"", edge->bytes);
        fprintf(sheet->file, "/>\n");
    }
}

/* The element of a part. Who stands in no other part knows the parameters of all in it. */
static void write_part(const struct sheet *sheet, int part)
{
    const struct random_variant *variant = sheet->variant;
    char name[RANDOM_NAME] = "";
    random_name_part(&variant->parts, part, sheet->part, name);
    fprintf(sheet->file, "  <network name=\"%s\" source=\"", name);
    if (!sheet->part)
        fprintf(sheet->file, "parts-%d/", sheet->number);
    fprintf(sheet->file, "part-%d.xml\">\n", part);
    for (int i = 0; i < sheet->plan->graph.node_count && !sheet->part; i++) {
        int within = variant->parts.within[i];
        char of[RANDOM_NAME] = "";
        if (!sheet->plan->traits[i].has_parameters ||
            !random_parts_holds(&variant->parts, part, within))
            continue;
        random_name_part(&variant->parts, within, part, of);
        fprintf(sheet->file, "    <parameter name=\"%s%s%s.salt\" value=\"%d\"/>\n", of,
                *of ? "." : "", variant->nodes[i], salt_of(i));
    }
    fprintf(sheet->file, "  </network>\n");
}

static void write_sheet(const struct sheet *sheet);

/* The parts within it. The order of their elements and files is that in which they are read. */
static void write_parts(const struct sheet *sheet)
{
    for (int i = 1; i < sheet->variant->parts.count; i++) {
        struct sheet inside = *sheet;
        if (sheet->variant->parts.around[i] != sheet->part)
            continue;
        write_part(sheet, i);
        inside.part = i;
        inside.file = random_create(sheet->plan->folder, "parts-%d/part-%d.xml", sheet->number, i);
        write_sheet(&inside);
    }
}

/* Closes the file. */
static void write_sheet(const struct sheet *sheet)
{
    const struct random_plan *plan = sheet->plan;
    const struct random_variant *variant = sheet->variant;
    fprintf(sheet->file, "<processnetwork name=\"network\">\n");
    if (sheet->part)
        write_own_ports(sheet);
    else
        random_open_write(sheet->file, plan, variant);
    if (sheet->number % 2)
        write_parts(sheet);
    for (int i = 0; i < plan->graph.node_count; i++)
        if (variant->parts.within[i] == sheet->part && !variant->is_open[i])
            write_process(sheet, i, variant->kpn[i]);
    for (int i = 0; i < plan->graph.edge_count; i++)
        if (variant->taps[i] && variant->parts.within[variant->taps[i]] == sheet->part)
            write_tap(sheet, i);
    for (int i = 0; i < plan->graph.edge_count; i++)
        if (variant->whole[i])
            write_keeper(sheet, i);
    for (int i = 0; i < variant->graph.edge_count; i++)
        write_channel(sheet, i);
    if (sheet->number % 2 == 0)
        write_parts(sheet);
    fprintf(sheet->file, "</processnetwork>\n");
    random_finish(sheet->file);
}

void random_write_network(const struct random_plan *plan, struct random_variant *variant,
                          int number)
{
    struct sheet sheet = {.file = random_create(plan->folder, "network-%d.xml", number),
                          .plan = plan,
                          .variant = variant,
                          .number = number};
    char folder[4096];
    snprintf(folder, sizeof(folder), "%s/parts-%d", plan->folder, number);
    if (mkdir(folder, 0777) && errno != EEXIST)
        random_fail(folder);
    for (int i = 0; i < variant->graph.node_count; i++)
        random_name_flat(&variant->parts, variant->parts.within[i], variant->nodes[i],
                         variant->flat_nodes[i]);
    write_sheet(&sheet);
}
