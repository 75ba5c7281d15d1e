/* The calls of dal.h that are not inline. */
#include "rt/events.h"
#include "rt/kpn.h"
#include "rt/process.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct dal_process *process_of(DALProcess *p)
{
    return ((struct dal_activation *)p->wptr)->process;
}

/* The firing's own activation may be a copy (net.h, dal_unit_run). */
static void fail(DALProcess *p)
{
    ((struct dal_activation *)p->wptr)->failed = 1;
    dal_control_break(process_of(p)->control, DAL_ERR_PROCESS);
}

int dal_port_index(const char *name, DALProcess *p)
{
    struct dal_process *process = process_of(p);
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        if (strcmp(process->desc->ports[i].name, name) == 0)
            return i;
    dal_log(DAL_LOG_ERROR, "process %s has no port %s", process->desc->name, name);
    fail(p);
    return -1;
}

static int overrun(const char *call, const char *port, size_t bytes, DALProcess *p)
{
    struct dal_process *process = process_of(p);
    const struct dal_window *window;
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        if (strcmp(process->desc->ports[i].name, port) != 0)
            continue;
        window = &((struct dal_activation *)p->wptr)->windows[i];
        dal_log(DAL_LOG_ERROR,
                "process %s: %s asks for %zu bytes of port %s, but a firing has %zu, %zu of them "
                "used (%s:%d)",
                process->desc->name, call, bytes, port, window->bytes, window->done,
                process->desc->origin.file, process->desc->origin.line);
    }
    fail(p);
    return -1;
}

/* The port of a KPN process that a call means, -1 when it may not: then the call is an overrun. */
static int waiting_port(const char *call, const char *port, int output, size_t bytes, DALProcess *p)
{
    struct dal_process *process = process_of(p);
    int k;
    if (!process->kpn || process->finished) {
        overrun(call, port, bytes, p);
        return -1;
    }
    k = dal_port_index(port, p);
    if (k >= 0 && process->desc->ports[k].output != output) {
        dal_log(DAL_LOG_ERROR, "process %s: %s on port %s, which is an %s port",
                process->desc->name, call, port, output ? "input" : "output");
        fail(p);
        k = -1;
    }
    return k;
}

int dal_window_read(const char *port, void *buf, int len, DALProcess *p)
{
    int k = len < 0 ? overrun("DAL_read", port, (size_t)len, p)
                    : waiting_port("DAL_read", port, 0, (size_t)len, p);
    if (k >= 0)
        return dal_kpn_read(process_of(p), k, buf, len);
    if (len > 0)
        memset(buf, 0, (size_t)len);
    return -1;
}

int dal_window_write(const char *port, const void *buf, int len, DALProcess *p)
{
    int k = len < 0 ? overrun("DAL_write", port, (size_t)len, p)
                    : waiting_port("DAL_write", port, 1, (size_t)len, p);
    return k < 0 ? -1 : dal_kpn_write(process_of(p), k, buf, len);
}

void *dal_window_begin_read(const char *port, size_t bytes, DALProcess *p)
{
    int k = waiting_port("DAL_read_begin", port, 0, bytes, p);
    return k < 0 ? NULL : dal_kpn_begin(process_of(p), k, bytes);
}

void *dal_window_begin_write(const char *port, size_t bytes, size_t end, DALProcess *p)
{
    int k = waiting_port("DAL_write_begin", port, 1, end, p);
    return k < 0 ? NULL : dal_kpn_begin(process_of(p), k, bytes);
}

int DAL_at_end(void *port, DALProcess *p)
{
    int k = waiting_port("DAL_at_end", port, 0, 0, p);
    return k < 0 ? -1 : dal_kpn_at_end(process_of(p), k);
}

static int test(const char *call, const char *port, int output, int len, DALProcess *p)
{
    struct dal_window *window = dal__window(port, p);
    int k;
    if (!window)
        return -1;
    if (!window->waits)
        return len >= 0 && (size_t)len <= window->bytes - window->done ? 1 : -1;
    k = waiting_port(call, port, output, (size_t)len, p);
    return k < 0 || len < 0 ? -1 : dal_kpn_test(process_of(p), k, (size_t)len);
}

int DAL_rtest(void *port, int len, DALProcess *p)
{
    return test("DAL_rtest", port, 0, len, p);
}

int DAL_wtest(void *port, int len, DALProcess *p)
{
    return test("DAL_wtest", port, 1, len, p);
}

int DAL_getIndex(int dim, DALProcess *p)
{
    const struct dal_process_desc *desc = process_of(p)->desc;
    return dim >= 0 && dim < desc->index_count ? desc->index[dim] : -1;
}

void *createPort(void *port, const void *base, int dims, ...)
{
    char *at = port, *end = at + DAL_PORT_NAME_BYTES;
    va_list pairs;
    int i;
    at += snprintf(at, DAL_PORT_NAME_BYTES, "%s", (const char *)base);
    va_start(pairs, dims);
    for (i = 0; i < dims && at < end; i++) {
        at += snprintf(at, (size_t)(end - at), "_%d", va_arg(pairs, int));
        (void)va_arg(pairs, int); /* the range */
    }
    va_end(pairs);
    return port;
}

const char *DAL_getParameter(const char *name, DALProcess *p)
{
    struct dal_process *process = process_of(p);
    int i = dal_process_parameter(process->desc, name);
    return i < 0 ? NULL : process->parameters[i];
}

int DAL_getParameterInt(const char *name, long *value, DALProcess *p)
{
    const char *text = DAL_getParameter(name, p);
    const char *process = process_of(p)->desc->name;
    char *rest;
    long number;
    if (!text) {
        dal_log(DAL_LOG_WARNING, "process %s has no parameter %s", process, name);
        return -1;
    }
    errno = 0;
    number = strtol(text, &rest, 0);
    if (errno || rest == text || *rest) {
        dal_log(DAL_LOG_ERROR, "process %s: parameter %s is \"%s\", not an integer", process, name,
                text);
        fail(p);
        return -1;
    }
    *value = number;
    return 0;
}

int DAL_printf(const char *format, ...)
{
    va_list arguments;
    int written;
    va_start(arguments, format);
    written = vprintf(format, arguments);
    va_end(arguments);
    return written;
}

void DAL_fail(DALProcess *p, const char *format, ...)
{
    struct dal_process *process = process_of(p);
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    dal_log(DAL_LOG_ERROR, "process %s: %s", process->desc->name, message);
    fail(p);
}

int DAL_send_event(void *message, DALProcess *p)
{
    struct dal_process *process = process_of(p);
    struct dal_control *control = process->control;
    if (message && strcmp(message, "stop") == 0) {
        dal_control_stop(control);
        return 0;
    }
    if (!message || !control->events) {
        atomic_fetch_add_explicit(&control->ignored, 1, memory_order_relaxed);
        return 0;
    }
    if (dal_events_send(control->events, message, control->application, process->desc->name) !=
        DAL_ERR_LIMIT)
        return 0;
    fail(p);
    return -1;
}
