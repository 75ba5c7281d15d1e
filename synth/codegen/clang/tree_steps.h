/*
 * The header for the files that find whether a kernel goes over its windows word by word:
 * tree_steps.c, and tree_index.c, which tells what its expressions are.
 */
#pragma once

#include "synth/codegen/clang/tree_blocks.h"

enum { DAL_STEP_NAMES = 64 };

/* A parameter, or a variable that points to the same place. */
struct dal_step_name {
    CXCursor variable;
    const char *port;
    int in_way; /* nothing more is said of it; of the parameter */
};

struct dal_step {
    struct dal_ast *tree;
    CXCursor body;
    CXCursor loop, inside, counter; /* over the words, what it does, its variable; or null */
    struct dal_step_name names[DAL_STEP_NAMES];
    int name_count; /* the first is "", of all ports */
    struct {
        CXCursor variable;
        int is_set;
    } known[DAL_STEP_NAMES];
    int known_count;
    struct dal_step_fact fact;
};

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
/* Is an expression 0? The depth is that of the one around it. */
int dal__is_zero(struct dal_step *s, CXCursor cursor, int depth);
/* Is it the number of the work-item? */
int dal__is_item(struct dal_step *s, CXCursor cursor);
/* Is it the number of the work-item's word, from the begin of the firing's window? */
int dal__is_index(struct dal_step *s, CXCursor cursor);
