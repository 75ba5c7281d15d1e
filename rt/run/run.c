#include "rt/run/run.h"

#include "rt/base/alloc.h"
#include "rt/base/thread.h"
#include "rt/run/taps.h"

#include <stdio.h>

/* Devices and what networks share are made and destroyed by one thread at a time. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

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

struct dal_run *dal__run_make(const struct dal_net *net)
{
    struct dal_run *run = dal_calloc(1, sizeof(*run));
    if (!run)
        return NULL;
    run->sink.take = take_message;
    run->net = net;
    pthread_mutex_init(&run->lock, NULL);
    return run;
}

/* Does the thread belong to a network? Most callers do not, and have nothing to set aside. */
static int belongs_to_one(const struct dal_here *here)
{
    return here->control || here->search || here->process || here->copy || here->alone;
}

void dal__visit_begin(struct dal__visit *visit, struct dal_run *run)
{
    struct dal_here *here = dal_here();
    visit->is_within = belongs_to_one(here);
    visit->sink = dal_log_to(&run->sink);
    visit->locale = uselocale(dal_thread_locale());
    if (visit->is_within) {
        visit->here = *here;
        *here = (struct dal_here){0};
    }
    here->control = run->network ? &run->network->control : NULL;
}

void dal__visit_end(const struct dal__visit *visit)
{
    struct dal_here *here = dal_here();
    if (visit->is_within)
        *here = visit->here;
    else
        here->control = NULL;
    dal_log_to(visit->sink);
    uselocale(visit->locale);
}

/* The program ends within a process. */
static void save_taps(void *of)
{
    struct dal_run *run = of;
    dal__taps_close(&run->files, run->network, DAL_ERR_PROCESS);
}

int dal__run_install(struct dal_run *run, struct dal_network_options *options,
                     const char *const *files)
{
    int status;
    run->files =
        (struct dal_files){.net = options->part ? options->part : run->net, .whole = run->net};
    status = dal__files_open(&run->files, files, options->hosted);
    if (status < 0)
        return status;
    if (!options->hosted)
        dal__taps_warn(run->net);
    options->streams = run->files.streams;
    options->save = dal__taps_record(&run->files) ? save_taps : NULL;
    options->save_of = run;
    pthread_mutex_lock(&making);
    status = dal_network_create(&run->network, run->net, options);
    pthread_mutex_unlock(&making);
    return status == DAL_OK ? dal__taps_clear(&run->files) : status;
}

/* A recording that failed takes no other file with it. */
int dal__run_finish(struct dal_run *run, int status, int report, void (*before)(void))
{
    int taps, closed;
    if (status < 0 && !*run->message)
        dal_log(DAL_LOG_ERROR, "network %s ended early: %s", run->net->name, dal_strerror(status));
    if (status == DAL_OK)
        status = report;
    taps = dal__taps_close(&run->files, run->network, status);
    if (status == DAL_OK && before)
        before();
    closed = dal__files_close(&run->files, status == DAL_OK);
    if (status == DAL_OK)
        status = taps;
    return status < 0 ? status : closed;
}

void dal__run_destroy(struct dal_run *run)
{
    if (!run)
        return;
    pthread_mutex_lock(&making);
    dal_network_destroy(run->network);
    pthread_mutex_unlock(&making);
    dal__files_close(&run->files, 0);
    pthread_mutex_destroy(&run->lock);
    dal_free_all(run->parameters.text, run->parameters.list, run->file_lines.text,
                 run->file_lines.list, run->names, run);
}
