/* The flat network as its taps see it: who is at the ends of each channel. Shared by the files
 * tap*.c. One thread. */
#pragma once

#include "spec/read/network.h"

#define DAL__NO_EDGE SIZE_MAX

/* The ends of a channel: processes and connections, by number. Without an end that is known, all
 * are DAL__NO_EDGE; the check of the network tells why. */
struct dal__edge {
    size_t from, to;
    size_t origin, target;
    int is_first; /* of the channels that its port feeds */
};

struct dal__taps {
    struct dal_diags *diags;
    struct dal_spec_network *network;
    struct dal__raw *raw;
    struct dal_names processes;
    struct dal__edge *edges; /* one a channel, and room for a tap beside each */
};

/* Fills it in. Returns DAL_OK or DAL_ERR_NOMEM. Finish it either way. */
int dal__taps_begin(struct dal__taps *taps, struct dal_diags *diags,
                    struct dal_spec_network *network, struct dal__raw *raw);
void dal__taps_finish(struct dal__taps *taps);

/* Returns the port of a process that a channel leads from, or to. */
static inline const char *dal__edge_port(const struct dal__taps *taps, size_t channel, int output)
{
    const struct dal__edge *edge = &taps->edges[channel];
    const struct dal__raw_connection *all = taps->raw->network.connections;
    return output ? all[edge->origin].origin.port : all[edge->target].target.port;
}

/* Returns "Gauss.out", the name of the port that a channel leads from, or to; NULL without memory.
 */
char *dal__edge_name(const struct dal__taps *taps, size_t channel, int output);

/* Adds an open port of this name, which a channel leads to, or from (`output`); takes the name, and
 * `of`. Returns the same as dal__add_open(). */
int dal__taps_add(struct dal__taps *taps, char *name, char *of, size_t channel, int output,
                  struct dal_spec_tap tap);
/* Lets another channel lead there. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__taps_lead(struct dal__taps *taps, const char *name, size_t channel, int output);

/* Adds one more reader at the port that a channel leads from: an open port of the port's name. */
int dal__taps_listen(struct dal__taps *taps, const char *name, size_t beside,
                     struct dal_spec_tap tap);

/* Replaces the processes by their recordings that options of a kind name, or all others. The edges
 * are no longer right then. */
int dal__taps_cut(struct dal__taps *taps, const struct dal_spec_define *defines, size_t count,
                  enum dal_spec_define_kind kind);
