/*
 * Counted ports in kernels: the user's pointers lead behind a packet's header (include/counted.h),
 * his counts are in it, and a wrong count is handed on in the headers of what a kernel writes.
 */
#ifndef DAL_SYNTH_CODEGEN_C_COUNTED_H
#define DAL_SYNTH_CODEGEN_C_COUNTED_H

#include "synth/plan/plan.h"

#include <inttypes.h>

static inline uint64_t dal__header_bytes(const struct dal_spec_port *port)
{
    return port->channel ? port->channel->counted.header_bytes : 0;
}

static inline int dal__is_counted(const struct dal_spec_port *port)
{
    return port->channel && port->channel->counted.most;
}

/* The counted port whose count an argument of this name is: "out_count"; -1 for another name. */
int dal__count_port(const struct dal_spec_process *process, const char *name);

/* What a kernel finds at a port's packet, an expression: the count of an input, no larger than the
 * bound; where the count of an output is to be written. */
void dal__add_count(struct dal_text *text, const struct dal_spec_port *port, const char *packet);

/* Of a kernel's text: is it the first work-item of its group? */
#define DAL__IS_FIRST_ITEM "(get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0"

/* At a port's packet, in front of a firing of a kernel that sets its counts itself: it has not. */
void dal__add_unset(struct dal_text *text, const char *packet);

/* Where each counted port `x` of a process has its packet in a variable `prefix` x, by name or by
 * number: a statement by which the first work-item hands wrong counts on. Nothing without such an
 * output. */
void dal__add_wrong_counts(struct dal_text *text, const struct dal_spec_process *process,
                           const char *prefix, int by_name);

/* Refuses counted channels from devices whose counts no core would see. DAL_OK or DAL_ERR_INVALID
 * with the problems in diags; DAL_ERR_NOMEM. */
int dal__check_counts(struct dal_diags *diags, const struct dal_plan *plan);

#endif
