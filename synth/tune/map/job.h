/*
 * Functions and state of a search for a mapping, from the files to the text. open.c tries the
 * values of open variables, and map.c searches and plans. profile.c finds times by runs. runs.c
 * builds and runs the best mappings, rank.c takes one of them, and tell.c says what is expected of
 * them. front.c has the points of a front, and folder.c writes them.
 */
#pragma once

#include "synth/program/applications.h"
#include "synth/tune/map/map.h"
#include "synth/tune/predict/predict.h"

/* One of the best mappings, which may be built and run. */
struct dal__finalist {
    char *comment, *limit;
    char *path;         /* of its program, or NULL */
    double period_ns;   /* predicted */
    double measured_ns; /* median of the runs; 0: not measured */
    struct dal_map_runs runs;
    size_t processors, devices, copies; /* that it uses; a process is on each of its processors */
    int simple;                         /* as in the search's result */
};

/* A search, from the files to the text. */
struct dal__map_job {
    struct dal_diags *diags;
    const struct dal_map *map;
    struct dal_spec *spec;
    struct dal_search_space space;
    struct dal_search_result result;
    struct dal_applications planned; /* the best, read back as dalsynth reads it */
    struct dal_prediction prediction;
    struct dal_diags planning; /* the problems of `planned` */
    char *folder;              /* of the finalists' programs */
    struct dal__finalist *finalists;
    size_t finalist_count, best; /* how many; index of the fastest */
    int learnt;                  /* true: sources told what the search did not know */
    int interrupted;             /* true when a signal came after the search */
    int unplanned;               /* true when the next finalist has no plan */
    int late;                    /* true when the time for the runs was over */
    int64_t build_ns;            /* the longest that a finalist took to build */
};

/* Does what dal_map() does, but leaves open variables as they are: 1. */
int dal__map_once(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped);

/* Adds one of the result's mappings to a text, as a file. DAL_OK or an error, which is in diags. */
int dal__map_write(struct dal__map_job *job, size_t number, struct dal_text *text,
                   const char *comment);

/* Plans one of the result's mappings as dalsynth does: fills in planned and prediction. DAL_OK or
 * what planning returns, also DAL_ERR_INTERRUPTED. */
int dal__map_plan(struct dal__map_job *job, size_t number);

/* Plans a mapping's text, with times or without (NULL). Fills in planned; the problems are in
 * planning. */
int dal__map_plan_text(struct dal__map_job *job, const char *text, const char *times_file);

/* Runs programs of all processes on cores, and of all kernels on each device, and merges their
 * times into the file. Call it after the spec is loaded. DAL_OK, or an error that is reported or in
 * diags. */
int dal__map_profile(struct dal__map_job *job);

/* Makes the best mapping the first finalist. If runs are wished, it adds the others and finds the
 * fastest. Fills in finalists and best. DAL_OK; DAL_ERR_BUILD, reported, if none could be run; or
 * another code. */
int dal__map_choose(struct dal__map_job *job);
void dal__map_finish_runs(struct dal__map_job *job);
/* Returns the number of the finalist that is taken; count if none was run. A finalist with more
 * devices, processors or copies than another must win against it (dal_map_runs_win). So must one
 * that is not simple, and it must not be slower than a simple one that needs no more. */
size_t dal__map_pick(const struct dal__finalist *list, size_t count);
/* Returns the number of the simplest that has a program; count without one. */
size_t dal__map_simplest(const struct dal__finalist *list, size_t count);

/* Makes the result's next mapping a finalist. It has the prediction of the last plan, unless
 * job->unplanned is set. DAL_OK or DAL_ERR_NOMEM. */
int dal__map_add_finalist(struct dal__map_job *job);

/* Frees all finalists. */
void dal__map_forget_finalists(struct dal__map_job *job);

/* Learns from the last plan, which was that of one of the result's mappings. A source can keep
 * processes on a device from being launched as one. Then the search was wrong about them, and knows
 * it the next time. */
void dal__map_learn(struct dal__map_job *job, size_t number);

/* Plans all of the result's mappings, for a front. They get the values of their plans, and each
 * becomes a finalist. Learns from each. DAL_OK, also if a signal ended it, or an error. */
int dal__map_plan_points(struct dal__map_job *job);
/* Chooses the mappings that form a front. DAL_OK; DAL_ERR_INVALID, reported, if dalsynth takes
 * none; or another code. */
int dal__map_tell_front(struct dal__map_job *job, struct dal_mapped_front *front);

/* Return the comment on a finalist after it is planned, a line for people, and the file. The caller
 * frees each; NULL without memory. dal__map_add_line() adds a line to the comment of a mapping's
 * text, in front of the prediction. */
char *dal__map_comment(const struct dal__map_job *job, size_t number);
char *dal__map_add_line(const char *text, const char *line);
char *dal__map_summary(const struct dal__map_job *job);
char *dal__map_told(const struct dal__map_job *job);
char *dal__map_text(struct dal__map_job *job);
