/* Networks in somebody else's program: include/dal_run.h. */
#define _GNU_SOURCE
#include "include/dal_run.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/memory_stream.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/kpn/call.h"
#include "rt/network/network.h"
#include "rt/observe/counters.h"
#include "rt/steer/steer.h"
#include "rt/watch/monitor.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE = 1024 };

/* The parameters as texts, one behind the other, and where each begins. A network keeps them. */
struct overrides {
    char *text;
    const char **list;
    int count;
};

struct dal_run {
    struct dal_log_sink sink; /* first member: messages of all threads of the run */
    void (*log)(void *log_of, const char *level, const char *message);
    void *log_of;
    pthread_mutex_t lock;  /* of message */
    char message[MESSAGE]; /* of the first error; "" */
    const struct dal_net *net;
    struct dal_monitor_limits limits;
    struct overrides overrides;
    struct dal_network *network;
    pthread_t thread;
    int runs;   /* the thread is there */
    int status; /* of the network; read when the thread has been joined */
};

/* Of the calling thread's last open or close. */
static _Thread_local char last_message[MESSAGE];

/* Devices and what networks share are made and destroyed by one thread at a time. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* ---- messages -------------------------------------------------------------------------------- */

static void take_message(struct dal_log_sink *sink, enum dal_log_level level, const char *message)
{
    struct dal_run *run = (struct dal_run *)sink;
    pthread_mutex_lock(&run->lock);
    if (level == DAL_LOG_ERROR && !*run->message)
        snprintf(run->message, sizeof(run->message), "%s", message);
    pthread_mutex_unlock(&run->lock);
    if (run->log)
        run->log(run->log_of, dal_log_level_name(level), message);
}

/* Logs for a run, and returns the code. */
static int refuse_call(struct dal_run *run, int code, const char *format, const char *name)
{
    struct dal_log_sink *before = dal_log_to(&run->sink);
    dal_log(DAL_LOG_ERROR, format, name);
    dal_log_to(before);
    return code;
}

const char *dal_run_message(const struct dal_run *run)
{
    return run ? run->message : last_message;
}

/* ---- ports ----------------------------------------------------------------------------------- */

int dal_run_describe(const struct dal_net *net, int number, struct dal_run_port_info *info)
{
    for (int i = 0; number >= 0 && i < net->process_count; i++) {
        const struct dal_process_desc *desc = &net->processes[i];
        if (!desc->open || number-- > 0)
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

int dal_run_port(const struct dal_run *run, const char *name)
{
    for (int i = 0; i < run->net->process_count; i++)
        if (run->net->processes[i].open && strcmp(run->net->processes[i].name, name) == 0)
            return i;
    return DAL_ERR_INVALID;
}

/* Returns the process of a port; NULL, told, if it is none. */
static struct dal_process *find_port(struct dal_run *run, int port)
{
    if (port >= 0 && port < run->net->process_count && run->net->processes[port].open)
        return &run->network->processes[port];
    refuse_call(run, DAL_ERR_INVALID, "network %s has no port of this number", run->net->name);
    return NULL;
}

static struct dal_process *find_way(struct dal_run *run, int port, int output)
{
    struct dal_process *process = find_port(run, port);
    if (!process || process->desc->ports[0].output == output)
        return process;
    refuse_call(run, DAL_ERR_INVALID,
                output ? "port %s is an output: it is read" : "port %s is an input: it is written",
                process->desc->name);
    return NULL;
}

static int64_t time_until(int64_t wait_ns)
{
    int64_t now_ns = dal_now_ns();
    return wait_ns >= INT64_MAX - now_ns ? INT64_MAX : now_ns + (wait_ns > 0 ? wait_ns : 0);
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
    struct dal_log_sink *before;
    uint64_t moved;
    if (!process)
        return DAL_ERR_INVALID;
    before = dal_log_to(&run->sink);
    moved = dal_call_move(process, tokens, count, time_until(wait_ns));
    dal_log_to(before);
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
    struct dal_log_sink *before;
    uint64_t tokens;
    if (!process)
        return DAL_ERR_INVALID;
    before = dal_log_to(&run->sink);
    tokens = dal_call_begin_window(process, window, time_until(wait_ns));
    dal_log_to(before);
    return result_of(run, tokens);
}

int dal_run_advance(struct dal_run *run, int port, size_t count)
{
    struct dal_process *process = find_port(run, port);
    if (!process)
        return DAL_ERR_INVALID;
    if (dal_call_end_window(process, count) < 0)
        return refuse_call(run, DAL_ERR_INVALID, "port %s: its window has fewer tokens",
                           process->desc->name);
    return DAL_OK;
}

int dal_run_fd(struct dal_run *run, int port)
{
    struct dal_process *process = find_port(run, port);
    int file = process ? dal_call_file(process) : DAL_ERR_INVALID;
    return file == DAL_ERR_SYSTEM
               ? refuse_call(run, file, "port %s: no descriptor is left", process->desc->name)
               : file;
}

int dal_run_end(struct dal_run *run, int port)
{
    struct dal_process *process = find_port(run, port);
    if (!process)
        return DAL_ERR_INVALID;
    dal_call_finish(process);
    return DAL_OK;
}

int dal_run_is_over(const struct dal_run *run, int port)
{
    if (port < 0 || port >= run->net->process_count || !run->net->processes[port].open)
        return DAL_ERR_INVALID;
    return dal_call_is_over(&run->network->processes[port]);
}

/* ---- the run --------------------------------------------------------------------------------- */

static int split_parameters(struct overrides *o, const char *parameters)
{
    size_t most = 1;
    char *rest = NULL;
    for (const char *at = parameters; at && *at; at++)
        most += *at == '\n';
    o->text = dal_strdup(parameters ? parameters : "");
    o->list = dal_calloc(most, sizeof(*o->list));
    if (!o->text || !o->list)
        return dal_no_memory();
    for (char *at = strtok_r(o->text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest))
        o->list[o->count++] = at;
    return DAL_OK;
}

static void *run_network(void *argument)
{
    struct dal_run *run = argument;
    dal_thread_begin();
    run->status = dal_network_run(run->network);
    return NULL;
}

/* Without observers: these are of a program, and its environment chooses them. */
static int create_network(struct dal_run *run, const struct dal_run_options *given)
{
    static const struct dal_observer *const none[] = {NULL};
    int status = split_parameters(&run->overrides, given->parameters);
    const struct dal_network_options options = {.strict = given->strict,
                                                .overrides = run->overrides.list,
                                                .override_count = run->overrides.count,
                                                .limits = &run->limits,
                                                .hosted = 1,
                                                .observers = none};
    if (status < 0)
        return status;
    pthread_mutex_lock(&making);
    status = dal_network_create(&run->network, run->net, &options);
    pthread_mutex_unlock(&making);
    return status;
}

static int check_net(const struct dal_net *net)
{
    if (net->version != DAL_NET_VERSION) {
        dal_log(DAL_LOG_ERROR, "network %s is of version %d, this library of version %d", net->name,
                net->version, DAL_NET_VERSION);
        return DAL_ERR_UNSUPPORTED;
    }
    if (net->node_count > 1) {
        dal_log(DAL_LOG_ERROR, "network %s runs on several nodes, which a library cannot",
                net->name);
        return DAL_ERR_UNSUPPORTED;
    }
    return DAL_OK;
}

static int start_run(struct dal_run *run, const struct dal_run_options *options)
{
    int status = check_net(run->net);
    run->limits = dal_monitor_usual;
    run->limits.all_cores = options->all_cores;
    if (options->max_memory)
        run->limits.growth_bytes = options->max_memory;
    if (status == DAL_OK)
        status = create_network(run, options);
    if (status == DAL_OK)
        status = dal_thread_start(&run->thread, run_network, run, "network ", run->net->name);
    run->runs = status == DAL_OK;
    return status;
}

static void destroy_run(struct dal_run *run)
{
    pthread_mutex_lock(&making);
    dal_network_destroy(run->network);
    pthread_mutex_unlock(&making);
    snprintf(last_message, sizeof(last_message), "%s", run->message);
    pthread_mutex_destroy(&run->lock);
    dal_free(run->overrides.text);
    dal_free(run->overrides.list);
    dal_free(run);
}

int dal_run_open(struct dal_run **result, const struct dal_net *net,
                 const struct dal_run_options *options)
{
    static const struct dal_run_options usual;
    struct dal_run *run = dal_calloc(1, sizeof(*run));
    struct dal_log_sink *before;
    int status;
    *result = NULL;
    *last_message = 0;
    if (!run) {
        snprintf(last_message, sizeof(last_message), "no memory for the network");
        return DAL_ERR_NOMEM;
    }
    options = options ? options : &usual;
    run->sink.take = take_message;
    run->log = options->log;
    run->log_of = options->log_of;
    run->net = net;
    pthread_mutex_init(&run->lock, NULL);
    before = dal_log_to(&run->sink);
    status = start_run(run, options);
    if (status < 0)
        destroy_run(run);
    else
        *result = run;
    dal_log_to(before);
    return status;
}

void dal_run_break(struct dal_run *run)
{
    dal_control_break(&run->network->control, DAL_ERR_INTERRUPTED);
}

int dal_run_close(struct dal_run *run)
{
    struct dal_log_sink *before;
    int status;
    if (!run)
        return DAL_OK;
    before = dal_log_to(&run->sink);
    for (int i = 0; i < run->net->process_count; i++)
        if (run->net->processes[i].open)
            dal_call_finish(&run->network->processes[i]);
    dal_control_stop(&run->network->control);
    pthread_join(run->thread, NULL);
    status = run->status;
    if (status < 0 && !*run->message)
        dal_log(DAL_LOG_ERROR, "network %s ended early: %s", run->net->name, dal_strerror(status));
    destroy_run(run);
    dal_log_to(before);
    return status;
}

/* ---- while it runs --------------------------------------------------------------------------- */

int dal_run_set(struct dal_run *run, const char *parameter)
{
    char answer[200];
    int status = dal__steer_line(run->network, parameter, answer, sizeof(answer));
    return status < 0 ? refuse_call(run, status, "%s", answer) : DAL_OK;
}

static void print_stats(const struct dal_network *network, FILE *file)
{
    fputs("{\"processes\":[", file);
    for (int i = 0; i < network->net->process_count; i++) {
        dal_json_format(file, "%-s{\"name\":%s", i ? "," : "", network->net->processes[i].name);
        dal__counters_process(file, &network->processes[i]);
        fputc('}', file);
    }
    fputs("],\"channels\":[", file);
    for (int i = 0; i < network->net->channel_count; i++) {
        dal_json_format(file, "%-s{\"name\":%s", i ? "," : "", network->net->channels[i].name);
        dal__counters_channel(file, network->channels[i]);
        fputc('}', file);
    }
    fputs("]}", file);
}

int64_t dal_run_stats(const struct dal_run *run, char *text, size_t bytes)
{
    struct dal_memory_stream stream;
    char *made;
    dal_memory_open(&stream);
    if (stream.file)
        print_stats(run->network, stream.file);
    made = dal_memory_close(&stream);
    if (!made)
        return DAL_ERR_NOMEM;
    if (bytes)
        snprintf(text, bytes, "%s", made);
    free(made);
    return (int64_t)stream.bytes;
}
