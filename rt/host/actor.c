#include "rt/host/actor.h"

void dal_actor_take_notes(struct dal_actor *actor)
{
    const struct dal_process *first = actor->members->process;
    actor->control = first->control;
    actor->timed = first->time.is_kept;
    for (int i = 0; i < actor->count; i++)
        actor->marked |= actor->members[i].process->marks != NULL;
    actor->marked |= first->host.timer != NULL;
    actor->noted = actor->timed || actor->marked || first->host.changes;
}

void dal_actor_mark(const struct dal_actor *actor, uint64_t rounds, int64_t now_ns,
                    void (*note)(struct dal_probe *marks, uint64_t firings, int64_t now_ns))
{
    for (int i = 0; i < actor->count; i++)
        if (actor->members[i].process->marks)
            note(actor->members[i].process->marks, rounds * actor->members[i].firings, now_ns);
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
