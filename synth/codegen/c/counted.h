/*
 * Counted ports in kernels: the user's pointers lead behind a packet's header (include/counted.h),
 * and the counts are in it. The headers of what a kernel writes hand a wrong count on.
 */
#pragma once

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

/* Adds an expression for a port's packet: the count of an input, no larger than the bound, or a
 * pointer to the count of an output. */
void dal__add_count(struct dal_text *text, const struct dal_spec_port *port, const char *packet);

/* In a kernel's text: is it the first work-item of its group? */
#define DAL__IS_FIRST_ITEM "(get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0"

/* Marks a port's packet as unset, in front of a firing of a kernel that sets its counts itself. */
void dal__add_unset(struct dal_text *text, const char *packet);

/* Adds a statement by which the first work-item hands wrong counts on. The packet of each counted
 * port `x` is in a variable `prefix` x, by name or by number. Adds nothing without such an
 * output. */
void dal__add_wrong_counts(struct dal_text *text, const struct dal_spec_process *process,
                           const char *prefix, int by_name);

/* Refuses counted channels from devices whose counts no core would see. DAL_OK or DAL_ERR_INVALID
 * with the problems in diags; DAL_ERR_NOMEM. */
int dal__check_counts(struct dal_diags *diags, const struct dal_plan *plan);
