/*
 * What a part tells of itself, for those who use it: ports, variables, parameters and packages, as
 * its file has them. One thread.
 */
#pragma once

#include "spec/base/diag.h"

/* Prints the names of the parts that are installed, each with what it is. Returns DAL_OK,
 * DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problems in diags. */
int dal_parts_list(struct dal_diags *diags, FILE *out);

/* Prints all of one part. `name` is that of an installed one, or a path that ends with ".xml".
 * Returns as above. */
int dal_part_describe(struct dal_diags *diags, const char *name, FILE *out);
