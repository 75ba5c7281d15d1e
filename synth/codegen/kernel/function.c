/*
 * A kernel as a function of another kernel, which calls it for a firing. Each call sees a launch of
 * one firing: its group is number 0 of 1. So where a firing's tokens lie is a matter of pointers
 * alone.
 *
 * The users' text keeps its lines, and is changed in four things. The kernel's head is replaced.
 * Its variables in local memory become those of the kernel that calls it. Other kernels are left
 * out. Names get a prefix, since several sources stand in one text. A reader looks at the result;
 * where it finds an error, the processes are launched by themselves.
 */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/kernel/function.h"
#include "synth/codegen/kernel/job.h"
#include "synth/codegen/kernel/steps.h"
#include "synth/codegen/kernel/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a kernel as a function ------------------------------------------------------------------ */

/* A part that is added: the unit and its number; as a function of one word? */
struct part {
    const struct dal_plan_unit *unit;
    size_t number;
    int of_word;
};

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

static void add_locals(struct dal__copy *w, const struct dal_variant *variant,
                       const struct dal_fact *kernel, size_t part)
{
    const struct dal_fact *local = kernel, *before = NULL;
    dal_text_printf(w->text, " struct dal__local_%zu {", part);
    while ((local = dal_fact_of_function(&variant->facts, DAL_FACT_LOCAL, local))) {
        if (!before || before->local.start != local->local.start)
            add_member(w->text, w->source + local->local.start, w->source + local->local.end);
        before = local;
    }
    dal_text_add(w->text, before ? " };" : " char none; };");
}

/* A part of the text that is replaced: a variable in local memory where it is declared or used, or
 * a word. */
struct edit {
    const struct dal_fact *fact;
    size_t start, end;
};

static int precedes(const void *a, const void *b)
{
    size_t x = ((const struct edit *)a)->start, y = ((const struct edit *)b)->start;
    return (x > y) - (x < y);
}

/* Is the fact of a word that the function is given? */
static int is_word(const struct dal_plan_unit *unit, const struct dal_fact *fact)
{
    const struct dal_fact *word = NULL;
    for (size_t i = 0; i < unit->process->port_count; i++)
        if ((word = dal__words_port(unit, i, NULL)) && strcmp(word->name, fact->name) == 0)
            return 1;
    return 0;
}

/* Lists what is replaced in the text's order. The caller frees it. */
static struct edit *list_edits(const struct part *part, const struct dal_variant *variant,
                               const struct dal_fact *kernel, size_t *count)
{
    struct edit *edits = dal_calloc(variant->facts.count + 2, sizeof(*edits)), *edit = edits;
    const struct dal_fact *f = kernel;
    while (edits && ++f < variant->facts.list + variant->facts.count &&
           f->kind != DAL_FACT_FUNCTION && f->kind != DAL_FACT_PROTOTYPE) {
        if (f->kind == DAL_FACT_LOCAL)
            *edit++ = (struct edit){f, f->local.start, f->local.end};
        else if (f->kind == DAL_FACT_USE)
            *edit++ = (struct edit){f, f->place.start, f->place.start + strlen(f->name)};
        else if (f->kind == DAL_FACT_WORD && part->of_word && is_word(part->unit, f))
            *edit++ = (struct edit){f, f->element.start, f->element.end};
        else if (f->kind == DAL_FACT_STEP && part->of_word && f->step.words) {
            *edit++ = (struct edit){f, f->step.start, f->step.start_end};
            *edit++ = (struct edit){f, f->step.next, f->step.next_end};
        }
    }
    *count = (size_t)(edit - edits);
    if (edits)
        qsort(edits, *count, sizeof(*edits), precedes);
    return edits;
}

/* Adds what a loop counts for the word at hand. */
static void add_count(struct dal_text *text, const struct dal_step_fact *step)
{
    dal_text_add(text, "dal__at");
    if (step->by > 1)
        dal_text_printf(text, " / %zu", step->by);
    if (step->of < step->words)
        dal_text_printf(text, " %% %zu", step->of);
}

/* Copies up to what is replaced and replaces it. A loop over words ends behind the one at hand.
 * Returns 0 where a use is not what it should be. */
static int add_edit(struct dal__copy *w, const struct edit *edit)
{
    const struct dal_fact *fact = edit->fact;
    if (edit->start < w->at) /* a use in a declaration that has been left out, as in sizeof */
        return 1;
    dal__copy_until(w, edit->start);
    if (fact->kind == DAL_FACT_USE)
        dal_text_printf(w->text, "(dal__l->%s)", fact->name);
    else if (fact->kind == DAL_FACT_WORD)
        dal_text_printf(w->text, "(*dal__word_%s)", fact->name);
    else if (fact->kind == DAL_FACT_STEP && edit->start == fact->step.start)
        add_count(w->text, &fact->step);
    else if (fact->kind == DAL_FACT_STEP)
        dal_text_printf(w->text, "%s = %zu", fact->name, fact->step.words);
    leave_out(w, edit->end);
    if (fact->kind == DAL_FACT_LOCAL)
        dal_text_add(w->text, ";");
    return fact->kind != DAL_FACT_USE ||
           strncmp(w->source + edit->start, fact->name, strlen(fact->name)) == 0;
}

/* Adds the parameters of a word: its number, and a pointer for each port. */
static void add_word_parameters(struct dal_text *text, const struct dal_plan_unit *unit)
{
    dal_text_add(text, ", ulong dal__at");
    for (size_t i = 0; i < unit->process->port_count; i++) {
        const struct dal_fact *word = dal__words_port(unit, i, NULL);
        if (word)
            dal_text_printf(text, ", %s *dal__word_%s", word->element.type, word->name);
    }
}

/* Adds a kernel as a function. Its head is ours, down to its name. DAL_ERR_UNSUPPORTED where its
 * text is not as it should be. */
static int add_function(struct dal__copy *w, const struct dal_variant *variant,
                        const struct dal_fact *kernel, const struct part *part, int has_local)
{
    size_t count;
    struct edit *edits = list_edits(part, variant, kernel, &count);
    int good = 1;
    if (!edits)
        return DAL_ERR_NOMEM;
    dal__copy_until(w, kernel->function.start);
    leave_out(w, kernel->function.at);
    if (has_local)
        add_locals(w, variant, kernel, part->number);
    dal_text_add(w->text, " __attribute__((always_inline)) static ");
    if (kernel->function.is_kernel) {
        dal_text_add(w->text, "void ");
    } else {
        dal_text_printf(w->text, "int dal__words_%zu(", part->number);
        w->at = kernel->function.arguments;
    }
    dal__copy_until(w, kernel->function.arguments_end);
    if (has_local)
        dal_text_printf(w->text, ", __local struct dal__local_%zu *dal__l", part->number);
    if (part->of_word)
        add_word_parameters(w->text, part->unit);
    dal__copy_until(w, kernel->function.arguments_end + 1);
    leave_out(w, kernel->function.body - (w->source[kernel->function.body - 1] == '{' ? 1 : 2));
    for (size_t i = 0; i < count && good; i++)
        good = add_edit(w, &edits[i]);
    dal__copy_until(w, kernel->function.end);
    dal_free(edits);
    return good ? DAL_OK : DAL_ERR_UNSUPPORTED;
}

/* ---- the text of a unit ---------------------------------------------------------------------- */

/* Adds the answers to a kernel that is the only one in a launch of one firing. A work-item that is
 * alone is number 0, and the compiler is to know (alone.c). */
static void add_answers(struct dal_text *text, const struct dal_plan_unit *unit, size_t part)
{
    dal_text_printf(text, "static size_t dal__size_%zu(uint n) { return ", part);
    for (int i = 0; i < (unit->work_shape[0] ? DAL_DIMENSIONS : 1); i++)
        dal_text_printf(text, "n == %d ? %zu : ", i,
                        dal_work_size(unit->work_items, unit->work_shape, i));
    dal_text_printf(text,
                    "1; }\n"
                    "#define get_local_size dal__size_%zu\n"
                    "#define get_global_size dal__size_%zu\n"
                    "#define get_enqueued_local_size dal__size_%zu\n",
                    part, part, part);
    dal__add_group_items(text, unit, dal__function_variants(unit));
    if (dal__unit_is_alone(unit, dal__function_variants(unit)))
        dal__add_alone(text);
}

static void drop_answers(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (dal__unit_is_alone(unit, dal__function_variants(unit)))
        dal__drop_alone(text);
    dal_text_add(text, "#undef get_local_size\n"
                       "#undef get_global_size\n"
                       "#undef get_enqueued_local_size\n");
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists the source's own names, in order. The caller frees the list. */
static const char **list_names(const struct dal_variant *variant, size_t *count)
{
    const char **names = dal_calloc(variant->facts.count + 1, sizeof(*names));
    const struct dal_fact *fact = NULL;
    *count = 0;
    while (names && (fact = dal_fact_next(&variant->facts, DAL_FACT_NAME, fact)))
        names[(*count)++] = fact->name;
    if (names)
        qsort(names, *count, sizeof(*names), compare_names);
    return names;
}

/* Gives each name a prefix, or takes that back. */
static void add_directives(struct dal_text *text, const char *const *names, size_t count,
                           size_t part, int define)
{
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(names[i - 1], names[i]) == 0)
            continue;
        if (define)
            dal_text_printf(text, "#define %s dal__%zu_%s\n", names[i], part, names[i]);
        else
            dal_text_printf(text, "#undef %s\n", names[i]);
    }
}

static int add_source(struct dal_text *text, const struct dal_variant *variant,
                      const struct dal_fact *kernel, const struct part *part, int has_local)
{
    struct dal__copy w = {
        .text = text, .source = dal_text_get(&variant->text), .facts = &variant->facts};
    const struct dal_fact *fact = NULL;
    int status = DAL_OK;
    while (!status && (fact = dal_fact_next(&variant->facts, DAL_FACT_FUNCTION, fact))) {
        if (fact == kernel) {
            status = add_function(&w, variant, kernel, part, has_local);
        } else if (fact->function.is_kernel &&
                   !dal_fact_find(&variant->facts, DAL_FACT_CALL, fact->name)) {
            dal__copy_until(&w, fact->function.start);
            leave_out(&w, fact->function.end);
            w.at += w.source[w.at] == '%' ? 2 : 1;
        }
    }
    dal__copy_until(&w, variant->text.length);
    return status;
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

/* Adds the argument of a parameter, or of a constant, whose type is the user's again. */
static void add_value_argument(struct dal_text *text, const struct dal_plan_unit *unit,
                               const struct dal_variant *variant, const struct dal_fact *arg)
{
    int constant = dal_spec_find_constant(unit->process, arg->name);
    int value = constant < 0 ? dal_spec_find_parameter(unit->process, arg->name)
                             : constant + (int)unit->process->parameter_count;
    if (unit->source->type == DAL_SOURCE_PORTABLE) {
        dal_text_add(text, arg->name);
        return;
    }
    if (constant >= 0)
        dal__add_cast(text, dal_text_get(&variant->text), arg);
    dal_text_printf(text, "dal__value_%d", value);
}

/* Adds the process of a portable source, of whose fire the words are, up to its place in the call.
 * Nothing is read but constants, and windows that are in memory. */
static void add_process(struct dal_text *text, const struct part *part)
{
    const struct dal_spec_process *process = part->unit->process;
    dal_text_add(text, " DALProcess dal__p;");
    for (size_t i = 0; i < process->port_count; i++)
        dal_text_printf(text, " dal__p.dal__at[%zu] = (__global uchar *)dal__port_%zu;", i, i);
    for (size_t i = 0; i < process->constant_count; i++)
        dal_text_printf(text, " dal__p.dal__constant[%zu] = dal__value_%zu;", i,
                        process->parameter_count + i);
    dal_text_printf(text, " dal__words_%zu(&dal__p", part->number);
}

/* Adds a kernel's arguments, in the order that it has them. */
static void add_arguments(struct dal_text *text, const struct dal_plan_unit *unit,
                          const struct dal_variant *variant, const struct dal_fact *kernel)
{
    const struct dal_spec_process *process = unit->process;
    const struct dal_fact *arg = kernel;
    int given = 0;
    dal_text_printf(text, " %s(", kernel->name);
    while ((arg = dal_fact_of_function(&variant->facts, DAL_FACT_PARAMETER, arg))) {
        int port = dal_spec_find_port(process, arg->name);
        if (unit->source->type == DAL_SOURCE_PORTABLE)
            port = given < (int)process->port_count ? given : -1;
        dal_text_add(text, given++ ? ", " : "");
        if (port >= 0)
            add_port_argument(text, unit, variant, arg, (size_t)port);
        else if (dal__count_port(process, arg->name) >= 0)
            add_count_argument(text, process, dal__count_port(process, arg->name));
        else if (strcmp(arg->name, DAL__PHASE) == 0)
            dal_text_add(text, "dal__phase");
        else
            add_value_argument(text, unit, variant, arg);
    }
}

/* Adds the function that the group's kernel calls: by ports in their order, whatever the order of
 * the kernel's arguments is. */
static void add_call(struct dal_text *text, const struct part *part,
                     const struct dal_variant *variant, const struct dal_fact *kernel,
                     int has_local)
{
    const struct dal_plan_unit *unit = part->unit;
    const struct dal_spec_process *process = unit->process;
    dal_text_printf(text, "\n__attribute__((always_inline)) static void dal__fire_%zu(",
                    part->number);
    for (size_t i = 0; i < process->port_count; i++)
        dal_text_printf(text, "%s__global void *dal__port_%zu", i ? ", " : "", i);
    for (size_t i = 0; i < dal_plan_most_values(process) && unit->values; i++)
        if (unit->values[i].is_taken)
            dal_text_printf(text, ", %s dal__value_%zu", dal_plan_value_type(&unit->values[i]), i);
    if (dal__has_phases(unit))
        dal_text_add(text, ", int dal__phase");
    if (has_local)
        dal_text_printf(text, ", __local struct dal__local_%zu *dal__l", part->number);
    if (part->of_word)
        add_word_parameters(text, unit);
    dal_text_add(text, ") {");
    if (unit->source->type == DAL_SOURCE_OPENCL)
        dal__add_wrong_counts(text, process, "dal__port_", 0);
    if (kernel->function.is_kernel)
        add_arguments(text, unit, variant, kernel);
    else
        add_process(text, part);
    dal_text_add(text, has_local ? ", dal__l" : part->of_word ? ", dal__at" : "");
    for (size_t i = 0; i < process->port_count && part->of_word; i++)
        if (dal__words_port(unit, i, NULL))
            dal_text_printf(text, ", dal__word_%s", dal__words_port(unit, i, NULL)->name);
    dal_text_add(text, "); }\n");
}

static int add_variant(void *data, struct dal_text *text, size_t number)
{
    const struct part *part = data;
    const struct dal_variant *variant = &dal__function_variants(part->unit)->list[number];
    const struct dal_fact *kernel =
        (part->of_word ? dal__function_of_words : dal__function_kernel)(variant, part->unit);
    int status, has_local = dal__function_has_locals(part->unit);
    const char **names;
    size_t count;
    if (!kernel) {
        dal_text_add(text, "#error This source has no kernel for this device.\n");
        return DAL_OK;
    }
    names = list_names(variant, &count);
    if (!names)
        return DAL_ERR_NOMEM;
    dal_unit_contraction(text, part->unit);
    add_directives(text, names, count, part->number, 1);
    status = add_source(text, variant, kernel, part, has_local);
    add_call(text, part, variant, kernel, has_local);
    add_directives(text, names, count, part->number, 0);
    dal_free(names);
    return status;
}

int dal__add_function(struct dal_text *text, const struct dal_plan_unit *unit, size_t number,
                      int of_word)
{
    struct part part = {unit, number, of_word};
    int status;
    dal_text_printf(text, "\n/* Process %s. */\n", unit->process->base);
    dal__add_constant_word(text, dal__function_variants(unit));
    add_answers(text, unit, number);
    status = dal__add_variants(text, dal__function_variants(unit), add_variant, &part);
    drop_answers(text, unit);
    return status;
}

/* ---- around them ------------------------------------------------------------------------------
 */

/* Answers for all parts; the others stand in front of each part. */
static const char answers[] = "static size_t dal__zero(uint n) { return 0; }\n"
                              "static size_t dal__one(uint n) { return 1; }\n"
                              "#define get_group_id dal__zero\n"
                              "#define get_global_offset dal__zero\n"
                              "#define get_num_groups dal__one\n"
                              "#define get_global_id get_local_id\n"
                              "#define get_global_linear_id dal__id\n"
                              "#define get_local_linear_id dal__id\n";

static const char no_answers[] = "\n#line 1 \"dal\"\n"
                                 "#undef get_group_id\n"
                                 "#undef get_global_offset\n"
                                 "#undef get_num_groups\n"
                                 "#undef get_global_id\n"
                                 "#undef get_global_linear_id\n"
                                 "#undef get_local_linear_id\n";

void dal__open_functions(struct dal_text *text, const uint32_t *shape)
{
    dal_text_add(text, "static size_t dal__id(void) { return ");
    if (shape[0])
        dal_text_printf(text, "(get_local_id(2) * %" PRIu32 " + get_local_id(1)) * %" PRIu32 " + ",
                        shape[1], shape[0]);
    dal_text_add(text, "get_local_id(0); }\n");
    dal_text_add(text, answers);
}

void dal__close_functions(struct dal_text *text)
{
    dal_text_add(text, no_answers);
}
