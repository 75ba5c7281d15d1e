/*
 * Kernels that are watched (dalsynth --guard). A launch has one firing, whose kernel gets copies of
 * its windows, with a pattern on both sides. The handler waits for the launch. It looks at the
 * pattern, and compares inputs with their rings; then the device copies outputs to theirs. Of a
 * window that is changed in place both ends have one copy.
 *
 * Thread: the main thread makes and frees a watch, the handler uses it.
 */
#pragma once

struct dal_launcher;

/* Watches a launcher that has its ends and replicas, if its process is guarded. Returns DAL_OK, or
 * an error of the device's memory, logged. */
int dal_watch_make(struct dal_launcher *launcher);
/* Accepts a launcher that is not watched. */
void dal_watch_finish(struct dal_launcher *launcher);

/* Around the launch of a firing: replaces the arguments by copies; and looks at these, and moves
 * outputs to where the arguments were. The launch waits for the first `fences` of its fences.
 * Returns DAL_OK, an error of the device, or DAL_ERR_PROCESS for a write beside a window or to an
 * input, logged. Both accept a launcher that is not watched. */
int dal_watch_lend(struct dal_launcher *launcher, unsigned fences);
int dal_watch_settle(struct dal_launcher *launcher);
