/* Finds which rule of a mapping is for which thing: names go before patterns. */

#include "rt/base/error.h"
#include "spec/check/check.h"

#include <stdlib.h>
#include <string.h>

void dal__name_taken(struct dal_diags *diags, const char *kind, const char *name,
                     struct dal_spec_place place, struct dal_spec_place first)
{
    dal_error(diags, place, "duplicate-name", "%s'%s': this name is taken", kind, name);
    dal_note(diags, first, "'%s' is here", name);
}

/* Connections of a <channel> have its place: where its own name is taken, so are theirs. */
static int is_told_of_channel(const struct dal_diags *diags, const char *kind,
                              struct dal_spec_place place)
{
    return strcmp(kind, "connection ") == 0 && dal_diags_tell(diags, place);
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
        if (status &&
            !is_told_of_channel(diags, kind, *(const struct dal_spec_place *)(thing + place)))
            dal__name_taken(diags, kind, text, *(const struct dal_spec_place *)(thing + place),
                            *(const struct dal_spec_place *)(things + place +
                                                             bytes * dal_names_find(names, text)));
    }
    return DAL_OK;
}

/* Most patterns in one file; each is compared with every name. */
#define MAX_PATTERNS 1000

static const char *name_of(const struct dal__selection *selection, size_t thing)
{
    return *(char *const *)dal__listed(&selection->names, thing);
}

static const struct dal__raw_reference *rule_of(const struct dal__selection *selection, size_t rule)
{
    return dal__listed(&selection->rules, rule);
}

static void report_conflict(struct dal_diags *diags, const struct dal__selection *selection,
                            size_t thing, size_t first, size_t second)
{
    const struct dal__raw_reference *rule = rule_of(selection, second);
    const struct dal__raw_reference *other = rule_of(selection, first);
    dal_error(diags, rule->place, "duplicate-binding", "a second %s for %s '%s'",
              selection->element, selection->thing, name_of(selection, thing));
    dal_note(diags, other->place, "the first is here, for '%s'", other->name);
}

/* A name of an existing thing is no pattern, whatever characters it has. */
static int is_pattern(const struct dal__selection *selection, size_t rule)
{
    const char *name = rule_of(selection, rule)->name;
    return dal_names_is_pattern(name) && dal_names_find(selection->all, name) == DAL_NAMES_NONE;
}

static int fits_any(const char *pattern, char *const *names, size_t count)
{
    while (count-- > 0)
        if (dal_names_match(pattern, names[count]))
            return 1;
    return 0;
}

/* Does a rule fit what is left out? */
static int fits_gone(const struct dal__selection *selection, const struct dal__raw_reference *rule)
{
    return fits_any(rule->name, selection->gone, selection->gone_count) ||
           (rule->place.file != selection->outer &&
            fits_any(rule->name, selection->inner, selection->inner_count));
}

static void choose_exact(struct dal_diags *diags, const struct dal__selection *selection,
                         size_t rule, size_t *chosen)
{
    const struct dal__raw_reference *reference = rule_of(selection, rule);
    size_t thing = dal_names_find(selection->all, reference->name);
    struct dal__hint hint;
    if (thing == DAL_NAMES_NONE && fits_gone(selection, reference))
        return;
    if (thing == DAL_NAMES_NONE)
        dal_error(diags, reference->place, selection->unknown, "%s: there is no %s '%s'%s",
                  selection->element, selection->thing, reference->name,
                  dal__did_you_mean(&hint, selection->all, reference->name));
    else if (chosen[thing] == DAL_NAMES_NONE)
        chosen[thing] = rule;
    else if (chosen[thing] >= selection->first)
        report_conflict(diags, selection, thing, chosen[thing], rule);
}

/* Measures how much of a name a pattern says. Patterns compare by `before` (characters before the
 * first special one), then `fixed` (ordinary ones), then `single` (each stands for any one of
 * several). */
struct pattern {
    size_t rule, before, fixed, single;
};

static struct pattern measure_pattern(const char *text, size_t rule)
{
    struct pattern p = {.rule = rule, .before = strcspn(text, "*?[")};
    while (*text) {
        const char *end = *text == '[' && text[1] ? strchr(text + 2, ']') : NULL;
        p.fixed += !end && *text != '*' && *text != '?';
        p.single += end || *text == '?';
        text = end ? end + 1 : text + 1;
    }
    return p;
}

static int compare_sizes(size_t a, size_t b)
{
    return (a < b) - (a > b);
}

/* The pattern that says more comes first. */
static int compare_patterns(const struct pattern *a, const struct pattern *b)
{
    int order = compare_sizes(a->before, b->before);
    order = order ? order : compare_sizes(a->fixed, b->fixed);
    return order ? order : compare_sizes(a->single, b->single);
}

/* Patterns that say equally much stay in the order of the file. */
static int order_patterns(const void *a, const void *b)
{
    int order = compare_patterns(a, b);
    return order ? order
                 : compare_sizes(((const struct pattern *)b)->rule,
                                 ((const struct pattern *)a)->rule);
}

/* Patterns come with the most exact first. An earlier choice is of a file in front, or an exact
 * name, or a pattern that says at least as much. */
static void choose_pattern(struct dal_diags *diags, const struct dal__selection *selection,
                           const struct pattern *pattern, size_t *chosen)
{
    const struct dal__raw_reference *reference = rule_of(selection, pattern->rule);
    size_t fits = 0;
    for (size_t thing = 0; thing < selection->names.count; thing++) {
        const char *other;
        struct pattern before;
        if (!dal_names_match(reference->name, name_of(selection, thing)))
            continue;
        fits++;
        if (chosen[thing] == DAL_NAMES_NONE) {
            chosen[thing] = pattern->rule;
            continue;
        }
        if (chosen[thing] < selection->first)
            continue;
        other = rule_of(selection, chosen[thing])->name;
        before = measure_pattern(other, chosen[thing]);
        if (is_pattern(selection, chosen[thing]) && compare_patterns(&before, pattern) == 0)
            report_conflict(diags, selection, thing, chosen[thing], pattern->rule);
    }
    if (fits == 0 && !fits_gone(selection, reference))
        dal_error(diags, reference->place, selection->unknown, "%s: no %s fits '%s'",
                  selection->element, selection->thing, reference->name);
}

/* Lists the patterns in the order in which they are tried. `letters`: of all names. Returns how
 * many. */
static size_t list_patterns(struct dal_diags *diags, const struct dal__selection *selection,
                            uint64_t letters, struct pattern *patterns)
{
    size_t count = 0;
    uint64_t work = 0;
    for (size_t rule = selection->first; rule < selection->end; rule++) {
        const struct dal__raw_reference *reference = rule_of(selection, rule);
        if (!is_pattern(selection, rule))
            continue;
        work += letters * strlen(reference->name);
        if (count == MAX_PATTERNS || work > DAL__MAX_MATCHING) {
            dal_error(diags, reference->place, "network-size",
                      "more than %d patterns, or too many for so many names", MAX_PATTERNS);
            break;
        }
        patterns[count++] = measure_pattern(reference->name, rule);
    }
    qsort(patterns, count, sizeof(*patterns), order_patterns);
    return count;
}

/* Selects by the rules of one file. */
static void select_by_file(struct dal_diags *diags, const struct dal__selection *selection,
                           uint64_t letters, size_t *chosen)
{
    struct pattern patterns[MAX_PATTERNS];
    size_t count;
    for (size_t rule = selection->first; rule < selection->end; rule++)
        if (!is_pattern(selection, rule))
            choose_exact(diags, selection, rule, chosen);
    count = list_patterns(diags, selection, letters, patterns);
    for (size_t i = 0; i < count; i++)
        choose_pattern(diags, selection, &patterns[i], chosen);
}

void dal__select(struct dal_diags *diags, const struct dal__selection *selection, size_t *chosen)
{
    struct dal__selection of_file = *selection;
    uint64_t letters = 0;
    for (size_t thing = 0; thing < selection->names.count; thing++) {
        letters += strlen(name_of(selection, thing));
        chosen[thing] = DAL_NAMES_NONE;
    }
    for (of_file.end = 0; of_file.end < selection->rules.count;) {
        const char *file = rule_of(selection, of_file.end)->place.file;
        of_file.first = of_file.end;
        while (of_file.end < selection->rules.count &&
               rule_of(selection, of_file.end)->place.file == file)
            of_file.end++;
        select_by_file(diags, &of_file, letters, chosen);
    }
}
