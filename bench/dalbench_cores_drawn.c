/*
 * Networks that chance draws from a seed: what does each core more bring where nothing is regular?
 *
 * Nodes have firings of 0.2 to 50 us, one to three inputs from nodes in front of them, and any
 * number of outputs; one of four keeps what it wrote, so its firings are one after the other. The
 * last node reads from all that nobody else reads. All may run on all cores. No form is faster than
 * the longest node that keeps something, nor than all work divided by the cores.
 */
#include "bench/dalbench_cores.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/output.h"

#include "pass.h"
#include "patterns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NETWORKS = 3,
    MOST_NODES = 16,
    LEAST_NODES = 8,
    MOST_INPUTS = 3,
    REACH = 6, /* how far in front of a node its inputs are */
    TOKEN_BYTES = 16,
    CHECKED_TOKENS = 300,
    TIMED_TOKENS = 100, /* by hand */
};
static const double LEAST_US = 0.2, MOST_US = 50, STEP_NS = 1.3;

struct node {
    long steps;
    int keeps;
    int is_read;                     /* by another node */
    unsigned char reads[MOST_NODES]; /* True for nodes in front that it reads from. */
};

struct drawn {
    struct bench *bench;
    struct node nodes[MOST_NODES];
    int count;
    uint32_t chance;
    double all_ns,
        kept_ns; /* of a token on one core: all nodes; the longest that keeps something */
};

/* ---- drawing --------------------------------------------------------------------------------- */

/* Returns a number below `most`. */
static int draw_number(struct drawn *drawn, int most)
{
    uint32_t x = drawn->chance; /* xorshift */
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    drawn->chance = x;
    return (int)((uint64_t)x * (uint32_t)most >> 32);
}

static void draw_inputs(struct drawn *drawn, int number)
{
    int inputs = 1 + draw_number(drawn, MOST_INPUTS), reach = number < REACH ? number : REACH;
    for (int k = 0; number > 0 && k < inputs; k++) {
        int from = number - 1 - draw_number(drawn, reach);
        drawn->nodes[number].reads[from] = 1;
        drawn->nodes[from].is_read = 1;
    }
}

static void draw_network(struct drawn *drawn, int seed)
{
    double octaves = log2(MOST_US / LEAST_US);
    drawn->chance = 2654435761u * (uint32_t)(seed + 1);
    drawn->count = LEAST_NODES + draw_number(drawn, MOST_NODES - LEAST_NODES + 1);
    for (int i = 0; i < drawn->count; i++) {
        struct node *node = &drawn->nodes[i];
        double us = LEAST_US * exp2(octaves * draw_number(drawn, 1001) / 1000);
        node->steps = lround(1e3 * us / STEP_NS);
        node->keeps = draw_number(drawn, 4) == 0;
        draw_inputs(drawn, i);
    }
    for (int i = 0; i < drawn->count - 1; i++)
        if (!drawn->nodes[i].is_read)
            drawn->nodes[drawn->count - 1].reads[i] = 1;
}

/* ---- the network ----------------------------------------------------------------------------- */

/* Writes a node with the ports that ports.h makes of its options. */
static void write_node(FILE *file, const struct drawn *drawn, int number, const char *source)
{
    const struct node *node = &drawn->nodes[number];
    fprintf(file,
            "  <process name=\"Node[%d]\" source=\"%s\"%s cflags=\"-O3 -DSTEPS=%ld -DKEEPS=%d "
            "-DREADS=",
            number, source, node->keeps ? "" : " stateless=\"true\"", node->steps, node->keeps);
    if (number == 0)
        fprintf(file, "R(in,1)");
    for (int i = 0; i < number; i++)
        if (node->reads[i])
            fprintf(file, "R(from_%d,1)", i);
    fprintf(file, " -DWRITES=");
    for (int i = number + 1; i < drawn->count; i++)
        if (drawn->nodes[i].reads[number])
            fprintf(file, "W(to_%d,1)", i);
    if (number == drawn->count - 1)
        fprintf(file, "W(out,1)");
    fprintf(file, "\"/>\n");
    for (int i = 0; i < number; i++)
        if (node->reads[i])
            fprintf(file,
                    "  <channel name=\"c_%d_%d\" from=\"Node[%d].to_%d\" to=\"Node[%d].from_%d\" "
                    "tokensize=\"%d\"/>\n",
                    i, number, i, number, number, i, TOKEN_BYTES);
}

static void write_ends(FILE *file, const struct drawn *drawn, const char *source, const char *sink)
{
    fprintf(file,
            "  <process name=\"Source\" type=\"io\" source=\"%s\" cflags=\"-O3\">\n"
            "    <parameter name=\"tokens\" value=\"1\"/>\n  </process>\n"
            "  <process name=\"Sink\" type=\"io\" source=\"%s\" cflags=\"-O3\"/>\n",
            source, sink);
    fprintf(file,
            "  <channel name=\"first\" from=\"Source.out\" to=\"Node[0].in\" tokensize=\"%d\"/>\n"
            "  <channel name=\"last\" from=\"Node[%d].out\" to=\"Sink.in\" tokensize=\"%d\"/>\n",
            TOKEN_BYTES, drawn->count - 1, TOKEN_BYTES);
}

static int write_network(const struct drawn *drawn, const char *name)
{
    char *source = cores_source(drawn->bench, "synthetic/source.c");
    char *node = cores_source(drawn->bench, "synthetic/node.c");
    char *sink = cores_source(drawn->bench, "synthetic/sink.c");
    struct dal_output out;
    int status = source && node && sink ? dal_output_open(&out, "", name) : DAL_ERR_IO;
    if (!status) {
        fprintf(out.file, "<processnetwork name=\"drawn\">\n");
        write_ends(out.file, drawn, source, sink);
        for (int i = 0; i < drawn->count; i++)
            write_node(out.file, drawn, i, node);
        fprintf(out.file, "</processnetwork>\n");
        status = dal_output_close(&out);
    }
    dal_free(source);
    dal_free(node);
    dal_free(sink);
    return status;
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* A run by hand, on one core. */
struct by_hand {
    const struct drawn *drawn;
    long tokens;
};

static uint32_t fire_node(const struct node *node, int number, uint32_t first,
                          const uint32_t *values, uint32_t *kept)
{
    uint32_t value = node->keeps ? *kept : 0;
    if (number == 0)
        value = pattern_mix(value, first);
    for (int i = 0; i < number; i++)
        if (node->reads[i])
            value = pattern_mix(value, values[i]);
    value = pass_work(value, node->steps);
    *kept = value;
    return value;
}

/* Runs the loop. Its value is tokens a second. */
static int run_by_hand(void *context, struct bench_result *result)
{
    const struct by_hand *hand = context;
    const struct drawn *drawn = hand->drawn;
    uint32_t values[MOST_NODES], kept[MOST_NODES] = {0}, token[TOKEN_BYTES / sizeof(uint32_t)];
    int64_t start = dal_now_ns();
    result->sum = 0;
    result->has_sum = 1;
    for (long n = 0; n < hand->tokens; n++) {
        pass_source((unsigned char *)token, sizeof(token), (uint32_t)n);
        for (int i = 0; i < drawn->count; i++)
            values[i] = fire_node(&drawn->nodes[i], i, token[0], values, &kept[i]);
        result->sum += 2 * (uint64_t)values[drawn->count - 1]; /* Sink: first and last word */
    }
    result->value = 1e9 * (double)hand->tokens / (double)(dal_now_ns() - start);
    return DAL_OK;
}

/* Measures all work of a token, and takes the part of the longest node that keeps something. */
static int measure_alone(struct drawn *drawn)
{
    struct by_hand hand = {.drawn = drawn, .tokens = TIMED_TOKENS};
    struct bench_result result = {0};
    long steps = 0, longest = 0;
    int status = DAL_OK;
    drawn->all_ns = INFINITY;
    for (int k = 0; !status && k <= drawn->bench->effort.repetitions; k++) {
        status = run_by_hand(&hand, &result);
        drawn->all_ns = fmin(drawn->all_ns, 1e9 / result.value);
    }
    for (int i = 0; i < drawn->count; i++) {
        const struct node *node = &drawn->nodes[i];
        steps += node->steps;
        longest = node->keeps && node->steps > longest ? node->steps : longest;
    }
    drawn->kept_ns = drawn->all_ns * (double)longest / (double)steps;
    return status;
}

/* ---- the experiment -------------------------------------------------------------------------- */

static int run_on(struct drawn *drawn, const char *file, const struct bench_record *model)
{
    char tokens[BENCH_NAME];
    struct bench_program program = {
        .bench = drawn->bench, .file = file, .arguments = {tokens}, .scale = 1e9, .rate = 1};
    struct by_hand hand = {.drawn = drawn, .tokens = CHECKED_TOKENS};
    const struct bench_side ours = {.run = bench_run_program, .context = &program};
    const struct bench_side limit = {.run = run_by_hand, .context = &hand};
    struct bench_result found;
    int status;
    snprintf(tokens, sizeof(tokens), "Source.tokens=%d", CHECKED_TOKENS);
    status = bench_agree(drawn->bench, model, &ours, &limit, 1, &found);
    snprintf(tokens, sizeof(tokens), "Source.tokens=%ld",
             2 * bench_tokens(drawn->bench, 1, drawn->all_ns / model->param, 1));
    return status ? status : bench_measure(drawn->bench, model, &ours, NULL, 0);
}

static int measure_on(struct drawn *drawn, int seed, int cores, double *best)
{
    struct bench *bench = drawn->bench;
    struct cores_list list;
    const struct bench_binding bindings[] = {{.process = "*", .processor = list.processors}, {0}};
    char *file = dal_format("%s/drawn.xml", bench->folder), *program = NULL;
    const struct bench_network network = {
        .specification = file, .program = "drawn", .bindings = bindings};
    struct bench_record model = {
        .experiment = "cores", .param = cores, .unit = "tokens/s", .rate = 1};
    int status = file ? write_network(drawn, file) : DAL_ERR_NOMEM;
    snprintf(model.name, sizeof(model.name), "drawn %d, %d nodes", seed, drawn->count);
    cores_list_init(bench, &list, cores);
    if (!status)
        status = bench_synthesise(bench, &network, &program, NULL);
    if (!status)
        status = run_on(drawn, program, &model);
    if (!status)
        status = cores_add_limits(bench, 1e9 / fmax(drawn->kept_ns, drawn->all_ns / cores), best);
    dal_free(file);
    dal_free(program);
    return status;
}

int cores_drawn(struct bench *bench)
{
    int counts[CORES_COUNTS], count = cores_counts(bench, counts), status = DAL_OK;
    int networks = bench->effort.fine ? NETWORKS : 1;
    for (int seed = 1; !status && seed <= networks; seed++) {
        struct drawn drawn = {.bench = bench};
        double best = 0;
        draw_network(&drawn, seed);
        status = measure_alone(&drawn);
        for (int i = 0; !status && i < count; i++)
            if (!bench_is_tiny(bench) || i == count - 1)
                status = measure_on(&drawn, seed, counts[i], &best);
    }
    return status;
}
