#include "rt/process.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include <string.h>

/* A peer has moved: one of the workers that may fire this process has to look. */
static void notify_workers(struct dal_listener *listener)
{
    struct dal_process *process = (struct dal_process *)listener;
    int i;
    for (i = 0; i < process->wake_count; i++)
        if (dal_wake_signal(process->wakes[i]))
            return;
}

static int init_windows(struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    struct dal_window *windows = dal_calloc((size_t)desc->port_count + 1, sizeof(*windows));
    process->activation.windows = windows;
    process->activation.process = process;
    return windows ? DAL_OK : DAL_ERR_NOMEM;
}

static int init_code(struct dal_process *process)
{
    const struct dal_code *code = process->desc->code;
    process->listener.notify = notify_workers;
    process->dal = (DALProcess){.init = code->init,
                                .fire = code->fire,
                                .finish = code->finish,
                                .wptr = &process->activation};
    if (code->local_bytes) {
        process->dal.local = dal_calloc(1, code->local_bytes);
        if (!process->dal.local)
            return DAL_ERR_NOMEM;
    }
    return init_windows(process);
}

int dal_process_init(struct dal_process *process, const struct dal_process_desc *desc,
                     struct dal_control *control)
{
    int i;
    process->desc = desc;
    process->control = control;
    process->ends = dal_calloc((size_t)desc->port_count + 1, sizeof(*process->ends));
    process->parameters =
        dal_calloc((size_t)desc->parameter_count + 1, sizeof(*process->parameters));
    if (!process->ends || !process->parameters)
        return DAL_ERR_NOMEM;
    for (i = 0; i < desc->parameter_count; i++)
        process->parameters[i] = desc->parameters[i].value;
    return desc->kind == DAL_PROCESS_C ? init_code(process) : DAL_OK;
}

void dal_process_finish(struct dal_process *process)
{
    dal_free(process->dal.local);
    dal_free(process->activation.windows);
    dal_free(process->ends);
    dal_free(process->parameters);
    dal_free(process->wakes);
    *process = (struct dal_process){0};
}

int dal_process_parameter(const struct dal_process_desc *desc, const char *name)
{
    int i;
    for (i = 0; i < desc->parameter_count; i++)
        if (strcmp(desc->parameters[i].name, name) == 0)
            return i;
    return -1;
}

void dal_process_close(struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        dal_end_close(process->ends[i]);
    atomic_store_explicit(&process->ended, 1, memory_order_seq_cst);
    for (i = 0; i < process->wake_count; i++)
        dal_wake_signal(process->wakes[i]); /* they count their processes */
}

/* An end whose peer is this process itself: state kept in a channel. */
static int is_loop(const struct dal_end *end)
{
    return end->channel->desc->producer == end->channel->desc->consumer;
}

void dal_process_link(struct dal_process *process)
{
    int i;
    process->source = 1;
    for (i = 0; i < process->desc->port_count; i++)
        if (!process->ends[i]->output && !is_loop(process->ends[i]))
            process->source = 0;
}

int dal_process_starved(struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        if (!process->ends[i]->output && dal_end_finished(process->ends[i]))
            return 1;
    return 0;
}

int dal_process_unwanted(struct dal_process *process)
{
    int outputs = 0, i;
    if (process->source && dal_control_stopping(process->control))
        return 1;
    for (i = 0; i < process->desc->port_count; i++) {
        struct dal_end *end = process->ends[i];
        if (!end->output || is_loop(end))
            continue;
        if (!dal_end_finished(end))
            return 0;
        outputs++;
    }
    return outputs > 0;
}

/* ---- activation of C processes --------------------------------------------------------------- */

static uint64_t ready(struct dal_process *process)
{
    uint64_t firings = process->desc->block;
    int i;
    for (i = 0; firings > 0 && i < process->desc->port_count; i++)
        firings = dal_end_ready(process->ends[i], firings);
    return firings;
}

static void open_windows(struct dal_process *process, uint64_t firings)
{
    struct dal_activation *activation = &process->activation;
    int i;
    activation->firings = firings;
    activation->fired = 0;
    activation->status = 0;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        activation->windows[i] = (struct dal_window){.firing = dal_end_window(end),
                                                     .bytes = end->firing_bytes,
                                                     .must = end->output ? end->firing_bytes : 0};
    }
}

/* Releases what was read and written; of the last firing only what was touched (dal.h). */
static void close_windows(struct dal_process *process)
{
    const struct dal_activation *activation = &process->activation;
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_window *window = &activation->windows[i];
        struct dal_end *end = process->ends[i];
        int last = activation->status != 0 &&
                   (end->output ? window->done == window->bytes : window->done > 0);
        dal_end_release(end, activation->fired + (uint64_t)last);
    }
}

static void complain_unwritten(struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    int i;
    for (i = 0; i < desc->port_count; i++) {
        const struct dal_window *window = &process->activation.windows[i];
        if (window->done < window->must)
            dal_log(DAL_LOG_ERROR,
                    "process %s: firing %llu wrote %zu of %zu bytes to port %s (%s:%d)", desc->name,
                    (unsigned long long)(process->firings + 1), window->done, window->must,
                    desc->ports[i].name, desc->origin.file, desc->origin.line);
    }
}

/* Calls init when it is due; 0 when the network broke. */
static int start(struct dal_process *process)
{
    if (!process->started) {
        process->started = 1;
        if (process->dal.init)
            process->dal.init(&process->dal);
    }
    return !process->activation.failed && !dal_control_broken(process->control);
}

void dal_process_last_call(struct dal_process *process)
{
    if (!process->started || process->finished)
        return;
    process->finished = 1;
    if (process->dal.finish)
        process->dal.finish(&process->dal);
}

static void end(struct dal_process *process)
{
    start(process);
    dal_process_last_call(process);
    dal_process_close(process);
}

static void run(struct dal_process *process, struct dal_trace_row *row)
{
    struct dal_trace_event event = {.name = process->desc->name};
    process->launches++;
    if (!process->timed) {
        process->desc->code->run(&process->dal, &process->activation);
        return;
    }
    event.begin_ns = dal_now_ns();
    process->desc->code->run(&process->dal, &process->activation);
    event.end_ns = dal_now_ns();
    event.firings = process->activation.fired + (process->activation.status != 0);
    process->busy_ns += event.end_ns - event.begin_ns;
    dal_trace_add(row, event);
}

static void fire(struct dal_process *process, uint64_t firings, struct dal_trace_row *row)
{
    struct dal_activation *activation = &process->activation;
    if (!start(process))
        return;
    open_windows(process, firings);
    run(process, row);
    process->firings += activation->fired;
    if (activation->failed)
        return;
    if (activation->status == 0 && activation->fired < activation->firings) {
        complain_unwritten(process);
        dal_control_break(process->control, DAL_ERR_PROCESS);
        return;
    }
    close_windows(process);
    if (activation->status != 0) {
        process->firings++;
        end(process);
    }
}

static int activate(struct dal_process *process, struct dal_trace_row *row)
{
    uint64_t firings = dal_process_unwanted(process) ? 0 : ready(process);
    if (firings > 0) {
        fire(process, firings, row);
        return 1;
    }
    if (!dal_process_unwanted(process) && !dal_process_starved(process))
        return 0;
    end(process);
    return 1;
}

int dal_process_activate(struct dal_process *process, struct dal_trace_row *row)
{
    int active;
    if (atomic_load_explicit(&process->ended, memory_order_acquire))
        return 0;
    if (!process->shared)
        return activate(process, row);
    if (atomic_exchange_explicit(&process->claimed, 1, memory_order_acquire))
        return 0;
    active = !atomic_load_explicit(&process->ended, memory_order_relaxed) && activate(process, row);
    atomic_store_explicit(&process->claimed, 0, memory_order_release);
    return active;
}
