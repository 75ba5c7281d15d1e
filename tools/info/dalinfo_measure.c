#define _GNU_SOURCE
#include "tools/info/dalinfo_measure.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/output.h"
#include "rt/base/sha256.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* Up to FEW_CORES, each pair is measured, each way. With more cores, one pair of each nearness
 * stands for the others. Beyond MANY_CORES, only the measured pairs are written. */
enum { FEW_CORES = 4, MANY_CORES = 64 };

/* One measurement. Processors have their numbers in the architecture. */
struct job {
    enum dal_cost_kind kind;
    size_t from, to;
    int stands_for_all; /* True when it stands for cores equally near, or with the same memory. */
    int is_done;
    double latency_ns, spread_ns, bandwidth;
};

struct measured {
    const struct dal_cores *cores;
    const struct dal_device_list *devices;
    struct job *jobs;
    size_t count, room;
    time_t at;
};

/* The time of each kind of measurement, relative to the others. */
static const int weights[DAL_COST_KINDS] = {
    [DAL_COST_FIRING] = 1, [DAL_COST_WAKE] = 2,  [DAL_COST_TOKEN] = 4,  [DAL_COST_COPY] = 2,
    [DAL_COST_LAUNCH] = 2, [DAL_COST_BATCH] = 2, [DAL_COST_UPLOAD] = 3, [DAL_COST_DOWNLOAD] = 3,
};

/* ---- values ---------------------------------------------------------------------------------- */

/* The signal that has come, or 0. Any thread may set or read it. */
static _Atomic int signal_number;

/* Returns whether a signal asked for the end. Any thread. */
static int is_over(void)
{
    return atomic_load_explicit(&signal_number, memory_order_relaxed) != 0;
}

int measure_add(const struct measure_run *run, struct measure_series *series, double value)
{
    series->values[series->count++] = value;
    if (is_over() || series->count == MEASURE_VALUES)
        return 0;
    return series->count < MEASURE_LEAST || dal_now_ns() < run->until_ns;
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns a percentile of a sorted series, which is not empty; `part` is from 0 to 1. */
static double percentile(const struct measure_series *series, double part)
{
    return series->values[(size_t)(part * (double)(series->count - 1) + 0.5)];
}

static void conclude_job(struct job *job, struct measure_run *run)
{
    const struct dal_cost_rule *rule = &dal_cost_rules[job->kind];
    if (((rule->has & DAL_COST_HAS_LATENCY) && run->latency.count == 0) ||
        ((rule->has & DAL_COST_HAS_BANDWIDTH) && run->bandwidth.count == 0))
        return;
    qsort(run->latency.values, run->latency.count, sizeof(double), compare_values);
    qsort(run->bandwidth.values, run->bandwidth.count, sizeof(double), compare_values);
    if (rule->has & DAL_COST_HAS_LATENCY) {
        job->latency_ns = percentile(&run->latency, 0.5);
        job->spread_ns = (percentile(&run->latency, 0.9) - percentile(&run->latency, 0.1)) / 2;
    }
    if (rule->has & DAL_COST_HAS_BANDWIDTH)
        job->bandwidth = percentile(&run->bandwidth, 0.5);
    job->is_done = 1;
}

/* ---- what there is to measure ---------------------------------------------------------------- */

static int add_job(struct measured *measured, struct job job)
{
    int status =
        dal_grow(&measured->jobs, measured->count, &measured->room, sizeof(*measured->jobs));
    if (status < 0)
        return status;
    measured->jobs[measured->count++] = job;
    return DAL_OK;
}

static enum dal_near near(const struct measured *measured, size_t a, size_t b)
{
    return dal_cores_near(&measured->cores->places[a], &measured->cores->places[b]);
}

/* Adds the firings on each core, or on some if there are very many. */
static int add_firings(struct measured *measured)
{
    size_t count = measured->cores->count, some = count < MANY_CORES ? count : MANY_CORES;
    int status = DAL_OK;
    for (size_t i = 0; i < some && status == DAL_OK; i++) {
        size_t core = i * count / some;
        status = add_job(measured, (struct job){DAL_COST_FIRING, .from = core, .to = core});
    }
    return status;
}

/* Adds the copies on the first core of each memory. */
static int add_copies(struct measured *measured)
{
    const struct dal_cores *cores = measured->cores;
    size_t k;
    int status = DAL_OK;
    for (size_t i = 0; i < cores->count && status == DAL_OK; i++) {
        for (k = 0; k < i && cores->places[k].memory != cores->places[i].memory; k++)
            continue;
        if (k == i)
            status = add_job(measured, (struct job){DAL_COST_COPY, .from = i, .to = i,
                                                    .stands_for_all = cores->count <= MANY_CORES});
    }
    return status;
}

static int add_each_pair(struct measured *measured, enum dal_cost_kind kind)
{
    size_t count = measured->cores->count;
    int status = DAL_OK;
    for (size_t i = 0; i < count * count && status == DAL_OK; i++)
        if (i / count != i % count)
            status = add_job(measured, (struct job){kind, .from = i / count, .to = i % count});
    return status;
}

/* Adds the first pair of a nearness, if there is one. */
static int add_nearness(struct measured *measured, enum dal_cost_kind kind, enum dal_near wanted)
{
    size_t count = measured->cores->count;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++)
            if (near(measured, i, k) == wanted)
                return add_job(measured, (struct job){kind, .from = i, .to = k,
                                                      .stands_for_all = count <= MANY_CORES});
    return DAL_OK;
}

static int add_pairs(struct measured *measured, enum dal_cost_kind kind)
{
    int status = DAL_OK;
    if (measured->cores->count <= FEW_CORES)
        return add_each_pair(measured, kind);
    for (int wanted = DAL_NEAR_L1; wanted <= DAL_NEAR_NOTHING && status == DAL_OK; wanted++)
        status = add_nearness(measured, kind, (enum dal_near)wanted);
    return status;
}

/* Adds a device. Only devices with their own memory have transfers. */
static int add_device(struct measured *measured, size_t number)
{
    static const enum dal_cost_kind kinds[] = {DAL_COST_LAUNCH, DAL_COST_BATCH, DAL_COST_UPLOAD,
                                               DAL_COST_DOWNLOAD};
    size_t count = measured->devices->info[number].traits.unified ? 2 : 4, i;
    int status = DAL_OK;
    for (i = 0; i < count && status == DAL_OK; i++)
        status = add_job(measured, (struct job){kinds[i], .from = number, .to = number});
    return status;
}

static int list_jobs(struct measured *measured)
{
    int status = add_firings(measured);
    if (status == DAL_OK)
        status = add_pairs(measured, DAL_COST_WAKE);
    if (status == DAL_OK)
        status = add_pairs(measured, DAL_COST_TOKEN);
    if (status == DAL_OK)
        status = add_copies(measured);
    for (size_t i = 0; i < measured->devices->count && status == DAL_OK; i++)
        status = add_device(measured, i);
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "--measure: %s", dal_strerror(status));
    return status;
}

/* ---- devices --------------------------------------------------------------------------------- */

const char *device_kind(const struct dal_device_info *info)
{
    return strcmp(info->backend->capability, "CUDA") == 0 ? "cuda" : "device";
}

size_t device_number(const struct dal_device_list *devices, size_t i)
{
    size_t number = 0;
    for (size_t k = 0; k < i; k++)
        number += strcmp(device_kind(&devices->info[k]), device_kind(&devices->info[i])) == 0;
    return number;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* The open device. */
struct bench {
    struct measure_device *device;
    size_t number;
    int failed; /* True when it could not be opened. */
    char name[32];
};

static void close_bench(struct bench *bench)
{
    measure_device_close(bench->device);
    *bench = (struct bench){.number = SIZE_MAX};
}

static int open_bench(const struct measured *measured, struct bench *bench, size_t number)
{
    if (bench->number != number) {
        close_bench(bench);
        bench->number = number;
        snprintf(bench->name, sizeof(bench->name), "%s_%zu",
                 device_kind(&measured->devices->info[number]),
                 device_number(measured->devices, number));
        bench->failed =
            measure_device_open(&bench->device, &measured->devices->info[number], bench->name) < 0;
    }
    return bench->failed ? DAL_ERR_NODEVICE : DAL_OK;
}

static int run_job(const struct measured *measured, struct bench *bench, const struct job *job,
                   struct measure_run *run)
{
    const int *numbers = measured->cores->numbers;
    int status;
    switch (job->kind) {
    case DAL_COST_FIRING:
        return measure_firing(run, numbers[job->from]);
    case DAL_COST_WAKE:
        return measure_wake(run, numbers[job->from], numbers[job->to]);
    case DAL_COST_TOKEN:
        return measure_token(run, numbers[job->from], numbers[job->to]);
    case DAL_COST_COPY:
        return measure_copy(run, measured->cores, numbers[job->from]);
    default:
        break;
    }
    status = open_bench(measured, bench, job->from);
    if (status < 0)
        return status;
    return job->kind == DAL_COST_LAUNCH   ? measure_launch(run, bench->device)
           : job->kind == DAL_COST_BATCH  ? measure_batch(run, bench->device)
           : job->kind == DAL_COST_UPLOAD ? measure_upload(run, bench->device)
                                          : measure_download(run, bench->device);
}

/* Returns this job's share of the time that is left. All jobs of a kind share its weight, few or
 * many. */
static int64_t share_of(const struct measured *measured, size_t number, int64_t left_ns)
{
    double jobs[DAL_COST_KINDS] = {0}, all = 0;
    for (size_t i = 0; i < measured->count; i++)
        jobs[measured->jobs[i].kind]++;
    for (size_t i = number; i < measured->count; i++)
        all += weights[measured->jobs[i].kind] / jobs[measured->jobs[i].kind];
    if (left_ns <= 0)
        return 0;
    return (int64_t)((double)left_ns * weights[measured->jobs[number].kind] /
                     jobs[measured->jobs[number].kind] / all);
}

static int is_of_core(const struct job *job)
{
    return dal_cost_rules[job->kind].of == DAL_COST_OF_CORE;
}

static const char *processor_kind(const struct measured *measured, const struct job *job)
{
    return is_of_core(job) ? "core" : device_kind(&measured->devices->info[job->from]);
}

static size_t processor_number(const struct measured *measured, const struct job *job, size_t i)
{
    return is_of_core(job) ? i : device_number(measured->devices, i);
}

static void show_progress(const struct measured *measured, size_t number)
{
    const struct job *job = &measured->jobs[number];
    char to[32] = "";
    if (job->from != job->to)
        snprintf(to, sizeof(to), " to %s_%zu", processor_kind(measured, job), job->to);
    dal_progress_show("%zu of %zu: %s, %s_%zu%s", number + 1, measured->count,
                      dal_cost_rules[job->kind].name, processor_kind(measured, job),
                      processor_number(measured, job, job->from), to);
}

static void run_jobs(struct measured *measured, int64_t until_ns)
{
    static struct measure_run run;
    struct bench bench = {.number = SIZE_MAX};
    dal_progress_begin();
    for (size_t i = 0; i < measured->count && !is_over(); i++) {
        struct job *job = &measured->jobs[i];
        int64_t now_ns = dal_now_ns();
        show_progress(measured, i);
        run.latency.count = run.bandwidth.count = 0;
        run.until_ns = now_ns + share_of(measured, i, until_ns - now_ns);
        if (run_job(measured, &bench, job, &run) == DAL_OK)
            conclude_job(job, &run);
        if (!job->is_done && !is_over())
            dal_log(DAL_LOG_WARNING, "cost '%s' of %s_%zu is not known",
                    dal_cost_rules[job->kind].name, processor_kind(measured, job),
                    processor_number(measured, job, job->from));
    }
    close_bench(&bench);
    dal_progress_end();
}

/* ---- signals --------------------------------------------------------------------------------- */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static void note_signal(int number)
{
    atomic_store_explicit(&signal_number, number, memory_order_relaxed);
}

void measure_guard(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND}, old;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

int measure_machine(struct measured **result, const struct dal_cores *cores,
                    const struct dal_device_list *devices, double seconds, int *number)
{
    struct measured *measured = dal_calloc(1, sizeof(*measured));
    int64_t until_ns = dal_now_ns() + (int64_t)(seconds * 1e9);
    int status;
    *result = measured;
    if (!measured)
        return DAL_ERR_NOMEM;
    measured->cores = cores;
    measured->devices = devices;
    measured->at = time(NULL);
    status = list_jobs(measured);
    if (status == DAL_OK) {
        run_jobs(measured, until_ns);
        *number = atomic_load(&signal_number);
        status = *number ? DAL_ERR_INTERRUPTED : DAL_OK;
    }
    if (status < 0) {
        measure_free(measured);
        *result = NULL;
    }
    return status;
}

void measure_free(struct measured *measured)
{
    if (!measured)
        return;
    dal_free(measured->jobs);
    dal_free(measured);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes a number as the schema wants it: without an exponent, in the unit that makes it short. */
static void write_quantity(FILE *out, const char *name, double value, const char *const *units,
                           double step, double first)
{
    size_t unit = 0;
    value /= first;
    while (units[unit + 1] && value >= step) {
        value /= step;
        unit++;
    }
    fprintf(out, " %s=\"%.*f%s\"", name, value < 10 ? 3 : value < 100 ? 2 : 1, value, units[unit]);
}

static void write_time(FILE *out, const char *name, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    write_quantity(out, name, ns, units, 1000, 1);
}

static double between(double least, double value, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* Writes values within the format's range: no time is 0 or above 10 s. */
static void write_values(FILE *out, const struct job *job)
{
    static const char *const rates[] = {"kB/s", "MB/s", "GB/s", "TB/s", NULL};
    enum dal_cost_has has = dal_cost_rules[job->kind].has;
    if (has & DAL_COST_HAS_LATENCY) {
        write_time(out, "latency", between(0.001, job->latency_ns, 1e10));
        write_time(out, "spread", between(0, job->spread_ns, 1e10));
    }
    if (has & DAL_COST_HAS_BANDWIDTH)
        write_quantity(out, "bandwidth", between(1e3, job->bandwidth, 1.2e13), rates, 1000, 1e3);
}

static void write_cost(FILE *out, const struct measured *measured, const struct job *job,
                       size_t from, size_t to)
{
    const struct dal_cost_rule *rule = &dal_cost_rules[job->kind];
    const char *kind = processor_kind(measured, job);
    fprintf(out, "    <cost of=\"%s\"", rule->name);
    if (rule->place == DAL_COST_ON)
        fprintf(out, " on=\"%s_%zu\"", kind, processor_number(measured, job, from));
    else
        fprintf(out, " from=\"%s_%zu\" to=\"%s_%zu\"", kind, from, kind, to);
    write_values(out, job);
    fprintf(out, "/>\n");
}

/* Returns whether a job on other cores stands for these. */
static int stands_for(const struct measured *measured, const struct job *job, size_t from,
                      size_t to)
{
    if (dal_cost_rules[job->kind].place == DAL_COST_ON)
        return from == to &&
               measured->cores->places[from].memory == measured->cores->places[job->from].memory;
    return from < to && near(measured, from, to) == near(measured, job->from, job->to);
}

static void write_job(FILE *out, const struct measured *measured, const struct job *job)
{
    size_t count = measured->cores->count;
    if (!job->is_done)
        return;
    if (!job->stands_for_all) {
        write_cost(out, measured, job, job->from, job->to);
        return;
    }
    for (size_t from = 0; from < count; from++)
        for (size_t to = from; to < count; to++)
            if (stands_for(measured, job, from, to))
                write_cost(out, measured, job, from, to);
}

static void devices_digest(const struct dal_device_list *devices, char text[DAL_CORES_DIGEST])
{
    struct dal_sha256 sha;
    unsigned char digest[DAL_SHA256_BYTES];
    dal_sha256_begin(&sha);
    for (size_t i = 0; i < devices->count; i++) {
        const struct dal_device_info *info = &devices->info[i];
        const char *const said[] = {info->identifier, info->platform, info->platform_version,
                                    info->driver};
        for (size_t k = 0; k < sizeof(said) / sizeof(said[0]); k++)
            dal_sha256_add(&sha, said[k], strlen(said[k]) + 1);
    }
    dal_sha256_end(&sha, digest);
    dal_sha256_hex(digest, DAL_CORES_DIGEST - 1, text);
}

void measure_write(FILE *out, const struct measured *measured)
{
    char cores[DAL_CORES_DIGEST], devices[DAL_CORES_DIGEST], at[32];
    struct tm moment;
    dal_cores_digest(measured->cores, cores);
    devices_digest(measured->devices, devices);
    gmtime_r(&measured->at, &moment);
    strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", &moment);
    fprintf(out,
            "\n  <measured at=\"%s\" by=\"dalinfo %s\"\n"
            "            cores=\"%s\" devices=\"%s\">\n",
            at, PACKAGE_VERSION, cores, devices);
    for (size_t i = 0; i < measured->count; i++)
        write_job(out, measured, &measured->jobs[i]);
    fprintf(out, "  </measured>\n");
}
