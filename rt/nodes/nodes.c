#include "rt/nodes/nodes.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/nodes/end.h"
#include "rt/nodes/step.h"

enum { TRIES = 1000 };                      /* milliseconds to try to look at what is under way */
static const int64_t STALE_NS = 2000000000; /* after which a rank's word that it works is stale */

void dal_nodes_install(struct dal_nodes *nodes, struct dal_process *processes,
                       struct dal_control *control)
{
    nodes->control = control;
    for (int i = 0; i < nodes->part.flow_count; i++) {
        struct dal_flow *flow = &nodes->flows[i];
        flow->process = &processes[flow->desc.proxy];
        flow->end = flow->process->ends[0];
        flow->process->pool->wakes[0] = &nodes->stepper.wake;
        flow->process->pool->count = 1;
    }
}

static int are_flows_over(const struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->part.flow_count; i++)
        if (!dal__flow_is_over(&nodes->flows[i]))
            return 0;
    return 1;
}

static int may_go_on(struct dal_nodes *nodes)
{
    struct dal_stepper *stepper = &nodes->stepper;
    pthread_mutex_lock(&stepper->stepping);
    stepper->may_help =
        nodes->status == DAL_OK && !(atomic_load(&stepper->done) && are_flows_over(nodes));
    pthread_mutex_unlock(&stepper->stepping);
    return stepper->may_help;
}

/* Steps until this rank has nothing more to send or receive; then the ranks end together. */
static void *move_flows(void *argument)
{
    struct dal_nodes *nodes = argument;
    struct dal_idleness idle = {0};
    dal_thread_begin();
    while (may_go_on(nodes))
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
    dal__end_together(nodes);
    return NULL;
}

int dal_nodes_start(struct dal_nodes *nodes)
{
    int status =
        dal_thread_start(&nodes->stepper.thread, move_flows, nodes, "node ", dal_nodes_name(nodes));
    nodes->stepper.runs = status == DAL_OK;
    return status;
}

int dal_nodes_elsewhere(struct dal_nodes *nodes)
{
    int64_t heard_ns = atomic_load_explicit(&nodes->signs.elsewhere_ns, memory_order_relaxed);
    return heard_ns > 0 && dal_now_ns() - heard_ns < STALE_NS;
}

void dal_nodes_note_work(struct dal_nodes *nodes)
{
    atomic_store_explicit(&nodes->signs.worked_ns, dal_now_ns(), memory_order_relaxed);
}

/* Returns whether the lock was free in time. A transport that does not return keeps it; then
 * nothing is logged. */
static int may_look(struct dal_nodes *nodes)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int tries, status = pthread_mutex_trylock(&nodes->stepper.stepping);
    for (tries = 0; status && tries < TRIES; tries++) {
        nanosleep(&nap, NULL);
        status = pthread_mutex_trylock(&nodes->stepper.stepping);
    }
    return status == 0;
}

void dal_nodes_tell_messages(struct dal_nodes *nodes, int64_t time_ns)
{
    if (!may_look(nodes))
        return;
    for (int i = 0; i < nodes->part.flow_count; i++)
        if (nodes->flows[i].count > 0)
            dal__flow_tell(&nodes->flows[i], nodes->whole->nodes[nodes->flows[i].desc.node],
                           time_ns);
    pthread_mutex_unlock(&nodes->stepper.stepping);
}

void dal_nodes_finish(struct dal_nodes *nodes)
{
    if (!nodes->stepper.runs) { /* the thread could not start: tells the others */
        dal__end_together(nodes);
        return;
    }
    atomic_store(&nodes->stepper.done, 1);
    dal_wake_signal(&nodes->stepper.wake);
    pthread_join(nodes->stepper.thread, NULL);
    nodes->stepper.runs = 0;
}

void dal_nodes_destroy(struct dal_nodes *nodes)
{
    if (!nodes)
        return;
    for (int i = 0; nodes->flows && i < nodes->part.flow_count; i++)
        dal__flow_finish(&nodes->flows[i]);
    for (int i = 0; nodes->peers && i < nodes->whole->node_count; i++)
        dal_free(nodes->peers[i].report);
    dal__global_snapshot_finish(&nodes->global, nodes->whole->node_count);
    dal_free(nodes->flows);
    dal_free(nodes->peers);
    dal_free(nodes->inbox.scratch);
    dal_free(nodes->reports.sent);
    pthread_mutex_destroy(&nodes->stepper.stepping);
    dal_part_finish(&nodes->part);
    dal_free(nodes);
}
