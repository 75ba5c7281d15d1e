/* Finds libraries of several sources that define the same names. */
#pragma once

#include "spec/base/diag.h"
#include "synth/plan/plan.h"

/*
 * A program has one of each global name. If libraries of two sources define the same name, both
 * sources get one of the two. That is a warning, with the names of both libraries, unless both
 * sources alone would get the same one. dal_libs_find() says which files are libraries. Those that
 * are not there yet, or that nm cannot read, are left out. Weak names of a compiler, as those of
 * inline functions of C++, may be in several. Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_INTERRUPTED.
 * Call it after dal_child_guard().
 */
int dal_libraries_check(struct dal_diags *diags, const struct dal_plan *plan);
