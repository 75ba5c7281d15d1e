/* Claims, and workers that pass by while another one has found nothing. */
#define _DEFAULT_SOURCE
#include "rt/base/clock.h"
#include "rt/base/wake.h"
#include "rt/host/claim.h"
#include "test/suite.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { WORKERS = 3, ROUNDS = 20000 };

/* Long enough that a worker that has not looked by then sleeps for ever. */
static const int64_t lost_ns = 10000000000;

static void alone(void)
{
    struct dal_claim claim = {.shared = 0};
    CU_ASSERT(dal_claim_try(&claim));
    CU_ASSERT(dal_claim_try(&claim));
    CU_ASSERT(dal_claim_try_at_last(&claim));
    CU_ASSERT_FALSE(dal_claim_pass_on(&claim));
}

static void word_is_left(void)
{
    struct dal_claim claim = {.shared = 1};
    CU_ASSERT(dal_claim_try(&claim));
    CU_ASSERT_FALSE(dal_claim_try(&claim));
    CU_ASSERT_FALSE(dal_claim_pass_on(&claim));

    CU_ASSERT(dal_claim_try_at_last(&claim));
    CU_ASSERT_FALSE(dal_claim_try_at_last(&claim));
    CU_ASSERT(dal_claim_pass_on(&claim));

    CU_ASSERT(dal_claim_try(&claim)); /* the word has been taken */
    CU_ASSERT_FALSE(dal_claim_pass_on(&claim));
}

/* A claim that another thread holds until it is told to give it up. */
struct holder {
    struct dal_claim claim;
    _Atomic int held;
};

static void *hold_shortly(void *argument)
{
    struct holder *holder = argument;
    CU_ASSERT(dal_claim_try(&holder->claim));
    atomic_store(&holder->held, 1);
    while (atomic_load(&holder->held))
        sched_yield();
    dal_claim_give_up(&holder->claim);
    return NULL;
}

/* One that looks for long has the claim once it is given up, and goes away from one that is not. It
 * leaves no word. */
static void long_look(void)
{
    struct holder holder = {.claim = {.shared = 1}};
    pthread_t thread;
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, hold_shortly, &holder) == 0);
    while (!atomic_load(&holder.held))
        sched_yield();
    CU_ASSERT_FALSE(dal_claim_try_for_long(&holder.claim));
    CU_ASSERT_FALSE(atomic_load(&holder.claim.missed));
    atomic_store(&holder.held, 0);
    while (!dal_claim_try_for_long(&holder.claim))
        ;
    CU_ASSERT_FALSE(dal_claim_try_for_long(&holder.claim));
    dal_claim_give_up(&holder.claim);
    CU_ASSERT(dal_claim_try_for_long(&holder.claim));
    pthread_join(thread, NULL);
}

/* Of a holder that has found something it stays, for the next one that has not. */
static void word_stays(void)
{
    struct dal_claim claim = {.shared = 1};
    CU_ASSERT(dal_claim_try(&claim));
    CU_ASSERT_FALSE(dal_claim_try_at_last(&claim));
    dal_claim_give_up(&claim);
    CU_ASSERT(dal_claim_try(&claim));
    CU_ASSERT(dal_claim_pass_on(&claim));
}

/* Something to do, which is claimed, and those who sleep until there is. */
struct room {
    struct dal_claim claim;
    struct dal_wake wakes[WORKERS];
    _Atomic int work, over;
};

struct sleeper {
    struct room *room;
    int number;
    pthread_t thread;
};

/* As a process is looked at by a worker that is about to sleep; whoever has the claim is in no
 * hurry between its look and its end. */
static int look_at(struct room *room)
{
    const struct timespec while_others_look = {.tv_nsec = 1000};
    int found;
    if (!dal_claim_try_at_last(&room->claim))
        return 0;
    found = atomic_load(&room->work);
    nanosleep(&while_others_look, NULL);
    if (!found)
        return dal_claim_pass_on(&room->claim);
    atomic_store(&room->work, 0);
    dal_claim_give_up(&room->claim);
    return 1;
}

static void *sleep_and_look(void *argument)
{
    struct sleeper *sleeper = argument;
    struct dal_wake *wake = &sleeper->room->wakes[sleeper->number];
    while (!atomic_load(&sleeper->room->over)) {
        uint32_t sequence = dal_wake_prepare(wake);
        if (look_at(sleeper->room) || atomic_load(&sleeper->room->over))
            dal_wake_cancel(wake);
        else
            dal_wake_wait(wake, sequence, -1);
    }
    return NULL;
}

/* One of those who sleep hears of it, as rt/host/process.c does it. */
static void give_work(struct room *room, int first)
{
    atomic_store(&room->work, 1);
    for (int i = 0; i < WORKERS && !dal_wake_signal(&room->wakes[(first + i) % WORKERS]); i++)
        ;
}

/* So that the next work comes at any moment of somebody's look. */
static void pass_time(int64_t ns)
{
    int64_t begin_ns = dal_now_ns();
    while (dal_now_ns() - begin_ns < ns)
        ;
}

static int is_done(struct room *room)
{
    int64_t begin_ns = dal_now_ns();
    while (atomic_load(&room->work))
        if (dal_now_ns() - begin_ns > lost_ns)
            return 0;
        else
            sched_yield();
    return 1;
}

static void nothing_is_missed(void)
{
    struct room room = {.claim = {.shared = 1}};
    struct sleeper sleepers[WORKERS];
    int done = 1;
    for (int i = 0; i < WORKERS; i++) {
        sleepers[i] = (struct sleeper){.room = &room, .number = i};
        CU_ASSERT_FATAL(pthread_create(&sleepers[i].thread, NULL, sleep_and_look, &sleepers[i]) ==
                        0);
    }
    for (int round = 0; done && round < ROUNDS; round++) {
        give_work(&room, round);
        done = is_done(&room);
        pass_time(1000 * (round % 200));
    }
    CU_ASSERT(done);
    atomic_store(&room.over, 1);
    for (int i = 0; i < WORKERS; i++)
        dal_wake_signal(&room.wakes[i]);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(sleepers[i].thread, NULL);
}

int main(void)
{
    static const struct test tests[] = {
        {"of one worker", alone},
        {"who passes by leaves word", word_is_left},
        {"word stays until it is taken", word_stays},
        {"a long look", long_look},
        {"nothing is missed by all", nothing_is_missed},
    };
    return run_suite("claims", tests, sizeof(tests) / sizeof(tests[0]));
}
