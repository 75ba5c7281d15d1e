/*
 * The parts of dalview's picture: structure, placement, the analysis's verdict, messages, runs and
 * their traces. One thread. What is written has no errors but those of the stream.
 */
#pragma once

#include "spec/base/names.h"
#include "spec/read/stats.h"
#include "synth/command/analyze.h"
#include "synth/plan/plan.h"

struct dal_run {
    const char *file;
    struct dal_stats stats;
};

struct dal_picture {
    const struct dal_analysis *analysis;
    const struct dal_plan *plan; /* NULL without a mapping, or when the network cannot run */
    const struct dal_diags *diags;
    const struct dal_run *runs; /* runs of this network on this mapping */
    size_t run_count;
    const char *fold;   /* the names of parts that are drawn as a box fit this pattern; or NULL */
    const char *traces; /* JSON objects with commas between; the first belongs to the first run */
};

/* Returns the processors of a process: "core_0", "core_0,core_1", or "" if it is on none. The
 * caller frees it; NULL without memory. */
char *dal_picture_place(const struct dal_picture *picture, const struct dal_spec_process *process);

/* Returns the tokens that a channel can hold: as planned, else as given, else 0. */
uint64_t dal_picture_capacity(const struct dal_picture *picture,
                              const struct dal_spec_channel *channel);

/* Returns what the tokens of a channel are: "float", "float[2]", "12 bytes". The caller frees it;
 * NULL without memory. */
char *dal_picture_tokens(const struct dal_spec_channel *channel);

/* Writes of a channel that keeps the newest token alone "newest", and how old it may be; of another
 * one nothing. Returns `text`. */
enum { DAL_PICTURE_NEWEST = 64 };
const char *dal_picture_newest(const struct dal_spec_channel *channel,
                               char text[DAL_PICTURE_NEWEST]);

/* Writes the tokens of a firing at one end of a channel: "2", "1,0,2", "dynamic". */
void dal_picture_rate(FILE *out, const struct dal_spec_port *port, uint64_t rate);

/* Returns how many characters of a process's name, more than `from`, are the name of a part that
 * fits a pattern; 0 if there is none: that of "Left.Eq.Band_0" and "*" is 4, and from 4 it is 7. */
size_t dal_picture_folded(const char *pattern, const char *name, size_t from);

/* Returns the name of the port at which a channel leaves a part, or enters it, and its length; NULL
 * if that is not known. */
const char *dal_picture_crossing(const struct dal_spec_channel *channel, const char *part,
                                 int output, int *length);

/* Returns whether a channel is part of the reason why the network cannot run. It lies on the cycle
 * that waits for itself, or on the one whose rates contradict. */
int dal_picture_is_witness(const struct dal_picture *picture,
                           const struct dal_spec_channel *channel);
/* Returns whether a process cannot end an iteration. */
int dal_picture_is_blocked(const struct dal_picture *picture,
                           const struct dal_spec_process *process);

/* Texts, which have numbers in the order in which they came. Starts zeroed. */
struct dal_numbered {
    struct dal_names numbers;
    char **texts;
    size_t count, room;
};

/* Finds the number of a text. If it is new, *number is the former count. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_number_text(struct dal_numbered *table, const char *text, size_t *number);
void dal_numbered_finish(struct dal_numbered *table);

/* Writes one JSON object (doc/explanation/observing.md, "Pictures"). */
void dal_picture_json(const struct dal_picture *picture, FILE *json);
/* Writes a graph in Graphviz's language. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_picture_dot(const struct dal_picture *picture, FILE *dot);

/* Writes the part of a run: who fired, who waited for whom, and what limits the throughput. */
void dal_run_json(const struct dal_spec *spec, const struct dal_run *run, FILE *json);

/*
 * Reads the trace of a run, Chrome's trace events as DAL_TRACE=FILE.json writes them
 * (rt/trace/chrome.c), and writes the time line of it (rt/trace/timeline.c) as one object of JSON.
 * If there are more than 400000 events, the newest of each row stay, and the object tells how many
 * do not. Returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the reasons in diags, under
 * [bad-trace].
 */
int dal_trace_read(struct dal_diags *diags, const char *file, FILE *json);
