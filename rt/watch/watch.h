/*
 * What runs, in sight of the monitor: the firings, inits and finishes of all copies, the launches
 * on devices, and the messages of tokens between nodes. The monitor looks now and then; a run that
 * it finds again is long. Such a run is work, never a stall, but
 *
 *   - an activation is asked to end early after a tenth of a second (net.h), so that what it did is
 *     released, and the worker looks at pauses, stops and its other processes;
 *   - what does not return is reported once a minute.
 *
 * Time is what the monitor has slept, each time no longer than it meant to: when the whole program
 * did not run (SIGSTOP, a suspended machine, a debugger), nothing of it counts.
 *
 * Thread: the monitor's. It reads atomics, and sets `enough` of activations (dal.h).
 */
#ifndef DAL_RT_WATCH_WATCH_H
#define DAL_RT_WATCH_WATCH_H

#include <stdint.h>

struct dal_network;

/* One copy, at the last look. */
struct dal_watch_run {
    unsigned runs, calls; /* of struct dal_copy and struct dal_kpn */
    int64_t time_ns;      /* that it has been the same run */
};

/* What has been begun and goes on by itself, at the last look. */
struct dal_watch_flight {
    uint64_t through; /* so far */
    int64_t time_ns;  /* that something has been under way and nothing has come through; else 0 */
    int is_on;        /* something is under way */
};

struct dal_watch {
    const struct dal_network *network;
    int64_t report_ns;          /* 0: nothing is reported */
    struct dal_watch_run *runs; /* one a copy, in the processes' order */
    struct dal_watch_flight launches, messages;
    int64_t io_ns; /* that a process with effects outside has been in one firing, the longest */
    int turned;    /* between the last looks a process that is no KPN process began to run, or came
                      back: a group may take long for one firing of each, of which no channel tells
                      before its end */
};

/* DAL_OK or DAL_ERR_NOMEM; the caller finishes it either way. */
int dal_watch_init(struct dal_watch *watch, const struct dal_network *network, int64_t report_ns);
void dal_watch_finish(struct dal_watch *watch);

/* Looks, after a sleep of so long; after one of 0, in a pause, nothing has taken any time. */
void dal_watch_look(struct dal_watch *watch, int64_t slept_ns);

/* Asks all activations to end early. */
void dal_watch_hurry(const struct dal_network *network);

/* Does anything of this process run? A KPN process that sleeps at an end does not. */
struct dal_process;
int dal_watch_runs(const struct dal_process *process);

/* What runs, for messages: "init", "finish" or "firing". */
const char *dal_watch_name(const struct dal_process *process);

/* Has nothing of a network been enqueued on a device that has not completed? */
int dal_watch_devices_rest(const struct dal_network *network);

/* Are launches or messages under way, as of the last look? */
static inline int dal_watch_is_under_way(const struct dal_watch *watch)
{
    return watch->launches.is_on || watch->messages.is_on;
}

/* Reports the launches that are in flight. */
void dal_watch_tell_launches(const struct dal_watch *watch, int64_t time_ns);

#endif
