/* The cores, sources and limits that the parts of the experiment `cores` share. */
#include "bench/dalbench_cores.h"

#include "rt/base/alloc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

void cores_list_init(const struct bench *bench, struct cores_list *list, int count)
{
    size_t p = 0, n = (size_t)snprintf(list->numbers, CORES_TEXT, "cores=");
    list->count = count;
    for (int i = 0; i < count && p < CORES_TEXT && n < CORES_TEXT; i++) {
        p += (size_t)snprintf(list->processors + p, CORES_TEXT - p, "%score_%d", i ? " " : "", i);
        n += (size_t)snprintf(list->numbers + n, CORES_TEXT - n, "%s%d", i ? "," : "",
                              bench->cores.numbers[i]);
    }
}

char *cores_source(struct bench *bench, const char *name)
{
    char *given = dal_format("%s/%s", bench->apps, name), *whole = NULL;
    char path[PATH_MAX];
    if (given && realpath(given, path))
        whole = dal_strdup(path);
    else if (given)
        dal_log(DAL_LOG_ERROR, "no file %s", given);
    dal_free(given);
    return whole;
}

int cores_counts(const struct bench *bench, int counts[CORES_COUNTS])
{
    static const int all[] = {1, 2, 4, 8, 16, 24, 32, 64, 128};
    int used = 0;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if ((size_t)all[i] <= bench->cores.count && (!bench_is_tiny(bench) || all[i] <= 2))
            counts[used++] = all[i];
    return used;
}

/* Adds the last figure once more, beside something that was not run in turn with it. */
static int add_against(struct bench *bench, const char *against, double limit)
{
    struct bench_record r = bench->records[bench->record_count - 1];
    r.against = against;
    r.has_limit = 1;
    r.limit = r.limit_min = r.limit_max = limit;
    r.ratio = r.rate ? r.value / limit : limit / r.value;
    return bench_add(bench, &r);
}

int cores_add_limits(struct bench *bench, double limit, double *best)
{
    const struct bench_record *last = &bench->records[bench->record_count - 1];
    double found = last->value, before = *best;
    int is_better = last->rate ? found > before : found < before;
    int status = add_against(bench, CORES_LIMIT, limit);
    if (!status && before > 0)
        status = add_against(bench, CORES_FEWER, before);
    *best = before > 0 && !is_better ? before : found;
    return status;
}
