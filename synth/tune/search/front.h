/*
 * The Pareto front of mappings: those that no other beats in period, latency and bytes of channels
 * at once. A point is a mapping with sizes: those of a plan with so many firings of a process at
 * once. The same mapping may be several points. The same input gives the same points, unless a time
 * limit or a signal ends the search. One thread.
 *
 * A mapping that is less than DAL_SEARCH_NEAR better counts as no better, so fewer points are kept.
 * For each mapping there is a point that is at most so much worse in all three values.
 *
 * The choice begins with the best point by each of the three values. Among points as good as the
 * best, it is the one with the least product of the three. Then comes, again and again, the point
 * that gains most on those that are kept. This ends when none gains enough, or enough are kept. The
 * gain of a point on another is the largest of three ratios: of their periods, latencies and bytes.
 */
#pragma once

#include "synth/tune/search/search.h"

#define DAL_SEARCH_NEAR 0.01

/* Firings at once that are tried: 0 is what the plan chooses. */
enum { DAL_SEARCH_LEVELS = 5 };
extern const uint64_t dal_search_levels[DAL_SEARCH_LEVELS];

/*
 * Searches with all levels and all objectives, whatever the search's own. All mappings that any of
 * them tries may be points. If all mappings can be tried, they are. Each search has its part of the
 * time that is left, and tries one mapping in any case. The result has at most `most` points, 3 or
 * more, from the least period to the most; each value says its level. `look` gets the least period.
 * As dal_search_run() otherwise.
 */
int dal_search_front(const struct dal_search *search, size_t most,
                     struct dal_search_result *result);

/* Chooses points of such a front among values, up to `most`, 3 or more. The points can run and keep
 * all promised latencies. `chosen` has room for them, and gets their numbers, by period. Returns
 * how many; SIZE_MAX without memory. */
size_t dal_search_choose(const struct dal_search_value *values, size_t count, size_t most,
                         size_t *chosen);
