/*
 * The header for the files that find whether a kernel goes over its windows word by word:
 * tree_steps.c, tree_loops.c and tree_index.c, which tells what its expressions are.
 */
#pragma once

#include "synth/codegen/clang/tree_blocks.h"

enum { DAL_STEP_NAMES = 64 };

/* number + block * B + item * I, for the word I of a loop over words, or in block B of one over
 * blocks. */
struct dal_sum {
    int is_known;
    long long number, block, item;
};

/* A parameter, or a variable that points into the same window. */
struct dal_step_name {
    CXCursor variable;
    const char *port;
    struct dal_sum at; /* the byte there */
    int in_way;        /* nothing more is said of it; of the parameter */
    unsigned uses;     /* of the memory, in bits */
};

struct dal_step {
    struct dal_ast *tree;
    CXCursor body;
    int is_fire;                    /* of a portable source */
    CXCursor item;                  /* what the outer loop begins with: a question or a call */
    CXCursor loop, inside, counter; /* over the words, what it does, its variable; or null */
    CXCursor outer, around, block;  /* the same of the loop over blocks around it, or of that loop
                                       itself; without blocks, no variable */
    struct dal_sum own;             /* the number of the work-item's word */
    struct dal_step_name names[DAL_STEP_NAMES];
    int name_count; /* the first is "", of all ports */
    struct {
        CXCursor variable;
        int is_set;
    } known[DAL_STEP_NAMES];
    int known_count;
    CXCursor followed[DAL_STEP_NAMES]; /* functions of the source that it calls in blocks */
    int followed_count;
    struct dal_step_fact fact, rows; /* of the outer loop; of the one in it, or 0 */
};

/* Notes once what is in the way of a port; or of all, for "". */
void dal__add_in_way(struct dal_step *s, const char *port, CXCursor at, const char *words);
/* Finds the loops, and what they do; what is wrong with one is in the way. */
void dal__find_loops(struct dal_step *s);

/* The parts of an expression or a statement, up to some. */
struct dal_list {
    CXCursor at[5];
    unsigned count;
};
struct dal_list dal__list_of(CXCursor cursor);

int dal__is_kind(CXCursor cursor, enum CXCursorKind kind);
int dal__is_in(CXCursor cursor, CXCursor whole);
/* Is it a bracket, or a conversion? */
int dal__is_wrapper(CXCursor cursor);
/* Has an expression of two parts this operator between them? */
int dal__is_operation(const struct dal_step *s, CXCursor cursor, const char *word);
/* Does it name that variable alone? */
int dal__is_name_of(CXCursor cursor, CXCursor variable);
/* Returns a constant's value, or -1. */
long long dal__value_of(CXCursor cursor);
/* Returns the expression, or what stands for it: the first value of a variable that keeps that. */
CXCursor dal__resolve(struct dal_step *s, CXCursor cursor);
/* Asks a work-item's function of that name, of its first dimension? */
int dal__is_question(CXCursor cursor, const char *name);
/* Does it call, or name, the function of a portable source's blocks and windows that is called so?
 * Or one of them all, for NULL? */
int dal__is_ours(const struct dal_step *s, CXCursor cursor, const char *name);
/* Does it give a value, and nothing else, if its parts do so too? The second looks at those. */
int dal__only_gives(const struct dal_step *s, CXCursor cursor);
int dal__is_pure(const struct dal_step *s, CXCursor expression);
/* Returns what an index comes to, from the begin of the firing's window. */
struct dal_sum dal__sum_of(struct dal_step *s, CXCursor cursor);
struct dal_sum dal__sum_add(struct dal_sum a, struct dal_sum b);
struct dal_sum dal__sum_scale(struct dal_sum a, long long factor);
int dal__is_sum(struct dal_sum a, long long number, long long block, long long item);
/* Is an expression 0? */
int dal__is_zero(struct dal_step *s, CXCursor cursor);
/* Is it the number of the work-item? */
int dal__is_item(struct dal_step *s, CXCursor cursor);
