/*
 * Calls from outside at an open port, by the thread of somebody else's program (include/dal_run.h).
 *
 * The port's process has no thread of its own then. A call stands in for a part of its firing: it
 * waits at the ring, and copies or hands out windows of it, as a KPN process does. One thread at a
 * time for a port; all functions are for that thread. Nothing here leaves by longjmp().
 */
#pragma once

#include "rt/kpn/kpn.h"

/* Makes it ready: it has no init that others wait for. Before threads start. */
void dal_call_prepare(struct dal_process *process);

/* Copies tokens into the network, or out of it, until all are through, `until_ns` (dal_now_ns())
 * has come, or nothing more can come. Nothing goes into a port that has ended, or into a broken
 * network. Returns how many. */
uint64_t dal_call_move(struct dal_process *process, void *tokens, uint64_t count, int64_t until_ns);

/* Hands out the space or the tokens that lie in the ring now, at least one; waits for that. Returns
 * how many, 0 as above. Then dal_call_end_window() says how many of them were used. It returns
 * DAL_ERR_INVALID if there were not so many. */
uint64_t dal_call_begin_window(struct dal_process *process, void **window, int64_t until_ns);
int dal_call_end_window(struct dal_process *process, uint64_t tokens);

/* Returns the port's descriptor, which it makes the first time and the network closes; or
 * DAL_ERR_SYSTEM. After each call for the port, poll() finds it readable once the next call would
 * move something or find the end. */
int dal_call_file(struct dal_process *process);

/* Ends the port: the network reads what was written, or may drop what is left. Further calls move
 * nothing. */
void dal_call_finish(struct dal_process *process);

/* Does nothing more come, or go? */
static inline int dal_call_is_over(const struct dal_process *process)
{
    return atomic_load_explicit(&process->ended, memory_order_acquire);
}
