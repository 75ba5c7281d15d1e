/*
 * Activation of C processes by workers: windows are acquired, a copy runs its firings, and what it
 * did is released. A process has one copy, so the three follow each other; a stateless one that
 * several workers may fire has more, and only the order of releases is kept: the tokens are those
 * of one copy.
 */
#include "rt/host/process.h"

#include "rt/base/clock.h"
#include "rt/host/firing.h"
#include "rt/host/kpn.h"

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

/* Calls init or finish, in sight of the monitor. */
static void call(struct dal_process *process, void (*function)(DALProcess *p), const char *name)
{
    if (!function)
        return;
    atomic_store_explicit(&process->calling, name, memory_order_relaxed);
    dal_copy_turn(&process->copies[0]);
    dal_firing_call(process, name, function);
    dal_copy_turn(&process->copies[0]);
    atomic_store_explicit(&process->calling, NULL, memory_order_relaxed);
}

int dal__process_start(struct dal_process *process)
{
    if (!process->started) {
        process->started = 1;
        call(process, process->desc->code->init, "init");
    }
    return !dal_control_broken(process->control);
}

void dal_process_last_call(struct dal_process *process)
{
    if (!process->started || process->finished)
        return;
    process->finished = 1;
    call(process, process->desc->code->finish, "finish");
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

/* The next firings of an activation are those behind what it has done. */
static void set_out(struct dal_process *process, struct dal_copy *copy, uint64_t firings)
{
    struct dal_activation *activation = &copy->activation;
    struct dal_window *windows = activation->windows;
    int i, ports = process->desc->port_count;
    activation->firings = firings;
    activation->fired = 0;
    activation->status = 0;
    for (i = 0; i < ports; i++) {
        windows[i].firing = copy->begins[i] + copy->fired * windows[i].bytes;
        windows[i].done = windows[i].astray = 0;
        windows[i].begun = 0;
    }
    dal_copy_turn(copy);
}

static void begin(struct dal_process *process, struct dal_copy *copy, uint64_t firings)
{
    dal__process_take(process, copy, firings);
    copy->fired = 0;
    copy->left = firings;
    set_out(process, copy, firings);
    atomic_store_explicit(&process->at_work, 1, memory_order_relaxed);
}

/* A run of a copy has returned: what is left of its activation? */
static void come_back(struct dal_process *process, struct dal_copy *copy)
{
    const struct dal_activation *activation = &copy->activation;
    int through = activation->status == 0 && !activation->failed;
    copy->fired += activation->fired;
    copy->left -= activation->fired;
    if (!through || (activation->fired < activation->firings && !activation->early))
        copy->left = 0;
    process->parked += copy->left > 0;
    dal_copy_turn(copy);
}

void dal__process_run_timed(struct dal_process *process, struct dal_copy *copy,
                            struct dal_trace_row *row)
{
    struct dal_trace_event event = {.name = process->desc->name, .begin_ns = dal_now_ns()};
    process->run(&copy->dal, &copy->activation);
    event.end_ns = dal_now_ns();
    event.firings = copy->activation.fired + (copy->activation.status != 0);
    copy->busy_ns += event.end_ns - event.begin_ns;
    dal_trace_add(row, event);
}

static void run(struct dal_process *process, struct dal_copy *copy, struct dal_trace_row *row)
{
    struct dal_here *here = dal_here();
    here->process = process;
    if (process->timed)
        dal__process_run_timed(process, copy, row);
    else
        process->run(&copy->dal, &copy->activation);
    here->process = NULL;
}

static void complain_unwritten(struct dal_process *process, const struct dal_copy *copy)
{
    const struct dal_process_desc *desc = process->desc;
    int i;
    for (i = 0; i < desc->port_count; i++) {
        const struct dal_window *window = &copy->activation.windows[i];
        if (window->must == 0)
            continue;
        if (window->done > window->must || (window->done == window->must && window->astray))
            dal_log(DAL_LOG_ERROR,
                    "process %s: firing %llu ended a block of port %s more than once (%s:%d)",
                    desc->name, (unsigned long long)(process->firings + 1), desc->ports[i].name,
                    desc->origin.file, desc->origin.line);
        else if (!dal_window_is_whole(window, window->must))
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
        int touched = end->output ? dal_window_is_whole(window, window->bytes) : window->done > 0;
        dal_end_release(end, copy->begins[i], copy->fired + (uint64_t)touched);
    }
}

static void release_windows(struct dal_process *process, struct dal_copy *copy)
{
    int i, ports = process->desc->port_count;
    for (i = 0; i < ports; i++)
        dal_end_release(process->ends[i], copy->begins[i], copy->fired);
}

static void release(struct dal_process *process, struct dal_copy *copy)
{
    const struct dal_activation *activation = &copy->activation;
    process->firings += copy->fired;
    process->launches++;
    if (activation->failed || process->ending)
        return; /* what comes after the last firing was not asked for */
    if (activation->status == 0 && activation->fired < activation->firings && !activation->early) {
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

/* Of a parked activation that has been released, the windows begin behind that. */
static void cut_off(struct dal_process *process, struct dal_copy *copy)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        copy->begins[i] += copy->fired * process->ends[i]->firing_bytes;
    copy->fired = 0;
}

void dal__process_release(struct dal_process *process)
{
    while (process->done < process->begun && !dal_copy_runs(copy_of(process, process->done))) {
        struct dal_copy *copy = copy_of(process, process->done);
        if (copy->left == 0 || copy->fired > 0)
            release(process, copy);
        if (copy->left > 0 && !process->ending) {
            cut_off(process, copy);
            break;
        }
        process->parked -= copy->left > 0;
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

/* Goes on with the oldest activation that is parked; ends it where nobody wants more. */
static struct dal_copy *go_on(struct dal_process *process)
{
    struct dal_copy *copy;
    uint64_t number = process->done, most = process->pace.firings;
    for (copy = copy_of(process, number); dal_copy_runs(copy) || copy->left == 0;
         copy = copy_of(process, ++number))
        ;
    if (number == process->done && dal_process_unwanted(process)) {
        process->ending = 1;
        dal__process_release(process);
        return NULL;
    }
    process->parked--;
    set_out(process, copy, copy->left < most ? copy->left : most);
    return copy;
}

/* Begins an activation for a worker and returns its copy; NULL without one, with *active telling
 * whether the process has ended. Claimed. */
static struct dal_copy *begin_next(struct dal_process *process, int number, int *active)
{
    struct dal_copy *copy;
    uint64_t firings;
    *active = process->parked > 0 && !process->ending;
    if (*active)
        return go_on(process);
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
        dal_pace_end(&process->pace, begin_ns, 1, copy->activation.early);
        come_back(process, copy);
        process->busy_ns += copy->busy_ns;
        copy->busy_ns = 0;
        dal__process_release(process);
    }
    dal_claim_give_up(&process->claim);
    return active;
}
