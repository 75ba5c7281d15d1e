#include "rt/nodes/global_snapshot.h"

#include "rt/base/alloc.h"
#include "rt/nodes/nodes.h"

#include <stdio.h>
#include <string.h>

/* Nanoseconds between rounds: while something moves; after a ring has grown; the most when nothing
 * happens. */
static const int64_t MOVING_NS = 10000000, GROWN_NS = 1000000, LAST_NS = 100000000;

/* The asking rank's knowledge of a rank, itself included. */
struct dal_known_rank {
    uint64_t told; /* the last round that it was asked for */
    struct dal_local_snapshot *local;
    size_t bytes;
    uint64_t sum; /* sum of the round before */
    int seen;     /* True when there was a round before. */
};

static size_t snapshot_bytes(int waits)
{
    return sizeof(struct dal_local_snapshot) + (size_t)waits * sizeof(struct dal_wait);
}

int dal_global_snapshot_init(struct dal_global_snapshot *global,
                             const struct dal_snapshot_callbacks *callbacks, int ranks)
{
    global->callbacks = callbacks;
    global->pause_ns = MOVING_NS;
    global->own = dal_calloc(1, snapshot_bytes(callbacks->most_waits));
    global->said = dal_calloc(1, snapshot_bytes(callbacks->most_waits));
    global->ranks = dal_calloc((size_t)ranks, sizeof(*global->ranks));
    return global->own && global->said && global->ranks ? DAL_OK : DAL_ERR_NOMEM;
}

void dal__global_snapshot_finish(struct dal_global_snapshot *global, int ranks)
{
    for (int i = 0; global->ranks && i < ranks; i++)
        dal_free(global->ranks[i].local);
    dal_free(global->ranks);
    dal_free(global->own);
    dal_free(global->said);
    *global = (struct dal_global_snapshot){0};
}

void dal__global_snapshot_hear(struct dal_global_snapshot *global, int rank, uint64_t round)
{
    global->asker = rank;
    global->asked = round;
}

void *dal__global_snapshot_room(struct dal_global_snapshot *global, int rank, size_t bytes)
{
    struct dal_known_rank *known = &global->ranks[rank];
    dal_free(known->local);
    known->local = dal_alloc(bytes);
    known->bytes = bytes;
    return known->local;
}

/* ---- looking and answering ------------------------------------------------------------------- */

static int no_memory(struct dal_nodes *nodes)
{
    snprintf(nodes->link->why, sizeof(nodes->link->why), "no memory to look for deadlocks");
    return DAL_ERR_NOMEM;
}

/* Returns the flow that waits, or is waited for, or a negative number. */
static int flow_of(const struct dal_wait *wait, int processes)
{
    return (wait->waiter > wait->peer ? wait->waiter : wait->peer) - processes;
}

/* Says of a flow that waits, or is waited for, what this side of it has moved. */
static void stamp_wait(const struct dal_nodes *nodes, struct dal_wait *wait)
{
    int number = flow_of(wait, nodes->whole->process_count);
    const struct dal_flow *flow = dal__flow_find(nodes->flows, nodes->part.flow_count, number);
    wait->moved = flow ? flow->moved : 0;
    wait->rests = flow && flow->count == 0;
}

static void look_here(struct dal_nodes *nodes, struct dal_local_snapshot *local, uint64_t round)
{
    const struct dal_snapshot_callbacks *callbacks = nodes->global.callbacks;
    local->round = round;
    callbacks->look(callbacks->network, local);
    for (int i = 0; i < local->count; i++)
        stamp_wait(nodes, &local->waits[i]);
}

static int answer_round(struct dal_nodes *nodes)
{
    struct dal_global_snapshot *global = &nodes->global;
    uint64_t round = global->asked;
    if (round == 0 || !dal__note_is_free(&global->answer) || nodes->peers[global->asker].gone)
        return DAL_OK;
    global->asked = 0;
    global->answer.sent = 1;
    look_here(nodes, global->said, round);
    return nodes->link->transport->send(nodes->link, global->asker, dal__tag(-1, DAL_SAY_SNAPSHOT),
                                        global->said, snapshot_bytes(global->said->count),
                                        &global->answer.transfer);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Returns whether a rank still answers, or is this one, which asks. */
static int takes_part(const struct dal_nodes *nodes, int rank)
{
    return rank == nodes->link->rank || !dal__peer_is_over(&nodes->peers[rank]);
}

static int is_first(const struct dal_nodes *nodes)
{
    int i = 0;
    while (!takes_part(nodes, i))
        i++;
    return i == nodes->link->rank;
}

/* Asks each rank whose last note was sent; the others are asked later. */
static int ask_all(struct dal_nodes *nodes)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < nodes->link->count; i++) {
        struct dal_known_rank *known = &nodes->global.ranks[i];
        struct dal_note *note = &nodes->peers[i].notes[DAL_SAY_LOOK];
        if (i == nodes->link->rank || !takes_part(nodes, i) || known->told == nodes->global.round ||
            !dal__note_is_free(note))
            continue;
        known->told = nodes->global.round;
        status =
            dal__note_send(note, nodes->link, i, dal__tag(-1, DAL_SAY_LOOK), nodes->global.round);
    }
    return status;
}

/* Returns a rank's answer in this round, or NULL before it came. */
static struct dal_local_snapshot *snapshot_of(const struct dal_nodes *nodes, int rank)
{
    const struct dal_known_rank *known = &nodes->global.ranks[rank];
    struct dal_local_snapshot *local = rank == nodes->link->rank ? nodes->global.own : known->local;
    if (!local || local->round != nodes->global.round)
        return NULL;
    return rank == nodes->link->rank || known->bytes == snapshot_bytes(local->count) ? local : NULL;
}

static int have_all_answered(const struct dal_nodes *nodes)
{
    for (int i = 0; i < nodes->link->count; i++)
        if (takes_part(nodes, i) && !snapshot_of(nodes, i))
            return 0;
    return 1;
}

/* Returns whether nothing has moved anywhere since the last round. */
static int compare_rounds(struct dal_nodes *nodes)
{
    int still = 1;
    for (int i = 0; i < nodes->link->count; i++) {
        struct dal_known_rank *known = &nodes->global.ranks[i];
        const struct dal_local_snapshot *local = snapshot_of(nodes, i);
        if (!takes_part(nodes, i))
            continue;
        still &= known->seen && known->sum == local->sum;
        known->sum = local->sum;
        known->seen = 1;
    }
    return still;
}

/* What the nodes of a flow have said of it. */
struct told_flow {
    int teller; /* the first that did, counted from 1 */
    uint64_t moved;
    unsigned char agrees, under_way;
};

static void hear_of_flow(struct told_flow *told, const struct dal_wait *wait)
{
    told->under_way |= !wait->rests;
    if (!told->teller) {
        told->teller = wait->rank + 1;
        told->moved = wait->moved;
    } else if (told->teller != wait->rank + 1) {
        told->agrees = 1;
        told->under_way |= wait->moved != told->moved;
    }
}

/* Drops the waits of flows that have tokens under way, or of which one node alone says something:
 * such a flow may move. */
static int keep_resting(struct dal_wait *waits, int *count, const struct dal_net *whole)
{
    struct told_flow *flows = dal_calloc((size_t)whole->channel_count + 1, sizeof(*flows));
    int kept = 0;
    if (!flows)
        return DAL_ERR_NOMEM;
    for (int i = 0; i < *count; i++) {
        int flow = flow_of(&waits[i], whole->process_count);
        if (flow >= 0)
            hear_of_flow(&flows[flow], &waits[i]);
    }
    for (int i = 0; i < *count; i++) {
        int flow = waits[i].waiter - whole->process_count;
        if (flow < 0 || (flows[flow].agrees && !flows[flow].under_way))
            waits[kept++] = waits[i];
    }
    *count = kept;
    dal_free(flows);
    return DAL_OK;
}

/* Returns all waits of a round, or NULL. The caller frees them. */
static struct dal_wait *collect_waits(const struct dal_nodes *nodes, int *count)
{
    struct dal_wait *waits;
    int n = 0;
    *count = 0;
    for (int i = 0; i < nodes->link->count; i++)
        *count += takes_part(nodes, i) ? snapshot_of(nodes, i)->count : 0;
    waits = dal_alloc(((size_t)*count + 1) * sizeof(*waits));
    for (int i = 0; waits && i < nodes->link->count; i++) {
        const struct dal_local_snapshot *local = snapshot_of(nodes, i);
        if (!takes_part(nodes, i))
            continue;
        memcpy(&waits[n], local->waits, (size_t)local->count * sizeof(*waits));
        n += local->count;
    }
    return waits;
}

/* Asks a rank to grow a ring. If the last request is still under way, the next round finds the
 * same. */
static int ask_to_grow(struct dal_nodes *nodes, const struct dal_wait *wait)
{
    const struct dal_snapshot_callbacks *callbacks = nodes->global.callbacks;
    struct dal_note *note = &nodes->peers[wait->rank].notes[DAL_SAY_GROW];
    if (wait->rank == nodes->link->rank)
        callbacks->grow(callbacks->network, wait->ring);
    else if (dal__note_is_free(note))
        return dal__note_send(note, nodes->link, wait->rank, dal__tag(-1, DAL_SAY_GROW),
                              (uint64_t)wait->ring);
    return DAL_OK;
}

/* Judges what all ranks wait for. It may be that some wait for each other while others go on. */
static int judge_round(struct dal_nodes *nodes)
{
    struct dal_global_snapshot *global = &nodes->global;
    const struct dal_wait *grows;
    int count, status = DAL_OK, still = compare_rounds(nodes);
    struct dal_wait *waits = collect_waits(nodes, &count);
    if (!waits || keep_resting(waits, &count, nodes->whole) < 0) {
        dal_free(waits);
        return no_memory(nodes);
    }
    grows = global->callbacks->judge(global->callbacks->network, waits, count);
    if (grows)
        status = ask_to_grow(nodes, grows);
    global->pause_ns = grows                            ? GROWN_NS
                       : !still                         ? MOVING_NS
                       : 2 * global->pause_ns < LAST_NS ? 2 * global->pause_ns
                                                        : LAST_NS;
    dal_free(waits);
    return status;
}

/* Leads the rounds. This rank looks before it asks: what moves later is seen by the next round. */
static int lead_rounds(struct dal_nodes *nodes, int64_t now_ns)
{
    struct dal_global_snapshot *global = &nodes->global;
    int status;
    if (!global->asking && now_ns < global->next_ns)
        return DAL_OK;
    if (!global->asking) {
        global->asking = 1;
        look_here(nodes, global->own, ++global->round);
    }
    status = ask_all(nodes);
    if (status < 0 || !have_all_answered(nodes))
        return status;
    global->asking = 0;
    status = judge_round(nodes);
    global->next_ns = now_ns + global->pause_ns;
    return status;
}

int dal__global_snapshot_step(struct dal_nodes *nodes, int64_t now_ns)
{
    if (!nodes->global.callbacks)
        return DAL_OK;
    return is_first(nodes) ? lead_rounds(nodes, now_ns) : answer_round(nodes);
}
