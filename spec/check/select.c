

#include "rt/base/error.h"
#include "spec/check/check.h"
#include <string.h>

void dal__name_taken(struct dal_diags *diags, const char *kind, const char *name,
                     struct dal_spec_place place, struct dal_spec_place first)
{
    dal_error(diags, place, "duplicate-name", "%s'%s': this name is taken", kind, name);
    dal_note(diags, first, "'%s' is here", name);
}

int dal__check_names(struct dal_diags *diags, struct dal_names *names, const char *kind,
                     const void *list, size_t count, size_t bytes, size_t name, size_t place)
{
    const char *things = list;
    for (size_t i = 0; i < count; i++) {
        const char *thing = things + i * bytes, *text = *(char *const *)(thing + name);
        int status = dal_names_add(names, text, i);
        if (status == DAL_ERR_NOMEM)
            return dal__lost(diags);
        if (status)
            dal__name_taken(diags, kind, text, *(const struct dal_spec_place *)(thing + place),
                            *(const struct dal_spec_place *)(things + place +
                                                             bytes * dal_names_find(names, text)));
    }
    return DAL_OK;
}

/* Patterns in one file; each is held against every name. */
#define MAX_PATTERNS 1000

static void report_conflict(struct dal_diags *diags, const struct dal__selection *selection,
                            size_t thing, size_t first, size_t second)
{
    const struct dal__raw_reference *rule = selection->rule(selection->context, second);
    const struct dal__raw_reference *other = selection->rule(selection->context, first);
    dal_error(diags, rule->place, "duplicate-binding", "a second %s for %s '%s'",
              selection->element, selection->thing, selection->name(selection->context, thing));
    dal_note(diags, other->place, "the first is here, for '%s'", other->name);
}

/* A name that something has is no pattern, whatever is in it. */
static int is_pattern(const struct dal__selection *selection, size_t rule)
{
    const char *name = selection->rule(selection->context, rule)->name;
    return dal_names_is_pattern(name) && dal_names_find(selection->all, name) == DAL_NAMES_NONE;
}

static void choose_exact(struct dal_diags *diags, const struct dal__selection *selection,
                         size_t rule, size_t *chosen)
{
    const struct dal__raw_reference *reference = selection->rule(selection->context, rule);
    size_t thing = dal_names_find(selection->all, reference->name);
    struct dal__hint hint;
    if (thing == DAL_NAMES_NONE)
        dal_error(diags, reference->place, selection->unknown, "%s: there is no %s '%s'%s",
                  selection->element, selection->thing, reference->name,
                  dal__did_you_mean(&hint, selection->all, reference->name));
    else if (chosen[thing] != DAL_NAMES_NONE)
        report_conflict(diags, selection, thing, chosen[thing], rule);
    else
        chosen[thing] = rule;
}

/* Patterns come after all exact names, so what is chosen by another pattern has equal rank. */
static void choose_pattern(struct dal_diags *diags, const struct dal__selection *selection,
                           size_t rule, size_t *chosen)
{
    const struct dal__raw_reference *reference = selection->rule(selection->context, rule);
    size_t fits = 0;
    for (size_t thing = 0; thing < selection->thing_count; thing++) {
        if (!dal_names_match(reference->name, selection->name(selection->context, thing)))
            continue;
        fits++;
        if (chosen[thing] == DAL_NAMES_NONE)
            chosen[thing] = rule;
        else if (is_pattern(selection, chosen[thing]))
            report_conflict(diags, selection, thing, chosen[thing], rule);
    }
    if (fits == 0)
        dal_error(diags, reference->place, selection->unknown, "%s: no %s fits '%s'",
                  selection->element, selection->thing, reference->name);
}

void dal__select(struct dal_diags *diags, const struct dal__selection *selection, size_t *chosen)
{
    size_t patterns = 0;
    for (size_t thing = 0; thing < selection->thing_count; thing++)
        chosen[thing] = DAL_NAMES_NONE;
    for (size_t rule = 0; rule < selection->rule_count; rule++)
        if (!is_pattern(selection, rule))
            choose_exact(diags, selection, rule, chosen);
    for (size_t rule = 0; rule < selection->rule_count; rule++) {
        const struct dal__raw_reference *reference = selection->rule(selection->context, rule);
        if (!is_pattern(selection, rule))
            continue;
        if (patterns++ == MAX_PATTERNS) {
            dal_error(diags, reference->place, "network-size", "more than %d patterns",
                      MAX_PATTERNS);
            break;
        }
        choose_pattern(diags, selection, rule, chosen);
    }
}
