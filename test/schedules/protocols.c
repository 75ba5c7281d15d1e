/* The protocols between threads, each by itself and in few steps: so that many schedules are tried.
 */
#include "test/schedules/protocols.h"

#include "channels/channel.h"
#include "channels/grow.h"
#include "rt/base/clock.h"
#include "rt/base/sync.h"
#include "rt/base/wake.h"
#include "rt/control/control.h"
#include "rt/control/events.h"
#include "rt/device/launcher.h"
#include "rt/host/claim.h"
#include "test/schedules/schedules.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LOOKS = 100 };

#define expect       protocol_expect
#define start_thread protocol_start

void protocol_expect(int is_so, const char *what)
{
    if (!is_so)
        dal_schedule_fail(what);
}

pthread_t protocol_start(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    expect(pthread_create(&thread, NULL, function, argument) == 0, "no thread");
    return thread;
}

/* ---- wake and sleep -------------------------------------------------------------------------- */

struct sleeper {
    struct dal_wake wake;
    _Atomic int work;
    int message; /* for whoever sees the work */
    _Atomic int done;
};

/* Sleeps for ever unless it is woken. */
static void *sleep_for_work(void *argument)
{
    struct sleeper *sleeper = argument;
    int seen = 0;
    while (seen < ROUNDS) {
        uint32_t sequence = dal_wake_prepare(&sleeper->wake);
        if (atomic_load_explicit(&sleeper->work, memory_order_acquire) > seen) {
            dal_wake_cancel(&sleeper->wake);
            seen++;
            atomic_store_explicit(&sleeper->done, seen, memory_order_release);
        } else {
            dal_wake_wait(&sleeper->wake, sequence, -1);
        }
    }
    expect(sleeper->message == ROUNDS, "what the waker wrote is not there");
    return NULL;
}

static void wake_and_sleep(void)
{
    static struct sleeper sleeper;
    pthread_t thread = start_thread(sleep_for_work, &sleeper);
    for (int i = 1; i <= ROUNDS; i++) {
        if (i == ROUNDS)
            sleeper.message = i;
        atomic_store_explicit(&sleeper.work, i, memory_order_seq_cst);
        dal_wake_signal(&sleeper.wake);
        while (i < ROUNDS && atomic_load_explicit(&sleeper.done, memory_order_acquire) < i)
            ;
    }
    pthread_join(thread, NULL);
}

/* ---- claim and word -------------------------------------------------------------------------- */

/* Something to do, which is claimed, and those who sleep until there is. */
struct room {
    struct dal_claim claim;
    struct dal_wake wakes[WORKERS];
    _Atomic int work, over;
    int taken; /* under the claim */
};

struct member {
    struct room *room;
    int number;
};

/* As a process is looked at by a worker that is about to sleep. */
static int look_at(struct room *room)
{
    if (!dal_claim_try_at_last(&room->claim))
        return 0;
    if (!atomic_load_explicit(&room->work, memory_order_acquire))
        return dal_claim_pass_on(&room->claim);
    room->taken++;
    atomic_store_explicit(&room->work, 0, memory_order_release);
    dal_claim_give_up(&room->claim);
    return 1;
}

static void *sleep_and_look(void *argument)
{
    struct member *member = argument;
    struct dal_wake *wake = &member->room->wakes[member->number];
    while (!atomic_load_explicit(&member->room->over, memory_order_acquire)) {
        uint32_t sequence = dal_wake_prepare(wake);
        if (look_at(member->room) ||
            atomic_load_explicit(&member->room->over, memory_order_acquire))
            dal_wake_cancel(wake);
        else
            dal_wake_wait(wake, sequence, -1);
    }
    return NULL;
}

/* One of those who sleep hears of it, as rt/host/process.c does it. */
static void give_work(struct room *room, int first)
{
    atomic_store_explicit(&room->work, 1, memory_order_seq_cst);
    for (int i = 0; i < WORKERS && !dal_wake_signal(&room->wakes[(first + i) % WORKERS]); i++)
        ;
}

static void claim_and_word(void)
{
    static struct room room = {.claim = {.shared = 1}};
    struct member members[WORKERS];
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        members[i] = (struct member){&room, i};
        threads[i] = start_thread(sleep_and_look, &members[i]);
    }
    for (int i = 0; i < ROUNDS; i++) {
        give_work(&room, i);
        while (atomic_load_explicit(&room.work, memory_order_acquire))
            ;
    }
    atomic_store_explicit(&room.over, 1, memory_order_seq_cst);
    for (int i = 0; i < WORKERS; i++)
        dal_wake_signal(&room.wakes[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    expect(room.taken >= ROUNDS, "work was taken less often than given");
}

/* What is claimed is one's own. */
static void *wait_for_claim(void *argument)
{
    struct room *room = argument;
    for (int i = 0; i < ROUNDS; i++) {
        dal_claim_wait(&room->claim);
        room->taken++;
        dal_claim_give_up(&room->claim);
    }
    return NULL;
}

static void claims_wait(void)
{
    static struct room room = {.claim = {.shared = 1}};
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        threads[i] = start_thread(wait_for_claim, &room);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    expect(room.taken == WORKERS * ROUNDS, "two had one claim");
}

/* ---- rings ----------------------------------------------------------------------------------- */

static void notify_side(struct dal_listener *listener)
{
    dal_wake_signal(&((struct side *)listener)->wake);
}

static struct dal_end_config config_of(struct side *side, int listens)
{
    *side = (struct side){.listener = {notify_side}, .tokens = TOKENS};
    return (struct dal_end_config){.core = -1, .listener = listens ? &side->listener : NULL};
}

void protocol_make_pipe(struct pipe *pipe, int readers, uint64_t capacity, int listens)
{
    struct dal_channel_desc *desc = pipe->descs;
    const struct dal_channel_desc *descs[READERS];
    enum dal_channel_kind kind = capacity ? DAL_CHANNEL_CORES : DAL_CHANNEL_NEWEST;
    struct dal_end_config producer = config_of(&pipe->writer, listens), consumers[READERS];
    for (int i = 0; i < readers; i++) {
        desc[i] = (struct dal_channel_desc){.name = "c",
                                            .kind = kind,
                                            .consumer = 1 + i,
                                            .capacity = capacity ? capacity : 1,
                                            .token_bytes = sizeof(uint64_t),
                                            .rate_in = 1,
                                            .rate_out = 1};
        descs[i] = &desc[i];
        consumers[i] = config_of(&pipe->readers[i], listens);
    }
    expect(dal_port_create(pipe->channels, descs, readers, &producer, consumers) == DAL_OK,
           "no channel");
    for (int i = 0; i < readers; i++)
        pipe->readers[i].end = &pipe->channels[i]->consumer;
    pipe->writer.end = pipe->channels[0]->producer;
}

void protocol_destroy_pipe(struct pipe *pipe)
{
    for (int i = 0; i < READERS; i++)
        dal_channel_destroy(pipe->channels[i]);
}

/* Sleeps until it has something. */
uint64_t protocol_wait(struct side *side)
{
    uint64_t ready;
    while (!(ready = dal_end_ready(side->end, 3)) && !dal_end_finished(side->end)) {
        uint32_t sequence = dal_wake_prepare(&side->wake);
        if (dal_end_ready(side->end, 1) || dal_end_finished(side->end))
            dal_wake_cancel(&side->wake);
        else
            dal_wake_wait(&side->wake, sequence, -1);
    }
    return ready;
}

void *protocol_read(void *argument)
{
    struct side *side = argument;
    uint64_t ready;
    while (!(side->stops && side->next >= side->tokens) && (ready = protocol_wait(side))) {
        unsigned char *window = dal_end_acquire(side->end, ready);
        for (uint64_t i = 0; i < ready; i++)
            expect(((uint64_t *)window)[i] == side->next++, "a wrong token");
        dal_end_release(side->end, window, ready);
    }
    dal_end_close(side->end);
    return NULL;
}

void *protocol_write(void *argument)
{
    struct side *side = argument;
    uint64_t ready;
    while (side->next < side->tokens && (ready = protocol_wait(side))) {
        unsigned char *window;
        if (ready > side->tokens - side->next)
            ready = side->tokens - side->next;
        window = dal_end_acquire(side->end, ready);
        for (uint64_t i = 0; i < ready; i++)
            ((uint64_t *)window)[i] = side->next++;
        dal_end_release(side->end, window, ready);
    }
    dal_end_close(side->end);
    return NULL;
}

/* Whoever sees that a ring has been taken up also sees its capacity. */
static void grow_once(struct pipe *pipe, uint64_t capacity)
{
    expect(dal_channel_grow(pipe->channels[0], capacity) == DAL_OK, "no larger ring");
    notify_side(&pipe->writer.listener);
    for (int looks = 0; looks < MOST_LOOKS && dal_channel_is_growing(pipe->channels[0]); looks++)
        sched_yield();
    expect(dal_channel_is_growing(pipe->channels[0]) ||
               dal_channel_capacity(pipe->channels[0]) == capacity,
           "a larger ring of another capacity");
}

static void run_pipe(struct pipe *pipe, int grows)
{
    pthread_t reader = start_thread(protocol_read, &pipe->readers[0]);
    pthread_t writer = start_thread(protocol_write, &pipe->writer);
    for (int i = 1; i <= grows; i++)
        if (!dal_channel_is_growing(pipe->channels[0]))
            grow_once(pipe, pipe->channels[0]->desc->capacity + 2 * (uint64_t)i);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    expect(pipe->readers[0].next == TOKENS, "tokens are missing");
    protocol_destroy_pipe(pipe);
}

static void ring(void)
{
    static struct pipe pipe;
    protocol_make_pipe(&pipe, 1, 4, 1);
    run_pipe(&pipe, 0);
}

static void ring_that_grows(void)
{
    static struct pipe pipe;
    protocol_make_pipe(&pipe, 1, 2, 1);
    run_pipe(&pipe, 3);
}

/* Of ends that nobody listens at: publish is a release, and who looks spins. */
static void *read_unheard(void *argument)
{
    struct side *side = argument;
    while (side->next < side->tokens) {
        uint64_t ready = dal_end_ready(side->end, 3), i;
        unsigned char *window = dal_end_window(side->end);
        if (!ready)
            continue;
        dal_end_acquire(side->end, ready);
        for (i = 0; i < ready; i++)
            expect(((uint64_t *)window)[i] == side->next++, "a wrong token");
        dal_end_release(side->end, window, ready);
    }
    dal_end_close(side->end);
    return NULL;
}

static void *write_unheard(void *argument)
{
    struct side *side = argument;
    while (side->next < side->tokens) {
        unsigned char *window;
        if (!dal_end_ready(side->end, 1))
            continue;
        window = dal_end_acquire(side->end, 1);
        *(uint64_t *)window = side->next++;
        dal_end_release(side->end, window, 1);
    }
    dal_end_close(side->end);
    return NULL;
}

static void ring_that_nobody_hears(void)
{
    static struct pipe pipe;
    pthread_t reader, writer;
    protocol_make_pipe(&pipe, 1, 4, 0);
    reader = start_thread(read_unheard, &pipe.readers[0]);
    writer = start_thread(write_unheard, &pipe.writer);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    protocol_destroy_pipe(&pipe);
}

/* ---- pause ----------------------------------------------------------------------------------- */

struct crew {
    struct dal_control control;
    struct dal_wake wakes[WORKERS], *sleepers[WORKERS];
    _Atomic int fired, next;
};

static void *fire_until_broken(void *argument)
{
    struct crew *crew = argument;
    int number = atomic_fetch_add(&crew->next, 1);
    while (!dal_control_broken(&crew->control)) {
        if (dal_control_paused(&crew->control))
            dal_control_rest(&crew->control, &crew->wakes[number]);
        else
            atomic_fetch_add_explicit(&crew->fired, 1, memory_order_relaxed);
    }
    dal_control_leave(&crew->control);
    return NULL;
}

static void await_still(struct crew *crew)
{
    const struct timespec nap = {.tv_nsec = 1000};
    while (!dal_control_still(&crew->control))
        nanosleep(&nap, NULL);
}

/* Nobody rests any more; who sleeps on is woken by nothing else. */
static void await_moving(struct crew *crew)
{
    const struct timespec nap = {.tv_nsec = 1000};
    while (atomic_load(&crew->control.resting))
        nanosleep(&nap, NULL);
}

static void pause_and_resume(void)
{
    static struct crew crew;
    pthread_t threads[WORKERS];
    int fired;
    for (int i = 0; i < WORKERS; i++)
        crew.sleepers[i] = &crew.wakes[i];
    crew.control.sleepers = crew.sleepers;
    crew.control.sleeper_count = WORKERS;
    for (int i = 0; i < WORKERS; i++) {
        dal_control_enter(&crew.control);
        threads[i] = start_thread(fire_until_broken, &crew);
    }
    for (int i = 0; i < ROUNDS; i++) {
        dal_control_pause(&crew.control);
        await_still(&crew);
        fired = atomic_load(&crew.fired);
        sched_yield();
        expect(fired == atomic_load(&crew.fired), "somebody fires while all rest");
        dal_control_resume(&crew.control);
        await_moving(&crew);
    }
    dal_control_break(&crew.control, DAL_ERR_PROCESS);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- the handler of devices: what is posted is looked at ---------------------------------------
 */

enum { LAUNCHERS = 2 };

/* Tokens that a thread writes for a launcher, as in rt/device/handler.pml. */
struct feed {
    struct dal_launcher *launcher;
    struct dal_wake wake; /* of that thread */
    _Atomic int visible, launched;
};

static struct feed feeds[LAUNCHERS];
static struct dal_launcher launchers[LAUNCHERS];
static struct dal_wake handler_wake;
static struct dal_control handler_control;
static struct dal_handler handler;

static int look_at_feed(struct dal_task *task)
{
    struct dal_launcher *launcher = (struct dal_launcher *)task;
    struct feed *feed = &feeds[launcher - launchers];
    int seen = atomic_load_explicit(&feed->visible, memory_order_acquire);
    if (seen == atomic_load_explicit(&feed->launched, memory_order_relaxed))
        return 0;
    atomic_store_explicit(&feed->launched, seen, memory_order_seq_cst);
    dal_wake_signal(&feed->wake);
    if (seen == ROUNDS)
        atomic_store_explicit(&launcher->actor.members->process->ended, 1, memory_order_seq_cst);
    return 1;
}

static void await_launch(struct feed *feed, int number)
{
    while (atomic_load_explicit(&feed->launched, memory_order_acquire) < number) {
        uint32_t sequence = dal_wake_prepare(&feed->wake);
        if (atomic_load_explicit(&feed->launched, memory_order_acquire) < number)
            dal_wake_wait(&feed->wake, sequence, -1);
        else
            dal_wake_cancel(&feed->wake);
    }
}

/* Posts for no token, too, as a peer does that has read. */
static void *feed_launcher(void *argument)
{
    struct feed *feed = argument;
    for (int i = 1; i <= ROUNDS; i++) {
        dal_handler_post(&handler, feed->launcher);
        atomic_store_explicit(&feed->visible, i, memory_order_seq_cst);
        dal_handler_post(&handler, feed->launcher);
        await_launch(feed, i);
    }
    return NULL;
}

void handler_serves(enum handler_fault fault)
{
    static struct dal_process processes[LAUNCHERS];
    static struct dal_member members[LAUNCHERS];
    pthread_t threads[LAUNCHERS];
    handler = (struct dal_handler){.wake = &handler_wake,
                                   .control = &handler_control,
                                   .policy = dal_policies,
                                   .launchers = launchers,
                                   .launcher_count = LAUNCHERS};
    for (int i = 0; i < LAUNCHERS; i++) {
        members[i].process = &processes[i];
        launchers[i] = (struct dal_launcher){.task = {.run = look_at_feed},
                                             .actor = {.members = &members[i], .count = 1}};
        feeds[i].launcher = &launchers[i];
    }
    dal_schedule_plant(DAL_SCHEDULE_FOR_EVER, &handler_wake.sequence, 0);
    if (fault == HANDLER_CLEARS_LATE)
        dal_schedule_plant(DAL_SCHEDULE_WEAK, &launchers[1].inbox.posted, 0);
    if (fault == HANDLER_IS_NOT_IDLE)
        dal_schedule_plant(DAL_SCHEDULE_LOST, &handler.idle, 1);
    if (fault == HANDLER_IS_NOT_WOKEN)
        dal_schedule_plant(DAL_SCHEDULE_LOST, &handler_wake.sequence, 0);
    expect(dal_handler_start(&handler) == DAL_OK, "no thread");
    for (int i = 0; i < LAUNCHERS; i++)
        threads[i] = start_thread(feed_launcher, &feeds[i]);
    for (int i = 0; i < LAUNCHERS; i++)
        pthread_join(threads[i], NULL);
    dal_handler_join(&handler);
    expect(atomic_load(&handler.idle), "the handler has ended, and its devices are not idle");
}

static void handle_posts(void)
{
    handler_serves(HANDLER_IS_RIGHT);
}

const struct protocol protocols[] = {
    {"wake", wake_and_sleep, NULL},
    {"word", claim_and_word, NULL},
    {"claim", claims_wait, NULL},
    {"ring", ring, NULL},
    {"growth", ring_that_grows, NULL},
    {"spin", ring_that_nobody_hears, NULL},
    {"pause", pause_and_resume, NULL},
    {"once", wake_is_once, NULL},
    {"close", close_wakes, NULL},
    {"readers", readers_differ, NULL},
    {"newest", newest_is_read, NULL},
    {"again", newest_is_repeated, NULL},
    {"replay", newest_is_replayed, NULL},
    {"closes", reader_closes, NULL},
    {"pass", ends_pass, NULL},
    {"shared", work_is_shared, NULL},
    {"parked", parked_lose_nothing, NULL},
    {"heard", word_is_heard, NULL},
    {"rests", crew_rests, NULL},
    {"breaks", crew_breaks, NULL},
    {"stops", crew_stops, NULL},
    {"log", log_is_heard, NULL},
    {"memory", memory_fails, NULL},
    {"noted", signal_is_noted, NULL},
    {"list", list_of_processes, NULL},
    {"exit", exit_is_seen, NULL},
    {"reply", reply, NULL},
    {"phases", reply_by_phase, NULL},
    {"last", phase_is_last, NULL},
    {"two", reply_by_two, NULL},
    {"cycles", reply_by_cycles, NULL},
    {"limit", growth_ends, NULL},
    {"naps", firings_take_long, NULL},
    {"parts", group_parts, NULL},
    {"end", workers_end, NULL},
    {"sleeps", workers_wake, NULL},
    {"broken", crew_breaks_in_pause, NULL},
    {"inits", inits_in_turn, NULL},
    {"asleep", group_parts_asleep, NULL},
    {"torn", reply_is_broken, NULL},
    {"reader", reader_ends, NULL},
    {"flow", flow_of_all, NULL},
    {"closed", flow_that_is_closed, NULL},
    {"events", events_in_order, NULL},
    {"latency", latencies, NULL},
    {"handler", handle_posts, NULL},
    {"forgotten", events_are_forgotten, NULL},
    {"release", release_is_seen, NULL},
    {"timer", timer_stops, NULL},
    {"kept", messages_are_kept, NULL},
    {"flushed", output_is_flushed, NULL},
    {"beside", group_ends_beside, NULL},
    {"third", turns_of_three, NULL},
};
const int protocol_count = sizeof(protocols) / sizeof(protocols[0]);
