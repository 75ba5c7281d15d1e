/*
 * Decides who joins which group, and why not.
 *
 * A process joins the group of what it reads from if it reads nothing else. Besides, one firing of
 * the group's first process must make whole firings of it. So nothing stays in a group when its
 * stream ends. It ends where the processes would end by themselves: the bytes are the same.
 */
#include "synth/plan/group.h"

#include "rt/base/alloc.h"

#include <inttypes.h>
#include <string.h>

/* Returns the first process of p's group; p itself if it is alone. */
static struct dal_plan_process *first_of(const struct dal_plan *plan, const size_t *heads,
                                         const struct dal_plan_process *p)
{
    return &plan->processes[heads[p->process->number]];
}

/* Returns a process on a device that p reads from, or NULL: the first found, through initial tokens
 * or not, as asked. */
static struct dal_plan_process *find_source(const struct dal_plan *plan,
                                            const struct dal_plan_process *p, int initial)
{
    for (size_t i = 0; i < p->process->port_count && dal_plan_on_device(p); i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        struct dal_plan_process *from;
        if (port->output || dal__plan_is_loop(port->channel) ||
            dal__plan_has_tokens(port->channel) != initial)
            continue;
        from = dal_plan_producer(plan, port->channel);
        if (dal_plan_on_device(from))
            return from;
    }
    return NULL;
}

int dal__plan_is_bounded(const struct dal_plan_process *p)
{
    for (size_t i = 0; i < p->process->port_count; i++)
        if (!p->process->ports[i].output && !dal__plan_has_tokens(p->process->ports[i].channel))
            return 1;
    return 0;
}

/* Why a channel cannot be within a group; NULL where it can. */
static char *find_obstacle(const struct dal_plan *plan, const size_t *heads,
                           const struct dal_plan_process *head, const struct dal_spec_channel *c)
{
    const struct dal_plan_channel *ch = &plan->channels[c->number];
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    if (ch->wish)
        return dal_format("the mapping asks for another kind of channel %s (%s:%d)", c->name,
                          dal_path_base(ch->wish->place.file), ch->wish->place.line);
    if (dal__plan_has_tokens(c) && from->processor_count > 1)
        return dal_format("channel %s %s, and a group on several devices keeps no tokens", c->name,
                          dal__plan_is_loop(c) ? "keeps state from one firing to the next"
                                               : "has initial tokens");
    if (dal__plan_has_tokens(c)) /* more is known when all have joined */
        return dal__plan_is_asked(from) && dal__plan_is_asked(dal_plan_consumer(plan, c))
                   ? NULL
                   : dal_format("channel %s %s, and the mapping does not ask for a group", c->name,
                                dal__plan_is_loop(c) ? "keeps state from one firing to the next"
                                                     : "has initial tokens");
    if (first_of(plan, heads, from) != head)
        return dal_format("it also reads from %s", c->producer->name);
    return NULL;
}

/* Tells how the processes themselves differ; NULL when they do not. */
static char *find_difference(const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    const struct dal_spec_process *first = from->process, *own = p->process;
    if (!dal_plan_is_bound_alike(from, p) && (p->processor_count > 1 || from->processor_count > 1))
        return dal_format("%s runs on other devices", first->name);
    if (!dal_plan_is_bound_alike(from, p))
        return dal_format("%s runs on %s", first->name, from->processors[0]->processor->name);
    if (own->io || first->io)
        return dal_format("%s has effects outside of the network", (own->io ? own : first)->name);
    if (dal_spec_priority(p->binding) != dal_spec_priority(from->binding))
        return dal_format("%s has another priority", first->name);
    if (!dal_plan_is_shaped_alike(from, p))
        return dal_format("%s has its work-items in other dimensions", first->name);
    return NULL;
}

int dal_plan_is_bound_alike(const struct dal_plan_process *a, const struct dal_plan_process *b)
{
    size_t i;
    if (a->processor_count != b->processor_count)
        return 0;
    for (i = 0; i < a->processor_count && a->processors[i] == b->processors[i]; i++)
        ;
    return i == a->processor_count;
}

int dal_plan_is_shaped_alike(const struct dal_plan_process *a, const struct dal_plan_process *b)
{
    return memcmp(a->work_shape, b->work_shape, sizeof(a->work_shape)) == 0;
}

/* Tells why a firing of a group's first process does not make whole firings of p; NULL when it
 * does. */
static char *find_remainder(const struct dal_plan_process *head, const struct dal_plan_process *p)
{
    const struct dal_spec_process *first = head->process;
    uint64_t round = p->process->repetitions / first->repetitions;
    if (p->process->repetitions % first->repetitions)
        return dal_format("one firing of %s does not make whole firings of it", first->name);
    if (round <= DAL_PLAN_ROUND_FIRINGS)
        return NULL;
    return dal_format("it fires %" PRIu64 " times for each firing of %s, and a group does no more "
                      "than %u one after the other",
                      round, first->name, DAL_PLAN_ROUND_FIRINGS);
}

static char *find_wish(const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    const struct dal_plan_process *barred = from->binding->group == DAL_GROUP_NO ? from : p;
    if (barred->binding->group != DAL_GROUP_NO)
        return NULL;
    return dal_format("the mapping keeps %s apart (%s:%d)", barred->process->name,
                      dal_path_base(barred->binding->place.file), barred->binding->place.line);
}

int dal_plan_needs_registers(const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    return (from->work_items > 1 || p->work_items > 1) &&
           !(dal__plan_is_asked(from) && dal__plan_is_asked(p));
}

/* Unless both processes ask for a group, no barrier may come between them. */
static char *find_unasked(const struct dal_plan *plan, const struct dal_plan_process *from,
                          const struct dal_plan_process *p)
{
    const struct dal_plan_process *wide = from->work_items > p->work_items ? from : p;
    if (!dal_plan_needs_registers(from, p) ||
        (plan->tries_registers && from->work_items == p->work_items && p->processor_count == 1))
        return NULL;
    return dal_format("%s has %" PRIu32 " work-items, and the mapping does not ask for a group",
                      wide->process->name, wide->work_items);
}

/* A group copies what it keeps, so nothing may be changed in place. */
static char *find_inplace(const struct dal_plan_process *p)
{
    const struct dal_spec_channel *inplace = NULL;
    for (size_t i = 0; i < p->process->port_count && !inplace; i++)
        inplace = dal_spec_inplace(&p->process->ports[i]);
    return inplace ? dal_format("%s changes channel %s in place", p->process->name, inplace->name)
                   : NULL;
}

/* A launch reads or writes one newest token, and a group's has rounds of several firings. */
static char *find_newest(const struct dal_plan_process *p)
{
    const struct dal_spec_channel *newest = dal_plan_newest(p->process);
    return newest ? dal_format("%s has one firing a launch, since channel %s keeps the newest "
                               "token alone",
                               p->process->name, newest->name)
                  : NULL;
}

/* Does `other` come before p in the plan's order? */
static int is_behind(const struct dal_plan *plan, const struct dal_plan_process *p,
                     const struct dal_plan_process *other)
{
    size_t i;
    for (i = 0; plan->order[i] != p->process->number && plan->order[i] != other->process->number;)
        i++;
    return plan->order[i] == other->process->number;
}

static char *find_reason(const struct dal_plan *plan, const size_t *heads,
                         const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    const struct dal_plan_process *head = first_of(plan, heads, from);
    char *reason = plan->guards
                       ? dal_strdup("windows are watched, and inside a group nobody sees them")
                       : find_wish(from, p);
    if (!reason && !dal__plan_is_bounded(p))
        reason = dal_strdup("all that it reads has initial tokens, and what is left of them at the "
                            "end would be lost");
    if (!reason && is_behind(plan, from, p))
        reason = dal_format("it comes before %s in its cycle", from->process->name);
    if (!reason)
        reason = find_inplace(from);
    if (!reason)
        reason = find_inplace(p);
    if (!reason)
        reason = find_newest(from);
    if (!reason)
        reason = find_newest(p);
    if (!reason)
        reason = find_difference(from, p);
    if (!reason)
        reason = find_unasked(plan, from, p);
    for (size_t i = 0; i < p->process->port_count && !reason; i++)
        if (!p->process->ports[i].output)
            reason = find_obstacle(plan, heads, head, p->process->ports[i].channel);
    return reason ? reason : find_remainder(head, p);
}

void dal__plan_join(const struct dal_plan *plan, size_t *heads, struct dal_plan_process *p)
{
    const struct dal_plan_process *from = find_source(plan, p, 0);
    if (!from && !dal__plan_is_bounded(p))
        from = find_source(plan, p, 1);
    if (!from || p->stays_apart)
        return;
    dal_free(p->apart);
    p->apart = find_reason(plan, heads, from, p);
    if (!p->apart)
        heads[p->process->number] = heads[from->process->number];
}
