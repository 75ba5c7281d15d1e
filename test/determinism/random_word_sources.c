/* The C, OpenCL and portable sources of the chain of a random network. All compute the same of each
 * word. */
#include "test/determinism/random_words.h"

#include <string.h>

/* A source that is written: C, a kernel, or a portable one, in which words look as in a kernel. */
struct source {
    FILE *file;
    const struct random_plan *plan;
    int node, is_kernel, is_portable;
    int first; /* the edge of the first input with words, to which the look belongs; or -1 */
};

/* Is a port's window made of the chain's words? */
static int is_of_words(const struct random_plan *plan, int edge, int output)
{
    const struct random_edge *e = &plan->graph.edges[edge];
    return e->bytes * (output ? e->rate_in : e->rate_out) ==
               plan->chain.words * plan->chain.bytes &&
           e->bytes % plan->chain.bytes == 0;
}

static struct source source_of(FILE *file, const struct random_plan *plan, int node, int is_kernel)
{
    struct source s = {file, plan, node, is_kernel, 0, plan->graph.edge_count - 1};
    while (s.first >= 0 &&
           !(plan->graph.edges[s.first].to == node && is_of_words(plan, s.first, 0)))
        s.first--;
    return s;
}

static enum random_look look_of(const struct source *s)
{
    return s->plan->traits[s->node].look;
}

/* A portable source has no work-items: it has an index instead of what goes by their number. */
static enum random_form form_of(const struct source *s)
{
    enum random_form form = s->plan->traits[s->node].form;
    return s->is_portable && form >= RANDOM_STEPPED ? RANDOM_INDEX : form;
}

/* Is a word named from the begin of its firing on? */
static int is_relative(const struct source *s)
{
    return form_of(s) == RANDOM_MOVED || form_of(s) == RANDOM_ALIAS;
}

static const char *type_of(const struct source *s)
{
    static const char *const types[2][4] = {{"uchar", "ushort", "uint", "ulong"},
                                            {"uint8_t", "uint16_t", "uint32_t", "uint64_t"}};
    int bytes = s->plan->chain.bytes;
    return types[s->is_portable][bytes == 8 ? 3 : bytes / 2];
}

static const char *memory_of(const struct source *s)
{
    return s->is_portable ? "DAL_WINDOW" : "__global";
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns a word of a kernel's port. */
static const char *name_word(const struct source *s, int edge, int output, const char *index,
                             char text[80])
{
    enum random_form form = form_of(s);
    char port = output ? 'o' : 'i';
    if (form == RANDOM_MOVED)
        snprintf(text, 80, "%c%d[%s]", port, edge, index);
    else if (form == RANDOM_ALIAS)
        snprintf(text, 80, "word_%c%d[%s]", port, edge, index);
    else if (form == RANDOM_STEPPED && strcmp(index, "j") == 0)
        snprintf(text, 80, "*at_%c%d", port, edge);
    else if (form == RANDOM_ITEM && strcmp(index, "j") == 0)
        snprintf(text, 80, "%c%d[get_global_id(0)]", port, edge);
    else
        snprintf(text, 80, "%c%d[firing * WORDS + %s]", port, edge, index);
    return text;
}

static void take_word(const struct source *s, int edge, const char *index)
{
    char text[80];
    if (s->is_kernel)
        fprintf(s->file, "number = mix_word(number, %s);\n", name_word(s, edge, 0, index, text));
    else
        fprintf(s->file, "number = mix_word(number, word(x%d, %d, %s));\n", edge,
                s->plan->chain.bytes, index);
}

static void give_word(const struct source *s, int edge, const char *index, const char *number)
{
    char text[80];
    if (s->is_kernel)
        fprintf(s->file, "%s = (%s)mix_out(%s, %d, j);\n", name_word(s, edge, 1, index, text),
                type_of(s), number, edge);
    else
        fprintf(s->file, "put_word(y%d, %d, %s, mix_out(%s, %d, j));\n", edge, s->plan->chain.bytes,
                index, number, edge);
}

/* ---- what is done for each word -------------------------------------------------------------- */

static const char next[] = "(j + 1) % WORDS", last[] = "WORDS - 1";

/* Takes the first input with words as the look says. */
static void take_first(const struct source *s)
{
    enum random_look look = look_of(s);
    if (look == RANDOM_NEXT) {
        take_word(s, s->first, next);
    } else if (look == RANDOM_BY_PARAMETER) {
        take_word(s, s->first, "(j + (unsigned)salt) % WORDS");
    } else if (look == RANDOM_ALL_BEFORE) {
        fprintf(s->file, "for (k = 0; k <= j; k++)\n            ");
        take_word(s, s->first, "k");
    } else if (look == RANDOM_INNER_LOOP) {
        fprintf(s->file, "for (k = 0; k < 2; k++)\n            ");
        take_word(s, s->first, "(j + k) % WORDS");
    } else if (look == RANDOM_EFFECT) {
        fprintf(s->file, "k = j;\n        ");
        take_word(s, s->first, "k++");
        fprintf(s->file, "        ");
        take_word(s, s->first, "k % WORDS");
    } else if (look == RANDOM_IN_FRONT && s->is_kernel) {
        fprintf(s->file, "number = mix_word(number, front);\n");
    } else if (look == RANDOM_IN_FRONT) {
        take_word(s, s->first, last);
    } else if (look == RANDOM_BEHIND_BARRIER && s->is_kernel && !s->is_portable) {
        fprintf(s->file, "number = mix_word(number, shared[%s]);\n", next);
    } else if (look == RANDOM_BEHIND_BARRIER) {
        take_word(s, s->first, next);
    } else {
        if (look == RANDOM_NOW_AND_THEN)
            fprintf(s->file, "if (number %% 3)\n            ");
        take_word(s, s->first, "j");
    }
    if (look != RANDOM_TWO_NAMES)
        return;
    fprintf(s->file, "        ");
    if (s->is_kernel && form_of(s) != RANDOM_ITEM)
        fprintf(s->file, "number = mix_word(number, same[%s%s]);\n",
                is_relative(s) ? "" : "firing * WORDS + ", next);
    else
        take_word(s, s->first, next);
}

static void take_inputs(const struct source *s)
{
    for (int i = 0; i < s->plan->graph.edge_count; i++) {
        if (s->plan->graph.edges[i].to != s->node)
            continue;
        fprintf(s->file, "        ");
        if (i == s->first)
            take_first(s);
        else if (is_of_words(s->plan, i, 0))
            take_word(s, i, "j");
        else if (s->is_kernel)
            fprintf(s->file,
                    "for (k = j; k < BYTES(i%d); k += WORDS)\n"
                    "            number = MIX_BYTE(number, i%d[firing * BYTES(i%d) + k]);\n",
                    i, i, i);
        else
            fprintf(s->file,
                    "for (k = j; k < BYTES(i%d); k += WORDS)\n"
                    "            number = MIX_BYTE(number, x%d[k]);\n",
                    i, i);
    }
}

static void give_words(const struct source *s, int edge)
{
    if (look_of(s) == RANDOM_EITHER_STORE) {
        fprintf(s->file, "if (number & 1)\n            ");
        give_word(s, edge, "j", "number");
        fprintf(s->file, "        else\n            ");
        give_word(s, edge, "j", "~number");
    } else
        give_word(s, edge, look_of(s) == RANDOM_TURNED ? next : "j", "number");
}

static void give_outputs(const struct source *s)
{
    for (int i = 0; i < s->plan->graph.edge_count; i++) {
        if (!random_edge_at(&s->plan->graph, i, s->node, 1))
            continue;
        fprintf(s->file, "        ");
        if (is_of_words(s->plan, i, 1))
            give_words(s, i);
        else if (s->is_kernel)
            fprintf(s->file,
                    "for (k = j; k < BYTES(o%d); k += WORDS)\n"
                    "            o%d[firing * BYTES(o%d) + k] = MIX_OUT(number, %d, k);\n",
                    i, i, i, i);
        else
            fprintf(s->file,
                    "for (k = j; k < BYTES(o%d); k += WORDS)\n"
                    "            y%d[k] = MIX_OUT(number, %d, k);\n",
                    i, i, i);
    }
}

static void write_body(const struct source *s)
{
    const struct random_trait *traits = &s->plan->traits[s->node];
    take_inputs(s);
    fprintf(s->file, "        number = mix_floats(number);\n");
    if (traits->has_constant)
        random_write_constant(s->file);
    if (traits->has_parameters)
        fprintf(s->file, "        %s", random_take_parameters);
    give_outputs(s);
}

/* ---- C --------------------------------------------------------------------------------------- */

void random_words_variables(FILE *file, const struct random_plan *plan, int node)
{
    for (int i = 0; i < plan->graph.edge_count; i++) {
        if (plan->graph.edges[i].to == node)
            fprintf(file, "    unsigned char x%d[BYTES(i%d)] = {0};\n", i, i);
        if (random_edge_at(&plan->graph, i, node, 1))
            fprintf(file, "    unsigned char y%d[BYTES(o%d)];\n", i, i);
    }
}

void random_words_code(FILE *file, const struct random_plan *plan, int node)
{
    struct source s = source_of(file, plan, node, 0);
    fprintf(file, "    enum { WORDS = %d };\n    unsigned j;\n", plan->chain.words);
    if (plan->traits[node].has_parameters)
        fprintf(file, "    float tint = strtof(DAL_getParameter(\"tint\", p), NULL);\n"
                      "    long salt = 0;\n"
                      "    DAL_getParameterInt(\"salt\", &salt, p);\n");
    fprintf(file, "    for (j = 0; j < WORDS; j++) {\n        number = MIX_START + j;\n");
    write_body(&s);
    fprintf(file, "    }\n");
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void write_arguments(const struct source *s)
{
    const char *comma = "";
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < s->plan->graph.edge_count; i++)
            if (random_edge_at(&s->plan->graph, i, s->node, output)) {
                fprintf(s->file, "%s__global %s%s *%c%d", comma, output ? "" : "const ",
                        is_of_words(s->plan, i, output) ? type_of(s) : "uchar", output ? 'o' : 'i',
                        i);
                comma = ", ";
            }
    fprintf(s->file, "%s%s)\n",
            s->plan->traits[s->node].has_parameters ? ", float tint, long salt" : "",
            s->plan->traits[s->node].has_constant ? ", __global const uint *table" : "");
}

/* What stands in front of the words, by form: their pointers. */
static void write_pointers(const struct source *s)
{
    enum random_form form = form_of(s);
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < s->plan->graph.edge_count; i++) {
            char port = output ? 'o' : 'i';
            if (!random_edge_at(&s->plan->graph, i, s->node, output) ||
                !is_of_words(s->plan, i, output))
                continue;
            if (form == RANDOM_MOVED)
                fprintf(s->file, "    %c%d += firing * WORDS;\n", port, i);
            if (form == RANDOM_STEPPED)
                fprintf(s->file,
                        "    __global %s%s *at_%c%d = %c%d + firing * WORDS + get_local_id(0);\n",
                        output ? "" : "const ", type_of(s), port, i, port, i);
            if (form == RANDOM_ALIAS)
                fprintf(s->file, "    %s %s%s *word_%c%d = %c%d + %s * WORDS;\n", memory_of(s),
                        output ? "" : "const ", type_of(s), port, i, port, i,
                        s->is_portable ? "firing" : "get_group_id(0)");
        }
    if (look_of(s) == RANDOM_TWO_NAMES && s->first >= 0)
        fprintf(s->file, "    %s const %s *same = %si%d;\n", memory_of(s), type_of(s),
                form == RANDOM_ALIAS ? "word_" : "", s->first);
}

/* What is read in front of the words. */
static void write_front(const struct source *s)
{
    char text[80];
    if (look_of(s) == RANDOM_IN_FRONT && s->first >= 0)
        fprintf(s->file, "    %s front = %s;\n", type_of(s), name_word(s, s->first, 0, last, text));
    if (!s->is_portable && look_of(s) == RANDOM_BEHIND_BARRIER && s->first >= 0)
        fprintf(s->file,
                "    __local %s shared[WORDS];\n"
                "    for (uint at = get_local_id(0); at < WORDS; at += get_local_size(0))\n"
                "        shared[at] = %s;\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n",
                type_of(s), name_word(s, s->first, 0, "at", text));
}

/* Pointers that go on with the loop. */
static void write_steps(const struct source *s)
{
    if (form_of(s) != RANDOM_STEPPED)
        return;
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < s->plan->graph.edge_count; i++)
            if (random_edge_at(&s->plan->graph, i, s->node, output) &&
                is_of_words(s->plan, i, output))
                fprintf(s->file, "        at_%c%d += get_local_size(0);\n", output ? 'o' : 'i', i);
}

static const char *loop_of(enum random_form form)
{
    if (form == RANDOM_ITEM)
        return "    uint j = get_local_id(0);\n";
    if (form == RANDOM_ROW)
        return "    uint row = (WORDS + get_local_size(0) - 1) / get_local_size(0);\n"
               "    uint begin = get_local_id(0) * row;\n"
               "    for (uint j = begin; j < WORDS && j < begin + row; j++) {\n";
    return "    for (uint j = get_local_id(0); j < WORDS; j += get_local_size(0)) {\n";
}

void random_words_kernel(const struct random_plan *plan, int node)
{
    FILE *file = random_create(plan->folder, "p%d.cl", node);
    struct source s = source_of(file, plan, node, 1);
    fprintf(file,
            "#include \"mix.h\"\n\n"
            "#define BYTES(port) (TOKEN_##port##_SIZE * TOKEN_##port##_RATE)\n"
            "#define WORDS       %d\n\n"
            "__kernel void P%d(",
            plan->chain.words, node);
    write_arguments(&s);
    fprintf(file, "{\n    size_t firing = get_group_id(0);\n");
    write_pointers(&s);
    write_front(&s);
    fputs(loop_of(plan->traits[node].form), file);
    fprintf(file, "        unsigned number = MIX_START + j, k;\n");
    if (look_of(&s) == RANDOM_LEAVES)
        fprintf(file, "        if (j >= WORDS)\n            return;\n");
    write_body(&s);
    write_steps(&s);
    fprintf(file, "%s}\n", plan->traits[node].form != RANDOM_ITEM ? "    }\n" : "");
    random_finish(file);
}

/* ---- the portable source --------------------------------------------------------------------- */

static void write_windows(const struct source *s)
{
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < s->plan->graph.edge_count; i++)
            if (random_edge_at(&s->plan->graph, i, s->node, output))
                fprintf(s->file,
                        output ? "    DAL_WINDOW %s *o%d =\n        DAL_write_begin(PORT_o%d, "
                                 "TOKEN_o%d_SIZE, TOKEN_o%d_RATE, TOKEN_o%d_RATE, 0, p);\n"
                               : "    DAL_WINDOW const %s *i%d =\n        DAL_read_begin(PORT_i%d, "
                                 "TOKEN_i%d_SIZE, TOKEN_i%d_RATE, p);\n",
                        is_of_words(s->plan, i, output) ? type_of(s) : "uint8_t", i, i, i, i, i);
}

static void write_ends(const struct source *s)
{
    for (int output = 0; output < 2; output++)
        for (int i = 0; i < s->plan->graph.edge_count; i++)
            if (random_edge_at(&s->plan->graph, i, s->node, output))
                fprintf(s->file, "    DAL_%s_end(PORT_%c%d, %c%d, p);\n", output ? "write" : "read",
                        output ? 'o' : 'i', i, output ? 'o' : 'i', i);
}

/* A block is a word, or has words in a row, or those from its number on by the number of blocks. */
static void write_blocks(const struct source *s)
{
    int first = random_first_output(&s->plan->graph, s->node), words = s->plan->chain.words;
    int blocks = s->plan->traits[s->node].blocks;
    fprintf(s->file, "    DAL_foreach (blk : PORT_o%d) {\n", first);
    if (blocks == words)
        fprintf(s->file, "        unsigned j = (unsigned)blk;\n        {\n");
    else if (words % blocks == 0 && s->node % 2)
        fprintf(s->file,
                "        enum { ROW = WORDS / BLOCK_o%d_COUNT };\n"
                "        for (unsigned j = blk * ROW; j < (unsigned)(blk + 1) * ROW; j++) {\n",
                first);
    else
        fprintf(s->file,
                "        unsigned j;\n"
                "        for (j = (unsigned)blk; j < WORDS; j += BLOCK_o%d_COUNT) {\n",
                first);
    fprintf(s->file, "        unsigned number = MIX_START + j, k;\n");
    write_body(s);
    fprintf(s->file, "        }\n    }\n");
}

void random_words_portable(const struct random_plan *plan, int node)
{
    FILE *file = random_create(plan->folder, "p%d_portable.c", node);
    struct source s = source_of(file, plan, node, 1);
    s.is_portable = 1;
    fprintf(file,
            "#include \"dal.h\"\n#include \"mix.h\"\n\n"
            "#define BYTES(port) (TOKEN_##port##_SIZE * TOKEN_##port##_RATE)\n\n"
            "int P%d_fire(DALProcess *p)\n{\n"
            "    enum { firing = 0, WORDS = %d };\n",
            node, plan->chain.words);
    write_windows(&s);
    write_pointers(&s);
    write_front(&s);
    if (plan->traits[node].has_constant)
        fprintf(file, "    DAL_WINDOW const unsigned *table = DAL_CONSTANT(table, p);\n");
    write_blocks(&s);
    write_ends(&s);
    fprintf(file, "    return 0;\n}\n");
    random_finish(file);
}
