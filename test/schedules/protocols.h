/* What the protocols share, and those of other files. */
#pragma once

#include "channels/channel.h"
#include "rt/base/sync.h"
#include "rt/base/wake.h"

#include <stdint.h>

enum { WORKERS = 3, ROUNDS = 6, TOKENS = 20, READERS = 2 };

void protocol_expect(int is_so, const char *what);
pthread_t protocol_start(void *(*function)(void *), void *argument);

/* A process at a channel that sleeps where it lacks tokens or space. */
struct side {
    struct dal_listener listener; /* first member */
    struct dal_wake wake;
    struct dal_end *end;
    uint64_t tokens, next; /* in all; number of the next */
    int stops;             /* of a reader: behind its tokens, not with the stream */
};

/* A port with up to READERS readers. */
struct pipe {
    struct dal_channel_desc descs[READERS];
    struct dal_channel *channels[READERS];
    struct side writer, readers[READERS];
};

/* Without a capacity the channel keeps the newest token alone. */
void protocol_make_pipe(struct pipe *pipe, int readers, uint64_t capacity, int listens);
void protocol_destroy_pipe(struct pipe *pipe);

/* Up to 3 tokens or slots, or 0 where the other side has ended. */
uint64_t protocol_wait(struct side *side);

/* Threads, of a side. */
void *protocol_read(void *side);
void *protocol_write(void *side);

/* In protocols_more.c. */
void wake_is_once(void);
void close_wakes(void);
void readers_differ(void);
void reader_closes(void);
void ends_pass(void);
void word_is_heard(void);
void work_is_shared(void);
void parked_lose_nothing(void);
void turns_of_three(void);
void crew_rests(void);
void crew_breaks(void);
void crew_breaks_in_pause(void);
void crew_stops(void);
void log_is_heard(void);
void memory_fails(void);
void signal_is_noted(void);
void list_of_processes(void);
void exit_is_seen(void);

/* In newest.c. */
void newest_is_read(void);
void newest_is_repeated(void);
void newest_is_replayed(void);

/* In networks.c. */
void reply(void);
void reply_by_two(void);
void reply_by_cycles(void);
void growth_ends(void);
void firings_take_long(void);
void group_parts(void);
void group_parts_asleep(void);
void group_ends_beside(void);
void reply_is_broken(void);
void workers_end(void);
void workers_wake(void);
void reader_ends(void);
void inits_in_turn(void);
void reply_by_phase(void);
void phase_is_last(void);

/* In watchers.c. */
void events_in_order(void);
void latencies(void);
void events_are_forgotten(void);
void release_is_seen(void);
void timer_stops(void);
void messages_are_kept(void);
void output_is_flushed(void);

/* In flows.c; the last four are each wrong in one way. */
void flow_of_all(void);
void flow_that_is_closed(void);
void flow_without_look(void);
void flow_woken_early(void);
void flow_credit_late(void);
void flow_credit_lost(void);
