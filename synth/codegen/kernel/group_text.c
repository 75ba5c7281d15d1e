/*
 * The kernel of a group (include/net.h): the kernels of its processes are functions in it, and a
 * loop over the rounds calls them in turn. Each call is a firing, and sees a launch of one firing:
 * its group is number 0 of 1. So where a firing's tokens lie is a matter of pointers alone.
 *
 * The users' text keeps its lines, and is changed in four things. The kernel's head is replaced.
 * Its variables in local memory become those of the group's kernel. Other kernels are left out.
 * Names get a prefix, since several sources stand in one text. A reader looks at the result; where
 * it finds an error, the processes are launched by themselves.
 */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/kernel/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a kernel as a function ------------------------------------------------------------------ */

/* Leaves the text out, but for ends of lines and for directives. */
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

/* Adds a declaration, on one line, as one of a member of a structure. */
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

/* Do two facts belong to different declarations? The variables of one declaration have the same
 * start. */
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

/* Lists declarations and uses of variables in local memory in the text's order. The caller frees
 * them. */
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

/* Copies up to a variable in local memory and replaces it. Returns 0 where a use is not what it
 * should be. */
static int add_edit(struct dal__copy *w, const struct dal_fact *edit)
{
    size_t length = strlen(edit->name);

    if (edit->numbers[0] < w->at) /* a use in a declaration that has been left out, as in sizeof */
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

/* Adds a kernel as a function. Its head is ours, down to its name. DAL_ERR_UNSUPPORTED where its
 * text is not as it should be. */
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
    dal_text_add(w->text, " __attribute__((always_inline)) static void ");
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

/* Adds the answers to a kernel that is the only one in a launch of one firing. A work-item that is
 * alone is number 0, and the compiler is to know (alone.c). */
static void add_answers(struct dal_text *text, const struct dal_plan_unit *unit, size_t part)
{
    int i;

    dal_text_printf(text, "static size_t dal__size_%zu(uint n) { return ", part);
    for (i = 0; i < (unit->work_shape[0] ? DAL_DIMENSIONS : 1); i++)
        dal_text_printf(text, "n == %d ? %zu : ", i,
                        dal_work_size(unit->work_items, unit->work_shape, i));
    dal_text_printf(text,
                    "1; }\n"
                    "#define get_local_size dal__size_%zu\n"
                    "#define get_global_size dal__size_%zu\n"
                    "#define get_enqueued_local_size dal__size_%zu\n",
                    part, part, part);
    dal__add_group_items(text, unit, dal__group_variants(unit));
    if (dal__unit_is_alone(unit, dal__group_variants(unit)))
        dal__add_alone(text);
}

static void drop_answers(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (dal__unit_is_alone(unit, dal__group_variants(unit)))
        dal__drop_alone(text);
    dal_text_add(text, "#undef get_local_size\n"
                       "#undef get_global_size\n"
                       "#undef get_enqueued_local_size\n");
}

/* Lists the source's own names. */
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

/* Adds one directive for each name. */
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

/* Does anything call the function? */
static int is_called(const struct dal_variant *variant, const struct dal_fact *function)
{
    return dal_fact_find(&variant->facts, "call", function->name) != NULL;
}

static int add_source(struct dal__maker *m, const struct dal_variant *variant,
                      const struct dal_fact *kernel, size_t part, int has_local)
{
    struct dal__copy w = {
        .text = m->text, .source = dal_text_get(&variant->text), .facts = &variant->facts};
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

/* Is the kernel called once for each firing of a cycle? A portable source goes through the phases
 * itself. */
static int has_phases(const struct dal_plan_unit *unit)
{
    return unit->source->type != DAL_SOURCE_PORTABLE && dal_plan_phases(unit->process) > 1;
}

/* Adds a port's argument, behind the packet's header. A portable source finds its packets
 * itself. */
static void add_port_argument(struct dal_text *text, const struct dal_plan_unit *unit,
                              const struct dal_variant *variant, const struct dal_fact *arg,
                              size_t port)
{
    const struct dal_spec_port *of = &unit->process->ports[port];

    dal__add_cast(text, dal_text_get(&variant->text), arg);
    if (unit->source->type != DAL_SOURCE_PORTABLE && dal__is_counted(of))
        dal_text_printf(text, "((__global uchar *)dal__port_%zu + %" PRIu64 ")", port,
                        dal__header_bytes(of));
    else
        dal_text_printf(text, "dal__port_%zu", port);
}

static void add_count_argument(struct dal_text *text, const struct dal_spec_process *process,
                               int port)
{
    char packet[64];

    snprintf(packet, sizeof(packet), "dal__port_%d", port);
    dal__add_count(text, &process->ports[port], packet);
}

/* Adds the function that the group's kernel calls: by ports in their order, whatever the order of
 * the kernel's arguments is. */
static void add_call(struct dal__maker *m, const struct dal_plan_unit *unit,
                     const struct dal_variant *variant, const struct dal_fact *kernel, size_t part,
                     int has_local)
{
    const struct dal_spec_process *process = unit->process;
    const struct dal_fact *arg = kernel;
    int given = 0;
    size_t i;

    dal_text_printf(m->text, "\n__attribute__((always_inline)) static void dal__fire_%zu(", part);
    for (i = 0; i < process->port_count; i++)
        dal_text_printf(m->text, "%s__global void *dal__port_%zu", i ? ", " : "", i);
    for (i = 0; i < process->parameter_count && unit->values; i++)
        if (unit->values[i].is_taken)
            dal_text_printf(m->text, ", %s dal__value_%zu",
                            dal_value_traits(unit->values[i].type)->name, i);
    if (has_phases(unit))
        dal_text_add(m->text, ", int dal__phase");
    if (has_local)
        dal_text_printf(m->text, ", __local struct dal__local_%zu *dal__l", part);
    dal_text_add(m->text, ") {");
    if (unit->source->type == DAL_SOURCE_OPENCL)
        dal__add_wrong_counts(m->text, process, "dal__port_", 0);
    dal_text_printf(m->text, " %s(", kernel->name);
    while ((arg = dal_fact_of_function(&variant->facts, "parameter", arg))) {
        int port = dal_spec_find_port(process, arg->name);
        if (unit->source->type == DAL_SOURCE_PORTABLE)
            port = given < (int)process->port_count ? given : -1;
        dal_text_add(m->text, given++ ? ", " : "");
        if (port >= 0)
            add_port_argument(m->text, unit, variant, arg, (size_t)port);
        else if (dal__count_port(process, arg->name) >= 0)
            add_count_argument(m->text, process, dal__count_port(process, arg->name));
        else if (strcmp(arg->name, DAL__PHASE) == 0)
            dal_text_add(m->text, "dal__phase");
        else
            dal_text_printf(m->text, "dal__value_%d", dal_spec_find_parameter(process, arg->name));
    }
    dal_text_printf(m->text, "%s); }\n", has_local ? ", dal__l" : "");
}

static int add_variant(struct dal__maker *m, const struct dal_plan_unit *unit,
                       const struct dal_variant *variant, size_t part)
{
    const struct dal_fact *kernel = dal__group_kernel(variant, unit);
    struct dal_text names = {0};
    int error, has_local = dal__group_has_locals(unit);

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

static int add_part(struct dal__maker *m, size_t part)
{
    const struct dal_plan_unit *unit = m->parts[part];
    size_t i, count = dal__group_variants(unit)->count;
    int error = DAL_OK;

    dal_text_printf(m->text, "\n/* Process %s. */\n", unit->process->base);
    dal__add_constant_word(m->text, dal__group_variants(unit));
    add_answers(m->text, unit, part);
    for (i = 0; i < count && !error; i++) {
        if (count > 1)
            dal_text_printf(m->text, "%s %s\n", i ? "#elif" : "#if",
                            dal_text_get(&dal__group_variants(unit)->list[i].condition));
        error = add_variant(m, unit, &dal__group_variants(unit)->list[i], part);
    }
    if (count > 1)
        dal_text_add(m->text, "#endif\n");
    drop_answers(m->text, unit);
    return error;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Answers for all parts; the others stand in front of each part. */
static const char front[] = "static size_t dal__zero(uint n) { return 0; }\n"
                            "static size_t dal__one(uint n) { return 1; }\n"
                            "#define get_group_id dal__zero\n"
                            "#define get_global_offset dal__zero\n"
                            "#define get_num_groups dal__one\n"
                            "#define get_global_id get_local_id\n"
                            "#define get_global_linear_id dal__id\n"
                            "#define get_local_linear_id dal__id\n";

/* Adds the work-item's number in a group of that shape. */
static void add_linear_id(struct dal_text *text, const uint32_t *shape)
{
    dal_text_add(text, "static size_t dal__id(void) { return ");
    if (shape[0])
        dal_text_printf(text, "(get_local_id(2) * %" PRIu32 " + get_local_id(1)) * %" PRIu32 " + ",
                        shape[1], shape[0]);
    dal_text_add(text, "get_local_id(0); }\n");
}

static const char back[] = "\n#line 1 \"dal\"\n"
                           "#undef get_group_id\n"
                           "#undef get_global_offset\n"
                           "#undef get_num_groups\n"
                           "#undef get_global_id\n"
                           "#undef get_global_linear_id\n"
                           "#undef get_local_linear_id\n";

static size_t find_part(const struct dal__maker *m, const struct dal_plan_unit *unit)
{
    size_t i;

    for (i = 0; i < m->part_count && m->parts[i] != unit; i++)
        ;
    return i;
}

/* Adds a process's values, in the order of its kernel's arguments. */
static void add_value_arguments(struct dal__maker *m, size_t member)
{
    const struct dal_plan_process *p = m->group->members[member];
    size_t i;

    for (i = 0; i < p->process->parameter_count && p->unit->values; i++)
        if (p->unit->values[i].is_taken)
            dal_text_printf(m->text, ",\n    %s dal__value_%zu_%zu /* %s of %s */",
                            dal_value_traits(p->unit->values[i].type)->name, member, i,
                            p->process->parameters[i].name, p->process->name);
}

static void add_kernel_head(struct dal__maker *m)
{
    const struct dal_plan_group *group = m->group;
    const uint32_t items = group->work_items, *shape = group->members[0]->work_shape;
    size_t i, k, number = 0;

    dal_text_printf(m->text,
                    "\n__kernel __attribute__((reqd_work_group_size(%zu, %zu, %zu))) void %s(\n",
                    dal_work_size(items, shape, 0), dal_work_size(items, shape, 1),
                    dal_work_size(items, shape, 2), group->unit->kernel);
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
    dal_text_add(m->text, "    ulong dal__rounds, __global uchar *dal__scratch");
    if (group->in_order)
        dal_text_add(m->text, ", ulong dal__first");
    for (i = 0; i < group->member_count; i++)
        add_value_arguments(m, i);
    dal_text_add(m->text, ")\n{\n");
}

/* Adds local memory. Firings of a process are over before the next process begins, so all share
 * it. */
static void add_local_memory(struct dal__maker *m)
{
    struct dal_text sizes = {0};
    size_t i;

    for (i = 0; i < m->part_count; i++)
        if (dal__group_has_locals(m->parts[i]))
            dal_text_printf(&sizes, " struct dal__local_%zu dal__%zu;", i, i);
    if (sizes.length) {
        dal_text_printf(m->text, "    DAL_LOCAL_VARIABLE union {%s } dal__local;\n",
                        dal_text_get(&sizes));
        dal_text_add(m->text, "#ifdef DAL_LOCAL_BYTES\n"
                              "    typedef char dal__fits[sizeof(dal__local) <= DAL_LOCAL_BYTES ? "
                              "1 : -1];\n"
                              "#endif\n");
        m->group->unit->counts_local = 1;
    }
    m->text->lost |= sizes.lost;
    dal_text_finish(&sizes);
}

/* Returns the number of a port among those that lead outside, as the kernel's arguments are
 * numbered. */
static size_t number_port(const struct dal__maker *m, const struct dal_spec_port *wanted)
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

/* Adds the place of the tokens of the round's firing `k`. They are beside those of the launch's
 * other firings, or in the work-group's memory. An input that is made inside is read where it was
 * written. */
static void add_pointer(struct dal__maker *m, const struct dal_plan_process *p,
                        const struct dal_spec_port *port, const char *k)
{
    const struct dal_plan_channel *ch = &m->plan->channels[port->channel->number];
    const struct dal_spec_port *made =
        port->output || !ch->inside ? port : port->channel->producer_port;
    uint64_t bytes = port->rate * port->channel->token_bytes;

    if (!port->output && ch->kept) {
        dal_text_printf(m->text, "dal__slot + %" PRIu64 "ul + dal__kept_%zu", ch->kept_at,
                        ch->channel->number);
    } else if (dal_plan_is_outside(m->plan, made)) {
        size_t number = number_port(m, made);
        dal_text_printf(m->text, "dal__base_%zu + dal__offset_%zu + dal__at * %" PRIu64 "ul",
                        number, number, bytes * p->round);
    } else
        dal_text_printf(m->text, "dal__slot + %" PRIu64 "ul", ch->slot);
    if (p->round > 1)
        dal_text_printf(m->text, " + %s * %" PRIu64 "ul", k, bytes);
}

/* Adds a barrier, so that all work-items see what each of them has written. */
static void add_barrier(struct dal__maker *m)
{
    if (m->group->work_items > 1)
        dal_text_add(m->text, "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
}

/* Tokens of the phases before this one. */
static uint64_t tokens_before(const struct dal_spec_process *process,
                              const struct dal_spec_port *port, uint64_t phase)
{
    uint64_t tokens = 0;

    while (phase > 0)
        tokens += dal_plan_phase_rate(process, port, --phase);
    return tokens;
}

/* Adds the offset at which a phase's part of a window begins. */
static void add_place(struct dal_text *text, const struct dal_spec_process *process, size_t port,
                      uint64_t phase)
{
    const struct dal_spec_port *of = &process->ports[port];
    uint64_t tokens = tokens_before(process, of, phase);

    if (tokens)
        dal_text_printf(text, " + %" PRIu64 "ul", tokens * of->channel->token_bytes);
}

/* Adds a call of one firing; `k` says which of the round. */
static void add_call_of(struct dal__maker *m, size_t member, const char *k, uint64_t phase)
{
    const struct dal_plan_process *p = m->group->members[member];
    size_t i, part = find_part(m, p->unit);

    dal_text_add(m->text, "        ");
    if (p->work_items < m->group->work_items)
        dal_text_printf(m->text, "if (get_local_id(0) < %" PRIu32 ") ", p->work_items);
    dal_text_printf(m->text, "dal__fire_%zu(", part);
    for (i = 0; i < p->process->port_count; i++) {
        dal_text_add(m->text, i ? ", " : "");
        add_pointer(m, p, &p->process->ports[i], k);
        add_place(m->text, p->process, i, phase);
    }
    for (i = 0; i < p->process->parameter_count && p->unit->values; i++)
        if (p->unit->values[i].is_taken)
            dal_text_printf(m->text, ", dal__value_%zu_%zu", member, i);
    if (has_phases(p->unit))
        dal_text_printf(m->text, ", %" PRIu64, phase);
    if (dal__group_has_locals(p->unit))
        dal_text_printf(m->text, ", &dal__local.dal__%zu", part);
    dal_text_printf(m->text, "); /* %s */\n", p->process->name);
}

/* Returns the i-th channel if the group keeps its tokens, and this process makes them, if a process
 * is given; else NULL. */
static const struct dal_plan_channel *kept_channel(const struct dal__maker *m, size_t i,
                                                   const struct dal_plan_process *from)
{
    const struct dal_plan_channel *ch = &m->plan->channels[i];

    if (dal_plan_keeper(m->plan, ch) != m->group)
        return NULL;
    return !from || from == dal_plan_producer(m->plan, ch->channel) ? ch : NULL;
}

static int makes_kept(const struct dal__maker *m, const struct dal_plan_process *p)
{
    size_t i;

    for (i = 0; i < m->plan->channel_count && !kept_channel(m, i, p); i++)
        ;
    return i < m->plan->channel_count;
}

/* Adds the copies behind a firing, which add what it has made for later rounds to what is kept. */
static void add_copies(struct dal__maker *m, const struct dal_plan_process *p, const char *k)
{
    const struct dal_plan_channel *ch;
    size_t i;

    for (i = 0; i < m->plan->channel_count; i++) {
        uint64_t bytes;
        ch = kept_channel(m, i, p);
        if (!ch)
            continue;
        bytes = ch->channel->rate_in * ch->channel->token_bytes;
        dal_text_printf(m->text,
                        "        dal__move(dal__slot + %" PRIu64 "ul + dal__kept_%zu + %" PRIu64
                        "ul + %s * %" PRIu64 "ul, ",
                        ch->kept_at, i, ch->channel->initial_tokens * ch->channel->token_bytes, k,
                        bytes);
        add_pointer(m, p, ch->channel->producer_port, k);
        dal_text_printf(m->text, ", %" PRIu64 "ul);\n", bytes);
    }
}

static uint64_t kept_round_bytes(const struct dal__maker *m, const struct dal_plan_channel *ch)
{
    return ch->channel->rate_in * dal_plan_producer(m->plan, ch->channel)->round *
           ch->channel->token_bytes;
}

/* Adds the place, in bytes, that each kept channel has come to; its tokens begin there. */
static void add_kept_places(struct dal__maker *m)
{
    size_t i;

    for (i = 0; i < m->plan->channel_count; i++) {
        const struct dal_plan_channel *ch = kept_channel(m, i, NULL);
        if (ch)
            dal_text_printf(m->text,
                            "    ulong dal__kept_%zu = dal__first == 0 ? 0 : ((dal__first - 1) %% "
                            "%" PRIu64 "ul + 1) * %" PRIu64 "ul;\n",
                            i, ch->kept_rounds, kept_round_bytes(m, ch));
    }
}

/* Adds the moves in front of a round: at the end of its memory, what is kept moves to the front. */
static void add_returns(struct dal__maker *m)
{
    size_t i;

    for (i = 0; i < m->plan->channel_count; i++) {
        const struct dal_plan_channel *ch = kept_channel(m, i, NULL);
        uint64_t end;
        if (!ch)
            continue;
        end = ch->kept_rounds * kept_round_bytes(m, ch);
        dal_text_printf(m->text,
                        "        if (dal__kept_%zu == %" PRIu64 "ul) {\n"
                        "            dal__kept_%zu = 0;\n"
                        "            dal__move(dal__slot + %" PRIu64 "ul, dal__slot + %" PRIu64
                        "ul, %" PRIu64 "ul);\n"
                        "        }\n",
                        i, end, i, ch->kept_at, ch->kept_at + end,
                        ch->channel->initial_tokens * ch->channel->token_bytes);
    }
    if (m->group->in_order)
        add_barrier(m);
}

/* Adds the steps behind a round. */
static void add_steps(struct dal__maker *m)
{
    size_t i;

    for (i = 0; i < m->plan->channel_count; i++) {
        const struct dal_plan_channel *ch = kept_channel(m, i, NULL);
        if (ch)
            dal_text_printf(m->text, "        dal__kept_%zu += %" PRIu64 "ul;\n", i,
                            kept_round_bytes(m, ch));
    }
}

/* Adds the function by which all work-items copy, by words where there are words; no matter which
 * item copies what. */
static void add_move(struct dal__maker *m)
{
    if (m->group->in_order)
        dal_text_printf(
            m->text,
            "\nstatic void dal__move(__global uchar *to, __global const uchar *from, ulong bytes)\n"
            "{\n"
            "    if ((((ulong)to | (ulong)from | bytes) & 3) == 0)\n"
            "        for (ulong i = dal__id(); i < bytes / 4; i += %" PRIu32 ")\n"
            "            ((__global uint *)to)[i] = ((__global const uint *)from)[i];\n"
            "    else\n"
            "        for (ulong i = dal__id(); i < bytes; i += %" PRIu32 ")\n"
            "            to[i] = from[i];\n"
            "}\n",
            m->group->work_items, m->group->work_items);
}

/* Adds a firing, and what comes before the next one of the process. */
static void add_firing(struct dal__maker *m, size_t member, const char *k)
{
    const struct dal_plan_process *p = m->group->members[member];
    uint64_t phase, phases = has_phases(p->unit) ? p->process->phases : 1;

    for (phase = 0; phase < phases; phase++) {
        if (phase && dal__group_has_locals(p->unit))
            add_barrier(m);
        add_call_of(m, member, k, phase);
    }
    if (!makes_kept(m, p))
        return;
    add_barrier(m);
    add_copies(m, p, k);
}

/* Marks the packets of a process's firings in a round as unset (counted.h). */
static void add_unset(struct dal__maker *m, size_t member)
{
    const struct dal_plan_process *p = m->group->members[member];
    size_t i;

    if (p->unit->source->type == DAL_SOURCE_PORTABLE || !dal_spec_has_counted(p->process, 1))
        return;
    for (i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        struct dal_text packet = {0};
        struct dal__maker at = *m;
        if (!port->output || !dal__is_counted(port))
            continue;
        at.text = &packet;
        add_pointer(&at, p, port, "dal__k");
        dal_text_add(m->text, "        ");
        if (m->group->work_items > 1)
            dal_text_add(m->text, "if (dal__id() == 0)\n            ");
        if (p->round > 1)
            dal_text_printf(m->text,
                            "for (ulong dal__k = 0; dal__k < %" PRIu64 "; dal__k++)\n            ",
                            p->round);
        dal__add_unset(m->text, dal_text_get(&packet));
        dal_text_add(m->text, "\n");
        m->text->lost |= packet.lost;
        dal_text_finish(&packet);
    }
    add_barrier(m);
}

/* Adds a process's firings of a round, which must not meet in local memory. They are in a loop, or
 * written out where work-items wait for each other. */
static void add_member_calls(struct dal__maker *m, size_t member)
{
    const struct dal_plan_process *p = m->group->members[member];
    int in_turn = dal__group_has_locals(p->unit) || makes_kept(m, p);
    uint64_t k;

    add_unset(m, member);
    if (!m->group->one_round && p->round > 1) {
        dal_text_printf(m->text,
                        "        for (ulong dal__k = 0; dal__k < %" PRIu64 "; dal__k++) {\n",
                        p->round);
        add_firing(m, member, "dal__k");
        if (in_turn)
            add_barrier(m);
        dal_text_add(m->text, "        }\n");
        return;
    }
    for (k = 0; k < p->round; k++) {
        char number[24];
        snprintf(number, sizeof(number), "%" PRIu64, k);
        if (k && in_turn)
            add_barrier(m);
        add_firing(m, member, number);
    }
}

/* Adds the members in turn. Local memory and what is kept between them is free again behind the
 * last. */
static void add_round(struct dal__maker *m)
{
    size_t i, count = m->group->member_count;

    for (i = 0; i < count; i++) {
        add_member_calls(m, i);
        if (i + 1 < count || !m->group->one_round)
            add_barrier(m);
    }
}

/* Adds the kernel. A work-group does a run of the launch's rounds, or one. */
static void add_kernel(struct dal__maker *m)
{
    add_move(m);
    add_kernel_head(m);
    add_local_memory(m);
    dal_text_printf(m->text,
                    "    const ulong dal__group = get_group_id(0);\n"
                    "    __global uchar *const dal__slot = dal__scratch + dal__group * %" PRIu64
                    "ul;\n",
                    m->group->slot_bytes);
    add_kept_places(m);
    if (m->group->one_round)
        dal_text_add(m->text, "    const ulong dal__at = dal__group;\n    {\n");
    else
        dal_text_add(m->text,
                     "    const ulong dal__groups = get_num_groups(0);\n"
                     "    const ulong dal__end = dal__rounds * (dal__group + 1) / dal__groups;\n\n"
                     "    for (ulong dal__at = dal__rounds * dal__group / dal__groups; dal__at < "
                     "dal__end; dal__at++) {\n");
    add_returns(m);
    add_round(m);
    add_steps(m);
    dal_text_add(m->text, "    }\n}\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void add_title(struct dal__maker *m)
{
    struct dal_text names = {0};
    size_t i;

    for (i = 0; i < m->group->member_count; i++)
        dal_text_printf(&names, "%s%s", i ? ", " : "", m->group->members[i]->process->name);
    dal_text_add_comment(m->text, 0, "Kernel of a group: %s, one after the other.",
                         dal_text_get(&names));
    dal__add_words(m->text);
    for (i = 0; i < m->part_count && !m->parts[i]->in_group; i++)
        ;
    if (i < m->part_count)
        dal__add_pointer(m->text);
    add_linear_id(m->text, m->group->members[0]->work_shape);
    dal_text_add(m->text, front);
    m->text->lost |= names.lost;
    dal_text_finish(&names);
}

int dal__group_text(struct dal__maker *m)
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

/* ---- a cyclo-static process by itself -------------------------------------------------------- */

static void add_phases_head(struct dal_text *text, const struct dal_plan_unit *unit)
{
    const struct dal_spec_process *process = unit->process;
    const char *comma = "";
    size_t i;

    dal_text_printf(text,
                    "\n__kernel __attribute__((reqd_work_group_size(%zu, %zu, %zu))) void %s(",
                    dal_work_size(unit->work_items, unit->work_shape, 0),
                    dal_work_size(unit->work_items, unit->work_shape, 1),
                    dal_work_size(unit->work_items, unit->work_shape, 2), unit->kernel);
    for (i = 0; i < process->port_count; i++, comma = ", ")
        dal_text_printf(text, "%s__global uchar *dal__base_%zu, ulong dal__offset_%zu", comma, i,
                        i);
    for (i = 0; i < process->parameter_count; i++) {
        if (!unit->values[i].is_taken)
            continue;
        dal_text_printf(text, "%s%s dal__value_%zu", comma,
                        dal_value_traits(unit->values[i].type)->name, i);
        comma = ", ";
    }
    dal_text_add(text, ")\n{\n");
    for (i = 0; i < process->port_count; i++)
        dal_text_printf(text,
                        "    __global uchar *const dal__at_%zu = dal__base_%zu + dal__offset_%zu + "
                        "get_group_id(0) * %" PRIu64 "ul;\n",
                        i, i, i, process->ports[i].rate * process->ports[i].channel->token_bytes);
}

static void add_phase_call(struct dal_text *text, const struct dal_plan_unit *unit, uint64_t phase)
{
    const struct dal_spec_process *process = unit->process;
    size_t i;

    dal_text_add(text, "    dal__fire_0(");
    for (i = 0; i < process->port_count; i++) {
        dal_text_printf(text, "%sdal__at_%zu", i ? ", " : "", i);
        add_place(text, process, i, phase);
    }
    for (i = 0; i < process->parameter_count; i++)
        if (unit->values[i].is_taken)
            dal_text_printf(text, ", dal__value_%zu", i);
    dal_text_printf(text, ", %" PRIu64 "%s);\n", phase,
                    dal__group_has_locals(unit) ? ", &dal__local.dal__0" : "");
}

int dal__phases_text(struct dal_plan_unit *unit)
{
    const struct dal_plan_unit *parts[] = {unit};
    struct dal_plan_group group = {.unit = unit};
    struct dal__maker m = {.group = &group, .parts = parts, .part_count = 1, .text = &unit->text};
    uint64_t phase;
    int error;

    dal_text_add_comment(m.text, 0, "Kernel of process %s: the %" PRIu64 " firings of a cycle.",
                         unit->process->base, unit->process->phases);
    dal__add_words(m.text);
    add_linear_id(m.text, unit->work_shape);
    dal_text_add(m.text, front);
    error = add_part(&m, 0);
    dal_text_add(m.text, back);
    add_phases_head(m.text, unit);
    add_local_memory(&m);
    for (phase = 0; phase < unit->process->phases; phase++) {
        if (phase && unit->work_items > 1 && dal__group_has_locals(unit))
            dal_text_add(m.text, "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
        add_phase_call(m.text, unit, phase);
    }
    dal_text_add(m.text, "}\n");
    return !error && m.text->lost ? DAL_ERR_NOMEM : error;
}
