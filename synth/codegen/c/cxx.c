/* Checks that a C++ compiler is there: the one that the program's Makefile takes. */
#include "synth/codegen/c/unit.h"

#include "rt/base/child.h"
#include "rt/base/error.h"
#include "spec/base/text.h"

#include <stdlib.h>

int dal__unit_check_cxx(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const char *given = getenv("CXX"), *at = given && *given ? given : "c++";
    struct dal_text word = {0};
    int found;
    if (unit->type != DAL_SOURCE_C || !dal_spec_has_cxx(unit->source))
        return DAL_OK;
    found = dal_text_next_word(&at, &word) > 0 ? dal_child_is_there(dal_text_get(&word)) : 0;
    if (!found)
        dal_error(
            diags, unit->source->place, "no-cxx",
            "source '%s' is C++, and its compiler '%s' is not there: install one (g++), or say "
            "which in the variable CXX",
            unit->source->location, dal_text_get(&word));
    found = word.lost ? -1 : found;
    dal_text_finish(&word);
    return found < 0 ? DAL_ERR_NOMEM : found ? DAL_OK : DAL_ERR_INVALID;
}
