#include "rt/app/controller.h"

#include "rt/app/application.h"
#include "rt/app/names.h"
#include "rt/base/alloc.h"
#include "rt/control/events.h"
#include "rt/devices/devices.h"
#include "rt/nodes/end.h"
#include "rt/nodes/meet.h"
#include "rt/nodes/commands.h"
#include "rt/observe/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { USUAL_EVENTS = 1024 };

/* Orders that all ranks carry out together. Each comes with the number of a state or of an
 * application. */
enum order {
    SETTLE,  /* stop and pause what the state (NOWHERE: none) does not want to run */
    COLLECT, /* join and report what was stopped, on all ranks */
    ENTER,   /* start and resume what the state wants to run */
    JOIN,    /* join the application, which has ended by itself */
    ASK,     /* tell whether notices wait */
    TELL,    /* tell all notices */
    LEAVE,   /* end the program with the error */
};
enum { NOWHERE = -1 };

/* Counts of an event, taken and ignored. */
struct tally {
    uint64_t taken, ignored;
};

struct dal_controller {
    const struct dal_fsm *fsm;
    struct dal_runs runs;
    struct dal_events events;
    int has_events;
    struct dal_application *applications;
    struct tally *tallies; /* by event */
    uint64_t unknown;      /* events on other ranks that no transition names */
    int state;
    int ending;
    int error; /* the first */
    _Atomic int interrupts;
    int heeded;               /* how many were acted on */
    struct dal_net meeting;   /* a network of the ranks, without processes */
    struct dal_nodes *others; /* link to the controllers of other ranks; NULL with one rank */
    int lost;                 /* True when a rank, or the way to it, is lost. */
    int more;                 /* True when notices wait on another rank, by its last answer. */
};

static int no_memory(void)
{
    dal_log(DAL_LOG_ERROR, "no memory for the controller");
    return DAL_ERR_NOMEM;
}

static int is_first(const struct dal_controller *controller)
{
    return !controller->others || controller->others->link->rank == 0;
}

/* ---- looking --------------------------------------------------------------------------------- */

static void keep_error(struct dal_controller *controller, const struct dal_application *application,
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

static void break_all(struct dal_controller *controller, int error)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++)
        dal_application_break(&controller->applications[i], error);
}

/* Heeds interrupts. A rank that is not the first tells the first one. */
static void heed_interrupts(struct dal_controller *controller)
{
    int interrupts = atomic_load_explicit(&controller->interrupts, memory_order_seq_cst);
    if (is_first(controller))
        controller->ending |= interrupts > 0;
    else if (interrupts > 0 && controller->heeded == 0)
        dal_orders_interrupt(controller->others);
    if (interrupts > 1 && controller->heeded < 2)
        break_all(controller, DAL_ERR_INTERRUPTED);
    controller->heeded = interrupts;
}

/* Turn a notice into a number, and back. */
static uint64_t pack_notice(const struct dal_notice *notice)
{
    return (uint64_t)(uint32_t)notice->event << 32 | (uint32_t)notice->application;
}

static struct dal_notice unpack_notice(uint64_t number)
{
    return (struct dal_notice){(int)(uint32_t)(number >> 32), (int)(uint32_t)number};
}

/* Collects the other ranks' notices. A notice stays at its rank while there is no room for it
 * here. */
static void collect_notices(struct dal_controller *controller)
{
    uint64_t number;
    int i;
    controller->ending |= dal_orders_interrupted(controller->others);
    for (i = 1; i < controller->fsm->node_count; i++) {
        struct dal_notice notice;
        if (!dal_orders_notice_of(controller->others, i, &number))
            continue;
        notice = unpack_notice(number);
        if (notice.event < 0)
            dal_events_end(&controller->events, notice.application);
        else if (dal_events_pass(&controller->events, notice.event) < 0)
            continue;
        dal_orders_take_notice(controller->others, i);
    }
}

static void tell_notices(struct dal_controller *controller)
{
    struct dal_notice notice;
    if (dal_orders_may_notify(controller->others) && dal_events_take(&controller->events, &notice))
        dal_orders_notify(controller->others, pack_notice(&notice));
}

/* Ends the program, since another rank has ended early or cannot be reached. */
static void lose_others(struct dal_controller *controller)
{
    controller->lost = controller->ending = 1;
    if (controller->error == DAL_OK)
        controller->error = DAL_ERR_NODE;
    break_all(controller, DAL_ERR_NODE);
}

/* Takes what comes from elsewhere: interrupts, notices, lost ranks. */
static void look_around(struct dal_controller *controller)
{
    heed_interrupts(controller);
    if (!controller->others || controller->lost)
        return;
    if (is_first(controller))
        collect_notices(controller);
    else
        tell_notices(controller);
    if (controller->others->status < 0)
        lose_others(controller);
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Waits, after dal_wake_prepare() and a look. */
static void wait_for_change(struct dal_controller *controller, uint32_t sequence)
{
    if (controller->others && !controller->lost)
        dal_orders_wait(controller->others, &controller->events.wake, sequence);
    else
        dal_wake_wait(&controller->events.wake, sequence, -1);
}

static void wait_until(struct dal_controller *controller,
                       int (*is_so)(struct dal_controller *controller))
{
    for (;;) {
        uint32_t sequence = dal_wake_prepare(&controller->events.wake);
        look_around(controller);
        if (is_so(controller))
            break;
        wait_for_change(controller, sequence);
    }
    dal_wake_cancel(&controller->events.wake);
}

static int all_settled(struct dal_controller *controller)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++)
        if (!dal_application_is_settled(&controller->applications[i]))
            return 0;
    return 1;
}

static int has_answers(struct dal_controller *controller)
{
    return controller->lost || dal_orders_answered(controller->others);
}

/* Ignores events: the program is ending, and they change nothing any more. */
static void ignore_events(struct dal_controller *controller)
{
    struct dal_notice notice;
    while (dal_events_take(&controller->events, &notice))
        if (notice.event >= 0)
            controller->tallies[notice.event].ignored++;
}

static int has_answers_at_end(struct dal_controller *controller)
{
    ignore_events(controller);
    return has_answers(controller);
}

static int all_told(struct dal_controller *controller)
{
    return controller->lost ||
           (dal_orders_may_notify(controller->others) && dal_events_are_none(&controller->events));
}

static int has_notice(struct dal_controller *controller)
{
    return controller->ending || !dal_events_are_none(&controller->events);
}

/* Waits for the next notice. Returns 0 when the program is ending instead. */
static int wait_for_notice(struct dal_controller *controller, struct dal_notice *notice)
{
    wait_until(controller, has_notice);
    return !controller->ending && dal_events_take(&controller->events, notice);
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* Stops and pauses what a state (NULL: none) does not want to run. Returns when that is done. */
static void settle(struct dal_controller *controller, const struct dal_state_desc *state)
{
    int i, count = controller->fsm->application_count;
    for (i = 0; i < count; i++) {
        struct dal_application *application = &controller->applications[i];
        if (!state || state->wants[i] == DAL_APPLICATION_STOPPED)
            dal_application_stop(application);
        else if (state->wants[i] == DAL_APPLICATION_PAUSED)
            dal_application_pause(application);
    }
    wait_until(controller, all_settled);
}

static int is_stopped(const struct dal_application *application)
{
    return application->network && application->wanted == DAL_APPLICATION_STOPPED;
}

static void collect(struct dal_controller *controller)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++)
        if (is_stopped(&controller->applications[i]))
            keep_error(controller, &controller->applications[i],
                       dal_application_join(&controller->applications[i]));
}

static void join(struct dal_controller *controller, int number)
{
    controller->applications[number].wanted = DAL_APPLICATION_STOPPED;
    collect(controller);
}

/* Starts or resumes an application. Without memory the other ranks may never hear of it and would
 * wait for it, so they are lost. */
static void start_or_resume(struct dal_controller *controller, struct dal_application *application)
{
    int error = DAL_OK;
    if (!application->network)
        error = dal_application_start(application);
    else if (application->wanted == DAL_APPLICATION_PAUSED)
        dal_application_resume(application);
    application->wanted = DAL_APPLICATION_RUNNING;
    keep_error(controller, application, error);
    if (error == DAL_ERR_NOMEM && controller->others)
        lose_others(controller);
}

/* Starts and resumes what a state wants. All ranks try the same, even if one fails. */
static void enter_parts(struct dal_controller *controller, const struct dal_state_desc *state)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++) {
        if (controller->lost || (!controller->others && controller->error != DAL_OK))
            return;
        if (state->wants[i] == DAL_APPLICATION_RUNNING)
            start_or_resume(controller, &controller->applications[i]);
    }
}

static void tell(struct dal_controller *controller)
{
    if (!is_first(controller))
        wait_until(controller, all_told);
}

static void perform(struct dal_controller *controller, enum order order, int number)
{
    const struct dal_fsm *fsm = controller->fsm;
    if (order == SETTLE)
        settle(controller, number == NOWHERE ? NULL : &fsm->states[number]);
    else if (order == COLLECT)
        collect(controller);
    else if (order == ENTER)
        enter_parts(controller, &fsm->states[number]);
    else if (order == JOIN)
        join(controller, number);
    else if (order == TELL)
        tell(controller);
    else if (order == LEAVE && controller->error == DAL_OK)
        controller->error = number;
}

/* Returns an answer. The high part is this rank's error. The low part tells whether notices wait,
 * or, for LEAVE, how many events no transition names. */
static uint64_t make_answer(struct dal_controller *controller, enum order order)
{
    uint32_t low = order == LEAVE ? (uint32_t)controller->events.unknown
                                  : (uint32_t)!dal_events_are_none(&controller->events);
    return (uint64_t)(uint32_t)-controller->error << 32 | low;
}

/* Hears the answers of an order. The first error of any rank ends all. */
static void hear_answers(struct dal_controller *controller, enum order order)
{
    int i;
    controller->more = 0;
    for (i = 1; !controller->lost && i < controller->fsm->node_count; i++) {
        uint64_t answer = dal_orders_answer_of(controller->others, i);
        int error = -(int)(answer >> 32);
        controller->ending |= error < 0;
        if (controller->error == DAL_OK)
            controller->error = error;
        if (order == LEAVE)
            controller->unknown += (uint32_t)answer;
        else
            controller->more |= (uint32_t)answer != 0;
    }
}

/* Forgets the ends of runs that are over, which other ranks told. */
static void forget_ends(struct dal_controller *controller)
{
    int i;
    for (i = 0; i < controller->fsm->application_count; i++)
        if (!controller->applications[i].network)
            dal_events_forget(&controller->events, i);
}

/* Gives an order to all ranks and carries it out, from the first rank. Once the others are lost,
 * only this rank carries it out. */
static void order(struct dal_controller *controller, enum order order, int number)
{
    int asks = controller->others && !controller->lost;
    if (asks) {
        dal_orders_give(controller->others, (uint64_t)order << 32 | (uint32_t)number);
        if (controller->others->status < 0)
            lose_others(controller);
    }
    perform(controller, order, number);
    if (!asks)
        return;
    wait_until(controller, order == TELL ? has_answers_at_end : has_answers);
    hear_answers(controller, order);
    forget_ends(controller);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void order_settled(struct dal_controller *controller, int number)
{
    int i, some = 0;
    order(controller, SETTLE, number);
    for (i = 0; i < controller->fsm->application_count; i++)
        some |= is_stopped(&controller->applications[i]);
    if (some)
        order(controller, COLLECT, 0);
}

static void enter_state(struct dal_controller *controller, int number)
{
    controller->state = number;
    order_settled(controller, number);
    if (!controller->ending)
        order(controller, ENTER, number);
    controller->ending |= controller->fsm->states[number].end;
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

/* Takes an end: an application has ended by itself, on this rank or another one. */
static void take_end(struct dal_controller *controller, struct dal_application *application)
{
    const struct dal_fsm *fsm = controller->fsm;
    int i;
    if (++application->ends < fsm->node_count)
        return;
    if (application->wanted == DAL_APPLICATION_PAUSED && application->error == DAL_OK) {
        application->held = 1;
        return;
    }
    order(controller, JOIN, application->number);
    for (i = 0; !controller->ending && i < fsm->event_count; i++)
        if (fsm->events[i].application == application->number)
            take_event(controller, i);
}

/* Returns whether an event could still come. An application that counts as running has not told of
 * its end yet. */
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
    order(controller, ASK, 0);
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
    order_settled(controller, NOWHERE);
    order(controller, TELL, 0);
    ignore_events(controller);
}

/* ---- several ranks --------------------------------------------------------------------------- */

static int join_others(struct dal_controller *controller)
{
    const struct dal_fsm *fsm = controller->fsm;
    controller->meeting = (struct dal_net){.version = fsm->version,
                                           .name = fsm->name,
                                           .nodes = fsm->nodes,
                                           .node_count = fsm->node_count,
                                           .transport = fsm->transport};
    return dal_nodes_join(&controller->others, &controller->meeting, NULL,
                          controller->runs.program);
}

/* Gives each application a link of its own, in the same order on all ranks. */
static void link_applications(struct dal_controller *controller)
{
    int i;
    for (i = 0; i < controller->fsm->application_count && !controller->lost; i++) {
        struct dal_application *application = &controller->applications[i];
        if (dal_nodes_duplicate(controller->others, 1 + i, &application->link) < 0)
            lose_others(controller);
    }
}

static int has_order(struct dal_controller *controller)
{
    return controller->lost || dal_orders_is_given(controller->others);
}

/* Carries out the first rank's orders, on the other ranks. */
static void follow(struct dal_controller *controller)
{
    enum order order = SETTLE;
    while (order != LEAVE) {
        uint64_t number;
        wait_until(controller, has_order);
        if (controller->lost)
            break;
        number = dal_orders_take(controller->others);
        order = (enum order)(number >> 32);
        perform(controller, order, (int)(uint32_t)number);
        dal_orders_answer(controller->others, make_answer(controller, order));
    }
    if (!controller->lost)
        return;
    settle(controller, NULL);
    collect(controller);
}

static void leave_others(struct dal_controller *controller)
{
    dal_nodes_leave(controller->others, controller->lost ? controller->error : DAL_OK);
    controller->error = dal_nodes_verdict(controller->others, controller->error);
    dal_nodes_destroy(controller->others);
    controller->others = NULL;
}

static void lead_others(struct dal_controller *controller)
{
    lead(controller);
    if (!controller->lost)
        order(controller, LEAVE, controller->error);
    report_events(controller);
}

/* Runs one rank of several. Messages then name the node. */
static int run_rank(struct dal_controller *controller)
{
    char *name;
    int status = join_others(controller);
    if (status < 0)
        return status;
    name = dal_program_on(controller->runs.program, dal_nodes_name(controller->others));
    link_applications(controller);
    if (is_first(controller))
        lead_others(controller);
    else
        follow(controller);
    leave_others(controller);
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
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < controller->fsm->application_count; i++)
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
    int i;
    for (i = 0; i < controller->fsm->application_count; i++) {
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
        struct dal_application *application = &controller->applications[i];
        application->desc = &fsm->applications[i];
        application->number = i;
        application->runs = &controller->runs;
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
    int i;
    if (!controller)
        return;
    for (i = 0; controller->applications && i < controller->fsm->application_count; i++) {
        dal_devices_close(controller->applications[i].devices);
        dal_free(controller->applications[i].overrides);
    }
    if (controller->has_events)
        dal_events_finish(&controller->events);
    dal_free(controller->applications);
    dal_free(controller->tallies);
    dal_free(controller);
}
