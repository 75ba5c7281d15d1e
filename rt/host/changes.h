/*
 * Changes of live parameters: somebody outside wants another value, and the process gets it between
 * two firings, at the end of an iteration. The firing is recorded, so that another run can make the
 * same change at the same firing (DAL_RECORD, DAL_REPLAY).
 *
 * A process with live parameters has one copy and is a group by itself, so that its firings are
 * counted when its next activation begins. Values stay until the process is taken to pieces: users
 * may hold them.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

struct dal_process;
struct dal_process_desc;
struct dal_changes;

/* Has it a live parameter? */
int dal_changes_may_be(const struct dal_process_desc *desc);

/* DAL_OK or DAL_ERR_NOMEM. Sets process->host.changes. */
int dal_changes_init(struct dal_process *process);
void dal_changes_finish(struct dal_process *process);

/* Writes each change that takes place to `record` as well, one line each. Call it before the
 * process fires. */
void dal_changes_record(struct dal_process *process, FILE *record);

enum { DAL_CHANGE_SOON = -1 };

/* Adds a change from firing `firing` on, or, when soon, from the next iteration on. Changes of one
 * process are given in the order of their firings. Returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_LIMIT
 * if too many are waiting. Returns DAL_ERR_INVALID if an earlier change has a later firing. Any
 * thread. */
int dal_changes_add(struct dal_process *process, int parameter, const char *value, int64_t firing);

/* Makes the changes that are due before the next `firings` firings. Returns how many of these may
 * fire before the next change. The thread that fires the process calls it, with all its firings
 * released. */
uint64_t dal_changes_make(struct dal_process *process, uint64_t firings);

/* Returns how many changes still wait. Call it once the process does not fire any more. */
int dal_changes_left(const struct dal_process *process);
