/*
 * dalsynth --import-sdf3 and --export-sdf3.
 */
#ifndef DAL_SYNTH_COMMAND_SDF3_H
#define DAL_SYNTH_COMMAND_SDF3_H

#include "spec/model/model.h"

#include <stdio.h>

/*
 * Turns an SDF3 application graph into a network: NAME.xml in the folder `directory`, which is made
 * when it is not there, or on `out` when it is NULL. With `burn` the folder also gets a C source
 * for every process, which spends its execution time busy, so that the network can be synthesised.
 * `processor` is that of dal_sdf3_read(). Files that are there already are not touched: that is an
 * error. Returns DAL_OK or a negative code, with the problem in diags or logged.
 */
int dal_sdf3_import(struct dal_diags *diags, const char *file, const char *processor,
                    const char *directory, int burn, FILE *out);

/* Prints a network, or an SDF3 application graph, as an SDF3 application graph. Returns DAL_OK or a
 * negative code, as above. */
int dal_sdf3_export(struct dal_diags *diags, const char *network_file,
                    const struct dal_spec_define *defines, size_t define_count,
                    const char *processor, const char *times_file, FILE *out);

#endif
