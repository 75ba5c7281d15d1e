/*
 * The controller without dalsynth: two applications of a source and a sink each, in hand-written
 * tables, led through states by what they send and by how they end. They watch each other through
 * the variables below.
 */
#include "rt/app/controller.h"
#include "rt/base/alloc.h"
#include "rt/control/events.h"
#include "rt/host/process.h"

#include "test/capture.h"
#include "test/suite.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { A, B, APPLICATIONS };
#define STOPPED DAL_APPLICATION_STOPPED
#define RUN     DAL_APPLICATION_RUNNING
#define PAUSE   DAL_APPLICATION_PAUSED

/* What the source of an application does, and what has been seen of it. */
static struct script {
    long tokens;                          /* sent before it ends by itself; LONG_MAX: endless */
    long event_at;                        /* token with which an event is sent */
    const char *event, *then;             /* or NULL; the second right behind the first */
    int fails;                            /* with that token */
    int holds;                            /* finish of the sink waits for `released` or a break */
    void (*watch)(void), (*at_end)(void); /* called by init and finish of the source */
    _Atomic long inits, finishes, sent, received, wrong;
} script[APPLICATIONS];

static _Atomic long frozen, moved, draining, released, refused;

struct _local_states {
    long next;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};

static struct script *script_of(DALProcess *p)
{
    return &script[DAL_getIndex(0, p)];
}

static struct dal_control *control_of(DALProcess *p)
{
    return ((struct dal_activation *)p->wptr)->process->control;
}

static void source_init(DALProcess *p)
{
    struct script *own = script_of(p);
    own->inits++;
    if (own->watch)
        own->watch();
}

static int source_fire(DALProcess *p)
{
    struct script *own = script_of(p);
    long number = p->local->next++;
    DAL_write("out", &number, sizeof(number), p);
    own->sent++;
    if (own->event && number == own->event_at)
        DAL_send_event((void *)(uintptr_t)own->event, p);
    if (own->then && number == own->event_at)
        DAL_send_event((void *)(uintptr_t)own->then, p);
    if (own->fails && number == own->event_at)
        DAL_fail(p, "as it was told to");
    if (own->tokens == LONG_MAX)
        usleep(20);
    return p->local->next >= own->tokens;
}

static void source_finish(DALProcess *p)
{
    struct script *own = script_of(p);
    if (own->at_end)
        own->at_end();
    own->finishes++;
}

static int sink_fire(DALProcess *p)
{
    struct script *own = script_of(p);
    long number = -1;
    DAL_read("in", &number, sizeof(number), p);
    own->wrong += number != p->local->next++;
    own->received++;
    return 0;
}

static void sink_finish(DALProcess *p)
{
    struct script *own = script_of(p);
    while (own->holds && !released && !dal_control_broken(control_of(p))) {
        draining = 1;
        usleep(100);
    }
    own->finishes++;
}

static void run_source(DALProcess *p, struct dal_activation *a)
{
    static const struct dal_unit_port port = {.bytes = sizeof(long), .must = sizeof(long)};
    struct dal_window window;
    unsigned char *first;
    dal_unit_run(p, a, p->fire, &port, 1, &window, &first);
}

static void run_sink(DALProcess *p, struct dal_activation *a)
{
    static const struct dal_unit_port port = {.bytes = sizeof(long)};
    struct dal_window window;
    unsigned char *first;
    dal_unit_run(p, a, p->fire, &port, 1, &window, &first);
}

static const struct dal_code source_code = {.state = &state,
                                            .init = source_init,
                                            .fire = source_fire,
                                            .finish = source_finish,
                                            .run = run_source};
static const struct dal_code sink_code = {
    .state = &state, .fire = sink_fire, .finish = sink_finish, .run = run_sink};

static const struct dal_processor_desc cores[] = {
    {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "core_1", .kind = DAL_PROCESSOR_CORE, .core = -1}};
static const int numbers[] = {0, 1};
static const struct dal_port_desc out = {.name = "out", .output = 1, .rate = 1};
static const struct dal_port_desc in = {.name = "in", .rate = 1};
static const struct dal_parameter_desc gain = {.name = "gain", .value = "1"};
static const struct dal_channel_desc channel = {.name = "c",
                                                .kind = DAL_CHANNEL_CORES,
                                                .producer = 0,
                                                .consumer = 1,
                                                .capacity = 16,
                                                .token_bytes = sizeof(long),
                                                .rate_in = 1,
                                                .rate_out = 1};

#define PROCESS(role, number, core)                                                                \
    {                                                                                              \
        .name = #role, .base = #role, .processors = &numbers[core], .processor_count = 1,          \
        .code = &role##_code, .block = 4, .shadow_copies = 1, .port_count = 1,                     \
        .ports = &role##_code == &source_code ? &out : &in, .parameters = &gain,                   \
        .parameter_count = 1, .index = &numbers[number], .index_count = 1                          \
    }
#define NET(number, core)                                                                          \
    {                                                                                              \
        .version = DAL_NET_VERSION, .name = #number, .processors = cores, .processor_count = 2,    \
        .process_count = 2, .channels = &channel, .channel_count = 1, .queue.depth = 4,            \
        .queue.policy = "fcfs", .processes = (const struct dal_process_desc[])                     \
        {                                                                                          \
            PROCESS(source, number, 0), PROCESS(sink, number, core)                                \
        }                                                                                          \
    }

/* The first on one core, the second on two. */
static const struct dal_net nets[] = {NET(A, 0), NET(B, 1)};
static const struct dal_application_desc applications[] = {{.name = "A", .net = &nets[A]},
                                                           {.name = "B", .net = &nets[B]}};

enum { GO, ON, A_FINISHED, B_FINISHED };
static const struct dal_event_desc events[] = {
    {.name = "go", .application = -1},
    {.name = "on", .application = -1},
    {.name = "A.finished", .application = A},
    {.name = "B.finished", .application = B},
};

static const enum dal_application_status only_a[] = {RUN, STOPPED}, only_b[] = {STOPPED, RUN},
                                         both[] = {RUN, RUN}, b_beside[] = {PAUSE, RUN},
                                         none[] = {STOPPED, STOPPED};

/* A machine of these states and transitions, from state 0. */
#define MACHINE(states_, transitions_)                                                             \
    {                                                                                              \
        .version = DAL_NET_VERSION, .name = "machine", .applications = applications,               \
        .application_count = APPLICATIONS, .events = events, .event_count = 4, .states = states_,  \
        .state_count = sizeof(states_) / sizeof((states_)[0]), .transitions = transitions_,        \
        .transition_count = sizeof(transitions_) / sizeof((transitions_)[0])                       \
    }

static void reset(void)
{
    memset(script, 0, sizeof(script));
    script[A].tokens = script[B].tokens = 200;
    frozen = moved = draining = released = refused = 0;
}

static int run_machine(const struct dal_fsm *fsm, size_t event_queue)
{
    const struct dal_controller_options options = {.event_queue = event_queue};
    struct dal_controller *controller;
    int status = dal_controller_create(&controller, fsm, &options);
    if (status == DAL_OK)
        status = dal_controller_run(controller);
    dal_controller_destroy(controller);
    return status;
}

/* So many runs; all that was sent has arrived, and every process has finished. */
static void check_runs(int application, long runs)
{
    const struct script *one = &script[application];
    CU_ASSERT_EQUAL(one->inits, runs);
    CU_ASSERT_EQUAL(one->finishes, 2 * runs);
    CU_ASSERT_EQUAL(one->received, one->sent);
    CU_ASSERT_EQUAL(one->wrong, 0);
}

static void ends_by_itself(void)
{
    static const struct dal_state_desc states[] = {{.name = "all", .wants = both}};
    static const struct dal_transition_desc loop[] = {{0, 0, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, loop);
    reset();
    CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_OK);
    check_runs(A, 1);
    check_runs(B, 1);
    CU_ASSERT_EQUAL(script[A].received, 200);
}

static void see_a_finished(void)
{
    moved += script[A].finishes != 2;
}

static void one_after_the_other(void)
{
    static const struct dal_state_desc states[] = {{.name = "first", .wants = only_a},
                                                   {.name = "then", .wants = only_b},
                                                   {.name = "end", .wants = none, .end = 1}};
    static const struct dal_transition_desc on[] = {{0, 1, A_FINISHED, {0}},
                                                    {1, 2, B_FINISHED, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    reset();
    script[B].watch = see_a_finished;
    CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_OK);
    check_runs(A, 1);
    check_runs(B, 1);
    CU_ASSERT_EQUAL(moved, 0);
}

static void note_a(void)
{
    frozen = script[A].sent + 1000000 * script[A].received;
}

static void compare_a(void)
{
    usleep(2000);
    moved += frozen != script[A].sent + 1000000 * script[A].received;
    script[A].event = "on";
    script[A].event_at = script[A].sent + 100;
}

/* A is paused while B runs, goes on where it was, and is stopped. */
static void paused(void)
{
    static const struct dal_state_desc states[] = {{.name = "a", .wants = only_a},
                                                   {.name = "b", .wants = b_beside},
                                                   {.name = "again", .wants = only_a},
                                                   {.name = "end", .wants = none, .end = 1}};
    static const struct dal_transition_desc on[] = {
        {0, 1, GO, {0}}, {1, 2, B_FINISHED, {0}}, {2, 3, ON, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    for (int round = 0; round < 20; round++) {
        reset();
        script[A].tokens = LONG_MAX;
        script[A].event = "go";
        script[A].event_at = 10 * round;
        script[B].watch = note_a;
        script[B].at_end = compare_a;
        CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_OK);
        check_runs(A, 1);
        check_runs(B, 1);
        CU_ASSERT_EQUAL(moved, 0);
        CU_ASSERT(script[A].sent >= 100 + frozen % 1000000);
    }
}

static void end_third_run(void)
{
    if (script[A].inits == 3)
        script[A].event = "go";
}

/* Started anew at each of its ends: with a state of its own, from 0. */
static void started_again(void)
{
    static const struct dal_state_desc states[] = {{.name = "again", .wants = only_a},
                                                   {.name = "end", .wants = none, .end = 1}};
    static const struct dal_transition_desc on[] = {{0, 0, A_FINISHED, {0}}, {0, 1, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    reset();
    script[A].watch = end_third_run;
    script[A].event_at = 5;
    CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_OK);
    check_runs(A, 3);
}

/* B sends A away and goes on. */
static void stopped(void)
{
    static const struct dal_state_desc states[] = {{.name = "both", .wants = both},
                                                   {.name = "b", .wants = only_b}};
    static const struct dal_transition_desc on[] = {{0, 1, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    reset();
    script[A].tokens = LONG_MAX;
    script[B].tokens = 2000;
    script[B].event = "go";
    script[B].event_at = 1000;
    CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_OK);
    check_runs(A, 1);
    check_runs(B, 1);
    CU_ASSERT_EQUAL(script[B].received, 2000);
}

/* It may have ended by itself before it is paused; in both cases that is told after it has been
 * resumed, and it is not started again. */
static void ends_while_paused(void)
{
    static const struct dal_state_desc states[] = {{.name = "a", .wants = only_a},
                                                   {.name = "b", .wants = b_beside},
                                                   {.name = "again", .wants = only_a},
                                                   {.name = "both", .wants = both}};
    static const struct dal_transition_desc on[] = {
        {0, 1, GO, {0}}, {1, 2, B_FINISHED, {0}}, {2, 3, A_FINISHED, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    for (int round = 0; round < 50; round++) {
        reset();
        script[A].event = "go";
        script[A].event_at = 199 - round % 10;
        CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_OK);
        check_runs(A, 2);
        check_runs(B, 2);
    }
}

/* Nothing can lead on from a pause: that is told, the program ends all the same, and what waits is
 * sent on. */
static void paused_for_good(void)
{
    static const struct dal_state_desc states[] = {{.name = "a", .wants = only_a},
                                                   {.name = "b", .wants = b_beside}};
    static const struct dal_transition_desc on[] = {{0, 1, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    struct capture capture;
    const char *said;
    int status;
    reset();
    script[A].tokens = LONG_MAX;
    script[A].event = "go";
    CU_ASSERT_EQUAL_FATAL(capture_begin(&capture), 0);
    status = run_machine(&fsm, 0);
    said = capture_end(&capture);
    CU_ASSERT_EQUAL(status, DAL_OK);
    CU_ASSERT_STRING_EQUAL(said, "dal: warning: application A is paused in state b and nothing is "
                                 "left that could resume it; it is stopped\n");
    capture_finish(&capture);
    check_runs(A, 1);
    check_runs(B, 1);
}

/* What was sent before all have stopped is taken in the state in which nothing runs. */
static void sent_before_the_stop(void)
{
    static const struct dal_state_desc states[] = {{.name = "a", .wants = only_a},
                                                   {.name = "between", .wants = none},
                                                   {.name = "b", .wants = only_b}};
    static const struct dal_transition_desc on[] = {{0, 1, GO, {0}}, {1, 2, ON, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    reset();
    script[A].tokens = LONG_MAX;
    script[A].event = "go";
    script[A].then = "on";
    CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_OK);
    check_runs(A, 1);
    check_runs(B, 1);
    CU_ASSERT_EQUAL(script[B].received, 200);
}

static int take_notice(struct dal_events *queue)
{
    struct dal_notice notice = {.event = -2};
    CU_ASSERT(dal_events_take(queue, &notice));
    return notice.event;
}

/* Events and ends are taken as they came; ends have room where events have none. */
static void in_order(void)
{
    static const struct dal_state_desc states[] = {{.name = "both", .wants = both}};
    static const struct dal_transition_desc loop[] = {{0, 0, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, loop);
    struct dal_events queue;
    CU_ASSERT_EQUAL_FATAL(dal_events_init(&queue, &fsm, 3), DAL_OK);
    CU_ASSERT_EQUAL(dal_events_send(&queue, "on", "A", "source"), DAL_OK);
    CU_ASSERT_EQUAL(dal_events_send(&queue, "go", "A", "source"), DAL_OK);
    dal_events_end(&queue, A);
    CU_ASSERT_EQUAL(dal_events_send(&queue, "on", "B", "source"), DAL_OK);
    dal_events_end(&queue, B);
    CU_ASSERT_EQUAL(take_notice(&queue), ON);
    CU_ASSERT_EQUAL(take_notice(&queue), GO);
    CU_ASSERT_EQUAL(dal_events_send(&queue, "go", "B", "source"), DAL_OK);
    dal_events_forget(&queue, A);
    CU_ASSERT_EQUAL(take_notice(&queue), ON);
    CU_ASSERT_EQUAL(take_notice(&queue), -1);
    CU_ASSERT_EQUAL(take_notice(&queue), GO);
    CU_ASSERT(dal_events_are_none(&queue));
    dal_events_finish(&queue);
}

static void failing(void)
{
    static const struct dal_state_desc states[] = {{.name = "both", .wants = both},
                                                   {.name = "b", .wants = b_beside}};
    static const struct dal_transition_desc on[] = {{0, 1, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    for (int round = 0; round < 2; round++) { /* beside a running one, beside a paused one */
        reset();
        script[A].tokens = LONG_MAX;
        script[A].event = round ? "go" : NULL;
        script[B].fails = 1;
        script[B].event_at = 150;
        CU_ASSERT_EQUAL(run_machine(&fsm, 0), DAL_ERR_PROCESS);
        check_runs(A, 1);
        CU_ASSERT_EQUAL(script[B].finishes, 2);
    }
}

/* Calls for an end once, or until it comes. */
struct interrupter {
    struct dal_controller *controller;
    int times;
};

static void *interrupt(void *argument)
{
    struct interrupter *interrupter = argument;
    while (script[A].received < 20)
        usleep(100);
    for (int i = 0; i < interrupter->times; i++) {
        dal_controller_interrupt(interrupter->controller);
        while (interrupter->times > 1 && !draining)
            usleep(100);
    }
    return NULL;
}

static int run_interrupted(const struct dal_fsm *fsm, int times)
{
    const struct dal_controller_options options = {0};
    struct interrupter interrupter = {.times = times};
    pthread_t thread;
    int status;
    CU_ASSERT_EQUAL_FATAL(dal_controller_create(&interrupter.controller, fsm, &options), DAL_OK);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, interrupt, &interrupter), 0);
    status = dal_controller_run(interrupter.controller);
    pthread_join(thread, NULL);
    dal_controller_destroy(interrupter.controller);
    return status;
}

static void interrupted(void)
{
    static const struct dal_state_desc states[] = {{.name = "both", .wants = both},
                                                   {.name = "b", .wants = b_beside}};
    static const struct dal_transition_desc on[] = {{0, 1, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    reset();
    script[A].tokens = script[B].tokens = LONG_MAX;
    CU_ASSERT_EQUAL(run_interrupted(&fsm, 1), DAL_OK);
    check_runs(A, 1);
    check_runs(B, 1);
    reset();
    script[A].tokens = script[B].tokens = LONG_MAX;
    script[A].event = "go"; /* A is paused when the interrupt comes */
    script[A].event_at = 30;
    CU_ASSERT_EQUAL(run_interrupted(&fsm, 1), DAL_OK);
    check_runs(A, 1);
    check_runs(B, 1);
}

static void interrupted_twice(void)
{
    static const struct dal_state_desc states[] = {{.name = "both", .wants = both}};
    static const struct dal_transition_desc loop[] = {{0, 0, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, loop);
    reset();
    script[A].tokens = script[B].tokens = LONG_MAX;
    script[B].holds = 1;
    CU_ASSERT_EQUAL(run_interrupted(&fsm, 2), DAL_ERR_INTERRUPTED);
    CU_ASSERT_EQUAL(script[A].finishes, 2);
    CU_ASSERT_EQUAL(script[B].finishes, 2);
}

/* While B drains, which it does not before it is released, the queue of A's events overflows. */
static int flooding_fire(DALProcess *p)
{
    long number = p->local->next++;
    int sent = 0;
    DAL_write("out", &number, sizeof(number), p);
    script[A].sent++;
    if (number > 0)
        return 0;
    sent += DAL_send_event((void *)(uintptr_t) "go", p);
    while (!draining)
        usleep(100);
    for (int i = 0; i < 4; i++)
        sent += DAL_send_event((void *)(uintptr_t) "on", p);
    CU_ASSERT_EQUAL(sent, 0);
    CU_ASSERT_EQUAL(DAL_send_event((void *)(uintptr_t) "nothing", p), 0);
    refused = DAL_send_event((void *)(uintptr_t) "on", p) == -1;
    released = 1;
    return 0;
}

static void overflow(void)
{
    static const struct dal_state_desc states[] = {{.name = "both", .wants = both},
                                                   {.name = "a", .wants = only_a}};
    static const struct dal_transition_desc on[] = {{0, 1, GO, {0}}, {1, 1, ON, {0}}};
    static const struct dal_code flood = {
        .state = &state, .fire = flooding_fire, .finish = source_finish, .run = run_source};
    struct dal_process_desc processes[2] = {nets[A].processes[0], nets[A].processes[1]};
    struct dal_application_desc own[APPLICATIONS] = {applications[A], applications[B]};
    struct dal_net net = nets[A];
    struct dal_fsm fsm = MACHINE(states, on);
    processes[0].code = &flood;
    net.processes = processes;
    own[A].net = &net;
    fsm.applications = own;
    reset();
    script[B].tokens = LONG_MAX;
    script[B].holds = 1;
    CU_ASSERT_EQUAL(run_machine(&fsm, 4), DAL_ERR_PROCESS);
    CU_ASSERT_EQUAL(refused, 1);
    check_runs(B, 1);
}

/* Every allocation fails once: those of the controller, of the first run, and of a start in the
 * middle. What has been started finishes. */
static void out_of_memory(void)
{
    static const struct dal_state_desc states[] = {{.name = "a", .wants = only_a},
                                                   {.name = "b", .wants = b_beside}};
    static const struct dal_transition_desc on[] = {{0, 1, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, on);
    int status = DAL_ERR_NOMEM;
    unsigned long n;
    for (n = 1; n < 1000 && status != DAL_OK; n++) {
        reset();
        script[A].tokens = LONG_MAX;
        script[A].event = "go";
        script[A].event_at = 5;
        dal_alloc_fail_at(n);
        status = run_machine(&fsm, 0);
        dal_alloc_fail_at(0);
        CU_ASSERT(status == DAL_OK || status == DAL_ERR_NOMEM);
        CU_ASSERT(script[A].finishes >= script[A].inits);
    }
    check_runs(A, 1);
    CU_ASSERT_EQUAL(status, DAL_OK);
    CU_ASSERT(n > 30);
    check_runs(B, 1);
}

static void overrides(void)
{
    static const struct dal_state_desc states[] = {{.name = "both", .wants = both}};
    static const struct dal_transition_desc loop[] = {{0, 0, GO, {0}}};
    static const struct dal_fsm fsm = MACHINE(states, loop);
    static const struct {
        const char *text;
        int status;
    } cases[] = {
        {"A.source.gain=2", DAL_OK},           {"B.sink.gain=", DAL_OK},
        {"source.gain=2", DAL_ERR_INVALID},    {"A.source=2", DAL_ERR_INVALID},
        {"A.source.other=2", DAL_ERR_INVALID}, {"A.other.gain=2", DAL_ERR_INVALID},
        {"C.source.gain=2", DAL_ERR_INVALID},  {"A", DAL_ERR_INVALID},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct dal_controller_options options = {.overrides = &cases[i].text,
                                                       .override_count = 1};
        struct dal_controller *controller;
        CU_ASSERT_EQUAL(dal_controller_create(&controller, &fsm, &options), cases[i].status);
        dal_controller_destroy(controller);
    }
}

int main(void)
{
    static const struct test tests[] = {
        {"applications that end", ends_by_itself},
        {"the end of one starts another", one_after_the_other},
        {"pause, resume, stop", paused},
        {"started again", started_again},
        {"stopped beside another", stopped},
        {"an end while paused", ends_while_paused},
        {"paused for good", paused_for_good},
        {"events before a stop", sent_before_the_stop},
        {"events in order", in_order},
        {"an application that fails", failing},
        {"an interrupt", interrupted},
        {"two interrupts", interrupted_twice},
        {"too many events", overflow},
        {"memory that runs out", out_of_memory},
        {"parameters", overrides},
    };
    return run_suite("controller", tests, sizeof(tests) / sizeof(tests[0]));
}
