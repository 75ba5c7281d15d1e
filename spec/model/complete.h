/* Completes a model that has been read. Internal to spec. One thread. */
#pragma once

#include "spec/model/model.h"

/* Makes a process cyclo-static, if its ports or its times have sequences. The sequences are as they
 * were read; the rates and times beside them are sums. Fills in phases, and makes rates and times
 * those of a whole cycle; those of the channels are left to the caller. Returns DAL_OK,
 * DAL_ERR_INVALID after an error in diags, or DAL_ERR_NOMEM. */
int dal__make_cycle(struct dal_diags *diags, struct dal_spec_process *process);

/* Makes the lists of the channels that output ports feed, once each channel has its producer_port;
 * a port has the rate of the first. */
void dal__feed_ports(struct dal_spec_network *network);

/* Compares in the order of struct dal_spec_measured: negative, 0 or positive. */
int dal__cost_order(const struct dal_spec_cost *a, const struct dal_spec_cost *b);
