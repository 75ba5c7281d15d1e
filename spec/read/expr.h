/*
 * Integer expressions in 64 bits; every overflow is found. They have + - * / % ( ), unary + and -,
 * decimal integers, variables of integers, and calls. The functions are bitreverse(n, bits),
 * floor(n), log2(n), max(a, b), min(a, b) and pow(base, exponent). Division truncates, as in C;
 * log2 is rounded down. There is no recursion; at most DAL_EXPR_DEPTH operators and parentheses may
 * be open at a time. One thread.
 */
#pragma once

#include "spec/model/variables.h"

#include <stddef.h>
#include <stdint.h>

#define DAL_EXPR_DEPTH 64

struct dal_expr_variable {
    const char *name; /* not owned */
    int64_t value;
    enum dal_variable_type type; /* set by its owner if it is no integer, */
    const char *text;            /* with its value, not owned; else NULL */
    int line;                    /* line of its declaration, if its owner sets it; else 0 */
    size_t hidden;               /* the one before it of the same hash, plus 1; 0 without */
};

/* The variables in sight; of several with a name, the last one counts. */
struct dal_expr_scope {
    struct dal_expr_variable *list;
    size_t count, room;
    size_t *last; /* the last variable of a hash, plus 1 */
};

/* The reason why an expression has no value. */
struct dal_expr_fault {
    const char *code; /* a name of spec/base/codes.h */
    char text[200];   /* the fault, without a full stop */
    char name[80];    /* the variable, for "unknown-variable"; else empty */
};

/* Puts a variable, of no line, at the end of the list. Returns DAL_OK or DAL_ERR_NOMEM. `name` must
 * outlive its stay in the scope. */
int dal_expr_push(struct dal_expr_scope *scope, const char *name, int64_t value);
void dal_expr_pop(struct dal_expr_scope *scope);
/* Returns NULL when there is no such variable. */
const struct dal_expr_variable *dal_expr_find(const struct dal_expr_scope *scope, const char *name);
void dal_expr_scope_finish(struct dal_expr_scope *scope);

/* Returns DAL_OK with *value set, or DAL_ERR_INVALID with *fault filled in. */
int dal_expr_eval(const struct dal_expr_scope *scope, const char *text, int64_t *value,
                  struct dal_expr_fault *fault);

/* Makes a new string with every ${EXPRESSION} of `text` replaced by its value, owned by the caller,
 * in *result. A variable that is no integer stands there alone. Returns DAL_OK, DAL_ERR_NOMEM, or
 * DAL_ERR_INVALID with *fault filled in. */
int dal_expr_expand(const struct dal_expr_scope *scope, const char *text, char **result,
                    struct dal_expr_fault *fault);
