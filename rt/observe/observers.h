/*
 * All observers of runs (rt/model/observer.h), and the walks through those of a network. Walks
 * return DAL_OK or the first error, logged.
 */
#pragma once

#include "rt/model/network.h"

extern const struct dal_observer dal_observe_live, dal_observe_progress;

/* The rows, in the order in which they start; the last is NULL. */
extern const struct dal_observer *const dal_observers[];

/* Asks all that are wanted, before anything is made, whether they can do what is wanted. */
int dal_observers_check(const char *label);

/* Gives a network those of `rows` that are wanted. The last row is NULL. */
int dal_observers_choose(struct dal_network *network, const struct dal_observer *const *rows);

/* Returns whether any observer of the network needs one of these (DAL_NEEDS_...). */
int dal_observers_need(const struct dal_network *network, int needs);

/* Makes the states, once it is settled what runs where. */
int dal_observers_install(struct dal_network *network);

/* Starts them before the first firing, as far as none fails. The caller stops them either way. */
int dal_observers_start(struct dal_network *network);

/* Stops all that were started, the last first. */
int dal_observers_stop(struct dal_network *network);

/* Warns, after the run, of what each node has seen. */
void dal_observers_warn(const struct dal_network *network);

/* Lets each write from the reports, even if another one fails. */
int dal_observers_write(const struct dal_network *network, const struct dal_reports *all);

/* Frees the states, the last first. Accepts a network without any. */
void dal_observers_destroy(struct dal_network *network);

/* ---- reports: gather.c ----------------------------------------------------------------------- */

/* Checks before the run that the files that this rank may write can be written. Returns DAL_OK or a
 * negative code, logged. `label` is as in struct dal_network_options. */
int dal_reports_check(const struct dal_nodes *nodes, const char *label);

/* Makes the report if it is wanted, gathers those of all ranks, and lets the observers write.
 * Returns DAL_OK or a negative code, logged. A rank without memory for its report says so itself.
 * The first one names it and writes nothing. */
int dal_reports_write(const struct dal_network *network);
