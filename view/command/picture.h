/*
 * The parts of dalview's picture: structure, placement, the analysis's verdict, messages. One
 * thread. Each function adds to a text, which remembers when memory was lost.
 */
#pragma once

#include "spec/base/text.h"
#include "synth/command/analyze.h"
#include "synth/plan/plan.h"
#include "view/command/run.h"

struct dal_picture {
    const struct dal_analysis *analysis;
    const struct dal_plan *plan; /* NULL without a mapping, or when the network cannot run */
    const struct dal_diags *diags;
    const struct dal_run *runs; /* runs of this network on this mapping */
    size_t run_count;
    const char *traces; /* JSON objects with commas between; the first belongs to the first run */
};

/* Returns the processors of a process: "core_0", "core_0,core_1", or "" if it is on none. The
 * caller frees it; NULL without memory. */
char *dal_picture_place(const struct dal_picture *picture, const struct dal_spec_process *process);

/* Returns the tokens that a channel can hold: as planned, else as given, else 0. */
uint64_t dal_picture_capacity(const struct dal_picture *picture,
                              const struct dal_spec_channel *channel);

/* Adds the tokens of a firing at one end of a channel: "2", "1,0,2", "dynamic". */
void dal_picture_rate(struct dal_text *text, const struct dal_spec_port *port, uint64_t rate);

/* Returns whether a channel is part of the reason why the network cannot run. It lies on the cycle
 * that waits for itself, or on the one whose rates contradict. */
int dal_picture_is_witness(const struct dal_picture *picture,
                           const struct dal_spec_channel *channel);
/* Returns whether a process cannot end an iteration. */
int dal_picture_is_blocked(const struct dal_picture *picture,
                           const struct dal_spec_process *process);

/* Adds one JSON object (doc/explanation/observing.md, "Pictures"). Returns DAL_OK or a negative
 * code. */
int dal_picture_json(const struct dal_picture *picture, struct dal_text *json);
/* Adds a graph in Graphviz's language. */
void dal_picture_dot(const struct dal_picture *picture, struct dal_text *dot);
