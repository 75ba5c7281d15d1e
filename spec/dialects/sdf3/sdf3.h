/*
 * SDF3's application graphs (SDF3 2006), the form in which public SDF graphs are passed on; and a
 * network as our own XML. One thread.
 *
 * Graphs of type sdf and csdf are read: rates and times may be sequences, "1,0,2" or "3*1,2". SDF3
 * counts the size of a token in bits; here it is rounded up to bytes. A bufferSize is a channel's
 * size in tokens. A stateSize and a throughput are kept, and are in what is written.
 * Bandwidth, latency and what else there is for a platform is passed over.
 * Phases before the first cycle ("3;1,3") are fired while the graph is read: see spec.has_begun.
 */
#pragma once

#include "spec/base/diag.h"
#include "spec/model/model.h"

#include <stdio.h>

/* Is this a file with a graph of SDF3: is its root element an <sdf3>? */
int dal_sdf3_is(const char *file);

/*
 * Reads a graph as a network of processes without sources. Characters that our names cannot have
 * become underscores; where names are equal then, numbers are put behind them. Of several
 * processors of an actor, the time of that of type `processor` counts; where it has none, or
 * `processor` is NULL, that of its last default one, else of its first. Returns NULL with the
 * reasons in diags. The caller destroys the result, which is connected but has no repetition
 * vector.
 */
struct dal_spec *dal_sdf3_read(struct dal_diags *diags, const char *file, const char *processor);

/* Makes a name of letters, digits and _, which does not start with a digit, of `most` bytes of a
 * text. The caller frees it; NULL without memory. */
char *dal__sdf3_plain(const char *text, int most);

/* Writes a network as an SDF3 graph, of type csdf if a process is cyclo-static. The graph has
 * processes with times and states, channels with token sizes and sizes, and the throughput. `times`
 * goes by process number (dal_spec_times()). An output with several readers becomes a port for
 * each. Names are changed where the reader would not accept them. Returns DAL_OK, DAL_ERR_NOMEM or
 * DAL_ERR_IO. */
int dal_sdf3_write(const struct dal_spec_network *network, const uint64_t *times, FILE *out);

/*
 * Writes a network as our XML: processes with ports and execution times, channels, connections.
 * With `burn`, every process also has the source NAME.c and the parameter "firings", for a number
 * of iterations that is a variable; needs the repetition vector. A channel of a cyclo-static
 * process to itself then has tokens for a whole cycle. Returns DAL_OK or DAL_ERR_IO.
 */
int dal_network_write(const struct dal_spec_network *network, int burn, FILE *out);
