/*
 * Between the files of the search: mappings that were tried, each once. Cores that are alike are
 * named in the order in which processes use them, so that mappings that differ in nothing else are
 * one. One thread.
 */
#ifndef DAL_SYNTH_TUNE_SEARCH_TRIED_H
#define DAL_SYNTH_TUNE_SEARCH_TRIED_H

#include "synth/tune/search/search.h"

struct dal__tried {
    const struct dal_search *search;
    const struct dal__tried *known; /* others of the same space, whose values are taken, */
    size_t known_count;             /* so many; and */
    size_t recalled;                /* so many mappings were there */
    uint16_t *places;               /* process_count of each */
    struct dal_search_value *values;
    size_t count, place_room, value_room;
    uint32_t *slots; /* by hash: its number and 1, or 0 */
    size_t slot_count;
    uint16_t *names;     /* by place: what it is called in the mapping at hand, or UINT16_MAX */
    unsigned char *used; /* by place */
    size_t best;         /* the least goal; count without one */
    size_t everywhere;   /* all that can be on all cores of a node is; SIZE_MAX: was not tried */
    double least_ns;
    int ended; /* no more are tried: `end` says why */
    enum dal_search_end end;
    int status; /* DAL_ERR_NOMEM: the search has failed */
};

/* DAL_OK or DAL_ERR_NOMEM; finish on both. */
int dal__tried_init(struct dal__tried *tried, const struct dal_search *search);
void dal__tried_finish(struct dal__tried *tried);

const uint16_t *dal__tried_places(const struct dal__tried *tried, size_t number);

/* Renames cores that are alike. */
void dal__tried_name(struct dal__tried *tried, uint16_t *places);

/* Looks whether the search has ended, or has to. */
int dal__is_over(struct dal__tried *tried);

/* The number of a mapping that is allowed, which is tried unless it was before; its cores are
 * renamed. SIZE_MAX when the search has ended or failed. */
size_t dal__try(struct dal__tried *tried, uint16_t *places);

/* The load of the processor that has most, which no period can be less than. `loads` has room for
 * all places. */
double dal__most_load(const struct dal_search_space *space, const uint16_t *places, double *loads);

/* Process numbers, those with the largest least load first; of equal ones, the lesser first. DAL_OK
 * or DAL_ERR_NOMEM. */
int dal__sort_by_load(const struct dal_search_space *space, size_t *order);

/* Is one better than another, by the search's objective, if the least goal is that? */
int dal__is_better(const struct dal__tried *tried, size_t one, size_t other);

/* Tries all that differ (exact.c). Cuts those whose load says that they are no better. */
void dal__search_exact(struct dal__tried *tried);
/* How many mappings differ; 0: more than `most`. */
uint64_t dal__count_mappings(const struct dal_search_space *space, uint64_t most, int *lost);

/* Can a load tell that a mapping is no better? */
static inline int dal__loads_tell(const struct dal__tried *tried)
{
    return tried->search->objective == DAL_SEARCH_THROUGHPUT ||
           tried->search->objective == DAL_SEARCH_MEMORY;
}

/* The whole search. Fills in all of the result but the mappings. DAL_OK or DAL_ERR_NOMEM. */
int dal__search(struct dal__tried *tried, struct dal_search_result *result);

/* Good beginnings (begin.c): tries them, that which balances load first. */
void dal__search_begin(struct dal__tried *tried);
/* What changes make of the beginnings, which have been tried (local.c). */
void dal__search_local(struct dal__tried *tried);

#endif
