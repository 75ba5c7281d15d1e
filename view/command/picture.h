/*
 * What dalview shows of a network: structure, placement, the analysis's verdict, messages. One
 * thread. Each function adds to a text, which remembers when memory was lost.
 */
#ifndef DAL_VIEW_COMMAND_PICTURE_H
#define DAL_VIEW_COMMAND_PICTURE_H

#include "synth/command/analyze.h"
#include "synth/plan/plan.h"
#include "spec/base/text.h"
#include "view/command/run.h"

struct dal_picture {
    const struct dal_analysis *analysis;
    const struct dal_plan *plan; /* NULL without a mapping, or when the network cannot run */
    const struct dal_diags *diags;
    const struct dal_run *runs; /* of this network on this mapping */
    size_t run_count;
    const char *traces; /* objects of JSON, with commas between; the first is the first run's */
};

/* "core_0", "core_0,core_1"; "" of a process that is on no processor. The caller frees it; NULL
 * without memory. */
char *dal_picture_place(const struct dal_picture *picture, const struct dal_spec_process *process);

/* Tokens that a channel can hold: as planned, else as given, else 0. */
uint64_t dal_picture_capacity(const struct dal_picture *picture,
                              const struct dal_spec_channel *channel);

/* "2", "1,0,2", "dynamic": tokens of a firing at one end of a channel. */
void dal_picture_rate(struct dal_text *text, const struct dal_spec_port *port, uint64_t rate);

/* Is a channel part of why the network cannot run: of the cycle that waits for itself, or of the
 * one whose rates do not fit? */
int dal_picture_is_witness(const struct dal_picture *picture,
                           const struct dal_spec_channel *channel);
/* Can a process not end an iteration? */
int dal_picture_is_blocked(const struct dal_picture *picture,
                           const struct dal_spec_process *process);

/* One JSON object (doc/inside.md, "Pictures"). DAL_OK or a negative code. */
int dal_picture_json(const struct dal_picture *picture, struct dal_text *json);
/* A graph in Graphviz's language. */
void dal_picture_dot(const struct dal_picture *picture, struct dal_text *dot);
#endif
