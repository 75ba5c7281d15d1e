/*
 * nodes: the rate of channels between two ranks on this machine, and the time of a lone token. Also
 * the cores' time that four idle ranks take. Messages go through shared memory, and, as if it were
 * a network, through TCP.
 *
 * Limits: MPI alone, in a program of its own (bench/dalbench_mpi.c) that is started alike. It sends
 * messages of one token each; if tokens are small, also of 64 KB of them; and a message there and
 * back. An idle rank may take 2 % of a core.
 *
 * Waiting ranks yield (mpi_yield_when_idle) on both sides. Otherwise, with more threads than cores,
 * the result would be the length of time slices.
 */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    NODES = BENCH_NODES,
    RING_BYTES = 8 << 20,
    MOST_CAPACITY = 1 << 18,
    BATCH_BYTES = 1 << 16,
    SAMPLE = 1 << 14, /* tokens, if they are small */
    SAMPLE_BYTES = 64 << 20,
    TINY_BYTES = 4 << 20,
    ARGUMENTS = 16,
    PINGS = 10000,
};

static const struct medium {
    const char *name, *transports; /* of Open MPI; NULL: it chooses */
} media[] = {{"memory", NULL}, {"TCP", "tcp,self"}};

static size_t count_media(const struct bench *bench)
{
    return bench->effort.fine ? sizeof(media) / sizeof(media[0]) : 1;
}

/* A program of two ranks or more. Without a file it is MPI's own. */
struct ranks {
    struct bench *bench;
    const char *program;
    const char *work; /* of MPI's program: "stream", "both", "ping" */
    int count, streams;
    long bytes, batch, tokens; /* of a token; tokens of a message; tokens of a stream */
    double rate;               /* GB/s of the last run */
};

/* The reports of all ranks together. Streams at once take as long as the longest. */
struct report {
    double tokens, ns;
    uint64_t sum;
};

/* Returns the program beside this one in a build, or as it is installed. */
static char *find_mpi_program(void)
{
    static const char *const places[] = {"dalbench_mpi", "../libexec/dal/dalbench_mpi",
                                         DALBENCH_PRIVATE "/dalbench_mpi", NULL};
    char *found = bench_find(places, X_OK);
    if (!found)
        dal_log(DAL_LOG_ERROR, "dalbench_mpi is not in " DALBENCH_PRIVATE);
    return found;
}

static void use_medium(const struct medium *medium)
{
    static const char *const always[][2] = {
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"}, {"OMPI_MCA_hwloc_base_binding_policy", "none"},
        {"OMPI_MCA_mpi_yield_when_idle", "1"},      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    };
    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
        setenv(always[i][0], always[i][1], 1);
    if (medium->transports)
        setenv("OMPI_MCA_btl", medium->transports, 1);
    else
        unsetenv("OMPI_MCA_btl");
}

static int read_report(const struct ranks *ranks, const char *output, struct report *report)
{
    const char *line = output;
    int found = 0;
    *report = (struct report){0};
    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        double tokens, ns;
        uint64_t sum;
        if (sscanf(line, "tokens %lf ns %lf sum %" SCNx64, &tokens, &ns, &sum) != 3 || ns <= 0)
            continue;
        found++;
        report->tokens += tokens;
        report->ns = ns > report->ns ? ns : report->ns;
        report->sum += sum;
    }
    if (found == ranks->streams)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s says: %s", ranks->program ? ranks->program : "dalbench_mpi", output);
    return DAL_ERR_PROCESS;
}

/* Starts a program of `count` ranks. The caller frees run->output. */
static int start_ranks(struct bench *bench, int count, const char *const *command,
                       struct bench_run *run)
{
    const char *argv[ARGUMENTS + 4] = {"mpirun", "-n"};
    char number[16];
    snprintf(number, sizeof(number), "%d", count);
    argv[2] = number;
    for (int i = 0; i < ARGUMENTS && command[i]; i++)
        argv[3 + i] = command[i];
    return bench_execute(bench, NULL, argv, run);
}

static int run_network(struct ranks *ranks, struct bench_run *run)
{
    const char *format[] = {"Send_0.tokens=%ld", "Receive_0.tokens=%ld", "Send_1.tokens=%ld",
                            "Receive_1.tokens=%ld"};
    char texts[4][BENCH_NAME];
    const char *command[ARGUMENTS] = {ranks->program};
    int i, ping = strcmp(ranks->work, "ping") == 0, count = ping ? 1 : 2 * ranks->streams;
    format[0] = ping ? "Ping.tokens=%ld" : format[0];
    for (i = 0; i < count; i++) {
        snprintf(texts[i], sizeof(texts[i]), format[i], ranks->tokens);
        command[1 + 2 * i] = "-p";
        command[2 + 2 * i] = texts[i];
    }
    return start_ranks(ranks->bench, ranks->count, command, run);
}

static int run_mpi(struct ranks *ranks, struct bench_run *run)
{
    char bytes[24], batch[24], messages[24];
    char *program = find_mpi_program();
    const char *command[] = {program, ranks->work, bytes, batch, messages, NULL};
    int status;
    snprintf(bytes, sizeof(bytes), "%ld", ranks->bytes);
    snprintf(batch, sizeof(batch), "%ld", ranks->batch);
    snprintf(messages, sizeof(messages), "%ld", ranks->tokens / ranks->batch);
    if (strcmp(ranks->work, "ping") == 0) {
        command[3] = messages;
        command[4] = NULL;
    }
    status = program ? start_ranks(ranks->bench, ranks->count, command, run) : DAL_ERR_IO;
    dal_free(program);
    return status;
}

/* Runs a side. Its value is GB/s, or us there and back. */
static int run_ranks(void *context, struct bench_result *result)
{
    struct ranks *ranks = context;
    struct bench_run run;
    struct report report;
    int status = ranks->program ? run_network(ranks, &run) : run_mpi(ranks, &run);
    if (status)
        return status;
    status = read_report(ranks, run.output, &report);
    dal_free(run.output);
    if (status)
        return status;
    ranks->rate = report.tokens * (double)ranks->bytes / report.ns;
    result->value =
        strcmp(ranks->work, "ping") == 0 ? 1e-3 * report.ns / report.tokens : ranks->rate;
    result->sum = report.sum;
    result->has_sum = 1;
    return DAL_OK;
}

/* ---- streams --------------------------------------------------------------------------------- */

static int synthesise(struct bench *bench, const char *name, const char *output,
                      const struct bench_variable *variables, const struct bench_binding *bindings,
                      char **program)
{
    char specification[BENCH_NAME];
    struct bench_network network = {.specification = specification,
                                    .program = name,
                                    .output = output,
                                    .bindings = bindings,
                                    .nodes = 1};
    snprintf(specification, sizeof(specification), "synthetic/%s.xml", name);
    for (int i = 0; variables[i].name; i++)
        network.variables[i] = variables[i];
    return bench_synthesise(bench, &network, program, NULL);
}

/* Sets the tokens to those that take long enough, in whole messages. */
static void set_tokens(struct ranks *ranks)
{
    double wanted = ranks->rate * 2 * (double)ranks->bench->effort.run_ns / (double)ranks->bytes;
    long messages = (long)(wanted / (double)ranks->batch);
    ranks->tokens = (messages > 2 ? messages : 2) * ranks->batch;
}

static long sample_tokens(const struct bench *bench, long bytes)
{
    long most = bench->effort.repetitions == 1 ? TINY_BYTES : SAMPLE_BYTES;
    return most / bytes < SAMPLE ? most / bytes : SAMPLE;
}

/* Compares the sums of the same tokens, and then runs each side for as many as it needs. */
static int compare_streams(struct bench *bench, const struct bench_record *model,
                           struct ranks *ranks, int limit_count)
{
    struct bench_side sides[3] = {
        {.run = run_ranks},
        {.run = run_ranks, .name = "a message a token"},
        {.run = run_ranks, .name = "messages of 64 KB"},
    };
    struct bench_result found;
    int status;
    for (int i = 0; i <= limit_count; i++)
        sides[i].context = &ranks[i];
    status = bench_agree(bench, model, &sides[0], &sides[1], limit_count, &found);
    for (int i = 0; !status && i <= limit_count; i++)
        set_tokens(&ranks[i]);
    return status ? status : bench_measure(bench, model, &sides[0], &sides[1], limit_count);
}

static int measure_streams(struct bench *bench, const struct medium *medium, const char *program,
                           int both, long bytes)
{
    const struct ranks model = {.bench = bench,
                                .work = both ? "both" : "stream",
                                .count = 2,
                                .streams = 1 + both,
                                .bytes = bytes,
                                .batch = 1,
                                .tokens = sample_tokens(bench, bytes)};
    struct ranks ranks[3] = {model, model, model};
    struct bench_record record = {
        .experiment = "nodes", .param = (double)bytes, .unit = "GB/s", .rate = 1};
    ranks[0].program = program;
    ranks[2].batch = BATCH_BYTES / bytes;
    snprintf(record.name, sizeof(record.name), "%s, %s", medium->name,
             both ? "both directions" : "one direction");
    return compare_streams(bench, &record, ranks, bytes < BATCH_BYTES ? 2 : 1);
}

static int bench_streams(struct bench *bench, int both, long bytes)
{
    const struct bench_binding bindings[] = {bench_bind("Send_0", 0, "n0/core_0", 0, 0),
                                             bench_bind("Receive_0", 0, "n1/core_1", 0, 0),
                                             bench_bind("Send_1", 0, "n1/core_1", 0, 0),
                                             bench_bind("Receive_1", 0, "n0/core_0", 0, 0),
                                             {0}};
    struct bench_binding used[5] = {{0}};
    const struct bench_variable variables[] = {
        {"streams", 1 + both},
        {"tokenbytes", bytes},
        {"capacity", RING_BYTES / bytes < MOST_CAPACITY ? RING_BYTES / bytes : MOST_CAPACITY},
        {0}};
    char *program = NULL;
    int status;
    memcpy(used, bindings, (both ? 4 : 2) * sizeof(used[0]));
    status = synthesise(bench, "nodes", NULL, variables, used, &program);
    for (size_t i = 0; !status && i < count_media(bench); i++) {
        use_medium(&media[i]);
        status = measure_streams(bench, &media[i], program, both, bytes);
    }
    dal_free(program);
    return status;
}

/* ---- a lone token ---------------------------------------------------------------------------- */

static int bench_latency(struct bench *bench)
{
    static const struct bench_binding bindings[] = {{.process = "Ping", .processor = "n0/core_0"},
                                                    {.process = "Pong", .processor = "n1/core_1"},
                                                    {0}};
    const struct bench_variable variables[] = {{0}};
    struct ranks ranks[2] = {
        {.bench = bench, .work = "ping", .count = 2, .streams = 1, .bytes = 4, .batch = 1}};
    const struct bench_side mine = {.run = run_ranks, .context = &ranks[0]};
    const struct bench_side limit = {.run = run_ranks, .context = &ranks[1]};
    struct bench_record record = {.experiment = "nodes", .param = 4, .unit = "us"};
    char *program = NULL;
    int status = synthesise(bench, "echo", NULL, variables, bindings, &program);
    ranks[0].tokens = bench->effort.repetitions == 1 ? 100 : PINGS;
    ranks[1] = ranks[0];
    ranks[0].program = program;
    for (size_t i = 0; !status && i < count_media(bench); i++) {
        use_medium(&media[i]);
        snprintf(record.name, sizeof(record.name), "%s, there and back", media[i].name);
        status = bench_compare(bench, &record, &mine, &limit, 1);
    }
    dal_free(program);
    return status;
}

/* ---- nothing to do --------------------------------------------------------------------------- */

/* Returns the busiest rank's part of a core, in percent, or 0 if some rank does not tell. */
static double read_idle(const char *output)
{
    const char *line = output;
    double most = 0;
    int found = 0;
    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        double used, of;
        if (sscanf(line, "used %lf ns of %lf", &used, &of) != 2)
            continue;
        found++;
        most = 100 * used / of > most ? 100 * used / of : most;
    }
    return found == NODES ? most : 0;
}

static int run_idle(void *context, struct bench_result *result)
{
    const struct ranks *ranks = context;
    const char *command[] = {ranks->program,     "-p", "Send.tokens=2", "-p", "", "-p",
                             "Receive.tokens=2", NULL};
    char pause[BENCH_NAME];
    struct bench_run run;
    int status;
    snprintf(pause, sizeof(pause), "Send.pause=%d",
             ranks->bench->effort.repetitions == 1 ? 100 : 2000);
    command[4] = pause;
    status = start_ranks(ranks->bench, NODES, command, &run);
    if (status)
        return status;
    result->value = read_idle(run.output);
    if (result->value <= 0) {
        dal_log(DAL_LOG_ERROR, "%s says: %s", ranks->program, run.output);
        status = DAL_ERR_PROCESS;
    }
    dal_free(run.output);
    return status;
}

static int run_allowed(void *context, struct bench_result *result)
{
    (void)context;
    result->value = 2;
    return DAL_OK;
}

/* Measures idle ranks, in which each node sends to the next. */
static int bench_idle(struct bench *bench)
{
    char names[2 * NODES][BENCH_NAME], places[2 * NODES][BENCH_NAME];
    struct bench_binding bindings[2 * NODES + 1] = {{0}};
    const struct bench_variable variables[] = {{"streams", NODES}, {0}};
    struct ranks ranks = {.bench = bench};
    const struct bench_side mine = {.run = run_idle, .context = &ranks};
    const struct bench_side limit = {.run = run_allowed, .name = "what is allowed"};
    const struct bench_record record = {
        .experiment = "nodes", .name = "nothing to do", .param = NODES, .unit = "% of a core"};
    char *program = NULL;
    int status;
    for (int i = 0; i < 2 * NODES; i++) {
        snprintf(names[i], sizeof(names[i]), "%s_%d", i % 2 ? "Receive" : "Send", i / 2);
        snprintf(places[i], sizeof(places[i]), "n%d/core_0", (i / 2 + i % 2) % NODES);
        bindings[i] = bench_bind(names[i], 0, places[i], 0, 0);
    }
    status = synthesise(bench, "nodes", "idle", variables, bindings, &program);
    ranks.program = program;
    use_medium(&media[0]);
    if (!status)
        status = bench_measure(bench, &record, &mine, &limit, 1);
    dal_free(program);
    return status;
}

int bench_nodes(struct bench *bench)
{
    static const long sizes[] = {4, 64, 1024, 65536, 1048576};
    size_t i;
    int both, status = DAL_OK;
#ifndef DALBENCH_MPI
    bench_say("nodes: dal was built without MPI, nothing to measure");
    return DAL_OK;
#endif
    for (both = 0; both < 2; both++)
        for (i = 0; !status && i < sizeof(sizes) / sizeof(sizes[0]);
             i += bench->effort.fine ? 1 : 3)
            status = bench_streams(bench, both, sizes[i]);
    if (!status)
        status = bench_latency(bench);
    return status ? status : bench_idle(bench);
}
