/* Networks as text. */
#include "rt/base/error.h"
#include "spec/sdf3.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of all firings of a cycle, or of the one that `rate` is of. */
static void write_phases(const struct dal_spec_phases *phases, uint64_t constant, FILE *out)
{
    fprintf(out, "%" PRIu64, phases->count ? phases->of[0] : constant);
    for (size_t i = 1; i < phases->count; i++)
        fprintf(out, ",%" PRIu64, phases->of[i]);
}

/* In as few digits as give the same number again. */
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

/* What a channel of a process to itself has for a whole cycle to begin: programs run by cycles.
 * Burnt sources count their firings, so none is concurrent with another anyway. */
static uint64_t tokens_of_cycle(const struct dal_spec_channel *channel)
{
    uint64_t tokens = channel->initial_tokens;
    int is_loop = channel->producer == channel->consumer && channel->consumer->phases > 1;
    return is_loop && tokens < channel->rate_out ? channel->rate_out : tokens;
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
    if (channel->capacity)
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

static void write_actor(const struct dal_spec_process *process, FILE *out)
{
    fprintf(out, "      <actor name=\"%s\" type=\"%s\">\n", process->name, process->base);
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        fprintf(out, "        <port name=\"%s\" type=\"%s\" rate=\"", port->name,
                port->output ? "out" : "in");
        write_phases(&port->phases, port->rate, out);
        fputs("\"/>\n", out);
    }
    fputs("      </actor>\n", out);
}

static void write_arc(const struct dal_spec_channel *channel, FILE *out)
{
    fprintf(out,
            "      <channel name=\"%s\" srcActor=\"%s\" srcPort=\"%s\" dstActor=\"%s\" "
            "dstPort=\"%s\"",
            channel->name, channel->producer->name, channel->producer_port->name,
            channel->consumer->name, channel->consumer_port->name);
    if (channel->initial_tokens)
        fprintf(out, " initialTokens=\"%" PRIu64 "\"", channel->initial_tokens);
    fputs("/>\n", out);
}

/* Those of the phases, if the file has said them; else the time of a cycle is spread over them. */
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

static void write_actor_time(const struct dal_spec_process *process, uint64_t time, FILE *out)
{
    fprintf(out,
            "      <actorProperties actor=\"%s\">\n"
            "        <processor type=\"p\" default=\"true\">\n"
            "          <executionTime time=\"",
            process->name);
    write_times(process, time, out);
    fputs("\"/>\n", out);
    if (process->state_bits)
        fprintf(out, "          <memory><stateSize max=\"%" PRIu64 "\"/></memory>\n",
                process->state_bits);
    fputs("        </processor>\n"
          "      </actorProperties>\n",
          out);
}

static void write_properties(const struct dal_spec_network *network, const uint64_t *times,
                             FILE *out)
{
    for (size_t i = 0; i < network->process_count; i++)
        write_actor_time(&network->processes[i], times[i], out);
    if (network->throughput > 0) {
        fputs("      <graphProperties><timeConstraints><throughput>", out);
        write_number(network->throughput, out);
        fputs("</throughput></timeConstraints></graphProperties>\n", out);
    }
    for (size_t i = 0; i < network->channel_count; i++) {
        const struct dal_spec_channel *channel = &network->channels[i];
        fprintf(out, "      <channelProperties channel=\"%s\">\n", channel->name);
        if (channel->capacity)
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

int dal_sdf3_write(const struct dal_spec_network *network, const uint64_t *times, FILE *out)
{
    const char *type = graph_type(network);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<sdf3 type=\"%s\" version=\"1.0\">\n"
            "  <applicationGraph name=\"%s\">\n"
            "    <%s name=\"%s\" type=\"%s\">\n",
            type, network->name, type, network->name, network->name);
    for (size_t i = 0; i < network->process_count; i++)
        write_actor(&network->processes[i], out);
    for (size_t i = 0; i < network->channel_count; i++)
        write_arc(&network->channels[i], out);
    fprintf(out, "    </%s>\n    <%sProperties>\n", type, type);
    write_properties(network, times, out);
    fprintf(out, "    </%sProperties>\n  </applicationGraph>\n</sdf3>\n", type);
    return ferror(out) ? DAL_ERR_IO : DAL_OK;
}
