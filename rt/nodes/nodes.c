#include "rt/nodes/nodes.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum {
    MESSAGES_AT_ONCE = 64,
    STEPS_YIELDING = 64, /* without anything to move, before the first sleep */
    SLEEP_PART = 8,      /* of the time that nothing has moved */
};
static const int64_t LEAST_SLEEP_NS = 20000, MOST_SLEEP_NS = 2000000;
static const int64_t WATCH_NS = 100000000;       /* between looks for ranks that are gone */
static const int64_t ALIVE_NS = 500000000;       /* between words that this rank is at work */
static const int64_t STALE_NS = 2000000000;      /* after which such a word means nothing */
static const int64_t MEET_NS = 60000000000;      /* for all ranks to say who they are */
static const int64_t LAST_WORDS_NS = 1500000000; /* for others to say that they end as well */

/* ---- saying ---------------------------------------------------------------------------------- */

static int complain_link(struct dal_nodes *nodes)
{
    dal_log(DAL_LOG_ERROR, "node %s: %s: %s", dal_nodes_name(nodes), nodes->transport->name,
            nodes->link->why);
    return DAL_ERR_NODE;
}

static int is_peer(const struct dal_nodes *nodes, int rank)
{
    return rank != nodes->link->rank;
}

/* To one rank, if what was said before has been sent. */
static int say_to(struct dal_nodes *nodes, int rank, enum dal_say say, uint64_t number)
{
    struct dal_peer *peer = &nodes->peers[rank];
    struct dal_note *note = &peer->notes[say];
    if (peer->gone || !dal__note_is_free(note))
        return DAL_OK;
    *note = (struct dal_note){.sent = 1, .number = number};
    return nodes->transport->send(nodes->link, rank, dal__tag(-1, say), &note->number,
                                  sizeof(note->number), &note->transfer);
}

static int say_to_all(struct dal_nodes *nodes, enum dal_say say, uint64_t number)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < nodes->link->count; i++)
        if (is_peer(nodes, i))
            status = say_to(nodes, i, say, number);
    return status < 0 ? complain_link(nodes) : DAL_OK;
}

/* ---- hearing --------------------------------------------------------------------------------- */

/* Receives a few bytes, all of which have come with the message. After an error they may still
 * come. */
static int receive_now(struct dal_nodes *nodes, const struct dal_message *message, void *to)
{
    int status;
    nodes->receiving.done = 0;
    status = nodes->transport->receive(nodes->link, message, to, &nodes->receiving);
    while (status >= 0 && !nodes->receiving.done)
        status = nodes->transport->poll(nodes->link, NULL);
    return status;
}

/* Whatever it is, it is for nobody. */
static int drop_message(struct dal_nodes *nodes, const struct dal_message *message)
{
    dal_free(nodes->scratch);
    nodes->scratch = dal_alloc(message->bytes ? message->bytes : 1);
    return nodes->scratch ? receive_now(nodes, message, nodes->scratch) : DAL_ERR_NOMEM;
}

static struct dal_flow *find_flow(const struct dal_nodes *nodes, int number)
{
    int low = 0, high = nodes->part.flow_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (nodes->flows[middle].desc.number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < nodes->part.flow_count && nodes->flows[low].desc.number == number
               ? &nodes->flows[low]
               : NULL;
}

/* One that ends since another has ended is not named. */
static void hear_end(struct dal_nodes *nodes, const struct dal_peer *peer)
{
    int error = -(int)peer->numbers[DAL_SAY_BREAK];
    if (error != DAL_ERR_NODE && nodes->status == DAL_OK)
        dal_log(DAL_LOG_ERROR, "node %s (rank %d) ended early: %s", peer->node, peer->rank,
                dal_strerror(error));
    nodes->status = nodes->status < 0 ? nodes->status : DAL_ERR_NODE;
    if (nodes->control)
        dal_control_break(nodes->control, DAL_ERR_NODE);
}

static void hear_peer(struct dal_nodes *nodes, struct dal_peer *peer, enum dal_say say)
{
    peer->said |= 1u << say;
    if (say == DAL_SAY_BREAK)
        hear_end(nodes, peer);
    if (say == DAL_SAY_ALIVE)
        atomic_store_explicit(&nodes->elsewhere_ns, dal_now_ns(), memory_order_relaxed);
    if (say == DAL_SAY_STOP && nodes->control && !dal_control_stopping(nodes->control)) {
        nodes->told_stop = 1;
        dal_control_stop(nodes->control);
    }
}

static int take_number(struct dal_nodes *nodes, const struct dal_message *message,
                       struct dal_flow *flow, enum dal_say say)
{
    struct dal_peer *peer = &nodes->peers[message->from];
    int status;
    if (message->bytes != sizeof(nodes->number))
        return drop_message(nodes, message);
    status = receive_now(nodes, message, &nodes->number);
    if (status < 0)
        return status;
    if (flow) {
        dal__flow_hear(flow, say, nodes->number);
        return DAL_OK;
    }
    peer->numbers[say] = nodes->number;
    hear_peer(nodes, peer, say);
    return DAL_OK;
}

/* One that has been found; returns 0 when it has to wait for room. */
static int take_message(struct dal_nodes *nodes, const struct dal_message *message)
{
    enum dal_say say = dal__tag_say(message->tag);
    int number = dal__tag_flow(message->tag), status;
    struct dal_flow *flow = number >= 0 && nodes->flows ? find_flow(nodes, number) : NULL;
    if (say == DAL_SAY_HELLO && message->bytes == sizeof(struct dal_hello)) {
        status = receive_now(nodes, message, &nodes->peers[message->from].hello);
        nodes->peers[message->from].said |= 1u << DAL_SAY_HELLO;
    } else if (say >= DAL_SAYS || (number >= 0 && (!flow || nodes->status < 0))) {
        status = drop_message(nodes, message);
    } else if (say == DAL_SAY_DATA) {
        if (!dal__flow_has_room(flow))
            return 0;
        status = dal__flow_receive(flow, nodes->link, nodes->transport, message);
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
        status = nodes->transport->poll(nodes->link, nodes->holds ? NULL : &nodes->held);
        if (status < 0 || (status == 0 && !nodes->holds))
            return status < 0 ? complain_link(nodes) : taken;
        status = take_message(nodes, &nodes->held);
        nodes->holds = status == 0;
    }
    return status < 0 ? complain_link(nodes) : taken - nodes->holds;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* The first error of this rank, or of its control. */
static void note_error(struct dal_nodes *nodes, int status)
{
    if (nodes->status == DAL_OK)
        nodes->status = status;
    if (nodes->control)
        dal_control_break(nodes->control, status);
}

static void look_for_gone(struct dal_nodes *nodes)
{
    int i;
    for (i = 0; i < nodes->link->count; i++) {
        struct dal_peer *peer = &nodes->peers[i];
        if (!is_peer(nodes, i) || peer->gone || dal__peer_is_there(peer))
            continue;
        nodes->told_gone = 1;
        dal_log(DAL_LOG_ERROR, "node %s (rank %d, process %lld) is gone", peer->node, i,
                (long long)peer->hello.pid);
        note_error(nodes, DAL_ERR_NODE);
    }
}

static int step_flows(struct dal_nodes *nodes)
{
    int i, moved = 0;
    for (i = 0; i < nodes->part.flow_count; i++) {
        int status = dal__flow_step(&nodes->flows[i], nodes->link, nodes->transport);
        if (status < 0)
            return complain_link(nodes);
        moved |= status;
    }
    return moved;
}

/* What is done now and then: this rank's stop and its being alive are told. */
static int tell_state(struct dal_nodes *nodes, int64_t now_ns)
{
    int64_t worked_ns = atomic_load_explicit(&nodes->worked_ns, memory_order_relaxed);
    int status = DAL_OK;
    if (dal_control_stopping(nodes->control) && !nodes->told_stop) {
        nodes->told_stop = 1;
        nodes->watched_ns = 0;
        status = say_to_all(nodes, DAL_SAY_STOP, 0);
    }
    if (status == DAL_OK && worked_ns > nodes->told_ns && now_ns - nodes->told_ns > ALIVE_NS) {
        nodes->told_ns = now_ns;
        status = say_to_all(nodes, DAL_SAY_ALIVE, 0);
    }
    return status;
}

/* Whatever can be done without waiting; nothing is sent behind the last word. Returns whether
 * something has moved; errors are noted. */
static int make_step(struct dal_nodes *nodes)
{
    int64_t now_ns = dal_tick_ns();
    int moved = take_messages(nodes), status = moved;
    if (nodes->control && dal_control_broken(nodes->control))
        note_error(nodes, atomic_load(&nodes->control->error));
    if (status >= 0 && nodes->control && nodes->status == DAL_OK && !nodes->told_end) {
        status = tell_state(nodes, now_ns);
        if (status == DAL_OK)
            status = step_flows(nodes);
        moved |= status;
    }
    if (now_ns - nodes->watched_ns > WATCH_NS) {
        nodes->watched_ns = now_ns;
        look_for_gone(nodes);
    }
    if (status < 0)
        note_error(nodes, status);
    return moved > 0;
}

/* ---- waiting --------------------------------------------------------------------------------- */

struct idleness {
    int steps;
    int64_t since_ns;
};

/* After a step that moved nothing: yields, later sleeps. A signal between the two looks for work is
 * not missed (rt/base/wake.h). */
static void be_idle(struct dal_nodes *nodes, struct idleness *idle, int moved)
{
    int64_t sleep_ns;
    uint32_t sequence;
    if (moved) {
        idle->steps = 0;
        return;
    }
    if (idle->steps++ == 0)
        idle->since_ns = dal_now_ns();
    if (idle->steps < STEPS_YIELDING) {
        sched_yield();
        return;
    }
    sleep_ns = (dal_now_ns() - idle->since_ns) / SLEEP_PART;
    sleep_ns = sleep_ns < LEAST_SLEEP_NS ? LEAST_SLEEP_NS : sleep_ns;
    sequence = dal_wake_prepare(&nodes->wake);
    if (make_step(nodes)) {
        dal_wake_cancel(&nodes->wake);
        idle->steps = 0;
    } else {
        dal_wake_wait(&nodes->wake, sequence, sleep_ns < MOST_SLEEP_NS ? sleep_ns : MOST_SLEEP_NS);
    }
}

static int have_all_said(const struct dal_nodes *nodes, enum dal_say say)
{
    int i;
    for (i = 0; i < nodes->link->count; i++)
        if (is_peer(nodes, i) && !dal__peer_has_said(&nodes->peers[i], say))
            return 0;
    return 1;
}

static int are_all_over(const struct dal_nodes *nodes)
{
    int i;
    for (i = 0; i < nodes->link->count; i++)
        if (is_peer(nodes, i) && !dal__peer_is_over(&nodes->peers[i]))
            return 0;
    return 1;
}

static int is_anyone_gone(const struct dal_nodes *nodes)
{
    int i;
    for (i = 0; i < nodes->link->count; i++)
        if (is_peer(nodes, i) && nodes->peers[i].gone)
            return 1;
    return 0;
}

/* Has everything been sent, and received? */
static int do_all_rest(const struct dal_nodes *nodes)
{
    int i, k;
    for (i = 0; i < nodes->link->count; i++) {
        if (!is_peer(nodes, i))
            continue;
        for (k = 0; k < DAL_SAYS; k++)
            if (!dal__note_is_free(&nodes->peers[i].notes[k]))
                return 0;
    }
    for (i = 0; nodes->flows && i < nodes->part.flow_count; i++)
        if (!dal__flow_rests(&nodes->flows[i]))
            return 0;
    return 1;
}

/* A flow whose tokens are dropped does not release them, but sees them done. */
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

/* After an error, whoever can be told is told. Returns what was said. */
static enum dal_say say_last(struct dal_nodes *nodes)
{
    int i;
    if (nodes->status == DAL_OK && say_to_all(nodes, DAL_SAY_DONE, 0) == DAL_OK)
        return DAL_SAY_DONE;
    note_error(nodes, DAL_ERR_NODE);
    for (i = 0; i < nodes->link->count; i++)
        if (is_peer(nodes, i))
            say_to(nodes, i, DAL_SAY_BREAK, (uint64_t)-nodes->status);
    return DAL_SAY_BREAK;
}

/*
 * Tells the others how this rank ends, and waits until they have said the same. After an error,
 * only so long: what is left then is torn down. Nothing is under way when all have said it.
 */
static void end_together(struct dal_nodes *nodes)
{
    struct idleness idle = {0};
    int64_t begin_ns = dal_now_ns();
    enum dal_say say;
    if (nodes->told_end)
        return;
    make_step(nodes); /* there may have been an error just now */
    nodes->told_end = 1;
    say = say_last(nodes);
    while (!are_all_over(nodes) || !do_all_rest(nodes)) {
        int moved = make_step(nodes);
        if (say == DAL_SAY_DONE && nodes->status < 0) {
            say = DAL_SAY_BREAK;
            begin_ns = dal_now_ns();
        }
        if (nodes->status < 0) {
            settle_flows(nodes);
            if (is_anyone_gone(nodes) || dal_now_ns() - begin_ns > LAST_WORDS_NS)
                return;
        }
        be_idle(nodes, &idle, moved);
    }
}

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
    for (i = 0; status == DAL_OK && i < nodes->link->count; i++)
        if (is_peer(nodes, i))
            status =
                nodes->transport->send(nodes->link, i, dal__tag(-1, DAL_SAY_HELLO), &nodes->hello,
                                       sizeof(nodes->hello), &nodes->peers[i].greeting);
    return status < 0 ? complain_link(nodes) : DAL_OK;
}

static int is_greeted(const struct dal_nodes *nodes)
{
    int i;
    for (i = 0; i < nodes->link->count; i++)
        if (is_peer(nodes, i) && !nodes->peers[i].greeting.done)
            return 0;
    return have_all_said(nodes, DAL_SAY_HELLO);
}

static int meet_all(struct dal_nodes *nodes)
{
    struct idleness idle = {0};
    int64_t begin_ns = dal_now_ns();
    int i, status = say_hello(nodes);
    while (status == DAL_OK && !is_greeted(nodes)) {
        be_idle(nodes, &idle, make_step(nodes));
        status = nodes->status;
        if (status == DAL_OK && dal_now_ns() - begin_ns > MEET_NS) {
            dal_log(DAL_LOG_ERROR, "node %s: not all other ranks have said who they are",
                    dal_nodes_name(nodes));
            status = DAL_ERR_NODE;
        }
    }
    for (i = 0; status == DAL_OK && i < nodes->link->count; i++)
        if (is_peer(nodes, i))
            dal__peer_meet(&nodes->peers[i], &nodes->hello);
    return status;
}

/* All find it; the first rank tells. */
static int compare_builds(const struct dal_nodes *nodes)
{
    int i, status = DAL_OK;
    for (i = 0; i < nodes->link->count; i++) {
        const struct dal_peer *peer = &nodes->peers[i];
        if (!is_peer(nodes, i) ||
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

/* Whoever finds it, finds that all ranks are not as they should be: they can all leave. */
static int join_others(struct dal_nodes *nodes, const char *program)
{
    int status;
    if (nodes->link->count != nodes->whole->node_count) {
        nodes->told_end = 1;
        return refuse_count(nodes, program);
    }
    status = meet_all(nodes);
    if (status < 0)
        return status;
    status = compare_builds(nodes);
    nodes->told_end = status < 0;
    return status < 0 ? status : make_flows(nodes);
}

/* What needs memory before the others know of this rank. */
static struct dal_nodes *new_nodes(const struct dal_net *whole)
{
    struct dal_nodes *nodes = dal_calloc(1, sizeof(*nodes));
    if (!nodes)
        return NULL;
    nodes->whole = whole;
    nodes->transport = whole->transport;
    dal__hello_make(&nodes->hello);
    if (make_peers(nodes) == DAL_OK)
        return nodes;
    dal_free(nodes);
    return NULL;
}

int dal_nodes_join(struct dal_nodes **result, const struct dal_net *whole, const char *program)
{
    struct dal_nodes *nodes = new_nodes(whole);
    char why[sizeof(nodes->link->why)] = "";
    int status = DAL_ERR_NOMEM;
    *result = NULL;
    if (nodes)
        status = nodes->transport->open(&nodes->link, why);
    if (nodes && status < 0)
        dal_log(DAL_LOG_ERROR, "network %s: %s: %s", whole->name, nodes->transport->name, why);
    else if (nodes)
        status = join_others(nodes, program);
    if (status == DAL_ERR_NOMEM)
        dal_log(DAL_LOG_ERROR, "no memory for the network");
    if (status == DAL_OK) {
        *result = nodes;
        return DAL_OK;
    }
    dal_nodes_leave(nodes, status);
    dal_nodes_destroy(nodes);
    return status;
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
        flow->process->wakes[0] = &nodes->wake;
        flow->process->wake_count = 1;
    }
}

int dal_nodes_ready(struct dal_nodes *nodes, int status)
{
    struct idleness idle = {0};
    struct dal_control *control = nodes->control;
    nodes->control = NULL; /* no flow moves before all are there */
    if (status < 0) {
        note_error(nodes, status);
        return status;
    }
    status = say_to_all(nodes, DAL_SAY_READY, 0);
    while (status == DAL_OK && !have_all_said(nodes, DAL_SAY_READY)) {
        be_idle(nodes, &idle, make_step(nodes));
        status = nodes->status;
    }
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

/* Steps until this rank has nothing more to send or to receive; then the ranks end together. */
static void *move_flows(void *argument)
{
    struct dal_nodes *nodes = argument;
    struct idleness idle = {0};
    while (nodes->status == DAL_OK && !(atomic_load(&nodes->done) && are_flows_over(nodes)))
        be_idle(nodes, &idle, make_step(nodes));
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

void dal_nodes_finish(struct dal_nodes *nodes)
{
    if (!nodes->running)
        return;
    atomic_store(&nodes->done, 1);
    dal_wake_signal(&nodes->wake);
    pthread_join(nodes->thread, NULL);
    nodes->running = 0;
}

/* Have all ranks come to the same end, so that the link can be closed as it should be? */
static int is_orderly(const struct dal_nodes *nodes)
{
    if (nodes->told_end && !nodes->flows) /* they have found that they do not fit */
        return do_all_rest(nodes);
    return !is_anyone_gone(nodes) && do_all_rest(nodes) && are_all_over(nodes);
}

void dal_nodes_leave(struct dal_nodes *nodes, int status)
{
    int fits;
    if (!nodes || !nodes->link)
        return;
    fits = nodes->link->count == nodes->whole->node_count;
    nodes->control = NULL;
    if (nodes->status == DAL_OK)
        nodes->status = status;
    if (fits)
        end_together(nodes);
    nodes->transport->close(nodes->link, !fits || is_orderly(nodes));
    nodes->link = NULL;
}

void dal_nodes_destroy(struct dal_nodes *nodes)
{
    int i;
    if (!nodes)
        return;
    for (i = 0; nodes->flows && i < nodes->part.flow_count; i++)
        dal__flow_finish(&nodes->flows[i]);
    dal_free(nodes->flows);
    dal_free(nodes->peers);
    dal_free(nodes->scratch);
    dal_part_finish(&nodes->part);
    dal_free(nodes);
}
