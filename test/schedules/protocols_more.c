/* More protocols between threads, where one thing alone can go wrong. */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/signals.h"
#include "rt/control/control.h"
#include "rt/control/events.h"
#include "rt/host/claim.h"
#include "rt/host/firing.h"
#include "rt/host/pool.h"
#include "test/schedules/protocols.h"
#include "test/schedules/schedules.h"

#include <stdlib.h>
#include <sys/wait.h>

#define expect       protocol_expect
#define start_thread protocol_start

/* ---- wakes and claims ------------------------------------------------------------------------ */

/* A signal tells whether somebody slept: whoever wakes one of several goes by it. */
void wake_is_once(void)
{
    static struct dal_wake wake;
    uint32_t sequence;
    dal_wake_prepare(&wake);
    dal_wake_cancel(&wake);
    expect(!dal_wake_signal(&wake), "a signal to somebody who does not sleep");
    sequence = dal_wake_prepare(&wake);
    expect(dal_wake_signal(&wake), "a signal that nobody gets");
    expect(!dal_wake_signal(&wake), "two signals for one sleep");
    dal_wake_wait(&wake, sequence, -1);
}

/* Workers that share a pool, and two pieces of work a round. */
struct hall {
    struct dal_pool pool;
    struct dal_wake wakes[WORKERS], *list[WORKERS];
    _Atomic int pieces[2], had, over;
    int alone; /* True: a piece takes no time. */
};

struct seeker {
    struct hall *hall;
    int number;
};

/* For a worker that is in use. */
static int take_piece(struct seeker *seeker)
{
    struct hall *hall = seeker->hall;
    if (seeker->number >= dal_pool_in_use(&hall->pool))
        return 0;
    for (int i = 0; i < 2; i++)
        if (atomic_load_explicit(&hall->pieces[i], memory_order_acquire) &&
            atomic_exchange_explicit(&hall->pieces[i], 0, memory_order_acquire))
            return 1;
    return 0;
}

/* As a worker, which looks twice before it sleeps. */
static int seek(struct seeker *seeker, struct dal_search *search)
{
    struct hall *hall = seeker->hall;
    struct dal_wake *wake = &hall->wakes[seeker->number];
    uint32_t sequence;
    int found;
    dal_search_begin(search);
    if (take_piece(seeker))
        return 1;
    dal_search_last(search);
    sequence = dal_wake_prepare(wake);
    found = take_piece(seeker);
    if (found || atomic_load_explicit(&hall->over, memory_order_acquire))
        dal_wake_cancel(wake);
    else {
        dal_search_pass_on(search);
        dal_wake_wait(wake, sequence, -1);
    }
    return found;
}

/* A piece takes until somebody has the other one of its round. */
static void *seek_and_work(void *argument)
{
    struct seeker *seeker = argument;
    struct hall *hall = seeker->hall;
    struct dal_pool *pools[] = {&hall->pool};
    struct dal_search search = {.pools = pools, .numbers = &seeker->number, .count = 1};
    while (!atomic_load_explicit(&hall->over, memory_order_acquire)) {
        int before;
        if (!seek(seeker, &search))
            continue;
        dal_search_leave(&search);
        before = atomic_fetch_add(&hall->had, 1);
        while (!hall->alone && before % 2 == 0 && atomic_load(&hall->had) == before + 1)
            ;
    }
    dal_search_leave(&search);
    return NULL;
}

static void open_hall(struct hall *hall, struct seeker *seekers, pthread_t *threads)
{
    hall->pool = (struct dal_pool){.wakes = hall->list, .count = WORKERS};
    for (int i = 0; i < WORKERS; i++)
        hall->list[i] = &hall->wakes[i];
    for (int i = 0; i < WORKERS; i++) {
        seekers[i] = (struct seeker){hall, i};
        threads[i] = start_thread(seek_and_work, &seekers[i]);
    }
}

static void close_hall(struct hall *hall, pthread_t *threads)
{
    atomic_store_explicit(&hall->over, 1, memory_order_seq_cst);
    dal_pool_tell_all(&hall->pool);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    expect(atomic_load(&hall->pool.searching) == 0, "somebody still counts as searching");
}

void work_is_shared(void)
{
    static struct hall hall;
    struct seeker seekers[WORKERS];
    pthread_t threads[WORKERS];
    open_hall(&hall, seekers, threads);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        atomic_store_explicit(&hall.pieces[i % 2], 1, memory_order_seq_cst);
        dal_pool_tell(&hall.pool);
        while (i % 2 == 1 && atomic_load(&hall.had) <= i)
            ;
    }
    close_hall(&hall, threads);
}

static void *park_and_call(void *argument)
{
    struct hall *hall = argument;
    for (int i = 0; i < 2 * ROUNDS; i++)
        dal_pool_park(&hall->pool, i % 2 ? 0 : WORKERS - 1);
    dal_pool_park(&hall->pool, WORKERS - 1);
    return NULL;
}

/* Workers are parked and called back while there is work: one is always there for it. */
void parked_lose_nothing(void)
{
    static struct hall hall = {.alone = 1};
    struct seeker seekers[WORKERS];
    pthread_t threads[WORKERS], leader;
    open_hall(&hall, seekers, threads);
    leader = start_thread(park_and_call, &hall);
    for (int i = 0; i < 2 * ROUNDS; i++) {
        atomic_store_explicit(&hall.pieces[0], 1, memory_order_seq_cst);
        dal_pool_tell(&hall.pool);
        while (atomic_load(&hall.had) <= i)
            ;
    }
    pthread_join(leader, NULL);
    close_hall(&hall, threads);
}

struct look {
    struct dal_claim claim;
    pthread_barrier_t barrier; /* they begin at once */
    int got;
    _Atomic int heard;
    int turns; /* whose turn it is has this */
};

static void *look_in_vain(void *argument)
{
    struct look *look = argument;
    pthread_barrier_wait(&look->barrier);
    dal_claim_wait(&look->claim);
    look->turns++;
    look->heard = dal_claim_pass_on(&look->claim);
    return NULL;
}

static void *look_at_last(void *argument)
{
    struct look *look = argument;
    pthread_barrier_wait(&look->barrier);
    look->got = dal_claim_try_at_last(&look->claim);
    if (look->got) {
        look->turns++;
        dal_claim_give_up(&look->claim);
    }
    return NULL;
}

/* Both are about to sleep: who passes by is heard by the other, or has its turn. */
void word_is_heard(void)
{
    static struct look look = {.claim = {.shared = 1}};
    pthread_t one, other;
    pthread_barrier_init(&look.barrier, NULL, 2);
    one = start_thread(look_in_vain, &look);
    other = start_thread(look_at_last, &look);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    expect(look.got || look.heard, "word that nobody has heard");
}

/* A third one has its turn between the look and the try of who looks at last. */
void turns_of_three(void)
{
    static struct look look = {.claim = {.shared = 1}};
    pthread_t threads[3];
    pthread_barrier_init(&look.barrier, NULL, 3);
    for (int i = 0; i < 3; i++)
        threads[i] = start_thread(i == 0 ? look_at_last : look_in_vain, &look);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    expect(look.turns == 2 + look.got, "a turn is missing");
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* Each side ends at once, while the other one falls asleep. */
static void close_one(int writes)
{
    static struct pipe pipe;
    pthread_t reader, writer;
    protocol_make_pipe(&pipe, 1, 4, 1);
    pipe.writer.tokens = (uint64_t)writes;
    writer = start_thread(protocol_write, &pipe.writer);
    reader = start_thread(protocol_read, &pipe.readers[0]);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    protocol_destroy_pipe(&pipe);
}

void close_wakes(void)
{
    close_one(0);
}

/* Has read what it does not release. */
static void *read_and_close(void *argument)
{
    struct side *side = argument;
    uint64_t ready = protocol_wait(side), i;
    unsigned char *window = dal_end_acquire(side->end, ready);
    for (i = 0; i < ready; i++)
        expect(((uint64_t *)window)[i] == i, "a wrong token");
    dal_end_close(side->end);
    return NULL;
}

/* Never sleeps: nothing but the counters orders it and its readers. */
static void *write_all(void *argument)
{
    struct side *side = argument;
    while (side->next < side->tokens)
        if (dal_end_ready(side->end, 1))
            dal_end_release(side->end, memcpy(dal_end_acquire(side->end, 1), &side->next, 8), 1),
                side->next++;
    dal_end_close(side->end);
    return NULL;
}

static void *read_all(void *argument)
{
    struct side *side = argument;
    while (side->next < side->tokens)
        if (dal_end_ready(side->end, 1)) {
            unsigned char *window = dal_end_acquire(side->end, 1);
            expect(*(uint64_t *)window == side->next++, "a wrong token");
            dal_end_release(side->end, window, 1);
        }
    dal_end_close(side->end);
    return NULL;
}

static void *read_few(void *argument)
{
    struct side *side = argument;
    while (!dal_end_ready(side->end, 3))
        ;
    return read_and_close(side);
}

/* What one has released the other still reads; who has closed is not waited for. */
void readers_differ(void)
{
    static struct pipe pipe;
    pthread_t threads[3];
    protocol_make_pipe(&pipe, READERS, 3, 0);
    threads[0] = start_thread(write_all, &pipe.writer);
    threads[1] = start_thread(read_all, &pipe.readers[0]);
    threads[2] = start_thread(read_few, &pipe.readers[1]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    expect(pipe.writer.next == TOKENS, "a writer that did not come to its end");
    protocol_destroy_pipe(&pipe);
}

/* Its slots are written again. */
void reader_closes(void)
{
    static struct pipe pipe;
    pthread_t reader, writer;
    protocol_make_pipe(&pipe, 1, 3, 0);
    writer = start_thread(write_all, &pipe.writer);
    reader = start_thread(read_few, &pipe.readers[0]);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    protocol_destroy_pipe(&pipe);
}

static uint64_t visible_at(struct dal_end *end)
{
    return atomic_load(&end->visible);
}

void ends_pass(void)
{
    static struct pipe pipe;
    protocol_make_pipe(&pipe, 1, 4, 0);
    dal_channel_pass(pipe.channels[0], 3);
    expect(visible_at(pipe.writer.end) == 3 && visible_at(pipe.readers[0].end) == 3,
           "tokens that were passed are not counted");
    expect(dal_channel_fill(pipe.channels[0]) == 0, "tokens that were passed are left");
    dal_end_pass(pipe.writer.end, 2);
    expect(visible_at(pipe.writer.end) == 5 && dal_channel_fill(pipe.channels[0]) == 2,
           "tokens that were passed by one end are not counted");
    protocol_destroy_pipe(&pipe);
}

/* ---- control --------------------------------------------------------------------------------- */

/* Threads that sleep until they are told something, and who tells them. */
struct crew {
    struct dal_control control;
    struct dal_events events;
    struct dal_wake wakes[WORKERS], *sleepers[WORKERS];
    _Atomic int next;
    int fired[WORKERS], message; /* plain: the protocol orders them */
};

static int is_over(struct crew *crew)
{
    return dal_control_broken(&crew->control) || dal_control_stopping(&crew->control);
}

static void *sleep_until_told(void *argument)
{
    struct crew *crew = argument;
    int number = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
    struct dal_wake *wake = &crew->wakes[number];
    while (!is_over(crew)) {
        uint32_t sequence;
        if (dal_control_paused(&crew->control)) {
            dal_control_rest(&crew->control, wake);
            continue;
        }
        crew->fired[number]++;
        sequence = dal_wake_prepare(wake);
        if (is_over(crew) || dal_control_paused(&crew->control))
            dal_wake_cancel(wake);
        else
            dal_wake_wait(wake, sequence, -1);
    }
    expect(crew->message == 1, "what was done before the end is not there");
    dal_control_leave(&crew->control);
    return NULL;
}

/* As the controller waits: nothing but a wake tells it. */
static void sleep_until_still(struct crew *crew)
{
    while (!dal_control_still(&crew->control)) {
        uint32_t sequence = dal_wake_prepare(&crew->events.wake);
        if (dal_control_still(&crew->control))
            dal_wake_cancel(&crew->events.wake);
        else
            dal_wake_wait(&crew->events.wake, sequence, -1);
    }
}

static int sum_of_fired(const struct crew *crew)
{
    int sum = 0;
    for (int i = 0; i < WORKERS; i++)
        sum += crew->fired[i];
    return sum;
}

static void pause_crew(struct crew *crew)
{
    int fired;
    dal_control_pause(&crew->control);
    sleep_until_still(crew);
    fired = sum_of_fired(crew);
    sched_yield();
    expect(fired == sum_of_fired(crew), "somebody fires while all rest");
    dal_control_resume(&crew->control);
}

static void begin_crew(struct crew *crew, pthread_t *threads, int count)
{
    crew->control.events = &crew->events;
    crew->control.sleepers = crew->sleepers;
    crew->control.sleeper_count = (size_t)count;
    for (int i = 0; i < count; i++)
        crew->sleepers[i] = &crew->wakes[i];
    for (int i = 0; i < count; i++) {
        dal_control_enter(&crew->control);
        threads[i] = start_thread(sleep_until_told, crew);
    }
}

static void join_all(pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

void crew_rests(void)
{
    static struct crew crew;
    pthread_t threads[WORKERS];
    begin_crew(&crew, threads, WORKERS);
    for (int i = 0; i < 2; i++)
        pause_crew(&crew);
    crew.message = 1;
    dal_control_break(&crew.control, DAL_ERR_PROCESS);
    join_all(threads, WORKERS);
}

/* Nobody resumes it. */
void crew_breaks_in_pause(void)
{
    static struct crew crew;
    pthread_t thread;
    begin_crew(&crew, &thread, 1);
    dal_control_pause(&crew.control);
    crew.message = 1;
    dal_control_break(&crew.control, DAL_ERR_PROCESS);
    pthread_join(thread, NULL);
}

void crew_breaks(void)
{
    static struct crew crew;
    pthread_t thread;
    begin_crew(&crew, &thread, 1);
    crew.message = 1;
    dal_control_break(&crew.control, DAL_ERR_PROCESS);
    pthread_join(thread, NULL);
}

void crew_stops(void)
{
    static struct crew crew;
    pthread_t thread;
    begin_crew(&crew, &thread, 1);
    crew.message = 1;
    dal_control_stop(&crew.control);
    pthread_join(thread, NULL);
}

/* ---- base ------------------------------------------------------------------------------------ */

static int log_ready;
static _Atomic int log_heard;

static void hear(enum dal_log_level level, const char *message)
{
    (void)level;
    expect(log_ready && *message, "a listener that is not ready");
    atomic_fetch_add_explicit(&log_heard, 1, memory_order_relaxed);
}

static void *say(void *nothing)
{
    dal_log(DAL_LOG_NOTE, "said by a thread");
    return nothing;
}

void log_is_heard(void)
{
    pthread_t thread = start_thread(say, NULL);
    log_ready = 1;
    dal_log_listen(hear);
    dal_log(DAL_LOG_NOTE, "said by the first");
    pthread_join(thread, NULL);
    dal_log_listen(NULL);
    expect(atomic_load(&log_heard) > 0, "nobody listens");
}

static void *use_pages(void *nothing)
{
    dal_free_pages(dal_alloc_pages(5000), 5000);
    return nothing;
}

void memory_fails(void)
{
    pthread_t thread = start_thread(use_pages, NULL);
    size_t before;
    void *pages;
    use_pages(NULL);
    pthread_join(thread, NULL);
    before = dal_pages_held();
    pages = dal_alloc_pages(5000);
    expect(before == 0 && dal_pages_held() >= 5000, "pages are not counted");
    dal_free_pages(pages, 5000);
    expect(dal_pages_held() == 0, "pages are counted that are not held");
    dal_alloc_fail_at(1);
    expect(!dal_alloc(1), "memory that was to fail");
}

static void *note_signal(void *nothing)
{
    dal_signal_note();
    return nothing;
}

void signal_is_noted(void)
{
    pthread_t thread = start_thread(note_signal, NULL);
    pthread_join(thread, NULL);
    expect(dal_signal_came(), "a signal that nobody noted");
}

static struct dal_process listed[WORKERS];

static void *be_listed(void *process)
{
    dal_firing_add(process);
    expect(dal_firing_has(process), "a process is not in the list");
    dal_firing_remove(process);
    return NULL;
}

void list_of_processes(void)
{
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        threads[i] = start_thread(be_listed, &listed[i]);
    join_all(threads, WORKERS);
    for (int i = 0; i < WORKERS; i++)
        expect(!dal_firing_has(&listed[i]), "a process is still in the list");
}

/* exit() while networks run is noticed; when they are over it is not. */
static int exit_with(int networks)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        dal_firing_watch_exit(1);
        dal_firing_watch_exit(networks - 1);
        exit(0);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

void exit_is_seen(void)
{
    expect(exit_with(1) == 1, "exit() that nobody notices");
    expect(exit_with(0) == 0, "exit() that was refused");
}
