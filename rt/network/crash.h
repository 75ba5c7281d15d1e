/*
 * A program that crashes while networks run still writes their reports: a process got a signal, or
 * used up its stack, or called exit().
 */
#pragma once

#include "rt/model/network.h"

/* A network begins to run, or has ended. In the thread that runs it, which is watched from then
 * on. `report` writes the report of a network whose processes stand still. Not for networks in
 * programs of others. */
void dal__crash_begin(struct dal_network *network, void (*report)(struct dal_network *network));
void dal__crash_end(const struct dal_network *network);
