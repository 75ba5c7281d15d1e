#include "rt/base/turns.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

struct search {
    const struct dal_turn_process *processes;
    int count;
    int *groups;
    int number; /* of the group that is being made */
    /* Processes outside of the group: those to go on from, and marks of those that have been
     * met. */
    int *stack, depth;
    unsigned char *met;
};

/* Does a link lead to a process in the group, or back to its own? */
static int leads_in(const struct search *s, int process, const struct dal_turn_link *link)
{
    return link->other == process || s->groups[link->other] == s->number;
}

/* Can both ends of a channel move as one, with room for the blocks of all copies? */
static int has_room(const struct dal_turn_process *process, const struct dal_turn_link *link)
{
    return link->room > 0 && (uint64_t)process->copies * process->block <= link->room;
}

static int can_join(const struct search *s, int first, int process)
{
    const struct dal_turn_process *p = &s->processes[process];
    int fed = 0;
    if (!p->joins || p->copies != s->processes[first].copies)
        return 0;
    for (int i = 0; i < p->link_count; i++) {
        if (!leads_in(s, process, &p->links[i]))
            continue;
        if (!p->links[i].input || !has_room(p, &p->links[i]))
            return 0;
        fed = 1;
    }
    return fed;
}

/* Makes a group of a process and those of the same cores that follow it, up to the first that
 * cannot join. Returns their number. */
static int gather(struct search *s, int first)
{
    const struct dal_turn_process *p = &s->processes[first];
    int members = 1, open = p->joins;
    for (int i = 0; open && i < p->link_count; i++)
        open = p->links[i].other != first;
    s->groups[first] = s->number;
    for (int i = first + 1; open && i < s->count; i++) {
        if (s->processes[i].place != p->place)
            continue;
        open = s->groups[i] < 0 && can_join(s, first, i);
        if (open)
            s->groups[i] = s->number;
        members += open;
    }
    return members;
}

/* Meets the process at the other side. Returns 1 if it had been met before. */
static int meet(struct search *s, const struct dal_turn_link *link)
{
    int again = s->met[link->other];
    if (s->groups[link->other] == s->number)
        return 0;
    if (!again)
        s->stack[s->depth++] = link->other;
    s->met[link->other] = 1;
    return again;
}

/* Do two channels of the group lead to processes that are connected without it? */
static int is_bypassed(struct search *s)
{
    memset(s->met, 0, (size_t)s->count);
    s->depth = 0;
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; s->groups[i] == s->number && k < s->processes[i].link_count; k++) {
            if (meet(s, &s->processes[i].links[k]))
                return 1;
            while (s->depth > 0) {
                const struct dal_turn_process *outside = &s->processes[s->stack[--s->depth]];
                for (int n = 0; n < outside->link_count; n++)
                    meet(s, &outside->links[n]);
            }
        }
    }
    return 0;
}

/* Makes each process of the gathered group a group of its own. */
static void part(struct search *s)
{
    int gathered = s->number;
    for (int i = 0; i < s->count; i++)
        if (s->groups[i] == gathered)
            s->groups[i] = s->number++;
    s->number--;
}

static void find_all(struct search *s)
{
    for (int i = 0; i < s->count; i++) {
        if (s->processes[i].place < 0 || s->groups[i] >= 0)
            continue;
        if (gather(s, i) > 1 && is_bypassed(s))
            part(s);
        s->number++;
    }
}

int dal_turns_find(const struct dal_turn_process *processes, int count, int *groups)
{
    size_t room = (size_t)count + 1;
    struct search s = {.processes = processes,
                       .count = count,
                       .groups = groups,
                       .stack = dal_calloc(room, sizeof(*s.stack)),
                       .met = dal_calloc(room, 1)};
    int ready = s.stack && s.met;
    for (int i = 0; i < count; i++)
        groups[i] = -1;
    if (ready)
        find_all(&s);
    dal_free(s.stack);
    dal_free(s.met);
    return ready ? s.number : DAL_ERR_NOMEM;
}
