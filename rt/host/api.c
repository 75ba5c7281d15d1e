/* The calls of dal.h that are not inline. */
#include "include/kinds.h"
#include "rt/control/events.h"
#include "rt/host/firing.h"
#include "rt/host/process.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct dal_process *process_of(DALProcess *p)
{
    return ((struct dal_activation *)p->wptr)->process;
}

/* The firing's own activation may be a copy (dal_unit.h, dal_unit_run). */
static void fail_firing(DALProcess *p)
{
    ((struct dal_activation *)p->wptr)->failed = 1;
    dal_control_break(process_of(p)->control, DAL_ERR_PROCESS);
}

int dal_port_index(const char *name, int output, const struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    for (int i = 0; name && i < desc->port_count; i++)
        if (!desc->ports[i].output == !output && strcmp(desc->ports[i].name, name) == 0)
            return i;
    return -1;
}

const char *dal_port_digits(const void *port, char digits[DAL_PORT_DIGITS])
{
    snprintf(digits, DAL_PORT_DIGITS, "%u", (unsigned)(uintptr_t)port);
    return digits;
}

void dal_refuse_port(const char *call, const char *port, struct dal_process *process)
{
    if (dal_port_index(port, 0, process) >= 0)
        dal_process_refuse(process, "%s on port %s, which is an input port", call, port);
    else if (dal_port_index(port, 1, process) >= 0)
        dal_process_refuse(process, "%s on port %s, which is an output port", call, port);
    else
        dal_process_refuse(process, "%s on port %s, which it does not have", call,
                           port ? port : "NULL");
}

void dal_refuse_process(const char *call, const char *port, struct dal_process *process)
{
    const struct dal_process *user = dal_here_process();
    const struct dal_here *here = dal_here();
    if (!dal_firing_has(process))
        dal_log(DAL_LOG_ERROR, "%s on port %s with the p of a process that is not there", call,
                port);
    else if (process == user && here->role)
        dal_process_refuse(process,
                           "%s on port %s in %s, but tokens are read and written in fire only",
                           call, port, here->role);
    else if (process == user)
        dal_process_refuse(process, "%s on port %s with another p than fire was given", call, port);
    else if (user)
        dal_process_refuse(process, "%s on port %s from outside of its firing, by process %s", call,
                           port, user->desc->name);
    else
        dal_process_refuse(process, "%s on port %s from outside of its firing", call, port);
    if (here->control)
        dal_control_break(here->control, DAL_ERR_PROCESS);
}

/* A negative length came as a large number, and so did a window whose bytes overflow. */
static void refuse_too_many(const char *call, const char *port, size_t bytes,
                            struct dal_process *process)
{
    if (strstr(call, "_begin"))
        dal_process_refuse(process, "%s asks for more bytes of port %s than there can be", call,
                           port);
    else
        dal_process_refuse(process, "%s asks for %zd bytes of port %s", call, (ssize_t)bytes, port);
}

void dal_refuse_bytes(const char *call, const char *port, size_t bytes,
                      const struct dal_window *window, struct dal_process *process)
{
    const char *hint = window->done == window->bytes && window->bytes
                           ? "; fire is called for each firing, and does not loop over them"
                           : "";
    if (bytes > SIZE_MAX / 2)
        refuse_too_many(call, port, bytes, process);
    else
        dal_process_refuse(
            process, "%s asks for %zu bytes of port %s, but a firing has %zu, %zu of them used%s",
            call, bytes, port, window->bytes, window->done, hint);
}

void dal_refuse_end(const char *call, const char *port, struct dal_process *process)
{
    dal_process_refuse(process, "%s on port %s, of which nothing is begun", call, port);
}

void dal_refuse_rates(const char *call, const char *port, struct dal_process *process)
{
    dal_process_refuse(process, "%s on port %s, but its rates are fixed", call, port);
}

void dal_refuse_count(const char *call, const char *port, size_t count,
                      const struct dal_window *window, struct dal_process *process)
{
    if (!window->token)
        dal_process_refuse(process, "%s on port %s, which is not counted%s", call, port,
                           window->waits ? " for a process that reads as much as it likes" : "");
    else if (window->begun)
        dal_process_refuse(process, "%s on port %s, of which a window is begun and not ended", call,
                           port);
    else if (count > window->bytes / window->token)
        dal_process_refuse(process,
                           "%s on port %s: a count of %zu, and there are at most %zu tokens", call,
                           port, count, window->bytes / window->token);
    else
        dal_process_refuse(process, "%s on port %s: a count of %zu, and %zu tokens were written",
                           call, port, count, window->reach / window->token);
}

void *dal_window_none(void)
{
    return NULL;
}

/* Hashes each place in a window to a number without any order (Steele et al. 2014). */
static uint64_t mark(uint64_t place)
{
    place += 0x9e3779b97f4a7c15u;
    place = (place ^ (place >> 30)) * 0xbf58476d1ce4e5b9u;
    place = (place ^ (place >> 27)) * 0x94d049bb133111ebu;
    return place ^ (place >> 31);
}

/* A block counts as the mark of its end less that of its beginning. If blocks cover a window once,
 * in any order, the marks between them cancel out. Their sum then equals that of one write of the
 * same bytes, so the result is 0. Any other set of blocks gives another sum, but for a chance of
 * 2^-64. */
uint64_t dal_window_astray(size_t from, size_t done, size_t held)
{
    return mark(from + held) - mark(from) - (mark(done + held) - mark(done));
}

int DAL_getIndex(int dim, DALProcess *p)
{
    const struct dal_process_desc *desc = process_of(p)->desc;
    return dim >= 0 && dim < desc->index_count ? desc->index[dim] : -1;
}

void *createPort(void *port, const void *base, int dims, ...)
{
    char *at = port, *end = at + DAL_PORT_NAME_BYTES, digits[DAL_PORT_DIGITS];
    va_list pairs;
    if ((uintptr_t)base < DAL_PORT_NUMBERS)
        base = dal_port_digits(base, digits);
    at += snprintf(at, DAL_PORT_NAME_BYTES, "%s", (const char *)base);
    va_start(pairs, dims);
    for (int i = 0; i < dims && at < end; i++) {
        at += snprintf(at, (size_t)(end - at), "_%d", va_arg(pairs, int));
        (void)va_arg(pairs, int); /* the range */
    }
    va_end(pairs);
    return port;
}

void DAL_setLength(uint64_t firings, DALProcess *p)
{
    atomic_store_explicit(&process_of(p)->length, firings, memory_order_relaxed);
}

void DAL_setClock(double tokens_per_s, DALProcess *p)
{
    struct dal_process *process = process_of(p);
    if (process->host.copy_count == 1)
        dal_drift_begin(&process->time.drift, tokens_per_s);
}

static const struct dal_parameter *parameter_of(const char *name, DALProcess *p)
{
    struct dal_process *process = process_of(p);
    int i = dal_process_parameter(process->desc, name);
    return i < 0 ? NULL : &process->parameters[i];
}

const char *DAL_getParameter(const char *name, DALProcess *p)
{
    const struct dal_parameter *parameter = parameter_of(name, p);
    return parameter ? dal_parameter_text(parameter) : NULL;
}

const char *dal_python_parameter(int number, DALProcess *p)
{
    const struct dal_process_desc *desc = process_of(p)->desc;
    return number < desc->parameter_count ? desc->parameters[number].name : NULL;
}

char dal_python_number(int number, unsigned long *integer, double *real, DALProcess *p)
{
    const struct dal_process *process = process_of(p);
    const struct dal_parameter *parameter = &process->parameters[number];
    const struct dal_parameter_desc *desc = &process->desc->parameters[number];
    *integer = (unsigned long)parameter->integer;
    *real = parameter->real;
    if (desc->typed && dal_value_traits(desc->type)->is_real)
        return 'g';
    if (parameter->is_integer)
        return 'd';
    if (!desc->typed)
        return parameter->is_real ? 'g' : 's';
    *integer = strtoul(dal_parameter_text(parameter), NULL, 0); /* beyond a long */
    return 'u';
}

void dal_python_alone(void (*function)(void *data), void *data)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    function(data);
    pthread_mutex_unlock(&lock);
}

/* Returns a parameter; NULL after a warning. */
static const struct dal_parameter *find_parameter(const char *name, DALProcess *p)
{
    const struct dal_parameter *parameter = parameter_of(name, p);
    const struct dal_process_desc *desc = process_of(p)->desc;
    if (!parameter && dal_control_may_tell(process_of(p)->control))
        dal_log(DAL_LOG_WARNING, "process %s has no parameter %s (%s:%d)", desc->name, name,
                desc->origin.file, desc->origin.line);
    return parameter;
}

static int refuse_parameter(const char *name, const struct dal_parameter *parameter,
                            const char *kind, DALProcess *p)
{
    dal_log(DAL_LOG_ERROR, "process %s: parameter %s is \"%s\", not %s", process_of(p)->desc->name,
            name, dal_parameter_text(parameter), kind);
    fail_firing(p);
    return -1;
}

int DAL_getParameterInt(const char *name, long *value, DALProcess *p)
{
    const struct dal_parameter *parameter = find_parameter(name, p);
    if (!parameter)
        return -1;
    if (!parameter->is_integer)
        return refuse_parameter(name, parameter, "an integer", p);
    *value = parameter->integer;
    return 0;
}

int DAL_getParameterDouble(const char *name, double *value, DALProcess *p)
{
    const struct dal_parameter *parameter = find_parameter(name, p);
    if (!parameter)
        return -1;
    if (!parameter->is_real)
        return refuse_parameter(name, parameter, "a number", p);
    *value = parameter->real;
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
    fail_firing(p);
}

int DAL_has_failed(DALProcess *p)
{
    return atomic_load_explicit(&process_of(p)->control->error, memory_order_acquire) != DAL_OK;
}

int DAL_is_stopping(DALProcess *p)
{
    return dal_control_stopping(process_of(p)->control) || DAL_has_failed(p);
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
    fail_firing(p);
    return -1;
}
