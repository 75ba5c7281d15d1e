/*
 * Channels that keep the newest token alone (newest="true" in a network). The writer never waits. A
 * firing of the reader takes the newest token that is whole. One token a firing at both ends, and
 * no other reader of the port.
 *
 * How a token flows. The port's ring is four slots. The writer has one of them, the reader has
 * another, and a third is in the middle. The writer fills its slot, notes number and time of the
 * token there, and swaps it for the one in the middle, which it marks as fresh. So it always has a
 * slot to write to. The reader finds the mark before a firing, and swaps its own slot for the fresh
 * one: the token stays there, for this firing and its repeats, until the next swap. A fresh token
 * that the writer swaps away has been lost.
 *
 * A replay takes the fourth slot as well. Then the slots are a ring of the tokens that the record
 * names: the reader has one, at most two wait, and the writer has one. The writer drops the tokens
 * that the record does not name. It begins no firing for a named one while two wait. One would not
 * do: what the writer does beside the second may be what the reader waits for. The second was under
 * way, or had not begun, when the reader took the first. So the order of the record's run is one in
 * which the replay comes to its end.
 *
 * At an end on a device a firing is a launch, and the handler swaps. A reader looks before each
 * launch, and has its slot until the launch has completed. A writer's token is put in the middle
 * once it is in the host's slot. So either has one launch in flight. The ends are those of a ring
 * that is UNIFIED or STAGED (create_kind.c): kernels work in the slots, or in a ring of their own
 * from which, and to which, one slot is moved.
 *
 * Contract of each atomic:
 *
 * - `middle` (live) is a slot's number, and FRESH. Both ends swap it (acquire and release): who
 *   gets a slot sees all that its last owner did there. The writer alone sets FRESH and the reader
 *   alone clears it, so FRESH that the reader has seen stays. The writer swaps it seq_cst before it
 *   tells the reader (rt/base/wake.h).
 * - `published` and `taken` (replay) count the named tokens that were put into the ring, and taken.
 *   Each is stored (seq_cst) by one end, before it tells the other one, and loaded (acquire) by the
 *   other.
 * - `waits` says that an end found nothing at its last look: for the monitor. An end that finds
 *   something stores 0 (relaxed) before it takes it, or fires. The monitor loads `middle`, or the
 *   counts, before `waits`: where it finds what was taken, it does not find that the end waits.
 * - The counters are stored by the reader (relaxed), and loaded by anybody.
 *
 * channels/newest.pml is a model of what the monitor sees.
 */
#pragma once

#include "channels/channel.h"

#include <stdio.h>

enum { DAL_NEWEST_SLOTS = 4 };

/* From read `first` on, the reader got token `token`; both count from 0. */
struct dal_newest_read {
    uint64_t first, token;
};

/* What a replay has of a channel. */
struct dal_newest_replay {
    struct dal_newest_read *reads; /* both members increase */
    size_t count, room;
    uint64_t end; /* reads in all */
    int is_whole; /* true when the record says how many */
};

/* What the reader's firings got. */
struct dal_newest_counts {
    _Atomic uint64_t distinct; /* tokens that were read, once or more often */
    _Atomic int64_t age_ns;    /* of all reads together */
    _Atomic int64_t oldest_ns; /* of one */
};

struct dal_newest {
    _Alignas(64) _Atomic unsigned middle;
    _Atomic uint64_t published, taken;
    _Atomic int waits[2]; /* reader's, writer's */

    /* Who has a slot has its members, too. */
    struct {
        uint64_t number; /* of its token, from 1; 0: none was written */
        int64_t written_ns;
    } slots[DAL_NEWEST_SLOTS];

    _Alignas(64) unsigned write_slot; /* the writer's */

    _Alignas(64) unsigned read_slot; /* the reader's, as all that follows */
    uint64_t since;                  /* its firings before it took this token */
    uint64_t latest;                 /* number of the token of its last firing */
    uint64_t begun;                  /* its firings; the last one of all may have read nothing */
    struct dal_newest_counts counts;
    FILE *record;                     /* NULL without; main thread, before anything fires */
    struct dal_newest_replay *replay; /* NULL without; likewise. Owned */
};

/* Makes what a port of kind NEWEST needs; NULL without memory, not logged. Main thread. */
struct dal_newest *dal__newest_create(void);
void dal__newest_destroy(struct dal_newest *newest); /* accepts NULL */

/* Looks whether an end has something for a firing, and sets `seen` and `position` by it. A reader
 * takes a token that is fresh, unless its window is open. The owner's thread. */
void dal__newest_look(struct dal_end *end);

/* Puts the token of the writer's slot where the reader finds it. The writer's thread. */
void dal__newest_publish(struct dal_end *end);

/* Returns whether the reader has read all that it will ever get. Its thread. */
int dal__newest_is_over(struct dal_end *end);

/* Looks once more at the end of a reader that is about to fire: what was taken may be old by now.
 * Returns whether it has a token. Its thread. */
int dal_newest_refresh(struct dal_end *end);

/* Counts and records the token that the next firing of a reader gets. Its thread, before it
 * acquires the window. */
void dal_newest_begin(struct dal_end *end);

/* Fills, as the counts of a ring would have it: `read` is behind `written` by one token if the
 * reader has one to read, and by `capacity` if the writer waits. Any thread. */
void dal_newest_see(const struct dal_channel *channel, uint64_t *written, uint64_t *read,
                    uint64_t *capacity);

/* Returns how many tokens no firing has read, and none will. Any thread. */
uint64_t dal_newest_lost(const struct dal_channel *channel);

/* Returns the firings of the reader that read what had been read. Any thread. */
uint64_t dal_newest_repeated(const struct dal_channel *channel);

/* Makes a run repeat another one. DAL_OK or DAL_ERR_NOMEM, logged. Main thread, before anything
 * fires. */
int dal_newest_replay_init(struct dal_channel *channel);

/* Adds a line of a record to a channel's replay, or, without `token`, its end. DAL_OK;
 * DAL_ERR_INVALID where it does not follow from the lines before; DAL_ERR_NOMEM. Main thread,
 * before anything fires. */
int dal_newest_replay(struct dal_channel *channel, uint64_t first, const uint64_t *token);

/* Returns how many reads of the repeated run were not made; 0 without one. Once all threads have
 * been joined. */
uint64_t dal_newest_left(const struct dal_channel *channel);

/* Writes how many reads there were. Once all threads have been joined. */
void dal_newest_record_end(const struct dal_channel *channel);
