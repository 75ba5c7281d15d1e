#include "rt/kpn/kpn.h"

#include "rt/base/alloc.h"
#include "rt/host/changes.h"
#include "rt/host/firing.h"
#include "rt/host/guard.h"
#include "rt/host/run.h"

#include <stddef.h>
#include <unistd.h>

static void run_kpn(DALProcess *p, struct dal_activation *a);

/* Where a window begins before its port has seen the ring. One of no tokens is not NULL. */
static _Alignas(max_align_t) unsigned char no_tokens[1];

static int init_kpn(struct dal_process *process)
{
    size_t ports = (size_t)process->desc->port_count + 1;
    struct dal_kpn *kpn = process->host.kpn = dal_calloc(1, sizeof(*kpn));
    if (!kpn)
        return DAL_ERR_NOMEM;
    kpn->file = -1;
    kpn->ports = dal_calloc(ports, sizeof(*kpn->ports));
    kpn->empty = dal_calloc(ports, sizeof(*kpn->empty));
    if (!kpn->ports || !kpn->empty)
        return DAL_ERR_NOMEM;
    kpn->leave.name = process->desc->name;
    kpn->until_ns = INT64_MAX;
    dal_leave_prepare();
    process->host.run = run_kpn;
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_counted *counted = &process->desc->ports[i].counted;
        kpn->ports[i].process = process;
        kpn->ports[i].window = &process->host.copies[0].activation.windows[i];
        kpn->ports[i].counted = counted->most ? counted : NULL;
        kpn->ports[i].window->waits = 1;
        kpn->ports[i].window->firing = no_tokens;
    }
    return DAL_OK;
}

static void finish_kpn(struct dal_process *process)
{
    if (!process->host.kpn)
        return;
    for (int i = 0; process->host.kpn->ports && i < process->desc->port_count; i++) {
        dal_free(process->host.kpn->ports[i].memory);
        dal_free(process->host.kpn->ports[i].scrap);
    }
    if (process->host.kpn->file >= 0)
        close(process->host.kpn->file);
    dal_free(process->host.kpn->ports);
    dal_free(process->host.kpn->empty);
    dal_free(process->host.kpn->vain.calls);
    dal_free(process->host.kpn);
    process->host.kpn = NULL;
}

void dal_kpn_line_up(struct dal_process *processes, int count)
{
    struct dal_process *last = NULL;
    unsigned turns = 0;
    for (int i = 0; i < count; i++) {
        struct dal_process *process = &processes[i];
        if (!process->host.kpn)
            continue;
        for (int k = 0; k < process->desc->port_count; k++)
            process->host.kpn->ports[k].end = process->ends[k];
        process->host.kpn->vain.processes = processes;
        process->host.kpn->vain.process_count = count;
        if (process->host.kpn->passed)
            continue;
        process->host.kpn->turn = turns++;
        if (last)
            last->host.kpn->follower = process;
        last = process;
    }
    for (int i = 0; i < count; i++)
        if (processes[i].host.kpn)
            processes[i].host.kpn->turns = turns;
}

/* ---- init and fire --------------------------------------------------------------------------- */

/* Calls init, or fire without one, and sends the whole tokens. */
static void call_and_send(struct dal_process *process, void (*init)(DALProcess *))
{
    struct dal_copy *copy = process->host.copies;
    if (init)
        init(&copy->dal);
    else
        copy->activation.status = process->desc->code->fire(&copy->dal);
    if (!process->host.kpn->windows)
        dal__kpn_send(process);
}

/* The same; returns whether the call was left. */
static int call_or_leave(struct dal_process *process, void (*init)(DALProcess *))
{
    dal_firing = &process->host.copies[0].dal;
    process->host.kpn->leave.frame = DAL_LEAVE_FRAME;
    if (!setjmp(process->host.kpn->leave.out))
        call_and_send(process, init);
    dal_firing = NULL;
    dal_guard_look(process->host.copies[0].activation.guard);
    return dal__kpn_come_back(process);
}

static void call_init(struct dal_process *process, void (*init)(DALProcess *))
{
    process->host.copies[0].activation.detached |= call_or_leave(process, init);
}

static void run_kpn(DALProcess *p, struct dal_activation *a)
{
    (void)p;
    if (call_or_leave(a->process, NULL))
        a->status = 1;
    a->status |= a->detached;
    a->fired = a->status == 0;
}

static void before_init(struct dal_process *process)
{
    dal__kpn_wait_for_turn(process, process->host.kpn->turn);
}

static void after_init(struct dal_process *process)
{
    dal__kpn_pass_turn(process);
    dal__kpn_wait_for_turn(process, process->host.kpn->turns);
}

/* Warns of a token that was begun and never finished: it is not sent. Of an open port, its stream
 * has told that; or a signal stopped it. */
static void complain_begun(const struct dal_process *process)
{
    for (int i = 0; !process->desc->open && i < process->desc->port_count; i++) {
        const struct dal_kpn_port *port = &process->host.kpn->ports[i];
        if (port->end->output && port->window->done > 0)
            dal_log(DAL_LOG_WARNING,
                    "process %s: the last token of port %s has only %zu of %zu bytes and is lost",
                    process->desc->name, process->desc->ports[i].name, port->window->done,
                    (size_t)port->end->channel->desc->token_bytes);
    }
}

static int activate_kpn(struct dal_process *process, struct dal_trace_row *row)
{
    const struct dal_activation *activation = &process->host.copies[0].activation;
    int status = 1;
    if (atomic_load_explicit(&process->ended, memory_order_relaxed))
        return 0;
    if (!dal_process_stopped(process)) {
        if (!dal__process_start(process))
            return 0;
        if (process->host.changes)
            dal_changes_make(process, 1);
        if (!activation->detached) {
            dal__step_alone(process->host.alone, process->host.run, row);
            status = activation->status;
        }
        dal_count_add(process->firings, 1);
        process->launches++;
        if (dal_control_broken(process->control))
            return 0;
    }
    if (status != 0) {
        complain_begun(process);
        dal__process_end(process);
    }
    return 1;
}

/* ---- what the monitor asks ------------------------------------------------------------------- */

static const struct dal_end *sleeps_at(const struct dal_process *process)
{
    return atomic_load_explicit(&process->host.kpn->blocked, memory_order_acquire);
}

static unsigned progress(const struct dal_process *process)
{
    return dal_count_get(process->host.kpn->calls);
}

const struct dal_process_ops dal_process_kpn = {.has_thread = 1,
                                                .init = init_kpn,
                                                .finish = finish_kpn,
                                                .call_init = call_init,
                                                .activate = activate_kpn,
                                                .before_init = before_init,
                                                .after_init = after_init,
                                                .sleeps_at = sleeps_at,
                                                .progress = progress};
