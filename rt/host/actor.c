#include "rt/host/actor.h"

#include "channels/newest.h"
#include "channels/port.h"

/* Is it the reader's end of a channel that keeps the newest token alone? */
static int reads_newest(const struct dal_end *end)
{
    return !end->output && end->port->newest;
}

void dal_actor_take_notes(struct dal_actor *actor)
{
    const struct dal_process *first = actor->members->process;
    actor->control = first->control;
    actor->timed = actor->waits = first->time.is_kept;
    for (int i = 0; i < actor->count; i++) {
        const struct dal_process *process = actor->members[i].process;
        actor->marked |= process->marks != NULL;
        actor->waits |= process->marks && process->marks->ends;
        for (int k = 0; k < process->desc->port_count; k++)
            actor->newest |= reads_newest(process->ends[k]);
    }
    actor->marked |= first->host.timer != NULL;
    actor->noted = actor->timed || actor->marked || actor->newest || first->host.changes;
}

int dal_actor_refresh(const struct dal_actor *actor)
{
    for (int i = 0; i < actor->end_count; i++)
        if (reads_newest(actor->ends[i]) && !dal_newest_refresh(actor->ends[i]))
            return 0;
    return 1;
}

void dal_actor_begin_newest(const struct dal_actor *actor)
{
    for (int i = 0; i < actor->end_count; i++)
        if (reads_newest(actor->ends[i]))
            dal_newest_begin(actor->ends[i]);
}

void dal_actor_mark(const struct dal_actor *actor, uint64_t rounds, int64_t now_ns,
                    void (*note)(struct dal_probe *marks, uint64_t firings, int64_t now_ns))
{
    for (int i = 0; i < actor->count; i++)
        if (actor->members[i].process->marks)
            note(actor->members[i].process->marks, rounds * actor->members[i].firings, now_ns);
}

void dal_actor_end_wait(struct dal_actor *actor)
{
    const struct dal_waits *at = actor->waiter.at;
    int64_t wait_ns = dal_waiter_end(&actor->waiter);
    for (int i = 0; i < actor->count; i++) {
        struct dal_probe *marks = actor->members[i].process->marks;
        if (marks)
            marks->wait = (struct dal_probe_wait){at, wait_ns};
    }
}

int dal_actor_is_unwanted(const struct dal_actor *actor)
{
    if (dal_process_stopped(actor->members->process))
        return 1;
    for (int i = 0; i < actor->count; i++)
        if (!actor->members[i].process->wanted)
            return 0;
    return dal_ends_unread(actor->ends, actor->end_count);
}
