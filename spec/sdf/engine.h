/*
 * Executes a graph: tokens and space are in channels, and processes fire as soon as both are there.
 * With time (time.c), a firing ends later than it starts, by the conventions of time.h. Without
 * time (exec.c), it ends at once, and each process fires as often as one iteration has it. Internal
 * to spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/time.h"

enum { DAL__LACKS_TOKENS = 1, DAL__LACKS_SPACE = 2 };

/* Firings of a process that end at the same time. */
struct dal__flight {
    uint64_t end, count;
};

/* Firings under way, in the order of their ends: all firings of a process take the same time. */
struct dal__flights {
    struct dal__flight *ring; /* room is a power of two, or 0 */
    size_t head, count, room;
};

/* Tokens, or space, that arrived at a time; by end of a channel, tokens first. For cyclo-static
 * processes: `lacks` tells of their next phase and of none behind it, so arrivals are looked at
 * when they start. */
struct dal__arrival {
    uint64_t at, amount;
};

/* Processes for which something has changed, each once, the first to change first. */
struct dal__changed {
    size_t *ring;
    unsigned char *is_in;     /* by process */
    size_t head, count, room; /* room is a power of two */
};

/* A state of an execution, as numbers that are the same whenever it recurs. */
struct dal__state {
    uint64_t *numbers;
    size_t count, room;
};

/* What the search for the period knows so far (dal_sdf_engine_period()). */
struct dal__slowest {
    unsigned char *space; /* by channel: the slowest cycle leads back through its space */
    int is_long;          /* executions take too long */
    int is_known;         /* the last period is that of the cycle */
    int is_unasked;       /* nobody wants to know `space` */
};

struct dal_sdf_engine {
    const struct dal_sdf_graph *graph;
    int is_timed;
    uint64_t *tokens;      /* by channel */
    uint64_t *space;       /* by channel: the capacity without the tokens; below 0 there is none */
    unsigned char *lacks;  /* by channel: what stopped its ends when they were looked at last */
    unsigned char *waited; /* by channel: LACKS_ that a firing was waiting for */
    struct dal__arrival *arrived;
    struct dal__flights *flights; /* by process */
    size_t *heap;                 /* processes with firings under way, the next end first */
    size_t heap_count;
    struct dal__changed changed;
    uint64_t *left; /* by process: firings of the first iteration that have not ended */
    size_t unfinished;
    uint64_t *under_way;         /* by process: firings that have started and not ended */
    uint64_t *started;           /* by process, modulo its phases where it is cyclo-static */
    uint64_t now, fired;         /* fired: by process 0 */
    struct dal__state states[2]; /* the present one, and one that is kept */
    struct dal__slowest slowest;
    struct dal_sdf_budget *budget;
    int lost; /* memory is exhausted */
};

/* Returns the sum, or UINT64_MAX. */
static inline uint64_t dal__add_capped(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns the tokens or the space at an end; less than 0 where there are more tokens than room. */
static inline int64_t dal__amount_at(const struct dal_sdf_engine *engine,
                                     const struct dal_sdf_end *end)
{
    return (int64_t)(end->output ? engine->space : engine->tokens)[end->channel];
}

/* Returns the rate of the next firing. */
static inline uint64_t dal__rate_at(const struct dal_sdf_engine *engine, size_t process,
                                    const struct dal_sdf_end *end)
{
    return dal_sdf_end_rate(end, engine->started[process]);
}

/* Begins an execution with the graph's initial tokens and `capacity`, by channels[].number. `more`,
 * by number too, has additional tokens, which bring their own room; NULL: none. Starts what can
 * start. Without time, the execution goes on until nothing can fire or the budget ends. */
void dal__engine_begin(struct dal_sdf_engine *engine, const uint64_t *capacity,
                       const uint64_t *more, struct dal_sdf_budget *budget);
/* Lets all processes be looked at again, after tokens or space have been added. */
void dal__engine_go_on(struct dal_sdf_engine *engine);
/* Ends all flights that end next, and starts what can start then. Returns 0 when nothing is under
 * way. */
int dal__engine_step(struct dal_sdf_engine *engine);
