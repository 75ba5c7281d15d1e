/*
 * The analysis of a specification: makes a graph of its network for spec/sdf, and brings the
 * results back. A process with a dynamic port (a KPN process) and the channels at it are left out;
 * the rest falls into static islands, each a synchronous dataflow network of its own. One thread.
 */
#pragma once

#include "spec/model/model.h"
#include "spec/sdf/report.h"

/*
 * The static part of a network as it runs: a firing of a cyclo-static process is one of its cycles,
 * but for a process that is fired phase by phase. Time units go by process number;
 * NULL for none. `origin` is the number in the network; names, places and repetitions are the
 * network's, which outlives the graph. Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes it on
 * DAL_OK.
 */
int dal_spec_graph_init(struct dal_sdf_graph *graph, const struct dal_spec_network *network,
                        const uint64_t *times);

/* Calls dal_sdf_least_capacity() for a channel, whose ends may not be known yet. */
uint64_t dal_spec_least_capacity(const struct dal_spec_channel *channel);

/* Returns the capacity that is given to the analysis: none where tokens are changed in place. */
uint64_t dal_spec_given(const struct dal_spec_channel *channel, uint64_t capacity);

/* Returns the limit that a capacity is to the analysis: none where tokens are changed in place.
 * There, a firing writes into the room of what it reads. */
uint64_t dal_spec_limit(const struct dal_spec_channel *channel, uint64_t capacity);

/*
 * Decides which processes are fired phase by phase: those that say so, and others if the network
 * deadlocks by cycles but not by phases. In that case it takes the processes on dead loops that say
 * nothing. It looks at the network alone, so that tokens are the same on every mapping. Returns
 * DAL_OK or DAL_ERR_NOMEM.
 */
int dal_spec_choose_phases(struct dal_spec_network *network);

/* Does each channel of the newest token get a first one (first.c)? Decides as
 * dal_spec_choose_phases() does, and fills in repetitions. Problems are in diags. */
void dal_spec_check_first(struct dal_diags *diags, struct dal_spec_network *network);

/* Returns why a process cannot be fired phase by phase, "has ...", or NULL if it can. Its sources
 * are not looked at. */
const char *dal__phases_fault(const struct dal_spec_process *process);

/* For a network that is dead with these capacities, by channel number: finds the processes that
 * would make it live if they were fired phase by phase, too. helps[i] is 1 for each of them, by
 * process number; it is 0 for all where nothing helps. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__phases_help(const struct dal_spec_network *network, const uint64_t *capacity, int *helps);

/* Calls dal_sdf_repetitions() for the static part. Fills in process.repetitions, 0 for KPN
 * processes. Returns DAL_OK or DAL_ERR_INVALID. */
int dal_spec_repetitions(struct dal_diags *diags, struct dal_spec_network *network);

/* Calls dal_sdf_live() for the static part. `capacity` goes by channel number; UINT64_MAX is no
 * limit. Returns DAL_OK or DAL_ERR_INVALID. Needs dal_spec_repetitions(). */
int dal_spec_live(struct dal_diags *diags, const struct dal_spec_network *network,
                  const uint64_t *capacity);

/* Can it run: dal_spec_repetitions(), and dal_spec_live() with the sizes that are given. Problems
 * are in diags. */
void dal_spec_analyse(struct dal_diags *diags, struct dal_spec *spec);

/*
 * Time units of a firing, or of a cycle, by process number: of the source that the mapping chose,
 * else the process's, else that of its first source with one, else 1; `*missing` counts the last.
 * The caller frees the result; NULL without memory.
 */
uint64_t *dal_spec_times(const struct dal_spec *spec, size_t *missing);

/* Calls dal_sdf_report_make() for the static part with the given sizes, by phases unless
 * wishes->by_cycles. The caller finishes the report in any case; the spec outlives it. */
int dal_spec_report(struct dal_diags *diags, const struct dal_spec *spec, const uint64_t *times,
                    const struct dal_sdf_wishes *wishes, struct dal_sdf_report *report);
