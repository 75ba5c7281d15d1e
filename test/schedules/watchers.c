/* Who hears of a network: a controller that sleeps until there are events, latencies, timers, pages
 * with the last messages. */
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/output.h"
#include "rt/control/events.h"
#include "rt/host/latency.h"
#include "rt/host/timer.h"
#include "rt/observe/log_tail.h"
#include "test/schedules/protocols.h"
#include "test/schedules/schedules.h"

/* ---- events ---------------------------------------------------------------------------------- */

static const struct dal_event_desc event_descs[WORKERS] = {{.name = "0", .application = -1},
                                                           {.name = "1", .application = -1},
                                                           {.name = "2", .application = -1}};
static const struct dal_fsm events_fsm = {
    .name = "fsm", .events = event_descs, .event_count = WORKERS, .application_count = WORKERS};
static struct dal_events events;

/* Its own event some times, and then its end. */
static void *send_events(void *argument)
{
    const struct dal_event_desc *desc = argument;
    for (int i = 0; i < ROUNDS; i++)
        while (dal_events_send(&events, desc->name, "application", "process") != DAL_OK)
            sched_yield();
    dal_events_end(&events, (int)(desc - event_descs));
    return NULL;
}

/* Sleeps until there is one. */
static struct dal_notice await_notice(void)
{
    struct dal_notice notice;
    while (!dal_events_take(&events, &notice)) {
        uint32_t sequence = dal_wake_prepare(&events.wake);
        if (dal_events_are_none(&events))
            dal_wake_wait(&events.wake, sequence, -1);
        else
            dal_wake_cancel(&events.wake);
    }
    return notice;
}

void events_in_order(void)
{
    pthread_t threads[WORKERS];
    int i, taken[WORKERS] = {0}, ended = 0;
    protocol_expect(dal_events_init(&events, &events_fsm, WORKERS * ROUNDS) == DAL_OK, "no events");
    for (i = 0; i < WORKERS; i++)
        threads[i] = protocol_start(send_events, (void *)(uintptr_t)&event_descs[i]);
    while (ended < WORKERS) {
        struct dal_notice notice = await_notice();
        if (notice.event >= 0)
            taken[notice.event]++;
        else
            protocol_expect(taken[notice.application] == ROUNDS, "an end came before its events");
        ended += notice.event < 0;
    }
    for (i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    protocol_expect(dal_events_are_none(&events), "events are left");
    dal_events_finish(&events);
}

/* What is forgotten of one is that alone, while the others go on. */
static void *forget_one(void *nothing)
{
    dal_events_forget(&events, 0);
    return nothing;
}

void events_are_forgotten(void)
{
    pthread_t threads[2];
    struct dal_notice notice;
    int taken = 0;
    protocol_expect(dal_events_init(&events, &events_fsm, WORKERS * ROUNDS) == DAL_OK, "no events");
    dal_events_end(&events, 0);
    threads[0] = protocol_start(forget_one, NULL);
    threads[1] = protocol_start(send_events, (void *)(uintptr_t)&event_descs[1]);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    while (dal_events_take(&events, &notice)) {
        protocol_expect(notice.event >= 0 || notice.application == 1, "an end that was forgotten");
        taken++;
    }
    protocol_expect(taken == ROUNDS + 1, "another one's events are forgotten");
    dal_events_finish(&events);
}

/* ---- latencies ------------------------------------------------------------------------------- */

static struct dal_latency latency;
static struct dal_probe begins = {.repetitions = 1}, ends = {.repetitions = 1};

/* All iterations have one slot; each takes so long. They begin in no order of time: any other one's
 * begin is seen. */
enum { ITERATIONS = 12, BETWEEN_NS = 1000, TAKEN_NS = 7 };

static int64_t begin_of(int i)
{
    return i * 5 % ITERATIONS * BETWEEN_NS;
}

static void *begin_iterations(void *nothing)
{
    for (int i = 0; i < ITERATIONS; i++) {
        begins.begun = (uint64_t)i * DAL_LATENCY_SLOTS;
        dal_probe_begin(&begins, 1, begin_of(i));
    }
    return nothing;
}

/* Mostly behind them, as tokens are. */
static void *end_iterations(void *nothing)
{
    for (int i = 0; i < ITERATIONS; i++) {
        ends.ended = (uint64_t)i * DAL_LATENCY_SLOTS;
        while (i % 3 &&
               atomic_load_explicit(&latency.slots->number, memory_order_relaxed) <= ends.ended)
            ;
        dal_probe_end(&ends, 1, begin_of(i) + TAKEN_NS);
    }
    return nothing;
}

/* With nobody beside it an iteration is counted, and one that was cut has not begun. */
static void count_two(void)
{
    uint64_t counted = dal_histogram_count(&latency.times);
    begins.begun = begins.ended = ends.ended = (uint64_t)ITERATIONS * DAL_LATENCY_SLOTS;
    dal_probe_begin(&begins, 1, 0);
    dal_probe_end(&begins, 1, 0);
    dal_probe_end(&ends, 1, TAKEN_NS);
    protocol_expect(dal_histogram_count(&latency.times) == counted + 1, "one is not counted");
    dal_probe_begin(&begins, 1, 0);
    dal_probe_cut(&begins, 0);
    dal_probe_end(&ends, 1, BETWEEN_NS);
    protocol_expect(latency.misses == 0, "an iteration that was cut");
}

void latencies(void)
{
    static const struct dal_latency_desc desc = {.max_ns = TAKEN_NS};
    pthread_t threads[2];
    protocol_expect(dal_latency_init(&latency, &desc, &begins, &ends) == DAL_OK, "no latency");
    threads[0] = protocol_start(begin_iterations, NULL);
    threads[1] = protocol_start(end_iterations, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    protocol_expect(dal_histogram_count(&latency.times) + latency.lost == ITERATIONS,
                    "one is missing");
    protocol_expect(latency.misses == 0, "an iteration with the begin of another one");
    count_two();
    dal_latency_finish(&latency);
}

/* ---- timers ---------------------------------------------------------------------------------- */

static struct {
    struct dal_timer timer;
    struct dal_wake wake;
} release;

static void *go_through(void *nothing)
{
    if (dal_timer_fired(&release.timer, 1, 0))
        dal_wake_signal(&release.wake);
    return nothing;
}

static void *stop_timer(void *nothing)
{
    dal_timer_stop(&release.timer);
    dal_wake_signal(&release.wake);
    return nothing;
}

/* As a worker does that shares the process: it sleeps until another release than it has seen. */
static void await_another(int64_t seen_ns)
{
    while (dal_timer_next_ns(&release.timer) == seen_ns) {
        uint32_t sequence = dal_wake_prepare(&release.wake);
        if (dal_timer_next_ns(&release.timer) == seen_ns)
            dal_wake_wait(&release.wake, sequence, -1);
        else
            dal_wake_cancel(&release.wake);
    }
}

static void see_another(void *(*move)(void *))
{
    static const struct dal_period_desc desc = {
        .period_ns = 100, .phase_ns = 7, .deadline_ns = 100, .repetitions = 1};
    pthread_t thread;
    dal_timer_start(&release.timer, &desc, 0);
    protocol_expect(dal_timer_next_ns(&release.timer) == 7, "a first release at another time");
    thread = protocol_start(move, NULL);
    await_another(7);
    pthread_join(thread, NULL);
}

void release_is_seen(void)
{
    see_another(go_through);
    protocol_expect(dal_timer_due(&release.timer, 106) == 0, "a release before its time");
    protocol_expect(dal_timer_due(&release.timer, 107) == 1, "a release behind its time");
}

void timer_stops(void)
{
    see_another(stop_timer);
    protocol_expect(dal_timer_due(&release.timer, 0) == UINT64_MAX, "a timer that goes on");
}

/* ---- what a page prints ---------------------------------------------------------------------- */

static void *say_often(void *name)
{
    for (int i = 0; i < ROUNDS; i++)
        dal_log(DAL_LOG_NOTE, "%s", (const char *)name);
    return NULL;
}

void messages_are_kept(void)
{
    pthread_t threads[2];
    FILE *file = fopen("/dev/null", "w");
    protocol_expect(file != NULL, "no /dev/null");
    dal__log_tail_keep();
    threads[0] = protocol_start(say_often, "one");
    threads[1] = protocol_start(say_often, "other");
    dal__log_tail_print(file);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    dal_log_listen(NULL);
    fclose(file);
}

/* Nobody holds the stream: it takes no time to speak of. */
void output_is_flushed(void)
{
    static const int64_t limit_ns = 3600 * (int64_t)1000000000;
    int64_t begin_ns = dal_now_ns();
    dal_output_flush(limit_ns);
    protocol_expect(dal_now_ns() - begin_ns < limit_ns, "what was flushed is waited for");
}
