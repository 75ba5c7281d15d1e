/*
 * random_words.h: a chain of processes that go over their tokens word by word, or only look so.
 *
 * In most networks such a chain stands between two processes that there were. What a kernel of it
 * writes is a word for each word that it reads, so that a group of them can pass words in registers
 * (synth/codegen/kernel/words.c). Kernels with another look must not do that.
 */
#pragma once

#include "test/determinism/random_variant.h"

/* Adds the chain to a graph that is drawn, and its traits to a plan whose other traits are. */
void random_words_insert(struct random_plan *plan, uint64_t seed);
void random_words_draw(struct random_plan *plan, uint64_t seed);

/* Is a node in the chain? */
int random_has_words(const struct random_plan *plan, int node);

/* ---- sources --------------------------------------------------------------------------------- */

/* The variables with all bytes of its ports, and what is computed of them: of its C source. */
void random_words_variables(FILE *file, const struct random_plan *plan, int node);
void random_words_code(FILE *file, const struct random_plan *plan, int node);
/* pNODE.cl, pNODE_portable.c */
void random_words_kernel(const struct random_plan *plan, int node);
void random_words_portable(const struct random_plan *plan, int node);

/* ---- mappings -------------------------------------------------------------------------------- */

/* Where the chain is, if it is in one place, and with how many work-items. */
struct random_words_place {
    int is_one, node;
    char prefix[RANDOM_NAME], processor[RANDOM_NAME];
    int items, copies;
};

/* Draws it for a mapping of this number. */
void random_words_place(struct random_words_place *place, const struct random_plan *plan,
                        const struct random_machine *machine, int number);
/* Returns how many work-items a node can have, instead of what was drawn: one dimension, or as many
 * as words. */
const char *random_words_items(const struct random_plan *plan, int node, const char *drawn,
                               char text[RANDOM_NAME]);
