#include "rt/host/crash.h"

#include "rt/base/error.h"
#include "rt/base/line.h"
#include "rt/base/poison.h"
#include "rt/base/sync.h"
#include "rt/host/firing.h"
#include "rt/host/guard.h"

#include <stdint.h>

/* Adds what is in flight on devices; set with the first one. */
static int (*_Atomic in_flight)(struct dal_line *line);

void dal_crash_ask(int (*add)(struct dal_line *line))
{
    atomic_store(&in_flight, add);
}

static void begin_line(struct dal_line *line, const struct dal_process *process)
{
    line->used = 0;
    dal_line_add(line, "process ");
    dal_line_add(line, process->desc->name);
    dal_line_add(line, ": ");
}

static void tell(struct dal_line *line)
{
    dal_log_now((const char *const[]){line->text, NULL});
}

/* Ends the message of a process. */
static void tell_place(struct dal_line *line, const struct dal_process *process)
{
    dal_line_tell_at(line, process->desc->origin.file, process->desc->origin.line);
}

static void tell_stack(const struct dal_process *process, const char *bytes)
{
    struct dal_line line;
    if (!process) {
        dal_log_now((const char *const[]){"the stack of a thread, of ", bytes,
                                          " bytes, is used up; --stack gives more", NULL});
        return;
    }
    begin_line(&line, process);
    dal_line_add(&line, "its stack of ");
    dal_line_add(&line, bytes);
    dal_line_add(&line, " bytes is used up; --stack gives more");
    tell_place(&line, process);
}

static void add_address(struct dal_line *line, const struct dal_fault *fault)
{
    if (!fault->at)
        return;
    dal_line_add(line, fault->writes < 0 ? ", at "
                       : fault->writes   ? ", writing at "
                                         : ", reading at ");
    dal_line_add_number(line, (uintptr_t)fault->at, 16);
}

static void tell_process(const struct dal_process *process, const struct dal_fault *fault)
{
    const char *role = dal_here()->role;
    uint64_t least = 0, most = 0;
    struct dal_line line;
    begin_line(&line, process);
    dal_line_add(&line, fault->name);
    dal_line_add(&line, " in ");
    dal_line_add(&line, role ? role : "fire");
    if (!role) {
        dal_here_firing(process, &least, &most);
        dal_line_add(&line, least < most ? ", in one of firings " : ", in firing ");
        dal_line_add_number(&line, least, 10);
        dal_line_add(&line, least < most ? " to " : "");
        if (least < most)
            dal_line_add_number(&line, most, 10);
    }
    add_address(&line, fault);
    if (process->desc->source) {
        dal_line_add(&line, ", of ");
        dal_line_add(&line, process->desc->source);
    }
    tell_place(&line, process);
}

/* Says how far an address is from a window, if it is near. */
static void add_distance(struct dal_line *line, uintptr_t at, uintptr_t first, size_t bytes)
{
    enum { NEAR = 1 << 20 };
    if (at >= first && at - first < bytes) {
        dal_line_add(line, ", and the address is in it");
    } else if (at >= first + bytes && at - (first + bytes) < NEAR) {
        dal_line_add(line, ", and the address is ");
        dal_line_add_number(line, at - (first + bytes) + 1, 10);
        dal_line_add(line, " bytes behind its end");
    } else if (at < first && first - at <= NEAR) {
        dal_line_add(line, ", and the address is ");
        dal_line_add_number(line, first - at, 10);
        dal_line_add(line, " bytes before it");
    }
}

static void tell_window(const struct dal_process *process, const struct dal_activation *activation,
                        int port, const struct dal_fault *fault)
{
    const struct dal_window *window = &activation->windows[port];
    uint64_t fired = process->ops->has_thread ? 0 : activation->fired;
    uintptr_t first = (uintptr_t)window->firing + fired * window->bytes;
    struct dal_line line;
    begin_line(&line, process);
    dal_line_add(&line, process->desc->ports[port].output ? "output port " : "input port ");
    dal_line_add(&line, process->desc->ports[port].name);
    dal_line_add(&line, " has a window of ");
    dal_line_add_number(&line, window->bytes, 10);
    dal_line_add(&line, " bytes at ");
    dal_line_add_number(&line, first, 16);
    if (fault->at)
        add_distance(&line, (uintptr_t)fault->at, first, window->bytes);
    tell(&line);
}

/* A thread of a driver may run a kernel, whose faults are the driver's: an integer division by zero
 * is none there. */
static enum dal_fault_end tell_apart(const struct dal_fault *fault)
{
    struct dal_line line = {.used = 0};
    int (*add)(struct dal_line * line) = atomic_load(&in_flight);
    int of_team = dal_here()->of_team;
    dal_line_add(&line, fault->name);
    dal_line_add(&line, of_team ? " in a thread of OpenMP" : " in a thread of no process");
    if (!of_team && add && add(&line) && !fault->is_left)
        return DAL_FAULT_FOREIGN;
    tell(&line);
    return DAL_FAULT_SIGNAL;
}

enum dal_fault_end dal_crash_tell(const struct dal_fault *fault)
{
    const struct dal_process *process = dal_here_process();
    const struct dal_activation *activation = dal_here_activation();
    if (fault->stack_bytes) {
        tell_stack(process, fault->stack_bytes);
        return DAL_FAULT_EXIT;
    }
    if (fault->at && dal_guard_tell(fault->at, fault->writes))
        return dal_has_poison() ? DAL_FAULT_SIGNAL /* its handler tells the line */
                                : DAL_FAULT_EXIT;
    if (!process)
        return tell_apart(fault);
    tell_process(process, fault);
    for (int i = 0; activation && i < process->desc->port_count; i++)
        tell_window(process, activation, i, fault);
    return DAL_FAULT_SIGNAL;
}
