#include "rt/device/dealing.h"

#include "channels/port.h"
#include "channels/replicas.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/number.h"
#include "rt/device/launcher.h"

/* The most parts of a launch that a slow device gets instead of a whole one; and the launches after
 * which what was measured before counts half. */
enum { MOST_PARTS = 16, REMEMBERED = 8 };

/* ---- making ---------------------------------------------------------------------------------- */

static void free_dealing(struct dal_dealing *dealing)
{
    dal_deal_finish(&dealing->deal);
    dal_free(dealing->shares);
    dal_free(dealing->dealt);
    dal_free(dealing);
}

void dal_dealing_leave(struct dal_launcher *launcher)
{
    struct dal_dealing *dealing = launcher->dealing;
    launcher->dealing = NULL;
    if (dealing && --dealing->members == 0)
        free_dealing(dealing);
}

/* Makes a dealing for one launcher. */
static int make_dealing(struct dal_launcher *launcher)
{
    size_t count = (size_t)launcher->replica_count;
    struct dal_dealing *dealing = launcher->dealing = dal_calloc(1, sizeof(*dealing));
    if (!dealing)
        return DAL_ERR_NOMEM;
    *dealing = (struct dal_dealing){.shares = dal_calloc(count, sizeof(*dealing->shares)),
                                    .dealt = dal_calloc(count, sizeof(*dealing->dealt)),
                                    .count = launcher->replica_count,
                                    .members = 1,
                                    .room = UINT64_MAX};
    return dealing->shares && dealing->dealt ? DAL_OK : DAL_ERR_NOMEM;
}

/* Makes all that are in the dealing of one launcher members of that of another. */
static void join(struct dal_handler *handler, struct dal_launcher *to, struct dal_launcher *from)
{
    struct dal_dealing *old = from->dealing;
    for (int i = 0; old != to->dealing && i < handler->launcher_count; i++) {
        struct dal_launcher *launcher = &handler->launchers[i];
        if (launcher->dealing != old)
            continue;
        dal_dealing_leave(launcher);
        launcher->dealing = to->dealing;
        to->dealing->members++;
    }
}

/* Joins whoever must have its blocks where a reader has them: the producer, if tokens stay on their
 * device, and readers of the same uploads. */
static void join_reader(struct dal_handler *handler, struct dal_process *processes,
                        const struct dal_end *end)
{
    struct dal_launcher *reader = processes[end->channel->desc->consumer].launcher;
    if (dal_end_stays(end))
        join(handler, reader, processes[end->channel->desc->producer].launcher);
    for (int i = 0; i < end->port->count; i++)
        if (dal_end_shares(end, &end->port->channels[i]->consumer))
            join(handler, reader, processes[end->port->channels[i]->desc->consumer].launcher);
}

/* Cuts S firings of all members into as many equal parts as they allow. A halo is in front of
 * whole ones. */
static void set_parts(const struct dal_handler *handler, struct dal_dealing *dealing)
{
    uint64_t common = 0, parts = MOST_PARTS;
    for (int i = 0; i < handler->launcher_count; i++) {
        const struct dal_launcher *launcher = &handler->launchers[i];
        if (launcher->dealing != dealing)
            continue;
        common = dal_gcd(common, launcher->copies);
        for (int k = 0; k < launcher->actor.end_count; k++)
            dealing->deal.apart |= dal_end_has_halo(launcher->actor.ends[k]);
    }
    while (common % parts != 0)
        parts--;
    dealing->deal.parts = dealing->deal.apart ? 1 : parts;
}

/* Rounds in a block. */
static uint64_t block_of(const struct dal_launcher *launcher)
{
    return launcher->copies / launcher->dealing->deal.parts;
}

static void link_ends(const struct dal_launcher *launcher)
{
    struct dal_dealing *dealing = launcher->dealing;
    for (int i = 0; i < launcher->actor.end_count; i++) {
        struct dal_end *end = launcher->actor.ends[i];
        uint64_t room = end->channel->desc->capacity / end->rate / block_of(launcher);
        dal_end_deal(end, &dealing->deal);
        dealing->room = dal_least(dealing->room, room);
    }
}

int dal_dealings_make(struct dal_handler *handler, struct dal_process *processes)
{
    struct dal_launcher *launchers = handler->launchers;
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < handler->launcher_count; i++)
        if (launchers[i].replica_count > 1)
            status = make_dealing(&launchers[i]);
    if (status < 0)
        return status;
    for (int i = 0; i < handler->launcher_count; i++)
        for (int k = 0; launchers[i].dealing && k < launchers[i].actor.end_count; k++)
            if (!launchers[i].actor.ends[k]->output)
                join_reader(handler, processes, launchers[i].actor.ends[k]);
    for (int i = 0; i < handler->launcher_count; i++)
        if (launchers[i].dealing && !launchers[i].dealing->deal.parts)
            set_parts(handler, launchers[i].dealing);
    for (int i = 0; i < handler->launcher_count; i++)
        if (launchers[i].dealing)
            link_ends(&launchers[i]);
    return DAL_OK;
}

/* ---- dealing --------------------------------------------------------------------------------- */

/* Forgets the blocks that no member will ask for. */
static void forget(const struct dal_handler *handler, struct dal_dealing *dealing)
{
    uint64_t least = dealing->deal.dealt;
    for (int i = 0; i < handler->launcher_count; i++) {
        const struct dal_launcher *launcher = &handler->launchers[i];
        if (launcher->dealing != dealing || dal_launcher_has_ended(launcher))
            continue;
        least = dal_least(least, launcher->rounds / block_of(launcher));
        if (launcher->actor.marked)
            least = dal_least(least, launcher->ended / block_of(launcher));
        for (int k = 0; k < launcher->actor.end_count; k++)
            least = dal_least(least, dal_end_first_block(launcher->actor.ends[k]));
    }
    dal_deal_forget(&dealing->deal, least);
}

/* Is there something to do for at least one round? */
static int has_round(const struct dal_launcher *launcher)
{
    for (int i = 0; i < launcher->actor.end_count; i++)
        if (dal_end_ready(launcher->actor.ends[i], 1) == 0)
            return 0;
    return 1;
}

/* Deals the next blocks. Returns 0 if none of the devices is to have any now. What was measured of
 * one that has had none for long is of no use. */
static int deal(const struct dal_launcher *launcher)
{
    struct dal_dealing *dealing = launcher->dealing;
    struct dal_portion next;
    int status;
    for (int i = 0; i < dealing->count; i++)
        dealing->shares[i].full = !dal_queue_has_room(launcher->queues[i]);
    next = dal_share_next(dealing->shares, dealing->count, dealing->deal.parts, dealing->room);
    dealing->refused |= next.blocks == 0;
    if (next.blocks == 0)
        return 0;
    if (dal_deal_is_full(&dealing->deal, next.blocks))
        forget(launcher->handler, dealing);
    status = dal_deal_add(&dealing->deal, next.device, next.blocks);
    if (dealing->shares[next.device].passed > (double)(REMEMBERED * dealing->deal.parts))
        dealing->dealt[next.device].busy_ns = dealing->dealt[next.device].blocks = 0;
    dealing->shares[next.device].open += (double)next.blocks;
    for (int i = 0; i < dealing->count; i++)
        dealing->shares[i].passed =
            i == next.device ? 0 : dealing->shares[i].passed + (double)next.blocks;
    return status < 0 ? status : 1;
}

uint64_t dal_dealing_left(const struct dal_launcher *launcher, uint64_t round,
                          struct dal_launcher_replica **replica)
{
    const struct dal_deal *deal = &launcher->dealing->deal;
    uint64_t unit = block_of(launcher);
    *replica = &launcher->replicas[dal_deal_owner(deal, round / unit)];
    return dal_deal_left(deal, round, unit, launcher->copies);
}

int dal_dealing_next(const struct dal_launcher *launcher)
{
    if (launcher->rounds / block_of(launcher) < launcher->dealing->deal.dealt)
        return 1;
    return has_round(launcher) ? deal(launcher) : 0;
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* What a launch is of a block's way through all members. */
static double part_of(const struct dal_launcher *launcher, uint64_t rounds)
{
    return (double)rounds / ((double)block_of(launcher) * launcher->dealing->members);
}

void dal_dealing_begin(const struct dal_launcher *launcher)
{
    struct dal_dealing *dealing = launcher->dealing;
    int i = (int)(launcher->replica - launcher->replicas);
    if (dealing->dealt[i].launches++ == 0)
        dealing->dealt[i].since_ns = dal_now_ns();
}

/* Adds what was done since the last launch completed. Long ago counts little. */
static void measure_device(struct dal_dealing *dealing, int i, double blocks, int64_t time_ns)
{
    struct dal_dealt *dealt = &dealing->dealt[i];
    dealt->busy_ns += (double)time_ns;
    dealt->blocks += blocks;
    dealing->shares[i].block_ns = dealt->busy_ns / dealt->blocks;
    if (dealt->blocks < REMEMBERED * blocks)
        return;
    dealt->busy_ns /= 2;
    dealt->blocks /= 2;
}

void dal_dealing_end(const struct dal_launcher *launcher, struct dal_launcher_replica *replica,
                     uint64_t rounds)
{
    struct dal_dealing *dealing = launcher->dealing;
    int i = (int)(replica - launcher->replicas);
    struct dal_dealt *dealt = &dealing->dealt[i];
    int64_t now_ns = dal_now_ns();
    double blocks = part_of(launcher, rounds);
    if (replica->cold < 0)
        replica->cold = replica->in_flight;
    if (replica->cold > 0)
        replica->cold--;
    else
        measure_device(dealing, i, blocks, now_ns - dealt->since_ns);
    dealt->since_ns = now_ns;
    dealing->shares[i].open -= blocks;
    if (--dealt->launches == 0 || dealing->shares[i].open < 0)
        dealing->shares[i].open = 0;
    for (int k = 0; dealing->refused && k < launcher->handler->launcher_count; k++)
        if (launcher->handler->launchers[k].dealing == dealing)
            dal_handler_post(launcher->handler, &launcher->handler->launchers[k]);
    dealing->refused = 0;
}
