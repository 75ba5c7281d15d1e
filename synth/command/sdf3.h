/* Verbs for graphs of SDF3, --import-sdf3 and --export-sdf3 of dalsynth. */
#pragma once

#include "synth/command/request.h"

/* Each returns DAL_OK or a negative code, with the problem in diags or logged. */

/*
 * Turns an SDF3 application graph into a network: NAME.xml in the folder `output`, which is made
 * when it is not there, or on standard output when it is NULL. With `burn` the folder also gets a C
 * source for every process, which spends its execution time busy, so that the network can be
 * synthesised. Files that are there already are not touched: that is an error.
 */
int dal_sdf3_import(struct dal_diags *diags, const struct dal_request *request);
/* Prints a network, or an SDF3 application graph, as an SDF3 application graph. */
int dal_sdf3_export(struct dal_diags *diags, const struct dal_request *request);
