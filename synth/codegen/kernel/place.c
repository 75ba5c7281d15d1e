/*
 * The kernel of a process by itself: a window reaches it as a buffer and an offset
 * (doc/explanation/memory.md). So the user's plain signature is replaced, and the user's pointers
 * are made at the top of the body. That is done behind the preprocessor, where the reader says, so
 * it does not matter what made the signature. Everything else of the source, down to the number of
 * its lines, stays.
 */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/kernel/job.h"
#include "synth/codegen/kernel/steps.h"
#include "synth/codegen/kernel/unit.h"

#include "rt/base/alloc.h"

#include <inttypes.h>
#include <string.h>

/* Returns the name of the type of a process's parameter or constant. */
static const char *value_name(const struct dal_plan_unit *unit, size_t parameter)
{
    if (unit->values[parameter].memory != DAL_PLAN_VALUE)
        return dal__is_cuda(unit) ? "const unsigned char *"
                                  : dal_plan_value_type(&unit->values[parameter]);
    switch (unit->values[parameter].type) {
    case DAL_VALUE_UINT:
        return dal__words_of(unit)->uint;
    case DAL_VALUE_ULONG:
        return dal__words_of(unit)->ulong;
    default:
        return dal_value_traits(unit->values[parameter].type)->name;
    }
}

/* Adds the arguments for values. A value that only the kernel of another variant takes has a name
 * of ours here. */
static void add_values(struct dal__copy *w, const struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    const char *separator = process->port_count ? ", " : "";
    const struct dal_fact *arg;
    for (size_t i = 0; i < dal_plan_most_values(process); i++) {
        const char *name = dal_plan_value_name(process, i);
        if (!job->unit->values[i].is_taken)
            continue;
        dal_text_add(w->text, separator);
        separator = ", ";
        for (arg = job->kernel; arg && (arg == job->kernel || strcmp(arg->name, name) != 0);)
            arg = dal__job_next(job, DAL_FACT_PARAMETER, arg);
        if (arg)
            dal__add_parameter(w->text, w->source, arg, arg->name);
        else
            dal_text_printf(w->text, "%s dal__value_%zu", value_name(job->unit, i), i);
    }
}

static void add_ports(struct dal_text *text, const struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_parameter_fact *arg = &job->args[i]->parameter;
        dal_text_add(text, i ? ", " : "");
        dal__add_base(text, job->unit,
                      arg->is_const      ? arg->is_volatile ? "const volatile " : "const "
                      : arg->is_volatile ? "volatile "
                                         : "",
                      process->ports[i].name);
    }
}

/* Replaces the arguments on as many lines as the user's, with those that say where they are
 * from. */
static void replace_arguments(struct dal__copy *w, const struct dal__job *job)
{
    const char *end = w->source + job->kernel->function.arguments_end, *at;
    dal__copy_until(w, job->kernel->function.arguments);
    add_ports(w->text, job);
    add_values(w, job);
    for (at = w->source + w->at; at < end; at++) {
        if (*at != '\n')
            continue;
        dal_text_add(w->text, "\n");
        if (at[1] == '#')
            dal_text_add_bytes(w->text, at + 1, strcspn(at + 1, "\n"));
    }
    w->at = job->kernel->function.arguments_end;
}

/* Marks counts as unset. A packet has the count of an earlier firing, which must not pass for this
 * one's. Any work-item may set the count, and returns from the kernel when it likes. */
static void add_unset(struct dal_text *text, const struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int is_alone = job->unit->work_items == 1;
    for (size_t i = 0; i < process->port_count; i++) {
        char *packet = dal_format("dal__packet_%s", process->ports[i].name);
        text->lost |= !packet;
        if (packet && process->ports[i].output && dal__is_counted(&process->ports[i])) {
            dal_text_add(text, is_alone ? " " : " if (" DAL__IS_FIRST_ITEM ") ");
            dal__add_unset(text, packet);
        }
        dal_free(packet);
    }
    if (!is_alone && dal_spec_has_counted(process, 1))
        dal_text_add(text, " barrier(CLK_GLOBAL_MEM_FENCE);");
}

/* Adds pointers to the packets of this firing. The user finds the tokens of other ports by the
 * firing's number. */
static void add_packets(struct dal__copy *w, const struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    for (size_t i = 0; i < process->port_count; i++)
        if (dal__is_counted(&process->ports[i]))
            dal_text_printf(w->text,
                            " __global %suchar *const dal__packet_%s = dal__base_%s + "
                            "dal__offset_%s + get_group_id(0) * %" PRIu64 "ul;",
                            job->args[i]->parameter.is_const ? "const " : "",
                            process->ports[i].name, process->ports[i].name, process->ports[i].name,
                            process->ports[i].channel->token_bytes);
    dal__add_wrong_counts(w->text, process, "dal__packet_", 1);
    add_unset(w->text, job);
}

static void add_place(struct dal__copy *w, const struct dal__job *job, const struct dal_fact *arg)
{
    const struct dal_spec_process *process = job->unit->process;
    int port = dal_spec_find_port(process, arg->name),
        counted = dal__count_port(process, arg->name);
    char *packet = dal_format("dal__packet_%s", counted >= 0 ? process->ports[counted].name : "");
    if (!packet)
        w->text->lost = 1;
    else if (counted >= 0)
        dal__add_count(w->text, &process->ports[counted], packet);
    else
        dal__add_cast(w->text, w->source, arg);
    if (counted < 0 && dal__is_counted(&process->ports[port]))
        dal_text_printf(w->text, "(dal__packet_%s + %" PRIu64 ")", arg->name,
                        dal__header_bytes(&process->ports[port]));
    else if (counted < 0)
        dal_text_printf(w->text, "(dal__base_%s + dal__offset_%s)", arg->name, arg->name);
    dal_free(packet);
}

/* Adds the user's pointers in the order of the arguments: one may have the type that another
 * declares. */
static void add_pointers(struct dal__copy *w, const struct dal__job *job)
{
    const struct dal_fact *arg = job->kernel;
    add_packets(w, job);
    while ((arg = dal__job_next(job, DAL_FACT_PARAMETER, arg))) {
        if (dal__is_value(job->unit->process, arg))
            continue;
        dal_text_add(w->text, " ");
        dal__add_parameter(w->text, w->source, arg, arg->name);
        dal_text_add(w->text, " = ");
        add_place(w, job, arg);
        dal_text_add(w->text, ";");
    }
}

/* Replaces the user's head, and its name. */
static void replace_head(struct dal__copy *w, const struct dal__job *job)
{
    if (!dal__job_next(job, DAL_FACT_SIZE, job->kernel)) {
        dal__copy_until(w, job->kernel->function.keyword);
        dal__add_size(w->text, job->unit);
    }
    if (strcmp(job->unit->kernel, job->kernel->name) != 0) {
        dal__copy_until(w, job->kernel->function.at);
        dal_text_add(w->text, job->unit->kernel);
        w->at += strlen(job->kernel->name);
    }
    replace_arguments(w, job);
    dal__copy_until(w, job->kernel->function.body);
}

/* Adds a kernel of another name, with the same body, behind the user's, which others call. */
static void add_head(struct dal__copy *w, const struct dal__job *job)
{
    dal__copy_until(w, job->variant->text.length);
    dal_text_printf(w->text, "\n#line %zu ", job->kernel->function.body_line);
    dal_text_add_literal(w->text, job->kernel->file);
    dal_text_add(w->text, "\n");
    dal__add_head(w->text, job->unit);
    add_ports(w->text, job);
    add_values(w, job);
    dal_text_add(w->text, ") {");
    w->at = job->kernel->function.body;
    w->next = 0;
}

/*
 * Not every driver says how many bytes of local memory a kernel has. Some end the program at a
 * launch that needs more than there is. So the text can be asked: with DAL_LOCAL_BYTES defined, it
 * builds only if the variables together have at most so many. Their sizes are the compiler's.
 */
static const char local_macro[] =
    "#ifdef DAL_LOCAL_BYTES\n"
    "#define DAL_LOCAL(bytes) typedef char dal__local[(bytes) <= DAL_LOCAL_BYTES ? 1 : -1];\n"
    "#else\n"
    "#define DAL_LOCAL(bytes)\n"
    "#endif\n";

static void add_local_sizes(struct dal_text *text, const struct dal__job *job)
{
    const struct dal_fact *local = dal__job_next(job, DAL_FACT_LOCAL, job->kernel);
    if (!local)
        return;
    dal_text_printf(text, "DAL_LOCAL(sizeof(%s)", local->name);
    while ((local = dal__job_next(job, DAL_FACT_LOCAL, local)))
        dal_text_printf(text, " + sizeof(%s)", local->name);
    dal_text_add(text, ") ");
    job->unit->counts_local = 1;
}

static void add_prologue(struct dal_text *text, const struct dal__job *job)
{
    dal_text_add_comment(
        text, 0,
        "Kernel of process %s, from %s: the arguments are made a buffer and an offset a port.",
        job->unit->process->base, dal_path_base(job->unit->source->path));
    if (dal__is_cuda(job->unit))
        return;
    dal__add_words(text);
    dal__add_constant_word(text, job->unit->variants);
    dal__add_group_items(text, job->unit, job->unit->variants);
    if (dal__job_next(job, DAL_FACT_LOCAL, job->kernel))
        dal_text_add(text, local_macro);
    if (dal__unit_is_alone(job->unit, job->unit->variants))
        dal__add_alone(text);
    dal_unit_contraction(text, job->unit);
}

void dal__add_in_place(struct dal_text *text, const struct dal__job *job)
{
    struct dal__copy w = {
        .text = text, .source = dal_text_get(&job->variant->text), .facts = &job->variant->facts};
    int is_copy = dal__kernel_is_used(job->variant, job->kernel);
    add_prologue(text, job);
    if (is_copy)
        add_head(&w, job);
    else
        replace_head(&w, job);
    add_pointers(&w, job);
    dal__copy_until(&w, job->kernel->function.end);
    add_local_sizes(text, job);
    dal__copy_until(&w, is_copy ? w.at + 1 : job->variant->text.length);
    if (is_copy)
        dal_text_add(text, "\n");
}
