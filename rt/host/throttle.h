/*
 * How many workers of a pool take part: as many as make it faster. Each worker more takes cache
 * lines from the others, so beyond some number a network of short firings becomes slower
 * (Gunther, Guerrilla Capacity Planning, 2007, section 4). That number is found while the network
 * runs: dynamic concurrency throttling (Curtis-Maury et al., Online Power-Performance Adaptation of
 * Multithreaded Programs Using Hardware Event-Based Prediction, 2006).
 *
 * The firings of a window of time with the workers in use are compared with a window with fewer, or
 * more, twice in turn. Fewer are taken if they are as fast. More are taken only if they are faster
 * by more than the noise. When no other number is better, the next comparison with fewer comes
 * later each time. More are tried every second, since more may come in. All workers are used again
 * when the rate changes by itself, or when there are too few firings to compare.
 *
 * Time and counts come from the caller. One thread.
 */
#pragma once

#include <stdint.h>

struct dal_throttle {
    int most;         /* workers of the pool */
    int in_use;       /* found so far, 1 to most */
    int tried;        /* what is compared with them */
    int next;         /* place in the list of what to compare with (throttle.c) */
    int step;         /* of a comparison: 0 to 3, in windows with in_use and tried in turn */
    double rates[4];  /* of the steps, firings a second */
    double usual;     /* rate between comparisons, 0 at first */
    int strange;      /* windows in a row with another rate */
    int64_t gap_ns;   /* from the next comparisons with fewer to those after them */
    int64_t fewer_ns; /* until the next ones with fewer */
    int64_t left_ns;  /* until the next ones of any kind; 0 within one */
    uint64_t firings; /* in this window so far */
    int64_t time_ns;
};

/* A window has at least so long, and so many firings for each worker. */
enum { DAL_THROTTLE_WINDOW_NS = 10 * 1000 * 1000, DAL_THROTTLE_FIRINGS = 16 };

/* Pools of fewer use all their workers. */
enum { DAL_THROTTLE_LEAST = 3 };

/* Begins with all workers, and a gap until the network has come up to speed. */
void dal_throttle_begin(struct dal_throttle *throttle, int workers);

/* Called after `time_ns` more, in which the workers did so many firings. Returns how many workers
 * to use from now on. */
int dal_throttle_go_on(struct dal_throttle *throttle, uint64_t firings, int64_t time_ns);
