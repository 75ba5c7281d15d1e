#include "spec/sdf/exec.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

struct dal_sdf_engine *dal__exec_create(const struct dal_sdf_graph *graph)
{
    struct dal_sdf_engine *engine = dal_sdf_engine_create(graph);
    if (engine)
        engine->is_timed = 0;
    return engine;
}

void dal__exec_end_wait(struct dal_sdf_engine *engine, const struct dal_sdf_wait *wait)
{
    const struct dal_sdf_channel *channels = engine->graph->channels;
    size_t i = channels[wait->channel].first_of_port;
    if (!wait->space)
        engine->tokens[wait->channel] += wait->need - wait->have;
    for (; wait->space && i != DAL_SDF_NONE; i = channels[i].next_of_port)
        engine->space[i] += wait->need - wait->have;
}

/* Returns what a process waits for: the first of several channels. `need` is 0 when it does not
 * wait. */
static struct dal_sdf_wait find_wait(const struct dal_sdf_engine *engine, size_t number)
{
    const struct dal_sdf_process *process = &engine->graph->processes[number];
    struct dal_sdf_wait first = {.process = number};
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &engine->graph->ends[process->first + i];
        int64_t have = dal__amount_at(engine, end);
        struct dal_sdf_wait at = {.process = number,
                                  .channel = end->channel,
                                  .space = end->output,
                                  .have = have > 0 ? (uint64_t)have : 0,
                                  .need = dal__rate_at(engine, number, end)};
        if (at.have < at.need && (!first.need || at.channel < first.channel ||
                                  (at.channel == first.channel && at.space)))
            first = at;
    }
    return first;
}

static size_t waits_for(const struct dal_sdf_engine *engine, const struct dal_sdf_wait *wait)
{
    const struct dal_sdf_channel *channel = &engine->graph->channels[wait->channel];
    return wait->space ? channel->consumer : channel->producer;
}

size_t dal__exec_cycle(struct dal_sdf_engine *engine, struct dal_sdf_wait *waits)
{
    size_t process = 0, first, count = 0;
    struct dal_sdf_wait wait;
    memset(engine->changed.is_in, 0, engine->graph->process_count);
    while (process < engine->graph->process_count && engine->left[process] == 0)
        process++;
    if (process == engine->graph->process_count)
        return 0;
    while (!engine->changed.is_in[process]) {
        wait = find_wait(engine, process);
        engine->changed.is_in[process] = 1;
        if (wait.need)
            process = waits_for(engine, &wait);
    }
    memset(engine->changed.is_in, 0, engine->graph->process_count);
    first = process;
    do {
        wait = find_wait(engine, process);
        if (!wait.need)
            return 0;
        waits[count++] = wait;
        process = waits_for(engine, &wait);
    } while (process != first);
    return count;
}

/* Follows waits from a process to the first that this or an earlier walk has been at. If it was
 * this walk, a loop begins there. */
static void mark_loop(const struct dal_sdf_engine *engine, size_t process, size_t *walks,
                      unsigned char *in_loop)
{
    size_t walk = process + 1;
    while (!walks[process]) {
        struct dal_sdf_wait wait = find_wait(engine, process);
        walks[process] = walk;
        if (!wait.need)
            return;
        process = waits_for(engine, &wait);
    }
    while (walks[process] == walk && !in_loop[process]) {
        struct dal_sdf_wait wait = find_wait(engine, process);
        in_loop[process] = 1;
        process = waits_for(engine, &wait);
    }
}

int dal__exec_loops(const struct dal_sdf_engine *engine, unsigned char *in_loop)
{
    size_t count = engine->graph->process_count;
    size_t *walks = dal_calloc(count + 1, sizeof(*walks)); /* by process: which was at it */
    if (!walks)
        return DAL_ERR_NOMEM;
    memset(in_loop, 0, count);
    for (size_t i = 0; i < count; i++)
        if (engine->left[i] > 0)
            mark_loop(engine, i, walks, in_loop);
    dal_free(walks);
    return DAL_OK;
}
