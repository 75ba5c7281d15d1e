/*
 * Changes of live parameters: somebody outside wants another value, and the process gets it between
 * two of its firings, at the end of an iteration. From which firing on is written down, so that
 * another run can do the same at the same firings (DAL_RECORD, DAL_REPLAY).
 *
 * A process with live parameters has one copy and is a group by itself, so that its firings are
 * counted when its next activation begins. Values stay until the process is taken to pieces: users
 * may hold them.
 */
#ifndef DAL_RT_HOST_CHANGES_H
#define DAL_RT_HOST_CHANGES_H

#include <stdint.h>
#include <stdio.h>

struct dal_process;
struct dal_process_desc;
struct dal_changes;

/* Has it a live parameter? */
int dal_changes_may_be(const struct dal_process_desc *desc);

/* DAL_OK or DAL_ERR_NOMEM. Sets process->changes. */
int dal_changes_init(struct dal_process *process);
void dal_changes_finish(struct dal_process *process);

/* What takes place is also written there, a line each. Before it fires. */
void dal_changes_record(struct dal_process *process, FILE *record);

enum { DAL_CHANGE_SOON = -1 };

/* From that firing on, or soon: from its next iteration on. Those of one process are given in the
 * order of their firings. DAL_OK, DAL_ERR_NOMEM, DAL_ERR_LIMIT: too many are waiting, or
 * DAL_ERR_INVALID: one that was given before has a later firing. Any thread. */
int dal_changes_add(struct dal_process *process, int parameter, const char *value, int64_t firing);

/* It is about to fire so often: makes the changes that are due, and returns how often it may before
 * the next one. The thread that fires it, with all its firings released. */
uint64_t dal_changes_make(struct dal_process *process, uint64_t firings);

/* How many wait. When it does not fire any more. */
int dal_changes_left(const struct dal_process *process);

#endif
