/*
 * random_plan.h: a network drawn by chance with all that its files need, and its processes'
 * sources.
 */
#pragma once

#include "test/determinism/random_graph.h"

#include <stdio.h>

/* What a node is beside its place in the graph. */
struct random_trait {
    int has_kernel;     /* and a portable source, unless it has parameters */
    int has_constant;   /* which all of its sources take */
    int has_parameters; /* which its C source and its kernel take */
    int stateless;      /* its C source keeps nothing: it may fire on several cores at once */
    int local_memory;   /* its kernel's way of working */
    int blocks;         /* of its portable source */
    int ends_in_firing; /* source: the last tokens are sent by the firing that ends it */
    int phases;         /* of a cyclo-static one, whose firings in the graph are cycles; else 1 */
    int by_phase;       /* where a cycle lacks tokens or space, a phase is fired */
    int may_open;       /* it may stand outside of the network (random_open.h) */
    int shares_loops;   /* its C source has loops for a team of threads, of any size */
};

enum { RANDOM_PHASES = 4, RANDOM_TABLE = 7 /* numbers of a constant */ };

struct random_port_trait {
    int copies; /* DAL_read, DAL_write instead of windows */
};

struct random_type {
    int bytes;                /* of a token: `count` elements */
    const char *name, *descr; /* in C, and in NumPy */
    int count;
};

struct random_plan {
    struct random_graph graph;
    struct random_dice dice;
    struct random_trait traits[RANDOM_NODES];
    /* By edge: how the rate of a cycle is spread over the phases; of outputs, by their port. */
    int in_phases[RANDOM_EDGES][RANDOM_PHASES], out_phases[RANDOM_EDGES][RANDOM_PHASES];
    struct random_port_trait inputs[RANDOM_EDGES], outputs[RANDOM_EDGES]; /* by edge */
    int tap_rates[RANDOM_EDGES];
    char *data[RANDOM_EDGES]; /* attribute that gives the initial tokens' bytes */
    const struct random_type *types[RANDOM_EDGES]; /* of tokens at open ports; or NULL */
    int iterations;
    int cores;
    const char *folder;
};

/* Draws all of it but folder and cores, which are set. Writes data files into the folder. The
 * caller frees `data`. */
void random_plan_draw(struct random_plan *plan, uint64_t seed);

/* The output whose blocks a node's portable source shares out. The node must have one. */
int random_first_output(const struct random_graph *graph, int node);

/* Does a node count its firings, and end by itself when it is told to (parameter `firings`)? */
int random_counts(const struct random_plan *plan, int node);

/* Writes the sources of all processes: pN.c, and pN.cl and pN_portable.c where there is a kernel.
 */
void random_write_sources(const struct random_plan *plan);
