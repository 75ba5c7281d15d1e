/*
 * Fan-out: the channels of one output port, with one ring for each location.
 *
 * The port has one end, with a peer in every channel. Its space is what the slowest of them leaves
 * that has not closed; it is unwanted when all have closed. All channels have the same capacity and
 * the same geometry, so slot n of every ring of theirs is for the same tokens, and what is free in
 * the producer's ring is free in the others:
 *
 *     own      the producer's ring: the host's, shared memory, or the device's. Host ends, and
 *              device ends whose kind is in place, have their windows there.
 *     host     the host's ring of a device producer, for the kinds staged and naive. A window is
 *              downloaded once, when the producer releases it.
 *     device   a ring on a device for each of the kinds staged and naive. Ends on one queue share
 *              it; a token is uploaded once, with the first window of theirs that has it.
 *
 * A host producer makes its tokens visible to all peers at once, in its own `visible`. A device
 * producer has an outlet for every moment at which tokens become visible: one for each queue that
 * reads in place, one for the host where it does, one for what is downloaded. An outlet is a
 * producer's end without a process; its peers look at it instead of the port's. A fence belongs to
 * a queue's outlet, and to the ends behind it together: the queue is in order, so its latest flush
 * has all that was released before.
 *
 * Thread: the port's end and the outlets belong to who owns the producer; device ends and outlets
 * are the handler's.
 */
#ifndef DAL_CHANNELS_FANOUT_H
#define DAL_CHANNELS_FANOUT_H

#include "channels/device_end.h"

/* Tells all listeners that it has. */
struct dal_audience {
    struct dal_listener listener; /* first member */
    struct dal_listener **members;
    int count;
};

struct dal_outlet {
    struct dal_end end; /* its `peer` is the first of its readers */
    struct dal_audience audience;
    struct dal_outlet *next;
};

/* What device ends at one location share. */
struct dal_location {
    struct dal_device_end *device;
    const struct dal_queue *queue;
    enum dal_channel_kind kind; /* STAGED or NAIVE; anything else is in the producer's ring */
    struct dal_location *next;
};

struct dal_fanout {
    struct dal_channel **channels; /* in the table's order */
    int count, users;              /* channels; those not destroyed yet */
    struct dal_audience audience;  /* of a host producer */
    struct dal_outlet *outlets;    /* of a device producer */
    struct dal_location *locations;
    struct dal_storage host; /* of a device producer: what is downloaded */
    cl_event *fences;        /* room for one an outlet */
    int mirrors;             /* somebody reads a device producer's own ring */
};

/* For channel.c, create.c: what is special about the port's end. */
struct dal_channel *dal__fanout_slowest(const struct dal_fanout *fanout);
int dal__fanout_finished(const struct dal_fanout *fanout);
int dal__fanout_settled(const struct dal_fanout *fanout);
void dal__fanout_close(struct dal_fanout *fanout);
void dal__fanout_rewind(struct dal_fanout *fanout);

/* The port's end on a device. */
extern const struct dal_end_ops dal__fan_ops;

/* One of the channels is destroyed; with the last, what they share. */
void dal__fanout_leave(struct dal_fanout *fanout);

#endif
