/*
 * Between the files of a search for a mapping, from the files to the text: map_open.c tries the
 * values of variables that are left open, map.c searches and plans, map_profile.c finds times by
 * runs, map_runs.c builds and runs the best, map_tell.c says what is expected of them, map_front.c
 * has the points of a front, and map_folder.c writes them.
 */
#ifndef DAL_SYNTH_TUNE_MAP_JOB_H
#define DAL_SYNTH_TUNE_MAP_JOB_H

#include "synth/program/applications.h"
#include "synth/tune/map/map.h"
#include "synth/tune/predict/predict.h"

/* Runs of each finalist. */
enum { DAL__MAP_RUNS = 3 };

/* One of the best mappings, which may be built and run. */
struct dal__finalist {
    char *comment, *limit;
    char *path;         /* of its program, or NULL */
    double period_ns;   /* predicted */
    double measured_ns; /* 0: not measured */
    size_t processors;
};

/* One search, from the files to the text. */
struct dal__map_job {
    struct dal_diags *diags;
    const struct dal_map *map;
    struct dal_spec *spec;
    struct dal_search_space space;
    struct dal_search_result result;
    struct dal_applications planned; /* the best, read back as dalsynth reads it */
    struct dal_prediction prediction;
    struct dal_diags planning; /* of that */
    char *folder;              /* of the finalists' programs */
    struct dal__finalist *finalists;
    size_t finalist_count, best; /* of them */
    int learnt;                  /* from sources, what the search did not know */
    int interrupted;             /* behind the search, */
    int unplanned;               /* and even before the best was planned */
};

/* dal_map() with the open variables as they are: 1. */
int dal__map_once(struct dal_diags *diags, const struct dal_map *map, struct dal_mapped *mapped);

/* Adds one of the result's mappings, as a file. DAL_OK or an error, which is in diags. */
int dal__map_write(struct dal__map_job *job, size_t number, struct dal_text *text,
                   const char *comment);

/* Plans one of the result's mappings as dalsynth does it: fills in planned and prediction. DAL_OK
 * or what planning returns, DAL_ERR_INTERRUPTED too. */
int dal__map_plan(struct dal__map_job *job, size_t number);

/* Plans a mapping's text, with times or without (NULL): fills in planned; what is wrong is in
 * planning. */
int dal__map_plan_text(struct dal__map_job *job, const char *text, const char *times_file);

/* Runs programs of all processes on cores, and of all kernels on each device, and merges
 * their times into the file. After the spec. DAL_OK, or an error that is said or in diags. */
int dal__map_profile(struct dal__map_job *job);

/* The best as the first finalist, and where runs are wished, the others and the fastest: fills in
 * finalists and best. DAL_OK, DAL_ERR_BUILD, said, where none could be run, or another code. */
int dal__map_choose(struct dal__map_job *job);
void dal__map_finish_runs(struct dal__map_job *job);

/* What has been planned last, or was not, is the next finalist. DAL_OK or DAL_ERR_NOMEM. */
int dal__map_add_finalist(struct dal__map_job *job);

/* Frees them all. */
void dal__map_forget_finalists(struct dal__map_job *job);

/* What has been planned last was one of the result's mappings. Sources may say of processes on a
 * device that they are not launched as one: then the search was wrong about them, and learns it. */
void dal__map_learn(struct dal__map_job *job, size_t number);

/* Plans all of the result's mappings, for a front: their values are what the plans say, and each is
 * a finalist. Learns of all. DAL_OK, also where a signal ended that, or an error. */
int dal__map_plan_points(struct dal__map_job *job);
/* Those that are a front. DAL_OK; DAL_ERR_INVALID, said, where dalsynth takes none; or another
 * code. */
int dal__map_tell_front(struct dal__map_job *job, struct dal_mapped_front *front);

/* What is said of a finalist once it is planned; the line for people; the file. Each is the
 * caller's to free, and NULL without memory. */
char *dal__map_comment(const struct dal__map_job *job, size_t number);
/* A mapping's text with a line more in its comment, in front of what is predicted. */
char *dal__map_add_line(const char *text, const char *line);
char *dal__map_summary(const struct dal__map_job *job);
char *dal__map_text(struct dal__map_job *job);

#endif
