/* Reads of a KPN process that end with what is there, or with a line. */
#include "rt/base/number.h"
#include "rt/host/firing.h"
#include "rt/kpn/kpn.h"

#include <string.h>

static size_t left_in(const struct dal_window *window)
{
    return window->bytes - window->done;
}

/* Waits for a byte. Returns 0 if there will be none. */
static int wait_for_byte(struct dal_kpn_port *port)
{
    if (left_in(port->window) || dal__kpn_advance(port))
        return 1;
    if (dal_control_broken(port->process->control))
        dal__kpn_leave(port->process);
    return 0;
}

/* Copies bytes of the window. */
static void take_bytes(struct dal_window *window, void *to, size_t bytes)
{
    memcpy(to, window->firing + window->done, bytes);
    window->done += bytes;
}

/* Ends a process that has no room for what it asks for. */
static void refuse_room(struct dal_process *process, const char *call, int len, const char *port,
                        const char *what, size_t least)
{
    dal_process_refuse(process, "%s asks for %d bytes of port %s, and %s %zu", call, len, port,
                       what, least);
    dal__kpn_leave(process);
}

int dal_window_read_some(const char *name, void *buf, int len, struct dal_process *process)
{
    struct dal_kpn_port *port = &process->host.kpn->ports[dal_port_index(name, 0, process)];
    size_t most = (size_t)len, token = port->counted ? port->counted->token_bytes
                                                     : port->end->channel->desc->token_bytes;
    if (dal__kpn_is_left(process))
        return -1;
    dal__kpn_refuse_open(port);
    if (len < 0 || most < token)
        refuse_room(process, "DAL_read_some", len, name, "a token has", token);
    if (!wait_for_byte(port))
        return 0;
    if (left_in(port->window) < most && !port->counted)
        dal__kpn_look(port);
    most = dal_least(most, left_in(port->window));
    if (most >= token)
        most -= most % token;
    take_bytes(port->window, buf, most);
    return (int)most;
}

int dal_window_read_line(const char *name, char *line, int len, struct dal_process *process)
{
    struct dal_kpn_port *port = &process->host.kpn->ports[dal_port_index(name, 0, process)];
    size_t room = (size_t)len - 1, used = 0, bytes;
    const char *end = NULL, *from;
    if (dal__kpn_is_left(process))
        return -1;
    dal__kpn_refuse_open(port);
    if (len < 2)
        refuse_room(process, "DAL_read_line", len, name, "a line needs at least", 2);
    while (!end && used < room && wait_for_byte(port)) {
        from = (const char *)port->window->firing + port->window->done;
        bytes = dal_least(room - used, left_in(port->window));
        end = memchr(from, '\n', bytes);
        bytes = end ? (size_t)(end - from) + 1 : bytes;
        take_bytes(port->window, line + used, bytes);
        used += bytes;
    }
    line[used] = '\0';
    return (int)used;
}
