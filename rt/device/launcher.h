/*
 * A launcher: a group of 1 or more processes on devices as the handler sees it. It launches as many
 * rounds as there are tokens and space for, up to S, ahead of the device. A round is the firings of
 * the processes that are always made together (net.h). A round of a single process is a firing,
 * which has a work-group of its own. In a group of several, a work-group does many rounds, and has
 * memory of its own for tokens within the group. The launcher only counts the tokens of those
 * channels.
 *
 * A launch's work is seen at its end, and it cannot be asked to end early. So it takes no more
 * rounds than last some 200 ms, found by trying. The first has one round for each compute unit,
 * which together take as long as one; no launch has fewer. Where launches are long, no more than
 * two are in flight.
 *
 * On several devices it has a replica on each. Blocks of rounds are dealt to them in token order
 * (rt/device/dealing.h), and a launch has rounds of one device. The launcher works in the replica
 * of its next round.
 */
#pragma once

#include "channels/device_end.h"
#include "channels/storage.h"
#include "rt/device/curve.h"
#include "rt/device/dealing.h"
#include "rt/device/handler.h"
#include "rt/host/actor.h"

/* A launcher's place in the handler's inbox. */
struct dal_launcher_inbox {
    struct dal_launcher *next;
    _Atomic int posted; /* true while it is in the inbox */
};

/* Work-items of a work-group: in all, and in each dimension. */
struct dal_work_shape {
    uint32_t items;
    size_t size[3];
    unsigned dimensions;
};

/* A launcher's state on one device. */
struct dal_launcher_replica {
    struct dal_queue *queue;
    dal_function kernel;
    struct dal_argument *bound;   /* the values of the kernel's arguments, one a port */
    struct dal_device_rows *rows; /* of the device */
    struct dal_storage scratch;   /* a group's: the work-groups' own memory */
    struct dal_watched *watched;  /* copies of windows, one a port (watch.c), or NULL */
    uint64_t work_groups;         /* most in a launch */
    int in_flight;                /* launches; the handler's */
    uint64_t rounds, launches;    /* so far */
    /* If the launcher is marked: rounds whose launch has completed, and rounds whose downloads have
     * arrived, if these have a queue of their own. */
    uint64_t completed, arrived;
    uint64_t ended; /* of these: rounds before which all others have ended */
    int cold; /* launches that are not measured: the first, and those behind it; -1: none is done */
    int64_t busy_ns; /* time spent in launches, when timed */
    struct dal_span span;
    /* Nanoseconds a round, of launches as usual. The handler writes them, and others read them
     * after it is joined. NULL when nobody asks; so is the curve, of all launches. */
    struct dal_histogram *times;
    struct dal_curve *curve;
};

/* The ends inside a group, which are only counted. */
struct dal_passed {
    struct dal_end **ends;
    uint64_t *tokens; /* in a round */
    int count;
};

/* The rounds of a launch. */
struct dal_launch_pace {
    uint64_t least, most; /* rounds that the time allows, within S */
    int slow;             /* true if launches take long */
    int stray;            /* true if launches were not of S rounds: the next get back to that */
};

/* The arguments and fences of the launch being made. */
struct dal_launch_call {
    struct dal_argument *arguments;
    dal_event *fences;
    uint64_t made;       /* tokens in the packets of the launch that is being counted */
    unsigned char *seen; /* if it is watched (watch.c): room for a copy; otherwise NULL */
};

struct dal_launcher {
    struct dal_task task;   /* first member */
    struct dal_actor actor; /* its ends' windows are the kernel's arguments, in this order */
    struct dal_subject
        subject; /* the process, or the group; level of messages where it cannot run */
    const struct dal_group_desc *group; /* NULL for a single process */
    const struct dal_kernel *source;
    struct dal_work_shape work; /* a work-group */
    uint64_t copies;            /* S: most rounds in a launch */
    struct dal_passed passed;
    struct dal_handler *handler;
    struct dal_launcher_replica *replicas;
    struct dal_launcher_replica *replica; /* the replica of the next round; the handler's */
    struct dal_queue **queues;            /* of the replicas */
    int replica_count;
    struct dal_dealing *dealing; /* NULL for one replica */
    struct dal_launch_call call;
    struct dal_launch_pace pace;
    uint64_t rounds;       /* so far */
    _Atomic int in_flight; /* launches; the monitor reads it, relaxed */
    uint64_t ended;        /* rounds before the first that has not ended, over all replicas */
    struct dal_launcher_inbox inbox;
};

extern const struct dal_process_ops dal_process_device;

/* Makes the launcher of a single process: builds the kernel for the queue's device and checks the
 * device's limits. Returns DAL_OK, DAL_ERR_BUILD, DAL_ERR_LIMIT, DAL_ERR_DEVICE or DAL_ERR_NOMEM,
 * logged as `failures` says. The caller finishes it either way. */
int dal_launcher_init(struct dal_launcher *launcher, struct dal_process *process,
                      struct dal_handler *handler, struct dal_queue *queue,
                      struct dal_device_rows *rows, enum dal_log_level failures);
/* Makes the launcher of a group, with nothing logged. `channels` and `processes` are the network's.
 * A group that keeps tokens stays on this device. */
int dal_launcher_init_group(struct dal_launcher *launcher, const struct dal_group_desc *group,
                            const struct dal_channel_desc *channels, struct dal_process *processes,
                            struct dal_handler *handler, struct dal_queue *queue,
                            struct dal_device_rows *rows);
/* Adds a device. Where this fails, with the errors above, the launcher goes on without it.
 */
int dal_launcher_add_replica(struct dal_launcher *launcher, struct dal_queue *queue,
                             struct dal_device_rows *rows);
/* Has it a replica on this queue? */
int dal_launcher_is_on(const struct dal_launcher *launcher, const struct dal_queue *queue);
/* Makes its replicas keep times from now on, and try sizes if that is wanted. DAL_OK or
 * DAL_ERR_NOMEM. Called once, when all replicas are there. */
int dal_launcher_keep_times(struct dal_launcher *launcher);
/* Takes the ends of its processes, once they are there. Returns as dal_watch_make(). */
int dal_launcher_link(struct dal_launcher *launcher);
/* Makes its processes point to the launcher's new place, after it was moved. */
void dal_launcher_moved(struct dal_launcher *launcher);
/* Have its processes ended? Any thread. */
int dal_launcher_has_ended(const struct dal_launcher *launcher);
/* Returns the firings of a process in a round; 1 for a single process. */
uint64_t dal_launcher_round(const struct dal_process *process);
void dal_launcher_finish(struct dal_launcher *launcher);

/* In launcher_trace.c: notes the time of a launch of `rounds` rounds, by its event. */
void dal__launcher_measure(struct dal_launcher *launcher, struct dal_launcher_replica *replica,
                           dal_event event, uint64_t rounds);
/* Defers the counting of tokens in a launch's packets, for a trace, behind everything that the ends
 * have deferred. Only packets that come to the host count. DAL_OK or DAL_ERR_NOMEM. */
int dal__launcher_defer_packets(struct dal_launcher *launcher, uint64_t rounds, dal_event timer);

/* A new launcher's functions in launcher.c: its task, and the listener of its processes'
 * channels. */
int dal__launcher_run(struct dal_task *task);
void dal__launcher_notify(struct dal_listener *listener);
