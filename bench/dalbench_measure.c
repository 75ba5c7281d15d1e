/* Runs two sides in turn, and computes the results. */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPETITIONS = 64 };

/* Runs a fixed loop. *longest becomes the time it takes, if that is longer: then something else
 * is running. */
static void time_loop(double *longest)
{
    enum { ROUNDS = 6000000 };
    volatile uint32_t sink;
    uint32_t x = 1;
    int64_t start = dal_now_ns();
    for (int i = 0; i < ROUNDS; i++)
        x = (x ^ x >> 15) * 2654435761u; /* each waits for the one before */
    sink = x;
    (void)sink;
    *longest = fmax(*longest, (double)(dal_now_ns() - start));
}

/* The runs of one side. */
struct series {
    double values[MOST_REPETITIONS];
    int count;
};

void bench_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("dalbench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median, and sorts the series. */
static double median(struct series *series)
{
    int n = series->count;
    qsort(series->values, (size_t)n, sizeof(double), compare_doubles);
    return n % 2 ? series->values[n / 2] : (series->values[n / 2 - 1] + series->values[n / 2]) / 2;
}

void bench_name(const struct bench_record *record, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", record->name, record->against ? ", against " : "",
             record->against ? record->against : "");
}

int bench_add(struct bench *bench, const struct bench_record *record)
{
    char name[2 * BENCH_NAME];
    int status = dal_grow(&bench->records, bench->record_count, &bench->record_room,
                          sizeof(*bench->records));
    if (status)
        return status;
    bench->records[bench->record_count++] = *record;
    bench_name(record, name, sizeof(name));
    if (record->has_limit)
        bench_say("%-10s %-46s %9.6g  %10.4g %-9s limit %10.4g  ratio %.3g", record->experiment,
                  name, record->param, record->value, record->unit, record->limit, record->ratio);
    else
        bench_say("%-10s %-46s %9.6g  %10.4g %s", record->experiment, name, record->param,
                  record->value, record->unit);
    return DAL_OK;
}

static int record_pair(struct bench *bench, const struct bench_record *model, struct series *ours,
                       struct series *limit, const char *limit_name)
{
    struct bench_record record = *model;
    record.value = median(ours);
    record.value_min = ours->values[0];
    record.value_max = ours->values[ours->count - 1];
    if (limit) {
        record.has_limit = 1;
        record.limit = median(limit);
        record.limit_min = limit->values[0];
        record.limit_max = limit->values[limit->count - 1];
        record.ratio = record.rate ? record.value / record.limit : record.limit / record.value;
    }
    record.against = limit_name;
    return bench_add(bench, &record);
}

int bench_agree(struct bench *bench, const struct bench_record *model,
                const struct bench_side *ours, const struct bench_side *limits, int count,
                struct bench_result *found)
{
    struct bench_result other;
    int status;
    *found = (struct bench_result){0};
    status = ours->run(ours->context, found);
    for (int i = 0; !status && i < count; i++) {
        other = (struct bench_result){0};
        status = limits[i].run(limits[i].context, &other);
        if (status || !found->has_sum || !other.has_sum || found->sum == other.sum)
            continue;
        dal_log(DAL_LOG_ERROR,
                "%s, %s, %g: the network's sum is %016" PRIx64 ", that of the limit %016" PRIx64,
                model->experiment, model->name, model->param, found->sum, other.sum);
        bench->differences++;
        status = DAL_ERR_PROCESS;
    }
    return status;
}

static int run_once(const struct bench_side *side, struct series *series)
{
    struct bench_result result = {0};
    int status = side->run(side->context, &result);
    if (!status)
        series->values[series->count++] = result.value;
    return status;
}

int bench_measure(struct bench *bench, const struct bench_record *model,
                  const struct bench_side *ours, const struct bench_side *limits, int limit_count)
{
    struct series mine = {.count = 0}, theirs[BENCH_LIMITS] = {{.count = 0}};
    struct bench_record timed = *model;
    int status = DAL_OK;
    for (int k = 0; !status && k < bench->effort.repetitions && k < MOST_REPETITIONS; k++) {
        if (k > 0 && bench->end_ns && dal_now_ns() > bench->end_ns) {
            bench->cut++;
            break;
        }
        status = run_once(ours, &mine);
        for (int i = 0; !status && i < limit_count; i++)
            status = run_once(&limits[i], &theirs[i]);
        if (bench->effort.thesis)
            time_loop(&timed.loop_ns);
    }
    if (!status && limit_count == 0)
        status = record_pair(bench, &timed, &mine, NULL, NULL);
    for (int i = 0; !status && i < limit_count; i++)
        status = record_pair(bench, &timed, &mine, &theirs[i], limits[i].name);
    return status;
}

int bench_compare(struct bench *bench, const struct bench_record *model,
                  const struct bench_side *ours, const struct bench_side *limits, int limit_count)
{
    struct bench_result found;
    int status = bench_agree(bench, model, ours, limits, limit_count, &found);
    return status ? status : bench_measure(bench, model, ours, limits, limit_count);
}

int bench_run_program(void *context, struct bench_result *result)
{
    struct bench_program *program = context;
    const char *argv[2 * BENCH_ARGS + 2];
    struct bench_run run;
    double tokens;
    int64_t ns;
    int count = 0, status;
    argv[count++] = program->file;
    for (int i = 0; i < BENCH_ARGS && program->arguments[i]; i++) {
        argv[count++] = "-p";
        argv[count++] = program->arguments[i];
    }
    argv[count] = NULL;
    status = bench_execute(program->bench, NULL, argv, &run);
    if (status)
        return status;
    if (sscanf(run.output, "tokens %lf ns %" SCNd64 " sum %" SCNx64, &tokens, &ns, &result->sum) !=
            3 ||
        tokens <= 0 || ns <= 0) {
        dal_log(DAL_LOG_ERROR, "%s says: %s", program->file, run.output);
        status = DAL_ERR_PROCESS;
    } else {
        result->has_sum = 1;
        result->value = program->rate ? program->scale * tokens / (double)ns
                                      : program->scale * (double)ns / tokens;
    }
    dal_free(run.output);
    return status;
}

long bench_tokens(const struct bench *bench, long sample, double ns, long unit)
{
    double wanted = (double)sample * (double)bench->effort.run_ns / (ns > 1 ? ns : 1);
    long units = (long)ceil(fmin(wanted, 4e9) / (double)unit);
    return (units > 0 ? units : 1) * unit;
}

int bench_probe(const struct bench *bench, const struct bench_side *side, double ns, long sample,
                long unit, long *tokens)
{
    struct bench_result probe = {0};
    int status;
    *tokens = sample;
    status = side->run(side->context, &probe);
    if (!status)
        status = side->run(side->context, &probe);
    *tokens = bench_tokens(bench, 1, probe.value * ns, unit);
    return status;
}
