/* Makes the workers of cores, and the threads of KPN processes. */
#include "rt/base/alloc.h"
#include "rt/kpn/call.h"
#include "rt/network/install.h"
#include "rt/nodes/step.h"

#include <string.h>

/* Returns whether a core's worker may fire a process. One with its own thread belongs to no
 * worker. */
static int fires(const struct dal_process *process, int processor)
{
    const struct dal_process_desc *desc = process->desc;
    for (int k = 0; k < desc->processor_count; k++)
        if (desc->processors[k] == processor)
            return !process->ops->on_device && !process->ops->has_thread;
    return 0;
}

/* Enlarges a worker's team for the processes of a group that have threads. */
static int give_team(const struct dal_network *network, struct dal_worker *worker,
                     const struct dal_group *group)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < group->actor.count; i++)
        if (dal__member(group, i)->desc->threads)
            status = dal_team_take(&worker->team, network->net->openmp, worker->core,
                                   dal__member(group, i));
    return status == DAL_ERR_NOMEM ? dal_no_memory() : status;
}

static int init_worker(struct dal_network *network, const char *name, int core, int room,
                       struct dal_worker **result)
{
    struct dal_worker *worker = *result = &network->workers[network->worker_count++];
    int status;
    worker->control = &network->control;
    worker->impatient = network->handler.on_cores;
    worker->help = network->nodes ? dal_nodes_help : NULL;
    worker->helped = network->nodes;
    worker->core = core;
    worker->name = name;
    worker->groups = dal_calloc((size_t)room, sizeof(struct dal_group *));
    worker->numbers = dal_calloc((size_t)room, sizeof(*worker->numbers));
    worker->search.pools = dal_calloc((size_t)room, sizeof(struct dal_pool *));
    worker->search.numbers = dal_calloc((size_t)room, sizeof(*worker->search.numbers));
    if (!worker->groups || !worker->numbers || !worker->search.pools || !worker->search.numbers)
        return dal_no_memory();
    status = dal_trace_row_init(&worker->row, name, DAL_TRACE_FIRINGS);
    return status == DAL_ERR_NOMEM ? dal_no_memory() : status;
}

/* Returns a worker's number in a pool, which it may have to join first. */
static int join_pool(struct dal_worker *worker, struct dal_pool *pool)
{
    for (int i = 0; i < worker->search.count; i++)
        if (worker->search.pools[i] == pool)
            return pool->count - 1;
    worker->search.pools[worker->search.count] = pool;
    worker->search.numbers[worker->search.count++] = pool->count;
    pool->wakes[pool->count++] = &worker->wake;
    return pool->count - 1;
}

static void give_group(struct dal_worker *worker, struct dal_group *group)
{
    worker->numbers[worker->group_count] = join_pool(worker, dal__member(group, 0)->pool);
    worker->groups[worker->group_count++] = group;
}

/* A worker need not tell itself that it searches. */
static void leave_out_lonely(struct dal_search *search)
{
    int count = 0;
    for (int i = 0; i < search->count; i++)
        if (search->pools[i]->count > 1) {
            search->numbers[count] = search->numbers[i];
            search->pools[count++] = search->pools[i];
        }
    search->count = count;
}

/* Does a process with a thread of its own run on this core, and no other? */
static int has_thread_on(const struct dal_network *network, int processor)
{
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        if (process->ops->has_thread && !process->is_called &&
            process->desc->processor_count == 1 && process->desc->processors[0] == processor)
            return 1;
    }
    return 0;
}

/* Makes the worker of a core, with all processes that it may fire. */
static int make_worker(struct dal_network *network, int processor)
{
    const struct dal_processor_desc *desc = &network->net->processors[processor];
    struct dal_worker *worker;
    int i, status = init_worker(network, desc->name, desc->core, network->groups.count, &worker);
    if (status == DAL_OK)
        worker->impatient |= has_thread_on(network, processor);
    for (i = 0; status == DAL_OK && i < network->groups.count; i++)
        if (fires(dal__member(network->groups.list[i], 0), processor)) {
            give_group(worker, network->groups.list[i]);
            status = give_team(network, worker, network->groups.list[i]);
        }
    return status;
}

/* Makes the thread of a KPN process. */
static int make_thread(struct dal_network *network, struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    int core = desc->processor_count == 1 ? network->net->processors[desc->processors[0]].core : -1;
    struct dal_worker *worker;
    int status = init_worker(network, desc->name, core, 1, &worker);
    if (status != DAL_OK)
        return status;
    give_group(worker, process->host.group);
    if (process->is_called) {
        worker->is_outside = 1;
        dal_call_prepare(process);
    }
    return give_team(network, worker, process->host.group);
}

/* Returns the pool of a process: that of the first one with the same workers. */
static struct dal_pool *find_pool(const struct dal_network *network, int process)
{
    const struct dal_process *own = &network->processes[process];
    int i = own->ops->on_device || own->ops->has_thread || own->ops->is_proxy ? process : 0;
    while (i < process && (network->processes[i].ops != own->ops ||
                           !dal_process_same_processors(network->processes[i].desc, own->desc)))
        i++;
    return &network->pools[i];
}

static int make_pools(struct dal_network *network)
{
    int count = network->net->process_count;
    network->pools = dal_calloc_apart((size_t)count + 1, sizeof(*network->pools));
    for (int i = 0; network->pools && i < count; i++) {
        struct dal_process *process = &network->processes[i];
        struct dal_pool *pool = process->pool = find_pool(network, i);
        size_t room = (size_t)process->desc->processor_count + 1;
        pool->most += process->desc->shadow_copies ? (int)process->desc->shadow_copies : 1;
        if (!pool->wakes)
            pool->wakes = dal_calloc(room, sizeof(struct dal_wake *));
        if (!pool->wakes)
            return dal_no_memory();
    }
    return network->pools ? DAL_OK : dal_no_memory();
}

/* ---- which cores have workers ---------------------------------------------------------------- */

/* Cores and the pools that take them: as many cores as can be at work at once, and no more. */
struct takers {
    const struct dal_network *network;
    int *of;   /* by processor: 1 + the number of the pool that takes it; 0 without one */
    int *seen; /* by processor: it was tried for the activation at hand */
};

/* Takes a core for one more activation of a pool; others may have to move (Kuhn 1955). */
static int assign_core(const struct takers *takers, int pool)
{
    const struct dal_process_desc *desc = takers->network->processes[pool].desc;
    for (int k = 0; k < desc->processor_count; k++) {
        int core = desc->processors[k];
        if (takers->seen[core])
            continue;
        takers->seen[core] = 1;
        if (!takers->of[core] || assign_core(takers, takers->of[core] - 1)) {
            takers->of[core] = pool + 1;
            return 1;
        }
    }
    return 0;
}

static void assign_cores(const struct takers *takers)
{
    const struct dal_network *network = takers->network;
    size_t bytes = (size_t)network->net->processor_count * sizeof(*takers->seen);
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        int more = !process->ops->on_device && !process->ops->has_thread;
        if (process->pool != &network->pools[i])
            continue;
        for (int k = 0; more && k < process->pool->most; k++) {
            memset(takers->seen, 0, bytes);
            more = assign_core(takers, i);
        }
    }
}

/* A pool without a core of its own has workers all the same: other pools have taken all its cores.
 */
static int make_core_workers(struct dal_network *network)
{
    const struct dal_net *net = network->net;
    size_t count = (size_t)net->processor_count + 1;
    struct takers takers = {.network = network,
                            .of = dal_calloc(count, sizeof(*takers.of)),
                            .seen = dal_calloc(count, sizeof(*takers.seen))};
    int status = takers.of && takers.seen ? DAL_OK : dal_no_memory();
    if (status == DAL_OK)
        assign_cores(&takers);
    for (int i = 0; status == DAL_OK && i < net->processor_count; i++)
        if (net->processors[i].kind == DAL_PROCESSOR_CORE && takers.of[i])
            status = make_worker(network, i);
    dal_free_all(takers.of, takers.seen);
    return status;
}

int dal__make_workers(struct dal_network *network)
{
    const struct dal_net *net = network->net;
    const struct dal_process_list all = {network->processes, net->process_count};
    int status = DAL_OK;
    network->workers = dal_calloc((size_t)net->processor_count + (size_t)net->process_count + 1,
                                  sizeof(*network->workers));
    if (!network->workers)
        return dal_no_memory();
    status = make_pools(network);
    if (status < 0)
        return status;
    if (dal_groups_find(&network->groups, &all) < 0)
        return dal_no_memory();
    status = make_core_workers(network);
    for (int i = 0; status == DAL_OK && i < net->process_count; i++)
        if (network->processes[i].ops->has_thread)
            status = make_thread(network, &network->processes[i]);
    for (int i = 0; i < network->worker_count; i++)
        leave_out_lonely(&network->workers[i].search);
    dal_kpn_line_up(network->processes, net->process_count);
    return status;
}
