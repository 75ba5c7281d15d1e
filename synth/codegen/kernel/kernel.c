/*
 * Kernels: a window reaches a kernel as a buffer and an offset (doc/inside.md). So the user's plain
 * signature is replaced, and the user's pointers are made at the top of the body. That is done
 * behind the preprocessor, where the reader says, so it does not matter what made the signature.
 * Everything else of the source, down to the number of its lines, stays.
 */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/token.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/kernel/group.h"
#include "synth/codegen/kernel/variants.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/value.h"

#include <inttypes.h>
#include <string.h>

/* One variant of a unit. */
struct job {
    struct dal_diags *diags;
    struct dal_plan_unit *unit;
    const struct dal_variant *variant;
    struct dal_reading reading; /* of its source */
    struct dal_facts original;  /* of the files themselves; read when something is wrong */
    const struct dal_fact *kernel;
    const struct dal_fact **args;   /* one a port */
    const struct dal_fact **counts; /* one a port, of those that are counted */
    struct dal_plan_value *values;  /* one a parameter of the process */
};

/* ---- facts ----------------------------------------------------------------------------------- */

static const struct dal_fact *end_of_facts(const struct job *job)
{
    return job->variant->facts.list + job->variant->facts.count;
}

/* Returns the next fact of a kind behind `fact`, which is the kernel or about it; NULL without
 * one. */
static const struct dal_fact *next_of_kernel(const struct job *job, const char *kind,
                                             const struct dal_fact *fact)
{
    return dal_fact_of_function(&job->variant->facts, kind, fact);
}

/* Returns the next kernel that has a body, behind `fact` or, for NULL, from the start; or NULL. */
static const struct dal_fact *next_kernel(const struct job *job, const struct dal_fact *fact)
{
    for (fact = fact ? fact + 1 : job->variant->facts.list; fact < end_of_facts(job); fact++)
        if (dal_fact_is(fact, "function") && fact->numbers[DAL_FUNCTION_IS_KERNEL])
            return fact;
    return NULL;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Reads the files themselves, for folders and columns: the preprocessor keeps only lines. */
static const struct dal_facts *read_original(struct job *job)
{
    if (!job->original.lines && dal_read_source(&job->reading, &job->original))
        dal_facts_finish(&job->original);
    return &job->original;
}

static int same_thing(const struct dal_fact *a, const struct dal_fact *b)
{
    return dal_fact_is(a, b->kind) && strcmp(a->name, b->name) == 0 && a->line == b->line &&
           strcmp(dal_path_base(a->file), dal_path_base(b->file)) == 0;
}

static struct dal_spec_place place_of(struct job *job, const struct dal_fact *fact)
{
    const struct dal_facts *original = read_original(job);
    size_t i;

    for (i = 0; i < original->count; i++)
        if (same_thing(&original->list[i], fact))
            return dal__unit_place(job->diags, job->unit->source, &original->list[i]);
    return dal__place_in_unit(job->diags, job->unit, fact);
}

/* ---- what is wrong with the source ----------------------------------------------------------- */

static int is_cuda(const struct job *job)
{
    return job->unit->source->type == DAL_SOURCE_CUDA;
}

/* Is an error about a function of a device's maker? Only the maker's compiler knows it, and has the
 * last word. */
static int is_of_maker(const struct job *job, const struct dal_fact *error)
{
    static const char *const prefixes[] = {"'__", "'intel_", "'amd_", "'arm_", "'nv_", "'qcom_"};
    size_t i;

    if (is_cuda(job) && (strstr(error->name, "undeclared") || strstr(error->name, "no template") ||
                         strstr(error->name, "unknown type")))
        return 1;
    for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (strstr(error->name, "declar") && strstr(error->name, prefixes[i]))
            return 1;
    return 0;
}

/* Counts the errors of the text; of its syntax alone, or all. */
static size_t count_errors(const struct job *job, int of_syntax)
{
    const struct dal_fact *fact;
    size_t count = 0;

    for (fact = job->variant->facts.list; fact < end_of_facts(job); fact++) {
        if (!dal_fact_is(fact, "error"))
            continue;
        if (is_of_maker(job, fact))
            return 0;
        count += !of_syntax || strcmp(fact->text, "syntax") == 0;
    }
    return count;
}

static int refuse_source(struct job *job)
{
    struct dal_spec_place place = {.file = dal_diag_file(job->diags, job->unit->source->path),
                                   .line = 1};
    const struct dal_fact *fact;

    if (dal__unit_errors(job->diags, job->unit->source, "kernel-build", read_original(job)))
        return DAL_ERR_INVALID;
    if (job->variant->is_refused)
        dal_error(job->diags, place, "kernel-build", "%s", dal_text_get(&job->variant->text));
    for (fact = job->variant->facts.list; fact < end_of_facts(job); fact++)
        if (dal_fact_is(fact, "error"))
            dal_error(job->diags, dal__place_in_unit(job->diags, job->unit, fact), "kernel-build",
                      "%s", fact->name);
    return DAL_ERR_INVALID;
}

/* ---- which kernel is meant ------------------------------------------------------------------- */

static void refuse_kernels(struct job *job, size_t count)
{
    struct dal_spec_place place = {.file = dal_diag_file(job->diags, job->unit->source->path),
                                   .line = 1};
    const char *base = job->unit->process->base;
    const struct dal_fact *kernel = NULL;

    if (count)
        dal_error(job->diags, place, "kernel-signature",
                  "process '%s': none of %zu kernels is named '%s'", job->unit->process->name,
                  count, base);
    else
        dal_error(job->diags, place, "kernel-signature",
                  "process '%s': this source has 0 kernels; expected '%s void %s(...)'",
                  job->unit->process->name, is_cuda(job) ? "extern \"C\" __global__" : "__kernel",
                  base);
    while ((kernel = next_kernel(job, kernel)))
        dal_note(job->diags, place_of(job, kernel), "there is kernel '%s'", kernel->name);
    dal_note(job->diags, job->unit->source->place, "the source is named here");
}

/* Chooses the kernel named after the process, or the only one there is. */
static int choose_kernel(struct job *job)
{
    const struct dal_fact *kernel = NULL;
    size_t count = 0;

    job->kernel = NULL;
    while ((kernel = next_kernel(job, kernel))) {
        if (!job->kernel || strcmp(kernel->name, job->unit->process->base) == 0)
            job->kernel = kernel;
        count++;
    }
    if (job->kernel && (count == 1 || strcmp(job->kernel->name, job->unit->process->base) == 0))
        return DAL_OK;
    if (count == 0 && count_errors(job, 0))
        return refuse_source(job);
    refuse_kernels(job, count);
    return DAL_ERR_INVALID;
}

/* ---- its signature --------------------------------------------------------------------------- */

static const char *find_fault(const struct job *job, const struct dal_fact *arg)
{
    enum dal_target target = (enum dal_target)arg->numbers[DAL_PARAMETER_POINTS_TO];

    if (is_cuda(job))
        return target == DAL_TARGET_GLOBAL ? NULL : "is no plain pointer; a port is one 'TYPE *'";
    switch (target) {
    case DAL_TARGET_GLOBAL:
        return NULL;
    case DAL_TARGET_CONSTANT:
        return "is in constant memory; write '__global const TYPE *'";
    case DAL_TARGET_LOCAL:
        return "is in local memory; declare that in the kernel's body";
    case DAL_TARGET_NONE:
        return "is no plain pointer; a port is one '__global TYPE *'";
    default:
        return "is no pointer to global memory; write '__global TYPE *'";
    }
}

/* Checks the phase, which only a cyclo-static process has. */
static const char *check_phase(const struct job *job, const struct dal_fact *arg)
{
    size_t type = arg->numbers[DAL_PARAMETER_VALUE];

    if (dal_plan_phases(job->unit->process) == 1)
        return "is the phase of a cyclo-static process, and this one has no sequence of rates";
    return type == DAL_VALUE_INT + 1 || type == DAL_VALUE_UINT + 1
               ? NULL
               : "is the phase; its type is to be int or uint";
}

static int is_phase(const struct dal_fact *arg)
{
    return strcmp(arg->name, DAL__PHASE) == 0;
}

static const char *check_value(struct job *job, const struct dal_fact *arg, int parameter)
{
    size_t type = arg->numbers[DAL_PARAMETER_VALUE];

    if (is_phase(arg) && parameter < 0)
        return check_phase(job, arg);
    if (parameter < 0)
        return "is neither a port nor a parameter of the process";
    if (!type)
        return "is a parameter of the process; its type is to be int, uint, long, ulong, float or "
               "double";
    job->values[parameter] = (struct dal_plan_value){1, (enum dal_value_type)(type - 1)};
    return NULL;
}

/* Checks the count of a counted port. */
static const char *check_count(struct job *job, const struct dal_fact *arg, size_t port)
{
    int is_good = arg->numbers[DAL_PARAMETER_VALUE] == DAL_VALUE_UINT + 1;

    job->counts[port] = arg;
    if (!job->unit->process->ports[port].output)
        return is_good ? NULL : "is the count of an input; its type is to be uint";
    is_good = arg->numbers[DAL_PARAMETER_POINTS_TO] == DAL_TARGET_GLOBAL &&
              !arg->numbers[DAL_PARAMETER_IS_CONST] && !arg->numbers[DAL_PARAMETER_IS_ARRAY] &&
              strstr(arg->more, "unsigned int *");
    return is_good ? NULL : "is the count of an output; its type is to be __global uint *";
}

/* Is an argument meant for a value: by its name, or by its type where the name means nothing? */
static int is_value(const struct dal_spec_process *process, const struct dal_fact *arg)
{
    if (dal_spec_find_port(process, arg->name) >= 0 || dal__count_port(process, arg->name) >= 0)
        return 0;
    return dal_spec_find_parameter(process, arg->name) >= 0 || arg->numbers[DAL_PARAMETER_VALUE];
}

static void list_parameters(struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    size_t i;

    for (i = 0; i < process->parameter_count; i++)
        dal_note(job->diags, process->parameters[i].place, "there is parameter '%s'",
                 process->parameters[i].name);
}

/* Checks a port's argument; one that is const cannot write an output. */
static const char *check_port(struct job *job, const struct dal_fact *arg)
{
    int port = dal_spec_find_port(job->unit->process, arg->name);
    const char *fault = find_fault(job, arg);

    if (fault || port < 0 || !job->unit->process->ports[port].output)
        return fault;
    return arg->numbers[DAL_PARAMETER_IS_CONST] ? "is const, but the port is an output" : NULL;
}

/* All other readers of a port see what one of them writes into its tokens. */
static void warn_of_readers(struct job *job, const struct dal_fact *arg, int port)
{
    const struct dal_spec_port *of = &job->unit->process->ports[port];
    const struct dal_spec_channel *channel = of->output ? NULL : of->channel;
    const struct dal_spec_port *from = channel ? channel->producer_port : NULL;

    if (!from || arg->numbers[DAL_PARAMETER_IS_CONST] || !dal_port_next(from, from->channel))
        return;
    dal_warning(job->diags, place_of(job, arg), "kernel-signature",
                "process '%s', kernel '%s': argument '%s' is not const, and other processes read "
                "these tokens of port '%s' of process '%s', too",
                job->unit->process->name, job->kernel->name, arg->name, from->name,
                channel->producer->name);
}

/* Checks that no argument is restrict if its tokens are changed in place: another argument is the
 * same window. */
static const char *check_restrict(const struct dal_spec_port *port, const struct dal_fact *arg)
{
    const struct dal_spec_channel *inplace = port->output             ? dal_spec_inplace(port)
                                             : port->channel->inplace ? port->channel
                                                                      : NULL;

    return inplace && (strstr(arg->text, "restrict") || strstr(arg->more, "restrict"))
               ? "is restrict, but its channel is changed in place (inplace): another argument is "
                 "the same memory"
               : NULL;
}

static int check_argument(struct job *job, const struct dal_fact *arg)
{
    const struct dal_spec_process *process = job->unit->process;
    int port = dal_spec_find_port(process, arg->name),
        parameter = dal_spec_find_parameter(process, arg->name),
        counted = dal__count_port(process, arg->name);
    const char *fault = counted >= 0             ? check_count(job, arg, (size_t)counted)
                        : is_value(process, arg) ? check_value(job, arg, parameter)
                                                 : check_port(job, arg);

    if (!fault && counted < 0 && port < 0 && parameter < 0 && !is_phase(arg))
        fault = "is not the name of one of the process's ports";
    if (port >= 0)
        job->args[port] = arg;
    if (!fault && port >= 0)
        fault = check_restrict(&process->ports[port], arg);
    if (!fault && port >= 0)
        warn_of_readers(job, arg, port);
    if (!fault)
        return DAL_OK;
    dal_error(job->diags, place_of(job, arg), "kernel-signature",
              "process '%s', kernel '%s': argument '%s' %s (its type is '%s')", process->name,
              job->kernel->name, arg->name, fault, arg->text);
    if (is_value(process, arg) && parameter < 0 && !is_phase(arg))
        list_parameters(job);
    return DAL_ERR_INVALID;
}

/* Checks an argument's tokens against the types of the channels, or their sizes. */
static int check_token(struct job *job, size_t port)
{
    const struct dal_spec_process *process = job->unit->process;
    struct dal__device_type device = {.facts = &job->variant->facts,
                                      .from = job->args[port],
                                      .of = job->args[port]->name,
                                      .place = place_of(job, job->args[port])};
    char *what = dal_format("process '%s', kernel '%s': argument '%s'", process->name,
                            job->kernel->name, device.of);
    int error;

    device.what = what;
    error = what
                ? dal__check_tokens(job->diags, job->reading.folder, &process->ports[port], &device)
                : DAL_ERR_NOMEM;
    dal_free(what);
    return error;
}

/* Could the types fail to fit? Only then are the files read for a place, which takes time. */
static int may_misfit(const struct job *job, size_t port)
{
    const struct dal_spec_port *of = &job->unit->process->ports[port];
    const struct dal_spec_channel *c = of->channel;

    while (c && !c->token_type)
        c = dal_port_next(of, c);
    return c || !dal__fits_window(&job->variant->facts, job->args[port], of);
}

static int check_tokens(struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int result = DAL_OK;
    size_t i;

    for (i = 0; i < process->port_count; i++) {
        int error = may_misfit(job, i) ? check_token(job, i) : DAL_OK;
        if (error && error != DAL_ERR_INVALID)
            return error;
        result = error ? error : result;
    }
    return result;
}

static int check_counts(struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        if (!dal__is_counted(port) || job->counts[i])
            continue;
        dal_error(
            job->diags, place_of(job, job->kernel), "kernel-signature",
            "process '%s', kernel '%s': no argument for the count of port '%s'; add '%s%s_count'",
            process->name, job->kernel->name, port->name,
            port->output ? "__global uint *" : "uint ", port->name);
        dal_note(job->diags, port->channel->place, "the channel is counted here");
        error = DAL_ERR_INVALID;
    }
    return error;
}

static int check_ports(struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int error = check_counts(job);
    size_t i;

    for (i = 0; i < process->port_count; i++) {
        if (job->args[i])
            continue;
        dal_error(job->diags, place_of(job, job->kernel), "kernel-signature",
                  "process '%s', kernel '%s': no argument for port '%s'; add '%s%sTYPE *%s'",
                  process->name, job->kernel->name, process->ports[i].name,
                  is_cuda(job) ? "" : "__global ", process->ports[i].output ? "" : "const ",
                  process->ports[i].name);
        dal_note(job->diags, process->ports[i].place, "the port is declared here");
        error = DAL_ERR_INVALID;
    }
    return error;
}

static size_t work_size(const struct dal_plan_unit *unit, int dimension)
{
    return dal_work_size(unit->work_items, unit->work_shape, dimension);
}

static int asks_any(const struct job *job, const char *const *names)
{
    for (; *names; names++)
        if (dal_fact_find(&job->variant->facts, "asks", *names))
            return 1;
    return 0;
}

/* A work-item asks these to find its share, however many work-items there are. */
static const char *const asks_size[] = {"get_local_size", "get_enqueued_local_size", NULL};
/* A work-item asks these to find out that it is not alone, or to wait for the others. */
static const char *const asks_item[] = {"get_local_id",
                                        "get_global_id",
                                        "get_global_size",
                                        "get_local_linear_id",
                                        "get_global_linear_id",
                                        "get_sub_group_id",
                                        "get_sub_group_local_id",
                                        "get_num_sub_groups",
                                        "get_enqueued_num_sub_groups",
                                        NULL};

static void take_required(struct dal_plan_unit *unit, const size_t size[DAL_DIMENSIONS])
{
    int i, is_flat = size[1] == 1 && size[2] == 1;

    unit->work_items = (uint32_t)(size[0] * size[1] * size[2]);
    for (i = 0; i < DAL_DIMENSIONS; i++)
        unit->work_shape[i] = is_flat ? 0 : (uint32_t)size[i];
}

/* Settles the work-items when nobody has given a number. A kernel that does not ask about
 * work-items has one: each would do the same work. */
static int settle_items(struct job *job, const struct dal_fact *size)
{
    struct dal_plan_unit *unit = job->unit;
    enum dal_items_open open = unit->items_open;

    unit->items_open = DAL_ITEMS_GIVEN;
    if (size && size->numbers[0]) {
        take_required(unit, size->numbers);
        unit->items_reason = "I as the kernel requires";
        return DAL_OK;
    }
    if (open == DAL_ITEMS_AUTO && asks_any(job, asks_size))
        return DAL_OK;
    unit->work_items = 1;
    unit->items_reason = "I left out, so 1";
    if (open == DAL_ITEMS_UNSAID)
        return DAL_OK;
    unit->items_reason = "I: the kernel does not know of work-items";
    if (!asks_any(job, asks_item))
        return DAL_OK;
    dal_error(
        job->diags, place_of(job, job->kernel), "kernel-signature",
        "process '%s': its work-items are \"auto\", but kernel '%s' asks for their numbers and "
        "never for how many there are (get_local_size): give their number",
        unit->process->name, job->kernel->name);
    return DAL_ERR_INVALID;
}

static int check_size(struct job *job)
{
    const struct dal_fact *size = next_of_kernel(job, "size", job->kernel);
    const struct dal_plan_unit *unit = job->unit;

    if (unit->items_open != DAL_ITEMS_GIVEN && settle_items(job, size))
        return DAL_ERR_INVALID;
    if (!size || size->numbers[0] == 0 ||
        (size->numbers[0] == work_size(unit, 0) && size->numbers[1] == work_size(unit, 1) &&
         size->numbers[2] == work_size(unit, 2)))
        return DAL_OK;
    dal_error(job->diags, place_of(job, size), "kernel-signature",
              "kernel '%s' requires work-groups of %zux%zux%zu, but process '%s' has %zux%zux%zu "
              "work-items; they are set by dataparallelism in the network and by workitems in the "
              "mapping",
              job->kernel->name, size->numbers[0], size->numbers[1], size->numbers[2],
              unit->process->name, work_size(unit, 0), work_size(unit, 1), work_size(unit, 2));
    return DAL_ERR_INVALID;
}

static int check_kernel(struct job *job)
{
    const struct dal_fact *arg = job->kernel;
    int error = DAL_OK;

    if (strcmp(job->kernel->text, "void") != 0) {
        dal_error(job->diags, place_of(job, job->kernel), "kernel-signature",
                  "kernel '%s' must return void", job->kernel->name);
        error = DAL_ERR_INVALID;
    }
    if (check_size(job))
        error = DAL_ERR_INVALID;
    while ((arg = next_of_kernel(job, "parameter", arg)))
        if (check_argument(job, arg))
            error = DAL_ERR_INVALID;
    if (check_ports(job))
        error = DAL_ERR_INVALID;
    return error ? error : check_tokens(job);
}

/* Tells what is wrong with a kernel in the words of ports, if its text can be parsed. */
static int check_variant(struct job *job)
{
    int error;

    if (job->variant->is_refused || count_errors(job, 1))
        return refuse_source(job);
    error = choose_kernel(job);
    if (!error)
        error = check_kernel(job);
    return !error && count_errors(job, 0) ? refuse_source(job) : error;
}

/* ---- its text -------------------------------------------------------------------------------- */

/* Returns the name of the type of a process's parameter. */
static const char *value_name(const struct job *job, size_t parameter)
{
    const char *name = dal_value_traits(job->unit->values[parameter].type)->name;

    if (*name != 'u' || !is_cuda(job))
        return name;
    return strcmp(name, "uint") == 0 ? "unsigned" : "unsigned long";
}

/* Adds the arguments for values. A value that only the kernel of another variant takes has a name
 * of ours here. */
static void add_values(struct dal__copy *w, const struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    const char *separator = process->port_count ? ", " : "";
    const struct dal_fact *arg;
    size_t i;

    for (i = 0; i < process->parameter_count; i++) {
        const char *name = process->parameters[i].name;
        if (!job->unit->values[i].is_taken)
            continue;
        dal_text_add(w->text, separator);
        separator = ", ";
        for (arg = job->kernel; arg && (arg == job->kernel || strcmp(arg->name, name) != 0);)
            arg = next_of_kernel(job, "parameter", arg);
        if (arg)
            dal__add_parameter(w->text, w->source, arg, arg->name);
        else
            dal_text_printf(w->text, "%s dal__value_%zu", value_name(job, i), i);
    }
}

/* Adds the arguments for ports, in the words of the source. */
static void add_ports(struct dal_text *text, const struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    const char *form = is_cuda(job)
                           ? "%s%s%sunsigned char *dal__base_%s, unsigned long dal__offset_%s"
                           : "%s__global %s%suchar *dal__base_%s, ulong dal__offset_%s";
    size_t i;

    for (i = 0; i < process->port_count; i++)
        dal_text_printf(text, form, i ? ", " : "",
                        job->args[i]->numbers[DAL_PARAMETER_IS_CONST] ? "const " : "",
                        job->args[i]->numbers[DAL_PARAMETER_IS_VOLATILE] ? "volatile " : "",
                        process->ports[i].name, process->ports[i].name);
}

/* Replaces the arguments on as many lines as the user's, with those that say where they are
 * from. */
static void replace_arguments(struct dal__copy *w, const struct job *job)
{
    const char *end = w->source + job->kernel->numbers[DAL_FUNCTION_ARGUMENTS_END], *at;

    dal__copy_until(w, job->kernel->numbers[DAL_FUNCTION_ARGUMENTS]);
    add_ports(w->text, job);
    add_values(w, job);
    for (at = w->source + w->at; at < end; at++) {
        if (*at != '\n')
            continue;
        dal_text_add(w->text, "\n");
        if (at[1] == '#')
            dal_text_add_bytes(w->text, at + 1, strcspn(at + 1, "\n"));
    }
    w->at = job->kernel->numbers[DAL_FUNCTION_ARGUMENTS_END];
}

/* Marks counts as unset. A packet has the count of an earlier firing, which must not pass for this
 * one's. Any work-item may set the count, and returns from the kernel when it likes. */
static void add_unset(struct dal_text *text, const struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int is_alone = job->unit->work_items == 1;
    size_t i;

    for (i = 0; i < process->port_count; i++) {
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
static void add_packets(struct dal__copy *w, const struct job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    size_t i;

    for (i = 0; i < process->port_count; i++)
        if (dal__is_counted(&process->ports[i]))
            dal_text_printf(w->text,
                            " __global %suchar *const dal__packet_%s = dal__base_%s + "
                            "dal__offset_%s + get_group_id(0) * %" PRIu64 "ul;",
                            job->args[i]->numbers[DAL_PARAMETER_IS_CONST] ? "const " : "",
                            process->ports[i].name, process->ports[i].name, process->ports[i].name,
                            process->ports[i].channel->token_bytes);
    dal__add_wrong_counts(w->text, process, "dal__packet_", 1);
    add_unset(w->text, job);
}

static void add_place(struct dal__copy *w, const struct job *job, const struct dal_fact *arg)
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
static void add_pointers(struct dal__copy *w, const struct job *job)
{
    const struct dal_fact *arg = job->kernel;

    add_packets(w, job);
    while ((arg = next_of_kernel(job, "parameter", arg))) {
        if (is_value(job->unit->process, arg))
            continue;
        dal_text_add(w->text, " ");
        dal__add_parameter(w->text, w->source, arg, arg->name);
        dal_text_add(w->text, " = ");
        add_place(w, job, arg);
        dal_text_add(w->text, ";");
    }
}

static void add_size(struct dal_text *text, const struct job *job)
{
    if (is_cuda(job))
        dal_text_printf(text, " __launch_bounds__(%" PRIu32 ")", job->unit->work_items);
    else
        dal_text_printf(text, " __attribute__((reqd_work_group_size(%zu, %zu, %zu)))",
                        work_size(job->unit, 0), work_size(job->unit, 1), work_size(job->unit, 2));
}

/* Replaces the user's head. */
static void replace_head(struct dal__copy *w, const struct job *job)
{
    if (!next_of_kernel(job, "size", job->kernel)) {
        dal__copy_until(w, job->kernel->numbers[DAL_FUNCTION_KEYWORD]);
        add_size(w->text, job);
    }
    replace_arguments(w, job);
    dal__copy_until(w, job->kernel->numbers[DAL_FUNCTION_BODY]);
}

/* Adds a kernel of another name, with the same body, behind the user's, which others call. */
static void add_head(struct dal__copy *w, const struct job *job)
{
    dal__copy_until(w, job->variant->text.length);
    dal_text_printf(w->text, "\n#line %zu ", job->kernel->numbers[DAL_FUNCTION_BODY_LINE]);
    dal_text_add_literal(w->text, job->kernel->file);
    dal_text_add(w->text, is_cuda(job) ? "\nextern \"C\" __global__" : "\n__kernel");
    add_size(w->text, job);
    dal_text_printf(w->text, " void %s(", job->unit->kernel);
    add_ports(w->text, job);
    add_values(w, job);
    dal_text_add(w->text, ") {");
    w->at = job->kernel->numbers[DAL_FUNCTION_BODY];
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

static void add_local_sizes(struct dal_text *text, const struct job *job)
{
    const struct dal_fact *local = next_of_kernel(job, "local", job->kernel);

    if (!local)
        return;
    dal_text_printf(text, "DAL_LOCAL(sizeof(%s)", local->name);
    while ((local = next_of_kernel(job, "local", local)))
        dal_text_printf(text, " + sizeof(%s)", local->name);
    dal_text_add(text, ") ");
    job->unit->counts_local = 1;
}

static void add_prologue(struct dal_text *text, const struct job *job)
{
    dal_text_add_comment(
        text, 0,
        "Kernel of process %s, from %s: the arguments are made a buffer and an offset a port.",
        job->unit->process->base, dal_path_base(job->unit->source->path));
    if (is_cuda(job))
        return;
    dal__add_words(text);
    dal__add_constant_word(text, job->unit->variants);
    dal__add_group_items(text, job->unit, job->unit->variants);
    if (next_of_kernel(job, "local", job->kernel))
        dal_text_add(text, local_macro);
    if (dal__unit_is_alone(job->unit, job->unit->variants))
        dal__add_alone(text);
    dal_unit_contraction(text, job->unit);
}

static void add_text(struct dal_text *text, const struct job *job)
{
    struct dal__copy w = {
        .text = text, .source = dal_text_get(&job->variant->text), .facts = &job->variant->facts};
    int is_copy = strcmp(job->unit->kernel, job->kernel->name) != 0;

    add_prologue(text, job);
    if (is_copy)
        add_head(&w, job);
    else
        replace_head(&w, job);
    add_pointers(&w, job);
    dal__copy_until(&w, job->kernel->numbers[DAL_FUNCTION_END]);
    add_local_sizes(text, job);
    dal__copy_until(&w, is_copy ? w.at + 1 : job->variant->text.length);
    if (is_copy)
        dal_text_add(text, "\n");
}

/* ---- the unit -------------------------------------------------------------------------------- */

/* Finds the unit's variants, which another unit may have found already. */
static int find_variants(struct dal_diags *diags, const struct dal_plan *plan,
                         struct dal_plan_unit *unit, struct dal_reading *reading)
{
    const struct dal_plan_unit *alike;
    int error;

    if (dal__unit_front(plan, unit))
        return DAL_ERR_NOMEM;
    reading->front = unit->front;
    alike = dal__unit_alike(plan, unit);
    unit->shares_facts = alike != NULL;
    unit->variants = alike ? alike->variants : dal_calloc(1, sizeof(*unit->variants));
    if (alike || !unit->variants)
        return alike ? DAL_OK : DAL_ERR_NOMEM;
    error = dal__variants_read(diags, unit->source, reading, unit->variants);
    if (error) {
        dal_variants_finish(unit->variants);
        dal_free(unit->variants);
        unit->variants = NULL;
    }
    return error;
}

static void finish_job(struct job *job)
{
    dal_facts_finish(&job->original);
    dal_free(job->args);
    dal_free(job->counts);
    dal_free(job->values);
}

/* Does something else call the kernel, or declare it? */
static int is_used(const struct job *job)
{
    const struct dal_fact *fact;

    for (fact = job->variant->facts.list; fact < end_of_facts(job); fact++)
        if ((dal_fact_is(fact, "call") || dal_fact_is(fact, "prototype")) &&
            strcmp(fact->name, job->kernel->name) == 0)
            return 1;
    return 0;
}

/* Chooses one name for all variants: the user's, unless that is taken. */
static int choose_name(struct dal_plan_unit *unit, const struct job *jobs)
{
    const char *name = NULL;
    int is_taken = 0;
    size_t i;

    for (i = 0; i < unit->variants->count; i++) {
        if (!jobs[i].kernel)
            continue;
        is_taken |= is_used(&jobs[i]) || (name && strcmp(name, jobs[i].kernel->name) != 0);
        name = jobs[i].kernel->name;
    }
    unit->kernel = dal_format("%s%s", is_taken ? "dal__" : "", name);
    return unit->kernel ? DAL_OK : DAL_ERR_NOMEM;
}

/* Reports to a device that takes this variant the first error, at its place. */
static void add_missing(struct dal_text *text, const struct job *job)
{
    const struct dal_fact *fact = job->variant->facts.list;

    while (fact < end_of_facts(job) && !dal_fact_is(fact, "error"))
        fact++;
    if (fact == end_of_facts(job)) {
        dal_text_add(text, "#error This source has no kernel for this device.\n");
        return;
    }
    dal_text_printf(text, "#line %d ", fact->line);
    dal_text_add_literal(text, fact->file);
    dal_text_printf(text, "\n#error %.*s\n", (int)strcspn(fact->name, "\n"), fact->name);
}

/* Adds the texts of all variants. A variant without a kernel is an error only on a device that
 * takes it. */
static void add_variants(struct dal_text *text, const struct job *jobs, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++) {
        if (count > 1)
            dal_text_printf(text, "%s %s\n", i ? "#elif" : "#if",
                            dal_text_get(&jobs[i].variant->condition));
        if (jobs[i].kernel)
            add_text(text, &jobs[i]);
        else
            add_missing(text, &jobs[i]);
    }
    if (count > 1)
        dal_text_add(text, "#endif\n");
}

/* Checks that an argument has the same type in all variants. */
static int join_value(struct job *job, size_t parameter)
{
    const struct dal_spec_process *process = job->unit->process;
    const struct dal_plan_value *value = &job->values[parameter];
    struct dal_plan_value *joined = &job->unit->values[parameter];

    if (value->is_taken && joined->is_taken && value->type != joined->type) {
        dal_error(job->diags, place_of(job, job->kernel), "kernel-signature",
                  "process '%s', kernel '%s': argument '%s' is %s for some devices and %s for "
                  "others",
                  process->name, job->kernel->name, process->parameters[parameter].name,
                  dal_value_traits(joined->type)->name, dal_value_traits(value->type)->name);
        return DAL_ERR_INVALID;
    }
    if (value->is_taken)
        *joined = *value;
    return DAL_OK;
}

static int join_values(struct dal_diags *diags, struct dal_plan_unit *unit, struct job *jobs)
{
    size_t i, k;

    unit->values = dal_calloc(unit->process->parameter_count + 1, sizeof(*unit->values));
    if (!unit->values)
        return DAL_ERR_NOMEM;
    for (i = 0; i < unit->variants->count; i++) {
        jobs[i].diags = diags;
        for (k = 0; jobs[i].kernel && k < unit->process->parameter_count; k++)
            if (join_value(&jobs[i], k))
                return DAL_ERR_INVALID;
    }
    return DAL_OK;
}

/* Has the type this value, of one of the processes that have the unit? */
static int check_text(struct dal_diags *diags, const struct dal_plan_unit *unit, size_t parameter,
                      const struct dal_spec_process *process)
{
    const struct dal_spec_parameter *given = &process->parameters[parameter];
    const struct dal_value_traits *type = dal_value_traits(unit->values[parameter].type);
    char value[8];
    int error = dal_value_parse(given->value, type->is_real, type->is_signed, type->bytes, value);

    if (error)
        dal_error(diags, given->place, "parameter-value",
                  "process '%s', parameter '%s': \"%s\" is %s %s, which kernel '%s' takes",
                  process->name, given->name, given->value,
                  error == DAL_ERR_LIMIT ? "out of the range of" : "no", type->name, unit->kernel);
    return error;
}

static int check_texts(struct dal_diags *diags, const struct dal_plan *plan,
                       const struct dal_plan_unit *unit)
{
    int error = DAL_OK;
    size_t i, k;

    for (i = 0; i < plan->process_count; i++)
        for (k = 0; k < unit->process->parameter_count && plan->processes[i].unit == unit; k++)
            if (unit->values[k].is_taken && check_text(diags, unit, k, plan->processes[i].process))
                error = DAL_ERR_INVALID;
    return error;
}

static int check_job(struct job *job, struct dal_diags *diags)
{
    int error;

    job->diags = diags;
    error = check_variant(job);
    if (error)
        job->kernel = NULL;
    return error;
}

/* Checks all variants. Unless one is good, the last says what is wrong. */
static int check_jobs(struct dal_diags *diags, struct job *jobs, size_t count)
{
    struct dal_diags unsaid;
    int error = DAL_OK;
    size_t i, good = 0;

    dal_diags_init(&unsaid);
    for (i = 0; i + 1 < count && error != DAL_ERR_NOMEM; i++) {
        error = check_job(&jobs[i], &unsaid);
        good += error == DAL_OK;
    }
    if (error != DAL_ERR_NOMEM)
        error = check_job(&jobs[i], good ? &unsaid : diags);
    dal_diags_finish(&unsaid);
    return good && error != DAL_ERR_NOMEM ? DAL_OK : error;
}

/* Makes the text that calls the kernel once for each firing of a cycle. */
static int add_phases(struct dal_diags *diags, struct dal_plan_unit *unit)
{
    int error;
    char *reason = dal__group_obstacle(unit, &error);

    if (!reason && !error)
        error = dal__phases_text(unit);
    if (error == DAL_ERR_UNSUPPORTED)
        reason = dal_strdup("local memory is not used where it seems to be");
    if (reason)
        dal_error(
            diags, unit->source->place, "unsupported-kind",
            "process '%s' is cyclo-static, and its kernel '%s' cannot be called once for each "
            "phase: %s; a portable source can",
            unit->process->name, unit->kernel, reason);
    error = reason || error == DAL_ERR_UNSUPPORTED ? DAL_ERR_INVALID : error;
    dal_free(reason);
    return error;
}

static int make_jobs(struct dal_diags *diags, struct dal_plan_unit *unit,
                     const struct dal_reading *reading)
{
    size_t i, count = unit->variants->count;
    struct job *jobs = dal_calloc(count, sizeof(*jobs));
    int error = jobs ? DAL_OK : DAL_ERR_NOMEM;

    for (i = 0; i < count && !error; i++) {
        jobs[i] = (struct job){.unit = unit, .variant = &unit->variants->list[i]};
        jobs[i].reading = *reading;
        jobs[i].reading.defines = &jobs[i].variant->defines;
        jobs[i].args = dal_calloc(unit->process->port_count + 1, sizeof(*jobs[i].args));
        jobs[i].counts = dal_calloc(unit->process->port_count + 1, sizeof(*jobs[i].counts));
        jobs[i].values = dal_calloc(unit->process->parameter_count + 1, sizeof(*jobs[i].values));
        error = jobs[i].args && jobs[i].counts && jobs[i].values ? DAL_OK : DAL_ERR_NOMEM;
    }
    if (!error)
        error = check_jobs(diags, jobs, count);
    if (!error)
        error = join_values(diags, unit, jobs);
    if (!error)
        error = choose_name(unit, jobs);
    if (!error && dal_plan_phases(unit->process) > 1)
        error = add_phases(diags, unit);
    else if (!error)
        add_variants(&unit->text, jobs, count);
    for (i = 0; jobs && i < count; i++)
        finish_job(&jobs[i]);
    dal_free(jobs);
    return error;
}

int dal_unit_rewrite_kernel(struct dal_diags *diags, const struct dal_plan *plan,
                            struct dal_plan_unit *unit)
{
    char *folder = dal_plan_folder(plan);
    struct dal_reading reading = {.path = unit->source->path,
                                  .is_opencl = 1,
                                  .is_cuda = unit->source->type == DAL_SOURCE_CUDA,
                                  .folder = folder,
                                  .options = unit->source->cflags};
    int error = folder ? find_variants(diags, plan, unit, &reading) : DAL_ERR_NOMEM;

    if (!error)
        error = make_jobs(diags, unit, &reading);
    if (!error)
        error = check_texts(diags, plan, unit);
    dal_free(folder);
    return !error && unit->text.lost ? DAL_ERR_NOMEM : error;
}
