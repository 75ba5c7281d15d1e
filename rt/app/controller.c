#include "rt/app/controller.h"

#include "rt/base/alloc.h"
#include "rt/control/events.h"
#include "rt/ocl/ocl.h"
#include "rt/network/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { USUAL_EVENTS = 1024 };

/* A description and, while it is started, its network. The controller's but for `error` and
 * `ended`, which the run's thread sets (release, after the last use of the network; the controller
 * acquires). */
struct application {
    const struct dal_application_desc *desc;
    int number;
    enum dal_application_status wanted;
    struct dal_network *network; /* NULL: not started */
    struct dal_ocl *ocl;         /* once it was: its next start opens and builds nothing */
    struct dal_events *events;
    int runs;
    int held; /* it has ended by itself while paused: told when it is resumed */
    char *label;
    const char **overrides;
    int override_count;
    pthread_t thread;
    int error;
    _Atomic int ended;
};

/* How often an event was taken. */
struct tally {
    uint64_t taken, ignored;
};

struct dal_controller {
    const struct dal_fsm *fsm;
    int strict;
    const struct dal_monitor_limits *limits;
    struct dal_events events;
    int has_events;
    struct application *applications;
    struct tally *tallies; /* by event */
    int state;
    int ending;
    int error; /* the first */
    _Atomic int interrupts;
    int broken; /* the second interrupt has been heeded */
};

static int no_memory(void)
{
    dal_log(DAL_LOG_ERROR, "no memory for the controller");
    return DAL_ERR_NOMEM;
}

/* ---- runs of an application ------------------------------------------------------------------ */

static void *run_application(void *argument)
{
    struct application *application = argument;
    application->error = dal_network_run(application->network);
    atomic_store_explicit(&application->ended, 1, memory_order_release);
    dal_events_end(application->events, application->number);
    return NULL;
}

static int has_ended(struct application *application)
{
    return atomic_load_explicit(&application->ended, memory_order_acquire);
}

static int install(const struct dal_controller *controller, struct application *application)
{
    const struct dal_network_options options = {.strict = controller->strict,
                                                .overrides = application->overrides,
                                                .override_count = application->override_count,
                                                .limits = controller->limits,
                                                .ocl = &application->ocl,
                                                .application = application->desc->name,
                                                .label = application->label,
                                                .events = application->events};
    return dal_network_create(&application->network, application->desc->net, &options);
}

static void remove_network(struct application *application)
{
    dal_network_destroy(application->network);
    application->network = NULL;
    dal_free(application->label);
    application->label = NULL;
}

static int start_thread(struct application *application)
{
    int error = pthread_create(&application->thread, NULL, run_application, application);
    if (!error)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "application %s: no thread: %s", application->desc->name,
            strerror(error));
    return DAL_ERR_SYSTEM;
}

static int start_application(const struct dal_controller *controller,
                             struct application *application)
{
    int status = DAL_ERR_NOMEM;
    application->label = dal_format("%s-%d", application->desc->name, ++application->runs);
    application->held = 0;
    atomic_store_explicit(&application->ended, 0, memory_order_relaxed);
    if (application->label)
        status = install(controller, application);
    else
        no_memory();
    if (status == DAL_OK)
        status = start_thread(application);
    if (status < 0)
        remove_network(application);
    return status;
}

/* What there is drains, also when it was paused. */
static void stop_application(struct application *application)
{
    application->wanted = DAL_APPLICATION_STOPPED;
    if (!application->network)
        return;
    dal_control_stop(&application->network->control);
    dal_control_resume(&application->network->control);
}

/* Joins a run that has ended or is about to. Returns its error. */
static int join_run(struct application *application)
{
    int status;
    pthread_join(application->thread, NULL);
    dal_events_forget(application->events, application->number);
    status = dal_network_report(application->network);
    remove_network(application);
    return application->error == DAL_OK ? status : application->error;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void keep_error(struct dal_controller *controller, const struct application *application,
                       int error)
{
    if (error == DAL_OK)
        return;
    controller->ending = 1;
    if (controller->error != DAL_OK)
        return;
    controller->error = error;
    dal_log(DAL_LOG_ERROR, "application %s ended early: %s", application->desc->name,
            dal_strerror(error));
}

static void heed_interrupts(struct dal_controller *controller)
{
    int i, interrupts = atomic_load_explicit(&controller->interrupts, memory_order_seq_cst);
    controller->ending |= interrupts > 0;
    if (interrupts < 2 || controller->broken)
        return;
    controller->broken = 1;
    for (i = 0; i < controller->fsm->application_count; i++)
        if (controller->applications[i].network)
            dal_control_break(&controller->applications[i].network->control, DAL_ERR_INTERRUPTED);
}

/* Is this application as it is wanted, as far as it is not to be started or resumed? */
static int is_settled(struct application *application)
{
    if (!application->network || application->wanted == DAL_APPLICATION_RUNNING ||
        has_ended(application))
        return 1;
    return application->wanted == DAL_APPLICATION_PAUSED &&
           dal_control_still(&application->network->control);
}

static int all_settled(struct dal_controller *controller)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++)
        if (!is_settled(&controller->applications[i]))
            return 0;
    return 1;
}

static void wait_until_settled(struct dal_controller *controller)
{
    for (;;) {
        uint32_t sequence = dal_wake_prepare(&controller->events.wake);
        heed_interrupts(controller);
        if (all_settled(controller))
            break;
        dal_wake_wait(&controller->events.wake, sequence, -1);
    }
    dal_wake_cancel(&controller->events.wake);
}

/* The next notice; 0 when the program is ending instead. */
static int wait_for_notice(struct dal_controller *controller, struct dal_notice *notice)
{
    int found = 0;
    for (;;) {
        uint32_t sequence = dal_wake_prepare(&controller->events.wake);
        heed_interrupts(controller);
        if (controller->ending || (found = dal_events_take(&controller->events, notice)))
            break;
        dal_wake_wait(&controller->events.wake, sequence, -1);
    }
    dal_wake_cancel(&controller->events.wake);
    return found;
}

/* ---- states ---------------------------------------------------------------------------------- */

/* Stops and pauses what the state wants stopped and paused; returns when it is. */
static void stop_and_pause(struct dal_controller *controller,
                           const enum dal_application_status *wants)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++) {
        struct application *application = &controller->applications[i];
        if (wants[i] == DAL_APPLICATION_STOPPED)
            stop_application(application);
        if (wants[i] == DAL_APPLICATION_PAUSED && application->network) {
            application->wanted = DAL_APPLICATION_PAUSED;
            dal_control_pause(&application->network->control);
        }
    }
    wait_until_settled(controller);
    for (i = 0; i < controller->fsm->application_count; i++) {
        struct application *application = &controller->applications[i];
        if (wants[i] == DAL_APPLICATION_STOPPED && application->network)
            keep_error(controller, application, join_run(application));
    }
}

static void resume(struct application *application)
{
    dal_control_resume(&application->network->control);
    if (application->held)
        dal_events_end(application->events, application->number);
    application->held = 0;
}

static void start_or_resume(struct dal_controller *controller, struct application *application)
{
    if (!application->network)
        keep_error(controller, application, start_application(controller, application));
    else if (application->wanted == DAL_APPLICATION_PAUSED)
        resume(application);
    application->wanted = DAL_APPLICATION_RUNNING;
}

static void enter_state(struct dal_controller *controller, int number)
{
    const struct dal_state_desc *state = &controller->fsm->states[number];
    int i;
    controller->state = number;
    stop_and_pause(controller, state->wants);
    for (i = 0; !controller->ending && i < controller->fsm->application_count; i++)
        if (state->wants[i] == DAL_APPLICATION_RUNNING)
            start_or_resume(controller, &controller->applications[i]);
    controller->ending |= state->end;
}

static void take_event(struct dal_controller *controller, int event)
{
    const struct dal_fsm *fsm = controller->fsm;
    int i;
    for (i = 0; i < fsm->transition_count; i++) {
        if (fsm->transitions[i].from != controller->state || fsm->transitions[i].event != event)
            continue;
        controller->tallies[event].taken++;
        enter_state(controller, fsm->transitions[i].to);
        return;
    }
    controller->tallies[event].ignored++;
}

/* An application has ended by itself. */
static void take_end(struct dal_controller *controller, struct application *application)
{
    const struct dal_fsm *fsm = controller->fsm;
    int i;
    if (application->wanted == DAL_APPLICATION_PAUSED && application->error == DAL_OK) {
        application->held = 1;
        return;
    }
    application->wanted = DAL_APPLICATION_STOPPED;
    keep_error(controller, application, join_run(application));
    for (i = 0; !controller->ending && i < fsm->event_count; i++)
        if (fsm->events[i].application == application->number)
            take_event(controller, i);
}

/* Could an event still come? An application that is said to run has not told of its end yet. */
static int anything_runs(const struct dal_controller *controller)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++)
        if (controller->applications[i].network &&
            controller->applications[i].wanted == DAL_APPLICATION_RUNNING)
            return 1;
    return 0;
}

static void complain_paused(const struct dal_controller *controller)
{
    int i;
    for (i = 0; !controller->ending && i < controller->fsm->application_count; i++)
        if (controller->applications[i].network)
            dal_log(DAL_LOG_WARNING,
                    "application %s is paused in state %s and nothing is left that could resume "
                    "it; it is stopped",
                    controller->applications[i].desc->name,
                    controller->fsm->states[controller->state].name);
}

static void stop_all(struct dal_controller *controller)
{
    int i, count = controller->fsm->application_count;
    for (i = 0; i < count; i++)
        stop_application(&controller->applications[i]);
    wait_until_settled(controller);
    for (i = 0; i < count; i++)
        if (controller->applications[i].network)
            keep_error(controller, &controller->applications[i],
                       join_run(&controller->applications[i]));
}

static void report_events(struct dal_controller *controller)
{
    struct dal_events *events = &controller->events;
    int i;
    if (!dal_stats_table_wanted())
        return;
    fprintf(stderr, "\n%-32s %12s %12s\n", "event", "taken", "ignored");
    for (i = 0; i < controller->fsm->event_count; i++)
        fprintf(stderr, "%-32s %12" PRIu64 " %12" PRIu64 "\n", controller->fsm->events[i].name,
                controller->tallies[i].taken, controller->tallies[i].ignored);
    fprintf(stderr, "%-32s %12s %12" PRIu64 "\n", "(in no transition)", "-", events->unknown);
    fprintf(stderr, "\nat most %zu of %zu events waited; the last state was %s\n", events->most,
            events->limit, controller->fsm->states[controller->state].name);
}

int dal_controller_run(struct dal_controller *controller)
{
    struct dal_notice notice;
    enter_state(controller, controller->fsm->initial);
    while (!controller->ending) {
        int left = anything_runs(controller);
        if (!left && !dal_events_take(&controller->events, &notice))
            break;
        if (left && !wait_for_notice(controller, &notice))
            break;
        if (notice.event < 0)
            take_end(controller, &controller->applications[notice.application]);
        else
            take_event(controller, notice.event);
    }
    complain_paused(controller);
    stop_all(controller);
    while (dal_events_take(&controller->events, &notice))
        if (notice.event >= 0)
            controller->tallies[notice.event].ignored++;
    report_events(controller);
    return controller->error;
}

int dal_controller_check(struct dal_controller *controller)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < controller->fsm->application_count; i++) {
        status = install(controller, &controller->applications[i]);
        remove_network(&controller->applications[i]);
    }
    return status;
}

int dal_controller_interrupt(struct dal_controller *controller)
{
    int times = atomic_fetch_add_explicit(&controller->interrupts, 1, memory_order_seq_cst) + 1;
    dal_wake_signal(&controller->events.wake);
    return times;
}

/* ---- making one ------------------------------------------------------------------------------ */

static struct application *find_application(struct dal_controller *controller, const char *name,
                                            size_t length)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++) {
        const char *other = controller->fsm->applications[i].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0)
            return &controller->applications[i];
    }
    return NULL;
}

/* Hands "APPLICATION.PROCESS.NAME=VALUE" to its application. */
static int add_override(struct dal_controller *controller, const char *text)
{
    size_t length = strcspn(text, ".=");
    struct application *application = find_application(controller, text, length);
    if (text[length] != '.') {
        dal_log(DAL_LOG_ERROR, "-p %s: expected APPLICATION.PROCESS.PARAMETER=VALUE", text);
        return DAL_ERR_INVALID;
    }
    if (!application) {
        dal_log(DAL_LOG_ERROR, "-p %s: no application %.*s (see --help)", text, (int)length, text);
        return DAL_ERR_INVALID;
    }
    text += length + 1;
    application->overrides[application->override_count++] = text;
    if (dal_network_check_override(application->desc->net, text) == DAL_OK)
        return DAL_OK;
    dal_log(DAL_LOG_NOTE, "this was -p for application %s", application->desc->name);
    return DAL_ERR_INVALID;
}

static int fill(struct dal_controller *controller, const struct dal_controller_options *options)
{
    const struct dal_fsm *fsm = controller->fsm;
    int i, status;
    controller->applications =
        dal_calloc((size_t)fsm->application_count + 1, sizeof(*controller->applications));
    controller->tallies = dal_calloc((size_t)fsm->event_count + 1, sizeof(*controller->tallies));
    if (!controller->applications || !controller->tallies)
        return no_memory();
    status = dal_events_init(&controller->events, fsm,
                             options->event_queue ? options->event_queue : USUAL_EVENTS);
    controller->has_events = status == DAL_OK;
    for (i = 0; status == DAL_OK && i < fsm->application_count; i++) {
        struct application *application = &controller->applications[i];
        application->desc = &fsm->applications[i];
        application->number = i;
        application->events = &controller->events;
        application->overrides =
            dal_calloc((size_t)options->override_count + 1, sizeof(*application->overrides));
        if (!application->overrides)
            status = no_memory();
    }
    for (i = 0; status == DAL_OK && i < options->override_count; i++)
        status = add_override(controller, options->overrides[i]);
    return status;
}

int dal_controller_create(struct dal_controller **result, const struct dal_fsm *fsm,
                          const struct dal_controller_options *options)
{
    struct dal_controller *controller = dal_calloc(1, sizeof(*controller));
    int status;
    *result = NULL;
    if (!controller)
        return no_memory();
    controller->fsm = fsm;
    controller->strict = options->strict;
    controller->limits = options->limits;
    status = fill(controller, options);
    if (status < 0) {
        dal_controller_destroy(controller);
        return status;
    }
    *result = controller;
    return DAL_OK;
}

void dal_controller_destroy(struct dal_controller *controller)
{
    int i;
    if (!controller)
        return;
    for (i = 0; controller->applications && i < controller->fsm->application_count; i++) {
        dal_ocl_destroy(controller->applications[i].ocl);
        dal_free(controller->applications[i].overrides);
    }
    if (controller->has_events)
        dal_events_finish(&controller->events);
    dal_free(controller->applications);
    dal_free(controller->tallies);
    dal_free(controller);
}
