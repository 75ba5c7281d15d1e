/* Writes networks as text. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/dialects/sdf3/sdf3.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Writes the values of all phases, or `constant` of a firing, where there are no phases. */
static void write_phases(const struct dal_spec_phases *phases, uint64_t constant, FILE *out)
{
    fprintf(out, "%" PRIu64, phases->count ? phases->of[0] : constant);
    for (size_t i = 1; i < phases->count; i++)
        fprintf(out, ",%" PRIu64, phases->of[i]);
}

/* Writes the fewest digits that give the same number again. */
static void write_number(double number, FILE *out)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, out);
}

static void write_ports(const struct dal_spec_process *process, FILE *out)
{
    for (size_t i = 0; i < process->port_count; i++)
        fprintf(out, "    <port type=\"%s\" name=\"%s\"/>\n",
                process->ports[i].output ? "output" : "input", process->ports[i].name);
}

static void write_process(const struct dal_spec_process *process, int burn, FILE *out)
{
    fprintf(out, "  <process name=\"%s\"", process->name);
    if (process->execution_time.is_given) {
        fputs(" executiontime=\"", out);
        write_phases(&process->times,
                     process->execution_time.units / (process->phases > 1 ? process->phases : 1),
                     out);
        fputc('"', out);
    }
    if (process->state_bits)
        fprintf(out, " statebits=\"%" PRIu64 "\"", process->state_bits);
    fputs(">\n", out);
    write_ports(process, out);
    if (burn)
        fprintf(out,
                "    <source type=\"c\" location=\"%s.c\" cflags=\"-O2\"/>\n"
                "    <parameter name=\"firings\" value=\"${iterations * %" PRIu64 "}\"/>\n",
                process->name, process->repetitions * (process->phases > 1 ? process->phases : 1));
    fputs("  </process>\n", out);
}

static void write_connections(const struct dal_spec_channel *channel, FILE *out)
{
    fprintf(out,
            "  <connection name=\"%s_in\">\n"
            "    <origin name=\"%s\"><port name=\"%s\"/></origin>\n"
            "    <target name=\"%s\"><port name=\"in\"/></target>\n"
            "  </connection>\n",
            channel->name, channel->producer->name, channel->producer_port->name, channel->name);
    fprintf(out,
            "  <connection name=\"%s_out\">\n"
            "    <origin name=\"%s\"><port name=\"out\"/></origin>\n"
            "    <target name=\"%s\"><port name=\"%s\"/></target>\n"
            "  </connection>\n",
            channel->name, channel->name, channel->consumer->name, channel->consumer_port->name);
}

/* Returns the initial tokens with which a channel of a process to itself lets a whole cycle begin:
 * programs run by cycles. Burnt sources count their firings, so none is concurrent with another
 * anyway. */
static uint64_t tokens_of_cycle(const struct dal_spec_channel *channel)
{
    uint64_t tokens = channel->initial_tokens;
    int is_loop = channel->producer == channel->consumer && channel->consumer->phases > 1;
    return is_loop && tokens < channel->rate_out ? channel->rate_out : tokens;
}

static void write_newest(const struct dal_spec_newest *newest, FILE *out)
{
    if (newest->is_given)
        fputs(" newest=\"true\"", out);
    if (newest->repeat)
        fputs(" repeat=\"true\"", out);
    if (newest->age_ns)
        fprintf(out, " age=\"%" PRIu64 "ns\"", newest->age_ns);
}

static void write_channel(const struct dal_spec_channel *channel, int burn, FILE *out)
{
    uint64_t tokens = burn ? tokens_of_cycle(channel) : channel->initial_tokens;
    uint64_t more = tokens - channel->initial_tokens;
    if (more)
        fprintf(out,
                "  <!-- %" PRIu64 " initial tokens in the graph: a program runs by cycles -->\n",
                channel->initial_tokens);
    fprintf(out, "  <sw_channel type=\"fifo\" name=\"%s\"", channel->name);
    if (channel->capacity && !channel->newest.is_given)
        fprintf(out, " size=\"%" PRIu64 "\"",
                channel->capacity + (more ? more + channel->rate_in : 0));
    fprintf(out, " tokensize=\"%" PRIu64 "\" tokenratein=\"", channel->token_bytes);
    write_phases(&channel->producer_port->phases, channel->rate_in, out);
    fputs("\" tokenrateout=\"", out);
    write_phases(&channel->consumer_port->phases, channel->rate_out, out);
    fputc('"', out);
    if (tokens)
        fprintf(out, " initialtokens=\"%" PRIu64 "\"", tokens);
    if (channel->inplace)
        fputs(" inplace=\"true\"", out);
    write_newest(&channel->newest, out);
    fputs(">\n"
          "    <port type=\"input\" name=\"in\"/>\n"
          "    <port type=\"output\" name=\"out\"/>\n"
          "  </sw_channel>\n",
          out);
    write_connections(channel, out);
}

int dal_network_write(const struct dal_spec_network *network, int burn, FILE *out)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<processnetwork name=\"%s\"",
            network->name);
    if (network->throughput > 0) {
        fputs(" throughput=\"", out);
        write_number(network->throughput, out);
        fputc('"', out);
    }
    fputs(">\n", out);
    if (burn)
        fputs("  <!-- how long it runs, and the length of a time unit -->\n"
              "  <variable name=\"iterations\" value=\"100\"/>\n"
              "  <variable name=\"nanoseconds\" value=\"1000\"/>\n",
              out);
    for (size_t i = 0; i < network->process_count; i++)
        write_process(&network->processes[i], burn, out);
    for (size_t i = 0; i < network->channel_count; i++)
        write_channel(&network->channels[i], burn, out);
    fputs("</processnetwork>\n", out);
    return ferror(out) ? DAL_ERR_IO : DAL_OK;
}

/* SDF3 */

/* The longest name that the reader accepts, and the longest in front of a number. */
enum { MOST_NAME = 90, MOST_STEM = 75 };

/* Names in a graph: each is one that the reader accepts, and there once. A port of a graph has one
 * channel, so an output with several readers becomes several ports. */
struct graph_names {
    char **processes;
    char **channels, **from, **to; /* by channel: it, and its ports at both ends */
    struct dal_names taken;        /* by processes and channels */
    int lost;
};

/* Makes a new name. If it is taken, puts a number behind it, `number` or more. */
static char *new_name(struct graph_names *names, struct dal_names *taken, const char *text,
                      size_t number)
{
    char *name = dal__sdf3_plain(text, strlen(text) < MOST_NAME ? MOST_NAME : MOST_STEM);
    char *stem = dal__sdf3_plain(text, MOST_STEM);
    int status = name && stem ? dal_names_add(taken, name, 0) : DAL_ERR_NOMEM;
    while (status == DAL_ERR_INVALID) {
        dal_free(name);
        name = dal_format("%s_%zu", stem, number++);
        status = name ? dal_names_add(taken, name, 0) : DAL_ERR_NOMEM;
    }
    dal_free(stem);
    names->lost |= status != DAL_OK;
    return name;
}

/* Names the ports of one process. */
static void name_ports(struct graph_names *names, const struct dal_spec_process *process)
{
    struct dal_names taken = {0};
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        char **list = port->output ? names->from : names->to;
        size_t reader = 1;
        for (const struct dal_spec_channel *c = port->channel; c; c = dal_port_next(port, c))
            list[c->number] = new_name(names, &taken, port->name, reader++);
    }
    dal_names_finish(&taken);
}

static void finish_names(struct graph_names *names, const struct dal_spec_network *network)
{
    char **const lists[] = {names->processes, names->channels, names->from, names->to};
    for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
        size_t count = k ? network->channel_count : network->process_count;
        for (size_t i = 0; lists[k] && i < count; i++)
            dal_free(lists[k][i]);
        dal_free(lists[k]);
    }
    dal_names_finish(&names->taken);
}

static int make_names(struct graph_names *names, const struct dal_spec_network *network)
{
    size_t channels = network->channel_count + 1;
    *names = (struct graph_names){
        .processes = dal_calloc(network->process_count + 1, sizeof(char *)),
        .channels = dal_calloc(channels, sizeof(char *)),
        .from = dal_calloc(channels, sizeof(char *)),
        .to = dal_calloc(channels, sizeof(char *)),
    };
    names->lost = !names->processes || !names->channels || !names->from || !names->to;
    for (size_t i = 0; !names->lost && i < network->process_count; i++)
        names->processes[i] =
            new_name(names, &names->taken, network->processes[i].name, names->taken.count);
    for (size_t i = 0; !names->lost && i < network->channel_count; i++)
        names->channels[i] =
            new_name(names, &names->taken, network->channels[i].name, names->taken.count);
    for (size_t i = 0; !names->lost && i < network->process_count; i++)
        name_ports(names, &network->processes[i]);
    return names->lost ? DAL_ERR_NOMEM : DAL_OK;
}

static void write_graph_port(const struct dal_spec_port *port, const char *name, FILE *out)
{
    fprintf(out, "        <port name=\"%s\" type=\"%s\" rate=\"", name,
            port->output ? "out" : "in");
    write_phases(&port->phases, port->rate, out);
    fputs("\"/>\n", out);
}

static void write_actor(const struct graph_names *names, const struct dal_spec_process *process,
                        FILE *out)
{
    char *type = dal__sdf3_plain(process->base, MOST_NAME);
    fprintf(out, "      <actor name=\"%s\" type=\"%s\">\n", names->processes[process->number],
            type ? type : "");
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        for (const struct dal_spec_channel *c = port->channel; c; c = dal_port_next(port, c))
            write_graph_port(port, (port->output ? names->from : names->to)[c->number], out);
    }
    fputs("      </actor>\n", out);
    dal_free(type);
}

static void write_arc(const struct graph_names *names, const struct dal_spec_channel *channel,
                      FILE *out)
{
    fprintf(out,
            "      <channel name=\"%s\" srcActor=\"%s\" srcPort=\"%s\" dstActor=\"%s\" "
            "dstPort=\"%s\"",
            names->channels[channel->number], names->processes[channel->producer->number],
            names->from[channel->number], names->processes[channel->consumer->number],
            names->to[channel->number]);
    if (channel->initial_tokens)
        fprintf(out, " initialTokens=\"%" PRIu64 "\"", channel->initial_tokens);
    fputs("/>\n", out);
}

/* Writes the times of the phases, if the file gives them; else spreads the time of a cycle over
 * them. */
static void write_times(const struct dal_spec_process *process, uint64_t time, FILE *out)
{
    uint64_t phases = process->phases > 1 ? process->phases : 1, each = time / phases,
             spare = time % phases;
    if (process->times.count && process->execution_time.units == time &&
        !process->execution_time.is_measured) {
        write_phases(&process->times, 0, out);
        return;
    }
    for (uint64_t i = 0; i < (spare ? phases : 1); i++)
        fprintf(out, "%s%" PRIu64, i ? "," : "", each + (i < spare));
}

static void write_actor_time(const struct graph_names *names,
                             const struct dal_spec_process *process, uint64_t time, FILE *out)
{
    fprintf(out,
            "      <actorProperties actor=\"%s\">\n"
            "        <processor type=\"p\" default=\"true\">\n"
            "          <executionTime time=\"",
            names->processes[process->number]);
    write_times(process, time, out);
    fputs("\"/>\n", out);
    if (process->state_bits)
        fprintf(out, "          <memory><stateSize max=\"%" PRIu64 "\"/></memory>\n",
                process->state_bits);
    fputs("        </processor>\n"
          "      </actorProperties>\n",
          out);
}

static void write_properties(const struct graph_names *names,
                             const struct dal_spec_network *network, const uint64_t *times,
                             FILE *out)
{
    for (size_t i = 0; i < network->process_count; i++)
        write_actor_time(names, &network->processes[i], times[i], out);
    if (network->throughput > 0) {
        fputs("      <graphProperties><timeConstraints><throughput>", out);
        write_number(network->throughput, out);
        fputs("</throughput></timeConstraints></graphProperties>\n", out);
    }
    for (size_t i = 0; i < network->channel_count; i++) {
        const struct dal_spec_channel *channel = &network->channels[i];
        fprintf(out, "      <channelProperties channel=\"%s\">\n", names->channels[i]);
        if (channel->capacity && !channel->inplace)
            fprintf(out, "        <bufferSize sz=\"%" PRIu64 "\"/>\n", channel->capacity);
        fprintf(out,
                "        <tokenSize sz=\"%" PRIu64 "\"/>\n"
                "      </channelProperties>\n",
                8 * channel->token_bytes);
    }
}

static const char *graph_type(const struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->process_count; i++)
        if (network->processes[i].phases > 1)
            return "csdf";
    return "sdf";
}

static void write_graph(const struct graph_names *names, const char *name,
                        const struct dal_spec_network *network, const uint64_t *times, FILE *out)
{
    const char *type = graph_type(network);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<sdf3 type=\"%s\" version=\"1.0\">\n"
            "  <applicationGraph name=\"%s\">\n"
            "    <%s name=\"%s\" type=\"%s\">\n",
            type, name, type, name, name);
    for (size_t i = 0; i < network->process_count; i++)
        write_actor(names, &network->processes[i], out);
    for (size_t i = 0; i < network->channel_count; i++)
        write_arc(names, &network->channels[i], out);
    fprintf(out, "    </%s>\n    <%sProperties>\n", type, type);
    write_properties(names, network, times, out);
    fprintf(out, "    </%sProperties>\n  </applicationGraph>\n</sdf3>\n", type);
}

int dal_sdf3_write(const struct dal_spec_network *network, const uint64_t *times, FILE *out)
{
    struct graph_names names;
    char *name = dal__sdf3_plain(network->name, MOST_NAME);
    int status = make_names(&names, network);
    if (!name)
        status = DAL_ERR_NOMEM;
    if (!status)
        write_graph(&names, name, network, times, out);
    finish_names(&names, network);
    dal_free(name);
    return status ? status : ferror(out) ? DAL_ERR_IO : DAL_OK;
}
