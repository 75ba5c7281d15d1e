/* How many firings an activation on cores has at most. */
#include "synth/tune/predict/model.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "rt/base/pace.h"

/* Returns the firings that the runtime finds by trying (rt/base/pace.h), for so many processes that
 * fire in turn, by so many workers. */
static uint64_t find_pace(const struct dal_sim_actor *actor, unsigned processes, uint64_t workers)
{
    const struct dal_pace pace = {.most = actor->most,
                                  .short_ns = dal_pace_short(dal_least(actor->copies, workers))};
    uint64_t firings = 0, next = 1;
    while (next != firings) {
        double time_ns = actor->fixed_ns + (double)next * actor->firing_ns;
        firings = next;
        if (dal_pace_is_long(&pace, (int64_t)(time_ns / processes)))
            break;
        next = dal_pace_next(&pace, firings, (int64_t)(time_ns / processes));
    }
    return firings;
}

/* Returns the least room for firings in the channels that lead out of a process's group, or the
 * most that the plan allows. */
static uint64_t room_of(const struct dal_model *m, const struct dal_plan_process *p, int alone)
{
    size_t own = m->actor_of[p->process->number];
    uint64_t copies = m->actors[own].copies;
    uint64_t least = m->plan->most_firings ? m->plan->most_firings : UINT64_MAX;
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        for (const struct dal_spec_channel *c = port->channel; c; c = dal_port_next(port, c)) {
            size_t from = m->actor_of[c->producer->number], to = m->actor_of[c->consumer->number];
            uint64_t capacity = m->plan->channels[c->number].capacity;
            if (alone || from != to)
                least = dal_least(least, dal_pace_room(capacity / port->rate, copies));
        }
    }
    return least;
}

int dal__model_paces(struct dal_model *m)
{
    unsigned *processes = dal_calloc(m->graph.process_count + 1, sizeof(*processes));
    uint64_t *room = dal_calloc(m->graph.process_count + 1, sizeof(*room));
    if (!processes || !room) {
        dal_free_all(processes, room);
        return DAL_ERR_NOMEM;
    }
    for (size_t i = 0; i < m->plan->process_count; i++)
        processes[m->actor_of[i]]++;
    for (size_t i = 0; i < m->plan->process_count; i++) {
        size_t actor = m->actor_of[i];
        uint64_t own = room_of(m, &m->plan->processes[i], processes[actor] == 1);
        room[actor] = room[actor] ? dal_least(room[actor], own) : own;
    }
    for (size_t i = 0; i < m->plan->process_count; i++) {
        struct dal_sim_actor *actor = &m->actors[m->actor_of[i]];
        unsigned *count = &processes[m->actor_of[i]];
        if (m->plan->processes[i].device || m->plan->processes[i].process->kpn || *count == 0)
            continue;
        actor->most = dal_pace_most(actor->most, room[m->actor_of[i]], *count == 1);
        actor->most = find_pace(actor, actor->copies == 1 ? *count : 1,
                                m->plan->processes[i].processor_count);
        *count = 0;
    }
    dal_free_all(processes, room);
    return DAL_OK;
}
