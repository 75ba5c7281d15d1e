/* What the scheduler has to find: programs that are wrong, each in one way. */
#include "rt/base/sync.h"
#include "rt/base/wake.h"
#include "test/schedules/protocols.h"
#include "test/schedules/schedules.h"

static _Atomic int x, y, ready;
static int plain;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

/* Runs two functions at once. */
static void run_both(void *(*one)(void *), void *(*other)(void *))
{
    pthread_t threads[2];
    if (pthread_create(&threads[0], NULL, one, NULL) ||
        pthread_create(&threads[1], NULL, other, NULL))
        dal_schedule_fail("no thread");
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

/* ---- Dekker with stores that wait in a buffer ------------------------------------------------ */

static int seen[2];

static void *store_x(void *nothing)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    seen[0] = atomic_load_explicit(&y, memory_order_seq_cst);
    return nothing;
}

static void *store_y(void *nothing)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    seen[1] = atomic_load_explicit(&x, memory_order_seq_cst);
    return nothing;
}

static void miss_both(void)
{
    run_both(store_x, store_y);
    if (!seen[0] && !seen[1])
        dal_schedule_fail("both have seen nothing");
}

/* ---- relaxed where it has to be release ------------------------------------------------------ */

static void *write_plain(void *nothing)
{
    plain = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return nothing;
}

static void *read_plain(void *nothing)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    return plain ? nothing : &plain;
}

static void publish_relaxed(void)
{
    run_both(write_plain, read_plain);
}

static void *write_first(void *nothing)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return nothing;
}

static void *read_second(void *nothing)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    if (!atomic_load_explicit(&x, memory_order_relaxed))
        dal_schedule_fail("the second store came first");
    return nothing;
}

static void overtake(void)
{
    run_both(write_first, read_second);
}

/* ---- relaxed where it has to be acquire ------------------------------------------------------ */

static void *write_release(void *nothing)
{
    plain = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return nothing;
}

static void *read_relaxed(void *nothing)
{
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
    return plain ? nothing : &plain;
}

static void look_relaxed(void)
{
    run_both(write_release, read_relaxed);
}

/* ---- sleep without a second look ------------------------------------------------------------- */

static struct dal_wake bed;

static void *sleep_at_once(void *nothing)
{
    if (!atomic_load(&ready))
        dal_wake_wait(&bed, dal_wake_prepare(&bed), -1);
    return nothing;
}

static void *wake_once(void *nothing)
{
    atomic_store(&ready, 1);
    dal_wake_signal(&bed);
    return nothing;
}

static void look_once(void)
{
    run_both(sleep_at_once, wake_once);
}

/* ---- two locks in two orders ----------------------------------------------------------------- */

static void lock_from(int first)
{
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[!first]);
    pthread_mutex_unlock(&locks[!first]);
    pthread_mutex_unlock(&locks[first]);
}

static void *lock_forwards(void *nothing)
{
    lock_from(0);
    return nothing;
}

static void *lock_backwards(void *nothing)
{
    lock_from(1);
    return nothing;
}

static void lock_both(void)
{
    run_both(lock_forwards, lock_backwards);
}

/* ---- no end ---------------------------------------------------------------------------------- */

static void *spin_on(void *nothing)
{
    while (!atomic_load_explicit(&x, memory_order_relaxed))
        ;
    return nothing;
}

static void spin_for_ever(void)
{
    run_both(spin_on, spin_on);
}

/* ---- the handler of devices ------------------------------------------------------------------ */

static void clear_late(void)
{
    handler_serves(HANDLER_CLEARS_LATE);
}

static void stay_busy(void)
{
    handler_serves(HANDLER_IS_NOT_IDLE);
}

static void wake_nobody(void)
{
    handler_serves(HANDLER_IS_NOT_WOKEN);
}

const struct protocol broken[] = {
    {"dekker", miss_both, "both have seen nothing"},
    {"publish", publish_relaxed, "race"},
    {"overtake", overtake, "the second store came first"},
    {"acquire", look_relaxed, "race"},
    {"look", look_once, "deadlock"},
    {"locks", lock_both, "deadlock"},
    {"endless", spin_for_ever, "no end"},
    {"flow-look", flow_without_look, "deadlock"},
    {"flow-wake", flow_woken_early, "deadlock"},
    {"credit-late", flow_credit_late, "deadlock"},
    {"credit-lost", flow_credit_lost, "deadlock"},
    {"posted", clear_late, "deadlock"},
    {"idle", stay_busy, "not idle"},
    {"unwoken", wake_nobody, "deadlock"},
};
const int broken_count = sizeof(broken) / sizeof(broken[0]);
