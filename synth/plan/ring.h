/*
 * The rings of a plan's channels, as the runtime will make them (channels/create_layout.h). One
 * thread.
 */
#pragma once

#include "rt/base/shape.h"
#include "synth/plan/plan.h"

/* Returns the shape of the ring of a channel's port; one without slots where capacities are not
 * known yet. `readers` has room for all readers of the port, and is filled in. */
struct dal_shape dal_plan_ring(const struct dal_plan *plan, const struct dal_plan_channel *ch,
                               struct dal_windows *readers);
