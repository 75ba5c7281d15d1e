#include "rt/app/ranks.h"

#include "rt/nodes/commands.h"
#include "rt/nodes/end.h"
#include "rt/nodes/meet.h"

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
    for (int i = 0; i < controller->fsm->application_count; i++)
        dal_application_break(&controller->applications[i], error);
}

/* Heeds interrupts. A rank that is not the first tells the first one. */
static void heed_interrupts(struct dal_controller *controller)
{
    int interrupts = atomic_load_explicit(&controller->interrupts, memory_order_seq_cst);
    if (dal__ranks_first(controller))
        controller->ending |= interrupts > 0;
    else if (interrupts > 0 && controller->heeded == 0)
        dal_command_interrupt(controller->others);
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
    controller->ending |= dal_command_interrupted(controller->others);
    for (int i = 1; i < controller->fsm->node_count; i++) {
        struct dal_notice notice;
        if (!dal_command_notice_of(controller->others, i, &number))
            continue;
        notice = unpack_notice(number);
        if (notice.event < 0)
            dal_events_end(&controller->events, notice.application);
        else if (dal_events_pass(&controller->events, notice.event) < 0)
            continue;
        dal_command_take_notice(controller->others, i);
    }
}

static void tell_notices(struct dal_controller *controller)
{
    struct dal_notice notice;
    if (dal_command_may_notify(controller->others) && dal_events_take(&controller->events, &notice))
        dal_command_notify(controller->others, pack_notice(&notice));
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
    if (dal__ranks_first(controller))
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
        dal_command_wait(controller->others, &controller->events.wake, sequence);
    else
        dal_wake_wait(&controller->events.wake, sequence, -1);
}

void dal__ranks_wait(struct dal_controller *controller,
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
    for (int i = 0; i < controller->fsm->application_count; i++)
        if (!dal_application_is_settled(&controller->applications[i]))
            return 0;
    return 1;
}

static int has_answers(struct dal_controller *controller)
{
    return controller->lost || dal_command_answered(controller->others);
}

void dal__ranks_ignore(struct dal_controller *controller)
{
    struct dal_notice notice;
    while (dal_events_take(&controller->events, &notice))
        if (notice.event >= 0)
            controller->tallies[notice.event].ignored++;
}

static int has_answers_at_end(struct dal_controller *controller)
{
    dal__ranks_ignore(controller);
    return has_answers(controller);
}

static int all_told(struct dal_controller *controller)
{
    return controller->lost ||
           (dal_command_may_notify(controller->others) && dal_events_are_none(&controller->events));
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Stops and pauses what a state, or DAL_NOWHERE, does not want to run. Returns when that is done.
 */
static void settle(struct dal_controller *controller, int number)
{
    const struct dal_state_desc *state =
        number == DAL_NOWHERE ? NULL : &controller->fsm->states[number];
    int count = controller->fsm->application_count;
    for (int i = 0; i < count; i++) {
        struct dal_application *application = &controller->applications[i];
        if (!state || state->wants[i] == DAL_APPLICATION_STOPPED)
            dal_application_stop(application);
        else if (state->wants[i] == DAL_APPLICATION_PAUSED)
            dal_application_pause(application);
    }
    dal__ranks_wait(controller, all_settled);
}

int dal__ranks_stopped(const struct dal_application *application)
{
    return application->network && application->wanted == DAL_APPLICATION_STOPPED;
}

static void collect(struct dal_controller *controller, int nothing)
{
    (void)nothing;
    for (int i = 0; i < controller->fsm->application_count; i++)
        if (dal__ranks_stopped(&controller->applications[i]))
            keep_error(controller, &controller->applications[i],
                       dal_application_join(&controller->applications[i]));
}

static void join(struct dal_controller *controller, int number)
{
    controller->applications[number].wanted = DAL_APPLICATION_STOPPED;
    collect(controller, 0);
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
static void enter_parts(struct dal_controller *controller, int number)
{
    const struct dal_state_desc *state = &controller->fsm->states[number];
    for (int i = 0; i < controller->fsm->application_count; i++) {
        if (controller->lost || (!controller->others && controller->error != DAL_OK))
            return;
        if (state->wants[i] == DAL_APPLICATION_RUNNING)
            start_or_resume(controller, &controller->applications[i]);
    }
}

static void tell(struct dal_controller *controller, int nothing)
{
    (void)nothing;
    if (!dal__ranks_first(controller))
        dal__ranks_wait(controller, all_told);
}

static void end_with(struct dal_controller *controller, int error)
{
    if (controller->error == DAL_OK)
        controller->error = error;
}

static void (*const performers[])(struct dal_controller *controller, int number) = {
    [DAL_COMMAND_SETTLE] = settle,     [DAL_COMMAND_COLLECT] = collect,
    [DAL_COMMAND_ENTER] = enter_parts, [DAL_COMMAND_JOIN] = join,
    [DAL_COMMAND_TELL] = tell,         [DAL_COMMAND_LEAVE] = end_with,
};

static void perform(struct dal_controller *controller, enum dal_command command, int number)
{
    if (performers[command])
        performers[command](controller, number);
}

/* Returns an answer. The high part is this rank's error. The low part tells whether notices wait,
 * or, for DAL_COMMAND_LEAVE, how many events no transition names. */
static uint64_t make_answer(struct dal_controller *controller, enum dal_command command)
{
    uint32_t low = command == DAL_COMMAND_LEAVE
                       ? (uint32_t)controller->events.unknown
                       : (uint32_t)!dal_events_are_none(&controller->events);
    return (uint64_t)(uint32_t)-controller->error << 32 | low;
}

/* Hears the answers of a command. The first error of any rank ends all. */
static void hear_answers(struct dal_controller *controller, enum dal_command command)
{
    controller->more = 0;
    for (int i = 1; !controller->lost && i < controller->fsm->node_count; i++) {
        uint64_t answer = dal_command_answer_of(controller->others, i);
        int error = -(int)(answer >> 32);
        controller->ending |= error < 0;
        if (controller->error == DAL_OK)
            controller->error = error;
        if (command == DAL_COMMAND_LEAVE)
            controller->unknown += (uint32_t)answer;
        else
            controller->more |= (uint32_t)answer != 0;
    }
}

/* Forgets the ends of runs that are over, which other ranks told. */
static void forget_ends(struct dal_controller *controller)
{
    for (int i = 0; i < controller->fsm->application_count; i++)
        if (!controller->applications[i].network)
            dal_events_forget(&controller->events, i);
}

void dal__ranks_command(struct dal_controller *controller, enum dal_command command, int number)
{
    int asks = controller->others && !controller->lost;
    if (asks) {
        dal_command_give(controller->others, (uint64_t)command << 32 | (uint32_t)number);
        if (controller->others->status < 0)
            lose_others(controller);
    }
    perform(controller, command, number);
    if (!asks)
        return;
    dal__ranks_wait(controller, command == DAL_COMMAND_TELL ? has_answers_at_end : has_answers);
    hear_answers(controller, command);
    forget_ends(controller);
}

/* ---- several ranks --------------------------------------------------------------------------- */

/* Gives each application a link of its own, in the same order on all ranks. */
static void link_applications(struct dal_controller *controller)
{
    for (int i = 0; i < controller->fsm->application_count && !controller->lost; i++) {
        struct dal_application *application = &controller->applications[i];
        if (dal_nodes_duplicate(controller->others, 1 + i, &application->link) < 0)
            lose_others(controller);
    }
}

int dal__ranks_join(struct dal_controller *controller)
{
    const struct dal_fsm *fsm = controller->fsm;
    int status;
    controller->meeting = (struct dal_net){.version = fsm->version,
                                           .name = fsm->name,
                                           .nodes = fsm->nodes,
                                           .node_count = fsm->node_count,
                                           .transport = fsm->transport};
    status =
        dal_nodes_join(&controller->others, &controller->meeting, NULL, controller->runs.program);
    if (status == DAL_OK)
        link_applications(controller);
    return status;
}

static int has_command(struct dal_controller *controller)
{
    return controller->lost || dal_command_is_given(controller->others);
}

void dal__ranks_follow(struct dal_controller *controller)
{
    enum dal_command command = DAL_COMMAND_SETTLE;
    while (command != DAL_COMMAND_LEAVE) {
        uint64_t number;
        dal__ranks_wait(controller, has_command);
        if (controller->lost)
            break;
        number = dal_command_take(controller->others);
        command = (enum dal_command)(number >> 32);
        perform(controller, command, (int)(uint32_t)number);
        dal_command_answer(controller->others, make_answer(controller, command));
    }
    if (!controller->lost)
        return;
    settle(controller, DAL_NOWHERE);
    collect(controller, 0);
}

void dal__ranks_leave(struct dal_controller *controller)
{
    dal_nodes_leave(controller->others, controller->lost ? controller->error : DAL_OK);
    controller->error = dal_nodes_verdict(controller->others, controller->error);
    dal_nodes_destroy(controller->others);
    controller->others = NULL;
}
