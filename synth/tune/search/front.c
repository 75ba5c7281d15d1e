#include "synth/tune/search/front.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "synth/tune/search/tried.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const uint64_t dal_search_levels[DAL_SEARCH_LEVELS] = {0, 1, 4, 16, 64};

/* Objectives of the searches with each level. If all mappings can be tried, the first search does
 * that. */
static const enum dal_search_objective objectives[] = {DAL_SEARCH_BYTES, DAL_SEARCH_THROUGHPUT,
                                                       DAL_SEARCH_LATENCY, DAL_SEARCH_MEMORY};
enum { OBJECTIVES = sizeof(objectives) / sizeof(objectives[0]) };

/* ---- what no other beats --------------------------------------------------------------------- */

static int is_no_worse(const struct dal_search_value *one, const struct dal_search_value *other)
{
    return one->period_ns <= other->period_ns && one->latency_ns <= other->latency_ns &&
           one->bytes <= other->bytes;
}

/* Is one no worse than another in all three, and better in one? */
static int beats(const struct dal_search_value *one, const struct dal_search_value *other)
{
    return is_no_worse(one, other) && !is_no_worse(other, one);
}

static int is_point(const struct dal_search_value *value)
{
    return !isinf(value->period_ns) && !isinf(value->latency_ns) && !(value->late > 0);
}

/* Points so far. Of those that are equal in all three values, only one stays: the first with the
 * fewest processors. */
struct front {
    struct dal_search_value *values;
    uint16_t *places;
    size_t count, value_room, place_room, processes;
};

/* Does a point make this value needless? It is no worse, and with equal values it has no more
 * processors. */
static int is_beaten(const struct front *front, const struct dal_search_value *value)
{
    for (size_t i = 0; i < front->count; i++) {
        const struct dal_search_value *point = &front->values[i];
        if (is_no_worse(point, value) &&
            (!is_no_worse(value, point) || point->processors <= value->processors))
            return 1;
    }
    return 0;
}

static void move_point(struct front *front, size_t from, size_t to)
{
    if (from == to)
        return;
    front->values[to] = front->values[from];
    memcpy(&front->places[to * front->processes], &front->places[from * front->processes],
           front->processes * sizeof(*front->places));
}

static int offer(struct front *front, const struct dal_search_value *value, const uint16_t *places)
{
    size_t kept = 0, bytes = front->processes * sizeof(*places);
    if (!is_point(value) || is_beaten(front, value))
        return DAL_OK;
    for (size_t i = 0; i < front->count; i++)
        if (!is_no_worse(value, &front->values[i]))
            move_point(front, i, kept++);
    front->count = kept;
    if (dal_grow(&front->values, kept, &front->value_room, sizeof(*front->values)) ||
        dal_grow(&front->places, kept, &front->place_room, bytes))
        return DAL_ERR_NOMEM;
    front->values[kept] = *value;
    memcpy(&front->places[kept * front->processes], places, bytes);
    front->count++;
    return DAL_OK;
}

static int offer_all(struct front *front, const struct dal__tried *tried)
{
    for (size_t i = 0; i < tried->count; i++)
        if (offer(front, &tried->values[i], dal__tried_places(tried, i)))
            return DAL_ERR_NOMEM;
    return DAL_OK;
}

/* ---- the points that are kept ---------------------------------------------------------------- */

enum { NUMBERS = 3 };

/* Adds 1 before the logarithm, so that 0 and small numbers are near each other. */
static double number_of(const struct dal_search_value *value, int which)
{
    const double numbers[NUMBERS] = {value->period_ns, value->latency_ns, (double)value->bytes};
    return log(numbers[which] + 1);
}

/* Returns the gain of one point on another: the logarithm of the largest of three ratios. */
static double gain(const struct dal_search_value *one, const struct dal_search_value *other)
{
    double most = 0;
    for (int which = 0; which < NUMBERS; which++)
        most = fmax(most, number_of(other, which) - number_of(one, which));
    return most;
}

static double product_of(const struct dal_search_value *value)
{
    return number_of(value, 0) + number_of(value, 1) + number_of(value, 2);
}

struct choosing {
    const struct dal_search_value *values;
    size_t count, chosen_count;
    size_t *chosen;
    double *gain; /* by value: on those that are chosen; < 0: it is no point of the front */
    double near;
};

static void find_points(struct choosing *c)
{
    for (size_t i = 0; i < c->count; i++) {
        c->gain[i] = is_point(&c->values[i]) ? INFINITY : -1;
        for (size_t k = 0; k < c->count; k++)
            if (is_point(&c->values[k]) && beats(&c->values[k], &c->values[i]))
                c->gain[i] = -1;
    }
}

static void choose(struct choosing *c, size_t number)
{
    c->chosen[c->chosen_count++] = number;
    for (size_t i = 0; i < c->count; i++)
        if (c->gain[i] >= 0)
            c->gain[i] = fmin(c->gain[i], gain(&c->values[i], &c->values[number]));
}

static int is_end(const struct choosing *c, size_t number, int which, double least)
{
    return c->gain[number] >= 0 && number_of(&c->values[number], which) <= least + c->near;
}

static void choose_end(struct choosing *c, int which)
{
    double least = INFINITY;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < c->count; i++)
        if (c->gain[i] >= 0)
            least = fmin(least, number_of(&c->values[i], which));
    for (size_t i = 0; i < c->chosen_count; i++)
        if (is_end(c, c->chosen[i], which, least))
            return;
    for (size_t i = 0; i < c->count; i++)
        if (is_end(c, i, which, least) &&
            (best == SIZE_MAX || product_of(&c->values[i]) < product_of(&c->values[best])))
            best = i;
    if (best != SIZE_MAX)
        choose(c, best);
}

static size_t find_best(const struct choosing *c)
{
    size_t best = 0;
    for (size_t i = 1; i < c->count; i++)
        best = c->gain[i] > c->gain[best] ? i : best;
    return best;
}

static int is_behind(const struct dal_search_value *one, const struct dal_search_value *other)
{
    if (one->period_ns < other->period_ns || one->period_ns > other->period_ns)
        return one->period_ns > other->period_ns;
    return one->latency_ns > other->latency_ns;
}

/* Sorts by insertion: there are few points. */
static void sort_chosen(struct choosing *c)
{
    for (size_t i = 1; i < c->chosen_count; i++)
        for (size_t k = i;
             k > 0 && is_behind(&c->values[c->chosen[k - 1]], &c->values[c->chosen[k]]); k--) {
            size_t other = c->chosen[k];
            c->chosen[k] = c->chosen[k - 1];
            c->chosen[k - 1] = other;
        }
}

size_t dal_search_choose(const struct dal_search_value *values, size_t count, size_t most,
                         size_t *chosen)
{
    struct choosing c = {.values = values,
                         .count = count,
                         .chosen = chosen,
                         .gain = dal_calloc(count + 1, sizeof(*c.gain)),
                         .near = log(1 + DAL_SEARCH_NEAR)};
    if (!c.gain)
        return SIZE_MAX;
    find_points(&c);
    for (int which = 0; which < NUMBERS; which++)
        choose_end(&c, which);
    while (c.chosen_count > 0 && c.chosen_count < most && c.gain[find_best(&c)] > c.near)
        choose(&c, find_best(&c));
    sort_chosen(&c);
    dal_free(c.gain);
    return c.chosen_count;
}

/* ---- the searches ---------------------------------------------------------------------------- */

struct searches {
    const struct dal_search *wish;
    struct dal_search_result *result;
    struct front front;
    const struct dal__tried *current;
    size_t done;     /* searches, with those that are left out */
    size_t seen;     /* of the current one's mappings, in the least period: */
    double least_ns; /* by all */
};

static int look_up(void *context, uint64_t tried, double least_ns)
{
    struct searches *s = context;
    (void)least_ns;
    for (; s->seen < s->current->count; s->seen++)
        s->least_ns = fmin(s->least_ns, s->current->values[s->seen].period_ns);
    return s->wish->look(s->wish->context, s->result->tried + tried, s->least_ns);
}

/* Counts the searches that are to come. */
static size_t count_left(const struct searches *s)
{
    return s->result->possible ? DAL_SEARCH_LEVELS - s->done / OBJECTIVES
                               : (size_t)DAL_SEARCH_LEVELS * OBJECTIVES - s->done;
}

/* Gives each search that is to come an equal part of the time that is left. */
static int64_t deadline_of(const struct searches *s)
{
    int64_t now_ns = dal_now_ns(), end_ns = s->wish->deadline_ns;
    if (!end_ns)
        return 0;
    return end_ns <= now_ns ? end_ns : now_ns + (end_ns - now_ns) / (int64_t)count_left(s);
}

/* The first search gives the period of the initial solution. The end with the largest number
 * counts. */
static void add_result(struct searches *s, const struct dal_search_result *one)
{
    if (s->done == 0)
        s->result->initial_ns = one->initial_ns;
    if (s->done == 0 || one->end > s->result->end)
        s->result->end = one->end;
}

static int run_one(struct searches *s, struct dal__tried *tried, const struct dal_search *search)
{
    struct dal_search_result one = {0};
    int status;
    s->current = tried;
    s->seen = 0;
    status = dal__search(tried, &one);
    add_result(s, &one);
    s->result->tried += tried->count - tried->recalled;
    if (!status && s->done == 0 && tried->count > 0)
        memcpy(s->result->places, dal__tried_places(tried, 0),
               search->space->process_count * sizeof(*s->result->places));
    return status ? status : offer_all(&s->front, tried);
}

static int is_over(const struct searches *s)
{
    return s->done > 0 && s->result->end == DAL_SEARCH_INTERRUPTED;
}

/* The searches of one level reuse each other's values. */
static int run_level(struct searches *s, const struct dal_search_space *space)
{
    struct dal__tried tried[OBJECTIVES];
    struct dal_search searches[OBJECTIVES];
    size_t count = 0;
    int status = DAL_OK;
    for (size_t i = 0; i < OBJECTIVES && !status && !is_over(s); i++, s->done++) {
        if (i > 0 && s->result->possible)
            continue;
        searches[i] = (struct dal_search){.space = space,
                                          .objective = objectives[i],
                                          .most_exact = s->wish->most_exact,
                                          .deadline_ns = deadline_of(s),
                                          .look = s->wish->look ? look_up : NULL,
                                          .context = s};
        status = dal__tried_init(&tried[count], &searches[i]);
        tried[count].known = tried;
        tried[count].known_count = count;
        count++;
        if (!status)
            status = run_one(s, &tried[count - 1], &searches[i]);
    }
    while (count > 0)
        dal__tried_finish(&tried[--count]);
    return status;
}

/* Goes through all levels, even if nothing can run at one of them. */
static int run_levels(struct searches *s)
{
    struct dal_search_space space = *s->wish->space;
    int status = DAL_OK, lost;
    s->result->possible = dal__count_mappings(&space, s->wish->most_exact, &lost);
    if (lost)
        return DAL_ERR_NOMEM;
    space.is_sized = 1;
    for (size_t i = 0; i < DAL_SEARCH_LEVELS && !status && !is_over(s); i++) {
        space.most_firings = dal_search_levels[i];
        status = run_level(s, &space);
    }
    return status;
}

static int take_points(const struct front *front, size_t most, struct dal_search_result *result)
{
    size_t *chosen = dal_calloc(most + 1, sizeof(*chosen)), count = SIZE_MAX;
    if (chosen)
        count = dal_search_choose(front->values, front->count, most, chosen);
    for (size_t i = 0; count != SIZE_MAX && i < count; i++) {
        result->values[i] = front->values[chosen[i]];
        memcpy(&result->places[i * front->processes], &front->places[chosen[i] * front->processes],
               front->processes * sizeof(*result->places));
    }
    result->count = count != SIZE_MAX ? count : 0;
    dal_free(chosen);
    return count != SIZE_MAX ? DAL_OK : DAL_ERR_NOMEM;
}

int dal_search_front(const struct dal_search *search, size_t most, struct dal_search_result *result)
{
    size_t processes = search->space->process_count;
    struct searches s = {
        .wish = search, .result = result, .front = {.processes = processes}, .least_ns = INFINITY};
    int status = DAL_ERR_NOMEM;
    *result =
        (struct dal_search_result){.places = dal_calloc(most * processes + 1, sizeof(uint16_t)),
                                   .values = dal_calloc(most + 1, sizeof(*result->values))};
    if (result->places && result->values)
        status = run_levels(&s);
    if (!status)
        status = take_points(&s.front, most, result);
    dal_free_all(s.front.values, s.front.places);
    return status;
}
