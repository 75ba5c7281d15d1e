/*
 * SDF3's application graphs (SDF3 2006), the form in which public SDF graphs are passed on; and a
 * network as our own XML. One thread.
 *
 * SDF3 counts the size of a token in bits; here it is rounded up to bytes. Of several processors an
 * actor's default one counts. Buffer sizes of a graph are not taken over.
 */
#ifndef DAL_SPEC_SDF3_H
#define DAL_SPEC_SDF3_H

#include "spec/diag.h"
#include "spec/model.h"

#include <stdio.h>

/*
 * Reads a graph as a network of processes without sources. Characters that our names cannot have
 * become underscores. Returns NULL with the reasons in diags. The caller destroys the result, which
 * is connected but has no repetition vector.
 */
struct dal_spec *dal_sdf3_read(struct dal_diags *diags, const char *file);

/* Writes a network's processes, channels, execution times and token sizes as an SDF3 graph. `times`
 * goes by process number. Returns DAL_OK or DAL_ERR_IO. */
int dal_sdf3_write(const struct dal_spec_network *network, const uint64_t *times, FILE *out);

/*
 * Writes a network as our XML: processes with ports and execution times, channels, connections.
 * With `burn`, every process also has the source NAME.c and the parameter "firings", for a number
 * of iterations that is a variable; needs the repetition vector. Returns DAL_OK or DAL_ERR_IO.
 */
int dal_network_write(const struct dal_spec_network *network, int burn, FILE *out);

#endif
