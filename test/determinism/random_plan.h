/*
 * random_plan.h: a network drawn by chance with all that its files need, and its processes'
 * sources.
 */
#pragma once

#include "test/determinism/random_graph.h"

#include <stdio.h>

/* How a kernel of the chain (random_words.h) goes over its words. Only the first two looks can pass
 * them in registers. */
enum random_look {
    RANDOM_OWN,
    RANDOM_NOW_AND_THEN,   /* some of its words are not read */
    RANDOM_NEXT,           /* it reads the word of a neighbour */
    RANDOM_BY_PARAMETER,   /* that of one that a parameter tells */
    RANDOM_TWO_NAMES,      /* a neighbour's by another pointer */
    RANDOM_BEHIND_BARRIER, /* a neighbour's from local memory */
    RANDOM_ALL_BEFORE,     /* all words up to its own */
    RANDOM_EITHER_STORE,   /* it writes in one of two ways */
    RANDOM_TURNED,         /* it writes the word of a neighbour */
    RANDOM_LEAVES,         /* it might end earlier */
    RANDOM_IN_FRONT,       /* a neighbour's that is read in front of the loop */
    RANDOM_INNER_LOOP,     /* its own and a neighbour's, by an inner counter */
    RANDOM_EFFECT,         /* a neighbour's, since the index of its own counts on */
    RANDOM_LOOKS
};

/* What names a word: an index from the launch's begin on, a pointer that is moved, another pointer,
 * one that goes on with the loop, an index in a row of words for each work-item, or the number of
 * the work-item, without a loop. */
enum random_form {
    RANDOM_INDEX,
    RANDOM_MOVED,
    RANDOM_ALIAS,
    RANDOM_STEPPED,
    RANDOM_ROW,
    RANDOM_ITEM,
    RANDOM_FORMS
};

/* Of the chain: its first node, how many, their words, and the bytes of one. */
struct random_chain {
    int first, nodes, words, bytes;
    int has_items; /* each word has a work-item */
};

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
    enum random_look look; /* of a node in the chain */
    enum random_form form;
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
    struct random_chain chain;
    struct random_trait traits[RANDOM_NODES];
    /* By edge: how the rate of a cycle is spread over the phases; of outputs, by their port. */
    int in_phases[RANDOM_EDGES][RANDOM_PHASES], out_phases[RANDOM_EDGES][RANDOM_PHASES];
    struct random_port_trait inputs[RANDOM_EDGES], outputs[RANDOM_EDGES]; /* by edge */
    int tap_rates[RANDOM_EDGES];
    char *data[RANDOM_EDGES]; /* attribute that gives the initial tokens' bytes */
    const struct random_type *types[RANDOM_EDGES]; /* of tokens at open ports; or NULL */
    int iterations;
    int cores;
    uint64_t seed;
    const char *folder;
};

/* Draws all of it but folder and cores, which are set. Writes data files into the folder. The
 * caller frees `data`. */
void random_plan_draw(struct random_plan *plan, uint64_t seed);

/* The output whose blocks a node's portable source shares out. The node must have one. */
int random_first_output(const struct random_graph *graph, int node);

/* What is made of the parameters, from `salt` and `tint`; alike in C and OpenCL C. */
extern const char random_take_parameters[];
/* Writes what is made of the constant; in C and OpenCL C. */
void random_write_constant(FILE *file);

/* Does a node count its firings, and end by itself when it is told to (parameter `firings`)? */
int random_counts(const struct random_plan *plan, int node);

/* Writes the sources of all processes: pN.c, and pN.cl and pN_portable.c where there is a kernel.
 */
void random_write_sources(const struct random_plan *plan);
