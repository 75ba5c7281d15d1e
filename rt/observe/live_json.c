#include "rt/observe/live.h"

#include "channels/port.h"
#include "include/kinds.h"
#include "rt/base/json.h"
#include "rt/observe/counters.h"
#include "rt/watch/watchdog.h"

#include <inttypes.h>
#include <stdarg.h>

/* Adds a fact to those that a click shows: [["name","value"],...]. */
static void add_fact(FILE *file, int *count, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void add_fact(FILE *file, int *count, const char *name, const char *format, ...)
{
    char value[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof(value), format, arguments);
    va_end(arguments);
    fprintf(file, "%s[\"%s\", ", (*count)++ ? ", " : "", name);
    dal_json_print(file, value);
    putc(']', file);
}

/* ---- processes ------------------------------------------------------------------------------- */

static const char *kind_name(const struct dal_process *process)
{
    if (process->ops->is_proxy)
        return "stands for processes of another node";
    if (process->ops->on_device)
        return "kernel on a device";
    return process->ops->has_thread ? "KPN process: it blocks where it reads" : "process";
}

static void write_place(const struct dal_net *net, const struct dal_process_desc *desc, FILE *file)
{
    putc('"', file);
    for (int i = 0; i < desc->processor_count; i++) {
        if (i)
            putc(',', file);
        dal_json_print_text(file, net->processors[desc->processors[i]].name);
    }
    putc('"', file);
}

static void write_rate(FILE *file, int dynamic, uint64_t rate)
{
    if (dynamic)
        fputs("\"dynamic\"", file);
    else
        fprintf(file, "\"%" PRIu64 "\"", rate);
}

static void write_ports(const struct dal_process *process, FILE *file)
{
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_port_desc *port = &process->desc->ports[i];
        fputs(i ? ", {\"name\": " : "{\"name\": ", file);
        dal_json_print(file, port->name);
        fprintf(file, ", \"output\": %s, \"rate\": ", port->output ? "true" : "false");
        write_rate(file, process->ops->has_thread, port->rate);
        putc('}', file);
    }
}

/* Writes the live parameters. */
static void write_live(const struct dal_process *process, FILE *file)
{
    const char *comma = "";
    for (int i = 0; i < process->desc->parameter_count; i++) {
        if (!process->desc->parameters[i].live)
            continue;
        fprintf(file, "%s{\"name\": ", comma);
        dal_json_print(file, process->desc->parameters[i].name);
        fputs(", \"value\": ", file);
        dal_json_print(file, process->parameters[i]);
        putc('}', file);
        comma = ", ";
    }
}

static void write_process(const struct dal_network *network, const struct dal_process *process,
                          FILE *file)
{
    const struct dal_process_desc *desc = process->desc;
    int facts = 0;
    fputs("{\"name\": ", file);
    dal_json_print(file, desc->name);
    fputs(", \"place\": ", file);
    write_place(network->net, desc, file);
    fprintf(file, ", \"device\": %s, \"blocked\": false, \"copies\": %d, \"ports\": [",
            process->ops->on_device ? "true" : "false",
            process->ops->on_device ? desc->processor_count : process->host.copy_count);
    write_ports(process, file);
    fputs("], \"parameters\": [", file);
    write_live(process, file);
    fputs("], \"facts\": [", file);
    add_fact(file, &facts, "kind", "%s", kind_name(process));
    if (desc->repetitions)
        add_fact(file, &facts, "firings an iteration", "%" PRIu64, desc->repetitions);
    if (desc->shadow_copies > 1)
        add_fact(file, &facts, "shadow copies (S)", "%" PRIu32, desc->shadow_copies);
    for (int i = 0; i < desc->parameter_count; i++)
        add_fact(file, &facts, "parameter", "%s = %s", desc->parameters[i].name,
                 process->parameters[i]);
    if (desc->origin.file)
        add_fact(file, &facts, "written in", "%s:%d", desc->origin.file, desc->origin.line);
    fputs("]}", file);
}

/* ---- channels -------------------------------------------------------------------------------- */

/* Returns the number of a channel's port in its process. */
static int port_of(const struct dal_network *network, const struct dal_channel *channel, int output)
{
    const struct dal_channel_desc *desc = channel->desc;
    const struct dal_process *process =
        &network->processes[output ? desc->producer : desc->consumer];
    int i = 0;
    while (i < process->desc->port_count &&
           (output ? process->ends[i]->port != channel->port || !process->ends[i]->output
                   : process->ends[i] != &channel->consumer))
        i++;
    return i;
}

static void write_channel(const struct dal_network *network, const struct dal_channel *channel,
                          FILE *file)
{
    const struct dal_channel_desc *desc = channel->desc;
    const struct dal_process *from = &network->processes[desc->producer];
    const struct dal_process *to = &network->processes[desc->consumer];
    const char *kind = dal_channel_traits(channel->kind)->name;
    int out = port_of(network, channel, 1), in = port_of(network, channel, 0), facts = 0;
    fputs("{\"name\": ", file);
    dal_json_print(file, desc->name);
    fprintf(file,
            ", \"from\": [%d, %d], \"to\": [%d, %d], \"initial\": \"%" PRIu64
            "\", \"capacity\": \"%" PRIu64 "\", \"kind\": \"%s\", \"witness\": false, \"facts\": [",
            desc->producer, out, desc->consumer, in, desc->initial_tokens,
            dal_channel_capacity(channel), kind);
    add_fact(file, &facts, "from", "%s.%s", from->desc->name, from->desc->ports[out].name);
    add_fact(file, &facts, "to", "%s.%s", to->desc->name, to->desc->ports[in].name);
    add_fact(file, &facts, "rates", "%" PRIu64 " → %" PRIu64, desc->rate_in, desc->rate_out);
    add_fact(file, &facts, "token", "%" PRIu64 " bytes", desc->token_bytes);
    if (desc->initial_tokens)
        add_fact(file, &facts, "initial tokens", "%" PRIu64, desc->initial_tokens);
    add_fact(file, &facts, "placed", "%s", kind);
    if (desc->origin.file)
        add_fact(file, &facts, "written in", "%s:%d", desc->origin.file, desc->origin.line);
    fputs("]}", file);
}

/* ---- all ------------------------------------------------------------------------------------- */

#define QUOTED(name, unit, meaning) "\"" #name "\", "

void dal__live_picture(const struct dal_network *network, FILE *file)
{
    const struct dal_net *net = network->net;
    fputs("{\"network\": ", file);
    dal_json_print(file, net->name);
    fputs(
        ", \"file\": \"\", \"verdict\": \"runs\", \"analysis\": {}, \"runs\": [], \"messages\": []",
        file);
    fputs(", \"live\": {\"process\": [" DAL_PROCESS_COUNTERS(
              QUOTED) "\"at_work\"], "
                      "\"channel\": [" DAL_CHANNEL_COUNTERS(
                          QUOTED) "\"capacity\"]}, \"processes\": [",
          file);
    for (int i = 0; i < net->process_count; i++) {
        fputs(i ? ",\n" : "\n", file);
        write_process(network, &network->processes[i], file);
    }
    fputs("], \"channels\": [", file);
    for (int i = 0; i < net->channel_count; i++) {
        fputs(i ? ",\n" : "\n", file);
        write_channel(network, network->channels[i], file);
    }
    fputs("]}\n", file);
}

static void write_process_counts(const struct dal_process *process, FILE *file)
{
    putc('[', file);
    for (int i = 0; i < DAL_COUNTERS_OF_PROCESS; i++)
        fprintf(file, "%" PRIu64 ", ", dal_process_count(process, i));
    fprintf(file, "%d]", dal_watchdog_runs(process));
}

static void write_channel_counts(const struct dal_channel *channel, FILE *file)
{
    putc('[', file);
    for (int i = 0; i < DAL_COUNTERS_OF_CHANNEL; i++)
        fprintf(file, "%" PRIu64 ", ", dal_channel_count(channel, i));
    fprintf(file, "%" PRIu64 "]", dal_channel_capacity(channel));
}

void dal__live_counts(const struct dal_network *network, FILE *file)
{
    fputs("\"processes\": [", file);
    for (int i = 0; i < network->net->process_count; i++) {
        fputs(i ? ", " : "", file);
        write_process_counts(&network->processes[i], file);
    }
    fputs("], \"channels\": [", file);
    for (int i = 0; i < network->net->channel_count; i++) {
        fputs(i ? ", " : "", file);
        write_channel_counts(network->channels[i], file);
    }
    putc(']', file);
}
