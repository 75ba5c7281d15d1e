#include "rt/host/process.h"

#include "channels/port.h"
#include "rt/base/alloc.h"
#include "rt/host/changes.h"
#include "rt/host/firing.h"
#include "rt/host/guard.h"
#include "rt/host/phase.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A peer moved. */
static void notify_workers(struct dal_listener *listener)
{
    dal_search_tell(dal_here()->search, ((struct dal_process *)listener)->pool);
}

/* Allocates a zeroed state. For the usual alignment it uses calloc(), which need not touch the
 * memory. */
static int init_state(struct dal_copy *copy, const struct dal_state *state)
{
    int usual = state->alignment <= _Alignof(max_align_t);
    copy->dal.local = usual ? dal_calloc(1, state->bytes ? state->bytes : 1)
                            : dal_alloc_aligned(state->alignment, state->bytes);
    if (!copy->dal.local)
        return DAL_ERR_NOMEM;
    if (!usual)
        memset(copy->dal.local, 0, state->bytes);
    return DAL_OK;
}

static int init_copy(struct dal_process *process, struct dal_copy *copy)
{
    const struct dal_process_desc *desc = process->desc;
    const struct dal_code *code = desc->code;
    size_t ports = (size_t)desc->port_count + 1;
    copy->dal = (DALProcess){
        .init = code->init, .fire = code->fire, .finish = code->finish, .wptr = &copy->activation};
    copy->activation.process = process;
    copy->activation.constants = desc->constants;
    copy->activation.windows = dal_calloc_apart(ports, sizeof(*copy->activation.windows));
    if (!copy->activation.windows)
        return DAL_ERR_NOMEM;
    if (process->desc->guarded) {
        copy->activation.guard = dal_guard_create(&copy->activation);
        if (!copy->activation.guard)
            return DAL_ERR_NOMEM;
    }
    return code->state ? init_state(copy, code->state) : DAL_OK;
}

static int init_copies(struct dal_process *process)
{
    const struct dal_code *code = process->desc->code;
    int i, inlined, status = DAL_OK, count = (int)process->desc->shadow_copies;
    if (process->ops->has_thread || process->host.changes)
        count = 1;
    if (process->desc->processor_count < count)
        count = process->desc->processor_count;
    process->host.copies = dal_calloc_apart((size_t)count, sizeof(*process->host.copies));
    if (!process->host.copies)
        return DAL_ERR_NOMEM;
    process->host.copy_count = count;
    for (i = 0; status == DAL_OK && i < count; i++)
        status = init_copy(process, &process->host.copies[i]);
    if (status < 0)
        return status;
    inlined = !process->desc->guarded;
    process->host.run = inlined && code->run ? code->run : dal_firing_run;
    process->host.run_phase = inlined && code->run_phase ? code->run_phase : dal_firing_run_phase;
    dal_own_init(process);
    dal_firing_add(process);
    return DAL_OK;
}

int dal_process_init(struct dal_process *process, const struct dal_process_desc *desc,
                     const struct dal_process_ops *ops, struct dal_control *control)
{
    process->desc = desc;
    process->ops = ops;
    process->control = control;
    process->listener.notify = notify_workers;
    process->ends = dal_calloc((size_t)desc->port_count + 1, sizeof(*process->ends));
    process->parameters =
        dal_calloc((size_t)desc->parameter_count + 1, sizeof(*process->parameters));
    if (!process->ends || !process->parameters)
        return DAL_ERR_NOMEM;
    for (int i = 0; i < desc->parameter_count; i++)
        dal_parameter_set(&process->parameters[i], &desc->parameters[i], desc->parameters[i].value);
    if (dal_is_on_host(ops) && dal_changes_may_be(desc) && dal_changes_init(process) < 0)
        return DAL_ERR_NOMEM;
    if (dal_is_on_host(ops) && init_copies(process) < 0)
        return DAL_ERR_NOMEM;
    return ops->init ? ops->init(process) : DAL_OK;
}

int dal_process_fall_back(struct dal_process *process, const struct dal_process_ops *ops)
{
    process->desc = process->desc->fallback;
    process->ops = ops;
    process->launcher = NULL;
    process->listener.notify = notify_workers;
    return init_copies(process);
}

const struct dal_end *dal_process_paced_end(const struct dal_process *process)
{
    for (int output = 1; output >= 0; output--)
        for (int i = 0; i < process->desc->port_count; i++)
            if (!process->ends[i]->output == !output)
                return process->ends[i];
    return NULL;
}

int dal_process_keep_times(struct dal_process *process)
{
    for (int i = 0; i < process->host.copy_count; i++) {
        struct dal_copy *copy = &process->host.copies[i];
        copy->times = dal_calloc_apart(1, sizeof(*copy->times));
        if (!copy->times)
            return DAL_ERR_NOMEM;
    }
    return DAL_OK;
}

void dal_process_finish(struct dal_process *process)
{
    dal_firing_remove(process);
    for (int i = 0; i < process->host.copy_count; i++) {
        dal_guard_destroy(process->host.copies[i].activation.guard);
        dal_free(process->host.copies[i].dal.local);
        dal_free(process->host.copies[i].activation.windows);
        dal_free(process->host.copies[i].times);
    }
    if (process->ops && process->ops->finish)
        process->ops->finish(process);
    dal_free(process->marks);
    dal_free(process->host.timer);
    dal_free(process->host.copies);
    dal_free(process->ends);
    dal_changes_finish(process);
    dal_free(process->parameters);
    *process = (struct dal_process){0};
}

void dal_process_refuse(const struct dal_process *process, const char *format, ...)
{
    const struct dal_origin *origin = &process->desc->origin;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    if (dal_control_may_tell(process->control) || !dal_control_broken(process->control))
        dal_log(DAL_LOG_ERROR, "process %s: %s (%s:%d)", process->desc->name, message, origin->file,
                origin->line);
    dal_control_break(process->control, DAL_ERR_PROCESS);
}

int dal_process_same_processors(const struct dal_process_desc *a, const struct dal_process_desc *b)
{
    return a->processor_count == b->processor_count &&
           memcmp(a->processors, b->processors,
                  (size_t)a->processor_count * sizeof(*a->processors)) == 0;
}

int dal_process_parameter(const struct dal_process_desc *desc, const char *name)
{
    for (int i = 0; i < desc->parameter_count; i++)
        if (strcmp(desc->parameters[i].name, name) == 0)
            return i;
    return -1;
}

/* Calls init or finish, visible to the monitor. */
static void call_watched(struct dal_process *process, void (*function)(DALProcess *p),
                         const char *name)
{
    unsigned long asked = dal_alloc_count();
    if (!function)
        return;
    atomic_store_explicit(&process->host.calling, name, memory_order_relaxed);
    dal_copy_turn(&process->host.copies[0]);
    dal_firing_call(process, name, function);
    dal_copy_turn(&process->host.copies[0]);
    atomic_store_explicit(&process->host.calling, NULL, memory_order_relaxed);
    dal_alloc_recount(asked);
}

int dal__process_start(struct dal_process *process)
{
    if (!process->host.started) {
        process->host.started = 1;
        for (int i = 0; i < process->host.copy_count; i++)
            process->host.copies[i].activation.detached = 0;
        if (process->ops->before_init)
            process->ops->before_init(process);
        call_watched(process, process->desc->code->init, "init");
        if (process->ops->after_init)
            process->ops->after_init(process);
    }
    return !dal_control_broken(process->control);
}

void dal_process_last_call(struct dal_process *process)
{
    if (!process->host.started || process->host.finished)
        return;
    process->host.finished = 1;
    call_watched(process, process->desc->code->finish, "finish");
}

void dal__process_end(struct dal_process *process)
{
    dal__process_start(process);
    dal_process_last_call(process);
    dal_process_close(process);
}

void dal_process_close(struct dal_process *process)
{
    process->unread = dal_process_is_unread(process);
    for (int i = 0; i < process->desc->port_count; i++)
        dal_end_close(process->ends[i]);
    atomic_store_explicit(&process->ended, 1, memory_order_seq_cst);
    dal_pool_tell_all(process->pool); /* its workers count their processes */
}

/* Sets the parts of a copy's windows that are the same in every activation. */
static void set_windows(struct dal_process *process, struct dal_copy *copy)
{
    for (int i = 0; !process->ops->has_thread && i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        copy->activation.windows[i] = (struct dal_window){
            .bytes = end->firing_bytes, .must = end->output ? end->firing_bytes : 0};
    }
}

void dal_process_link(struct dal_process *process)
{
    for (int i = 0; i < process->host.copy_count; i++)
        set_windows(process, &process->host.copies[i]);
    process->source = 1;
    for (int i = 0; i < process->desc->port_count; i++) {
        struct dal_end *end = process->ends[i];
        if (process->desc->by_phase)
            end->port->rewinds = 0; /* windows would begin in the middle of a cycle's */
        if (dal_end_is_loop(end))
            continue;
        if (!end->output)
            process->source = 0;
        else if (!process->wanted)
            process->wanted = end;
    }
    if (process->desc->io && !process->source)
        process->wanted = NULL;
}

/* Returns whether an input will never hold enough for a firing. If phases are fired one by one, it
 * is the next phase that counts. */
static int is_starved_at(const struct dal_process *process, int port)
{
    struct dal_end *end = process->ends[port];
    if (end->output || !process->desc->by_phase)
        return !end->output && dal_end_finished(end);
    return dal_end_peer_closed(end) && !dal_end_has(end, dal_phase_needs(process, port));
}

int dal_process_starved(struct dal_process *process)
{
    for (int i = 0; i < process->desc->port_count; i++)
        if (is_starved_at(process, i))
            return 1;
    return 0;
}

int dal_ends_unread(struct dal_end *const *ends, int count)
{
    for (int i = 0; i < count; i++)
        if (ends[i]->output && !dal_end_is_loop(ends[i]) && !dal_end_finished(ends[i]))
            return 0;
    return 1;
}

int dal_process_is_unread(struct dal_process *process)
{
    return process->wanted && dal_end_finished(process->wanted) &&
           dal_ends_unread(process->ends, process->desc->port_count);
}

int dal_process_stopped(const struct dal_process *process)
{
    return process->source && dal_control_stopping(process->control);
}

int dal_process_unwanted(struct dal_process *process)
{
    return dal_process_stopped(process) || dal_process_is_unread(process);
}
