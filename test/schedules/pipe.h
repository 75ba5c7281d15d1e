/* What protocols share: threads, a channel between two, and flows between two nodes. */
#ifndef DAL_TEST_SCHEDULES_PIPE_H
#define DAL_TEST_SCHEDULES_PIPE_H

#include "channels/channel.h"
#include "rt/base/sync.h"
#include "rt/base/wake.h"

enum { WORKERS = 3, ROUNDS = 6, TOKENS = 20 };

void expect(int is_so, const char *what);
pthread_t start_thread(void *(*function)(void *), void *argument);

/* A channel between two threads that sleep where they lack tokens or space. */
struct side {
    struct dal_listener listener; /* first member */
    struct dal_wake wake;
    struct dal_end *end;
    uint64_t tokens, next; /* in all; number of the next */
};

struct pipe {
    struct dal_channel_desc desc;
    struct dal_channel *channel;
    struct side sides[2]; /* reader, writer */
};

void make_pipe(struct pipe *pipe, uint64_t capacity, int listens);
/* Of a struct side: until it has had its tokens, or the other side has ended. */
void *read_tokens(void *side);
void *write_tokens(void *side);

/* ---- watchers.c ------------------------------------------------------------------------------ */

void events_in_order(void);
void latencies(void);

/* ---- flows.c --------------------------------------------------------------------------------- */

void flow_of_all(void);
void flow_that_is_closed(void);
/* Each wrong in one way: */
void flow_without_look(void);
void flow_woken_early(void);
void flow_credit_late(void);
void flow_credit_lost(void);

#endif
