/*
 * A simulation at work (simulate.h): its state, and the events that change it. Internal to
 * synth/tune/predict. One thread.
 */
#pragma once

#include "rt/base/histogram.h"
#include "synth/tune/predict/simulate.h"

enum dal__sim_event_kind { EVENT_END, EVENT_TOKENS, EVENT_SPACE, EVENT_RELEASE };

struct dal__sim_event {
    double at_ns;
    uint64_t order; /* among events at one time: the first made is the first taken */
    enum dal__sim_event_kind kind;
    size_t which; /* actor, or channel */
    size_t server;
    uint64_t count; /* firings, or tokens */
};

struct dal__sim_actor {
    uint64_t active, begun, fired, activations;
    size_t next;     /* the server that is asked first */
    double ended_ns; /* the last activation: what comes behind it ends no earlier */
    double busy_ns;
    /* In the stretch that is measured: when the first iteration's firings ended in it (-1: none)
     * and when the last did, and how many iterations had ended then. The values ending in _then are
     * those at its begin. */
    double first_ns, last_ns, busy_then;
    uint64_t first, last, fired_then, activations_then;
    double release_ns; /* periodic: the last or the next release */
    uint64_t left;     /* periodic: firings of the release that are left */
    uint64_t releases, misses, releases_then, misses_then;
};

struct dal__sim_channel {
    uint64_t tokens, space; /* seen by the reader, by the writer */
    size_t frees;  /* the channel whose space is free when a token has been read here; or NONE */
    uint64_t held; /* in all, with those on their way */
    struct dal_sim_ring ring;  /* where the next windows are */
    double filled, changed_ns; /* tokens times ns, up to then */
};

struct dal__sim_server {
    size_t first, count; /* in `wanted` */
    size_t next;         /* the wanting actor to be looked at next */
    int busy;
    double since_ns; /* when it became free, if it is free */
    /* Other servers take part of this one: its activation will end later by debt_ns, and it is not
     * free until taken_ns. */
    double debt_ns, taken_ns;
    double busy_ns, busy_then;
};

/* Begins of iterations that have not ended at the other end, in order, in a ring. */
struct dal__sim_path {
    double *begins;
    size_t head, count, room;
    uint64_t ahead; /* iterations that have ended, and not begun */
    double sum_ns, most_ns;
    uint64_t ended;              /* iterations that ended in the stretch, as sum_ns and most_ns */
    struct dal_histogram *times; /* of these, where times are drawn; else NULL. Owned */
    double part_ns; /* drawn: what the path's part of a stretch took at most, of all stretches */
};

struct dal__sim_state {
    const struct dal_sim *sim;
    struct dal__sim_actor *actors;
    struct dal__sim_channel *channels;
    struct dal__sim_server *servers;
    struct dal__sim_path *paths;
    size_t *wanted; /* actors, server by server */
    struct dal__sim_event *heap;
    size_t heap_count, heap_room;
    double now_ns, began_ns;
    uint64_t made, seen; /* events */
    int draws;           /* are times drawn? */
    uint64_t chance;     /* what they are drawn by: dal_spread_chance() */
    int lost;
};

/* Lets everything begin that can begin at first. */
void dal__sim_begin(struct dal__sim_state *s);
/* Takes so many events, or those that are left. Sets `lost` without memory. */
void dal__sim_execute(struct dal__sim_state *s, uint64_t count);
/* Return what so many firings of an actor take at once, beside what each activation takes; and how
 * long such an activation lasts, with times that are drawn if they are. */
double dal__sim_work_ns(const struct dal_sim_actor *actor, uint64_t firings);
double dal__sim_lasts_ns(struct dal__sim_state *s, const struct dal_sim_actor *actor,
                         uint64_t firings);
/* Returns for how long a server is held up within an activation that lasts so long. */
double dal__sim_stall_ns(struct dal__sim_state *s, double lasts_ns);
/* Notes for the paths that an actor begins firings, of which some are an iteration's first; and
 * that so many iterations have ended with firings of it. */
void dal__sim_begun(struct dal__sim_state *s, size_t number, uint64_t firings, double begin_ns);
void dal__sim_ended(struct dal__sim_state *s, size_t number, uint64_t iterations);
/* Adds tokens to those that a channel holds, now. */
void dal__sim_hold(struct dal__sim_state *s, struct dal__sim_channel *channel, int64_t tokens);
void dal__sim_take_space(struct dal__sim_state *s, struct dal__sim_channel *channel,
                         uint64_t tokens);
