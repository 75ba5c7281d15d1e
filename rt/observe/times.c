#include "rt/observe/times.h"

#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/base/histogram.h"
#include "rt/base/json.h"
#include "rt/base/setting.h"
#include "rt/device/launcher.h"

#include <inttypes.h>
#include <string.h>

/* The most that the reader accepts (spec/base/limits.h). */
#define MOST_NS ((double)((uint64_t)1 << 40))

const char *dal__times_type(const struct dal_process *process)
{
    static const char *const types[] = {
        [DAL_PROCESS_C] = "c", [DAL_PROCESS_KPN] = "kpn", [DAL_PROCESS_DEVICE] = "opencl"};
    const struct dal_launcher *launcher = process->launcher;
    if (launcher && strcmp(launcher->replicas[0].queue->device->backend->capability, "CUDA") == 0)
        return "cuda";
    return types[process->desc->kind];
}

/* Prints a number with a point in any locale. */
static void print_ns(FILE *file, const char *name, double ns)
{
    uint64_t millionths = (uint64_t)(1e6 * (ns < MOST_NS ? ns : MOST_NS) + 0.5);
    fprintf(file, "\"%s\": %" PRIu64 ".%06" PRIu64, name, millionths / 1000000,
            millionths % 1000000);
}

/* The times of a process on one processor or device. */
struct entry {
    const struct dal_process_desc *desc;
    const char *type, *on;
    const struct dal_histogram *times;
    const struct dal_curve *curve; /* NULL on cores */
    uint64_t firings;              /* firings of the process for each of `times` */
    int together;                  /* processes that share this time */
};

static void print_quantiles(FILE *file, const struct entry *entry)
{
    double scale = 1 / ((double)entry->firings * entry->together);
    fputs("\"ns\": {", file);
    print_ns(file, "mean", scale * dal_histogram_mean(entry->times));
    fputs(", ", file);
    print_ns(file, "p10", scale * dal_histogram_quantile(entry->times, 0.1));
    fputs(", ", file);
    print_ns(file, "median", scale * dal_histogram_quantile(entry->times, 0.5));
    fputs(", ", file);
    print_ns(file, "p99", scale * dal_histogram_quantile(entry->times, 0.99));
    fputs("}", file);
}

static void print_entry(FILE *file, const struct entry *entry, int *count)
{
    const struct dal_process_desc *desc = entry->desc;
    uint64_t counted = dal_histogram_count(entry->times);
    if (counted == 0)
        return;
    fprintf(file, "%s  {\"process\": ", (*count)++ ? ",\n" : "");
    dal_json_print(file, desc->name);
    fputs(", \"source\": ", file);
    dal_json_print(file, desc->source ? desc->source : "");
    fprintf(file, ", \"type\": \"%s\", \"on\": ", entry->type);
    dal_json_print(file, entry->on);
    fputs(",\n   \"key\": ", file);
    dal_json_print(file, desc->key ? desc->key : "");
    fprintf(file, ", \"copies\": %" PRIu32 ", \"items\": %" PRIu32 ", \"firings\": %" PRIu64,
            desc->shadow_copies ? desc->shadow_copies : 1, desc->work_items ? desc->work_items : 1,
            counted * entry->firings);
    if (entry->together > 1)
        fprintf(file, ", \"together\": %d", entry->together);
    fputs(",\n   ", file);
    print_quantiles(file, entry);
    if (entry->curve)
        dal_curve_print(file, ",\n   ", entry->curve, entry->firings, entry->together);
    fputs("}", file);
}

static void print_launched(FILE *file, const struct dal_process *process, int *count)
{
    const struct dal_launcher *launcher = process->launcher;
    for (int i = 0; i < launcher->replica_count; i++) {
        const struct dal_launcher_replica *replica = &launcher->replicas[i];
        struct entry entry = {.desc = process->desc,
                              .type = dal__times_type(process),
                              .on = replica->queue->device->info.identifier,
                              .times = replica->times,
                              .curve = replica->curve,
                              .firings = dal_launcher_round(process),
                              .together = launcher->actor.count};
        print_entry(file, &entry, count);
    }
}

static void print_fired(FILE *file, const struct dal_process *process, int *count)
{
    struct dal_histogram times = {0};
    struct entry entry = {.desc = process->desc,
                          .type = "c",
                          .on = "core",
                          .times = &times,
                          .firings = 1,
                          .together = 1};
    for (int i = 0; i < process->host.copy_count; i++)
        dal_histogram_merge(&times, process->host.copies[i].times);
    print_entry(file, &entry, count);
}

static void print_times(const struct dal_network *network, FILE *file, const void *item)
{
    int count = 0;
    (void)item;
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        if (process->launcher)
            print_launched(file, process, &count);
        else if (!process->ops->is_proxy)
            print_fired(file, process, &count);
    }
}

const struct dal_section dal__times_section = {NULL, DAL_ITEMS_ONE, print_times};

static int print_file(FILE *file, const struct dal_reports *all)
{
    struct dal_cores cores;
    int known = dal_cores_init(&cores);
    if (known == DAL_ERR_NOMEM)
        return dal_no_memory();
    fputs("{\"dal-times\": 2,\n \"machine\": {\"cores\": ", file);
    dal_json_print(file, known == DAL_OK ? cores.model : "unknown");
    fputs("},\n \"times\": [\n", file);
    dal__reports_print(file, all, DAL_STATS_TIMES, ",\n");
    fputs("\n]}\n", file);
    if (known == DAL_OK)
        dal_cores_finish(&cores);
    return DAL_OK;
}

static const char *file_name(void)
{
    return dal_setting_wanted("DAL_TIMES");
}

const struct dal_observer dal_observe_times = {.name = "times",
                                               .variable = "DAL_TIMES=",
                                               .file_name = file_name,
                                               .needs = DAL_NEEDS_TIMES | DAL_NEEDS_SPREADS |
                                                        DAL_NEEDS_REPORT,
                                               .print = print_file};
