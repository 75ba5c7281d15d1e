/* Initial solutions of the search: each is made process by process. */
#include "synth/tune/search/tried.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

struct initial {
    struct dal__tried *tried;
    const struct dal_search_space *space;
    unsigned char *open; /* by place: true when it may be used */
    unsigned char *used;
    size_t *order;    /* process numbers, those with the largest load first */
    uint16_t *places; /* by process; UINT16_MAX: not yet */
    double *loads;    /* by place */
    size_t only;      /* the place for all processes that can be there */
};

static int can_be(const struct initial *b, size_t process, size_t place)
{
    return dal_search_choice_of(b->space, process, place)->source != NULL;
}

/* ---- what may be used ------------------------------------------------------------------------ */

/* Pools stay closed: load cannot be balanced over them. */
static void open_place(struct initial *b, size_t *left, size_t place)
{
    const struct dal_search_place *p = &b->space->places[place];
    if (b->open[place] || p->pool_count || (p->kind == DAL_PROCESSOR_CORE && !left[p->node]))
        return;
    b->open[place] = 1;
    left[p->node] -= p->kind == DAL_PROCESSOR_CORE;
}

/* Is the place the only one of a process, or one that it shares with others? */
static int is_needed(const struct initial *b, size_t process, size_t place)
{
    const struct dal_spec_binding *binding = &b->space->spec->mapping.bindings[process];
    const struct dal_search_place *p = &b->space->places[place];
    size_t count = 0;
    for (size_t k = 0; b->space->spread[process] && k < binding->processor_count; k++)
        if (binding->processors[k] == p->processor && binding->capability == p->kind)
            return 1;
    for (size_t k = 0; k < b->space->place_count; k++)
        count += (size_t)can_be(b, process, k);
    return count == 1 && can_be(b, process, place);
}

/* Opens the places that a process needs, then others in the order of the architecture. */
static int open_places(struct initial *b)
{
    size_t *left = dal_calloc(b->space->place_count + 1, sizeof(*left));
    if (!left)
        return DAL_ERR_NOMEM;
    memcpy(left, b->space->most_cores, b->space->place_count * sizeof(*left));
    for (size_t i = 0; i < b->space->process_count; i++)
        for (size_t k = 0; k < b->space->place_count; k++)
            if (is_needed(b, i, k))
                open_place(b, left, k);
    for (size_t k = 0; k < b->space->place_count; k++)
        open_place(b, left, k);
    dal_free(left);
    return DAL_OK;
}

/* ---- placing --------------------------------------------------------------------------------- */

/* Puts a process in a place, unless it has one already, as a kept one does. */
static void put(struct initial *b, size_t process, size_t place)
{
    if (b->places[process] != UINT16_MAX)
        return;
    b->places[process] = (uint16_t)place;
    b->loads[place] += dal_search_load_at(b->space, process, place);
}

/* Returns the bytes of an iteration between a process and those that are at a place already. */
static double bytes_to(const struct initial *b, const struct dal_spec_process *process,
                       size_t place)
{
    const struct dal_spec_channel *c;
    double bytes = 0;
    for (size_t i = 0; i < process->port_count; i++)
        for (c = process->ports[i].channel; c; c = dal_port_next(&process->ports[i], c)) {
            const struct dal_spec_process *other =
                process->ports[i].output ? c->consumer : c->producer;
            if (other->number < b->space->process_count && b->places[other->number] == place)
                bytes += (double)c->token_bytes * (double)process->ports[i].rate *
                         (double)process->repetitions;
        }
    return bytes;
}

/* Returns the place with the least load. Among those within 1 %, it is the one where most of the
 * process's bytes stay. */
static size_t balanced_place(const struct initial *b, size_t process)
{
    const struct dal_spec_process *p = &b->space->spec->network.processes[process];
    size_t best = dal_search_first_place(b->space, process);
    double least = -1, most_bytes = 0;
    for (size_t k = 0; k < b->space->place_count; k++) {
        double load = b->loads[k] + dal_search_load_at(b->space, process, k), bytes;
        if (!b->open[k] || !can_be(b, process, k) || (least >= 0 && load > 1.01 * least))
            continue;
        bytes = bytes_to(b, p, k);
        if (least < 0 || load < least / 1.01 || bytes > most_bytes) {
            best = k;
            most_bytes = bytes;
            least = load;
        }
    }
    return best;
}

static void balance_rest(struct initial *b)
{
    for (size_t i = 0; i < b->space->process_count; i++)
        if (b->places[b->order[i]] == UINT16_MAX)
            put(b, b->order[i], balanced_place(b, b->order[i]));
}

/* ---- initial solutions ----------------------------------------------------------------------- */

/* Puts all processes in one place, except those that cannot be there. */
static void place_together(struct initial *b)
{
    for (size_t i = 0; i < b->space->process_count; i++)
        if (can_be(b, i, b->only))
            put(b, i, b->only);
    balance_rest(b);
}

/* Puts those processes in a pool that can fire on all of its cores at once. */
static void place_shared(struct initial *b)
{
    for (size_t i = 0; i < b->space->process_count; i++)
        if (can_be(b, i, b->only) &&
            dal_spec_is_stateless(&b->space->spec->network.processes[i],
                                  dal_search_choice_of(b->space, i, b->only)->source))
            put(b, i, b->only);
    balance_rest(b);
}

static size_t next_open(const struct initial *b, size_t process, size_t from)
{
    for (size_t i = 0; i < b->space->place_count; i++) {
        size_t k = (from + i) % b->space->place_count;
        if (b->open[k] && can_be(b, process, k))
            return k;
    }
    return dal_search_first_place(b->space, process);
}

static void place_in_turn(struct initial *b)
{
    size_t next = 0;
    for (size_t i = 0; i < b->space->process_count; i++) {
        put(b, i, next_open(b, i, next));
        next = b->places[i] + 1u;
    }
}

/* Fills one place after the other, each with an equal part of the load: neighbours in the file are
 * often neighbours in the network. */
static void place_in_a_row(struct initial *b)
{
    double sum = 0, part;
    size_t next = 0, open = 0;
    for (size_t i = 0; i < b->space->process_count; i++)
        sum += dal_search_least_load(b->space, i);
    for (size_t i = 0; i < b->space->place_count; i++)
        open += b->open[i];
    part = sum / (double)(open ? open : 1);
    for (size_t i = 0; i < b->space->process_count; i++) {
        next = next_open(b, i, next);
        if (b->loads[next] > 0 && b->loads[next] + dal_search_load_at(b->space, i, next) / 2 > part)
            next = next_open(b, i, next + 1);
        put(b, i, next);
    }
}

/* Tries an initial solution. Returns its number; SIZE_MAX if it is not allowed or the search has
 * ended. */
static size_t begin_with(struct initial *b, void (*place_all)(struct initial *b))
{
    for (size_t i = 0; i < b->space->process_count; i++)
        b->places[i] = UINT16_MAX;
    for (size_t i = 0; i < b->space->place_count; i++)
        b->loads[i] = 0;
    for (size_t i = 0; i < b->space->process_count; i++)
        if (b->space->kept[i])
            put(b, i, dal_search_first_place(b->space, i));
    place_all(b);
    return dal_search_is_allowed(b->space, b->places, b->used) ? dal__try(b->tried, b->places)
                                                               : SIZE_MAX;
}

static void try_initial(struct initial *b)
{
    begin_with(b, balance_rest);
    for (b->only = 0; b->only < b->space->place_count; b->only++)
        if (b->space->places[b->only].first_alike == b->only)
            b->tried->together[b->only] = begin_with(b, place_together);
    for (b->only = 0; b->only < b->space->place_count; b->only++)
        if (b->space->places[b->only].pool_count)
            begin_with(b, place_shared);
    begin_with(b, place_in_turn);
    begin_with(b, place_in_a_row);
}

void dal__search_begin(struct dal__tried *tried)
{
    size_t processes = tried->search->space->process_count + 1;
    size_t places = tried->search->space->place_count + 1;
    struct initial b = {.tried = tried,
                        .space = tried->search->space,
                        .open = dal_calloc(places, 1),
                        .used = dal_calloc(places, 1),
                        .order = dal_calloc(processes, sizeof(*b.order)),
                        .places = dal_calloc(processes, sizeof(*b.places)),
                        .loads = dal_calloc(places, sizeof(*b.loads))};
    if (!b.open || !b.used || !b.order || !b.places || !b.loads || open_places(&b) ||
        dal__sort_by_load(b.space, b.order))
        tried->status = DAL_ERR_NOMEM;
    else
        try_initial(&b);
    dal_free_all(b.open, b.used, b.order, b.places, b.loads);
}
