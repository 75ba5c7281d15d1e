#include "spec/sdf/exec.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

void dal__exec_finish(struct dal__exec *exec)
{
    dal_free(exec->tokens);
    dal_free(exec->capacity);
    dal_free(exec->left);
    dal_free(exec->queue);
    dal_free(exec->queued);
}

int dal__exec_init(struct dal__exec *exec, const struct dal_sdf_graph *graph,
                   struct dal_sdf_budget *budget)
{
    size_t channels = graph->channel_count + 1, processes = graph->process_count + 1;
    *exec = (struct dal__exec){
        .graph = graph,
        .tokens = dal_calloc(channels, sizeof(*exec->tokens)),
        .capacity = dal_calloc(channels, sizeof(*exec->capacity)),
        .left = dal_calloc(processes, sizeof(*exec->left)),
        .queue = dal_calloc(processes, sizeof(*exec->queue)),
        .queued = dal_calloc(processes, 1),
        .budget = budget,
    };
    if (exec->tokens && exec->capacity && exec->left && exec->queue && exec->queued)
        return DAL_OK;
    dal__exec_finish(exec);
    return DAL_ERR_NOMEM;
}

void dal__exec_begin(struct dal__exec *exec, const uint64_t *capacity, const uint64_t *more)
{
    const struct dal_sdf_graph *graph = exec->graph;
    exec->head = exec->waiting = 0;
    memset(exec->queued, 0, graph->process_count);
    for (size_t i = 0; i < graph->channel_count; i++) {
        exec->tokens[i] = graph->channels[i].initial_tokens + (more ? more[i] : 0);
        exec->capacity[i] = dal__add_capped(capacity[i], more ? more[i] : 0);
    }
    for (size_t i = 0; i < graph->process_count; i++)
        exec->left[i] = dal_sdf_firings(&graph->processes[i]);
}

/* Returns the rate of the next firing. */
static uint64_t next_rate(const struct dal__exec *exec, size_t process,
                          const struct dal_sdf_end *end)
{
    const struct dal_sdf_process *p = &exec->graph->processes[process];
    if (end->phases.count == 0)
        return end->rate;
    return dal_sdf_end_rate(end, dal_sdf_firings(p) - exec->left[process]);
}

static struct dal_sdf_wait look_at_end(const struct dal__exec *exec, size_t process,
                                       const struct dal_sdf_end *end)
{
    uint64_t tokens = exec->tokens[end->channel], capacity = exec->capacity[end->channel];
    uint64_t space = capacity > tokens ? capacity - tokens : 0;
    return (struct dal_sdf_wait){.process = process,
                                 .channel = end->channel,
                                 .space = end->output,
                                 .have = end->output ? space : tokens,
                                 .need = next_rate(exec, process, end)};
}

/* Returns how often a process can fire at once; a cyclo-static one fires at most once. A channel to
 * itself needs no limit, since each firing leaves its tokens as they were. */
static uint64_t count_firings(const struct dal__exec *exec, size_t number)
{
    const struct dal_sdf_process *process = &exec->graph->processes[number];
    uint64_t most = exec->left[number];
    if (dal_sdf_is_cyclic(process) && most > 1)
        most = 1;
    for (size_t i = 0; i < process->count && most; i++) {
        const struct dal_sdf_end *end = &exec->graph->ends[process->first + i];
        struct dal_sdf_wait at = look_at_end(exec, number, end);
        if (at.have < at.need)
            most = 0;
        else if (most > 1 && !dal_sdf_is_loop(&exec->graph->channels[end->channel]) &&
                 at.have / at.need < most)
            most = at.have / at.need;
    }
    return most;
}

static void enqueue(struct dal__exec *exec, size_t process)
{
    if (exec->queued[process] || exec->left[process] == 0)
        return;
    exec->queue[(exec->head + exec->waiting++) % exec->graph->process_count] = process;
    exec->queued[process] = 1;
}

static size_t dequeue(struct dal__exec *exec)
{
    size_t process = exec->queue[exec->head];
    exec->head = (exec->head + 1) % exec->graph->process_count;
    exec->waiting--;
    exec->queued[process] = 0;
    return process;
}

static void fire_process(struct dal__exec *exec, size_t number, uint64_t count)
{
    const struct dal_sdf_process *process = &exec->graph->processes[number];
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &exec->graph->ends[process->first + i];
        uint64_t amount = count * next_rate(exec, number, end);
        if (end->output)
            exec->tokens[end->channel] += amount;
        else
            exec->tokens[end->channel] -= amount;
    }
    exec->left[number] -= count;
    for (size_t i = 0; i < process->count; i++) {
        const struct dal_sdf_end *end = &exec->graph->ends[process->first + i];
        const struct dal_sdf_channel *channel = &exec->graph->channels[end->channel];
        enqueue(exec, end->output ? channel->consumer : channel->producer);
    }
    if (dal_sdf_is_cyclic(process))
        enqueue(exec, number);
}

size_t dal__exec_run(struct dal__exec *exec)
{
    size_t blocked = 0;
    for (size_t i = 0; i < exec->graph->process_count; i++)
        enqueue(exec, i);
    while (exec->waiting > 0) {
        size_t process = dequeue(exec);
        uint64_t count = count_firings(exec, process);
        if (count)
            fire_process(exec, process, count);
        if (!dal_sdf_spend(exec->budget, exec->graph->processes[process].count + 1))
            break;
    }
    for (size_t i = 0; i < exec->graph->process_count; i++)
        blocked += exec->left[i] > 0;
    return blocked;
}

/* Returns what a process waits for: the first of several channels. `need` is 0 when it does not
 * wait. */
static struct dal_sdf_wait find_wait(const struct dal__exec *exec, size_t number)
{
    const struct dal_sdf_process *process = &exec->graph->processes[number];
    struct dal_sdf_wait first = {.process = number};
    for (size_t i = 0; i < process->count; i++) {
        struct dal_sdf_wait at = look_at_end(exec, number, &exec->graph->ends[process->first + i]);
        if (at.have < at.need && (!first.need || at.channel < first.channel ||
                                  (at.channel == first.channel && at.space)))
            first = at;
    }
    return first;
}

static size_t waits_for(const struct dal__exec *exec, const struct dal_sdf_wait *wait)
{
    const struct dal_sdf_channel *channel = &exec->graph->channels[wait->channel];
    return wait->space ? channel->consumer : channel->producer;
}

size_t dal__exec_cycle(struct dal__exec *exec, struct dal_sdf_wait *waits)
{
    size_t process = 0, first, count = 0;
    struct dal_sdf_wait wait;
    memset(exec->queued, 0, exec->graph->process_count);
    while (process < exec->graph->process_count && exec->left[process] == 0)
        process++;
    if (process == exec->graph->process_count)
        return 0;
    while (!exec->queued[process]) {
        wait = find_wait(exec, process);
        exec->queued[process] = 1;
        if (wait.need)
            process = waits_for(exec, &wait);
    }
    memset(exec->queued, 0, exec->graph->process_count);
    first = process;
    do {
        wait = find_wait(exec, process);
        if (!wait.need)
            return 0;
        waits[count++] = wait;
        process = waits_for(exec, &wait);
    } while (process != first);
    return count;
}

/* Follows waits from a process to the first that this or an earlier walk has been at. If it was
 * this walk, a loop begins there. */
static void mark_loop(const struct dal__exec *exec, size_t process, size_t *walks,
                      unsigned char *in_loop)
{
    size_t walk = process + 1;
    while (!walks[process]) {
        struct dal_sdf_wait wait = find_wait(exec, process);
        walks[process] = walk;
        if (!wait.need)
            return;
        process = waits_for(exec, &wait);
    }
    while (walks[process] == walk && !in_loop[process]) {
        struct dal_sdf_wait wait = find_wait(exec, process);
        in_loop[process] = 1;
        process = waits_for(exec, &wait);
    }
}

int dal__exec_loops(const struct dal__exec *exec, unsigned char *in_loop)
{
    size_t count = exec->graph->process_count;
    size_t *walks = dal_calloc(count + 1, sizeof(*walks)); /* by process: which was at it */
    if (!walks)
        return DAL_ERR_NOMEM;
    memset(in_loop, 0, count);
    for (size_t i = 0; i < count; i++)
        if (exec->left[i] > 0)
            mark_loop(exec, i, walks, in_loop);
    dal_free(walks);
    return DAL_OK;
}
