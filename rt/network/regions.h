/*
 * A region is one piece of memory for all rings of a location: those that one core's worker writes,
 * or those that several threads write. Nobody touches it before its user does, so its pages lie
 * near the user; it may be of huge pages.
 *
 * Rings between processes that may fire as one lie in a second region. While they fire as one,
 * nobody touches these rings, so they take no memory (rt/host/overlay.h).
 */
#pragma once

#include "rt/network/network.h"

/* Makes the regions, with room for all rings whose ends are on the host now. Frees earlier ones, in
 * which no channel lies any more. Returns DAL_OK or DAL_ERR_NOMEM, logged. Main thread. */
int dal__regions_make(struct dal_network *network);
void dal__regions_finish(struct dal_network *network);

/* Returns the region of the port whose first channel is `first`. */
struct dal_region *dal__region_of(struct dal_network *network, int first);
