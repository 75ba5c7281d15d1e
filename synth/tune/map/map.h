/*
 * Finds a mapping for a network and an architecture. It is searched (synth/tune/search), then
 * planned as dalsynth does it, sources and all, and written with its prediction. One thread.
 */
#pragma once

#include "spec/base/diag.h"
#include "synth/tune/search/search.h"

#include <stdio.h>

/* Kernels that runs have timed: "DEVICE PROCESS KEY" (spec/model/key.h), without indices. */
struct dal_map_timed {
    char **kernels;
    size_t count;
};

/* Runs of a mapping at most, each in turn with those of others. */
enum { DAL_MAP_RUNS = 5 };

/* How long an iteration took in each run. */
struct dal_map_runs {
    double ns[DAL_MAP_RUNS];
    size_t count;
};

struct dal_map {
    const char *network_file, *architecture_file, *times_file;
    const char *keep_file; /* a mapping whose bindings stay, or NULL */
    const struct dal_spec_define *defines;
    size_t define_count;
    struct dal_search_wishes wishes;
    enum dal_search_objective objective;
    size_t most_points; /* of dal_map_front(), 3 or more; 0 else */
    uint64_t most_exact;
    double seconds; /* for the search; 0: as many as are usual */
    size_t run;     /* so many of the best are built and run, and the fastest is taken; 0: none */
    double run_seconds;     /* each */
    int64_t deadline_ns;    /* for tries and runs, by dal_now_ns(); 0: none */
    double profile_seconds; /* of each run that finds times before the search; 0: there are times */
    struct dal_map_timed *timed; /* a device whose kernels are all here is not run again; or NULL */
    const char *const *parameters; /* of all runs: "PROCESS.NAME=VALUE"; or NULL */
    size_t parameter_count;
    const char *note; /* for the comment: what was tried beside this; or NULL */
    /* Called now and then, as in struct dal_search; NULL: nobody is told. A signal ends the search
     * too. */
    void (*progress)(uint64_t tried, double least_ns);
};

#define DAL_MAP_SECONDS 60.0

/* Are runs faster than others, by more than both differ among themselves? A rank test decides (Mann
 * and Whitney, one side, 5 %). If there are too few runs for that, all of them must be faster. */
int dal_map_runs_win(const struct dal_map_runs *runs, const struct dal_map_runs *others);
/* Returns the median; 0 without a run. */
double dal_map_runs_median(const struct dal_map_runs *runs);

/* Result of a search for a mapping. */
struct dal_mapped {
    char *text;         /* of the mapping's file */
    char *summary;      /* one line for people */
    char *told;         /* what was run, as a table (spec/base/table.h); "" where nothing was */
    double period_ns;   /* predicted */
    double measured_ns; /* median of the runs; 0: was not run */
    struct dal_map_runs runs;
    double bytes_out; /* bytes that processes without outputs read in an iteration; 1 if none
                       * reads */
    int interrupted;  /* true when a signal has ended the search: the best so far */
    int out_of_time;  /* true when the time limit has ended it */
    int untried;      /* true when values of open variables were not tried: some have no times */
    uint64_t tried;
};

/*
 * Searches for a mapping. Returns DAL_OK; DAL_ERR_INVALID with the problems in diags, for example
 * if no mapping can run; or another code. Call it after dal_child_guard(), and dal_mapped_finish()
 * in all cases. A signal during the search ends only the search. A signal during the runs of the
 * best ends these, and the fastest so far is taken.
 *
 * Variables that neither the network, `defines` nor `keep_file` sets get values by search. The best
 * values take the least time for a byte that comes out: an iteration of more workers has more
 * bytes. Larger values have to be 1 % faster. All values are tried, each with its part of the time.
 * With a deadline, runs that find times have no more either, and tries end half way to it.
 * If times are found by runs, devices run again only for kernels that another value changes. With
 * `run`, values within a tenth of the best are run as well, three of them at most.
 */
int dal_map(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped);
/* Checks, without times, that mappings of a network can be told from each other. Changes the spec.
 * DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problem in diags. */
int dal_map_check(struct dal_diags *diags, struct dal_spec *spec,
                  const struct dal_search_wishes *wishes);
void dal_mapped_finish(struct dal_mapped *mapped);

/* A point of a Pareto front (synth/tune/search/front.h): a mapping with the sizes of all open
 * channels. */
struct dal_mapped_point {
    char *text;                    /* of the mapping's file */
    struct dal_search_value value; /* predicted with that file */
};

/* Points from the least period to the most. */
struct dal_mapped_front {
    struct dal_mapped_point *points;
    size_t count;
    int interrupted, out_of_time; /* as of one mapping */
    uint64_t tried;               /* mappings with sizes */
};

/* Finds the front of period, latency and bytes; objective and `run` do not count. As dal_map()
 * otherwise. But variables that the network leaves open are an error, and so is a second signal
 * that comes before a point is planned. Call dal_mapped_front_finish() in all cases. */
int dal_map_front(struct dal_diags *diags, const struct dal_map *map,
                  struct dal_mapped_front *front);
void dal_mapped_front_finish(struct dal_mapped_front *front);

/* Prints a table for people. DAL_OK or DAL_ERR_NOMEM. */
int dal_mapped_front_print(const struct dal_mapped_front *front, FILE *out);
/* Returns the same as plain columns, of which the first line begins with '#'. The caller frees it;
 * NULL without memory. */
char *dal_mapped_front_columns(const struct dal_mapped_front *front);

/* Can a new folder of this name be made, or is it there and empty? Returns DAL_OK, or an error that
 * is logged. Changes nothing. */
int dal_mapped_folder_check(const char *folder);
/* Writes the points into such a folder, as 1.xml and so on, and the columns as front.txt: all or
 * nothing. DAL_OK, or an error that is logged. */
int dal_mapped_folder_write(const struct dal_mapped_front *front, const char *folder);
