/*
 * Deals the blocks of processes to the devices that all of them are on, by measured speed.
 *
 * The launchers of a dealing have the same devices, and a block that one of them makes is used by
 * another on the same device. Who comes to a block first deals it, by the rule of share.h: the
 * speed of a device is that of all their launches there. A block is open until all of them have
 * done their parts, or until nothing is in flight on its device.
 *
 * Thread: the main thread makes it, the handler deals.
 */
#pragma once

#include "channels/deal.h"
#include "rt/device/share.h"

struct dal_handler;
struct dal_launcher;
struct dal_launcher_replica;
struct dal_process;

/* What is measured of a device. */
struct dal_dealt {
    int launches;     /* in flight */
    int64_t since_ns; /* when the first of them was made, or the one before completed */
    /* Of late: time with launches in flight, and the blocks that were done in it. */
    double busy_ns, blocks;
};

struct dal_dealing {
    struct dal_deal deal;
    struct dal_share *shares; /* one a device */
    struct dal_dealt *dealt;
    int count;     /* devices */
    int members;   /* launchers */
    uint64_t room; /* of the least of their channels, in blocks */
    int refused;   /* true if a launcher waits until a device has less */
};

/* Makes the dealings of all launchers with several devices, once their ends are there. `processes`
 * are the network's. DAL_OK or DAL_ERR_NOMEM. */
int dal_dealings_make(struct dal_handler *handler, struct dal_process *processes);

/* Called when a launcher is finished. Accepts one without a dealing. */
void dal_dealing_leave(struct dal_launcher *launcher);

/* Sees to it that the launcher's next round is dealt. Returns 1 if it is, 0 while it is not to be,
 * or DAL_ERR_NOMEM, logged. */
int dal_dealing_next(const struct dal_launcher *launcher);

/* Sets *replica to the one that has a round, which is dealt. Returns how many rounds from there on
 * are of the same one, at most S. */
uint64_t dal_dealing_left(const struct dal_launcher *launcher, uint64_t round,
                          struct dal_launcher_replica **replica);

/* Called when a launch on the launcher's replica is enqueued, and when one has completed, which the
 * replica still counts as in flight. */
void dal_dealing_begin(const struct dal_launcher *launcher);
void dal_dealing_end(const struct dal_launcher *launcher, struct dal_launcher_replica *replica,
                     uint64_t rounds);
