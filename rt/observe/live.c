/*
 * DAL_VIEW=[ADDRESS:]PORT serves a page of the running network, with its numbers. The server is
 * libdal-live (rt/live/server.h), which lies beside libdal and is loaded here.
 *
 * The server's thread reads the counters of counters.h while their owners count. Nothing of a run
 * waits for it, apart from a moment at the end.
 */
#define _GNU_SOURCE
#include "channels/port.h"
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/memory_stream.h"
#include "rt/base/plugin.h"
#include "rt/base/setting.h"
#include "rt/live/server.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/counters.h"
#include "rt/observe/log_tail.h"
#include "rt/observe/observers.h"
#include "rt/observe/timing.h"
#include "rt/steer/steer.h"
#include "rt/watch/watchdog.h"

#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

struct dal_live_view {
    const struct dal_network *network;
    const struct dal_live_server *server;
    struct dal_live *running;
    struct dal_live_source source;
    struct dal_live_options options;
    char host[64], port[24];
    char *picture;
};

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

static void write_ports(const struct dal_process *process, FILE *file)
{
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_port_desc *port = &process->desc->ports[i];
        dal_json_format(file, "%-s{\"name\": %s, \"output\": %-s, \"rate\": ", i ? ", " : "",
                        port->name, port->output ? "true" : "false");
        dal_json_format(file, process->ops->has_thread ? "\"dynamic\"}" : "\"%" PRIu64 "\"}",
                        port->rate);
    }
}

/* Writes the live parameters. */
static void write_live(const struct dal_process *process, FILE *file)
{
    const char *comma = "";
    for (int i = 0; i < process->desc->parameter_count; i++) {
        const struct dal_parameter_desc *desc = &process->desc->parameters[i];
        if (!desc->live)
            continue;
        dal_json_format(file, "%-s{\"name\": %s, \"value\": %s, \"type\": %s", comma, desc->name,
                        dal_parameter_text(&process->parameters[i]),
                        desc->typed ? dal_value_traits(desc->type)->name : "");
        if (desc->min)
            dal_json_format(file, ", \"min\": %s", desc->min);
        if (desc->max)
            dal_json_format(file, ", \"max\": %s", desc->max);
        putc('}', file);
        comma = ", ";
    }
}

/* Writes the values that live parameters have now, in the order of the picture. */
static void write_values(const struct dal_network *network, FILE *file)
{
    const char *comma = "";
    for (int i = 0; i < network->net->process_count; i++)
        for (int k = 0; k < network->processes[i].desc->parameter_count; k++)
            if (network->processes[i].desc->parameters[k].live) {
                dal_json_format(file, "%-s%s", comma,
                                dal_parameter_text(&network->processes[i].parameters[k]));
                comma = ", ";
            }
}

static void add_origin(struct dal_json_pairs *facts, struct dal_origin origin)
{
    if (origin.file)
        dal_json_pair(facts, "written in", "%s:%d", origin.file, origin.line);
}

static void write_process(const struct dal_network *network, const struct dal_process *process,
                          FILE *file)
{
    const struct dal_process_desc *desc = process->desc;
    struct dal_json_pairs facts = {.out = file};
    dal_json_format(file, "{\"name\": %s, \"place\": ", desc->name);
    write_place(network->net, desc, file);
    fprintf(file, ", \"device\": %s, \"blocked\": false, \"copies\": %d, \"ports\": [",
            process->ops->on_device ? "true" : "false",
            process->ops->on_device ? desc->processor_count : process->host.copy_count);
    write_ports(process, file);
    fputs("], \"parameters\": [", file);
    write_live(process, file);
    putc(']', file);
    if (dal_process_is_port(desc))
        dal_json_format(file, ", \"border\": %s, \"tokens\": %s",
                        desc->ports->output ? "input" : "output",
                        desc->open->count == 1 ? desc->open->type : "");
    fputs(", \"facts\": [", file);
    dal_json_pair(&facts, "kind", "%s", kind_name(process));
    if (desc->repetitions)
        dal_json_pair(&facts, "firings an iteration", "%" PRIu64, desc->repetitions);
    if (desc->shadow_copies > 1)
        dal_json_pair(&facts, "shadow copies (S)", "%" PRIu32, desc->shadow_copies);
    for (int i = 0; i < desc->parameter_count; i++)
        dal_json_pair(&facts, "parameter", "%s = %s", desc->parameters[i].name,
                      dal_parameter_text(&process->parameters[i]));
    add_origin(&facts, desc->origin);
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
    const char *kind = dal_channel_traits(dal_channel_reported_kind(channel))->name;
    int out = port_of(network, channel, 1), in = port_of(network, channel, 0);
    struct dal_json_pairs facts = {.out = file};
    dal_json_format(file,
                    "{\"name\": %s, \"from\": [%d, %d], \"to\": [%d, %d], \"initial\": \"%" PRIu64
                    "\", \"capacity\": \"%" PRIu64
                    "\", \"kind\": %s, \"witness\": false, \"facts\": [",
                    desc->name, desc->producer, out, desc->consumer, in, desc->initial_tokens,
                    dal_channel_capacity(channel), kind);
    dal_json_pair(&facts, "from", "%s.%s", from->desc->name, from->desc->ports[out].name);
    dal_json_pair(&facts, "to", "%s.%s", to->desc->name, to->desc->ports[in].name);
    dal_json_pair(&facts, "rates", "%" PRIu64 " → %" PRIu64, desc->rate_in, desc->rate_out);
    dal_json_pair(&facts, "token", "%" PRIu64 " bytes", desc->token_bytes);
    if (desc->initial_tokens)
        dal_json_pair(&facts, "initial tokens", "%" PRIu64, desc->initial_tokens);
    dal_json_pair(&facts, "placed", "%s", kind);
    add_origin(&facts, desc->origin);
    fputs("]}", file);
}

/* ---- latencies ------------------------------------------------------------------------------- */

/* Writes what is promised. */
static void write_latency(const struct dal_latency *latency, FILE *file)
{
    fprintf(file, "{\"from\": %d, \"to\": %d, \"allowed_ns\": %" PRId64 ", \"percentile\": %.6g}",
            latency->desc->from, latency->desc->to, latency->desc->max_ns,
            dal__timing_percentile(latency));
}

#define LISTED(name, unit, meaning) ", \"" #name "\""
#define COUNTED(name, unit, meaning)                                                               \
    fprintf(file, "%s%" PRIu64, comma, counts.name);                                               \
    comma = ", ";

static void write_latency_counts(const struct dal_latency *latency, FILE *file)
{
    struct dal_latency_counts counts = dal_latency_count(latency);
    const char *comma = "";
    putc('[', file);
    DAL_LATENCY_COUNTERS(COUNTED)
    putc(']', file);
}

/* Writes the latencies that are measured here, each by a function. */
static void write_latencies(const struct dal_network *network, FILE *file,
                            void (*write)(const struct dal_latency *latency, FILE *file))
{
    const struct dal_latency *latencies = dal__timing_latencies(network);
    fputs(", \"latencies\": [", file);
    for (int i = 0; latencies && i < network->net->latency_count; i++) {
        fputs(i ? ", " : "", file);
        write(&latencies[i], file);
    }
    putc(']', file);
}

/* ---- all ------------------------------------------------------------------------------------- */

#define QUOTED(name, unit, meaning) "\"" #name "\", "

static void write_network(const struct dal_network *network, FILE *file)
{
    static const char latency_counters[] = DAL_LATENCY_COUNTERS(LISTED);
    const struct dal_net *net = network->net;
    dal_json_format(file,
                    "{\"network\": %s, \"file\": \"\", \"verdict\": \"runs\", \"analysis\": {}, "
                    "\"runs\": [], \"messages\": []",
                    net->name);
    fputs(", \"live\": {\"process\": [" DAL_PROCESS_COUNTERS(
              QUOTED) "\"at_work\"], "
                      "\"channel\": [" DAL_CHANNEL_COUNTERS(QUOTED) "\"capacity\"], \"latency\": [",
          file);
    fprintf(file, "%s]}, \"processes\": [", latency_counters + strlen(", "));
    for (int i = 0; i < net->process_count; i++) {
        fputs(i ? ",\n" : "\n", file);
        write_process(network, &network->processes[i], file);
    }
    fputs("], \"channels\": [", file);
    for (int i = 0; i < net->channel_count; i++) {
        fputs(i ? ",\n" : "\n", file);
        write_channel(network, network->channels[i], file);
    }
    putc(']', file);
    write_latencies(network, file, write_latency);
    fputs("}\n", file);
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

static void write_counts(const struct dal_network *network, FILE *file)
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
    write_latencies(network, file, write_latency_counts);
}

/* ---- what the server asks -------------------------------------------------------------------- */

static void write_numbers(void *of, FILE *file)
{
    const struct dal_live_view *view = of;
    fprintf(file, "{\"ns\": %" PRId64 ", ", dal_now_ns() - view->network->begin_ns);
    write_counts(view->network, file);
    fputs(", \"parameters\": [", file);
    write_values(view->network, file);
    fputs("], \"messages\": ", file);
    dal__log_tail_print(file);
    putc('}', file);
}

static int set_parameter(void *of, const char *process, const char *parameter, const char *value,
                         char answer[DAL_LIVE_ANSWER_BYTES])
{
    const struct dal_live_view *view = of;
    return dal__steer_set(view->network, process, parameter, value, answer, DAL_LIVE_ANSWER_BYTES);
}

/* ---- start and stop -------------------------------------------------------------------------- */

/* No name is looked up, which could take long. */
static int is_numeric(const char *host)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
    struct addrinfo *found;
    if (!*host || strcmp(host, "localhost") == 0)
        return 1;
    if (getaddrinfo(host, NULL, &hints, &found))
        return 0;
    freeaddrinfo(found);
    return 1;
}

/* Reads "PORT", "ADDRESS:PORT" or "[ADDRESS]:PORT"; on several nodes each has its own port. Returns
 * DAL_OK, or DAL_ERR_INVALID, logged. */
static int read_address(struct dal_live_view *view, const char *text)
{
    const struct dal_nodes *nodes = view->network ? view->network->nodes : NULL;
    const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;
    size_t length = colon ? (size_t)(colon - text) : 0;
    char *rest;
    long port = strtol(digits, &rest, 10);
    int six = length > 1 && text[0] == '[' && text[length - 1] == ']';
    if (port > 0 && nodes)
        port += nodes->link->rank;
    snprintf(view->port, sizeof(view->port), "%ld", port);
    snprintf(view->host, sizeof(view->host), "%.*s", (int)length - 2 * six, text + six);
    if (*digits < '0' || *digits > '9' || *rest || port > 65535 || length >= sizeof(view->host) ||
        !is_numeric(view->host)) {
        dal_log(DAL_LOG_ERROR, "DAL_VIEW=%s: [ADDRESS:]PORT is wanted, as in 127.0.0.1:8080", text);
        return DAL_ERR_INVALID;
    }
    if (!*view->host)
        snprintf(view->host, sizeof(view->host), "127.0.0.1");
    return DAL_OK;
}

/* Reads a number of the environment; without one it is the usual number. */
static int read_limit(const char *name, unsigned usual, unsigned most, unsigned *limit)
{
    const char *text = dal_setting(name);
    char *rest = NULL;
    long number = text && *text ? strtol(text, &rest, 10) : (long)usual;
    *limit = (unsigned)number;
    if ((!rest || !*rest) && number > 0 && number <= (long)most)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s=%s: a number from 1 to %u is wanted", name, text, most);
    return DAL_ERR_INVALID;
}

/* Limits the clients to a quarter of the files that may be open: a run's own files come first. */
static void spare_files(unsigned *clients)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur / 4 < *clients)
        *clients = files.rlim_cur < 4 ? 1 : (unsigned)(files.rlim_cur / 4);
}

static int make_token(char token[DAL_LIVE_TOKEN_BYTES])
{
    unsigned char bytes[DAL_LIVE_TOKEN_BYTES / 2];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        dal_log(DAL_LOG_ERROR, "DAL_VIEW: no random numbers: %s", strerror(errno));
        return DAL_ERR_SYSTEM;
    }
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return DAL_OK;
}

static int find_server(struct dal_live_view *view)
{
    view->server = dal_plugin_find(
        "libdal-live.so.0", "dal_live_http", "DAL_VIEW",
        " (Debian package: libdal-live0), which dal has when libmicrohttpd was there");
    return view->server ? DAL_OK : DAL_ERR_UNSUPPORTED;
}

static int make_picture(struct dal_live_view *view)
{
    struct dal_memory_stream stream;
    dal_memory_open(&stream);
    if (stream.file)
        write_network(view->network, stream.file);
    view->picture = dal_memory_close(&stream);
    return view->picture ? DAL_OK : dal_no_memory();
}

static int read_settings(struct dal_live_view *view)
{
    int status = read_address(view, dal_setting("DAL_VIEW"));
    if (status == DAL_OK)
        status = read_limit("DAL_VIEW_CLIENTS", 256, 10000, &view->options.clients);
    if (status == DAL_OK)
        status = read_limit("DAL_VIEW_PATIENCE", 10, 3600, &view->options.patience_s);
    return status;
}

/* Checks what is set, for the first node: the others have later ports. */
static int check_view(const char *label)
{
    struct dal_live_view view = {0};
    (void)label;
    return read_settings(&view);
}

static int prepare_view(struct dal_live_view *view)
{
    int status = view->network->control.application ? DAL_ERR_UNSUPPORTED : DAL_OK;
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "DAL_VIEW is for programs of one network");
    if (status == DAL_OK)
        status = read_settings(view);
    spare_files(&view->options.clients);
    if (status == DAL_OK)
        status = find_server(view);
    if (status == DAL_OK)
        status = make_token(view->options.token);
    return status == DAL_OK ? make_picture(view) : status;
}

static int serve_view(struct dal_live_view *view)
{
    char why[DAL_LIVE_ANSWER_BYTES];
    int six = strchr(view->host, ':') != NULL;
    unsigned port;
    view->options.host = view->host;
    view->options.port = view->port;
    view->source = (struct dal_live_source){
        .of = view, .picture = view->picture, .write_numbers = write_numbers, .set = set_parameter};
    view->running = view->server->start(&view->source, &view->options, &port, why);
    if (!view->running) {
        dal_log(DAL_LOG_ERROR, "DAL_VIEW: %s", why);
        return DAL_ERR_SYSTEM;
    }
    dal_log(DAL_LOG_NOTE, "the page of this run is http://%s%s%s:%u/?token=%s", six ? "[" : "",
            view->host, six ? "]" : "", port, view->options.token);
    dal__log_tail_keep();
    return DAL_OK;
}

static int start_live(struct dal_network *network, void **state)
{
    struct dal_live_view *view = *state = dal_calloc(1, sizeof(*view));
    int status;
    if (!view)
        return dal_no_memory();
    view->network = network;
    status = prepare_view(view);
    return status < 0 ? status : serve_view(view);
}

static int stop_live(struct dal_network *network, void *state)
{
    struct dal_live_view *view = state;
    (void)network;
    view->server->stop(view->running);
    return DAL_OK;
}

static void destroy_live(void *state)
{
    struct dal_live_view *view = state;
    free(view->picture); /* of the C library's stream */
    dal_free(view);
}

const struct dal_observer dal_observe_live = {.name = "live",
                                              .variable = "DAL_VIEW",
                                              .needs = DAL_NEEDS_TIMES,
                                              .check = check_view,
                                              .start = start_live,
                                              .stop = stop_live,
                                              .destroy = destroy_live};
