/*
 * Activation of C processes by workers: windows are acquired, a copy runs its firings, and what it
 * did is released. A process has one copy, so the three follow each other; a stateless one that
 * several workers may fire has more, and only the order of releases is kept: the tokens are those
 * of one copy.
 */
#include "rt/process.h"

#include "rt/base/clock.h"
#include "rt/kpn.h"

/* The copy of activation `number`; most processes have one, and need not divide. */
static struct dal_copy *copy_of(struct dal_process *process, uint64_t number)
{
    return process->copy_count == 1 ? process->copies
                                    : &process->copies[number % (uint64_t)process->copy_count];
}

/* Is the next activation one for the worker of this number? */
static int is_for(const struct dal_process *process, int number)
{
    uint64_t copies = (uint64_t)process->copy_count;
    return number < 0 || copies == 1 ||
           (int)(process->begun % copies) % process->wake_count == number;
}

static uint64_t ready(const struct dal_process *process)
{
    struct dal_end *const *end = process->ends, *const *last = end + process->desc->port_count;
    uint64_t firings = process->pace.firings;
    for (; firings > 0 && end < last; end++)
        firings = dal_end_ready(*end, firings);
    return firings;
}

int dal__process_start(struct dal_process *process)
{
    struct dal_copy *first = &process->copies[0];
    if (!process->started) {
        process->started = 1;
        if (first->dal.init)
            first->dal.init(&first->dal);
    }
    return !dal_control_broken(process->control);
}

void dal_process_last_call(struct dal_process *process)
{
    struct dal_copy *first = &process->copies[0];
    if (!process->started || process->finished)
        return;
    process->finished = 1;
    if (first->dal.finish)
        first->dal.finish(&first->dal);
}

void dal__process_end(struct dal_process *process)
{
    dal__process_start(process);
    dal_process_last_call(process);
    dal_process_close(process);
}

void dal__process_take(struct dal_process *process, struct dal_copy *copy, uint64_t firings)
{
    int i, ports = process->desc->port_count;
    for (i = 0; i < ports; i++)
        copy->begins[i] = dal_end_acquire(process->ends[i], firings);
    process->begun++;
}

static void begin(struct dal_process *process, struct dal_copy *copy, uint64_t firings)
{
    struct dal_activation *activation = &copy->activation;
    struct dal_window *windows = activation->windows;
    int i, ports = process->desc->port_count;
    dal__process_take(process, copy, firings);
    activation->firings = firings;
    activation->fired = 0;
    activation->status = 0;
    for (i = 0; i < ports; i++) {
        windows[i].firing = copy->begins[i];
        windows[i].done = windows[i].held = 0;
    }
    atomic_store_explicit(&copy->running, 1, memory_order_relaxed);
    atomic_store_explicit(&process->at_work, 1, memory_order_relaxed);
}

void dal__process_run_timed(struct dal_process *process, struct dal_copy *copy,
                            struct dal_trace_row *row)
{
    struct dal_trace_event event = {.name = process->desc->name, .begin_ns = dal_now_ns()};
    process->desc->code->run(&copy->dal, &copy->activation);
    event.end_ns = dal_now_ns();
    event.firings = copy->activation.fired + (copy->activation.status != 0);
    copy->busy_ns += event.end_ns - event.begin_ns;
    dal_trace_add(row, event);
}

static void run(struct dal_process *process, struct dal_copy *copy, struct dal_trace_row *row)
{
    if (process->timed)
        dal__process_run_timed(process, copy, row);
    else
        process->desc->code->run(&copy->dal, &copy->activation);
}

static void complain_unwritten(struct dal_process *process, const struct dal_copy *copy)
{
    const struct dal_process_desc *desc = process->desc;
    int i;
    for (i = 0; i < desc->port_count; i++) {
        const struct dal_window *window = &copy->activation.windows[i];
        if (window->done < window->must)
            dal_log(DAL_LOG_ERROR,
                    "process %s: firing %llu wrote %zu of %zu bytes to port %s (%s:%d)", desc->name,
                    (unsigned long long)(process->firings + 1), window->done, window->must,
                    desc->ports[i].name, desc->origin.file, desc->origin.line);
    }
}

/* Releases what was read and written; of the last firing only what was touched (dal.h). */
static void release_last(struct dal_process *process, struct dal_copy *copy)
{
    const struct dal_activation *activation = &copy->activation;
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_window *window = &activation->windows[i];
        struct dal_end *end = process->ends[i];
        int touched = end->output ? window->done == window->bytes : window->done > 0;
        dal_end_release(end, copy->begins[i], activation->fired + (uint64_t)touched);
    }
}

static void release_windows(struct dal_process *process, struct dal_copy *copy)
{
    int i, ports = process->desc->port_count;
    for (i = 0; i < ports; i++)
        dal_end_release(process->ends[i], copy->begins[i], copy->activation.fired);
}

static void release(struct dal_process *process, struct dal_copy *copy)
{
    const struct dal_activation *activation = &copy->activation;
    process->firings += activation->fired;
    process->launches++;
    if (activation->failed || process->ending)
        return; /* what comes after the last firing was not asked for */
    if (activation->status == 0 && activation->fired < activation->firings) {
        complain_unwritten(process, copy);
        dal_control_break(process->control, DAL_ERR_PROCESS);
        process->ending = 1;
        return;
    }
    if (activation->status == 0) {
        release_windows(process, copy);
        return;
    }
    release_last(process, copy);
    process->firings++;
    process->ending = 1;
}

static int is_running(const struct dal_copy *copy)
{
    return atomic_load_explicit(&copy->running, memory_order_relaxed);
}

void dal__process_release(struct dal_process *process)
{
    while (process->done < process->begun && !is_running(copy_of(process, process->done))) {
        release(process, copy_of(process, process->done));
        process->done++;
    }
    if (process->ending && process->done == process->begun)
        dal__process_end(process);
    if (process->done == process->begun)
        atomic_store_explicit(&process->at_work, 0, memory_order_release);
}

/* Nothing can be begun: is that the end? */
static int end_if_over(struct dal_process *process)
{
    if (process->done < process->begun ||
        (!dal_process_unwanted(process) && !dal_process_starved(process)))
        return 0;
    dal__process_end(process);
    return 1;
}

/* Begins an activation for a worker and returns its copy; NULL without one, with *active telling
 * whether the process has ended. Claimed. */
static struct dal_copy *begin_next(struct dal_process *process, int number, int *active)
{
    struct dal_copy *copy;
    uint64_t firings;
    *active = 0;
    if (process->ending || process->begun - process->done == (uint64_t)process->copy_count ||
        !is_for(process, number))
        return NULL;
    firings = dal_process_unwanted(process) ? 0 : ready(process);
    if (firings == 0) {
        *active = end_if_over(process);
        return NULL;
    }
    *active = 1;
    if (!dal__process_start(process))
        return NULL;
    copy = copy_of(process, process->begun);
    begin(process, copy, firings);
    return copy;
}

/* Side by side with others: claimed only to begin and to release. */
static void run_unclaimed(struct dal_process *process, struct dal_copy *copy,
                          struct dal_trace_row *row)
{
    dal_claim_give_up(&process->claim);
    process->listener.notify(&process->listener); /* there may be work for another copy */
    run(process, copy, row);
    dal_claim_wait(&process->claim);
}

int dal_process_activate(struct dal_process *process, int number, struct dal_trace_row *row)
{
    struct dal_copy *copy = NULL;
    int active = 0;
    if (process->kpn)
        return dal_kpn_activate(process, row);
    if (atomic_load_explicit(&process->ended, memory_order_acquire) ||
        !dal_claim_try(&process->claim))
        return 0;
    if (!atomic_load_explicit(&process->ended, memory_order_relaxed))
        copy = begin_next(process, number, &active);
    if (copy) {
        int64_t begin_ns = dal_pace_begin(&process->pace);
        if (process->copy_count > 1)
            run_unclaimed(process, copy, row);
        else
            run(process, copy, row);
        dal_pace_end(&process->pace, begin_ns, 1);
        atomic_store_explicit(&copy->running, 0, memory_order_relaxed);
        process->busy_ns += copy->busy_ns;
        copy->busy_ns = 0;
        dal__process_release(process);
    }
    dal_claim_give_up(&process->claim);
    return active;
}
