/*
 * random_plan.h: a network drawn by chance with all that its files need, and its processes'
 * sources.
 */
#ifndef DAL_TEST_RANDOM_PLAN_H
#define DAL_TEST_RANDOM_PLAN_H

#include "test/determinism/random_graph.h"

#include <stdio.h>

/* What a node is beside its place in the graph. */
struct random_trait {
    int has_kernel;     /* and a portable source, unless it has parameters */
    int has_parameters; /* which its C source and its kernel take */
    int stateless;      /* its C source may fire on several cores at once */
    int local_memory;   /* its kernel's way of working */
    int blocks;         /* of its portable source */
    int ends_in_firing; /* source: the last tokens are sent by the firing that ends it */
};

struct random_port_trait {
    int copies; /* DAL_read, DAL_write instead of windows */
};

struct random_plan {
    struct random_graph graph;
    struct random_dice dice;
    struct random_trait traits[RANDOM_NODES];
    struct random_port_trait inputs[RANDOM_EDGES], outputs[RANDOM_EDGES]; /* by edge */
    int tap_rates[RANDOM_EDGES];
    char *data[RANDOM_EDGES]; /* attribute that gives the initial tokens' bytes */
    int iterations;
    int cores;
    const char *folder;
};

/* Says why `what` failed, by errno, and ends the program. */
void random_fail(const char *what) __attribute__((noreturn));

/* Opens a file in the plan's folder for writing, and closes it whole; each ends the program with a
 * message where it cannot. */
FILE *random_create(const struct random_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void random_finish(FILE *file);

/* Whether an edge is an output port of a node (output 1), the first where one port feeds several,
 * or an input (0). */
int random_edge_at(const struct random_graph *graph, int edge, int node, int output);
/* The output whose blocks a node's portable source shares out. The node must have one. */
int random_first_output(const struct random_graph *graph, int node);

/* Writes the sources of all processes: pN.c, and pN.cl and pN_portable.c where there is a kernel.
 */
void random_write_sources(const struct random_plan *plan);

#endif
