/*
 * random_variant.h: one of the networks that a plan becomes, and the files of it.
 *
 * Plain values of fixed size. What writes a file ends the program where it cannot.
 */
#pragma once

#include "test/determinism/random_parts.h"
#include "test/determinism/random_plan.h"

enum { RANDOM_NAME = 24 };

/* The graph with its taps. Nodes and edges of the plan's graph keep their numbers. */
struct random_variant {
    struct random_graph graph;
    char nodes[RANDOM_NODES][RANDOM_NAME], edges[RANDOM_EDGES][RANDOM_NAME];
    int taps[RANDOM_EDGES];    /* by edge of the plan: its tap's node, or 0 */
    int kpn[RANDOM_NODES];     /* by node of the plan: all of its ports are dynamic */
    int whole[RANDOM_EDGES];   /* by port of the plan: the node that keeps all of it, or 0 */
    int is_open[RANDOM_NODES]; /* by node of the plan: it stands outside (random_open.h) */
    int is_cut;                /* sources outside may send less than they would within */
    int fed[RANDOM_EDGES];     /* tokens that they send, by port */
    struct random_parts parts;
    /* With their parts: */
    char flat_nodes[RANDOM_NODES][RANDOM_NAME], flat_edges[RANDOM_EDGES][RANDOM_NAME];
    /* By part, port, and part that a channel leads into or out of: */
    unsigned char is_written[RANDOM_PARTS][RANDOM_EDGES][RANDOM_PARTS];
    unsigned char is_named[RANDOM_PARTS][RANDOM_EDGES][RANDOM_PARTS];
};

/* What a mapping may use. */
struct random_machine {
    int devices, cuda, nodes; /* of each node; 0 without nodes */
    int threads;              /* of a team; 0: there are none */
};

/* Without parts, and a tap in 0 of `among`, 1, .. or `among` of as many channels. */
void random_make_variant(struct random_variant *variant, struct random_plan *plan, int some,
                         int among);
/* Adds a reader to each port of what may stand outside, which never ends before the source. */
void random_keep_whole(struct random_variant *variant, const struct random_plan *plan);
void random_choose_kpn(struct random_variant *variant, struct random_plan *plan);

/* ---- what is known of it --------------------------------------------------------------------- */

int random_has_portable(const struct random_plan *plan, int node);
/* Of a node in an iteration: calls of its fire. */
int random_firings(const struct random_plan *plan, int node);
int random_is_open(const struct random_plan *plan, const struct random_variant *variant, int node);
int random_is_kpn(const struct random_plan *plan, const struct random_variant *variant, int node);
/* The edge of the plan that a variant's edge is a part of. */
int random_origin(const struct random_variant *variant, int edge);
/* Appends the name of a part as seen from one around it, "A" or "A.B". */
void random_name_part(const struct random_parts *parts, int part, int around, char *name);
/* Puts the parts of a thing in front of its name. */
void random_name_flat(const struct random_parts *parts, int part, const char *name,
                      char flat[RANDOM_NAME]);

/* ---- its files ------------------------------------------------------------------------------- */

/* network-NUMBER.xml and parts-NUMBER/; fills in the flat names. */
void random_write_network(const struct random_plan *plan, struct random_variant *variant,
                          int number);
/* map-NUMBER.xml, of a network that is written. */
void random_write_mapping(struct random_plan *plan, struct random_variant *variant, int number,
                          const struct random_machine *machine);
/* channels-NUMBER and `lengths` (random_network.c). */
void random_write_streams(const struct random_plan *plan, const struct random_variant *variant,
                          int number);
void random_write_lengths(const struct random_plan *plan);
