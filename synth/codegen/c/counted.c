#include "synth/codegen/c/counted.h"

#include "include/counted.h"
#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

int dal__count_port(const struct dal_spec_process *process, const char *name)
{
    static const char end[] = "_count";
    size_t length = strlen(name);
    if (dal_spec_find_port(process, name) >= 0 || dal_spec_find_parameter(process, name) >= 0 ||
        length < sizeof(end) || strcmp(name + length - strlen(end), end) != 0)
        return -1;
    length -= strlen(end);
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        if (dal__is_counted(port) && strlen(port->name) == length &&
            strncmp(port->name, name, length) == 0)
            return (int)i;
    }
    return -1;
}

void dal__add_count(struct dal_text *text, const struct dal_spec_port *port, const char *packet)
{
    uint64_t most = port->channel->counted.most;
    if (port->output)
        dal_text_printf(text, "((__global uint *)%s)", packet);
    else
        dal_text_printf(text,
                        "(*(__global const uint *)%s > %" PRIu64 "u ? %" PRIu64
                        "u : *(__global const uint *)%s)",
                        packet, most, most, packet);
}

void dal__add_unset(struct dal_text *text, const char *packet)
{
    dal_text_printf(text, "((__global uint *)(%s))[%d] = %#xu;", packet, DAL_PACKET_COUNT,
                    DAL_PACKET_UNSET);
}

static void add_packet(struct dal_text *text, const struct dal_spec_process *process, size_t port,
                       const char *prefix, int by_name)
{
    if (by_name)
        dal_text_printf(text, "%s%s", prefix, process->ports[port].name);
    else
        dal_text_printf(text, "%s%zu", prefix, port);
}

/* Adds the test of an input: is its own count wrong, or has a wrong one come from further away? */
static void add_input(struct dal_text *text, const struct dal_spec_process *process, size_t port,
                      const char *prefix, int by_name)
{
    uint64_t most = process->ports[port].channel->counted.most;
    int tells = port + 1 < (1u << DAL_PACKET_STEP);
    dal_text_add(text, " dal__h = (__global const uint *)");
    add_packet(text, process, port, prefix, by_name);
    dal_text_printf(text,
                    "; if (dal__h[%d] > %" PRIu64 "u) { dal__wrong = dal__h[%d]; dal__way = %zuu; "
                    "} else if (dal__h[%d]) { dal__wrong = dal__h[%d]; dal__way = ",
                    DAL_PACKET_COUNT, most, DAL_PACKET_COUNT, tells ? port + 1 : 0,
                    DAL_PACKET_WRONG, DAL_PACKET_WRONG);
    if (tells)
        dal_text_printf(text,
                        "dal__h[%d] == 0 || dal__h[%d] >> %d ? 0 : dal__h[%d] << %d | %zuu; }",
                        DAL_PACKET_WAY, DAL_PACKET_WAY, 32 - DAL_PACKET_STEP, DAL_PACKET_WAY,
                        DAL_PACKET_STEP, port + 1);
    else
        dal_text_add(text, "0; }");
}

/* The statement has names of its own, and stands before anything that may return. */
void dal__add_wrong_counts(struct dal_text *text, const struct dal_spec_process *process,
                           const char *prefix, int by_name)
{
    if (!dal_spec_has_counted(process, 1))
        return;
    dal_text_add(text, " if (" DAL__IS_FIRST_ITEM ") { "
                       "uint dal__wrong = 0, dal__way = 0;");
    if (dal_spec_has_counted(process, 0))
        dal_text_add(text, " __global const uint *dal__h;");
    for (size_t i = 0; i < process->port_count; i++)
        if (dal__is_counted(&process->ports[i]) && !process->ports[i].output)
            add_input(text, process, i, prefix, by_name);
    for (size_t i = 0; i < process->port_count; i++) {
        if (!dal__is_counted(&process->ports[i]) || !process->ports[i].output)
            continue;
        dal_text_add(text, " ((__global uint *)");
        add_packet(text, process, i, prefix, by_name);
        dal_text_printf(text, ")[%d] = dal__wrong; ((__global uint *)", DAL_PACKET_WRONG);
        add_packet(text, process, i, prefix, by_name);
        dal_text_printf(text, ")[%d] = dal__way;", DAL_PACKET_WAY);
    }
    dal_text_add(text, " }");
}

/* ---- who sees a wrong count ------------------------------------------------------------------ */

/* Does a core read its packets, or a kernel whose own packets are `seen`? */
static int sees_port(const struct dal_plan *plan, const struct dal_spec_port *port,
                     const unsigned char *seen)
{
    const struct dal_spec_channel *c;
    for (c = port->channel; c; c = dal_port_next(port, c)) {
        const struct dal_plan_process *reader = dal_plan_consumer(plan, c);
        if (!dal_plan_on_device(reader))
            return 1;
        for (size_t i = 0; i < reader->process->port_count; i++) {
            const struct dal_spec_port *next = &reader->process->ports[i];
            if (next->output && dal__is_counted(next) && seen[next->channel->number])
                return 1;
        }
    }
    return 0;
}

/* Finds the ports whose counts a core sees, from cores back: seen[first channel of a port]. */
static void find_seen(const struct dal_plan *plan, unsigned char *seen)
{
    int moves;
    do {
        moves = 0;
        for (size_t i = 0; i < plan->channel_count; i++) {
            const struct dal_spec_channel *c = plan->channels[i].channel;
            if (c->counted.most && c->producer_port->channel == c && !seen[i] &&
                sees_port(plan, c->producer_port, seen))
                moves = seen[i] = 1;
        }
    } while (moves);
}

int dal__check_counts(struct dal_diags *diags, const struct dal_plan *plan)
{
    unsigned char *seen = dal_calloc(plan->channel_count + 1, 1);
    int status = seen ? DAL_OK : DAL_ERR_NOMEM;
    if (seen)
        find_seen(plan, seen);
    for (size_t i = 0; seen && i < plan->channel_count; i++) {
        const struct dal_spec_channel *c = plan->channels[i].channel;
        if (!c->counted.most || c->producer_port->channel != c || seen[i] ||
            !dal_plan_on_device(dal_plan_producer(plan, c)))
            continue;
        dal_error(diags, c->place, "counted",
                  "sw_channel '%s': kernel '%s' may write a count above %" PRIu64
                  ", and nobody would see it: no counted channel leads on from '%s' to a core; "
                  "give an output of that most=\"..\" too, or put it on a core",
                  c->name, c->producer->name, c->counted.most, c->consumer->name);
        status = DAL_ERR_INVALID;
    }
    dal_free(seen);
    return status;
}
