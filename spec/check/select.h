/*
 * Which of several rules, each with a name or a pattern of names, holds for which thing: an exact
 * name wins over a pattern. Internal to spec/. One thread.
 */
#ifndef DAL_SPEC_CHECK_SELECT_H
#define DAL_SPEC_CHECK_SELECT_H

#include "spec/read/raw.h"

struct dal__selection {
    const char *element;         /* of the rules, for messages: "binding" */
    const char *unknown;         /* code for a rule that fits nothing */
    const char *thing;           /* what the names are names of: "process" */
    const struct dal_names *all; /* names of the things, numbered from 0 */
    const char *(*name)(const void *context, size_t thing);
    const struct dal__raw_reference *(*rule)(const void *context, size_t rule);
    const void *context;
    size_t thing_count, rule_count;
};

/*
 * Fills in chosen[thing] with a rule or DAL_NAMES_NONE. Rules that fit nothing, or the same thing
 * with equal rank, are errors. Returns DAL_OK or DAL_ERR_NOMEM.
 */
int dal__select(struct dal_diags *diags, const struct dal__selection *selection, size_t *chosen);

#endif
