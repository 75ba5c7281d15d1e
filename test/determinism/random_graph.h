/*
 * random_graph.h: networks drawn by chance, and whether given capacities let them run.
 *
 * A graph is drawn from its repetition vector, so that its rates are consistent; channels against
 * the order of its nodes get as many initial tokens as one iteration needs. Plain values of fixed
 * size; no errors.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

enum { RANDOM_NODES = 96, RANDOM_EDGES = 160, RANDOM_RATE = 8 };

struct random_dice {
    uint64_t state;
};

void random_seed(struct random_dice *dice, uint64_t seed);
/* 0 .. sides - 1 */
int random_below(struct random_dice *dice, int sides);
/* 1 in `chances` times */
int random_once(struct random_dice *dice, int chances);

struct random_node {
    int firings; /* in one iteration */
    int source;  /* no input but channels against the order */
    int sink;    /* no output but channels against the order */
};

struct random_edge {
    int from, to;
    int rate_in, rate_out;
    int bytes;    /* of a token */
    int initial;  /* tokens */
    int capacity; /* tokens; 0: not limited */
    int port;     /* the first edge that the same output port feeds: its index */
};

struct random_graph {
    struct random_node nodes[RANDOM_NODES];
    struct random_edge edges[RANDOM_EDGES];
    int node_count, edge_count;
};

/* 3 to 10 nodes, producers first. Every node that is no source has an input from an earlier one, so
 * that the end of the sources is the end of all. */
void random_graph_draw(struct random_graph *graph, struct random_dice *dice);

/* Runs one iteration, or as far as tokens and capacities let it. Returns whether it was whole;
 * otherwise *stuck is an edge that some node waits for: its index, with *full set when for space.
 */
int random_graph_live(const struct random_graph *graph, int *stuck, int *full);

/* Gives every edge a capacity: now and then ample, mostly close to the least that is live. */
void random_graph_size(struct random_graph *graph, struct random_dice *dice);

/* Says why `what` failed, by errno, and ends the program. */
void random_fail(const char *what) __attribute__((noreturn));

/* Opens a file in a folder for writing, and closes it whole; each ends the program with a
 * message where it cannot. */
FILE *random_create(const char *folder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void random_finish(FILE *file);

/* Whether an edge is an output port of a node (output 1), the first where one port feeds several,
 * or an input (0). */
int random_edge_at(const struct random_graph *graph, int edge, int node, int output);
