#include "rt/host/firing.h"

#include "rt/base/fault.h"
#include "rt/base/output.h"
#include "rt/base/sync.h"
#include "rt/host/group.h"
#include "rt/host/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__thread DALProcess *dal_firing;

static _Thread_local struct dal_here here;

struct dal_here *dal_here(void)
{
    return &here;
}

/* Returns the step that the thread runs, or NULL. */
static const struct dal_step *here_step(void)
{
    if (here.alone)
        return dal_copy_runs(here.alone->copy) ? here.alone : NULL;
    for (int i = 0; here.copy && i < here.steps; i++)
        if (dal_copy_runs(here.copy->steps[i].copy))
            return &here.copy->steps[i];
    return NULL;
}

struct dal_activation *dal_here_activation(void)
{
    const struct dal_step *step = here_step();
    return step ? &step->copy->activation : NULL;
}

struct dal_process *dal_here_process(void)
{
    const struct dal_activation *activation = dal_here_activation();
    return activation ? activation->process : here.process;
}

/* Tells it as the tables count: of a cyclo-static process it is a cycle. */
static void find_firing(const struct dal_step *step, const struct dal_process *process,
                        uint64_t *least, uint64_t *most)
{
    const struct dal_activation *activation;
    size_t bytes = 0;
    *least = *most = dal_count_get(process->firings) + 1;
    if (!step || process->ops->has_thread || step->run == process->host.run_phase)
        return;
    activation = &step->copy->activation;
    *least = here.copy->first + here.copy->done + activation->fired + 1;
    *least += here.copy->partial ? step->done : 0;
    for (int i = 0; i < process->desc->port_count; i++)
        bytes += activation->windows[i].bytes;
    *most = *least;
    if (step->run != dal_firing_run && bytes <= DAL_UNIT_BYTES &&
        activation->firings - activation->fired >= DAL_UNIT_FIRINGS)
        *most += DAL_UNIT_FIRINGS - 1;
}

/* The loop of a unit keeps its phase to itself (dal_unit.h). */
void dal_here_firing(const struct dal_process *process, uint64_t *least, uint64_t *most)
{
    const struct dal_step *step = here_step();
    const uint64_t phases = (uint64_t)process->desc->code->phases;
    find_firing(step, process, least, most);
    if (phases == 0)
        return;
    *least = (*least - 1) * phases + 1;
    *most *= phases;
    if (step && (step->run == dal_firing_run || step->run == process->host.run_phase))
        *most = *least += (uint64_t)step->copy->activation.phase;
}

void dal_here_complain(const char *what)
{
    const struct dal_process *process = dal_here_process();
    const struct dal_process_desc *desc = process ? process->desc : NULL;
    if (desc)
        dal_log(DAL_LOG_ERROR, "process %s: %s %s while the network runs (%s:%d)", desc->name,
                here.role ? here.role : "fire", what, desc->origin.file, desc->origin.line);
    else
        dal_log(DAL_LOG_ERROR, "a thread %s while a network runs", what);
}

/* ---- the program's end ----------------------------------------------------------------------- */

static _Atomic int running; /* networks */
static pid_t watched;       /* the process that exit() is watched in, not its children */

static void at_exit(void)
{
    if (atomic_load(&running) == 0 || getpid() != watched)
        return;
    dal_here_complain("ended the program by exit()");
    dal_output_flush(DAL_OUTPUT_LAST_NS);
    dal_program_end();
    dal_output_drop();
    _exit(1);
}

/* Handlers run in reverse order. Drivers registered theirs before a network runs, so they run after
 * this one. */
static void watch_exit(void)
{
    watched = getpid();
    if (atexit(at_exit) || at_quick_exit(at_exit))
        dal_log(DAL_LOG_WARNING, "exit() from within a process will not be noticed");
}

void dal_firing_watch_exit(int change)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_exit);
    atomic_fetch_add(&running, change);
}

/* ---- init and finish ------------------------------------------------------------------------- */

void dal_firing_call(struct dal_process *process, const char *role, void (*function)(DALProcess *))
{
    struct dal_own_call call;
    if (!function)
        return;
    here.process = process;
    here.role = role;
    dal_own_begin_call(&process->host.own, &call);
    dal_own_enter(process, &process->host.own);
    if (process->ops->call_init && strcmp(role, "init") == 0)
        process->ops->call_init(process, function);
    else
        function(&process->host.copies[0].dal);
    dal_own_leave(process, &process->host.own, role);
    dal_own_end_call(process, role, &call);
    here.process = NULL;
    here.role = NULL;
}

/* ---- firing with the process's own p --------------------------------------------------------- */

/* Narrows the windows of a cycle to those of a phase; leave_phase() widens them again. */
static void enter_phase(struct dal_activation *a, const struct dal_unit_port *rows, int ports)
{
    for (int i = 0; i < ports; i++) {
        a->windows[i].firing += rows[i].from;
        a->windows[i].bytes = rows[i].bytes;
        a->windows[i].must = rows[i].must;
    }
}

static void leave_phase(struct dal_activation *a, const struct dal_unit_port *rows, int ports)
{
    for (int i = 0; i < ports; i++) {
        const struct dal_end *end = a->process->ends[i];
        a->windows[i].firing -= rows[i].from;
        a->windows[i].bytes = end->firing_bytes;
        a->windows[i].must = end->output ? end->firing_bytes : 0;
    }
}

static void open_windows(struct dal_activation *a, int ports)
{
    for (int i = 0; i < ports; i++) {
        struct dal_window *window = &a->windows[i];
        window->done = 0;
        window->astray = 0;
        window->begun = window->said = 0;
        window->reach = 0;
    }
}

/* Returns whether the activation is asked to end early (net.h), and takes the request back. */
static int is_enough(struct dal_activation *a)
{
    if (!__atomic_load_n(&a->enough, __ATOMIC_RELAXED))
        return 0;
    __atomic_store_n(&a->enough, 0, __ATOMIC_RELAXED);
    return 1;
}

static int is_whole(const struct dal_activation *a, int ports)
{
    for (int i = 0; i < ports; i++)
        if (!dal_window_is_whole(&a->windows[i], a->windows[i].must))
            return 0;
    return 1;
}

static void move_windows(struct dal_activation *a, int ports, ptrdiff_t firings)
{
    for (int i = 0; i < ports; i++)
        a->windows[i].firing += firings * (ptrdiff_t)a->windows[i].bytes;
}

/* Calls fire once. Returns whether it succeeded. */
static int fire_once(DALProcess *p, struct dal_activation *a, int ports)
{
    const struct dal_code *code = a->process->desc->code;
    open_windows(a, ports);
    a->own = code->run && a->guard; /* its unit is for firings of their own */
    a->status = code->fire(p) | a->detached;
    a->own = 0;
    dal_guard_look(a->guard);
    return a->status == 0 && !a->failed && is_whole(a, ports);
}

static int fire_phase(DALProcess *p, struct dal_activation *a, int ports)
{
    const struct dal_unit_port *rows = &a->process->desc->code->phase_ports[a->phase * ports];
    int through;
    enter_phase(a, rows, ports);
    through = fire_once(p, a, ports);
    leave_phase(a, rows, ports);
    return through;
}

/* Fires once as the tables count: all phases of a cycle, or those up to one that fails. */
static int fire_cycle(DALProcess *p, struct dal_activation *a, int ports)
{
    int phases = a->process->desc->code->phases;
    if (phases == 0)
        return fire_once(p, a, ports);
    for (a->phase = 0;; a->phase++)
        if (!fire_phase(p, a, ports))
            return 0;
        else if (a->phase + 1 == phases)
            return 1;
}

void dal_firing_run_phase(DALProcess *p, struct dal_activation *a)
{
    dal_firing = p;
    a->fired = (uint64_t)fire_phase(p, a, a->process->desc->port_count);
    a->early = 0;
    dal_firing = NULL;
}

void dal_firing_run(DALProcess *p, struct dal_activation *a)
{
    int ports = a->process->desc->port_count;
    dal_firing = p;
    a->fired = 0;
    a->early = 0;
    do {
        if (!fire_cycle(p, a, ports))
            break;
        move_windows(a, ports, 1);
        a->early = ++a->fired < a->firings && is_enough(a);
    } while (a->fired < a->firings && !a->early);
    dal_firing = NULL;
    move_windows(a, ports, -(ptrdiff_t)a->fired);
}

/* ---- all processes --------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct dal_process all = {.host = {.previous = &all, .next = &all}};

void dal_firing_add(struct dal_process *process)
{
    pthread_mutex_lock(&lock);
    process->host.next = &all;
    process->host.previous = all.host.previous;
    process->host.previous->host.next = process;
    all.host.previous = process;
    pthread_mutex_unlock(&lock);
}

void dal_firing_remove(struct dal_process *process)
{
    pthread_mutex_lock(&lock);
    if (process->host.next) {
        process->host.next->host.previous = process->host.previous;
        process->host.previous->host.next = process->host.next;
        process->host.next = NULL;
    }
    pthread_mutex_unlock(&lock);
}

int dal_firing_has(const struct dal_process *process)
{
    const struct dal_process *at;
    int found = 0;
    pthread_mutex_lock(&lock);
    for (at = all.host.next; !found && at != &all; at = at->host.next)
        found = at == process;
    pthread_mutex_unlock(&lock);
    return found;
}
