/*
 * One piece of memory for all rings of a location: those that the worker of one core writes, and
 * those that several cores or threads write. Nobody touches it before its user, so its pages lie
 * where the user runs, and it may be of huge pages.
 *
 * Rings between processes that may fire as one lie in a second piece: as long as they do, nobody
 * touches them (rt/host/overlay.h), and they take no memory.
 */
#ifndef DAL_RT_NETWORK_REGIONS_H
#define DAL_RT_NETWORK_REGIONS_H

#include "rt/network/network.h"

/* Makes the regions, with room for all rings whose ends are on the host now; gives back those from
 * before. No channel is in one. DAL_OK or DAL_ERR_NOMEM, logged. Main thread. */
int dal__regions_make(struct dal_network *network);
void dal__regions_finish(struct dal_network *network);

/* The one for the rings of the port that the table's channel `first` is the first of. */
struct dal_region *dal__region_of(struct dal_network *network, int first);

#endif
