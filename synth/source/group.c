/*
 * The kernel of a group (include/net.h): the kernels of its processes are functions in it, and a
 * loop over the rounds calls them in turn. Each call is a firing, and sees a launch of one firing:
 * its group is number 0 of 1. So where a firing's tokens lie is a matter of pointers alone.
 *
 * The users' text is changed in four things, and keeps its lines: the kernel's head, its variables
 * in local memory, which become those of the group's kernel, other kernels, which are left out, and
 * names, which get a prefix since several sources stand in one text. A reader looks at the result;
 * where it finds an error, the processes are launched by themselves.
 */
#include "synth/source/reader.h"
#include "synth/source/source.h"
#include "synth/source/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A group that is made; its parts are the units of its processes, each once. */
struct maker {
    struct dal_diags *diags;
    struct dal_plan *plan;
    struct dal_plan_group *group;
    const struct dal_plan_unit **parts;
    size_t part_count;
    struct dal_text *text;
    struct dal_plan_process *culprit; /* who cannot be in it */
    char *reason;
};

static const struct dal_variants *variants_of(const struct dal_plan_unit *unit)
{
    return unit->in_group ? unit->in_group : unit->variants;
}

/* ---- what stands in the way ------------------------------------------------------------------ */

static const struct dal_fact *find_kernel(const struct dal_variant *variant,
                                          const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = variant->facts.list, *end = fact + variant->facts.count;

    for (; !variant->is_refused && fact < end; fact++)
        if (dal_fact_is(fact, "function") && fact->numbers[DAL_FUNCTION_IS_KERNEL] &&
            strcmp(fact->name, unit->kernel) == 0)
            return fact;
    return NULL;
}

static int has_fact(const struct dal_plan_unit *unit, const char *kind)
{
    size_t i;

    for (i = 0; i < variants_of(unit)->count; i++)
        if (dal_fact_find(&variants_of(unit)->list[i].facts, kind, NULL))
            return 1;
    return 0;
}

static int is_among(const char *const *words, size_t count, const char *name)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (strcmp(words[i], name) == 0)
            return 1;
    return 0;
}

/* Names that mean something else where they are written in the text: functions that are answered
 * here, and words of pragmas and attributes. */
static int is_taken_word(const struct dal_variant *variant, const char *name)
{
    static const char *const always[] = {"get_group_id",
                                         "get_num_groups",
                                         "get_global_id",
                                         "get_global_offset",
                                         "get_global_size",
                                         "get_local_size",
                                         "get_local_id",
                                         "get_global_linear_id",
                                         "get_local_linear_id",
                                         "get_enqueued_local_size",
                                         "OPENCL",
                                         "EXTENSION",
                                         "FP_CONTRACT",
                                         "enable",
                                         "disable",
                                         "unroll"};
    static const char *const in_attributes[] = {
        "aligned", "packed",   "vector_size",  "ext_vector_type",
        "endian",  "host",     "device",       "opencl_unroll_hint",
        "mode",    "noinline", "overloadable", "always_inline",
        "nosvm",   "unused",   "may_alias",    "transparent_union",
        "pure",    "weak",     "deprecated",   "work_group_size_hint",
        "used",    "section",  "cleanup",      "reqd_work_group_size",
        "malloc",  "hot",      "cold",         "vec_type_hint",
        "flatten", "warning",  "error",        "address_space"};

    if (is_among(always, sizeof(always) / sizeof(always[0]), name))
        return 1;
    return strstr(dal_text_get(&variant->text), "__attribute") &&
           is_among(in_attributes, sizeof(in_attributes) / sizeof(in_attributes[0]), name);
}

static char *check_variant(const struct dal_plan_unit *unit, const struct dal_variant *variant)
{
    const struct dal_fact *kernel = find_kernel(variant, unit), *fact;
    size_t i;

    for (i = 0; i < variant->facts.count; i++) {
        fact = &variant->facts.list[i];
        if (dal_fact_is(fact, "name") && is_taken_word(variant, fact->name))
            return dal_format("'%s', which its source declares, has a meaning of its own",
                              fact->name);
    }
    for (fact = kernel; fact; fact = dal_fact_of_function(&variant->facts, "local", fact))
        if (dal_fact_is(fact, "local") && *fact->text)
            return dal_format("'%s' in its local memory %s", fact->name, fact->text);
    return NULL;
}

static int has_any_kernel(const struct dal_plan_unit *unit)
{
    size_t i;

    for (i = 0; i < variants_of(unit)->count; i++)
        if (find_kernel(&variants_of(unit)->list[i], unit))
            return 1;
    return 0;
}

/* Results may differ with what stands around them. */
static int is_inexact(const char *options)
{
    return strstr(options, "math") || strstr(options, "-cl-mad") || strstr(options, "zeros");
}

/* PoCL 3.1 ends the program over an event that is waited for within a loop. */
static int copies_alone(const struct dal_plan_unit *unit)
{
    const struct dal_variants *variants = variants_of(unit);
    size_t i;

    for (i = 0; i < variants->count; i++)
        if (dal_fact_find(&variants->list[i].facts, "meets", "wait_group_events"))
            return 1;
    return 0;
}

/* By itself: NULL where it may stand in a group. */
static char *check_unit(const struct dal_plan_unit *unit, const char *options)
{
    char *reason = NULL;
    size_t i;

    if (unit->source->contraction)
        return dal_strdup("its source allows a*b+c to be rounded once");
    if (is_inexact(options))
        return dal_strdup("its cflags allow results that differ with what stands around them");
    if (copies_alone(unit))
        return dal_strdup(
            "it copies with async_work_group_copy, which not every driver can do in a "
            "loop");
    if (dal_plan_count_values(unit))
        return dal_strdup("its kernel takes parameters");
    if (!has_any_kernel(unit))
        return dal_strdup("its kernel is also called or declared elsewhere in its source");
    for (i = 0; i < variants_of(unit)->count && !reason; i++)
        reason = check_variant(unit, &variants_of(unit)->list[i]);
    return reason;
}

static int blame(struct maker *m, struct dal_plan_process *culprit, char *reason)
{
    m->culprit = culprit;
    m->reason = reason;
    return reason ? DAL_ERR_UNSUPPORTED : DAL_ERR_NOMEM;
}

static int has_locals(const struct dal_plan_unit *unit)
{
    size_t i;

    for (i = 0; i < variants_of(unit)->count; i++) {
        const struct dal_variant *variant = &variants_of(unit)->list[i];
        const struct dal_fact *kernel = find_kernel(variant, unit);
        if (kernel && dal_fact_of_function(&variant->facts, "local", kernel))
            return 1;
    }
    return 0;
}

/* PoCL 3.1 makes wrong code of some kernels with a barrier in the loop over the rounds. Those
 * between the processes have been no trouble, but are not there where nobody asks. Nor may firings
 * of a round share local memory. */
static int check_loop(struct maker *m, struct dal_plan_process *p, struct dal_plan_process *culprit)
{
    if (m->group->work_items > 1 && p->binding->group != DAL_GROUP_YES)
        return blame(m, culprit,
                     dal_format("%s would have %" PRIu32 " work-items in it, and the mapping does "
                                "not ask for a group",
                                p->process->name, m->group->work_items));
    if (m->group->work_items > 1 && has_fact(p->unit, "meets"))
        return blame(m, culprit,
                     dal_format("work-items of %s wait for each other, which not every driver does "
                                "right in a loop",
                                p->process->name));
    if (p->round > 1 && has_locals(p->unit))
        return blame(m, culprit,
                     dal_format("it fires %" PRIu64 " times for each firing of %s, and has local "
                                "memory",
                                p->round, m->group->members[0]->process->name));
    return DAL_OK;
}

/* Work-items that a process has not leave its firings out, which no barrier allows. */
static int check_work_items(struct maker *m, struct dal_plan_process *p)
{
    size_t i;

    if (p->work_items == m->group->work_items || !has_fact(p->unit, "meets"))
        return DAL_OK;
    for (i = 0; m->group->members[i] != p; i++)
        if (m->group->members[i]->work_items > p->work_items)
            return blame(m, p,
                         dal_format("it has %" PRIu32 " work-items and waits for all of them, and "
                                    "%s has %" PRIu32,
                                    p->work_items, m->group->members[i]->process->name,
                                    m->group->members[i]->work_items));
    while (m->group->members[i]->work_items <= p->work_items)
        i++;
    return blame(m, m->group->members[i],
                 dal_format("it has %" PRIu32 " work-items, and %s, which waits for all of its "
                            "own, has %" PRIu32,
                            m->group->members[i]->work_items, p->process->name, p->work_items));
}

static int check_member(struct maker *m, size_t number, const char *first_options)
{
    struct dal_plan_process *p = m->group->members[number];
    /* One that is alone in its reasons cannot be joined by others either. */
    struct dal_plan_process *culprit = number ? p : m->group->members[1];
    struct dal_text options = {0};
    char *reason, *told;
    int error = DAL_OK;

    if (p->source->type == DAL_SOURCE_PORTABLE && !p->unit->in_group)
        error = dal__portable_in_group(m->plan, &m->plan->units[p->unit - m->plan->units]);
    if (error)
        return error != DAL_ERR_INVALID
                   ? error
                   : blame(m, culprit, dal_strdup("its portable source could not be read"));
    dal_source_options(&options, p->source);
    reason = check_unit(p->unit, dal_text_get(&options));
    if (!reason && strcmp(dal_text_get(&options), first_options) != 0)
        reason = dal_format("its kernel has other options than that of %s",
                            m->group->members[0]->process->name);
    if (reason && !number) {
        told = dal_format("of %s: %s", p->process->name, reason);
        dal_free(reason);
        reason = told;
    }
    error = options.lost ? DAL_ERR_NOMEM : DAL_OK;
    dal_text_finish(&options);
    if (reason)
        return blame(m, culprit, reason);
    if (!error)
        error = check_loop(m, p, culprit);
    return error ? error : check_work_items(m, p);
}

static int check_members(struct maker *m)
{
    struct dal_text options = {0};
    int error = DAL_OK;
    size_t i;

    dal_source_options(&options, m->group->members[0]->source);
    for (i = 0; i < m->group->member_count && !error; i++)
        error = check_member(m, i, dal_text_get(&options));
    error = options.lost && !error ? DAL_ERR_NOMEM : error;
    dal_text_finish(&options);
    return error;
}

/* ---- a kernel as a function ------------------------------------------------------------------ */

/* But for lines, and those that say where the text is from or are for the compiler. */
static void leave_out(struct dal__copy *w, size_t end)
{
    while (w->at < end) {
        const char *at = w->source + w->at;
        size_t length = *at == '#' && (w->at == 0 || at[-1] == '\n') ? strcspn(at, "\n") : 0;
        dal_text_add_bytes(w->text, at, *at == '\n' ? 1 : length);
        w->at += length ? length : 1;
    }
}

/* Words that say that a variable is in local memory. */
static int is_local_word(const char *at, size_t length)
{
    return (length == 7 && strncmp(at, "__local", 7) == 0) ||
           (length == 5 && strncmp(at, "local", 5) == 0);
}

/* A declaration as one of a member of a structure, on one line. */
static void add_member(struct dal_text *text, const char *at, const char *end)
{
    dal_text_add(text, " ");
    while (at < end) {
        size_t length = strspn(at, DAL_IDENTIFIER);
        if (*at == '\n' && at[1] == '#')
            at += 1 + strcspn(at + 1, "\n");
        else if (!length)
            dal_text_add_bytes(text, *at == '\n' ? " " : at, 1);
        else if (!is_local_word(at, length))
            dal_text_add_bytes(text, at, length);
        at += length ? length : at < end;
    }
}

/* The variables of one declaration are facts with the same start. */
static int begins_declaration(const struct dal_fact *local, const struct dal_fact *before)
{
    return !before || before->numbers[DAL_LOCAL_START] != local->numbers[DAL_LOCAL_START];
}

static void add_locals(struct dal__copy *w, const struct dal_variant *variant,
                       const struct dal_fact *kernel, size_t part)
{
    const struct dal_fact *local = kernel, *before = NULL;

    dal_text_printf(w->text, " struct dal__local_%zu {", part);
    while ((local = dal_fact_of_function(&variant->facts, "local", local))) {
        if (begins_declaration(local, before))
            add_member(w->text, w->source + local->numbers[DAL_LOCAL_START],
                       w->source + local->numbers[DAL_LOCAL_END]);
        before = local;
    }
    dal_text_add(w->text, before ? " };" : " char none; };");
}

static int precedes(const void *a, const void *b)
{
    const struct dal_fact *const *x = a, *const *y = b;

    return ((*x)->numbers[0] > (*y)->numbers[0]) - ((*x)->numbers[0] < (*y)->numbers[0]);
}

/* Declarations and uses of variables in local memory, as they stand. The caller frees them. */
static const struct dal_fact **list_edits(const struct dal_variant *variant,
                                          const struct dal_fact *kernel, size_t *count)
{
    const struct dal_fact **edits = dal_calloc(variant->facts.count + 1, sizeof(*edits));
    const struct dal_fact *fact;

    *count = 0;
    for (fact = kernel; edits && (fact = dal_fact_of_function(&variant->facts, "local", fact));)
        edits[(*count)++] = fact;
    for (fact = kernel; edits && (fact = dal_fact_of_function(&variant->facts, "use", fact));)
        edits[(*count)++] = fact;
    if (edits)
        qsort(edits, *count, sizeof(*edits), precedes);
    return edits;
}

/* Returns 0 where a use is not what it should be. */
static int add_edit(struct dal__copy *w, const struct dal_fact *edit)
{
    size_t length = strlen(edit->name);

    if (edit->numbers[0] < w->at) /* of a declaration that has been left out, as in sizeof */
        return 1;
    dal__copy_until(w, edit->numbers[0]);
    if (dal_fact_is(edit, "local")) {
        leave_out(w, edit->numbers[DAL_LOCAL_END]);
        dal_text_add(w->text, ";");
        return 1;
    }
    dal_text_printf(w->text, "(dal__l->%s)", edit->name);
    w->at += length;
    return strncmp(w->source + edit->numbers[0], edit->name, length) == 0;
}

/* Its head is ours, down to its name. DAL_ERR_UNSUPPORTED where its text is not as it should be. */
static int add_function(struct dal__copy *w, const struct dal_variant *variant,
                        const struct dal_fact *kernel, size_t part, int has_local)
{
    size_t i, count;
    const struct dal_fact **edits = list_edits(variant, kernel, &count);
    int good = 1;

    if (!edits)
        return DAL_ERR_NOMEM;
    dal__copy_until(w, kernel->numbers[DAL_FUNCTION_START]);
    leave_out(w, kernel->numbers[DAL_FUNCTION_NAME]);
    if (has_local)
        add_locals(w, variant, kernel, part);
    dal_text_add(w->text, " static void ");
    dal__copy_until(w, kernel->numbers[DAL_FUNCTION_ARGUMENTS_END]);
    if (has_local)
        dal_text_printf(w->text, ", __local struct dal__local_%zu *dal__l", part);
    dal__copy_until(w, kernel->numbers[DAL_FUNCTION_ARGUMENTS_END] + 1);
    leave_out(w, kernel->numbers[DAL_FUNCTION_BODY] -
                     (w->source[kernel->numbers[DAL_FUNCTION_BODY] - 1] == '{' ? 1 : 2));
    for (i = 0; i < count && good; i++)
        good = add_edit(w, edits[i]);
    dal__copy_until(w, kernel->numbers[DAL_FUNCTION_END]);
    dal_free(edits);
    return good ? DAL_OK : DAL_ERR_UNSUPPORTED;
}

/* ---- the text of a unit ---------------------------------------------------------------------- */

/* The only kernel of a launch of one firing. A work-item that is alone is number 0, and the
 * compiler is to know (alone.c). */
static void add_answers(struct dal_text *text, const struct dal_plan_unit *unit, size_t part)
{
    dal_text_printf(text,
                    "static size_t dal__size_%zu(uint n) { return n == 0 ? %" PRIu32 " : 1; }\n"
                    "#define get_local_size dal__size_%zu\n"
                    "#define get_global_size dal__size_%zu\n"
                    "#define get_enqueued_local_size dal__size_%zu\n",
                    part, unit->work_items, part, part, part);
    if (dal__unit_is_alone(unit, variants_of(unit)))
        dal__add_alone(text);
}

static void drop_answers(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (dal__unit_is_alone(unit, variants_of(unit)))
        dal__drop_alone(text);
    dal_text_add(text, "#undef get_local_size\n"
                       "#undef get_global_size\n"
                       "#undef get_enqueued_local_size\n");
}

/* Its own names; a list. */
static void list_names(struct dal_text *names, const struct dal_variant *variant)
{
    const struct dal_fact *fact = variant->facts.list, *end = fact + variant->facts.count;

    for (; fact < end; fact++)
        if (dal_fact_is(fact, "name"))
            dal_text_list_add(names, fact->name, strlen(fact->name));
}

static int compare_lines(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    size_t i = strcspn(*x, "\n"), k = strcspn(*y, "\n");
    int order = strncmp(*x, *y, i < k ? i : k);

    return order ? order : (i > k) - (i < k);
}

/* A directive for each name, once. */
static int add_directives(struct dal_text *text, const struct dal_text *names, size_t part,
                          int define)
{
    size_t i, count = 0, room = 1;
    const char *at, **lines;

    for (at = dal_text_get(names); *at; at++)
        room += *at == '\n';
    lines = dal_calloc(room, sizeof(*lines));
    if (!lines)
        return DAL_ERR_NOMEM;
    for (at = dal_text_get(names); *at; at += strcspn(at, "\n") + 1)
        lines[count++] = at;
    qsort(lines, count, sizeof(*lines), compare_lines);
    for (i = 0; i < count; i++) {
        int length = (int)strcspn(lines[i], "\n");
        if (i && compare_lines(&lines[i - 1], &lines[i]) == 0)
            continue;
        if (define)
            dal_text_printf(text, "#define %.*s dal__%zu_%.*s\n", length, lines[i], part, length,
                            lines[i]);
        else
            dal_text_printf(text, "#undef %.*s\n", length, lines[i]);
    }
    dal_free(lines);
    return DAL_OK;
}

/* Does anything call it? */
static int is_called(const struct dal_variant *variant, const struct dal_fact *function)
{
    return dal_fact_find(&variant->facts, "call", function->name) != NULL;
}

static int add_source(struct maker *m, const struct dal_variant *variant,
                      const struct dal_fact *kernel, size_t part, int has_local)
{
    struct dal__copy w = {.text = m->text, .source = dal_text_get(&variant->text)};
    const struct dal_fact *fact = variant->facts.list, *end = fact + variant->facts.count;
    int error = DAL_OK;

    for (; fact < end && !error; fact++) {
        if (!dal_fact_is(fact, "function") || !fact->numbers[DAL_FUNCTION_IS_KERNEL])
            continue;
        if (fact == kernel) {
            error = add_function(&w, variant, kernel, part, has_local);
        } else if (!is_called(variant, fact)) {
            dal__copy_until(&w, fact->numbers[DAL_FUNCTION_START]);
            leave_out(&w, fact->numbers[DAL_FUNCTION_END]);
            w.at += w.source[w.at] == '%' ? 2 : 1;
        }
    }
    dal__copy_until(&w, variant->text.length);
    return error;
}

static size_t find_port(const struct dal_spec_process *process, const char *name)
{
    size_t i = 0;

    while (i < process->port_count && strcmp(process->ports[i].name, name) != 0)
        i++;
    return i;
}

/* How the group's kernel calls it: by ports in their order, whatever that of the arguments is. */
static void add_call(struct maker *m, const struct dal_plan_unit *unit,
                     const struct dal_variant *variant, const struct dal_fact *kernel, size_t part,
                     int has_local)
{
    const struct dal_spec_process *process = unit->process;
    const struct dal_fact *arg = kernel;
    size_t i, given = 0;

    dal_text_printf(m->text, "\nstatic void dal__fire_%zu(", part);
    for (i = 0; i < process->port_count; i++)
        dal_text_printf(m->text, "%s__global void *dal__port_%zu", i ? ", " : "", i);
    if (has_local)
        dal_text_printf(m->text, ", __local struct dal__local_%zu *dal__l", part);
    dal_text_printf(m->text, ") { %s(", kernel->name);
    while ((arg = dal_fact_of_function(&variant->facts, "parameter", arg))) {
        i = unit->source->type == DAL_SOURCE_PORTABLE ? given : find_port(process, arg->name);
        dal_text_printf(m->text, "%sdal__port_%zu", given++ ? ", " : "", i);
    }
    dal_text_printf(m->text, "%s); }\n", has_local ? ", dal__l" : "");
}

static int add_variant(struct maker *m, const struct dal_plan_unit *unit,
                       const struct dal_variant *variant, size_t part)
{
    const struct dal_fact *kernel = find_kernel(variant, unit);
    struct dal_text names = {0};
    int error, has_local = has_locals(unit);

    if (!kernel) {
        dal_text_add(m->text, "#error This source has no kernel for this device.\n");
        return DAL_OK;
    }
    list_names(&names, variant);
    dal_unit_contraction(m->text, unit);
    error = add_directives(m->text, &names, part, 1);
    if (!error)
        error = add_source(m, variant, kernel, part, has_local);
    add_call(m, unit, variant, kernel, part, has_local);
    if (!error)
        error = add_directives(m->text, &names, part, 0);
    error = names.lost && !error ? DAL_ERR_NOMEM : error;
    dal_text_finish(&names);
    return error;
}

static int add_part(struct maker *m, size_t part)
{
    const struct dal_plan_unit *unit = m->parts[part];
    size_t i, count = variants_of(unit)->count;
    int error = DAL_OK;

    dal_text_printf(m->text, "\n/* Process %s. */\n", unit->process->base);
    add_answers(m->text, unit, part);
    for (i = 0; i < count && !error; i++) {
        if (count > 1)
            dal_text_printf(m->text, "%s %s\n", i ? "#elif" : "#if",
                            dal_text_get(&variants_of(unit)->list[i].condition));
        error = add_variant(m, unit, &variants_of(unit)->list[i], part);
    }
    if (count > 1)
        dal_text_add(m->text, "#endif\n");
    drop_answers(m->text, unit);
    return error;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* The others stand in front of each part. */
static const char front[] = "static size_t dal__zero(uint n) { return 0; }\n"
                            "static size_t dal__one(uint n) { return 1; }\n"
                            "static size_t dal__id(void) { return get_local_id(0); }\n"
                            "#define get_group_id dal__zero\n"
                            "#define get_global_offset dal__zero\n"
                            "#define get_num_groups dal__one\n"
                            "#define get_global_id get_local_id\n"
                            "#define get_global_linear_id dal__id\n"
                            "#define get_local_linear_id dal__id\n";

static const char back[] = "\n#line 1 \"dal\"\n"
                           "#undef get_group_id\n"
                           "#undef get_global_offset\n"
                           "#undef get_num_groups\n"
                           "#undef get_global_id\n"
                           "#undef get_global_linear_id\n"
                           "#undef get_local_linear_id\n";

static size_t find_part(const struct maker *m, const struct dal_plan_unit *unit)
{
    size_t i;

    for (i = 0; i < m->part_count && m->parts[i] != unit; i++)
        ;
    return i;
}

static void add_kernel_head(struct maker *m)
{
    const struct dal_plan_group *group = m->group;
    size_t i, k, number = 0;

    dal_text_printf(
        m->text, "\n__kernel __attribute__((reqd_work_group_size(%" PRIu32 ", 1, 1))) void %s(\n",
        group->work_items, group->unit->kernel);
    for (i = 0; i < group->member_count; i++)
        for (k = 0; k < group->members[i]->process->port_count; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (!dal_plan_is_outside(m->plan, port))
                continue;
            dal_text_printf(m->text,
                            "    __global uchar *dal__base_%zu, ulong dal__offset_%zu, "
                            "/* %s of %s */\n",
                            number, number, port->name, group->members[i]->process->name);
            number++;
        }
    dal_text_add(m->text, "    ulong dal__rounds, __global uchar *dal__scratch)\n{\n");
}

/* Processes are over before the next one begins, so all have the same local memory. */
static void add_local_memory(struct maker *m)
{
    struct dal_text sizes = {0};
    size_t i;

    for (i = 0; i < m->part_count; i++)
        if (has_locals(m->parts[i]))
            dal_text_printf(&sizes, " struct dal__local_%zu dal__%zu;", i, i);
    if (sizes.length) {
        dal_text_printf(m->text, "    __local union {%s } dal__local;\n", dal_text_get(&sizes));
        dal_text_add(m->text, "#ifdef DAL_LOCAL_BYTES\n"
                              "    typedef char dal__fits[sizeof(dal__local) <= DAL_LOCAL_BYTES ? "
                              "1 : -1];\n"
                              "#endif\n");
        m->group->unit->counts_local = 1;
    }
    m->text->lost |= sizes.lost;
    dal_text_finish(&sizes);
}

/* Which of the ports that lead outside, as the kernel's arguments are numbered. */
static size_t number_port(const struct maker *m, const struct dal_spec_port *wanted)
{
    const struct dal_plan_group *group = m->group;
    size_t i, k, number = 0;

    for (i = 0; i < group->member_count; i++)
        for (k = 0; k < group->members[i]->process->port_count; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (port == wanted)
                return number;
            number += (size_t)dal_plan_is_outside(m->plan, port);
        }
    return number;
}

/* Where the tokens of a firing are: beside those of the launch's others, or in the work-group's
 * memory. An input that is made inside is read where it was written. */
static void add_pointer(struct maker *m, const struct dal_plan_process *p,
                        const struct dal_spec_port *port)
{
    const struct dal_plan_channel *ch = &m->plan->channels[port->channel->number];
    const struct dal_spec_port *made =
        port->output || !ch->inside ? port : port->channel->producer_port;
    uint64_t bytes = port->rate * port->channel->token_bytes;

    if (dal_plan_is_outside(m->plan, made)) {
        size_t number = number_port(m, made);
        dal_text_printf(m->text, "dal__base_%zu + dal__offset_%zu + dal__at * %" PRIu64 "ul",
                        number, number, bytes * p->round);
    } else
        dal_text_printf(m->text, "dal__slot + %" PRIu64 "ul", ch->slot);
    if (p->round > 1)
        dal_text_printf(m->text, " + dal__k * %" PRIu64 "ul", bytes);
}

static void add_member_call(struct maker *m, const struct dal_plan_process *p)
{
    size_t i, part = find_part(m, p->unit);
    const char *indent = p->round > 1 ? "    " : "";

    if (p->round > 1)
        dal_text_printf(m->text,
                        "        for (ulong dal__k = 0; dal__k < %" PRIu64 "; dal__k++) {\n",
                        p->round);
    if (p->work_items < m->group->work_items)
        dal_text_printf(m->text, "        %sif (get_local_id(0) < %" PRIu32 ")\n", indent,
                        p->work_items);
    dal_text_printf(m->text, "        %sdal__fire_%zu(", indent, part);
    for (i = 0; i < p->process->port_count; i++) {
        dal_text_add(m->text, i ? ", " : "");
        add_pointer(m, p, &p->process->ports[i]);
    }
    if (has_locals(p->unit))
        dal_text_printf(m->text, ", &dal__local.dal__%zu", part);
    dal_text_printf(m->text, "); /* %s */\n", p->process->name);
    if (p->round > 1)
        dal_text_add(m->text, "        }\n");
    if (m->group->work_items > 1)
        dal_text_add(m->text, "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
}

/* A work-group does a run of the launch's rounds. */
static void add_kernel(struct maker *m)
{
    size_t i;

    add_kernel_head(m);
    add_local_memory(m);
    dal_text_printf(
        m->text,
        "    const ulong dal__group = get_group_id(0), dal__groups = get_num_groups(0);\n"
        "    const ulong dal__end = dal__rounds * (dal__group + 1) / dal__groups;\n"
        "    __global uchar *const dal__slot = dal__scratch + dal__group * %" PRIu64 "ul;\n\n"
        "    for (ulong dal__at = dal__rounds * dal__group / dal__groups; dal__at < "
        "dal__end; dal__at++) {\n",
        m->group->slot_bytes);
    for (i = 0; i < m->group->member_count; i++)
        add_member_call(m, m->group->members[i]);
    dal_text_add(m->text, "    }\n}\n");
}

/* ---- the group ------------------------------------------------------------------------------- */

static void add_title(struct maker *m)
{
    struct dal_text names = {0};
    size_t i;

    for (i = 0; i < m->group->member_count; i++)
        dal_text_printf(&names, "%s%s", i ? ", " : "", m->group->members[i]->process->name);
    dal_text_add_comment(m->text, 0, "Kernel of a group: %s, one after the other.",
                         dal_text_get(&names));
    dal_text_add(m->text, front);
    m->text->lost |= names.lost;
    dal_text_finish(&names);
}

static int make_text(struct maker *m)
{
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < m->group->member_count; i++)
        if (find_part(m, m->group->members[i]->unit) == m->part_count)
            m->parts[m->part_count++] = m->group->members[i]->unit;
    add_title(m);
    for (i = 0; i < m->part_count && !error; i++)
        error = add_part(m, i);
    dal_text_add(m->text, back);
    if (!error)
        add_kernel(m);
    return !error && m->text->lost ? DAL_ERR_NOMEM : error;
}

/* What the sources mean for themselves, they may not mean any more: the compiler is asked. */
static int check_text(struct maker *m)
{
    const struct dal_plan_unit *unit = m->group->unit;
    char *folder = dal_plan_folder(m->plan);
    struct dal_reading reading = {.path = unit->source->path,
                                  .is_opencl = 1,
                                  .folder = folder,
                                  .text = dal_text_get(&unit->text),
                                  .options = unit->source->cflags};
    struct dal_facts facts = {0};
    const struct dal_fact *wrong;
    int error = folder ? dal_read_source(&reading, &facts) : DAL_ERR_NOMEM;

    if (error == DAL_ERR_SYSTEM)
        error = blame(m, NULL, dal_strdup("their sources could not be read as one"));
    wrong = error ? NULL : dal_fact_find(&facts, "error", NULL);
    if (wrong)
        error = blame(m, NULL,
                      dal_format("their sources do not make one kernel (%s:%d: %s)",
                                 dal_path_base(wrong->file), wrong->line, wrong->name));
    dal_facts_finish(&facts);
    dal_free(folder);
    return error;
}

/* As many as the process with most of them has. */
static void count_work_items(struct dal_plan_group *group)
{
    size_t i;

    group->work_items = 1;
    for (i = 0; i < group->member_count; i++)
        if (group->members[i]->work_items > group->work_items)
            group->work_items = group->members[i]->work_items;
}

/* DAL_ERR_UNSUPPORTED where it cannot be made. */
static int make_group(struct maker *m)
{
    int error;

    count_work_items(m->group);
    m->parts = dal_calloc(m->group->member_count, sizeof(*m->parts));
    error = m->parts ? check_members(m) : DAL_ERR_NOMEM;
    if (!error)
        error = dal__unit_add_group(m->plan, m->group);
    if (error)
        return error;
    m->text = &m->group->unit->text;
    error = make_text(m);
    if (error == DAL_ERR_UNSUPPORTED)
        return blame(m, NULL, dal_strdup("local memory is not used where it seems to be"));
    return error ? error : check_text(m);
}

/* Without a culprit all of them are. */
static int take_apart(struct maker *m)
{
    int error = DAL_OK;
    size_t i;

    if (m->culprit) {
        error = dal_plan_stay_apart(m->culprit, m->reason);
        m->reason = NULL;
    }
    for (i = 1; !m->culprit && i < m->group->member_count && !error; i++)
        error = dal_plan_stay_apart(m->group->members[i], dal_strdup(m->reason));
    if (!error)
        error = dal_plan_groups(m->plan);
    return error ? error : dal_plan_check_groups(m->plan);
}

static void drop_units(struct dal_plan *plan, size_t count)
{
    while (plan->unit_count > count)
        dal__plan_unit_finish(&plan->units[--plan->unit_count]);
}

/* DAL_ERR_UNSUPPORTED where the groups are others now. */
static int make_groups(struct dal_diags *diags, struct dal_plan *plan)
{
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < plan->device_group_count && !error; i++) {
        struct maker m = {.diags = diags, .plan = plan, .group = &plan->device_groups[i]};
        error = make_group(&m);
        if (error == DAL_ERR_UNSUPPORTED) {
            error = take_apart(&m);
            error = error ? error : DAL_ERR_UNSUPPORTED;
        }
        dal_free(m.parts);
        dal_free(m.reason);
    }
    return error;
}

static void warn_wishes(struct dal_diags *diags, const struct dal_plan *plan)
{
    size_t i;

    for (i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        if (p->binding->group == DAL_GROUP_YES && dal_plan_on_device(p) && !p->group)
            dal_warning(diags, p->binding->place, "not-grouped",
                        "process '%s' is launched by itself: %s", p->process->name,
                        p->apart ? p->apart : "nothing on a device stands beside it");
    }
}

int dal__groups_fuse(struct dal_diags *diags, struct dal_plan *plan)
{
    size_t count = plan->unit_count;
    int error;

    do {
        drop_units(plan, count);
        error = make_groups(diags, plan);
    } while (error == DAL_ERR_UNSUPPORTED);
    if (!error)
        warn_wishes(diags, plan);
    return error;
}
