/* Kernels: the blocks of a launch one by one, a block's threads as fibers that meet at barriers. */
#include "test/cuda/standin/standin.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__SANITIZE_THREAD__)
#define TSAN 1
#elif defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TSAN 1
#elif __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifdef ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef TSAN
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
#endif

enum { STACK_BYTES = 256 << 10, LANES = 32, GARBAGE = 0xa7 };

/* A stack that threads run on, one after another; with what the sanitizers have to know of it. */
struct fiber {
    ucontext_t context;
    void *stack;
    size_t stack_bytes;
    void *fake, *tsan;
};

enum state { STATE_NEW, STATE_READY, STATE_AT_BARRIER, STATE_AT_LANES, STATE_ENDED };

struct thread {
    struct standin_item item;
    enum state state;
    struct fiber *fiber;
    unsigned mask, turn;
    int predicate;
    unsigned long long values[2]; /* of two meetings of lanes in a row */
};

static struct fiber caller, fibers[STANDIN_THREADS], *idle[STANDIN_THREADS];
static unsigned idle_count, made;
static struct thread threads[STANDIN_THREADS], *running;
static unsigned thread_count;
static const struct standin_launch *launch;
static int broken, counted;
static pthread_t grid_thread; /* that runs the launch */
static struct sigaction handlers_before[2];

/* ---- fibers -----------------------------------------------------------------------------------
 */

static void switch_fiber(struct fiber *from, struct fiber *to, int ends)
{
#ifdef ASAN
    __sanitizer_start_switch_fiber(ends ? NULL : &from->fake, to->stack, to->stack_bytes);
#endif
#ifdef TSAN
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
    if (ends)
        setcontext(&to->context);
    else
        swapcontext(&from->context, &to->context);
#ifdef ASAN
    if (from == &caller)
        __sanitizer_finish_switch_fiber(from->fake, NULL, NULL);
    else
        __sanitizer_finish_switch_fiber(from->fake, (const void **)&caller.stack,
                                        &caller.stack_bytes);
#endif
}

/* A thread's life; its fiber is free for another one afterwards. */
static void run_thread(void)
{
#ifdef ASAN
    __sanitizer_finish_switch_fiber(NULL, (const void **)&caller.stack, &caller.stack_bytes);
#endif
    launch->function->call(launch->arguments);
    running->state = STATE_ENDED;
    switch_fiber(running->fiber, &caller, 1);
}

static struct fiber *new_fiber(void)
{
    struct fiber *fiber = &fibers[made++];
    fiber->stack_bytes = STACK_BYTES;
    fiber->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fiber->stack == MAP_FAILED)
        abort();
#ifdef TSAN
    fiber->tsan = __tsan_create_fiber(0);
#endif
    return fiber;
}

static void resume(struct thread *thread)
{
    running = thread;
    *launch->function->module->item = &thread->item;
    if (thread->state == STATE_NEW) {
        thread->fiber = idle_count ? idle[--idle_count] : new_fiber();
        getcontext(&thread->fiber->context);
        thread->fiber->context.uc_stack.ss_sp = thread->fiber->stack;
        thread->fiber->context.uc_stack.ss_size = thread->fiber->stack_bytes;
        thread->fiber->context.uc_link = NULL;
        makecontext(&thread->fiber->context, run_thread, 0);
        thread->fiber->fake = NULL;
    }
    thread->state = STATE_READY;
    switch_fiber(&caller, thread->fiber, 0);
    if (thread->state == STATE_ENDED)
        idle[idle_count++] = thread->fiber;
}

/* ---- meetings ---------------------------------------------------------------------------------
 */

static void pause_thread(enum state state)
{
    running->state = state;
    switch_fiber(running->fiber, &caller, 0);
}

static int barrier(int predicate)
{
    running->predicate = predicate;
    pause_thread(STATE_AT_BARRIER);
    return counted;
}

static struct thread *lane_of(const struct thread *thread, unsigned lane)
{
    size_t number = (size_t)(thread - threads) / LANES * LANES + lane;
    return number < thread_count && lane < LANES ? &threads[number] : NULL;
}

/* All lanes of the mask have left their values in the same turn. */
static unsigned meet(unsigned mask, unsigned long long value)
{
    unsigned turn = running->turn++ % 2;
    if (!(mask & 1u << running->item.lane))
        standin_misuse("%s: lane %u meets lanes that it is none of", launch->function->name,
                       running->item.lane);
    running->mask = mask;
    running->values[turn] = value;
    pause_thread(STATE_AT_LANES);
    return turn;
}

static unsigned long long exchange(unsigned mask, unsigned long long value, unsigned from)
{
    unsigned turn = meet(mask, value);
    const struct thread *other = from < LANES && mask & 1u << from ? lane_of(running, from) : NULL;
    return other ? other->values[turn] : value;
}

static unsigned ballot(unsigned mask, int predicate)
{
    unsigned turn = meet(mask, predicate != 0), result = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (mask & 1u << lane && lane_of(running, lane) && lane_of(running, lane)->values[turn])
            result |= 1u << lane;
    return result;
}

static int print_text(const char *format, ...)
{
    va_list list;
    int written;
    va_start(list, format);
    written = vprintf(format, list);
    va_end(list);
    return written;
}

static const struct standin_hooks hooks = {barrier, exchange, ballot, print_text};

static int release_barrier(void)
{
    unsigned waiting = 0, ended = 0;
    int count = 0;
    for (unsigned i = 0; i < thread_count; i++) {
        waiting += threads[i].state == STATE_AT_BARRIER;
        ended += threads[i].state == STATE_ENDED;
        count += threads[i].state == STATE_AT_BARRIER && threads[i].predicate;
    }
    if (waiting == 0 || waiting + ended < thread_count)
        return 0;
    counted = count;
    for (unsigned i = 0; i < thread_count; i++)
        if (threads[i].state == STATE_AT_BARRIER)
            threads[i].state = STATE_READY;
    return 1;
}

/* Lanes that do not exist or have ended are not waited for. */
static int lanes_met(const struct thread *thread)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct thread *other = lane_of(thread, lane);
        if (thread->mask & 1u << lane && other && other->state != STATE_ENDED &&
            (other->state != STATE_AT_LANES || other->mask != thread->mask))
            return 0;
    }
    return 1;
}

static int release_lanes(void)
{
    int released = 0;
    for (unsigned i = 0; i < thread_count; i++) {
        if (threads[i].state != STATE_AT_LANES || !lanes_met(&threads[i]))
            continue;
        for (unsigned lane = 0; lane < LANES; lane++)
            if (threads[i].mask & 1u << lane && lane_of(&threads[i], lane) &&
                lane_of(&threads[i], lane)->state == STATE_AT_LANES)
                lane_of(&threads[i], lane)->state = STATE_READY;
        released = 1;
    }
    return released;
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

/* The i-th of `count` in an order of the seed's. */
static unsigned in_order(unsigned i, unsigned count, unsigned begin, int backwards)
{
    unsigned number = (begin + i) % count;
    return backwards ? count - 1 - number : number;
}

static void init_threads(unsigned x, unsigned y, unsigned z, char *shared)
{
    const unsigned *size = launch->block;
    for (unsigned i = 0; i < thread_count; i++)
        threads[i] = (struct thread){
            .item = {.thread = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]},
                     .block = {x, y, z},
                     .block_size = {size[0], size[1], size[2]},
                     .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                     .lane = i % LANES,
                     .shared = shared,
                     .hooks = &hooks}};
}

/* 0 when threads of it wait for each other for ever, or one was broken. */
static int run_block(void)
{
    unsigned begin = standin_draw(thread_count), left = thread_count;
    int backwards = (int)standin_draw(2);
    while (left > 0) {
        int moved = 0;
        for (unsigned i = 0; i < thread_count; i++) {
            struct thread *thread = &threads[in_order(i, thread_count, begin, backwards)];
            if (thread->state > STATE_READY)
                continue;
            resume(thread);
            if (broken)
                return 0;
            moved = 1;
            left -= thread->state == STATE_ENDED;
        }
        if (left > 0 && !release_barrier() && !release_lanes() && !moved) {
            standin_misuse("%s: threads wait for each other for ever", launch->function->name);
            return 0;
        }
    }
    return 1;
}

static void run_blocks(char *shared)
{
    const struct standin_module *module = launch->function->module;
    unsigned plane = launch->grid[0] * launch->grid[1], count = plane * launch->grid[2],
             begin = standin_draw(count);
    int backwards = (int)standin_draw(2);
    for (unsigned i = 0; i < count && !broken; i++) {
        unsigned n = in_order(i, count, begin, backwards);
        memset(module->shared, GARBAGE, module->shared_bytes);
        if (shared)
            memset(shared, GARBAGE, launch->shared_bytes);
        init_threads(n % launch->grid[0], n % plane / launch->grid[0], n / plane, shared);
        if (!run_block())
            broken = 1;
    }
}

/* An address out of reach: the thread never goes on. A fault of a thread of the program happens
 * again, below the handler that it had. */
static void catch_fault(int signal, siginfo_t *info, void *context)
{
    struct standin_memory *memory = standin_memory_of(info->si_addr);
    (void)context;
    if (!pthread_equal(pthread_self(), grid_thread)) {
        sigaction(signal, &handlers_before[signal == SIGBUS], NULL);
        return;
    }
    if (!running)
        abort();
    if (memory)
        standin_misuse("kernel %s on device %d: %s memory %u of device %d, of %zu bytes",
                       launch->function->name, launch->function->object.device,
                       memory->object.dead ? "freed" : "out of reach or beside it:",
                       memory->object.number, memory->object.device, memory->count);
    else
        standin_misuse("kernel %s on device %d: an address of nothing, %p", launch->function->name,
                       launch->function->object.device, info->si_addr);
    broken = 1;
    switch_fiber(running->fiber, &caller, 1);
}

/* Fibers of threads that did not end are used again from their start. */
static void reset_fibers(void)
{
    idle_count = 0;
    for (unsigned i = 0; i < made; i++)
        idle[idle_count++] = &fibers[i];
}

int standin_run_grid(const struct standin_launch *what)
{
    struct sigaction action = {.sa_sigaction = catch_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    char *shared;
    if (what->function->object.dead) {
        standin_misuse("kernel %s runs after its module was unloaded", what->function->name);
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    launch = what;
    grid_thread = pthread_self();
    broken = 0;
    shared = what->shared_bytes ? malloc(what->shared_bytes) : NULL;
    thread_count = what->block[0] * what->block[1] * what->block[2];
#ifdef TSAN
    caller.tsan = __tsan_get_current_fiber();
#endif
    sigaction(SIGSEGV, &action, &handlers_before[0]);
    sigaction(SIGBUS, &action, &handlers_before[1]);
    run_blocks(shared);
    sigaction(SIGSEGV, &handlers_before[0], NULL);
    sigaction(SIGBUS, &handlers_before[1], NULL);
    running = NULL;
    reset_fibers();
    free(shared);
    fflush(stdout);
    if (!standin_zones(what->function->object.device, what->function->name) || broken)
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    return CUDA_SUCCESS;
}
