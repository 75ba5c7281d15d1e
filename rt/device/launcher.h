/*
 * A launcher: a group of 1 or more processes on devices as the handler sees it. It launches as many
 * rounds as there are tokens and space for, up to S, ahead of what the device has done. A round is
 * the firings of the processes that are always made together (net.h): of one process by itself, a
 * firing, for which a work-group stands. In a group of several, a work-group does many rounds, and
 * has memory of its own for what passes between the processes; of those channels the launcher only
 * counts the tokens.
 *
 * What a launch did is seen at its end, and it cannot be asked to end. So it takes no more rounds
 * than last some 200 ms, found by trying: at first one for each compute unit, which take as long as
 * one; that is also the least. Where launches are long, no more than two are in flight.
 *
 * On several devices it has a lane on each. Blocks of S rounds are dealt to them in turn, in token
 * order (channels/channel.h), so a launch goes no further than its block. The launcher works in the
 * lane of its next round.
 */
#ifndef DAL_RT_DEVICE_LAUNCHER_H
#define DAL_RT_DEVICE_LAUNCHER_H

#include "channels/device_end.h"
#include "rt/device/handler.h"
#include "rt/host/process.h"
#include "rt/host/waiter.h"

/* What a launcher is on one device. */
struct dal_launcher_lane {
    struct dal_queue *queue;
    dal_function kernel;
    struct dal_argument *bound;   /* what the kernel's arguments are set to, one a port */
    struct dal_device_rows *rows; /* of the device */
    struct dal_storage scratch;   /* a group's: the work-groups' own memory */
    uint64_t work_groups;         /* most in a launch */
    int in_flight;                /* launches; the handler's */
    uint64_t rounds, launches;    /* so far */
    /* Where the launcher is marked: rounds whose launch has completed, and of those that came back
     * by a queue of downloads, if there is one. */
    uint64_t completed, arrived;
    int64_t busy_ns; /* spent in them, when timed */
    struct dal_span span;
    /* Nanoseconds a round: the handler's; read when it has been joined. NULL when nobody asks. */
    struct dal_histogram *times;
};

/* A process of it. */
struct dal_launcher_member {
    struct dal_process *process;
    uint64_t firings; /* in a round */
};

struct dal_launcher {
    struct dal_task task; /* first member */
    struct dal_subject
        subject; /* the process, or the group, and what is said where it cannot run */
    struct dal_launcher_member *members;
    int member_count;
    const struct dal_group_desc *group; /* of several processes; NULL for one by itself */
    const struct dal_kernel *source;
    uint32_t work_items; /* in all, and in each dimension */
    size_t work_size[3];
    unsigned dimensions;
    uint64_t copies;       /* S: most rounds in a launch */
    struct dal_end **ends; /* whose windows the kernel gets, in the order of its arguments */
    int end_count;
    struct dal_end **passed; /* those inside, which are only counted */
    uint64_t *passed_tokens; /* in a round */
    int passed_count;
    struct dal_handler *handler;
    struct dal_launcher_lane *lanes, *lane; /* `lane` is that of the next round; the handler's */
    struct dal_queue **queues;              /* of the lanes */
    int lane_count;
    struct dal_argument *arguments; /* of the launch being made */
    dal_event *fences;
    uint64_t rounds;          /* so far */
    uint64_t least, most;     /* rounds of a launch that the time allows, within S */
    int slow;                 /* a launch takes long */
    int stray;                /* launches have not gone by S: the next ones get back to that */
    _Atomic int in_flight;    /* launches; the monitor looks, relaxed */
    uint64_t made;            /* tokens in the packets of the launch that is looked at */
    int marked;               /* a process of it has marks (rt/host/latency.h) */
    uint64_t ended;           /* rounds before the first one that has not, in all lanes */
    struct dal_waiter waiter; /* when timed */
    struct dal_launcher *inbox_next;
    _Atomic int posted; /* in the inbox */
};

extern const struct dal_process_ops dal_process_device;

/* Makes the launcher of a process by itself: builds the kernel for the queue's device and checks
 * the device's limits. DAL_ERR_BUILD, DAL_ERR_LIMIT, DAL_ERR_DEVICE, DAL_ERR_NOMEM, logged as
 * `failures` says. The caller finishes it either way. */
int dal_launcher_init(struct dal_launcher *launcher, struct dal_process *process,
                      struct dal_handler *handler, struct dal_queue *queue,
                      struct dal_device_rows *rows, enum dal_log_level failures);
/* The same of a group, without a message; `channels` and `processes` are the network's. One that
 * keeps tokens stays on this device. */
int dal_launcher_init_group(struct dal_launcher *launcher, const struct dal_group_desc *group,
                            const struct dal_channel_desc *channels, struct dal_process *processes,
                            struct dal_handler *handler, struct dal_queue *queue,
                            struct dal_device_rows *rows);
/* One more device, as long as it lasts: where this fails, as above, the launcher goes on without.
 */
int dal_launcher_add_lane(struct dal_launcher *launcher, struct dal_queue *queue,
                          struct dal_device_rows *rows);
/* Has it a lane on this queue? */
int dal_launcher_is_on(const struct dal_launcher *launcher, const struct dal_queue *queue);
/* From now on its lanes keep times. DAL_OK or DAL_ERR_NOMEM. Once, when all lanes are there. */
int dal_launcher_keep_times(struct dal_launcher *launcher);
/* Takes over marks, once its processes have them. Before anything fires. */
void dal_launcher_take_notes(struct dal_launcher *launcher);
/* Takes the ends of its processes over, once they are there. */
void dal_launcher_link(struct dal_launcher *launcher);
/* What it was moved from, as a whole, is forgotten. */
void dal_launcher_moved(struct dal_launcher *launcher);
/* Whether its processes have ended. Any thread. */
int dal_launcher_has_ended(const struct dal_launcher *launcher);
/* Firings of a process in a round; 1 where it is by itself. */
uint64_t dal_launcher_round(const struct dal_process *process);
void dal_launcher_finish(struct dal_launcher *launcher);

/* launcher_trace.c: what a launch of so many rounds took, by its event. */
void dal__launcher_measure(struct dal_launcher *launcher, struct dal_launcher_lane *lane,
                           dal_event event, uint64_t rounds);
/* The same for a trace, behind all that ends have deferred of the launch: tokens in its packets of
 * counted channels, as far as those come to the host. DAL_OK or DAL_ERR_NOMEM. */
int dal__launcher_defer_packets(struct dal_launcher *launcher, uint64_t rounds, dal_event timer);

/* What a launcher that is made gets from launcher.c: its task, and what its processes' channels
 * call. */
int dal__launcher_run(struct dal_task *task);
void dal__launcher_notify(struct dal_listener *listener);

#endif
