#include "rt/nodes/end.h"

#include "rt/base/clock.h"
#include "rt/nodes/step.h"

static const int64_t REPORT_NS = 10000000000;    /* for all reports to arrive */
static const int64_t LAST_WORDS_NS = 1500000000; /* for others to say that they end as well */
static const int64_t INSTALL_NS = 60000000000;   /* for others to install an application */

/* ---- ending together ------------------------------------------------------------------------- */

/* Drops the loads that are done, without releasing their tokens. */
static void settle_flows(struct dal_nodes *nodes)
{
    for (int i = 0; nodes->flows && i < nodes->part.flow_count; i++) {
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
    if (nodes->status == DAL_OK &&
        dal__say_to_all(nodes, DAL_SAY_DONE, (uint64_t)nodes->reports.wanted) == DAL_OK)
        return DAL_SAY_DONE;
    dal__nodes_note_error(nodes, DAL_ERR_NODE);
    for (int i = 0; i < nodes->link->count; i++)
        dal__say_to(nodes, i, DAL_SAY_BREAK, (uint64_t)-nodes->status);
    return DAL_SAY_BREAK;
}

/* Returns whether an application could not be started here while others still install it. */
static int is_early(const struct dal_nodes *nodes)
{
    for (int i = 0; nodes->state == DAL_NODES_EARLY && i < nodes->link->count; i++)
        if (!dal__peer_is_over(&nodes->peers[i]) &&
            !dal__peer_has_said(&nodes->peers[i], DAL_SAY_READY))
            return 1;
    return 0;
}

void dal__end_together(struct dal_nodes *nodes)
{
    struct dal_idleness idle = {0};
    int64_t begin_ns = dal_now_ns();
    enum dal_say say;
    if (nodes->told.end)
        return;
    dal__nodes_step(nodes); /* there may have been an error just now */
    nodes->told.end = 1;
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
                dal_now_ns() - begin_ns > (is_early(nodes) ? INSTALL_NS : LAST_WORDS_NS))
                return;
        }
        dal__nodes_idle(nodes, &idle, moved);
    }
}

/* ---- reports --------------------------------------------------------------------------------- */

int dal_nodes_gathers(const struct dal_nodes *nodes)
{
    return nodes->status == DAL_OK && nodes->told.end &&
           (nodes->link->rank == 0 ? nodes->reports.wanted
                                   : nodes->peers[0].numbers[DAL_SAY_DONE] != 0);
}

static int is_gathered(const struct dal_nodes *nodes)
{
    return nodes->link->rank == 0 ? dal__all_have_said(nodes, DAL_SAY_REPORT)
                                  : nodes->reports.sending.done;
}

struct dal_nodes_report dal_nodes_report_of(const struct dal_nodes *nodes, int rank)
{
    return (struct dal_nodes_report){nodes->peers[rank].report, nodes->peers[rank].report_bytes};
}

int dal_nodes_gather(struct dal_nodes *nodes, const void *bytes, size_t count)
{
    struct dal_idleness idle = {0};
    int64_t begin_ns = dal_now_ns();
    int status = DAL_OK;
    nodes->reports.gathering = 1;
    if (nodes->link->rank != 0)
        status = nodes->link->transport->send(nodes->link, 0, dal__tag(-1, DAL_SAY_REPORT), bytes,
                                              count, &nodes->reports.sending);
    if (status < 0)
        dal__nodes_note_error(nodes, dal__nodes_complain(nodes));
    while (nodes->status == DAL_OK && !is_gathered(nodes)) {
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
        if (dal_now_ns() - begin_ns < REPORT_NS)
            continue;
        dal_log(DAL_LOG_ERROR, "node %s: not all reports have come", dal_nodes_name(nodes));
        dal__nodes_note_error(nodes, DAL_ERR_NODE);
    }
    nodes->reports.gathering = nodes->status < 0;
    return nodes->status;
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* Returns whether all ranks ended in the same way, so that the link can be closed in order. */
static int is_orderly(const struct dal_nodes *nodes)
{
    if (nodes->reports.gathering || nodes->inbox.dropped) /* something may be under way */
        return 0;
    return dal__all_rest(nodes) && (nodes->state == DAL_NODES_UNFIT ||
                                    (!dal__anyone_is_gone(nodes) && dal__all_are_over(nodes)));
}

void dal_nodes_leave(struct dal_nodes *nodes, int status)
{
    const struct dal_transport *transport;
    const char *name;
    int fits;
    if (!nodes || !nodes->link)
        return;
    transport = nodes->link->transport;
    fits = nodes->link->count == nodes->whole->node_count;
    nodes->control = NULL;
    if (nodes->status == DAL_OK)
        nodes->status = status;
    if (fits)
        dal__end_together(nodes);
    name = fits ? dal_nodes_name(nodes) : nodes->whole->name;
    if (transport->close(nodes->link, !fits || is_orderly(nodes)) < 0) {
        dal_log(DAL_LOG_ERROR, "node %s: %s could not be closed", name, transport->name);
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
