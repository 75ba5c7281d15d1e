/*
 * Analyses one graph in all ways, for a report. One thread.
 */
#pragma once

#include "spec/sdf/live.h"
#include "spec/sdf/rate.h"
#include "spec/sdf/sizing.h"

/* The reason why a process may fire at once as often as it may. */
enum dal_sdf_overlap_why {
    DAL_SDF_FREE,    /* nothing keeps it from firing concurrently with itself */
    DAL_SDF_UNREAD,  /* nobody has read its source: taken to keep no state */
    DAL_SDF_LOOP,    /* a channel to itself has tokens, or room, for no more */
    DAL_SDF_STATE,   /* it keeps state from one firing to the next */
    DAL_SDF_MAPPING, /* the mapping gives it so many shadow copies */
};

struct dal_sdf_overlap {
    uint64_t at_once; /* most firings under way; 0 for any number, but for none with LOOP */
    enum dal_sdf_overlap_why why;
};

/* Default seconds for the searches: for a graph, and for one with more than DAL_SDF_LARGE firings
 * in an iteration, whose period at best may take longer. */
#define DAL_SDF_SECONDS       60.0
#define DAL_SDF_LARGE_SECONDS 8.0
enum { DAL_SDF_LARGE = 500 };

struct dal_sdf_wishes {
    const struct dal_sdf_overlap *overlap; /* by process.origin, or NULL; outlives the report */
    int pareto;                            /* all trade-off points */
    int by_cycles;                         /* phases are left out (spec/analyse/graph.h) */
    int periods_alone;                     /* no capacities, no latency */
    double seconds;                        /* for the searches together; 0: as below */
    void (*progress)(struct dal_sdf_budget *budget, const char *what); /* now and then, or NULL */
};

struct dal_sdf_report {
    struct dal_sdf_graph graph;
    const struct dal_sdf_overlap *overlap; /* the wish */
    int by_cycles;                         /* of processes that have phases */
    int consistent;
    struct dal_sdf_contradiction contradiction; /* when not */
    /* From here on only when it is consistent. */
    uint64_t *given; /* sizes, DAL_SDF_UNLIMITED where there is none */
    int live_known;  /* 0: an iteration is too long to be executed */
    struct dal_sdf_deadlock deadlock;
    /* From here on only when there is no deadlock. Buffers are in tokens, whatever a size says. */
    struct dal_sdf_period unbounded;    /* the least that any capacities reach */
    struct dal_sdf_period given_period; /* with the given sizes, if all are given */
    int all_given;
    struct dal_sdf_buffers minimum, fastest;
    int with_front; /* wishes.pareto */
    struct dal_sdf_front front;
    int has_latency;
    uint64_t latency; /* of the first iteration, with the fastest capacities, else the minimum */
};

/*
 * Analyses report->graph, which the caller has filled in, all else being zeroed. A graph that
 * cannot run is reported, not an error: then diags has the message too. Returns DAL_OK,
 * DAL_ERR_INVALID when there is nothing to report (a number does not fit), or DAL_ERR_NOMEM. The
 * caller finishes the report in any case.
 */
int dal_sdf_report_make(struct dal_diags *diags, const struct dal_sdf_wishes *wishes,
                        struct dal_sdf_report *report);
/* Returns how often a process of report->graph may fire at once, and what says so. */
struct dal_sdf_overlap dal_sdf_report_overlap(const struct dal_sdf_report *report, size_t process);
void dal_sdf_report_finish(struct dal_sdf_report *report);
