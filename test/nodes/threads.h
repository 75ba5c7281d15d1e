/*
 * A transport of threads: every rank is a thread of this program. It delays messages by chance, and
 * reads some of what is sent only when it is received. So it shows what is given back too early.
 *
 * Its state is the program's; a test sets it while no link is open.
 */
#pragma once

#include "rt/base/sync.h"
#include "rt/nodes/transport.h"

enum { RANKS = 4, COPIES = 2 }; /* of each link, at most */

extern const struct dal_transport fake;

extern int rank_count;
extern unsigned chance;  /* what is drawn next */
extern unsigned slowest; /* looks that do not find a message of 16, at most; of others 6 */
extern int holds;        /* tokens are never found, and are under way for ever */
extern uint64_t most;    /* tokens of a message, of 8 bytes, in all channels; or 0 */

/* What was wrong: messages beyond `most`; links closed in order with something under way. And those
 * that were not closed in order. */
extern unsigned long too_large, left_behind, torn;

/* Once armed, the call of this number fails; and all do once a rank has left with an error, where
 * a launcher would end the others. */
extern unsigned long fail_at;
extern _Atomic int abandoned;
void arm_calls(void);

/* 0 .. sides - 1; of one thread, or within the transport. */
unsigned draw_chance(unsigned sides);

/* After a run: all that was under way. */
void forget_all(void);
