/*
 * The values of an iterator: an expression, or the head of a loop in Java, as early files for DOL
 * have it:
 *
 *     for (int i = 1; i < N; i++)     also <=, ++i, i += 2, and without int
 *
 * Internal to spec/read. One thread.
 */
#pragma once

#include "spec/read/expr.h"

struct dal__range {
    int64_t first, step, count; /* none of them is negative, and the last value fits 64 bits */
};

/* Is the text a loop of Java's? */
int dal__range_is_loop(const char *text);

/* Reads such a loop over `variable`. DAL_OK, or DAL_ERR_INVALID with the fault; what is Java and
 * not of the form above is one, too. */
int dal__range_read(const struct dal_expr_scope *scope, const char *text, const char *variable,
                    struct dal__range *range, struct dal_expr_fault *fault);
