/* Capacities for the least period, from the processes' execution times. */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"

#include <inttypes.h>
#include <string.h>

/* Seconds that the search may take when nobody says otherwise. */
#define USUAL_SECONDS 2.0
/* Channel ends that the search may look at where plans have a memory: some tenths of a second. The
 * memory keeps the last MEMORY_ENTRIES sizings. */
#define MEMORY_WORK UINT64_C(10000000)
enum { MEMORY_ENTRIES = 256 };

/* The numbers that capacities depend on, and the capacities that follow: by process, then by
 * channel. */
struct sizing_entry {
    uint64_t *numbers; /* times and firings at once of all processes, then capacities */
};

struct dal_plan_memory {
    struct sizing_entry entries[MEMORY_ENTRIES];
    size_t next; /* the entry to be written over next */
};

struct dal_plan_memory *dal_plan_memory_create(void)
{
    return dal_calloc(1, sizeof(struct dal_plan_memory));
}

void dal_plan_memory_destroy(struct dal_plan_memory *memory)
{
    for (size_t i = 0; memory && i < MEMORY_ENTRIES; i++)
        dal_free(memory->entries[i].numbers);
    dal_free(memory);
}

/* Returns the times by process. NULL when a process that is not a KPN process has no time, or
 * without memory, when `lost` is set. */
static uint64_t *find_times(const struct dal_plan *plan, int *lost)
{
    size_t count = plan->spec->network.process_count;
    uint64_t *times;
    *lost = 0;
    for (size_t i = 0; i < count; i++)
        if (!plan->processes[i].process->kpn && !dal_plan_time(&plan->processes[i])->is_given)
            return NULL;
    times = dal_calloc(count + 1, sizeof(*times));
    *lost = !times;
    for (size_t i = 0; times && i < count; i++)
        times[i] = dal_plan_time(&plan->processes[i])->units;
    return times;
}

static int has_open_channel(const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count; i++)
        if (dal_plan_is_open(&plan->channels[i]))
            return 1;
    return 0;
}

static void take_capacities(struct dal_plan *plan, const struct dal_sdf_graph *graph,
                            const struct dal_sdf_buffers *buffers)
{
    for (size_t i = 0; i < graph->channel_count; i++) {
        struct dal_plan_channel *ch = &plan->channels[graph->channels[i].origin];
        if (dal_plan_is_open(ch) && !dal_sdf_is_loop(&graph->channels[i]))
            ch->fastest = buffers->capacity[i];
    }
}

/* The key of a plan, with room for its capacities behind; NULL without memory. */
static uint64_t *make_key(const struct dal_plan *plan, const uint64_t *times)
{
    size_t count = plan->process_count;
    uint64_t *key = dal_calloc(2 * count + plan->channel_count + 1, sizeof(*key));
    for (size_t i = 0; key && i < count; i++) {
        key[i] = times[i];
        key[count + i] = plan->processes[i].shadow_copies;
    }
    return key;
}

/* Takes capacities that were found for the key before. Returns whether there are any. */
static int recall(struct dal_plan *plan, const uint64_t *key)
{
    const struct dal_plan_memory *memory = plan->memory;
    size_t bytes = 2 * plan->process_count * sizeof(*key);
    for (size_t i = 0; i < MEMORY_ENTRIES; i++) {
        const uint64_t *known = memory->entries[i].numbers;
        if (!known || memcmp(known, key, bytes) != 0)
            continue;
        for (size_t k = 0; k < plan->channel_count; k++)
            plan->channels[k].fastest = known[2 * plan->process_count + k];
        return 1;
    }
    return 0;
}

/* Takes the key over. */
static void keep(struct dal_plan *plan, uint64_t *key)
{
    struct dal_plan_memory *memory = plan->memory;
    struct sizing_entry *entry = &memory->entries[memory->next];
    memory->next = (memory->next + 1) % MEMORY_ENTRIES;
    for (size_t k = 0; k < plan->channel_count; k++)
        key[2 * plan->process_count + k] = plan->channels[k].fastest;
    dal_free(entry->numbers);
    entry->numbers = key;
}

static int search_capacities(struct dal_diags *diags, struct dal_plan *plan,
                             const struct dal_sdf_sizing *sizing)
{
    struct dal_sdf_buffers buffers;
    int status = dal_sdf_fastest(sizing, &buffers);
    if (!status && buffers.found)
        take_capacities(plan, sizing->graph, &buffers);
    if (!status && buffers.found && buffers.least < buffers.total)
        dal_warning(diags, plan->spec->network.place, "analysis-limit",
                    "the capacities computed for channels without a size need %" PRIu64
                    " bytes; it is not proven that fewer than this, but at least %" PRIu64
                    ", would be as fast",
                    buffers.total, buffers.least);
    dal_sdf_buffers_finish(&buffers);
    return status;
}

/* A process fires as often at once as it has shadow copies. */
static int prepare_search(struct dal_diags *diags, struct dal_plan *plan,
                          struct dal_sdf_graph *graph, uint64_t *fixed, uint64_t *weight)
{
    double seconds = plan->seconds > 0 ? plan->seconds : USUAL_SECONDS;
    int64_t deadline_ns = dal_now_ns() + (int64_t)(seconds * 1e9);
    struct dal_sdf_budget budget = {.deadline_ns = plan->memory ? 0 : deadline_ns,
                                    .work = plan->memory ? MEMORY_WORK : UINT64_MAX};
    struct dal_sdf_sizing sizing = {
        .graph = graph, .fixed = fixed, .weight = weight, .budget = &budget};
    for (size_t i = 0; i < graph->process_count; i++)
        graph->processes[i].at_once = plan->processes[graph->processes[i].origin].shadow_copies;
    for (size_t i = 0; i < graph->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[graph->channels[i].origin];
        fixed[i] =
            dal_spec_given(ch->channel, ch->size && ch->size->capacity ? ch->size->capacity
                                                                       : ch->channel->capacity);
        weight[i] = ch->channel->token_bytes;
    }
    return search_capacities(diags, plan, &sizing);
}

static int find_fastest(struct dal_diags *diags, struct dal_plan *plan, struct dal_sdf_graph *graph)
{
    uint64_t *fixed = dal_calloc(plan->channel_count + 1, sizeof(*fixed));
    uint64_t *weight = dal_calloc(plan->channel_count + 1, sizeof(*weight));
    int status = DAL_ERR_NOMEM;
    if (fixed && weight)
        status = prepare_search(diags, plan, graph, fixed, weight);
    dal_free_all(fixed, weight);
    return status;
}

static int size_network(struct dal_diags *diags, struct dal_plan *plan, const uint64_t *times)
{
    struct dal_sdf_graph graph = {0};
    int status = dal_spec_graph_init(&graph, &plan->spec->network, times);
    if (!status && graph.process_count > 0)
        status = find_fastest(diags, plan, &graph);
    dal_sdf_graph_finish(&graph);
    return status;
}

static int recall_or_size(struct dal_diags *diags, struct dal_plan *plan, const uint64_t *times)
{
    uint64_t *key = make_key(plan, times);
    int status = key ? DAL_OK : DAL_ERR_NOMEM;
    if (status || recall(plan, key)) {
        dal_free(key);
        return status;
    }
    status = size_network(diags, plan, times);
    if (status)
        dal_free(key);
    else
        keep(plan, key);
    return status;
}

int dal_plan_fastest(struct dal_diags *diags, struct dal_plan *plan)
{
    uint64_t *times;
    int status, lost;
    if (!has_open_channel(plan))
        return DAL_OK;
    times = find_times(plan, &lost);
    if (!times)
        return lost ? DAL_ERR_NOMEM : DAL_OK;
    status = plan->memory ? recall_or_size(diags, plan, times) : size_network(diags, plan, times);
    dal_free(times);
    return status;
}
