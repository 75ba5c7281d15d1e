/*
 * Tells the monitor what runs: the firings, inits and finishes of all copies, the launches on
 * devices, and the messages of tokens between nodes. The monitor looks now and then; a run that it
 * finds again is long. Such a run is work, never a stall, but
 *
 *   - an activation is asked to end early after a tenth of a second (net.h), so that its
 *     firings are released, and the worker looks at pauses, stops and its other processes;
 *   - a call that does not return is reported once a minute.
 *
 * Time is what the monitor has slept, each time no longer than it meant to. So no time counts while
 * the whole program was stopped (SIGSTOP, a suspended machine, a debugger).
 *
 * Thread: the monitor's. It reads atomics, and sets `enough` of activations (dal.h).
 */
#pragma once

#include <stdint.h>

struct dal_network;

/* A copy, as it was at the last look. */
struct dal_watchdog_run {
    unsigned runs, calls; /* of struct dal_copy and struct dal_kpn */
    int64_t time_ns;      /* how long the same run has gone on */
};

/* Launches or messages in flight at the last look. */
struct dal_watchdog_flight {
    uint64_t through; /* how many have come through */
    int64_t time_ns;  /* in which some were under way and none came through; else 0 */
    int is_on;        /* True when some are under way. */
};

struct dal_watchdog {
    const struct dal_network *network;
    int64_t report_ns;             /* 0: nothing is reported */
    struct dal_watchdog_run *runs; /* one for each copy, in the processes' order */
    struct dal_watchdog_flight launches, messages;
    int64_t io_ns; /* the longest firing now of a process with effects outside */
    int turned; /* True when some process, not a KPN process, began or ended a run between the last
                   looks. A group may take long for one firing of each, and no channel moves before
                   its end */
};

/* Makes a watchdog. Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes it either way. */
int dal_watchdog_init(struct dal_watchdog *watchdog, const struct dal_network *network,
                      int64_t report_ns);
void dal_watchdog_finish(struct dal_watchdog *watchdog);

/* Looks after a sleep of `slept_ns`. In a pause that is 0, and nothing takes any time. */
void dal_watchdog_look(struct dal_watchdog *watchdog, int64_t slept_ns);

/* Asks all activations to end early. */
void dal_watchdog_hurry(const struct dal_network *network);

/* Returns whether a copy of this process runs. A KPN process that sleeps at an end does not. */
struct dal_process;
int dal_watchdog_runs(const struct dal_process *process);

/* Returns the name of a run for messages: "init", "finish" or "firing". */
const char *dal_watchdog_name(const struct dal_process *process);

/* Returns whether all that was enqueued on devices has completed. */
int dal_watchdog_devices_rest(const struct dal_network *network);

/* Logs the launches that are in flight. */
void dal_watchdog_tell_launches(const struct dal_watchdog *watchdog, int64_t time_ns);
