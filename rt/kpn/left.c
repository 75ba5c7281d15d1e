/*
 * The ports of a KPN process while it is left (rt/kpn/leave.h). Destructors and handlers of C++
 * may go on calling. They get windows of their own, which are empty, so that each call comes to the
 * runtime: nothing is moved, and nothing waits. What is in the real windows stays as it was.
 */
#include "rt/base/alloc.h"
#include "rt/host/firing.h"
#include "rt/kpn/kpn.h"

#include <string.h>

/* Makes a window without memory. One that was begun can be ended. */
static struct dal_window empty_window(const struct dal_window *window)
{
    struct dal_window empty = {.firing = window->firing + window->done, .waits = 1};
    if (window->begun) {
        empty.begun = 1;
        empty.bytes = empty.held = window->held;
    }
    return empty;
}

void dal__kpn_leave(struct dal_process *process)
{
    struct dal_kpn *kpn = process->host.kpn;
    struct dal_activation *activation = &process->host.copies[0].activation;
    for (int i = 0; !kpn->leave.begun && i < process->desc->port_count; i++)
        kpn->empty[i] = empty_window(&activation->windows[i]);
    if (!kpn->leave.begun)
        kpn->windows = activation->windows;
    activation->windows = kpn->empty;
    dal_leave(&kpn->leave);
}

int dal__kpn_come_back(struct dal_process *process)
{
    struct dal_kpn *kpn = process->host.kpn;
    if (!kpn->windows)
        return 0;
    process->host.copies[0].activation.windows = kpn->windows;
    kpn->windows = NULL;
    kpn->leave.begun = 0;
    return 1;
}

void *dal__kpn_begin_left(struct dal_kpn_port *port, size_t bytes)
{
    struct dal_kpn *kpn = port->process->host.kpn;
    struct dal_window *window = &kpn->empty[port - kpn->ports];
    unsigned char *memory = window->begun ? NULL : dal_calloc(1, bytes);
    if (!memory)
        dal__kpn_leave(port->process);
    dal_free(port->scrap);
    port->scrap = memory;
    *window = (struct dal_window){
        .firing = memory, .bytes = bytes, .held = bytes, .begun = 1, .waits = 1};
    return memory;
}

void dal_window_leave(struct dal_process *process)
{
    const struct dal_here *here = dal_here();
    if (dal_here_process() == process && process->host.kpn && !dal__kpn_is_left(process) &&
        (!here->role || strcmp(here->role, "init") == 0))
        dal__kpn_leave(process);
}
