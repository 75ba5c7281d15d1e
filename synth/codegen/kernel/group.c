/*
 * Decides which processes can be in the kernel of a group (include/net.h), once their sources have
 * been read. The plan has drawn the groups (synth/plan/group.c). A process that cannot be in one
 * stays apart, and the plan draws them again. group_text.c writes the kernel.
 */
#include "synth/codegen/kernel/group.h"
#include "spec/base/names.h"
#include "synth/codegen/clang/reader.h"
#include "synth/codegen/kernel/function.h"
#include "synth/codegen/kernel/unit.h"
#include "synth/codegen/kernel/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"

#include <inttypes.h>
#include <string.h>

/* Firings of one process in a round whose work-items wait for each other; each is a call. */
enum { MOST_WRITTEN_OUT = 8 };

/* ---- what stands in the way ------------------------------------------------------------------ */

/* Says what it is, for the caller to free. Without memory for the words, that is the error. */
static int because(char **reason, char *words)
{
    *reason = words;
    return words ? DAL_ERR_UNSUPPORTED : DAL_ERR_NOMEM;
}

/* Does a name mean something else where it is written in the text? Such are functions that are
 * answered here, and words of pragmas and attributes. */
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
    if (DAL_IS_ONE_OF(always, name))
        return 1;
    return strstr(dal_text_get(&variant->text), "__attribute") &&
           DAL_IS_ONE_OF(in_attributes, name);
}

/* Refuses a source whose pragma would hold for the sources behind it, in the same text. */
static int check_pragmas(const struct dal_variant *variant, char **reason)
{
    const char *pragma = dal__lasting_pragma(variant);
    if (!pragma)
        return DAL_OK;
    return because(reason, dal_format("its source has '#pragma %.*s', which would hold for the "
                                      "sources behind it",
                                      (int)strcspn(pragma, "\n"), pragma));
}

static int check_variant(const struct dal_plan_unit *unit, const struct dal_variant *variant,
                         char **reason)
{
    const struct dal_fact *fact = NULL;
    if (strstr(dal_text_get(&variant->text), "overloadable"))
        return because(reason, dal_strdup("its source overloads a function, and other functions of "
                                          "that name would be hidden"));
    while ((fact = dal_fact_next(&variant->facts, DAL_FACT_NAME, fact)))
        if (is_taken_word(variant, fact->name))
            return because(reason,
                           dal_format("'%s', which its source declares, has a meaning of its own",
                                      fact->name));
    fact = dal__function_kernel(variant, unit);
    while (fact && (fact = dal_fact_of_function(&variant->facts, DAL_FACT_LOCAL, fact)))
        if (*fact->local.fault)
            return because(
                reason, dal_format("'%s' in its local memory %s", fact->name, fact->local.fault));
    return DAL_OK;
}

static int has_any_kernel(const struct dal_plan_unit *unit)
{
    for (size_t i = 0; i < dal__function_variants(unit)->count; i++)
        if (dal__function_kernel(&dal__function_variants(unit)->list[i], unit))
            return 1;
    return 0;
}

static const char own_language[] = "its source is CUDA C++, which stands by itself";

static int check_variants(const struct dal_plan_unit *unit, char **reason)
{
    int status = DAL_OK;
    for (size_t i = 0; i < dal__function_variants(unit)->count && !status; i++)
        status = check_variant(unit, &dal__function_variants(unit)->list[i], reason);
    return status;
}

/* Checks a unit by itself. */
static int check_unit(const struct dal_plan_unit *unit, const char *options, char **reason)
{
    const char *words = NULL;
    int status = DAL_OK;
    if (unit->source->type == DAL_SOURCE_CUDA)
        words = own_language;
    else if (unit->source->contraction)
        words = "its source allows a*b+c to be rounded once";
    else if (strstr(options, "math") || strstr(options, "-cl-mad") || strstr(options, "zeros"))
        words = "its cflags allow results that differ with what stands around them";
    else if (!has_any_kernel(unit))
        words = "its kernel is also called or declared elsewhere in its source";
    if (words)
        return because(reason, dal_strdup(words));
    for (size_t i = 0; i < dal__function_variants(unit)->count && !status; i++)
        status = check_pragmas(&dal__function_variants(unit)->list[i], reason);
    return status ? status : check_variants(unit, reason);
}

int dal__group_obstacle(const struct dal_plan_unit *unit, char **reason)
{
    const char *words = NULL;
    if (!has_any_kernel(unit))
        words = "it is also called or declared elsewhere in its source";
    else if (unit->source->type == DAL_SOURCE_CUDA)
        words = own_language;
    return words ? because(reason, dal_strdup(words)) : check_variants(unit, reason);
}

static int blame(struct dal__maker *m, struct dal_plan_process *culprit, char *reason)
{
    m->culprit = culprit;
    return because(&m->reason, reason);
}

/* Lets no work-items wait for each other in a loop of ours: PoCL 3.1 makes wrong code of some
 * kernels there. So each round has a work-group, and firings of a round are written out. */
static int check_waits(struct dal__maker *m, struct dal_plan_process *p,
                       struct dal_plan_process *culprit)
{
    if (m->group->work_items > 1 && p->binding->group != DAL_GROUP_YES &&
        !(m->plan->tries_registers && p->work_items == m->group->work_items))
        return blame(m, culprit,
                     dal_format("%s would have %" PRIu32 " work-items in it, and the mapping does "
                                "not ask for a group",
                                p->process->name, m->group->work_items));
    if (m->group->in_order && m->group->work_items > 1 && dal__function_waits(p->unit, NULL))
        return blame(m, culprit,
                     dal_format("work-items of %s wait for each other, which not every driver does "
                                "right in a loop, and channels keep tokens from round to round",
                                p->process->name));
    if (m->group->one_round && p->round > MOST_WRITTEN_OUT && dal__function_waits(p->unit, NULL))
        return blame(m, culprit,
                     dal_format("it fires %" PRIu64 " times for each firing of %s, and its "
                                "work-items wait for each other",
                                p->round, m->group->members[0]->process->name));
    if (!m->group->one_round && dal__function_waits(p->unit, "wait_group_events"))
        return blame(m, culprit, /* PoCL 3.1 ends the program over an event in a loop */
                     dal_strdup("it copies with async_work_group_copy, which not every driver can "
                                "do in a loop"));
    return DAL_OK;
}

/* Refuses a process whose work-items wait for each other, and which has fewer of them than another.
 * The additional ones leave its firings out, which no barrier allows. */
static int check_work_items(struct dal__maker *m, struct dal_plan_process *p)
{
    size_t i;
    if (p->work_items == m->group->work_items || !dal__function_waits(p->unit, NULL))
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

/* Returns the process that must stay apart. If it is the group's first, the second is named: it
 * joined the first. */
static struct dal_plan_process *culprit_of(const struct dal__maker *m, size_t number)
{
    return m->group->members[number ? number : 1];
}

/* Makes the texts of portable sources as they stand in a group. */
static int read_members(struct dal__maker *m)
{
    int status = DAL_OK;
    for (size_t i = 0; i < m->group->member_count && !status; i++) {
        const struct dal_plan_process *p = m->group->members[i];
        if (p->source->type == DAL_SOURCE_PORTABLE && !p->unit->in_group)
            status = dal__portable_in_group(m->plan, &m->plan->units[p->unit - m->plan->units]);
        if (status == DAL_ERR_INVALID)
            status =
                blame(m, culprit_of(m, i), dal_strdup("its portable source could not be read"));
    }
    return status;
}

static int check_member(struct dal__maker *m, size_t number, const char *first_options)
{
    struct dal_plan_process *p = m->group->members[number];
    struct dal_plan_process *culprit = culprit_of(m, number);
    struct dal_text options = {0};
    char *reason = NULL, *told;
    int status;
    dal_source_options(&options, p->source);
    status = options.lost ? DAL_ERR_NOMEM : check_unit(p->unit, dal_text_get(&options), &reason);
    if (!status && strcmp(dal_text_get(&options), first_options) != 0)
        status = because(&reason, dal_format("its kernel has other options than that of %s",
                                             m->group->members[0]->process->name));
    if (!status && !dal_plan_is_shaped_alike(m->group->members[0], p))
        status = because(&reason, dal_format("%s has its work-items in other dimensions",
                                             m->group->members[0]->process->name));
    dal_text_finish(&options);
    if (reason && !number) {
        told = dal_format("of %s: %s", p->process->name, reason);
        dal_free(reason);
        reason = told;
    }
    if (status == DAL_ERR_UNSUPPORTED)
        return blame(m, culprit, reason);
    if (!status)
        status = check_waits(m, p, culprit);
    return status ? status : check_work_items(m, p);
}

static int check_members(struct dal__maker *m)
{
    struct dal_text options = {0};
    int status;
    dal_source_options(&options, m->group->members[0]->source);
    status = options.lost ? DAL_ERR_NOMEM : DAL_OK;
    for (size_t i = 0; i < m->group->member_count && !status; i++)
        status = check_member(m, i, dal_text_get(&options));
    dal_text_finish(&options);
    return status;
}

/* ---- the group ------------------------------------------------------------------------------- */

/* Sources that are right by themselves may be wrong in one text, so the compiler reads that. */
static int check_text_as(struct dal__maker *m, int as_cuda)
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
    int status = DAL_ERR_NOMEM;
    if (folder)
        status =
            as_cuda ? dal__read_as_cuda(m->plan, unit, &facts) : dal_read_source(&reading, &facts);
    if (status == DAL_ERR_SYSTEM)
        status = blame(m, NULL, dal_strdup("their sources could not be read as one"));
    wrong = status ? NULL : dal_fact_next(&facts, DAL_FACT_ERROR, NULL);
    if (wrong) /* names are macros, also where a component of a vector is called so */
        status = blame(m, NULL,
                       dal_format("their sources do not make one kernel (%s:%d: %s)",
                                  dal_path_base(wrong->file), wrong->line,
                                  strstr(wrong->name, "vector component")
                                      ? "a component of a vector has a name that the source "
                                        "declares"
                                      : wrong->name));
    dal_facts_finish(&facts);
    dal_free(folder);
    return status;
}

static int check_text(struct dal__maker *m)
{
    int on_cuda = m->group->members[0]->binding->capability == DAL_PROCESSOR_CUDA;
    int status = check_text_as(m, 0);
    return status || !on_cuda ? status : check_text_as(m, 1);
}

/* Sets as many work-items as the process with most of them has. */
static void count_work_items(struct dal_plan_group *group)
{
    group->work_items = 1;
    for (size_t i = 0; i < group->member_count; i++)
        if (group->members[i]->work_items > group->work_items)
            group->work_items = group->members[i]->work_items;
}

/* Chooses a loop over the rounds, or a work-group for each. */
static void choose_form(struct dal_plan_group *group)
{
    group->one_round = 0;
    for (size_t i = 0; i < group->member_count && group->work_items > 1; i++)
        group->one_round |= !group->in_order && dal__function_waits(group->members[i]->unit, NULL);
}

/* Lets members stay apart that need something in registers which does not come so. */
static int check_registers(struct dal__maker *m)
{
    int status = DAL_OK;
    for (size_t i = 1; i < m->group->member_count && status != DAL_ERR_NOMEM; i++) {
        struct dal_plan_process *p = m->group->members[i];
        char *reason = NULL;
        int found = dal__words_check(m->plan, p, m->culprit == NULL, &reason);
        if (found == DAL_ERR_UNSUPPORTED && m->culprit)
            found = dal_plan_stay_apart(p, reason) ? DAL_ERR_NOMEM : DAL_ERR_UNSUPPORTED;
        else if (found == DAL_ERR_UNSUPPORTED)
            found = blame(m, p, reason);
        status = found ? found : status;
    }
    return status;
}

/* Returns DAL_ERR_UNSUPPORTED where the group cannot be made. */
static int make_group(struct dal__maker *m)
{
    int status;
    count_work_items(m->group);
    m->parts = dal_calloc(m->group->member_count, sizeof(*m->parts));
    status = m->parts ? read_members(m) : DAL_ERR_NOMEM;
    if (!status)
        choose_form(m->group);
    if (!status)
        status = check_members(m);
    if (!status)
        status = dal__words_find(m->plan, m->group);
    if (!status)
        status = check_registers(m);
    if (!status && m->group->one_round)
        status = dal_plan_limit_rounds(m->group);
    if (!status)
        status = dal__unit_add_group(m->plan, m->group);
    if (status)
        return status;
    m->text = &m->group->unit->text;
    status = dal__group_text(m);
    if (status == DAL_ERR_UNSUPPORTED)
        return blame(m, NULL, dal_strdup("local memory is not used where it seems to be"));
    return status ? status : check_text(m);
}

/* Lets the culprit stay apart; without one, all members. */
static int take_apart(struct dal__maker *m)
{
    int status = DAL_OK;
    if (m->culprit) {
        status = dal_plan_stay_apart(m->culprit, m->reason);
        m->reason = NULL;
    }
    for (size_t i = 1; !m->culprit && i < m->group->member_count && !status; i++)
        status = dal_plan_stay_apart(m->group->members[i], dal_strdup(m->reason));
    if (!status)
        status = dal_plan_groups(m->plan);
    return status ? status : dal_plan_check_groups(m->plan);
}

static void drop_units(struct dal_plan *plan, size_t count)
{
    while (plan->unit_count > count)
        dal__plan_unit_finish(&plan->units[--plan->unit_count]);
}

/* Returns DAL_ERR_UNSUPPORTED where the groups are others now. */
static int make_groups(struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->device_group_count && !status; i++) {
        struct dal__maker m = {.plan = plan, .group = &plan->device_groups[i]};
        status = make_group(&m);
        if (status == DAL_ERR_UNSUPPORTED) {
            status = take_apart(&m);
            status = status ? status : DAL_ERR_UNSUPPORTED;
        }
        dal_free_all(m.parts, m.reason);
    }
    return status;
}

static void warn_wishes(struct dal_diags *diags, const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = &plan->processes[i];
        if (p->binding->group == DAL_GROUP_YES && dal_plan_on_device(p) && !p->group)
            dal_warning(diags, p->binding->place, "not-grouped",
                        "process '%s' is launched by itself: %s", p->process->name,
                        p->apart ? p->apart : "nothing on a device stands beside it");
    }
}

/* Sets `tries_registers` where a kernel of several work-items could join another one of them. */
static int try_registers(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count && !plan->tries_registers; i++) {
        const struct dal_plan_process *from = dal_plan_producer(plan, plan->channels[i].channel);
        const struct dal_plan_process *to = dal_plan_consumer(plan, plan->channels[i].channel);
        plan->tries_registers = from != to && dal_plan_on_device(from) &&
                                dal_plan_is_bound_alike(from, to) &&
                                dal_plan_needs_registers(from, to);
    }
    return plan->tries_registers ? dal_plan_groups(plan) : DAL_OK;
}

/* Is there a group that the plan did not know of when it set the capacities? */
static int has_gained(const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[i];
        if (ch->inside && dal_plan_needs_registers(dal_plan_producer(plan, ch->channel),
                                                   dal_plan_consumer(plan, ch->channel)))
            return 1;
    }
    return 0;
}

static int are_made(const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->device_group_count; i++)
        if (!plan->device_groups[i].unit)
            return 0;
    return 1;
}

/* A group launches more at once than its processes would, for which channels get room. */
static int make_room(struct dal_diags *diags, struct dal_plan *plan)
{
    int status = has_gained(plan) ? dal_plan_capacities(diags, plan) : DAL_OK;
    return status || are_made(plan) ? status : DAL_ERR_UNSUPPORTED;
}

int dal__groups_fuse(struct dal_diags *diags, struct dal_plan *plan)
{
    size_t count = plan->unit_count;
    int status = try_registers(plan);
    if (status)
        return status;
    do {
        drop_units(plan, count);
        status = make_groups(plan);
        if (!status)
            status = make_room(diags, plan);
    } while (status == DAL_ERR_UNSUPPORTED);
    if (!status)
        warn_wishes(diags, plan);
    return status;
}
