#include "synth/tune/search/tried.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of mappings that are kept. */
#define MOST_BYTES ((size_t)64 << 20)
enum { FIRST_SLOTS = 1024 };

int dal__tried_init(struct dal__tried *tried, const struct dal_search *search)
{
    *tried = (struct dal__tried){
        .search = search,
        .slot_count = FIRST_SLOTS,
        .slots = dal_calloc(FIRST_SLOTS, sizeof(*tried->slots)),
        .names = dal_calloc(search->space->place_count + 1, sizeof(*tried->names)),
        .used = dal_calloc(search->space->place_count + 1, 1),
        .together = dal_calloc(search->space->place_count + 1, sizeof(*tried->together)),
        .least_ns = INFINITY};
    for (size_t i = 0; tried->together && i < search->space->place_count; i++)
        tried->together[i] = SIZE_MAX;
    return tried->slots && tried->names && tried->used && tried->together ? DAL_OK : DAL_ERR_NOMEM;
}

void dal__tried_finish(struct dal__tried *tried)
{
    dal_free_all(tried->places, tried->values, tried->slots, tried->names, tried->used,
                 tried->together);
}

const uint16_t *dal__tried_places(const struct dal__tried *tried, size_t number)
{
    return &tried->places[number * tried->search->space->process_count];
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint16_t next_alike(const struct dal_search_space *space, const unsigned char *used,
                           size_t first)
{
    size_t k = first;
    while (used[k] || space->places[k].first_alike != first)
        k++;
    return (uint16_t)k;
}

/* Renames cores that are alike. */
static void rename_alike(struct dal__tried *tried, uint16_t *places)
{
    const struct dal_search_space *space = tried->search->space;
    memset(tried->names, 0xff, space->place_count * sizeof(*tried->names));
    memset(tried->used, 0, space->place_count);
    for (size_t i = 0; i < space->process_count; i++) {
        uint16_t place = places[i];
        if (space->spread[i])
            continue;
        if (tried->names[place] == UINT16_MAX) {
            tried->names[place] = next_alike(space, tried->used, space->places[place].first_alike);
            tried->used[tried->names[place]] = 1;
        }
        places[i] = tried->names[place];
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static size_t hash_of(const uint16_t *places, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ places[i]) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 29);
}

/* Returns the slot of a mapping, or the free one where it would be. */
static uint32_t *find_slot(const struct dal__tried *tried, const uint16_t *places)
{
    size_t count = tried->search->space->process_count, mask = tried->slot_count - 1;
    size_t i = hash_of(places, count) & mask;
    while (tried->slots[i] && memcmp(dal__tried_places(tried, tried->slots[i] - 1), places,
                                     count * sizeof(*places)) != 0)
        i = (i + 1) & mask;
    return &tried->slots[i];
}

static int grow_slots(struct dal__tried *tried)
{
    uint32_t *old = tried->slots;
    if (2 * tried->count < tried->slot_count)
        return DAL_OK;
    tried->slots = dal_calloc(2 * tried->slot_count, sizeof(*tried->slots));
    if (!tried->slots) {
        tried->slots = old;
        return DAL_ERR_NOMEM;
    }
    tried->slot_count *= 2;
    for (size_t i = 0; i < tried->count; i++)
        *find_slot(tried, dal__tried_places(tried, i)) = (uint32_t)(i + 1);
    dal_free(old);
    return DAL_OK;
}

static int keep_mapping(struct dal__tried *tried, const uint16_t *places,
                        const struct dal_search_value *value)
{
    size_t count = tried->search->space->process_count;
    if (grow_slots(tried) ||
        dal_grow(&tried->places, tried->count, &tried->place_room, count * sizeof(*places)) ||
        dal_grow(&tried->values, tried->count, &tried->value_room, sizeof(*value)))
        return DAL_ERR_NOMEM;
    *find_slot(tried, places) = (uint32_t)(tried->count + 1);
    memcpy(&tried->places[tried->count * count], places, count * sizeof(*places));
    tried->values[tried->count++] = *value;
    return DAL_OK;
}

/* ---- trying ---------------------------------------------------------------------------------- */

static int end_search(struct dal__tried *tried, enum dal_search_end end)
{
    tried->ended = 1;
    tried->end = end;
    return 1;
}

int dal__is_over(struct dal__tried *tried)
{
    const struct dal_search *search = tried->search;
    size_t bytes = search->space->process_count * sizeof(uint16_t);
    if (tried->ended || tried->count == 0)
        return tried->ended;
    if (search->look && search->look(search->context, tried->count, tried->least_ns))
        return end_search(tried, DAL_SEARCH_INTERRUPTED);
    if (search->deadline_ns && dal_now_ns() >= search->deadline_ns)
        return end_search(tried, DAL_SEARCH_TIME);
    if (tried->count >= DAL_SEARCH_MOST_TRIED || tried->count >= MOST_BYTES / bytes)
        return end_search(tried, DAL_SEARCH_TOO_MANY);
    return 0;
}

static void note_best(struct dal__tried *tried, size_t number)
{
    if (tried->values[number].goal_ns >= tried->least_ns)
        return;
    tried->least_ns = tried->values[number].goal_ns;
    tried->best = number;
}

/* Takes the value from another search that has it, else predicts it. */
static int evaluate(struct dal__tried *tried, const uint16_t *places,
                    struct dal_search_value *value)
{
    int status = DAL_OK;
    uint32_t number = 0;
    for (size_t i = 0; !number && i < tried->known_count; i++) {
        number = *find_slot(&tried->known[i], places);
        if (number)
            *value = tried->known[i].values[number - 1];
    }
    tried->recalled += number != 0;
    if (!number)
        status = dal_search_evaluate(NULL, tried->search->space, places, value);
    value->goal_ns = dal_search_goal(tried->search->objective, value);
    return status;
}

size_t dal__try(struct dal__tried *tried, uint16_t *places)
{
    struct dal_search_value value;
    uint32_t number;
    rename_alike(tried, places);
    number = *find_slot(tried, places);
    if (number)
        return number - 1;
    if (dal__is_over(tried))
        return SIZE_MAX;
    tried->status = evaluate(tried, places, &value);
    if (!tried->status)
        tried->status = keep_mapping(tried, places, &value);
    if (tried->status) {
        tried->ended = 1;
        return SIZE_MAX;
    }
    note_best(tried, tried->count - 1);
    return tried->count - 1;
}

/* Returns the load of one core of a pool: all that the pool and its cores have to do, shared
 * evenly. */
static double pool_load(const struct dal_search_space *space, const uint16_t *places,
                        const double *loads, size_t pool)
{
    const struct dal_search_place *place = &space->places[pool];
    double sum = 0;
    const struct dal_search_choice *choice;
    for (size_t i = 0; i < space->place_count; i++)
        if (!space->places[i].pool_count && space->places[i].kind == place->kind &&
            dal_search_has(place, space->places[i].processor))
            sum += loads[i];
    for (size_t i = 0; i < space->process_count; i++) {
        choice = dal_search_choice_of(space, i, pool);
        if (places[i] == pool && !space->spread[i])
            sum += choice->load_ns *
                   (dal_spec_is_stateless(&space->spec->network.processes[i], choice->source)
                        ? (double)place->pool_count
                        : 1);
    }
    return sum / (double)place->pool_count;
}

double dal__most_load(const struct dal_search_space *space, const uint16_t *places, double *loads)
{
    double most = 0;
    for (size_t i = 0; i < space->place_count; i++)
        loads[i] = 0;
    for (size_t i = 0; i < space->process_count; i++)
        loads[places[i]] += dal_search_load_at(space, i, places[i]);
    for (size_t i = 0; i < space->place_count; i++) {
        double load = space->places[i].pool_count ? pool_load(space, places, loads, i) : loads[i];
        most = load > most ? load : most;
    }
    return most;
}

struct loaded {
    double load_ns;
    size_t process;
};

static int compare_loads(const void *one, const void *other)
{
    const struct loaded *a = one, *b = other;
    if (a->load_ns < b->load_ns || a->load_ns > b->load_ns)
        return a->load_ns > b->load_ns ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

int dal__sort_by_load(const struct dal_search_space *space, size_t *order)
{
    struct loaded *list = dal_calloc(space->process_count + 1, sizeof(*list));
    if (!list)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < space->process_count; i++)
        list[i] = (struct loaded){space->spread[i] ? 0 : dal_search_least_load(space, i), i};
    qsort(list, space->process_count, sizeof(*list), compare_loads);
    for (size_t i = 0; i < space->process_count; i++)
        order[i] = list[i].process;
    dal_free(list);
    return DAL_OK;
}

/* ---- the better one -------------------------------------------------------------------------- */

static double margin_of(const struct dal_search *search)
{
    return search->objective == DAL_SEARCH_MEMORY ? DAL_SEARCH_MARGIN : DAL_SEARCH_SAME;
}

static uint64_t cost_of(const struct dal_search *search, const struct dal_search_value *value)
{
    return search->objective == DAL_SEARCH_MEMORY ? value->bytes : value->processors;
}

int dal__is_better(const struct dal__tried *tried, size_t one, size_t other)
{
    const struct dal_search_value *a = &tried->values[one], *b = &tried->values[other];
    double good_ns = tried->least_ns * (1 + margin_of(tried->search));
    uint64_t cost_a = cost_of(tried->search, a), cost_b = cost_of(tried->search, b);
    size_t bytes = tried->search->space->process_count * sizeof(uint16_t);
    if ((a->goal_ns <= good_ns) != (b->goal_ns <= good_ns))
        return a->goal_ns <= good_ns;
    if (a->goal_ns <= good_ns && cost_a != cost_b)
        return cost_a < cost_b;
    if (a->goal_ns <= good_ns && a->bytes != b->bytes)
        return a->bytes < b->bytes;
    if (a->goal_ns < b->goal_ns || a->goal_ns > b->goal_ns)
        return a->goal_ns < b->goal_ns;
    return memcmp(dal__tried_places(tried, one), dal__tried_places(tried, other), bytes) < 0;
}
