/* Reads statistics of a run, as a program wrote them (rt/observe/stats_file.h). One thread. */
#pragma once

#include "spec/base/diag.h"
#include "spec/model/model.h"

enum { DAL_STATS_KIND = 17, DAL_STATS_SPREAD = 512 };

/* The firings of a process; times in ns. */
struct dal_stats_process {
    double copies;
    /* rt/observe/counters.h: begin to end of its firings; of that, processors and devices at work;
     * waits for tokens and for space. */
    double firings, firing_ns, busy_ns, device_ns, starved_ns, blocked_ns;
    double first_ns, last_ns; /* begin and end of its firings */
    /* Of one that is periodic or has a clock outside: tokens a second, as they were and as they
     * should be, and the drift. 0: not known. */
    double tokens_per_s, nominal_per_s, drift_ppm;
    /* Pairs of a duration in ns and the firings that took it; at most DAL_STATS_SPREAD numbers.
     * Some files have none. */
    double *spread;
    size_t spread_count;
    struct dal_spec_curve *curve; /* its launches by their firings; NULL where there are none */
    int on_other;                 /* it did not run where the mapping has it: its fallback did */
    int is_stale;                 /* its source is another one now */
};

/* The traffic of a channel. */
struct dal_stats_channel {
    char kind[DAL_STATS_KIND];
    double tokens, copied_bytes, in_place_bytes, capacity;
    double token_waits, token_wait_ns, space_waits, space_wait_ns;
    double lost, oldest_ns; /* of one that keeps the newest token alone */
    double sent_bytes;      /* to other nodes, for this channel and others of its port; or 0 */
};

/* Times of iterations on a way for which the network promises a latency; all 0: not known. Promised
 * was what the run's program had. */
struct dal_stats_latency {
    double iterations, p50_ns, p99_ns, max_ns;
    double allowed_ns, percentile; /* the part of iterations, in percent, that are to be in time */
    double percentile_ns;          /* that part took no longer */
    double misses, lost;           /* iterations that took longer than allowed; not counted */
};

struct dal_stats {
    double wall_ns;
    size_t process_count;
    struct dal_stats_process *processes; /* by number */
    struct dal_stats_channel *channels;  /* by number */
    struct dal_stats_latency *latencies; /* in the order of the network */
};

/*
 * Reads the whole file into a zeroed *stats, which the caller finishes either way. DAL_OK, or
 * DAL_ERR_INVALID with the reasons in diags, or DAL_ERR_NOMEM. Each process and channel of the
 * network is there once, and no other; processes are planned where the mapping has them. Latencies
 * that the network does not promise now, and members that are not known, are passed over. Warns of
 * sources that have changed since.
 */
int dal_stats_read(struct dal_diags *diags, const char *file, const struct dal_spec *spec,
                   struct dal_stats *stats);
void dal_stats_finish(struct dal_stats *stats);
