/* dal_run.h: a run is opened and closed. */
#define _GNU_SOURCE
#include "rt/run/run.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/thread.h"
#include "rt/kpn/call.h"
#include "rt/observe/timing.h"

#include <stdio.h>
#include <string.h>

/* Of the calling thread's last open or close; and what it has last seen of a refused call. */
static _Thread_local char last_message[sizeof(((struct dal_run *)0)->message)];
static _Thread_local char last_refusal[sizeof(((struct dal_run *)0)->refusal)];

/* The message of an error is never changed, that of a refused call by the next one. A network that
 * was broken has its message when it has ended, and none until then. */
static const char *find_message(struct dal_run *run)
{
    const char *found = run->message;
    int is_broken = dal_control_broken(&run->network->control);
    pthread_mutex_lock(&run->lock);
    if (!*run->message) {
        snprintf(last_refusal, sizeof(last_refusal), "%s", is_broken ? "" : run->refusal);
        found = last_refusal;
    }
    pthread_mutex_unlock(&run->lock);
    return found;
}

const char *dal_run_message(const struct dal_run *run)
{
    return run ? find_message((struct dal_run *)run) : last_message;
}

static int split_lines(struct dal_lines *lines, const char *text)
{
    size_t most = 1;
    char *rest = NULL;
    for (const char *at = text; at && *at; at++)
        most += *at == '\n';
    lines->text = dal_strdup(text ? text : "");
    lines->list = dal_calloc(most, sizeof(*lines->list));
    if (!lines->text || !lines->list)
        return dal_no_memory();
    for (char *at = strtok_r(lines->text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest))
        lines->list[lines->count++] = at;
    return DAL_OK;
}

/* Takes the files at ports, "PORT=FILE" a line. */
static int take_files(struct dal_run *run, const char *files)
{
    int status = split_lines(&run->file_lines, files);
    run->names = dal_calloc((size_t)run->net->process_count + 1, sizeof(*run->names));
    if (status == DAL_OK && !run->names)
        status = dal_no_memory();
    for (int i = 0; status == DAL_OK && i < run->file_lines.count; i++) {
        const char *line = run->file_lines.list[i];
        size_t length = strcspn(line, "=");
        int port = dal__run_find(run->net, line, length);
        if (line[length] && port >= 0) {
            run->names[port] = line + length + 1;
            continue;
        }
        if (line[length])
            dal_log(DAL_LOG_ERROR, "files: %s: network %s has no port %.*s", line, run->net->name,
                    (int)length, line);
        else
            dal_log(DAL_LOG_ERROR, "files: %s: expected PORT=FILE", line);
        status = DAL_ERR_INVALID;
    }
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

static void *run_apart(void *argument)
{
    struct dal_run *run = argument;
    int status;
    dal_thread_begin();
    status = dal_network_run(run->network);
    run->status = dal__run_finish(run, status, dal_network_report(run->network), NULL);
    atomic_store(&run->has_ended, 1);
    dal_wake_signal(&run->end);
    return NULL;
}

/* Keeps times for dal_run_stats(). */
static const struct dal_observer observe_for_stats = {
    .name = "times of a library", .variable = "DAL_STATS", .needs = DAL_NEEDS_TIMES};

/* The clock and its promises are of the network. All other observers are of a program, and its
 * environment chooses them. */
static int start_run(struct dal_run *run, const struct dal_run_options *given)
{
    static const struct dal_observer *const chosen[] = {&dal_observe_timing, &observe_for_stats,
                                                        NULL};
    struct dal_network_options options = {
        .strict = given->strict, .limits = &run->limits, .hosted = 1, .observers = chosen};
    int status = check_net(run->net);
    run->limits = dal_monitor_usual;
    run->limits.all_cores = given->all_cores;
    if (given->max_memory)
        run->limits.growth_bytes = given->max_memory;
    if (status == DAL_OK)
        status = split_lines(&run->parameters, given->parameters);
    if (status == DAL_OK)
        status = take_files(run, given->files);
    options.overrides = run->parameters.list;
    options.override_count = run->parameters.count;
    if (status == DAL_OK)
        status = dal__run_install(run, &options, run->names);
    if (status == DAL_OK)
        status = dal_thread_start(&run->thread, run_apart, run, "network ", run->net->name);
    return status;
}

static void destroy_library(struct dal_run *run)
{
    snprintf(last_message, sizeof(last_message), "%s", run->message);
    dal__run_destroy(run);
}

int dal_run_open(struct dal_run **result, const struct dal_net *net,
                 const struct dal_run_options *options)
{
    static const struct dal_run_options usual;
    struct dal_run *run = dal__run_make(net);
    struct dal__visit visit;
    int status;
    *result = NULL;
    *last_message = 0;
    if (!run) {
        snprintf(last_message, sizeof(last_message), "no memory for the network");
        return DAL_ERR_NOMEM;
    }
    options = options ? options : &usual;
    run->log = options->log;
    run->log_of = options->log_of;
    dal__visit_begin(&visit, run);
    status = start_run(run, options);
    if (status < 0)
        destroy_library(run);
    else
        *result = run;
    dal__visit_end(&visit);
    return status;
}

void dal_run_break(struct dal_run *run)
{
    dal_control_break(&run->network->control, DAL_ERR_INTERRUPTED);
}

void dal_run_stop(struct dal_run *run)
{
    dal_control_stop(&run->network->control);
}

static int has_ended(const void *run)
{
    return atomic_load(&((const struct dal_run *)run)->has_ended);
}

int dal_run_wait(struct dal_run *run, int64_t wait_ns)
{
    if (!dal_wake_until(&run->end, has_ended, run, dal_until_ns(wait_ns)))
        return 0;
    return run->status < 0 ? run->status : 1;
}

int dal_run_close(struct dal_run *run)
{
    struct dal__visit visit;
    int status;
    if (!run)
        return DAL_OK;
    dal__visit_begin(&visit, run);
    for (int i = 0; i < run->net->process_count; i++)
        if (run->network->processes[i].is_called)
            dal_call_finish(&run->network->processes[i]);
    dal_run_stop(run);
    pthread_join(run->thread, NULL);
    status = run->status;
    destroy_library(run);
    dal__visit_end(&visit);
    return status;
}
