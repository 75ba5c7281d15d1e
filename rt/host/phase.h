/*
 * Cyclo-static processes that are fired phase by phase (net.h, by_phase). While a whole cycle has
 * its tokens and space, an activation has whole cycles, as with any process. If only the next phase
 * has them, the activation is this phase alone, and its tokens are released at once. So a loop of
 * channels may hold tokens for a phase and none for a cycle. The last tokens are read up to the
 * phase that lacks some.
 *
 * Such a process is a group by itself, of one copy. It counts cycles; the one in which it ends
 * counts as well.
 */
#pragma once

#include "rt/host/group.h"

/* Returns what the code says of a port in a phase. */
static inline const struct dal_unit_port *dal_phase_port(const struct dal_process *process,
                                                         int phase, int port)
{
    return &process->desc->code->phase_ports[phase * process->desc->port_count + port];
}

/* Tokens or space that a phase needs at a port. Any thread. */
static inline uint64_t dal_phase_tokens(const struct dal_process *process, int phase, int port)
{
    return dal_phase_port(process, phase, port)->bytes /
           process->ends[port]->channel->desc->token_bytes;
}

/* Returns the tokens or space that the next phase needs at a port. Only for the thread that fires
 * it. */
static inline uint64_t dal_phase_needs(const struct dal_process *process, int port)
{
    return dal_phase_tokens(process,
                            atomic_load_explicit(&process->host.phase, memory_order_relaxed), port);
}

static inline int dal_phase_is_within(const struct dal_process *process)
{
    return atomic_load_explicit(&process->host.phase, memory_order_relaxed) != 0;
}

/* Returns the first end that lacks tokens or space for the phase, or NULL. */
struct dal_end *dal_phase_lacks(const struct dal_process *process);

/* Fires one phase, for the holder of the group's claim. The group stays at work until
 * dal__group_release(), which comes next. */
void dal_phase_fire(struct dal_group *group, struct dal_trace_row *row);
