/*
 * Mappings that were tried, each once; all files of the search use them. Alike cores are named in
 * the order in which processes use them, so that mappings that differ in nothing else are one. One
 * thread.
 */
#pragma once

#include "synth/tune/search/search.h"

struct dal__tried {
    const struct dal_search *search;
    const struct dal__tried *known; /* other searches of the same space, whose values are reused */
    size_t known_count;             /* of them */
    size_t recalled;                /* mappings whose values were reused */
    uint16_t *places;               /* process_count of each */
    struct dal_search_value *values;
    size_t count, place_room, value_room;
    uint32_t *slots; /* by hash: the mapping's number + 1, or 0 */
    size_t slot_count;
    uint16_t *names;     /* by place: its name in the mapping at hand, or UINT16_MAX */
    unsigned char *used; /* by place */
    size_t best;         /* the least goal; count without one */
    size_t *together;    /* by place: the mapping with all in it that can be; SIZE_MAX: not tried */
    double least_ns;
    int ended; /* true when no more are tried; `end` says why */
    enum dal_search_end end;
    int status; /* DAL_ERR_NOMEM: the search has failed */
};

/* DAL_OK or DAL_ERR_NOMEM; finish on both. */
int dal__tried_init(struct dal__tried *tried, const struct dal_search *search);
void dal__tried_finish(struct dal__tried *tried);

const uint16_t *dal__tried_places(const struct dal__tried *tried, size_t number);

/* Returns whether the search has ended, or has to end now. */
int dal__is_over(struct dal__tried *tried);

/* Tries a mapping that is allowed, unless it was tried before, and returns its number. Renames its
 * cores. Returns SIZE_MAX when the search has ended or failed. */
size_t dal__try(struct dal__tried *tried, uint16_t *places);

/* Returns the largest load of a processor; no period can be less. `loads` has room for all
 * places. */
double dal__most_load(const struct dal_search_space *space, const uint16_t *places, double *loads);

/* Sorts process numbers by their least load, the largest first; of equal ones, the lesser number
 * first. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__sort_by_load(const struct dal_search_space *space, size_t *order);

/* Is one mapping better than another, by the search's objective and its least goal so far? */
int dal__is_better(const struct dal__tried *tried, size_t one, size_t other);

/* Tries all mappings that differ (exact.c). Cuts those whose load tells that they are no better. */
void dal__search_exact(struct dal__tried *tried);
/* Counts the mappings that differ; returns 0 for more than `most`. */
uint64_t dal__count_mappings(const struct dal_search_space *space, uint64_t most, int *lost);

/* Can a load tell that a mapping is no better? */
static inline int dal__loads_tell(const struct dal__tried *tried)
{
    return tried->search->objective == DAL_SEARCH_THROUGHPUT ||
           tried->search->objective == DAL_SEARCH_MEMORY;
}

/* Does the whole search. Fills in all of the result but the mappings. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal__search(struct dal__tried *tried, struct dal_search_result *result);

/* Tries initial solutions (begin.c), the one that balances load first. */
void dal__search_begin(struct dal__tried *tried);
/* Improves the initial solutions, which have been tried, by local moves (local.c). */
void dal__search_local(struct dal__tried *tried);
