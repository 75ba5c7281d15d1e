#include "rt/nodes/nodes.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/nodes/step.h"

#include <stdio.h>
#include <string.h>

enum { QUESTIONS = 16 };                      /* times the clock is asked */
enum { TRIES = 1000 };                        /* milliseconds to try to look at what is under way */
static const int64_t STALE_NS = 2000000000;   /* after which a rank's word that it works is stale */
static const int64_t MEET_NS = 60000000000;   /* for all ranks to say who they are */
static const int64_t REPORT_NS = 10000000000; /* for all reports to arrive */
static const int64_t LAST_WORDS_NS = 1500000000; /* for others to say that they end as well */

/* ---- meeting --------------------------------------------------------------------------------- */

static int refuse_count(const struct dal_nodes *nodes, const char *program)
{
    const struct dal_net *net = nodes->whole;
    if (nodes->link->rank != 0)
        return DAL_ERR_NODE;
    dal_log(DAL_LOG_ERROR,
            "network %s is for %d nodes, and %d rank%s of it run%s; start it with: %s %d %s",
            net->name, net->node_count, nodes->link->count, nodes->link->count == 1 ? "" : "s",
            nodes->link->count == 1 ? "s" : "", nodes->transport->launcher, net->node_count,
            program);
    return DAL_ERR_NODE;
}

static int say_hello(struct dal_nodes *nodes)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < nodes->link->count; i++) {
        if (!dal__nodes_is_peer(nodes, i))
            continue;
        status = nodes->transport->send(nodes->link, i, dal__tag(-1, DAL_SAY_HELLO), &nodes->hello,
                                        sizeof(nodes->hello), &nodes->peers[i].greeting);
        nodes->peers[i].greets = status == DAL_OK;
    }
    return status < 0 ? dal__nodes_complain(nodes) : DAL_OK;
}

static int is_greeted(const struct dal_nodes *nodes)
{
    int i;
    for (i = 0; i < nodes->link->count; i++)
        if (dal__nodes_is_peer(nodes, i) && !nodes->peers[i].greeting.done)
            return 0;
    return dal__all_have_said(nodes, DAL_SAY_HELLO);
}

static int meet_all(struct dal_nodes *nodes)
{
    struct dal_idleness idle = {0};
    int64_t begin_ns = dal_now_ns();
    int i, status = say_hello(nodes);
    while (status == DAL_OK && !is_greeted(nodes)) {
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
        status = nodes->status;
        if (status == DAL_OK && dal_now_ns() - begin_ns > MEET_NS) {
            dal_log(DAL_LOG_ERROR, "node %s: not all other ranks have said who they are",
                    dal_nodes_name(nodes));
            status = DAL_ERR_NODE;
        }
    }
    for (i = 0; status == DAL_OK && i < nodes->link->count; i++)
        if (dal__nodes_is_peer(nodes, i))
            dal__peer_meet(&nodes->peers[i], &nodes->hello);
    return status;
}

/* Compares the programs of all ranks. All ranks find a difference; the first one logs it. */
static int compare_builds(const struct dal_nodes *nodes)
{
    int i, status = DAL_OK;
    for (i = 0; i < nodes->link->count; i++) {
        const struct dal_peer *peer = &nodes->peers[i];
        if (!dal__nodes_is_peer(nodes, i) ||
            memcmp(peer->hello.build, nodes->hello.build, sizeof(nodes->hello.build)) == 0)
            continue;
        status = DAL_ERR_NODE;
        if (nodes->link->rank == 0)
            dal_log(DAL_LOG_ERROR,
                    "node %s (rank %d) runs another build of the program than node %s (rank 0)",
                    peer->node, i, dal_nodes_name(nodes));
    }
    return status;
}

static int make_peers(struct dal_nodes *nodes)
{
    int i, count = nodes->whole->node_count;
    nodes->peers = dal_calloc((size_t)count, sizeof(*nodes->peers));
    for (i = 0; nodes->peers && i < count; i++) {
        nodes->peers[i].rank = i;
        nodes->peers[i].node = nodes->whole->nodes[i];
    }
    return nodes->peers ? DAL_OK : DAL_ERR_NOMEM;
}

static int make_flows(struct dal_nodes *nodes)
{
    int i, status = dal_part_make(&nodes->part, nodes->whole, nodes->link->rank);
    nodes->flows = dal_calloc((size_t)nodes->part.flow_count + 1, sizeof(*nodes->flows));
    if (status < 0 || !nodes->flows)
        return DAL_ERR_NOMEM;
    for (i = 0; i < nodes->part.flow_count; i++)
        nodes->flows[i].desc = nodes->part.flows[i];
    return DAL_OK;
}

/* Meets the other ranks. If they do not fit, each rank finds that by itself, and all can leave. */
static int join_others(struct dal_nodes *nodes, const char *program)
{
    int status;
    if (nodes->link->count != nodes->whole->node_count) {
        nodes->unfit = nodes->told_end = 1;
        return refuse_count(nodes, program);
    }
    status = meet_all(nodes);
    if (status < 0)
        return status;
    status = compare_builds(nodes);
    nodes->unfit = nodes->told_end = status < 0;
    return status < 0 ? status : make_flows(nodes);
}

/* Allocates what needs memory before the others know of this rank. */
static struct dal_nodes *new_nodes(const struct dal_net *whole)
{
    struct dal_nodes *nodes = dal_calloc(1, sizeof(*nodes));
    if (!nodes)
        return NULL;
    nodes->whole = whole;
    nodes->transport = whole->transport;
    pthread_mutex_init(&nodes->stepping, NULL);
    dal__hello_make(&nodes->hello);
    if (make_peers(nodes) == DAL_OK)
        return nodes;
    pthread_mutex_destroy(&nodes->stepping);
    dal_free(nodes);
    return NULL;
}

/* Opens a link of its own, or takes one of the strands. */
static int open_link(struct dal_nodes *nodes, struct dal_strands *strands, int strand)
{
    char why[sizeof(nodes->link->why)] = "";
    int status;
    if (strands) {
        nodes->transport = dal_strands_transport(strands);
        nodes->link = dal_strands_link(strands, strand);
        return DAL_OK;
    }
    status = nodes->transport->open(&nodes->link, why);
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "network %s: %s: %s", nodes->whole->name, nodes->transport->name,
                why);
    return status;
}

int dal_nodes_join(struct dal_nodes **result, const struct dal_net *whole,
                   struct dal_strands *strands, int strand, const char *program)
{
    struct dal_nodes *nodes = new_nodes(whole);
    int status = DAL_ERR_NOMEM;
    *result = NULL;
    if (nodes)
        status = open_link(nodes, strands, strand);
    if (nodes && status == DAL_OK)
        status = join_others(nodes, program);
    if (status == DAL_ERR_NOMEM)
        dal_log(DAL_LOG_ERROR, "no memory for the network");
    if (status == DAL_OK) {
        *result = nodes;
        return DAL_OK;
    }
    dal_nodes_leave(nodes, status);
    status = dal_nodes_verdict(nodes, status);
    dal_nodes_destroy(nodes);
    return status;
}

/* ---- ending together ------------------------------------------------------------------------- */

/* Drops the loads that are done, without releasing their tokens. */
static void settle_flows(struct dal_nodes *nodes)
{
    int i;
    for (i = 0; nodes->flows && i < nodes->part.flow_count; i++) {
        struct dal_flow *flow = &nodes->flows[i];
        while (flow->count > 0 && flow->loads[flow->head].transfer.done) {
            flow->head = (flow->head + 1) % DAL_FLOW_ROOM;
            flow->count--;
        }
    }
}

/* Sends the last word to all. After an error it goes to those that can be told. Returns the
 * word. */
static enum dal_say say_last(struct dal_nodes *nodes)
{
    int i;
    if (nodes->status == DAL_OK &&
        dal__say_to_all(nodes, DAL_SAY_DONE, (uint64_t)nodes->wants) == DAL_OK)
        return DAL_SAY_DONE;
    dal__nodes_note_error(nodes, DAL_ERR_NODE);
    for (i = 0; i < nodes->link->count; i++)
        if (dal__nodes_is_peer(nodes, i))
            dal__say_to(nodes, i, DAL_SAY_BREAK, (uint64_t)-nodes->status);
    return DAL_SAY_BREAK;
}

/* Returns whether an application could not be started here while others still install it. */
static int is_early(const struct dal_nodes *nodes)
{
    int i;
    for (i = 0; nodes->early && i < nodes->link->count; i++)
        if (dal__nodes_is_peer(nodes, i) && !dal__peer_is_over(&nodes->peers[i]) &&
            !dal__peer_has_said(&nodes->peers[i], DAL_SAY_READY))
            return 1;
    return 0;
}

/*
 * Tells the others how this rank ends, and waits until they have said the same. After an error it
 * waits only for a limited time, and then tears down the rest. Once all have said it, nothing is
 * under way.
 */
static void end_together(struct dal_nodes *nodes)
{
    struct dal_idleness idle = {0};
    int64_t begin_ns = dal_now_ns();
    enum dal_say say;
    if (nodes->told_end)
        return;
    dal__nodes_step(nodes); /* there may have been an error just now */
    nodes->told_end = 1;
    say = say_last(nodes);
    while (!dal__all_are_over(nodes) || !dal__all_rest(nodes)) {
        int moved = dal__nodes_step(nodes);
        if (say == DAL_SAY_DONE && nodes->status < 0) {
            say = DAL_SAY_BREAK;
            begin_ns = dal_now_ns();
        }
        if (nodes->status < 0) {
            settle_flows(nodes);
            if (nodes->failures > 1 || dal__anyone_is_gone(nodes) ||
                dal_now_ns() - begin_ns > (is_early(nodes) ? MEET_NS : LAST_WORDS_NS))
                return;
        }
        dal__nodes_idle(nodes, &idle, moved);
    }
}

/* ---- the run --------------------------------------------------------------------------------- */

const char *dal_nodes_name(const struct dal_nodes *nodes)
{
    return nodes->whole->nodes[nodes->link->rank];
}

void dal_nodes_install(struct dal_nodes *nodes, struct dal_process *processes,
                       struct dal_control *control)
{
    int i;
    nodes->control = control;
    for (i = 0; i < nodes->part.flow_count; i++) {
        struct dal_flow *flow = &nodes->flows[i];
        flow->process = &processes[flow->desc.courier];
        flow->end = flow->process->ends[0];
        flow->process->wakes.list[0] = &nodes->wake;
        flow->process->wakes.count = 1;
    }
}

/* Asks the first rank for its time. An answer's number is there before the answer is read here. */
static int ask_clock(struct dal_nodes *nodes)
{
    struct dal_idleness idle = {0};
    struct dal_nodes_clock *clock = &nodes->clock;
    struct dal_peer *first = &nodes->peers[0];
    int64_t asked_ns = dal_now_ns(), between_ns;
    int status;
    while (!dal__note_is_free(&first->notes[DAL_SAY_CLOCK]) && nodes->status == DAL_OK)
        dal__nodes_step(nodes);
    first->said &= ~(1u << DAL_SAY_CLOCK);
    status = dal__say_to(nodes, 0, DAL_SAY_CLOCK, 0);
    if (status < 0)
        return dal__nodes_complain(nodes);
    while (nodes->status == DAL_OK && !dal__peer_has_said(first, DAL_SAY_CLOCK))
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
    between_ns = dal_now_ns() - asked_ns;
    if (nodes->status == DAL_OK && (!clock->error_ns || between_ns / 2 < clock->error_ns)) {
        clock->offset_ns = (int64_t)first->numbers[DAL_SAY_CLOCK] - asked_ns - between_ns / 2;
        clock->error_ns = between_ns / 2 + 1;
    }
    return nodes->status;
}

static int measure_clock(struct dal_nodes *nodes)
{
    int i, status = DAL_OK;
    for (i = 0; nodes->link->rank != 0 && status == DAL_OK && i < QUESTIONS; i++)
        status = ask_clock(nodes);
    return status;
}

int dal_nodes_survey(struct dal_nodes *nodes, const struct dal_witness *witness)
{
    return dal__survey_init(&nodes->survey, witness, nodes->link->count);
}

int dal_nodes_ready(struct dal_nodes *nodes, int status)
{
    struct dal_idleness idle = {0};
    struct dal_control *control = nodes->control;
    nodes->control = NULL; /* no flow moves before all are ready */
    if (status < 0) {
        nodes->early = !nodes->transport->open; /* on a strand the program goes on */
        dal__nodes_note_error(nodes, status);
        return status;
    }
    status = measure_clock(nodes);
    nodes->clock.begin_ns = dal_now_ns();
    if (status == DAL_OK)
        status = dal__say_to_all(nodes, DAL_SAY_READY, (uint64_t)nodes->clock.begin_ns);
    while (status == DAL_OK && !dal__all_have_said(nodes, DAL_SAY_READY)) {
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
        status = nodes->status;
    }
    if (nodes->link->rank != 0)
        nodes->clock.begin_ns =
            (int64_t)nodes->peers[0].numbers[DAL_SAY_READY] - nodes->clock.offset_ns;
    nodes->control = control;
    return status;
}

static int are_flows_over(const struct dal_nodes *nodes)
{
    int i;
    for (i = 0; i < nodes->part.flow_count; i++)
        if (!dal__flow_is_over(&nodes->flows[i]))
            return 0;
    return 1;
}

static int may_go_on(struct dal_nodes *nodes)
{
    pthread_mutex_lock(&nodes->stepping);
    nodes->may_help =
        nodes->status == DAL_OK && !(atomic_load(&nodes->done) && are_flows_over(nodes));
    pthread_mutex_unlock(&nodes->stepping);
    return nodes->may_help;
}

/* Steps until this rank has nothing more to send or receive; then the ranks end together. */
static void *move_flows(void *argument)
{
    struct dal_nodes *nodes = argument;
    struct dal_idleness idle = {0};
    dal_thread_begin();
    while (may_go_on(nodes))
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
    end_together(nodes);
    return NULL;
}

int dal_nodes_start(struct dal_nodes *nodes)
{
    int error = pthread_create(&nodes->thread, NULL, move_flows, nodes);
    if (error) {
        dal_log(DAL_LOG_ERROR, "node %s: no thread: %s", dal_nodes_name(nodes), strerror(error));
        return DAL_ERR_SYSTEM;
    }
    nodes->running = 1;
    return DAL_OK;
}

int dal_nodes_elsewhere(struct dal_nodes *nodes)
{
    int64_t heard_ns = atomic_load_explicit(&nodes->elsewhere_ns, memory_order_relaxed);
    return heard_ns > 0 && dal_now_ns() - heard_ns < STALE_NS;
}

void dal_nodes_note_work(struct dal_nodes *nodes)
{
    atomic_store_explicit(&nodes->worked_ns, dal_now_ns(), memory_order_relaxed);
}

/* Returns whether the lock was free in time. A transport that does not return keeps it; then
 * nothing is logged. */
static int may_look(struct dal_nodes *nodes)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int tries, status = pthread_mutex_trylock(&nodes->stepping);
    for (tries = 0; status && tries < TRIES; tries++) {
        nanosleep(&nap, NULL);
        status = pthread_mutex_trylock(&nodes->stepping);
    }
    return status == 0;
}

void dal_nodes_tell_messages(struct dal_nodes *nodes, int64_t time_ns)
{
    int i;
    if (!may_look(nodes))
        return;
    for (i = 0; i < nodes->part.flow_count; i++)
        if (nodes->flows[i].count > 0)
            dal__flow_tell(&nodes->flows[i], nodes->whole->nodes[nodes->flows[i].desc.node],
                           time_ns);
    pthread_mutex_unlock(&nodes->stepping);
}

void dal_nodes_finish(struct dal_nodes *nodes)
{
    if (!nodes->running) { /* it could not start: the others are told */
        end_together(nodes);
        return;
    }
    atomic_store(&nodes->done, 1);
    dal_wake_signal(&nodes->wake);
    pthread_join(nodes->thread, NULL);
    nodes->running = 0;
}

/* ---- reports --------------------------------------------------------------------------------- */

int dal_nodes_gathers(const struct dal_nodes *nodes)
{
    return nodes->status == DAL_OK && nodes->told_end &&
           (nodes->link->rank == 0 ? nodes->wants : nodes->peers[0].numbers[DAL_SAY_DONE] != 0);
}

static int is_gathered(const struct dal_nodes *nodes)
{
    return nodes->link->rank == 0 ? dal__all_have_said(nodes, DAL_SAY_REPORT)
                                  : nodes->reporting.done;
}

int dal_nodes_gather(struct dal_nodes *nodes, const void *bytes, size_t count,
                     struct dal_nodes_report *reports)
{
    struct dal_idleness idle = {0};
    int64_t begin_ns = dal_now_ns();
    int i, status = DAL_OK;
    nodes->gathering = 1;
    if (nodes->link->rank != 0)
        status = nodes->transport->send(nodes->link, 0, dal__tag(-1, DAL_SAY_REPORT), bytes, count,
                                        &nodes->reporting);
    if (status < 0)
        dal__nodes_note_error(nodes, dal__nodes_complain(nodes));
    while (nodes->status == DAL_OK && !is_gathered(nodes)) {
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
        if (dal_now_ns() - begin_ns < REPORT_NS)
            continue;
        dal_log(DAL_LOG_ERROR, "node %s: not all reports have come", dal_nodes_name(nodes));
        dal__nodes_note_error(nodes, DAL_ERR_NODE);
    }
    nodes->gathering = nodes->status < 0;
    for (i = 1; nodes->link->rank == 0 && i < nodes->link->count; i++)
        reports[i] =
            (struct dal_nodes_report){nodes->peers[i].report, nodes->peers[i].report_bytes};
    return nodes->status;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Returns whether all ranks ended in the same way, so that the link can be closed in order. */
static int is_orderly(const struct dal_nodes *nodes)
{
    if (nodes->gathering || nodes->dropped) /* something may be under way */
        return 0;
    if (nodes->unfit)
        return dal__all_rest(nodes);
    return !dal__anyone_is_gone(nodes) && dal__all_rest(nodes) && dal__all_are_over(nodes);
}

void dal_nodes_leave(struct dal_nodes *nodes, int status)
{
    const char *name;
    int fits;
    if (!nodes || !nodes->link)
        return;
    fits = nodes->link->count == nodes->whole->node_count;
    nodes->control = NULL;
    if (nodes->status == DAL_OK)
        nodes->status = status;
    if (fits)
        end_together(nodes);
    name = fits ? dal_nodes_name(nodes) : nodes->whole->name;
    if (nodes->transport->close(nodes->link, !fits || is_orderly(nodes)) < 0) {
        dal_log(DAL_LOG_ERROR, "node %s: %s could not be closed", name, nodes->transport->name);
        dal__nodes_note_error(nodes, DAL_ERR_NODE);
    }
    nodes->link = NULL;
}

int dal_nodes_verdict(const struct dal_nodes *nodes, int status)
{
    if (!nodes)
        return status;
    status = status < 0 ? status : nodes->status;
    return status == DAL_ERR_NODE && nodes->heard < 0 ? nodes->heard : status;
}

void dal_nodes_destroy(struct dal_nodes *nodes)
{
    int i;
    if (!nodes)
        return;
    for (i = 0; nodes->flows && i < nodes->part.flow_count; i++)
        dal__flow_finish(&nodes->flows[i]);
    for (i = 0; nodes->peers && i < nodes->whole->node_count; i++)
        dal_free(nodes->peers[i].report);
    dal__survey_finish(&nodes->survey, nodes->whole->node_count);
    dal_free(nodes->flows);
    dal_free(nodes->peers);
    dal_free(nodes->scratch);
    dal_free(nodes->sent_report);
    pthread_mutex_destroy(&nodes->stepping);
    dal_part_finish(&nodes->part);
    dal_free(nodes);
}
