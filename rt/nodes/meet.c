#include "rt/nodes/meet.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/nodes/end.h"
#include "rt/nodes/step.h"

#include <string.h>

enum { QUESTIONS = 16 };                    /* how often a rank asks for the clock */
static const int64_t MEET_NS = 60000000000; /* time for all ranks to say who they are */

/* ---- who the others are ---------------------------------------------------------------------- */

static int refuse_count(const struct dal_nodes *nodes, const char *program)
{
    const struct dal_net *net = nodes->whole;
    if (nodes->link->rank != 0)
        return DAL_ERR_NODE;
    dal_log(DAL_LOG_ERROR,
            "network %s is for %d nodes, and %d rank%s of it run%s; start it with: %s %d %s",
            net->name, net->node_count, nodes->link->count, nodes->link->count == 1 ? "" : "s",
            nodes->link->count == 1 ? "s" : "", net->transport->launcher, net->node_count, program);
    return DAL_ERR_NODE;
}

/* Marks this rank's own place as over, so that nobody waits for it. */
static void greet_oneself(struct dal_nodes *nodes)
{
    struct dal_peer *own = &nodes->peers[nodes->link->rank];
    own->said = ~0u;
    dal__hello_make(&own->hello);
    own->hello.link = nodes->link->number;
}

static int say_hello(struct dal_nodes *nodes)
{
    const struct dal_hello *hello = &nodes->peers[nodes->link->rank].hello;
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < nodes->link->count; i++) {
        if (i == nodes->link->rank)
            continue;
        status = nodes->link->transport->send(nodes->link, i, dal__tag(-1, DAL_SAY_HELLO), hello,
                                              sizeof(*hello), &nodes->peers[i].greeting.transfer);
        nodes->peers[i].greeting.sent = status == DAL_OK;
    }
    return status < 0 ? dal__nodes_complain(nodes) : DAL_OK;
}

static int is_greeted(const struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->link->count; i++)
        if (!dal__note_is_free(&nodes->peers[i].greeting))
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
        dal__peer_meet(&nodes->peers[i], &nodes->peers[nodes->link->rank].hello);
    return status;
}

/* Compares the programs of all ranks, and what they use the link for. All ranks find a difference;
 * the first one logs it. */
static int compare_hellos(const struct dal_nodes *nodes)
{
    const struct dal_hello *own = &nodes->peers[nodes->link->rank].hello;
    int status = DAL_OK;
    for (int i = 0; i < nodes->link->count; i++) {
        const struct dal_peer *peer = &nodes->peers[i];
        int differs = memcmp(peer->hello.build, own->build, sizeof(own->build));
        if (!differs && peer->hello.link == own->link)
            continue;
        status = DAL_ERR_NODE;
        if (nodes->link->rank == 0)
            dal_log(DAL_LOG_ERROR, "node %s (rank %d) %s than node %s (rank 0)", peer->node, i,
                    differs ? "runs another build of the program" : "has another use of a link",
                    dal_nodes_name(nodes));
    }
    return status;
}

/* ---- joining --------------------------------------------------------------------------------- */

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
    int fits = nodes->link->count == nodes->whole->node_count, status;
    if (fits) {
        greet_oneself(nodes);
        status = meet_all(nodes);
        if (status < 0)
            return status;
    }
    status = fits ? compare_hellos(nodes) : refuse_count(nodes, program);
    if (status == DAL_OK)
        return make_flows(nodes);
    nodes->state = DAL_NODES_UNFIT;
    nodes->told.end = 1;
    return status;
}

/* Allocates what needs memory before the others know of this rank. */
static struct dal_nodes *new_nodes(const struct dal_net *whole)
{
    struct dal_nodes *nodes = dal_calloc(1, sizeof(*nodes));
    if (!nodes)
        return NULL;
    nodes->whole = whole;
    nodes->peers = dal_calloc((size_t)whole->node_count, sizeof(*nodes->peers));
    if (!nodes->peers) {
        dal_free(nodes);
        return NULL;
    }
    pthread_mutex_init(&nodes->stepper.stepping, NULL);
    for (int i = 0; i < whole->node_count; i++) {
        nodes->peers[i].rank = i;
        nodes->peers[i].node = whole->nodes[i];
    }
    return nodes;
}

static int open_link(struct dal_nodes *nodes)
{
    const struct dal_transport *transport = nodes->whole->transport;
    char why[sizeof(nodes->link->why)] = "";
    int status = transport->open(&nodes->link, why);
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "network %s: %s: %s", nodes->whole->name, transport->name, why);
    return status;
}

int dal_nodes_join(struct dal_nodes **result, const struct dal_net *whole, struct dal_link *link,
                   const char *program)
{
    struct dal_nodes *nodes = new_nodes(whole);
    int status = nodes ? DAL_OK : DAL_ERR_NOMEM;
    *result = NULL;
    if (nodes) {
        nodes->link = link;
        nodes->copy.is_link = link != NULL;
    }
    if (nodes && !link)
        status = open_link(nodes);
    if (status == DAL_OK)
        status = join_others(nodes, program);
    if (status == DAL_ERR_NOMEM)
        dal_no_memory();
    if (status == DAL_OK) {
        *result = nodes;
        return DAL_OK;
    }
    dal_nodes_leave(nodes, status);
    status = dal_nodes_verdict(nodes, status);
    dal_nodes_destroy(nodes);
    return status;
}

int dal_nodes_duplicate(struct dal_nodes *nodes, int number, struct dal_link **copy)
{
    struct dal_idleness idle = {0};
    int status =
        nodes->link->transport->duplicate(nodes->link, number, copy, &nodes->copy.making.transfer);
    if (status < 0)
        dal__nodes_note_error(nodes, dal__nodes_complain(nodes));
    nodes->copy.making.sent = status == DAL_OK;
    while (nodes->status == DAL_OK && !nodes->copy.making.transfer.done)
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
    return nodes->status;
}

/* ---- the start of a run ---------------------------------------------------------------------- */

/* Asks the first rank for its time. An answer's number is there before the answer is read here. */
static int ask_clock(struct dal_nodes *nodes)
{
    struct dal_idleness idle = {0};
    struct dal_nodes_clock *clock = &nodes->clock;
    struct dal_peer *first = &nodes->peers[0];
    int64_t asked_ns = dal_now_ns(), between_ns;
    while (!dal__note_is_free(&first->notes[DAL_SAY_CLOCK]) && nodes->status == DAL_OK)
        dal__nodes_step(nodes);
    dal__peer_forget(first, DAL_SAY_CLOCK);
    if (dal__say_to(nodes, 0, DAL_SAY_CLOCK, 0) < 0)
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
    int status = DAL_OK;
    for (int i = 0; nodes->link->rank != 0 && status == DAL_OK && i < QUESTIONS; i++)
        status = ask_clock(nodes);
    return status;
}

/* Heeds the stops that came while this rank waited: others may be ready before. */
static void hear_stops(struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->link->count; i++)
        if (i != nodes->link->rank && dal__peer_has_said(&nodes->peers[i], DAL_SAY_STOP))
            dal__nodes_hear_stop(nodes);
}

int dal_nodes_ready(struct dal_nodes *nodes, int status)
{
    struct dal_idleness idle = {0};
    struct dal_control *control = nodes->control;
    nodes->control = NULL; /* no flow moves before all are ready */
    if (status < 0) {
        nodes->state = nodes->copy.is_link ? DAL_NODES_EARLY : nodes->state;
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
    hear_stops(nodes);
    return status;
}
