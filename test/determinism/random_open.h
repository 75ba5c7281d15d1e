/*
 * random_open.h: open ports. Some sources and sinks of a variant stand outside of the network: each
 * output port of such a source is an input of the network, in_E, and each channel to such a sink an
 * output, out_E, where E is the edge. Plain values of fixed size; no errors but in writing a file.
 */
#pragma once

#include "test/determinism/random_variant.h"

/* Draws what may stand outside, and of which types tokens are, with dice of its own. Then a tap
 * behind such a source passes single tokens on, so that all of them go on at any end. */
void random_open_draw(struct random_plan *plan, uint64_t seed);

/* Lets some of them stand outside of a variant, and cuts what some of the sources send. */
void random_open_choose(struct random_variant *variant, const struct random_plan *plan,
                        struct random_dice *dice);

/* Writes the port of the network that an end of an edge of the plan is: of its source (is_input),
 * or of its sink. */
void random_open_name(const struct random_plan *plan, int edge, int is_input,
                      char name[RANDOM_NAME]);

/* Writes the elements of these ports, and bindings for some of them. */
void random_open_write(FILE *file, const struct random_plan *plan,
                       const struct random_variant *variant);
void random_open_bind(FILE *file, struct random_plan *plan, const struct random_variant *variant);

/* What a run to the end moves, however it is mapped. */
struct random_count {
    long written[RANDOM_EDGES]; /* tokens, by port; without initial ones */
    long read[RANDOM_EDGES];
    long fired[RANDOM_NODES]; /* cycles; phases of what is fired by phase */
};

void random_count(const struct random_plan *plan, const struct random_variant *variant,
                  struct random_count *count);

/* ports-NUMBER (random_network.c) */
void random_write_ports(const struct random_plan *plan, const struct random_variant *variant,
                        int number);
