/* Advice on bytes: the change of a mapping that copies and sends fewest. One thread. */
#pragma once

#include "synth/tune/predict/ledger.h"

/* Names the change that saves most of the bytes that are copied, or else sent, by one place for
 * both ends of a channel. Prints nothing if there is none. Works without a prediction. DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_advise_bytes(const struct dal_plan *plan, const struct dal_ledger *ledger, FILE *out);
