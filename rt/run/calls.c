/* dal_run.h: calls of a run that is open. */
#define _GNU_SOURCE
#include "rt/run/run.h"

#include "rt/base/clock.h"
#include "rt/base/json.h"
#include "rt/base/memory_stream.h"
#include "rt/kpn/call.h"
#include "rt/observe/counters.h"
#include "rt/observe/observers.h"
#include "rt/observe/timing.h"
#include "rt/steer/steer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void keep_refusal(struct dal_run *run, const char *text)
{
    pthread_mutex_lock(&run->lock);
    snprintf(run->refusal, sizeof(run->refusal), "%s", text);
    pthread_mutex_unlock(&run->lock);
    if (run->log)
        run->log(run->log_of, dal_log_level_name(DAL_LOG_ERROR), text);
}

/* Tells why a call is refused, and returns the code. The network goes on. */
static int __attribute__((format(printf, 3, 4)))
refuse_call(const struct dal_run *run, int code, const char *format, ...)
{
    char text[sizeof(run->refusal)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    keep_refusal((struct dal_run *)run, text);
    return code;
}

/* ---- ports ----------------------------------------------------------------------------------- */

int dal_run_describe(const struct dal_net *net, int number, struct dal_run_port_info *info)
{
    for (int i = 0; number >= 0 && i < net->process_count; i++) {
        const struct dal_process_desc *desc = &net->processes[i];
        if (!dal_process_is_port(desc) || number-- > 0)
            continue;
        *info = (struct dal_run_port_info){.name = desc->name,
                                           .port = i,
                                           .is_output = !desc->ports[0].output,
                                           .type = desc->open->type,
                                           .kind = desc->open->kind,
                                           .count = desc->open->count,
                                           .token_bytes = desc->open->token_bytes};
        return DAL_OK;
    }
    return DAL_ERR_INVALID;
}

int dal__run_find(const struct dal_net *net, const char *name, size_t length)
{
    for (int i = 0; i < net->process_count; i++)
        if (dal_process_is_port(&net->processes[i]) && strlen(net->processes[i].name) == length &&
            memcmp(net->processes[i].name, name, length) == 0)
            return i;
    return DAL_ERR_INVALID;
}

int dal_run_port(const struct dal_run *run, const char *name)
{
    int port = dal__run_find(run->net, name, strlen(name));
    return port >= 0 ? port
                     : refuse_call(run, port, "network %s has no port %s", run->net->name, name);
}

/* Returns DAL_OK, or an error, told. */
static int check_port(const struct dal_run *run, int port)
{
    if (port >= 0 && port < run->net->process_count &&
        dal_process_is_port(&run->net->processes[port]))
        return DAL_OK;
    return refuse_call(run, DAL_ERR_INVALID, "network %s has no port of number %d", run->net->name,
                       port);
}

/* Returns the process of a port that is called; NULL, told, if it is none. */
static struct dal_process *find_port(struct dal_run *run, int port)
{
    if (check_port(run, port) < 0)
        return NULL;
    if (!run->files.names[port])
        return &run->network->processes[port];
    refuse_call(run, DAL_ERR_INVALID, "port %s has a file: nobody calls it",
                run->net->processes[port].name);
    return NULL;
}

static struct dal_process *find_way(struct dal_run *run, int port, int output)
{
    struct dal_process *process = find_port(run, port);
    if (!process || process->desc->ports[0].output == output)
        return process;
    refuse_call(run, DAL_ERR_INVALID, "port %s is an %s", process->desc->name,
                output ? "output: it is read" : "input: it is written");
    return NULL;
}

/* Returns what a call returns: tokens that moved; without any, the error of a broken network. */
static int64_t result_of(const struct dal_run *run, uint64_t moved)
{
    const struct dal_control *control = &run->network->control;
    int error = atomic_load(&((struct dal_control *)control)->error);
    return moved == 0 && error < 0 ? error : (int64_t)moved;
}

static int64_t move_tokens(struct dal_run *run, struct dal_process *process, void *tokens,
                           size_t count, int64_t wait_ns)
{
    struct dal__visit visit;
    uint64_t moved;
    if (!process)
        return DAL_ERR_INVALID;
    dal__visit_begin(&visit, run);
    moved = dal_call_move(process, tokens, count, dal_until_ns(wait_ns));
    dal__visit_end(&visit);
    return result_of(run, moved);
}

int64_t dal_run_write(struct dal_run *run, int port, const void *tokens, size_t count,
                      int64_t wait_ns)
{
    return move_tokens(run, find_way(run, port, 1), (void *)(uintptr_t)tokens, count, wait_ns);
}

int64_t dal_run_read(struct dal_run *run, int port, void *tokens, size_t count, int64_t wait_ns)
{
    return move_tokens(run, find_way(run, port, 0), tokens, count, wait_ns);
}

int64_t dal_run_window(struct dal_run *run, int port, void **window, int64_t wait_ns)
{
    struct dal_process *process = find_port(run, port);
    struct dal__visit visit;
    uint64_t tokens;
    if (!process)
        return DAL_ERR_INVALID;
    dal__visit_begin(&visit, run);
    tokens = dal_call_begin_window(process, window, dal_until_ns(wait_ns));
    dal__visit_end(&visit);
    return result_of(run, tokens);
}

int dal_run_advance(struct dal_run *run, int port, size_t count)
{
    struct dal_process *process = find_port(run, port);
    struct dal__visit visit;
    int status;
    if (!process)
        return DAL_ERR_INVALID;
    dal__visit_begin(&visit, run);
    status = dal_call_end_window(process, count);
    dal__visit_end(&visit);
    if (status < 0)
        return refuse_call(run, DAL_ERR_INVALID, "port %s: its window has fewer tokens",
                           process->desc->name);
    return DAL_OK;
}

int dal_run_fd(struct dal_run *run, int port)
{
    struct dal_process *process = find_port(run, port);
    struct dal__visit visit;
    int file;
    if (!process)
        return DAL_ERR_INVALID;
    dal__visit_begin(&visit, run);
    file = dal_call_file(process);
    dal__visit_end(&visit);
    return file == DAL_ERR_SYSTEM
               ? refuse_call(run, file, "port %s: no descriptor is left", process->desc->name)
               : file;
}

int dal_run_end(struct dal_run *run, int port)
{
    struct dal_process *process = find_port(run, port);
    struct dal__visit visit;
    if (!process)
        return DAL_ERR_INVALID;
    dal__visit_begin(&visit, run);
    dal_call_finish(process);
    dal__visit_end(&visit);
    return DAL_OK;
}

int dal_run_is_over(const struct dal_run *run, int port)
{
    int status = check_port(run, port);
    return status < 0 ? status : dal_call_is_over(&run->network->processes[port]);
}

/* ---- while it runs --------------------------------------------------------------------------- */

int dal_run_set(struct dal_run *run, const char *parameter)
{
    struct dal__visit visit;
    char answer[200];
    int status;
    if (!parameter)
        parameter = "";
    dal__visit_begin(&visit, run);
    status = dal__steer_line(run->network, parameter, answer, sizeof(answer));
    dal__visit_end(&visit);
    return status < 0 ? refuse_call(run, status, "%s", answer) : DAL_OK;
}

static void print_latencies(const struct dal_network *network, FILE *file)
{
    const struct dal_latency *latencies = dal__timing_latencies(network);
    fputs(",\"latencies\":[", file);
    for (int i = 0; latencies && i < network->net->latency_count; i++) {
        const struct dal_latency_desc *desc = latencies[i].desc;
        dal_json_format(file,
                        "%-s{\"from\":%s,\"to\":%s,\"allowed_ns\":%" PRId64 ",\"percentile\":%.4f",
                        i ? "," : "", dal__timing_name(network, desc->from),
                        dal__timing_name(network, desc->to), desc->max_ns,
                        dal__timing_percentile(&latencies[i]));
        dal__counters_latency(file, &latencies[i]);
        fputc('}', file);
    }
    fputc(']', file);
}

static void print_periodic(const struct dal_network *network, FILE *file)
{
    const char *comma = "";
    fputs(",\"periodic\":[", file);
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        if (!process->host.timer)
            continue;
        dal_json_format(file, "%-s{\"name\":%s", comma, process->desc->name);
        dal__counters_periodic(file, process->host.timer);
        fputc('}', file);
        comma = ",";
    }
    fputc(']', file);
}

static void print_stats(const struct dal_network *network, FILE *file)
{
    int timed = dal_observers_need(network, DAL_NEEDS_TIMES);
    fputs("{\"processes\":[", file);
    for (int i = 0; i < network->net->process_count; i++) {
        dal_json_format(file, "%-s{\"name\":%s", i ? "," : "", network->net->processes[i].name);
        dal__counters_process(file, &network->processes[i], timed);
        fputc('}', file);
    }
    fputs("],\"channels\":[", file);
    for (int i = 0; i < network->net->channel_count; i++) {
        dal_json_format(file, "%-s{\"name\":%s", i ? "," : "", network->net->channels[i].name);
        dal__counters_channel(file, network->channels[i], timed);
        fputc('}', file);
    }
    fputc(']', file);
    print_latencies(network, file);
    print_periodic(network, file);
    fputc('}', file);
}

int64_t dal_run_stats(const struct dal_run *run, char *text, size_t bytes)
{
    struct dal_memory_stream stream;
    struct dal__visit visit;
    char *made;
    dal__visit_begin(&visit, (struct dal_run *)run);
    dal_memory_open(&stream);
    if (stream.file)
        print_stats(run->network, stream.file);
    dal__visit_end(&visit);
    made = dal_memory_close(&stream);
    if (!made)
        return DAL_ERR_NOMEM;
    if (bytes)
        snprintf(text, bytes, "%s", made);
    free(made);
    return (int64_t)stream.bytes;
}
