/* Checks the arguments of a kernel against the ports and the parameters of its process, and its
 * work-items. */
#include "synth/codegen/c/counted.h"
#include "synth/codegen/c/token.h"
#include "synth/codegen/kernel/job.h"
#include "synth/codegen/kernel/steps.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

static const char *find_fault(const struct dal__job *job, const struct dal_fact *arg)
{
    enum dal_target target = (enum dal_target)arg->parameter.points_to;
    if (dal__is_cuda(job->unit))
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
static const char *check_phase(const struct dal__job *job, const struct dal_fact *arg)
{
    size_t type = arg->parameter.value;
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

static const char *check_value(struct dal__job *job, const struct dal_fact *arg, int parameter)
{
    size_t type = arg->parameter.value;
    if (is_phase(arg) && parameter < 0)
        return check_phase(job, arg);
    if (parameter < 0)
        return "is neither a port nor a parameter of the process";
    if (!type || type > DAL_VALUE_TYPES)
        return "is a parameter of the process; its type is to be int, uint, long, ulong, float or "
               "double";
    job->values[parameter] =
        (struct dal_plan_value){.is_taken = 1, .type = (enum dal_value_type)(type - 1)};
    return NULL;
}

/* Bytes of constant memory that every device has (OpenCL 1.2, table 4.3). */
enum { MOST_CONSTANT = 65536 };

/* Does an argument point to elements of this kind? A vector of them will do. */
static int points_to(const struct dal__job *job, const struct dal_fact *arg,
                     const struct dal_spec_constant *constant)
{
    const char *type = arg->parameter.canonical;
    uint64_t bytes = dal__layout_bytes(&job->variant->facts, arg), own = constant->element_bytes;
    uint64_t real = strstr(type, "float")    ? sizeof(float)
                    : strstr(type, "double") ? sizeof(double)
                    : strstr(type, "half")   ? 2
                                             : 0;
    int is_vector = strstr(type, "vector") || strpbrk(type, "0123456789");
    if (constant->kind == 'f' ? real != own : real)
        return 0;
    return !bytes || bytes == own || (is_vector && bytes % own == 0);
}

/* Checks an argument that is a constant. */
static const char *check_constant(struct dal__job *job, const struct dal_fact *arg, size_t number)
{
    const struct dal_spec_process *process = job->unit->process;
    enum dal_target target = (enum dal_target)arg->parameter.points_to;
    struct dal_plan_value *value = &job->values[process->parameter_count + number];
    if (target != DAL_TARGET_GLOBAL && target != DAL_TARGET_CONSTANT)
        return "is a constant of the process; write '__global const TYPE *', or '__constant TYPE "
               "*' "
               "for a small one";
    if (target == DAL_TARGET_GLOBAL && !arg->parameter.is_const)
        return "is a constant of the process, and points to what is not const";
    if (!points_to(job, arg, &process->constants[number]))
        return "is a constant of another type";
    if (target == DAL_TARGET_CONSTANT &&
        process->constants[number].count * process->constants[number].element_bytes > MOST_CONSTANT)
        return "has more than 65536 bytes, which is all that some devices have of constant memory; "
               "write '__global const TYPE *'";
    value->is_taken = 1;
    value->memory = target == DAL_TARGET_CONSTANT ? DAL_PLAN_CONSTANT : DAL_PLAN_GLOBAL;
    return NULL;
}

/* Checks the count of a counted port. */
static const char *check_count(struct dal__job *job, const struct dal_fact *arg, size_t port)
{
    int is_good = arg->parameter.value == DAL_VALUE_UINT + 1;
    job->counts[port] = arg;
    if (!job->unit->process->ports[port].output)
        return is_good ? NULL : "is the count of an input; its type is to be uint";
    is_good = arg->parameter.points_to == DAL_TARGET_GLOBAL && !arg->parameter.is_const &&
              !arg->parameter.is_array && strstr(arg->parameter.canonical, "unsigned int *");
    return is_good ? NULL : "is the count of an output; its type is to be __global uint *";
}

static void list_parameters(struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    for (size_t i = 0; i < process->parameter_count; i++)
        dal_note(job->diags, process->parameters[i].place, "there is parameter '%s'",
                 process->parameters[i].name);
}

/* Checks a port's argument; one that is const cannot write an output. */
static const char *check_port(struct dal__job *job, const struct dal_fact *arg)
{
    int port = dal_spec_find_port(job->unit->process, arg->name);
    const char *fault = find_fault(job, arg);
    if (fault || port < 0 || !job->unit->process->ports[port].output)
        return fault;
    return arg->parameter.is_const ? "is const, but the port is an output" : NULL;
}

/* All other readers of a port see what one of them writes into its tokens. A state that is changed
 * in place is written when they have read it. */
static void warn_of_readers(struct dal__job *job, const struct dal_fact *arg, int port)
{
    const struct dal_spec_port *of = &job->unit->process->ports[port];
    const struct dal_spec_channel *channel = of->output ? NULL : of->channel;
    const struct dal_spec_port *from = channel ? channel->producer_port : NULL;
    if (!from || channel->inplace || arg->parameter.is_const || !dal_port_next(from, from->channel))
        return;
    dal_warning(job->diags, dal__job_place(job, arg), "kernel-signature",
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
    return inplace && (strstr(arg->parameter.type, "restrict") ||
                       strstr(arg->parameter.canonical, "restrict"))
               ? "is restrict, but its channel is changed in place (inplace): another argument is "
                 "the same memory"
               : NULL;
}

static int check_argument(struct dal__job *job, const struct dal_fact *arg)
{
    const struct dal_spec_process *process = job->unit->process;
    int port = dal_spec_find_port(process, arg->name),
        parameter = dal_spec_find_parameter(process, arg->name),
        constant = dal_spec_find_constant(process, arg->name),
        counted = dal__count_port(process, arg->name);
    const char *fault = counted >= 0                  ? check_count(job, arg, (size_t)counted)
                        : constant >= 0               ? check_constant(job, arg, (size_t)constant)
                        : dal__is_value(process, arg) ? check_value(job, arg, parameter)
                                                      : check_port(job, arg);
    if (!fault && counted < 0 && port < 0 && parameter < 0 && constant < 0 && !is_phase(arg))
        fault = "is no port, parameter or constant of the process";
    if (port >= 0)
        job->args[port] = arg;
    if (!fault && port >= 0)
        fault = check_restrict(&process->ports[port], arg);
    if (!fault && port >= 0)
        warn_of_readers(job, arg, port);
    if (!fault)
        return DAL_OK;
    dal_error(job->diags, dal__job_place(job, arg), "kernel-signature",
              "process '%s', kernel '%s': argument '%s' %s (its type is '%s')", process->name,
              job->kernel->name, arg->name, fault, arg->parameter.type);
    if (dal__is_value(process, arg) && parameter < 0 && constant < 0 && !is_phase(arg))
        list_parameters(job);
    return DAL_ERR_INVALID;
}

/* Checks an argument's tokens against the types of the channels, or their sizes. */
static int check_token(struct dal__job *job, size_t port)
{
    const struct dal_spec_process *process = job->unit->process;
    struct dal__device_type device = {.facts = &job->variant->facts,
                                      .from = job->args[port],
                                      .of = job->args[port]->name,
                                      .place = dal__job_place(job, job->args[port])};
    char *what = dal_format("process '%s', kernel '%s': argument '%s'", process->name,
                            job->kernel->name, device.of);
    int status;
    device.what = what;
    status =
        what ? dal__check_tokens(job->diags, job->reading.folder, &process->ports[port], &device)
             : DAL_ERR_NOMEM;
    dal_free(what);
    return status;
}

/* Could the types fail to fit? Only then are the files read for a place, which takes time. */
static int may_misfit(const struct dal__job *job, size_t port)
{
    const struct dal_spec_port *of = &job->unit->process->ports[port];
    const struct dal_spec_channel *c = of->channel;
    while (c && !c->token_type)
        c = dal_port_next(of, c);
    return c || !dal__fits_window(&job->variant->facts, job->args[port], of);
}

static int check_tokens(struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int result = DAL_OK;
    for (size_t i = 0; i < process->port_count; i++) {
        int status = may_misfit(job, i) ? check_token(job, i) : DAL_OK;
        if (status && status != DAL_ERR_INVALID)
            return status;
        result = status ? status : result;
    }
    return result;
}

static int check_counts(struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int status = DAL_OK;
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        if (!dal__is_counted(port) || job->counts[i])
            continue;
        dal_error(
            job->diags, dal__job_place(job, job->kernel), "kernel-signature",
            "process '%s', kernel '%s': no argument for the count of port '%s'; add '%s%s_count'",
            process->name, job->kernel->name, port->name,
            port->output ? "__global uint *" : "uint ", port->name);
        dal_note(job->diags, port->channel->place, "the channel is counted here");
        status = DAL_ERR_INVALID;
    }
    return status;
}

static int check_ports(struct dal__job *job)
{
    const struct dal_spec_process *process = job->unit->process;
    int status = check_counts(job);
    for (size_t i = 0; i < process->port_count; i++) {
        if (job->args[i])
            continue;
        dal_error(job->diags, dal__job_place(job, job->kernel), "kernel-signature",
                  "process '%s', kernel '%s': no argument for port '%s'; add '%s%sTYPE *%s'",
                  process->name, job->kernel->name, process->ports[i].name,
                  dal__words_of(job->unit)->global, process->ports[i].output ? "" : "const ",
                  process->ports[i].name);
        dal_note(job->diags, process->ports[i].place, "the port is declared here");
        status = DAL_ERR_INVALID;
    }
    return status;
}

/* ---- work-items ------------------------------------------------------------------------------ */

static int asks_any(const struct dal__job *job, const char *const *names)
{
    for (; *names; names++)
        if (dal_fact_find(&job->variant->facts, DAL_FACT_ASKS, *names))
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

/* Returns DAL_OK, or DAL_ERR_LIMIT for more work-items than a network can ask for. */
static int take_required(struct dal_plan_unit *unit, const size_t size[DAL_DIMENSIONS])
{
    int is_flat = size[1] == 1 && size[2] == 1;
    uint64_t items = 1;
    for (int i = 0; i < DAL_DIMENSIONS; i++)
        if (__builtin_mul_overflow(items, size[i], &items) || items > DAL_MAX_COPIES)
            return DAL_ERR_LIMIT;
    unit->work_items = (uint32_t)items;
    for (int i = 0; i < DAL_DIMENSIONS; i++)
        unit->work_shape[i] = is_flat ? 0 : (uint32_t)size[i];
    return DAL_OK;
}

/* Settles the work-items when nobody has given a number. A kernel that does not ask about
 * work-items has one: each would do the same work. */
static int settle_items(struct dal__job *job, const size_t *size)
{
    struct dal_plan_unit *unit = job->unit;
    enum dal_items_open open = unit->items_open;
    unit->items_open = DAL_ITEMS_GIVEN;
    if (size && size[0]) {
        if (take_required(unit, size))
            return dal_error(
                job->diags, dal__job_place(job, job->kernel), "kernel-signature",
                "kernel '%s' requires %zux%zux%zu work-items, and there are at most %d",
                job->kernel->name, size[0], size[1], size[2], DAL_MAX_COPIES);
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
    return dal_error(
        job->diags, dal__job_place(job, job->kernel), "kernel-signature",
        "process '%s': its work-items are \"auto\", but kernel '%s' asks for their numbers and "
        "never for how many there are (get_local_size): give their number",
        unit->process->name, job->kernel->name);
}

static int check_size(struct dal__job *job)
{
    const struct dal_fact *fact = dal__job_next(job, DAL_FACT_SIZE, job->kernel);
    const size_t *size = fact ? fact->size.size : NULL;
    const struct dal_plan_unit *unit = job->unit;
    size_t has[DAL_DIMENSIONS];
    int fits = 1;
    if (unit->items_open != DAL_ITEMS_GIVEN && settle_items(job, size))
        return DAL_ERR_INVALID;
    for (int i = 0; i < DAL_DIMENSIONS; i++) {
        has[i] = dal_work_size(unit->work_items, unit->work_shape, i);
        fits &= size && size[i] == has[i];
    }
    if (!size || size[0] == 0 || fits)
        return DAL_OK;
    return dal_error(
        job->diags, dal__job_place(job, fact), "kernel-signature",
        "kernel '%s' requires work-groups of %zux%zux%zu, but process '%s' has %zux%zux%zu "
        "work-items; they are set by dataparallelism in the network and by workitems in the "
        "mapping",
        job->kernel->name, size[0], size[1], size[2], unit->process->name, has[0], has[1], has[2]);
}

/* ---- all of it ------------------------------------------------------------------------------- */

int dal__check_signature(struct dal__job *job)
{
    const struct dal_fact *arg = job->kernel;
    int status = DAL_OK;
    if (strcmp(job->kernel->function.result, "void") != 0) {
        dal_error(job->diags, dal__job_place(job, job->kernel), "kernel-signature",
                  "kernel '%s' must return void", job->kernel->name);
        status = DAL_ERR_INVALID;
    }
    if (check_size(job))
        status = DAL_ERR_INVALID;
    while ((arg = dal__job_next(job, DAL_FACT_PARAMETER, arg)))
        if (check_argument(job, arg))
            status = DAL_ERR_INVALID;
    if (check_ports(job))
        status = DAL_ERR_INVALID;
    return status ? status : check_tokens(job);
}
