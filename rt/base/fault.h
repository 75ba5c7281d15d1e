/*
 * Signals by which the program would end, and the reports that are written before it ends.
 *
 * A report is written by a thread that is there anyway and runs on: the monitor of a network. The
 * thread that ends the program waits for that, but not for ever: it may hold any lock.
 */
#pragma once

#include "rt/base/sync.h"

#include <signal.h>

/* SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT. */
struct dal_fault {
    const char *name;        /* of the signal */
    const void *at;          /* what was read or written; NULL where that is not known */
    int writes;              /* 1: it was written, 0: it was read, -1: not known */
    const char *stack_bytes; /* the size of the thread's stack, if that is used up; else NULL */
    int is_left; /* true where an earlier handler has not seen to it, or there is none */
};

/* What becomes of a program with a fault. */
enum dal_fault_end {
    DAL_FAULT_FOREIGN, /* an earlier handler may see to it: nothing is told yet */
    DAL_FAULT_SIGNAL,  /* it ends by the signal, behind an earlier handler */
    DAL_FAULT_EXIT,    /* it ends with 1 */
};

/* Catches these signals from now on, in all threads; a second call does nothing. The handler asks
 * `tell`. A foreign fault is over where an earlier handler returns. Otherwise `tell` is asked again
 * with `is_left`, and the program ends by the signal. A fault that is not foreign is no handler's
 * to mend: stepping over the instruction would leave wrong data. Without an earlier handler a core
 * shows where the signal arose. Does nothing in a build with a sanitizer, which has handlers of its
 * own. For main functions of dal alone. */
void dal_faults_catch(enum dal_fault_end (*tell)(const struct dal_fault *fault));

/* Blocks them in the calling thread, and in those that it starts, and returns the mask of before.
 * Others get the signals that come from outside then: a report may wait for a thread that looks on.
 */
void dal_faults_block(sigset_t *before);

/* Signals from outside that reach the calling thread wait from the first call to the second: this
 * thread starts the one that writes reports. */
void dal_faults_put_off(void);
void dal_faults_take_up(void);

/* Gives the calling thread `memory` of DAL_STACK_SIGNAL bytes to handle signals on. It must stay as
 * long as the thread. So it is noticed when the thread's stack is used up. */
enum { DAL_STACK_SIGNAL = 64 << 10 };
void dal_faults_watch_stack(void *memory);

/* Announces a report that is to be written before the program ends. */
void dal_report_want(void);

/* Returns whether the caller is the first who takes such a report. It then writes that. */
int dal_report_take(_Atomic int *taken);

/* Tells that a report is written. While the program ends the caller sleeps, ten seconds at most. */
void dal_report_done(void);

/* Does the program end? */
int dal_program_ends(void);

/* Lets reports be written that are wanted, and waits for them, ten seconds at most. The caller then
 * ends the program. Async-signal-safe. */
void dal_program_end(void);
