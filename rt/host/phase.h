/*
 * Cyclo-static processes that are fired phase by phase (net.h, by_phase). Where all tokens and all
 * space of a cycle are there, an activation has whole cycles, as that of any process. Where they
 * are not, and those of the next phase are, an activation is this phase alone, and its tokens are
 * released at once. So a loop of channels may have tokens for a phase and none for a cycle, and
 * what comes last is read up to the phase that lacks something.
 *
 * Such a process is a group by itself, of one copy. What is counted are cycles; one that it ends in
 * the middle of counts as well.
 */
#ifndef DAL_RT_HOST_PHASE_H
#define DAL_RT_HOST_PHASE_H

#include "rt/host/group.h"

/* What the unit knows of a port in a phase. */
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

/* Those of the phase that the process is at: its owner's. */
static inline uint64_t dal_phase_needs(const struct dal_process *process, int port)
{
    return dal_phase_tokens(process, atomic_load_explicit(&process->phase, memory_order_relaxed),
                            port);
}

static inline int dal_phase_is_within(const struct dal_process *process)
{
    return atomic_load_explicit(&process->phase, memory_order_relaxed) != 0;
}

/* The first end that lacks something for the phase; NULL without. */
struct dal_end *dal_phase_lacks(const struct dal_process *process);

/* Before it is run: windows are those of the cycle. */
void dal_phase_take(struct dal_process *process, struct dal_activation *activation);

/* The phase that an activation has taken is through: its tokens are released. Returns whether it
 * was the last of its cycle. */
int dal_phase_pass(struct dal_process *process, const struct dal_activation *activation);

#endif
