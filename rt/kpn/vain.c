/*
 * Questions in vain: of a process that only asks for what never comes (dol.h), which then ends.
 *
 * A question is in vain when the port is closed, or nothing is there. So many in a row end a
 * process whose own ports have not moved meanwhile. While an open port is among them, all others
 * must wait as well: none moves before one of them does. That is so once two looks at the network
 * find the same sum of what all ends have released, which only grows, and between them:
 *
 *     a process has ended, or
 *     it sleeps at an empty channel that is still open, or
 *     it rests: it has asked in vain so often, at this very sum, and goes on asking.
 *
 * A process that was woken, and has not gone on yet, has a token in the channel that it sleeps at.
 * One that has taken a token has stored before that it does not sleep: whoever sees the space finds
 * it at work. What a process without a thread does, or one outside, is not known: it may move.
 *
 * A wait for space may end by itself, since channels grow. Processes with effects outside may wait
 * for the world, and rest only while the network stops.
 */
#include "rt/kpn/kpn.h"

#include "rt/base/alloc.h"

static uint64_t moved_by(const struct dal_process *process)
{
    uint64_t moved = process->host.kpn->sent;
    for (int i = 0; i < process->desc->port_count; i++)
        moved += process->host.copies[0].activation.windows[i].done;
    return moved;
}

static uint64_t released_at(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_acquire);
}

/* Returns the tokens that all KPN processes have released at all their ends. */
static uint64_t sum_of_all(const struct dal_vain *vain)
{
    uint64_t sum = 0;
    for (int i = 0; i < vain->process_count; i++)
        for (int k = 0; vain->processes[i].host.kpn && k < vain->processes[i].desc->port_count; k++)
            sum += released_at(vain->processes[i].ends[k]);
    return sum;
}

/* Does it wait for others, as long as no end moves? */
static int waits_for_others(const struct dal_vain *vain, int number, uint64_t sum)
{
    const struct dal_process *process = &vain->processes[number];
    const struct dal_kpn *kpn = process->host.kpn;
    const struct dal_end *end;
    if (atomic_load_explicit(&process->ended, memory_order_acquire))
        return 1;
    if (!kpn)
        return 0;
    if (atomic_load_explicit(&kpn->vain.rests, memory_order_acquire) == sum + 1 && vain->calls &&
        dal_count_get(kpn->calls) != vain->calls[number])
        return 1;
    end = atomic_load_explicit(&kpn->blocked, memory_order_acquire);
    return end && !end->output && !dal_end_peer_closed(end) &&
           released_at(end->peer) == released_at(end);
}

/* Will nothing come unless this process moves something itself? */
static int nobody_moves(const struct dal_process *process)
{
    struct dal_vain *vain = &process->host.kpn->vain;
    uint64_t sum = sum_of_all(vain);
    if (sum != vain->sum || (process->desc->io && !dal_control_stopping(process->control)))
        return 0;
    atomic_store_explicit(&vain->rests, sum + 1, memory_order_release);
    for (int i = 0; i < vain->process_count; i++)
        if (&vain->processes[i] != process && !waits_for_others(vain, i, sum))
            return 0;
    if (sum_of_all(vain) != sum)
        return 0;
    dal_log(DAL_LOG_NOTE,
            "process %s ends: it has asked %d times for what nobody sends, since all others wait",
            process->desc->name, DAL_KPN_MOST_VAIN);
    return 1;
}

/* Remembers what all are at, to see later who has gone on, and what has moved. */
static void look_around(struct dal_vain *vain)
{
    vain->sum = sum_of_all(vain);
    if (!vain->calls)
        vain->calls = dal_calloc((size_t)vain->process_count, sizeof(*vain->calls));
    for (int i = 0; vain->calls && i < vain->process_count; i++)
        if (vain->processes[i].host.kpn)
            vain->calls[i] = (unsigned)dal_count_get(vain->processes[i].host.kpn->calls);
}

static void begin_again(struct dal_vain *vain)
{
    vain->count = 0;
    vain->hopes = 0;
}

void dal_window_in_vain(struct dal_process *process)
{
    struct dal_vain *vain = process->host.kpn ? &process->host.kpn->vain : NULL;
    uint64_t moved = vain ? moved_by(process) : 0;
    if (!vain)
        return;
    if (vain->moved == moved)
        vain->count++;
    else
        begin_again(vain);
    vain->moved = moved;
    if (vain->count == DAL_KPN_MOST_VAIN / 2)
        look_around(vain);
    if (vain->count != DAL_KPN_MOST_VAIN)
        return;
    if (!vain->hopes || nobody_moves(process))
        dal__kpn_leave(process);
    begin_again(vain);
}
