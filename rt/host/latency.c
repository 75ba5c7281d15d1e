#include "rt/host/latency.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

int dal_latency_init(struct dal_latency *latency, const struct dal_latency_desc *desc,
                     struct dal_probe *from, struct dal_probe *to)
{
    latency->desc = desc;
    latency->slots = dal_calloc_apart(DAL_LATENCY_SLOTS, sizeof(*latency->slots));
    if (!latency->slots)
        return DAL_ERR_NOMEM;
    latency->next_begin = from->begins;
    from->begins = latency;
    latency->next_end = to->ends;
    to->ends = latency;
    return DAL_OK;
}

void dal_latency_finish(struct dal_latency *latency)
{
    dal_free(latency->slots);
    latency->slots = NULL;
}

int dal_latency_is_kept(const struct dal_latency *latency)
{
    return 1e6 * (double)dal_count_get(latency->misses) <=
           (double)latency->desc->late_ppm * (double)dal_count_get(latency->times.count);
}

static void begin_iteration(struct dal_latency *latency, uint64_t iteration, int64_t now_ns)
{
    struct dal_latency_slot *slot = &latency->slots[iteration % DAL_LATENCY_SLOTS];
    atomic_store_explicit(&slot->started, iteration + 1, memory_order_relaxed);
    atomic_store_explicit(&slot->begin_ns, now_ns, memory_order_release);
    atomic_store_explicit(&slot->number, iteration + 1, memory_order_release);
}

static void count_time(struct dal_latency *latency, int64_t time_ns, struct dal_probe_wait wait)
{
    if (time_ns > 0 && (double)time_ns > dal_count_get(latency->times.most))
        latency->longest = wait;
    dal_histogram_add_one(&latency->times, (double)time_ns);
    if (time_ns > latency->desc->max_ns)
        dal_count_add(latency->misses, 1);
}

static void end_iteration(struct dal_latency *latency, uint64_t iteration, int64_t now_ns,
                          struct dal_probe_wait wait)
{
    struct dal_latency_slot *slot = &latency->slots[iteration % DAL_LATENCY_SLOTS];
    uint64_t number = atomic_load_explicit(&slot->number, memory_order_acquire);
    int64_t begin_ns = atomic_load_explicit(&slot->begin_ns, memory_order_acquire);
    uint64_t started = atomic_load_explicit(&slot->started, memory_order_relaxed);
    if (number < iteration + 1)
        count_time(latency, 0, wait);
    else if (number > iteration + 1 || started != number)
        dal_count_add(latency->lost, 1);
    else
        count_time(latency, now_ns - begin_ns, wait);
}

/* Returns the iterations that have begun once so many firings have begun. */
static uint64_t iterations_begun(const struct dal_probe *marks, uint64_t firings)
{
    return (firings + marks->repetitions - 1) / marks->repetitions;
}

/* Returns the first iteration to write: if there are more than slots, only the last ones count. */
static uint64_t last_slots(uint64_t first, uint64_t end)
{
    return end - first > DAL_LATENCY_SLOTS ? end - DAL_LATENCY_SLOTS : first;
}

void dal_probe_begin(struct dal_probe *marks, uint64_t firings, int64_t now_ns)
{
    uint64_t first = iterations_begun(marks, marks->begun), end;
    struct dal_latency *latency;
    marks->begun += firings;
    end = iterations_begun(marks, marks->begun);
    for (first = last_slots(first, end); first < end; first++)
        for (latency = marks->begins; latency; latency = latency->next_begin)
            begin_iteration(latency, first, now_ns);
}

void dal_probe_end(struct dal_probe *marks, uint64_t firings, int64_t now_ns)
{
    uint64_t first = marks->ended / marks->repetitions;
    uint64_t end = (marks->ended + firings) / marks->repetitions;
    struct dal_latency *latency;
    marks->ended += firings;
    for (; first < end; first++)
        for (latency = marks->ends; latency; latency = latency->next_end)
            end_iteration(latency, first, now_ns, marks->wait);
}

void dal_probe_cut(struct dal_probe *marks, uint64_t most)
{
    uint64_t begun = marks->ended + most;
    uint64_t first = iterations_begun(marks, begun), end = iterations_begun(marks, marks->begun);
    struct dal_latency *latency;
    marks->begun = begun;
    for (first = last_slots(first, end); first < end; first++)
        for (latency = marks->begins; latency; latency = latency->next_begin)
            atomic_store_explicit(&latency->slots[first % DAL_LATENCY_SLOTS].number, 0,
                                  memory_order_release);
}
