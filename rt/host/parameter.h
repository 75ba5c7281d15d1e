/* The value of a parameter of a running process, as text and as the numbers that the text is. */
#pragma once

#include "include/net.h"
#include "rt/base/sync.h"
#include "rt/base/value.h"

/* The numbers are read by the thread that fires the process, as they are set; others may read the
 * text. */
struct dal_parameter {
    const char *_Atomic text; /* not owned; released by who sets it */
    long integer;             /* where is_integer */
    double real;              /* where is_real; finite */
    int is_integer, is_real;
};

/* Sets the text, which must outlive the process, and finds the numbers once, so that no firing has
 * to. A float is the number that a kernel gets. */
void dal_parameter_set(struct dal_parameter *parameter, const struct dal_parameter_desc *desc,
                       const char *text);

static inline const char *dal_parameter_text(const struct dal_parameter *parameter)
{
    return atomic_load_explicit(&parameter->text, memory_order_acquire);
}

/* Is a text a value of the parameter's type, in its range? Returns DAL_OK, or DAL_ERR_INVALID with
 * `why` set. A parameter without a type takes any text. */
int dal_parameter_check(const struct dal_parameter_desc *desc, const char *text,
                        char why[DAL_VALUE_WHY]);
