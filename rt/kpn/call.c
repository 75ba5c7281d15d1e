#include "rt/kpn/call.h"

#include "rt/base/clock.h"
#include "rt/base/number.h"
#include "rt/host/firing.h"

#include <string.h>
#include <sys/eventfd.h>

static struct dal_kpn_port *only_port(const struct dal_process *process)
{
    return &process->host.kpn->ports[0];
}

static uint64_t token_bytes(const struct dal_process *process)
{
    return process->desc->open->token_bytes;
}

void dal_call_prepare(struct dal_process *process)
{
    process->host.started = 1;
    process->host.kpn->passed = 1;
}

/* A window that still holds something is left where it is: a look may replace the ring. */
static int is_ready(const struct dal_process *process)
{
    const struct dal_kpn_port *port = only_port(process);
    return dal_call_is_over(process) || port->window->done < port->window->bytes ||
           dal__kpn_is_ready(port);
}

/* Arms the descriptor (rt/base/wake.h), whose waits for space hold others up as those of a thread.
 * Returns 0 if there is something already. */
static int arm_file(struct dal_process *process)
{
    struct dal_kpn *kpn = process->host.kpn;
    if (is_ready(process))
        return 0;
    kpn->is_shown = 0;
    dal_wake_arm(process->pool->wakes[0], kpn->file);
    if (is_ready(process)) {
        dal_wake_cancel(process->pool->wakes[0]);
        return 0;
    }
    if (only_port(process)->end->output)
        atomic_store_explicit(&kpn->blocked, only_port(process)->end, memory_order_release);
    return 1;
}

/* Makes the descriptor, if there is one, say what the next call will find. */
static void set_file(struct dal_process *process)
{
    struct dal_kpn *kpn = process->host.kpn;
    if (kpn->file < 0 || arm_file(process) || kpn->is_shown)
        return;
    kpn->is_shown = 1;
    dal_wake_show(kpn->file);
}

void dal_call_finish(struct dal_process *process)
{
    if (!dal_call_is_over(process))
        dal__process_end(process);
    set_file(process);
    dal_wake_signal(&process->control->end);
}

/* Makes the window hold a byte more. Returns 0 when it does not until then, or never will. */
static int advance_until(struct dal_process *process, int64_t until_ns)
{
    struct dal_kpn *kpn = process->host.kpn;
    int more;
    if (dal_call_is_over(process))
        return 0;
    kpn->until_ns = until_ns;
    more = dal__kpn_advance(only_port(process));
    if (!more && !kpn->is_late)
        dal_call_finish(process);
    return more;
}

/* Does the window hold a byte, or will it until then? Nothing goes into a port that has ended, or
 * into a broken network. What has come out of that is still read. */
static int has_bytes(struct dal_process *process, int64_t until_ns)
{
    const struct dal_kpn_port *port = only_port(process);
    int is_lost = port->end->output && dal_control_broken(process->control);
    if (!is_lost && !dal_call_is_over(process) && port->window->done < port->window->bytes)
        return 1;
    return advance_until(process, until_ns);
}

/* What is here of the thread belongs to the process during a call. */
static void enter_call(struct dal_process *process)
{
    dal_here()->control = process->control;
    dal_copy_turn(process->host.copies);
    if (process->host.kpn->file >= 0)
        atomic_store_explicit(&process->host.kpn->blocked, NULL, memory_order_release);
}

static void leave_call(struct dal_process *process)
{
    if (!dal_call_is_over(process))
        dal__kpn_send(process);
    set_file(process);
    dal_copy_turn(process->host.copies);
    dal_here()->control = NULL;
}

int dal_call_file(struct dal_process *process)
{
    struct dal_kpn *kpn = process->host.kpn;
    if (kpn->file >= 0)
        return kpn->file;
    kpn->file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (kpn->file < 0)
        return DAL_ERR_SYSTEM;
    enter_call(process);
    leave_call(process);
    return kpn->file;
}

uint64_t dal_call_move(struct dal_process *process, void *tokens, uint64_t count, int64_t until_ns)
{
    const struct dal_kpn_port *port = only_port(process);
    uint64_t bytes = count * token_bytes(process), left = bytes;
    unsigned char *at = tokens;
    enter_call(process);
    while (left > 0 && has_bytes(process, until_ns)) {
        size_t now = dal_least(left, port->window->bytes - port->window->done);
        unsigned char *ring = port->window->firing + port->window->done;
        memcpy(port->end->output ? ring : at, port->end->output ? at : ring, now);
        port->window->done += now;
        at += now;
        left -= now;
    }
    leave_call(process);
    return (bytes - left) / token_bytes(process);
}

uint64_t dal_call_begin_window(struct dal_process *process, void **window, int64_t until_ns)
{
    const struct dal_kpn_port *port = only_port(process);
    uint64_t tokens = 0;
    enter_call(process);
    if (has_bytes(process, until_ns)) {
        *window = port->window->firing + port->window->done;
        tokens = (port->window->bytes - port->window->done) / token_bytes(process);
    }
    leave_call(process);
    return tokens;
}

int dal_call_end_window(struct dal_process *process, uint64_t tokens)
{
    struct dal_window *window = only_port(process)->window;
    if (tokens > (window->bytes - window->done) / token_bytes(process) ||
        (tokens > 0 && dal_call_is_over(process)))
        return DAL_ERR_INVALID;
    enter_call(process);
    window->done += tokens * token_bytes(process);
    leave_call(process);
    return DAL_OK;
}
