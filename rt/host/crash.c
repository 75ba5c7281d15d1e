#include "rt/host/crash.h"

#include "rt/base/error.h"
#include "rt/host/firing.h"

#include <stdint.h>

/* A message, made by calls that a signal's handler may make. What has no room is left out. */
struct line {
    char text[800];
    size_t used;
};

static struct dal_process *_Atomic crashed;

struct dal_process *dal_crash_process(void)
{
    return atomic_load(&crashed);
}

static void add_words(struct line *line, const char *text)
{
    while (*text && line->used + 1 < sizeof(line->text))
        line->text[line->used++] = *text++;
    line->text[line->used] = 0;
}

static void add_number(struct line *line, uint64_t number, unsigned base)
{
    char digits[24], *at = digits + sizeof(digits) - 1;
    *at = 0;
    do
        *--at = "0123456789abcdef"[number % base];
    while ((number /= base) > 0);
    add_words(line, base == 16 ? "0x" : "");
    add_words(line, at);
}

static void begin_line(struct line *line, const struct dal_process *process)
{
    line->used = 0;
    add_words(line, "process ");
    add_words(line, process->desc->name);
    add_words(line, ": ");
}

static void tell(struct line *line)
{
    dal_log_now((const char *const[]){line->text, NULL});
}

/* Adds where the process stands in its network, and ends the message. */
static void tell_place(struct line *line, const struct dal_process *process)
{
    add_words(line, " (");
    add_words(line, process->desc->origin.file);
    add_words(line, ":");
    add_number(line, (uint64_t)process->desc->origin.line, 10);
    add_words(line, ")");
    tell(line);
}

static void tell_stack(const struct dal_process *process, const char *bytes)
{
    struct line line;
    if (!process) {
        dal_log_now((const char *const[]){"the stack of a thread, of ", bytes,
                                          " bytes, is used up; --stack gives more", NULL});
        return;
    }
    begin_line(&line, process);
    add_words(&line, "its stack of ");
    add_words(&line, bytes);
    add_words(&line, " bytes is used up; --stack gives more");
    tell_place(&line, process);
}

static void add_address(struct line *line, const struct dal_fault *fault)
{
    if (!fault->at)
        return;
    add_words(line, fault->writes < 0 ? ", at "
                    : fault->writes   ? ", writing at "
                                      : ", reading at ");
    add_number(line, (uintptr_t)fault->at, 16);
}

static void tell_process(const struct dal_process *process, const struct dal_fault *fault)
{
    const char *role = dal_here()->role;
    uint64_t least = 0, most = 0;
    struct line line;
    begin_line(&line, process);
    add_words(&line, fault->name);
    add_words(&line, " in ");
    add_words(&line, role ? role : "fire");
    if (!role) {
        dal_here_firing(process, &least, &most);
        add_words(&line, least < most ? ", in one of firings " : ", in firing ");
        add_number(&line, least, 10);
        add_words(&line, least < most ? " to " : "");
        if (least < most)
            add_number(&line, most, 10);
    }
    add_address(&line, fault);
    if (process->desc->source) {
        add_words(&line, ", of ");
        add_words(&line, process->desc->source);
    }
    tell_place(&line, process);
}

/* Says how far an address is from a window, if it is near. */
static void add_distance(struct line *line, uintptr_t at, uintptr_t first, size_t bytes)
{
    enum { NEAR = 1 << 20 };
    if (at >= first && at - first < bytes) {
        add_words(line, ", and the address is in it");
    } else if (at >= first + bytes && at - (first + bytes) < NEAR) {
        add_words(line, ", and the address is ");
        add_number(line, at - (first + bytes) + 1, 10);
        add_words(line, " bytes behind its end");
    } else if (at < first && first - at <= NEAR) {
        add_words(line, ", and the address is ");
        add_number(line, first - at, 10);
        add_words(line, " bytes before it");
    }
}

static void tell_window(const struct dal_process *process, const struct dal_activation *activation,
                        int port, const struct dal_fault *fault)
{
    const struct dal_window *window = &activation->windows[port];
    uint64_t fired = process->ops->has_thread ? 0 : activation->fired;
    uintptr_t first = (uintptr_t)window->firing + fired * window->bytes;
    struct line line;
    begin_line(&line, process);
    add_words(&line, process->desc->ports[port].output ? "output port " : "input port ");
    add_words(&line, process->desc->ports[port].name);
    add_words(&line, " has a window of ");
    add_number(&line, window->bytes, 10);
    add_words(&line, " bytes at ");
    add_number(&line, first, 16);
    if (fault->at)
        add_distance(&line, (uintptr_t)fault->at, first, window->bytes);
    tell(&line);
}

int dal_crash_tell(const struct dal_fault *fault)
{
    struct dal_process *process = dal_here_process();
    const struct dal_activation *activation = dal_here_activation();
    atomic_store(&crashed, process);
    if (fault->stack_bytes) {
        tell_stack(process, fault->stack_bytes);
        return 1;
    }
    if (!process)
        return 0;
    tell_process(process, fault);
    for (int i = 0; activation && i < process->desc->port_count; i++)
        tell_window(process, activation, i, fault);
    return 0;
}
