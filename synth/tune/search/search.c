#include "synth/tune/search/search.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/tune/search/tried.h"

#include <math.h>
#include <string.h>

double dal_search_goal(enum dal_search_objective objective, const struct dal_search_value *value)
{
    if (isinf(value->period_ns))
        return INFINITY;
    if (value->late > 0)
        return DAL_SEARCH_LATE_NS * value->late;
    if (objective == DAL_SEARCH_LATENCY)
        return value->latency_ns;
    return objective == DAL_SEARCH_BYTES ? (double)value->bytes : value->period_ns;
}

/* Returns the best mapping that was not taken; SIZE_MAX without one. */
static size_t next_best(const struct dal__tried *tried, const unsigned char *taken)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < tried->count; i++)
        if (!taken[i] && !isinf(tried->values[i].goal_ns) &&
            (best == SIZE_MAX || dal__is_better(tried, i, best)))
            best = i;
    return best;
}

static void keep_result(const struct dal__tried *tried, size_t number,
                        struct dal_search_result *result)
{
    size_t count = tried->search->space->process_count;
    memcpy(&result->places[result->count * count], dal__tried_places(tried, number),
           count * sizeof(*result->places));
    result->values[result->count] = tried->values[number];
    for (size_t i = 0; i < tried->search->space->place_count; i++)
        result->values[result->count].simple |= tried->together[i] == number;
    result->count++;
}

/* The best mapping with all on one core. */
static size_t find_alone(const struct dal__tried *tried)
{
    const struct dal_search_space *space = tried->search->space;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < space->place_count; i++) {
        size_t number = tried->together[i];
        if (space->places[i].kind == DAL_PROCESSOR_CORE && !space->places[i].pool_count &&
            number != SIZE_MAX && (best == SIZE_MAX || dal__is_better(tried, number, best)))
            best = number;
    }
    return best;
}

static void keep_simple(const struct dal__tried *tried, size_t number, unsigned char *taken,
                        struct dal_search_result *result)
{
    if (number == SIZE_MAX || taken[number] || tried->values[number].goal_ns >= DAL_SEARCH_LATE_NS)
        return;
    taken[number] = 1;
    keep_result(tried, number, result);
}

/* Keeps those that need no search, and are worth a run beside the best. */
static void keep_all_simple(const struct dal__tried *tried, unsigned char *taken,
                            struct dal_search_result *result)
{
    const struct dal_search_space *space = tried->search->space;
    keep_simple(tried, find_alone(tried), taken, result);
    for (size_t i = 0; i < space->place_count; i++)
        if (space->places[i].pool_count || space->places[i].kind != DAL_PROCESSOR_CORE)
            keep_simple(tried, tried->together[i], taken, result);
}

static int take_best(const struct dal__tried *tried, size_t most, struct dal_search_result *result)
{
    const struct dal_search_space *space = tried->search->space;
    size_t count = space->process_count, best, left = most;
    unsigned char *taken = dal_calloc(tried->count + 1, 1);
    result->places = dal_calloc((most + space->place_count + 1) * count + 1, sizeof(uint16_t));
    result->values = dal_calloc(most + space->place_count + 1, sizeof(*result->values));
    if (!taken || !result->places || !result->values) {
        dal_free(taken);
        return DAL_ERR_NOMEM;
    }
    while (left-- > 0 && (best = next_best(tried, taken)) != SIZE_MAX) {
        taken[best] = 1;
        keep_result(tried, best, result);
        if (result->count == 1 && tried->search->simple)
            keep_all_simple(tried, taken, result);
    }
    if (!result->count && tried->count)
        memcpy(result->places, dal__tried_places(tried, 0), count * sizeof(*result->places));
    dal_free(taken);
    return DAL_OK;
}

int dal__search(struct dal__tried *tried, struct dal_search_result *result)
{
    const struct dal_search *search = tried->search;
    int lost;
    result->possible = dal__count_mappings(search->space, search->most_exact, &lost);
    if (lost)
        return DAL_ERR_NOMEM;
    dal__search_begin(tried);
    result->initial_ns = tried->count ? tried->values[0].period_ns : INFINITY;
    if (!tried->status && !tried->ended) {
        if (result->possible)
            dal__search_exact(tried);
        else
            dal__search_local(tried);
    }
    result->tried = tried->count;
    result->end = tried->end;
    return tried->status;
}

int dal_search_run(const struct dal_search *search, size_t most, struct dal_search_result *result)
{
    struct dal__tried tried;
    int status;
    *result = (struct dal_search_result){0};
    status = dal__tried_init(&tried, search);
    if (!status)
        status = dal__search(&tried, result);
    if (!status)
        status = take_best(&tried, most, result);
    dal__tried_finish(&tried);
    return status;
}

void dal_search_result_finish(struct dal_search_result *result)
{
    dal_free_all(result->places, result->values);
    *result = (struct dal_search_result){0};
}
