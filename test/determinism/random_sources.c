/* The C, OpenCL and portable sources of a random network's processes. */
#include "test/determinism/random_words.h"

int random_first_output(const struct random_graph *graph, int node)
{
    int i = 0;
    while (graph->edges[i].from != node)
        i++;
    return i;
}

int random_counts(const struct random_plan *plan, int node)
{
    return !plan->traits[node].has_kernel && !plan->traits[node].stateless;
}

/* Kernels take all bytes in a row, so what has one does, too. */
static void write_reads(FILE *file, const struct random_plan *plan, int node)
{
    const struct random_graph *graph = &plan->graph;
    int shares = plan->traits[node].shares_loops, i;
    for (i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].to != node)
            continue;
        if (plan->inputs[i].copies)
            fprintf(file,
                    "#ifdef READ_i%d\n"
                    "    if (READ_i%d(PORT_i%d, i%d, BYTES(i%d), p))\n"
                    "        return 1;\n"
                    "#else\n"
                    "    for (k = 0; k < TOKEN_i%d_RATE; k++)\n"
                    "        DAL_read(PORT_i%d, i%d + k * TOKEN_i%d_SIZE, TOKEN_i%d_SIZE, p);\n"
                    "#endif\n",
                    i, i, i, i, i, i, i, i, i, i);
        else
            fprintf(file,
                    "    i%d = DAL_read_begin(PORT_i%d, TOKEN_i%d_SIZE, TOKEN_i%d_RATE, p);\n", i,
                    i, i, i);
        if (random_has_words(plan, node))
            fprintf(file, "    memcpy(x%d, i%d, BYTES(i%d));\n", i, i, i);
        else
            fprintf(file, "    number = %s(number, i%d, BYTES(i%d));\n",
                    shares && !plan->traits[node].has_kernel ? "take_parts" : "take", i, i);
        if (graph->nodes[node].sink)
            fprintf(file, "    fwrite(i%d, 1, BYTES(i%d), p->local->file);\n", i, i);
        if (!plan->inputs[i].copies)
            fprintf(file, "    DAL_read_end(PORT_i%d, i%d, p);\n", i, i);
    }
}

static void write_writes(FILE *file, const struct random_plan *plan, int node)
{
    const struct random_graph *graph = &plan->graph;
    int shares = plan->traits[node].shares_loops, i;
    for (i = 0; i < graph->edge_count; i++) {
        if (!random_edge_at(graph, i, node, 1))
            continue;
        if (!plan->outputs[i].copies)
            fprintf(file,
                    "    o%d = DAL_write_begin(PORT_o%d, TOKEN_o%d_SIZE, TOKEN_o%d_RATE, "
                    "TOKEN_o%d_RATE, 0, p);\n",
                    i, i, i, i, i);
        if (random_has_words(plan, node))
            fprintf(file, "    memcpy(o%d, y%d, BYTES(o%d));\n", i, i, i);
        else
            fprintf(file, "    %s(number, %d, o%d, BYTES(o%d));\n", shares ? "give_shared" : "give",
                    i, i, i);
        if (plan->outputs[i].copies)
            fprintf(file, "    DAL_write(PORT_o%d, o%d, BYTES(o%d), p);\n", i, i, i);
        else
            fprintf(file, "    DAL_write_end(PORT_o%d, o%d, p);\n", i, i);
    }
}

static void write_variables(FILE *file, const struct random_plan *plan, int node)
{
    const struct random_graph *graph = &plan->graph;
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].to == node)
            fprintf(file, "    unsigned char %si%d%s;\n", plan->inputs[i].copies ? "" : "*", i,
                    plan->inputs[i].copies ? "[WORD + 1]" : "");
        if (random_edge_at(graph, i, node, 1))
            fprintf(file, "    unsigned char %so%d%s;\n", plan->outputs[i].copies ? "" : "*", i,
                    plan->outputs[i].copies ? "[WORD]" : "");
    }
}

static void write_state(FILE *file, int node, int sink)
{
    fprintf(file,
            "struct _local_states {\n    FILE *file;\n    long last, fired;\n};\n\n"
            "void P%d_init(DALProcess *p)\n"
            "{\n"
            "    DAL_getParameterInt(\"firings\", &p->local->last, p);\n",
            node);
    if (sink)
        fprintf(file,
                "    p->local->file = fopen(\"P%d\", \"wb\");\n"
                "    if (!p->local->file)\n"
                "        DAL_fail(p, \"no file\");\n",
                node);
    fprintf(file, "}\n\n");
    if (sink)
        fprintf(file,
                "void P%d_finish(DALProcess *p)\n"
                "{\n"
                "    if (p->local->file && fclose(p->local->file))\n"
                "        DAL_fail(p, \"the file is not whole\");\n"
                "}\n\n",
                node);
}

/* A port with a dynamic rate has none in its constants; here it moves what it would otherwise. What
 * copies reads there what is there, or lines. */
static void write_rates(FILE *file, const struct random_graph *graph, int node)
{
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < graph->edge_count; i++)
            if (random_edge_at(graph, i, node, output))
                fprintf(file,
                        "#ifndef TOKEN_%c%d_RATE\n#define TOKEN_%c%d_RATE %d\n"
                        "#define READ_%c%d %s\n#endif\n\n",
                        output ? 'o' : 'i', i, output ? 'o' : 'i', i,
                        output ? graph->edges[i].rate_in : graph->edges[i].rate_out,
                        output ? 'o' : 'i', i, i % 2 ? "read_some" : "read_lines");
}

void random_write_constant(FILE *file)
{
    fprintf(file, "    number += table[number %% %du];\n", RANDOM_TABLE);
}

const char random_take_parameters[] =
    "number += (unsigned)salt + (unsigned)(int)(tint * 4096.0f);\n";

/* What all that is written comes from. */
static void write_number(FILE *file, const struct random_plan *plan, int node)
{
    fprintf(file, "    number = mix_floats(number);\n");
    if (plan->traits[node].has_constant)
        random_write_constant(file);
    if (plan->traits[node].has_parameters)
        fprintf(file,
                "    {\n"
                "        float tint = strtof(DAL_getParameter(\"tint\", p), NULL);\n"
                "        long salt = 0;\n"
                "        DAL_getParameterInt(\"salt\", &salt, p);\n"
                "        %s    }\n",
                random_take_parameters);
}

static void write_code(const struct random_plan *plan, int node)
{
    const struct random_node *self = &plan->graph.nodes[node];
    FILE *file = random_create(plan->folder, "p%d.c", node);
    fprintf(file, "#include \"node.h\"\n\n"
                  "#define BYTES(port) BYTES_(port)\n"
                  "#define BYTES_(port) (TOKEN_##port##_SIZE * TOKEN_##port##_RATE)\n"
                  "#define WORD 4096 /* a rate of 8 and a token of 512 */\n\n");
    write_rates(file, &plan->graph, node);
    if (random_counts(plan, node))
        write_state(file, node, self->sink);
    fprintf(file,
            "int P%d_fire(DALProcess *p)\n"
            "{\n"
            "    unsigned number = MIX_START, k;\n",
            node);
    write_variables(file, plan, node);
    if (random_has_words(plan, node))
        random_words_variables(file, plan, node);
    if (plan->traits[node].has_constant)
        fprintf(file, "    const unsigned *table = DAL_CONSTANT(table, p);\n");
    fprintf(file, "    (void)k;\n");
    if (random_counts(plan, node))
        fprintf(file, "    p->local->fired++;\n");
    if (self->source)
        fprintf(file, "    number += 2654435761u * (unsigned)p->local->fired;\n");
    if (self->source && !plan->traits[node].ends_in_firing)
        fprintf(file, "    if (p->local->fired > p->local->last)\n        return 1;\n");
    write_reads(file, plan, node);
    (random_has_words(plan, node) ? random_words_code : write_number)(file, plan, node);
    write_writes(file, plan, node);
    if (random_counts(plan, node) && (!self->source || plan->traits[node].ends_in_firing))
        fprintf(file, "    return p->local->fired == p->local->last;\n}\n");
    else
        fprintf(file, "    return 0;\n}\n");
    random_finish(file);
}

static void write_arguments(FILE *file, const struct random_graph *graph, int node)
{
    const char *comma = "";
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < graph->edge_count; i++)
            if (random_edge_at(graph, i, node, output)) {
                fprintf(file, output ? "%s__global uchar *o%d" : "%s__global const uchar *i%d",
                        comma, i);
                comma = ", ";
            }
}

static void write_numbers(FILE *file, const struct random_graph *graph, int node)
{
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to == node)
            fprintf(file,
                    "        for (k = 0; k < BYTES(i%d); k++)\n"
                    "            number = MIX_BYTE(number, i%d[firing * BYTES(i%d) + k]);\n",
                    i, i, i);
    fprintf(file, "        number = mix_floats(number);\n");
}

static void write_kernel(const struct random_plan *plan, int node)
{
    const struct random_graph *graph = &plan->graph;
    int shares = plan->traits[node].local_memory, i;
    FILE *file = random_create(plan->folder, "p%d.cl", node);
    fprintf(file,
            "#include \"mix.h\"\n\n"
            "#define BYTES(port) (TOKEN_##port##_SIZE * TOKEN_##port##_RATE)\n\n"
            "__kernel void P%d(",
            node);
    write_arguments(file, graph, node);
    fprintf(file,
            "%s%s%s)\n{\n%s    size_t firing = get_group_id(0);\n"
            "    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
            "    uint item = (get_local_id(2) * get_local_size(1) + get_local_id(1)) *\n"
            "                get_local_size(0) + get_local_id(0);\n"
            "    uint number = MIX_START, k;\n",
            plan->traits[node].phases > 1 ? ", int DAL_PHASE" : "",
            plan->traits[node].has_parameters ? ", float tint, long salt" : "",
            plan->traits[node].has_constant ? ", __global const uint *table" : "",
            shares ? "    __local uint shared;\n" : "");
    fprintf(file, shares ? "    if (item == items - 1) {\n" : "    {\n");
    write_numbers(file, graph, node);
    if (plan->traits[node].has_constant)
        random_write_constant(file);
    if (plan->traits[node].has_parameters)
        fprintf(file, "        %s", random_take_parameters);
    fprintf(file, "%s    }\n", shares ? "        shared = number;\n" : "");
    if (shares)
        fprintf(file, "    barrier(CLK_LOCAL_MEM_FENCE);\n    number = shared;\n");
    for (i = 0; i < graph->edge_count; i++)
        if (random_edge_at(graph, i, node, 1))
            fprintf(file,
                    "    for (k = item; k < BYTES(o%d); k += items)\n"
                    "        o%d[firing * BYTES(o%d) + k] = MIX_OUT(number, %d, k);\n",
                    i, i, i, i);
    fprintf(file, "}\n");
    random_finish(file);
}

static void write_windows(FILE *file, const struct random_graph *graph, int node)
{
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].to == node)
            fprintf(file,
                    "    DAL_WINDOW const unsigned char *i%d =\n"
                    "        DAL_read_begin(PORT_i%d, TOKEN_i%d_SIZE, TOKEN_i%d_RATE, p);\n",
                    i, i, i, i);
        if (random_edge_at(graph, i, node, 1))
            fprintf(file,
                    "    DAL_WINDOW unsigned char *o%d = DAL_write_begin(\n"
                    "        PORT_o%d, TOKEN_o%d_SIZE, TOKEN_o%d_RATE, TOKEN_o%d_RATE, 0, p);\n",
                    i, i, i, i, i);
    }
}

static void write_ends(FILE *file, const struct random_graph *graph, int node)
{
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].to == node)
            fprintf(file, "    DAL_read_end(PORT_i%d, i%d, p);\n", i, i);
        if (random_edge_at(graph, i, node, 1))
            fprintf(file, "    DAL_write_end(PORT_o%d, o%d, p);\n", i, i);
    }
}

static void write_portable(const struct random_plan *plan, int node)
{
    const struct random_graph *graph = &plan->graph;
    int first = random_first_output(graph, node), i;
    FILE *file = random_create(plan->folder, "p%d_portable.c", node);
    fprintf(file,
            "#include \"dal.h\"\n#include \"mix.h\"\n\n"
            "#define BYTES(port) (TOKEN_##port##_SIZE * TOKEN_##port##_RATE)\n\n"
            "int P%d_fire(DALProcess *p)\n{\n"
            "    enum { firing = 0 };\n"
            "    unsigned number = MIX_START, k;\n",
            node);
    write_windows(file, graph, node);
    if (plan->traits[node].has_constant)
        fprintf(file, "    DAL_WINDOW const unsigned *table = DAL_CONSTANT(table, p);\n");
    fprintf(file, "    {\n");
    write_numbers(file, graph, node);
    if (plan->traits[node].has_constant)
        random_write_constant(file);
    fprintf(file,
            node % 2 ? "    }\n    DAL_foreach (blk : PORT_o%d) {\n"
                     : "    }\n    DAL_foreach(blk, PORT_o%d) {\n",
            first);
    fprintf(file, "        unsigned at;\n");
    for (i = 0; i < graph->edge_count; i++)
        if (random_edge_at(graph, i, node, 1))
            fprintf(file,
                    "        for (at = (unsigned)blk; at < BYTES(o%d); at += BLOCK_o%d_COUNT)\n"
                    "            o%d[at] = MIX_OUT(number, %d, at);\n",
                    i, first, i, i);
    fprintf(file, "    }\n");
    write_ends(file, graph, node);
    fprintf(file, "    return 0;\n}\n");
    random_finish(file);
}

void random_write_sources(const struct random_plan *plan)
{
    for (int i = 0; i < plan->graph.node_count; i++) {
        write_code(plan, i);
        if (plan->traits[i].has_kernel)
            (random_has_words(plan, i) ? random_words_kernel : write_kernel)(plan, i);
        if (random_has_portable(plan, i))
            (random_has_words(plan, i) ? random_words_portable : write_portable)(plan, i);
    }
}
