#include "rt/app/application.h"

#include "rt/base/alloc.h"
#include "rt/base/thread.h"
#include "rt/control/events.h"
#include "rt/nodes/end.h"
#include "rt/nodes/meet.h"

static void *run_application(void *argument)
{
    struct dal_application *application = argument;
    dal_thread_begin();
    application->error = dal_network_run(application->network);
    atomic_store_explicit(&application->ended, 1, memory_order_release);
    dal_events_end(application->runs->events, application->number);
    return NULL;
}

static int has_ended(struct dal_application *application)
{
    return atomic_load_explicit(&application->ended, memory_order_acquire);
}

static struct dal_network_options options_of(struct dal_application *application)
{
    return (struct dal_network_options){.strict = application->runs->strict,
                                        .overrides = application->overrides,
                                        .override_count = application->override_count,
                                        .limits = application->runs->limits,
                                        .devices = &application->devices,
                                        .application = application->desc->name,
                                        .label = application->label,
                                        .events = application->runs->events};
}

static int install(struct dal_application *application)
{
    const struct dal_runs *runs = application->runs;
    const struct dal_net *net = application->desc->net;
    struct dal_network_options options = options_of(application);
    int status;
    if (!application->link)
        return dal_network_create(&application->network, net, &options);
    status = dal_nodes_join(&application->nodes, net, application->link, runs->program);
    if (status < 0)
        return status;
    options.nodes = application->nodes;
    options.part = &application->nodes->part.net;
    status = dal_network_create(&application->network, net, &options);
    return dal_nodes_ready(application->nodes, status);
}

/* Removes a run that ends, or that could not begin, with this error. Returns the error, or its
 * cause on another node. */
static int remove_run(struct dal_application *application, int status)
{
    dal_nodes_leave(application->nodes, status);
    dal_network_destroy(application->network);
    application->network = NULL;
    status = dal_nodes_verdict(application->nodes, status);
    dal_nodes_destroy(application->nodes);
    application->nodes = NULL;
    dal_free(application->label);
    application->label = NULL;
    return status;
}

int dal_application_start(struct dal_application *application)
{
    int status = DAL_ERR_NOMEM;
    application->label = dal_format("%s-%d", application->desc->name, ++application->started);
    application->held = application->ends = 0;
    atomic_store_explicit(&application->ended, 0, memory_order_relaxed);
    if (application->label)
        status = install(application);
    else
        dal_log(DAL_LOG_ERROR, "no memory for application %s", application->desc->name);
    if (status == DAL_OK)
        status = dal_thread_start(&application->thread, run_application, application,
                                  "application ", application->desc->name);
    return status < 0 ? remove_run(application, status) : DAL_OK;
}

void dal_application_stop(struct dal_application *application)
{
    application->wanted = DAL_APPLICATION_STOPPED;
    if (!application->network)
        return;
    dal_control_stop(&application->network->control);
    dal_control_resume(&application->network->control);
}

void dal_application_pause(struct dal_application *application)
{
    if (!application->network)
        return;
    application->wanted = DAL_APPLICATION_PAUSED;
    dal_control_pause(&application->network->control);
}

void dal_application_resume(struct dal_application *application)
{
    dal_control_resume(&application->network->control);
    if (application->held) {
        application->ends--;
        dal_events_end(application->runs->events, application->number);
    }
    application->held = 0;
}

void dal_application_break(struct dal_application *application, int error)
{
    if (application->network)
        dal_control_break(&application->network->control, error);
}

int dal_application_is_settled(struct dal_application *application)
{
    if (!application->network || application->wanted == DAL_APPLICATION_RUNNING ||
        has_ended(application))
        return 1;
    return application->wanted == DAL_APPLICATION_PAUSED &&
           dal_control_still(&application->network->control);
}

int dal_application_join(struct dal_application *application)
{
    int status;
    pthread_join(application->thread, NULL);
    dal_events_forget(application->runs->events, application->number);
    status = dal_network_report(application->network);
    return remove_run(application, application->error == DAL_OK ? status : application->error);
}

int dal_application_try(struct dal_application *application)
{
    struct dal_network_options options = options_of(application);
    options.devices = NULL; /* each node's part has devices of its own */
    return dal_network_try(application->desc->net, &options);
}
