/* Who hears of a network: a controller that sleeps until there are events, and latencies. */
#include "rt/control/events.h"
#include "rt/host/latency.h"
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
    int i;
    for (i = 0; i < ROUNDS; i++)
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

/* ---- latencies ------------------------------------------------------------------------------- */

static struct dal_latency latency;
static struct dal_marks begins = {.repetitions = 1}, ends = {.repetitions = 1};

/* All iterations have one slot; each takes so long. They begin in no order of time: any other one's
 * begin is seen. */
enum { ITERATIONS = 12, BETWEEN_NS = 1000, TAKEN_NS = 7 };

static int64_t begin_of(int i)
{
    return i * 5 % ITERATIONS * BETWEEN_NS;
}

static void *begin_iterations(void *nothing)
{
    int i;
    for (i = 0; i < ITERATIONS; i++) {
        begins.begun = (uint64_t)i * DAL_LATENCY_SLOTS;
        dal_marks_begin(&begins, 1, begin_of(i));
    }
    return nothing;
}

/* Mostly behind them, as tokens are. */
static void *end_iterations(void *nothing)
{
    int i;
    for (i = 0; i < ITERATIONS; i++) {
        ends.ended = (uint64_t)i * DAL_LATENCY_SLOTS;
        while (i % 3 &&
               atomic_load_explicit(&latency.slots->number, memory_order_relaxed) <= ends.ended)
            ;
        dal_marks_end(&ends, 1, begin_of(i) + TAKEN_NS);
    }
    return nothing;
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
    dal_latency_finish(&latency);
}
