/* Finds the functions of a process in a C source, and the type of its state. */
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const roles[DAL_ROLES] = {"_init", "_fire", "_finish"};

/* Returns the length of what stands in front of the role in a function's name; 0 for another
 * role. */
static size_t stem_length(const char *name, enum dal_role role)
{
    size_t length = strlen(name), tail = strlen(roles[role]);
    return length > tail && strcmp(name + length - tail, roles[role]) == 0 ? length - tail : 0;
}

static const struct dal_function *find_role(const struct dal_facts *facts, const char *stem,
                                            enum dal_role role)
{
    size_t length = strlen(stem);
    for (size_t i = 0; i < facts->function_count; i++)
        if (stem_length(facts->functions[i].name, role) == length &&
            strncmp(facts->functions[i].name, stem, length) == 0)
            return &facts->functions[i];
    return NULL;
}

/* Does the process have this source, on its processor or where it falls back? */
static int is_of_source(const struct dal_plan_process *p, const char *path)
{
    return strcmp(p->source->path, path) == 0 ||
           (p->fallback && strcmp(p->fallback->source->path, path) == 0);
}

/* The fire functions of a source, by name. */
struct named {
    struct dal_function **list;
    size_t count;
};

static int compare_functions(const void *a, const void *b)
{
    struct dal_function *const *one = a, *const *other = b;

    return strcmp((*one)->name, (*other)->name);
}

static int sort_functions(struct named *named, const struct dal_facts *facts)
{
    named->count = 0;
    named->list = dal_calloc(facts->function_count + 1, sizeof(struct dal_function *));
    if (!named->list)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < facts->function_count; i++)
        if (stem_length(facts->functions[i].name, DAL_ROLE_FIRE))
            named->list[named->count++] = &facts->functions[i];
    qsort(named->list, named->count, sizeof(struct dal_function *), compare_functions);
    return DAL_OK;
}

static int mark_after(const struct named *named, const char *stem)
{
    char *name = stem ? dal_format("%s%s", stem, roles[DAL_ROLE_FIRE]) : NULL;
    struct dal_function key = {.name = name}, *at = &key, **found = NULL;
    if (name)
        found = bsearch(&at, named->list, named->count, sizeof(at), compare_functions);
    if (found)
        (*found)->of_other = 1;
    dal_free(name);
    return name ? DAL_OK : DAL_ERR_NOMEM;
}

static int mark_process(const struct named *named, const struct dal_spec_process *process)
{
    char *plain = dal_text_identifier(process->base);
    int status = mark_after(named, process->base) || mark_after(named, plain);
    dal_free(plain);
    return status ? DAL_ERR_NOMEM : DAL_OK;
}

/* Marks the functions that other processes of the source are called after: once for all units that
 * share the facts, since there may be as many of each. */
static int mark_others(const struct dal_plan *plan, const struct dal_plan_unit *unit)
{
    const struct dal_plan *peer;
    struct named named;
    int status;
    if (unit->facts->others_known)
        return DAL_OK;
    status = sort_functions(&named, unit->facts);
    for (size_t k = 0; !status && (peer = dal_plan_peer(plan, k)); k++)
        for (size_t i = 0; !status && i < peer->process_count; i++)
            if (is_of_source(&peer->processes[i], unit->source->path))
                status = mark_process(&named, peer->processes[i].process);
    dal_free(named.list);
    unit->facts->others_known = !status;
    return status;
}

/* Is the function, called `name` without its role, after one of the names? With `others` it may
 * also be after another process of the source, or after names[0] in another case. */
static int is_meant(const struct dal_function *function, const char *name,
                    const char *const names[2], int others)
{
    if (others)
        return function->of_other || strcasecmp(name, names[0]) == 0;
    return strcmp(name, names[0]) == 0 || (names[1] && strcmp(name, names[1]) == 0);
}

/* Counts the fire functions that are meant in *count. Returns what the first one is called without
 * its role, for the caller to free; NULL without one, and without memory. */
static char *find_stem(const struct dal_facts *facts, const char *const names[2], int others,
                       size_t *count)
{
    char *first = NULL;
    *count = 0;
    for (size_t i = 0; i < facts->function_count; i++) {
        const struct dal_function *function = &facts->functions[i];
        size_t length = stem_length(function->name, DAL_ROLE_FIRE);
        char *name = length ? dal_format("%.*s", (int)length, function->name) : NULL;
        if (name && is_meant(function, name, names, others)) {
            if (!(*count)++)
                first = name, name = NULL;
        }
        dal_free(name);
    }
    return first;
}

/* Finds what the functions are called after: the process, by its name or that with _ for what no
 * identifier has; or else the file; or else something near these. */
static char *choose_stem(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                         const char *stem, size_t *count)
{
    char *plain = dal_text_identifier(unit->process->base);
    const char *const process[2] = {unit->process->base, plain}, *const file[2] = {stem};
    char *found = find_stem(unit->facts, process, 0, count);
    dal_free(plain);
    if (!found)
        found = find_stem(unit->facts, file, 0, count);
    if (found)
        return found;
    *count = 1; /* without memory */
    return mark_others(plan, unit) ? NULL : find_stem(unit->facts, file, 1, count);
}

static void refuse_functions(struct dal_diags *diags, const struct dal_plan_unit *unit,
                             const char *stem, size_t count)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, unit->source->path), .line = 1};
    const struct dal_facts *facts = unit->facts;
    const char *base = unit->process->base;
    if (!count) /* what is wrong with the source may be why nothing is found in it */
        dal__unit_errors(diags, unit->source, "source-build", unit->facts);
    if (count)
        dal_error(diags, place, "no-fire",
                  "process '%s': this source defines no function 'int %s_fire(DALProcess *p)', and "
                  "%zu others that may be meant; add that one, or name one '%s_fire' after the "
                  "file",
                  unit->process->name, base, count, stem);
    else
        dal_error(diags, place, "no-fire",
                  "process '%s': this source defines no function 'int %s_fire(DALProcess *p)'",
                  unit->process->name, base);
    if (!count && strcmp(base, stem))
        dal_note(diags, place, "'%s_fire', after the file, would do as well", stem);
    for (size_t i = 0; i < facts->function_count; i++)
        if (stem_length(facts->functions[i].name, DAL_ROLE_FIRE))
            dal_note(diags, place, "there is '%s'", facts->functions[i].name);
    dal_note(diags, unit->source->place, "the source is named here");
}

/* Is the type Square_State, for functions called square_fire, or for a process square? */
static int is_state_of(const char *type, const char *name)
{
    size_t length = strlen(name);
    return strncasecmp(type, name, 1) == 0 && strncmp(type + 1, name + 1, length - 1) == 0 &&
           strcmp(type + length, "_State") == 0;
}

/* A source for DOL may give its state this type instead of completing struct _local_states. */
static void find_state_type(const struct dal_plan *plan, struct dal_plan_unit *unit)
{
    const struct dal_fact *type = NULL;
    if (unit->has_state || !plan->spec->network.is_dol)
        return;
    while ((type = dal_fact_next(unit->facts, DAL_FACT_STATE_TYPE, type)) &&
           !is_state_of(type->name, unit->function) &&
           !is_state_of(type->name, unit->process->base))
        ;
    unit->state_type = type ? type : dal_fact_next(unit->facts, DAL_FACT_STATE_CAST, NULL);
    unit->has_state = unit->state_type != NULL;
}

int dal__unit_functions(struct dal_diags *diags, const struct dal_plan *plan,
                        struct dal_plan_unit *unit)
{
    const char *base = dal_path_base(unit->source->path);
    char *stem = unit->source->python ? dal_strdup("dal_python")
                                      : dal_format("%.*s", (int)strcspn(base, "."), base);
    size_t count;
    if (!stem)
        return DAL_ERR_NOMEM;
    unit->function = choose_stem(plan, unit, stem, &count);
    if (count != 1)
        refuse_functions(diags, unit, stem, count);
    dal_free(stem);
    if (count != 1 || !unit->function)
        return count == 1 ? DAL_ERR_NOMEM : DAL_ERR_INVALID;
    for (int role = 0; role < DAL_ROLES; role++)
        unit->roles[role] = find_role(unit->facts, unit->function, (enum dal_role)role);
    unit->keeps_p = unit->facts->keeps_p;
    unit->has_state = unit->facts->has_state;
    find_state_type(plan, unit);
    return DAL_OK;
}
