#include "rt/app/controller.h"

#include "rt/app/names.h"
#include "rt/app/ranks.h"
#include "rt/base/alloc.h"
#include "rt/devices/devices.h"
#include "rt/observe/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { USUAL_EVENTS = 1024 };

static int no_memory(void)
{
    dal_log(DAL_LOG_ERROR, "no memory for the controller");
    return DAL_ERR_NOMEM;
}

static int has_notice(struct dal_controller *controller)
{
    return controller->ending || !dal_events_are_none(&controller->events);
}

/* Waits for the next notice. Returns 0 when the program is ending instead. */
static int wait_for_notice(struct dal_controller *controller, struct dal_notice *notice)
{
    dal__ranks_wait(controller, has_notice);
    return !controller->ending && dal_events_take(&controller->events, notice);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void command_settled(struct dal_controller *controller, int number)
{
    int some = 0;
    dal__ranks_command(controller, DAL_COMMAND_SETTLE, number);
    for (int i = 0; i < controller->fsm->application_count; i++)
        some |= dal__ranks_stopped(&controller->applications[i]);
    if (some)
        dal__ranks_command(controller, DAL_COMMAND_COLLECT, 0);
}

static void enter_state(struct dal_controller *controller, int number)
{
    controller->state = number;
    command_settled(controller, number);
    if (!controller->ending)
        dal__ranks_command(controller, DAL_COMMAND_ENTER, number);
    controller->ending |= controller->fsm->states[number].end;
}

static void take_event(struct dal_controller *controller, int event)
{
    const struct dal_fsm *fsm = controller->fsm;
    for (int i = 0; i < fsm->transition_count; i++) {
        if (fsm->transitions[i].from != controller->state || fsm->transitions[i].event != event)
            continue;
        controller->tallies[event].taken++;
        enter_state(controller, fsm->transitions[i].to);
        return;
    }
    controller->tallies[event].ignored++;
}

/* Takes an end: an application has ended by itself, on this rank or another one. */
static void take_end(struct dal_controller *controller, struct dal_application *application)
{
    const struct dal_fsm *fsm = controller->fsm;
    if (++application->ends < fsm->node_count)
        return;
    if (application->wanted == DAL_APPLICATION_PAUSED && application->error == DAL_OK) {
        application->held = 1;
        return;
    }
    dal__ranks_command(controller, DAL_COMMAND_JOIN, application->number);
    for (int i = 0; !controller->ending && i < fsm->event_count; i++)
        if (fsm->events[i].application == application->number)
            take_event(controller, i);
}

/* Returns whether an event could still come. An application that counts as running has not told of
 * its end yet. */
static int anything_runs(const struct dal_controller *controller)
{
    for (int i = 0; i < controller->fsm->application_count; i++)
        if (controller->applications[i].network &&
            controller->applications[i].wanted == DAL_APPLICATION_RUNNING)
            return 1;
    return 0;
}

static void complain_paused(const struct dal_controller *controller)
{
    for (int i = 0; !controller->ending && i < controller->fsm->application_count; i++)
        if (controller->applications[i].network)
            dal_log(DAL_LOG_WARNING,
                    "application %s is paused in state %s and nothing is left that could resume "
                    "it; it is stopped",
                    controller->applications[i].desc->name,
                    controller->fsm->states[controller->state].name);
}

static void report_events(struct dal_controller *controller)
{
    struct dal_events *events = &controller->events;
    if (!dal_stats_table_wanted())
        return;
    fprintf(stderr, "\n%-32s %12s %12s\n", "event", "taken", "ignored");
    for (int i = 0; i < controller->fsm->event_count; i++)
        fprintf(stderr, "%-32s %12" PRIu64 " %12" PRIu64 "\n", controller->fsm->events[i].name,
                controller->tallies[i].taken, controller->tallies[i].ignored);
    fprintf(stderr, "%-32s %12s %12" PRIu64 "\n", "(in no transition)", "-",
            events->unknown + controller->unknown);
    fprintf(stderr, "\nat most %zu of %zu events waited; the last state was %s\n", events->most,
            events->limit, controller->fsm->states[controller->state].name);
}

/* Returns whether events wait on other ranks, when nothing runs and none waits here. */
static int do_events_wait_elsewhere(struct dal_controller *controller)
{
    if (!controller->others || !dal_events_are_none(&controller->events))
        return 0;
    dal__ranks_command(controller, DAL_COMMAND_ASK, 0);
    return controller->more && !controller->ending;
}

/* Walks the state machine, on the first rank or the only one. */
static void lead(struct dal_controller *controller)
{
    struct dal_notice notice;
    enter_state(controller, controller->fsm->initial);
    while (!controller->ending) {
        int left = anything_runs(controller) || do_events_wait_elsewhere(controller);
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
    command_settled(controller, DAL_NOWHERE);
    dal__ranks_command(controller, DAL_COMMAND_TELL, 0);
    dal__ranks_ignore(controller);
}

static void lead_others(struct dal_controller *controller)
{
    lead(controller);
    if (!controller->lost)
        dal__ranks_command(controller, DAL_COMMAND_LEAVE, controller->error);
    report_events(controller);
}

/* Runs one rank of several. Messages then name the node. */
static int run_rank(struct dal_controller *controller)
{
    char *name;
    int status = dal__ranks_join(controller);
    if (status < 0)
        return status;
    name = dal_program_on(controller->runs.program, dal_nodes_name(controller->others));
    if (dal__ranks_first(controller))
        lead_others(controller);
    else
        dal__ranks_follow(controller);
    dal__ranks_leave(controller);
    dal_log_program(dal_program_base(controller->runs.program));
    dal_free(name);
    return controller->error;
}

int dal_controller_run(struct dal_controller *controller)
{
    if (controller->fsm->node_count > 1)
        return run_rank(controller);
    lead(controller);
    report_events(controller);
    return controller->error;
}

int dal_controller_check(struct dal_controller *controller)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < controller->fsm->application_count; i++)
        status = dal_application_try(&controller->applications[i]);
    return status;
}

int dal_controller_interrupt(struct dal_controller *controller)
{
    int times = atomic_fetch_add_explicit(&controller->interrupts, 1, memory_order_seq_cst) + 1;
    dal_wake_signal(&controller->events.wake);
    return times;
}

/* ---- making one ------------------------------------------------------------------------------ */

static struct dal_application *find_application(struct dal_controller *controller, const char *name,
                                                size_t length)
{
    for (int i = 0; i < controller->fsm->application_count; i++) {
        const char *other = controller->fsm->applications[i].name;
        if (strlen(other) == length && memcmp(other, name, length) == 0)
            return &controller->applications[i];
    }
    return NULL;
}

/* Gives "APPLICATION.PROCESS.NAME=VALUE" to its application. */
static int add_override(struct dal_controller *controller, const char *text)
{
    size_t length = strcspn(text, ".=");
    struct dal_application *application = find_application(controller, text, length);
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
    int status;
    controller->applications =
        dal_calloc((size_t)fsm->application_count + 1, sizeof(*controller->applications));
    controller->tallies = dal_calloc((size_t)fsm->event_count + 1, sizeof(*controller->tallies));
    if (!controller->applications || !controller->tallies)
        return no_memory();
    status = dal_events_init(&controller->events, fsm,
                             options->event_queue ? options->event_queue : USUAL_EVENTS);
    controller->has_events = status == DAL_OK;
    for (int i = 0; status == DAL_OK && i < fsm->application_count; i++) {
        struct dal_application *application = &controller->applications[i];
        application->desc = &fsm->applications[i];
        application->number = i;
        application->runs = &controller->runs;
        application->overrides =
            dal_calloc((size_t)options->override_count + 1, sizeof(*application->overrides));
        if (!application->overrides)
            status = no_memory();
    }
    for (int i = 0; status == DAL_OK && i < options->override_count; i++)
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
    controller->runs = (struct dal_runs){.strict = options->strict,
                                         .limits = options->limits,
                                         .events = &controller->events,
                                         .program = options->program};
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
    if (!controller)
        return;
    for (int i = 0; controller->applications && i < controller->fsm->application_count; i++) {
        dal_devices_close(controller->applications[i].devices);
        dal_free(controller->applications[i].overrides);
    }
    if (controller->has_events)
        dal_events_finish(&controller->events);
    dal_free(controller->applications);
    dal_free(controller->tallies);
    dal_free(controller);
}
