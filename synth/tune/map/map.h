/*
 * A mapping for a network and an architecture: searched (synth/tune/search), then planned as
 * dalsynth does it, sources and all, and written with what is expected of it. One thread.
 */
#ifndef DAL_SYNTH_TUNE_MAP_MAP_H
#define DAL_SYNTH_TUNE_MAP_MAP_H

#include "spec/base/diag.h"
#include "synth/tune/search/search.h"

#include <stdio.h>

/* Kernels that runs have timed: "DEVICE PROCESS KEY" (spec/model/key.h), without indices. */
struct dal_map_timed {
    char **kernels;
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
    double profile_seconds; /* of each run that finds times before the search; 0: there are times */
    struct dal_map_timed *timed; /* a device whose kernels are all here is not run again; or NULL */
    const char *const *parameters; /* of all runs: "PROCESS.NAME=VALUE"; or NULL */
    size_t parameter_count;
    const char *note; /* for the comment: what was tried beside this; or NULL */
    /* Now and then, as in struct dal_search; NULL: nobody is told. A signal ends the search too. */
    void (*progress)(uint64_t tried, double least_ns);
};

#define DAL_MAP_SECONDS 60.0

/* What has been found. */
struct dal_mapped {
    char *text;         /* of the mapping's file */
    char *summary;      /* one line for people */
    double period_ns;   /* as it is predicted */
    double measured_ns; /* 0: was not run */
    double bytes_out;   /* that processes without outputs read in an iteration; 1 where none does */
    int interrupted;    /* a signal has ended the search: the best so far */
    int out_of_time;    /* the same of the time limit */
    uint64_t tried;
};

/*
 * DAL_OK; DAL_ERR_INVALID with the problems in diags, as that no mapping can run; or another code.
 * dal_mapped_finish() on all. After dal_child_guard(); a signal that comes during the search counts
 * as nothing behind it. One that comes while the best are run ends that, and the fastest so far is
 * taken.
 *
 * Variables that the network leaves open, and `defines` and `keep_file` as well, get the values
 * whose best mapping takes the least time for a byte that comes out: an iteration of more workers
 * has more of them. Larger values have to be 1 % faster. All values are tried, each with its part
 * of the time; where times are found by runs, devices run again only for kernels that another value
 * changes. With `run`, so are the values themselves: those within a tenth of the best, three of
 * them at most.
 */
int dal_map(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped);
void dal_mapped_finish(struct dal_mapped *mapped);

/* A point of a Pareto front (search/front.h): a mapping with the sizes of all open channels. */
struct dal_mapped_point {
    char *text;                    /* of the mapping's file */
    struct dal_search_value value; /* as it is predicted with that file */
};

/* From the least period to the most. */
struct dal_mapped_front {
    struct dal_mapped_point *points;
    size_t count;
    int interrupted, out_of_time; /* as of one mapping */
    uint64_t tried;               /* mappings with sizes */
};

/* The front of period, latency and bytes; objective and `run` do not count. As dal_map() otherwise,
 * but variables that the network leaves open are an error, and so is a second signal that comes
 * before a point is planned. dal_mapped_front_finish() on all. */
int dal_map_front(struct dal_diags *diags, const struct dal_map *map,
                  struct dal_mapped_front *front);
void dal_mapped_front_finish(struct dal_mapped_front *front);

/* A table for people. DAL_OK or DAL_ERR_NOMEM. */
int dal_mapped_front_print(const struct dal_mapped_front *front, FILE *out);
/* The same as plain columns, the first line begins with '#'. The caller frees it; NULL without
 * memory. */
char *dal_mapped_front_columns(const struct dal_mapped_front *front);

/* Can a new folder of this name be made, or is it there and empty? DAL_OK, or an error that is
 * logged. Changes nothing. */
int dal_mapped_folder_check(const char *folder);
/* Writes the points into such a folder, as 1.xml and so on, and the columns as front.txt: all or
 * nothing. DAL_OK, or an error that is logged. */
int dal_mapped_folder_write(const struct dal_mapped_front *front, const char *folder);

#endif
