#include "rt/nodes/step.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/sync.h"

#include <stdio.h>

enum {
    MESSAGES_AT_ONCE = 64,
    STEPS_YIELDING = 64, /* steps that move nothing, before the first sleep */
    SLEEP_PART = 8,      /* part of the time in which nothing has moved */
};
static const int64_t LEAST_SLEEP_NS = 20000, MOST_SLEEP_NS = 2000000;
static const int64_t HELPED_NS = 50000;    /* for which a worker's step counts as help */
static const int64_t WATCH_NS = 100000000; /* between looks for ranks that are gone */
static const int64_t ALIVE_NS = 500000000; /* between words that this rank is at work */

/* ---- saying ---------------------------------------------------------------------------------- */

int dal__nodes_complain(struct dal_nodes *nodes)
{
    if (nodes->failures++ == 0)
        dal_log(DAL_LOG_ERROR, "node %s: %s: %s", dal_nodes_name(nodes),
                nodes->link->transport->name, nodes->link->why);
    return DAL_ERR_NODE;
}

int dal__say_to(struct dal_nodes *nodes, int rank, enum dal_say say, uint64_t number)
{
    struct dal_peer *peer = &nodes->peers[rank];
    struct dal_note *note = &peer->notes[say];
    if (rank == nodes->link->rank || peer->gone || !dal__note_is_free(note))
        return DAL_OK;
    return dal__note_send(note, nodes->link, rank, dal__tag(-1, say), number);
}

int dal__say_to_all(struct dal_nodes *nodes, enum dal_say say, uint64_t number)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < nodes->link->count; i++)
        status = dal__say_to(nodes, i, say, number);
    return status < 0 ? dal__nodes_complain(nodes) : DAL_OK;
}

/* ---- hearing --------------------------------------------------------------------------------- */

static int lack_memory(struct dal_nodes *nodes)
{
    snprintf(nodes->link->why, sizeof(nodes->link->why), "no memory for a message");
    return DAL_ERR_NOMEM;
}

/* Receives a few bytes, all of which have come with the message. After an error they may still
 * come. */
static int receive_now(struct dal_nodes *nodes, const struct dal_message *message, void *to)
{
    int status;
    nodes->inbox.receiving.done = 0;
    status = nodes->link->transport->receive(nodes->link, message, to, &nodes->inbox.receiving);
    while (status >= 0 && !nodes->inbox.receiving.done)
        status = nodes->link->transport->poll(nodes->link, NULL);
    return status;
}

/* Receives a message that nobody wants. */
static int drop_message(struct dal_nodes *nodes, const struct dal_message *message)
{
    dal_free(nodes->inbox.scratch);
    nodes->inbox.scratch = dal_alloc(message->bytes ? message->bytes : 1);
    return nodes->inbox.scratch ? receive_now(nodes, message, nodes->inbox.scratch)
                                : lack_memory(nodes);
}

/* Hears that a peer ends early. If it does so because another one has ended, it is not named. */
static void hear_end(struct dal_nodes *nodes, const struct dal_peer *peer)
{
    int error = -(int)peer->numbers[DAL_SAY_BREAK];
    if (error != DAL_ERR_NODE && nodes->heard == DAL_OK)
        nodes->heard = error;
    if (error != DAL_ERR_NODE && nodes->status == DAL_OK)
        dal_log(DAL_LOG_ERROR, "node %s (rank %d) ended early: %s", peer->node, peer->rank,
                dal_strerror(error));
    dal__nodes_note_error(nodes, DAL_ERR_NODE);
}

void dal__nodes_hear_stop(struct dal_nodes *nodes)
{
    if (!nodes->control || dal_control_stopping(nodes->control))
        return;
    nodes->told.stop = 1;
    dal_control_stop(nodes->control);
}

static void hear_peer(struct dal_nodes *nodes, struct dal_peer *peer, enum dal_say say)
{
    peer->said |= 1u << say;
    if (say == DAL_SAY_BREAK)
        hear_end(nodes, peer);
    if (say == DAL_SAY_CLOCK && nodes->link->rank == 0) {
        nodes->clock.questions += !peer->asks;
        peer->asks = 1;
    }
    if (say == DAL_SAY_ALIVE)
        atomic_store_explicit(&nodes->signs.elsewhere_ns, dal_now_ns(), memory_order_relaxed);
    if (say == DAL_SAY_LOOK)
        dal__global_snapshot_hear(&nodes->global, peer->rank, peer->numbers[say]);
    if (say == DAL_SAY_GROW && nodes->global.callbacks)
        nodes->global.callbacks->grow(nodes->global.callbacks->network, (int)peer->numbers[say]);
    if (say == DAL_SAY_STOP)
        dal__nodes_hear_stop(nodes);
}

static int take_number(struct dal_nodes *nodes, const struct dal_message *message,
                       struct dal_flow *flow, enum dal_say say)
{
    struct dal_peer *peer = &nodes->peers[message->from];
    int status;
    if (message->bytes != sizeof(nodes->inbox.number))
        return drop_message(nodes, message);
    status = receive_now(nodes, message, &nodes->inbox.number);
    if (status < 0)
        return status;
    if (flow) {
        dal__flow_hear(flow, say, nodes->inbox.number);
        return DAL_OK;
    }
    peer->numbers[say] = nodes->inbox.number;
    hear_peer(nodes, peer, say);
    return DAL_OK;
}

static int take_report(struct dal_nodes *nodes, const struct dal_message *message)
{
    struct dal_peer *peer = &nodes->peers[message->from];
    if (peer->report)
        return drop_message(nodes, message);
    peer->report = dal_alloc(message->bytes + 1);
    if (!peer->report)
        return lack_memory(nodes);
    peer->report_bytes = message->bytes;
    peer->said |= 1u << DAL_SAY_REPORT;
    return receive_now(nodes, message, peer->report);
}

static int take_snapshot(struct dal_nodes *nodes, const struct dal_message *message)
{
    void *room = dal__global_snapshot_room(&nodes->global, message->from, message->bytes);
    return room ? receive_now(nodes, message, room) : lack_memory(nodes);
}

/* Takes a message that was found. Returns 0 when it has to wait for room. */
static int take_message(struct dal_nodes *nodes, const struct dal_message *message)
{
    enum dal_say say = dal__tag_say(message->tag);
    int number = dal__tag_flow(message->tag), status;
    struct dal_flow *flow = dal__flow_find(nodes->flows, nodes->part.flow_count, number);
    if (say == DAL_SAY_HELLO && message->bytes == sizeof(struct dal_hello)) {
        status = receive_now(nodes, message, &nodes->peers[message->from].hello);
        nodes->peers[message->from].said |= 1u << DAL_SAY_HELLO;
    } else if (say == DAL_SAY_SNAPSHOT && nodes->global.ranks && nodes->status == DAL_OK) {
        status = take_snapshot(nodes, message);
    } else if (say >= DAL_SAYS || say == DAL_SAY_SNAPSHOT ||
               (number >= 0 && (!flow || nodes->status < 0))) {
        status = drop_message(nodes, message);
    } else if (say == DAL_SAY_REPORT) {
        status = take_report(nodes, message);
    } else if (say == DAL_SAY_DATA) {
        if (!dal__flow_has_room(flow))
            return 0;
        status = dal__flow_receive(flow, nodes->link, message);
    } else {
        status = take_number(nodes, message, flow, say);
    }
    return status < 0 ? status : 1;
}

/* Returns how many messages were taken, or a negative code. */
static int take_messages(struct dal_nodes *nodes)
{
    int taken, status = 1;
    for (taken = 0; taken < MESSAGES_AT_ONCE && status > 0; taken++) {
        status = nodes->link->transport->poll(nodes->link,
                                              nodes->inbox.holds ? NULL : &nodes->inbox.held);
        if (status < 0 || (status == 0 && !nodes->inbox.holds))
            return status < 0 ? dal__nodes_complain(nodes) : taken;
        status = take_message(nodes, &nodes->inbox.held);
        nodes->inbox.holds = status == 0;
        nodes->inbox.dropped |= status < 0;
    }
    return status < 0 ? dal__nodes_complain(nodes) : taken - nodes->inbox.holds;
}

/* ---- a step ---------------------------------------------------------------------------------- */

void dal__nodes_note_error(struct dal_nodes *nodes, int status)
{
    if (nodes->status == DAL_OK)
        nodes->status = status;
    if (nodes->control)
        dal_control_break(nodes->control, status);
}

static void look_for_gone(struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->link->count; i++) {
        struct dal_peer *peer = &nodes->peers[i];
        if (peer->gone || dal__peer_is_there(peer))
            continue;
        dal_log(DAL_LOG_ERROR, "node %s (rank %d, process %lld) is gone", peer->node, i,
                (long long)peer->hello.pid);
        dal__nodes_note_error(nodes, DAL_ERR_NODE);
    }
}

static int step_flows(struct dal_nodes *nodes)
{
    int moved = 0, under_way = 0;
    uint64_t through = 0;
    for (int i = 0; i < nodes->part.flow_count; i++) {
        struct dal_flow *flow = &nodes->flows[i];
        int status = dal__flow_step(flow, nodes->link);
        if (status < 0)
            return dal__nodes_complain(nodes);
        moved |= status;
        under_way += flow->count;
        through += flow->process->launches;
    }
    atomic_store_explicit(&nodes->signs.under_way, under_way, memory_order_relaxed);
    atomic_store_explicit(&nodes->signs.through, through, memory_order_relaxed);
    return moved;
}

/* Tells the others, now and then, this rank's stop and that it is alive. */
static int tell_state(struct dal_nodes *nodes, int64_t now_ns)
{
    int64_t worked_ns = atomic_load_explicit(&nodes->signs.worked_ns, memory_order_relaxed);
    int status = DAL_OK;
    if (dal_control_stopping(nodes->control) && !nodes->told.stop) {
        nodes->told.stop = 1;
        nodes->told.watched_ns = 0;
        status = dal__say_to_all(nodes, DAL_SAY_STOP, 0);
    }
    if (status == DAL_OK && worked_ns > nodes->told.alive_ns &&
        now_ns - nodes->told.alive_ns > ALIVE_NS) {
        nodes->told.alive_ns = now_ns;
        status = dal__say_to_all(nodes, DAL_SAY_ALIVE, 0);
    }
    return status;
}

static int answer_questions(struct dal_nodes *nodes)
{
    int status = DAL_OK;
    for (int i = 0; nodes->clock.questions > 0 && status == DAL_OK && i < nodes->link->count; i++) {
        struct dal_peer *peer = &nodes->peers[i];
        if (!peer->asks || !dal__note_is_free(&peer->notes[DAL_SAY_CLOCK]))
            continue;
        peer->asks = 0;
        nodes->clock.questions--;
        status = dal__say_to(nodes, i, DAL_SAY_CLOCK, (uint64_t)dal_now_ns());
    }
    return status < 0 ? dal__nodes_complain(nodes) : DAL_OK;
}

/* Does what can be done without waiting; nothing is sent after the last word. Returns whether
 * something has moved; errors are noted. */
static int step_alone(struct dal_nodes *nodes)
{
    int64_t now_ns = dal_tick_ns();
    int moved = take_messages(nodes), status = moved;
    if (status >= 0 && nodes->clock.questions > 0 && nodes->status == DAL_OK)
        status = answer_questions(nodes);
    if (nodes->control && nodes->status == DAL_OK && dal_control_broken(nodes->control))
        dal__nodes_note_error(nodes, atomic_load(&nodes->control->error));
    if (status >= 0 && nodes->control && nodes->status == DAL_OK && !nodes->told.end) {
        status = tell_state(nodes, now_ns);
        if (status == DAL_OK)
            status = step_flows(nodes);
        moved |= status;
        if (status >= 0 && dal__global_snapshot_step(nodes, now_ns) < 0)
            status = dal__nodes_complain(nodes);
    }
    if (now_ns - nodes->told.watched_ns > WATCH_NS) {
        nodes->told.watched_ns = now_ns;
        look_for_gone(nodes);
    }
    if (status < 0)
        dal__nodes_note_error(nodes, status);
    return moved > 0;
}

int dal__nodes_step(struct dal_nodes *nodes)
{
    int moved;
    pthread_mutex_lock(&nodes->stepper.stepping);
    moved = step_alone(nodes);
    pthread_mutex_unlock(&nodes->stepper.stepping);
    return moved;
}

int dal_nodes_help(void *object)
{
    struct dal_nodes *nodes = object;
    int moved = 0;
    if (pthread_mutex_trylock(&nodes->stepper.stepping))
        return 0;
    if (nodes->stepper.may_help) {
        moved = step_alone(nodes);
        atomic_store_explicit(&nodes->stepper.helped_ns, dal_now_ns(), memory_order_relaxed);
    }
    pthread_mutex_unlock(&nodes->stepper.stepping);
    return moved;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int is_helped(const struct dal_nodes *nodes)
{
    int64_t helped_ns = atomic_load_explicit(&nodes->stepper.helped_ns, memory_order_relaxed);
    return helped_ns > 0 && dal_now_ns() - helped_ns < HELPED_NS;
}

int64_t dal__idle_nap(struct dal_idleness *idle)
{
    int64_t nap_ns;
    if (idle->steps++ == 0)
        idle->since_ns = dal_now_ns();
    if (idle->steps < STEPS_YIELDING) {
        sched_yield();
        return 0;
    }
    nap_ns = (dal_now_ns() - idle->since_ns) / SLEEP_PART;
    nap_ns = nap_ns < LEAST_SLEEP_NS ? LEAST_SLEEP_NS : nap_ns;
    return nap_ns < MOST_SLEEP_NS ? nap_ns : MOST_SLEEP_NS;
}

/* Waits after a step. It looks for work before and after it announces sleep, so that no signal is
 * missed (rt/base/wake.h). */
void dal__nodes_idle(struct dal_nodes *nodes, struct dal_idleness *idle, int moved)
{
    int64_t nap_ns;
    uint32_t sequence;
    if (moved) {
        idle->steps = 0;
        return;
    }
    if (is_helped(nodes)) { /* workers step, and see signals first */
        const struct timespec nap = {.tv_nsec = HELPED_NS};
        idle->steps = 0;
        nanosleep(&nap, NULL);
        return;
    }
    nap_ns = dal__idle_nap(idle);
    if (!nap_ns)
        return;
    sequence = dal_wake_prepare(&nodes->stepper.wake);
    if (dal__nodes_step(nodes)) {
        dal_wake_cancel(&nodes->stepper.wake);
        idle->steps = 0;
    } else {
        dal_wake_wait(&nodes->stepper.wake, sequence, nap_ns);
    }
}

int dal__all_have_said(const struct dal_nodes *nodes, enum dal_say say)
{
    for (int i = 0; i < nodes->link->count; i++)
        if (!dal__peer_has_said(&nodes->peers[i], say))
            return 0;
    return 1;
}

int dal__all_are_over(const struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->link->count; i++)
        if (!dal__peer_is_over(&nodes->peers[i]))
            return 0;
    return 1;
}

int dal__anyone_is_gone(const struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->link->count; i++)
        if (nodes->peers[i].gone)
            return 1;
    return 0;
}

int dal__all_rest(const struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->link->count; i++) {
        if (!dal__note_is_free(&nodes->peers[i].greeting))
            return 0;
        for (int k = 0; k < DAL_SAYS; k++)
            if (!dal__note_is_free(&nodes->peers[i].notes[k]))
                return 0;
    }
    for (int i = 0; nodes->flows && i < nodes->part.flow_count; i++)
        if (!dal__flow_rests(&nodes->flows[i]))
            return 0;
    return dal__note_is_free(&nodes->copy.making) && dal__note_is_free(&nodes->global.answer);
}
