#define _GNU_SOURCE
#include "test/schedules/scheduler/schedule_own.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HERE ((uintptr_t)__builtin_return_address(0))

static const int64_t BEGIN_NS = 1000000000000, SPIN_NS = 10000;
enum { MOST_STUCK = 20, SHORTEST = 8, DOUBLED = 13, USUAL_STEPS = 20000000, MOST_DEPTH = 64 };

struct dal__schedule dal__schedule;
static struct dal__schedule *const all = &dal__schedule;
static _Thread_local struct dal__thread *self;

struct dal__thread *dal__thread(void)
{
    return self;
}

/* SplitMix64 */
uint64_t dal__draw(uint64_t sides)
{
    uint64_t z = all->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (z >> 16) % sides;
}

static int once_in(int chances)
{
    return chances > 0 && dal__draw((uint64_t)chances) == 0;
}

/* ---- the baton ------------------------------------------------------------------------------- */

static void give_baton(struct dal__thread *to)
{
    all->current = to;
    __atomic_store_n(&to->baton, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &to->baton, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void await_baton(struct dal__thread *me)
{
    while (!__atomic_load_n(&me->baton, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &me->baton, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    __atomic_store_n(&me->baton, 0, __ATOMIC_SEQ_CST);
}

static void switch_to(struct dal__thread *me, struct dal__thread *next)
{
    if (next == me)
        return;
    all->switches++;
    me->ran = next->ran = all->steps;
    next->turn = 0;
    give_baton(next);
    await_baton(me);
}

/* ---- who is next ----------------------------------------------------------------------------- */

static int64_t first_deadline(void)
{
    int64_t first_ns = INT64_MAX;
    for (int i = 0; i < all->count; i++)
        if (all->threads[i].state == DAL__BLOCKED && all->threads[i].deadline_ns < first_ns)
            first_ns = all->threads[i].deadline_ns;
    return first_ns;
}

/* Has every ready thread run since the last jump? Otherwise a nap of one would be a wait of hours
 * for another. */
static int may_jump(void)
{
    for (int i = 0; i < all->count; i++)
        if (all->threads[i].state == DAL__READY && all->threads[i].ran <= all->jumped)
            return 0;
    return 1;
}

static void jump(void)
{
    int64_t first_ns = first_deadline();
    if (first_ns != INT64_MAX && first_ns > all->now_ns)
        all->now_ns = first_ns;
    all->jumped = all->steps;
}

static void make_ready(struct dal__thread *thread)
{
    thread->state = DAL__READY;
    thread->object = 0;
    thread->quiet = 0;
    thread->ran = all->steps;
}

static void wake_due(void)
{
    for (int i = 0; i < all->count; i++) {
        struct dal__thread *thread = &all->threads[i];
        if (thread->state == DAL__BLOCKED && thread->deadline_ns <= all->now_ns) {
            thread->timed_out = 1;
            make_ready(thread);
        } else if (thread->state == DAL__SPINNING && thread->version != all->version) {
            make_ready(thread);
        }
    }
}

/* Lists the threads in a state, in the order of their numbers. Returns their number. */
static int list_of(enum dal__state state, struct dal__thread **list)
{
    int count = 0;
    for (int i = 0; i < all->count; i++)
        if (all->threads[i].state == state)
            list[count++] = &all->threads[i];
    return count;
}

/* Gives the highest priority to the thread that was passed over for longest, if that is long. */
static void raise_passed(struct dal__thread **list, int count)
{
    struct dal__thread *passed = list[0];
    for (int i = 1; i < count; i++)
        if (list[i]->ran < passed->ran)
            passed = list[i];
    if (passed != all->current && all->steps - passed->ran > DAL__TURN)
        passed->priority = ++all->highest;
}

static struct dal__thread *highest_of(struct dal__thread **list, int count)
{
    struct dal__thread *best = list[0];
    for (int i = 1; i < count; i++)
        if (list[i]->priority > best->priority)
            best = list[i];
    return best;
}

/* Lets a spinning thread look again, while time passes. It may wait for one that sleeps, so time
 * jumps now and then. */
static int let_spin(struct dal__thread **list)
{
    int count = list_of(DAL__SPINNING, list);
    if (count == 0)
        return 0;
    all->now_ns += SPIN_NS;
    if (++all->stuck % MOST_STUCK == 0)
        jump();
    list[0] = list[dal__draw((uint64_t)count)];
    make_ready(list[0]);
    list[0]->quiet = DAL__QUIET / 2;
    return 1;
}

/* Lists the threads that can run, in the order of their numbers. Time jumps if there is none. */
static int list_ready(struct dal__thread **list)
{
    int count;
    wake_due();
    count = list_of(DAL__READY, list);
    if (count > 0) {
        all->stuck = 0;
        return count;
    }
    count = let_spin(list);
    if (count > 0)
        return count;
    jump();
    wake_due();
    return list_of(DAL__READY, list);
}

static struct dal__thread *choose(struct dal__thread *me)
{
    struct dal__thread *list[DAL__THREADS];
    int count = list_ready(list);
    if (count == 0)
        dal__fail("deadlock: nobody can run, and nobody sleeps for a time", NULL, 0);
    raise_passed(list, count);
    if (all->options.policy == DAL_SCHEDULE_PCT)
        return highest_of(list, count);
    if (me->state == DAL__READY && !once_in(all->habits.keep))
        return me;
    return list[dal__draw((uint64_t)count)];
}

/* ---- points ---------------------------------------------------------------------------------- */

static void note(struct dal__thread *me, enum dal__kind kind, uintptr_t at, uintptr_t pc)
{
    extern const char __executable_start[];
    struct dal__event *event = &all->events[all->event_count++ % DAL__EVENTS];
    me->kind = kind;
    me->pc = pc - (uintptr_t)__executable_start;
    me->at = at;
    *event = (struct dal__event){all->steps, me->number, kind, me->pc, at};
    all->hash = (all->hash ^ (uint64_t)me->number) * 0x100000001b3u;
    all->hash = (all->hash ^ (uint64_t)kind) * 0x100000001b3u;
    all->hash = (all->hash ^ me->pc) * 0x100000001b3u;
}

/* Makes this thread's priority the lowest of all. */
static void lower(struct dal__thread *me)
{
    me->priority = --all->lowest;
}

static void change_priorities(struct dal__thread *me)
{
    for (int i = 0; i + 1 < all->options.depth; i++)
        if (all->changes[i] == all->steps)
            lower(me);
}

/* Lowers the priority of a thread that goes on and on, so that the others get their turns. */
static void be_fair(struct dal__thread *me)
{
    if (++me->turn % DAL__TURN == 0)
        lower(me);
}

static void be_quiet(struct dal__thread *me)
{
    if (++me->quiet < DAL__QUIET)
        return;
    me->state = DAL__SPINNING;
    me->version = all->version;
    lower(me);
}

void dal__point(struct dal__thread *me, enum dal__kind kind, uintptr_t at, uintptr_t pc)
{
    note(me, kind, at, pc);
    me->steps++;
    all->now_ns += all->habits.step_ns;
    if (++all->steps > all->options.most_steps)
        dal__fail("no end: too many steps", NULL, 0);
    change_priorities(me);
    be_fair(me);
    be_quiet(me);
    dal__drift();
    if (once_in(all->habits.jump) && may_jump())
        jump();
    switch_to(me, choose(me));
}

/* Blocks the thread until it is woken, or until the deadline. */
static void wait_for(struct dal__thread *me, uintptr_t object, int64_t deadline_ns)
{
    me->state = DAL__BLOCKED;
    me->object = object;
    me->deadline_ns = deadline_ns;
    me->timed_out = 0;
    switch_to(me, choose(me));
}

static void wake_for(uintptr_t object, int most)
{
    struct dal__thread *list[DAL__THREADS];
    int count = list_of(DAL__BLOCKED, list), i;
    for (i = 0; i < count && most > 0; i++)
        if (list[i]->object == object) {
            make_ready(list[i]);
            most--;
        }
    all->version++;
}

/* ---- threads --------------------------------------------------------------------------------- */

static struct dal__thread *take_place(void)
{
    for (int i = 0; i < all->count; i++)
        if (all->threads[i].state == DAL__JOINED)
            return &all->threads[i];
    if (all->count == DAL__THREADS)
        dal__fail("too many threads for the scheduler", NULL, 0);
    return &all->threads[all->count++];
}

/* The clock of a place goes on with its next thread, so that all that its threads do is in an
 * order. */
static struct dal__thread *add_thread(const struct dal__thread *parent)
{
    struct dal__thread *thread = take_place();
    int number = (int)(thread - all->threads);
    uint32_t before = thread->clock.of[number];
    memset(thread, 0, sizeof(*thread));
    thread->number = number;
    if (parent)
        thread->clock = parent->clock;
    thread->clock.of[number] = before + 1;
    thread->priority = (int64_t)dal__draw((uint64_t)all->highest);
    thread->ran = all->steps;
    return thread;
}

static void *enter_thread(void *argument)
{
    struct dal__thread *me = argument;
    enum { STACK = 1 << 18 };
    void *result;
    self = me;
    me->stack = (uintptr_t)__builtin_frame_address(0);
    await_baton(me);
    /* Forgets the stack, and the thread's own memory above it. */
    dal__forget((uintptr_t)&result - STACK, (uintptr_t)pthread_self() - (uintptr_t)&result + STACK);
    result = me->function(me->argument);
    dal__point(me, DAL__END, 0, (uintptr_t)me->function);
    dal__flush(me);
    self = NULL;
    me->state = me->detached ? DAL__JOINED : DAL__ENDED;
    wake_for((uintptr_t)me, INT_MAX);
    wake_for((uintptr_t)all, INT_MAX);
    give_baton(choose(me));
    return result;
}

int dal_schedule_create(pthread_t *handle, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument)
{
    struct dal__thread *me = self, *thread;
    int error;
    if (!me)
        return pthread_create(handle, attributes, function, argument);
    dal__point(me, DAL__CREATE, 0, HERE);
    dal__flush(me);
    thread = add_thread(me);
    me->clock.of[me->number]++;
    me->quiet = 0;
    thread->function = function;
    thread->argument = argument;
    error = pthread_create(&thread->handle, attributes, enter_thread, thread);
    if (error) {
        thread->state = DAL__JOINED;
        return error;
    }
    *handle = thread->handle;
    dal__point(me, DAL__CREATE, 0, HERE);
    return 0;
}

static struct dal__thread *thread_of(pthread_t handle)
{
    for (int i = all->count - 1; i > 0; i--)
        if (all->threads[i].state != DAL__JOINED && pthread_equal(all->threads[i].handle, handle))
            return &all->threads[i];
    return NULL;
}

int dal_schedule_join(pthread_t handle, void **result)
{
    struct dal__thread *me = self, *other = me ? thread_of(handle) : NULL;
    int error;
    if (!other)
        return pthread_join(handle, result);
    dal__point(me, DAL__JOIN, 0, HERE);
    dal__flush(me);
    while (other->state != DAL__ENDED)
        wait_for(me, (uintptr_t)other, INT64_MAX);
    dal__join(&me->clock, &other->clock);
    error = pthread_join(handle, result);
    other->state = DAL__JOINED;
    return error;
}

/* A detached thread's place is free when it has ended. So is its handle, which the next thread may
 * get. */
int dal_schedule_detach(pthread_t handle)
{
    struct dal__thread *other = self ? thread_of(handle) : NULL;
    if (other && other->state == DAL__ENDED)
        other->state = DAL__JOINED;
    else if (other)
        other->detached = 1;
    return pthread_detach(handle);
}

/* ---- mutexes --------------------------------------------------------------------------------- */

int dal_schedule_lock(pthread_mutex_t *mutex)
{
    struct dal__thread *me = self;
    struct dal__object *object;
    if (!me)
        return pthread_mutex_lock(mutex);
    dal__point(me, DAL__LOCK, (uintptr_t)mutex, HERE);
    dal__flush(me);
    object = dal__object((uintptr_t)mutex);
    while (object->owner)
        wait_for(me, (uintptr_t)mutex, INT64_MAX);
    object->owner = me;
    me->quiet = 0;
    dal__join(&me->clock, &object->clock);
    return 0;
}

int dal_schedule_trylock(pthread_mutex_t *mutex)
{
    struct dal__thread *me = self;
    struct dal__object *object;
    if (!me)
        return pthread_mutex_trylock(mutex);
    dal__point(me, DAL__LOCK, (uintptr_t)mutex, HERE);
    dal__flush(me);
    object = dal__object((uintptr_t)mutex);
    if (object->owner)
        return EBUSY;
    object->owner = me;
    dal__join(&me->clock, &object->clock);
    return 0;
}

int dal_schedule_unlock(pthread_mutex_t *mutex)
{
    struct dal__thread *me = self;
    struct dal__object *object;
    if (!me)
        return pthread_mutex_unlock(mutex);
    dal__point(me, DAL__UNLOCK, (uintptr_t)mutex, HERE);
    dal__flush(me);
    object = dal__object((uintptr_t)mutex);
    object->owner = NULL;
    object->clock = me->clock;
    me->clock.of[me->number]++;
    wake_for((uintptr_t)mutex, INT_MAX);
    return 0;
}

/* ---- barriers, of tests ---------------------------------------------------------------------- */

int dal_schedule_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                              unsigned parties)
{
    if (self)
        dal__object((uintptr_t)barrier)->parties = parties;
    return pthread_barrier_init(barrier, attributes, parties);
}

int dal_schedule_barrier_wait(pthread_barrier_t *barrier)
{
    struct dal__thread *me = self;
    struct dal__object *object;
    unsigned round;
    if (!me)
        return pthread_barrier_wait(barrier);
    dal__point(me, DAL__LOCK, (uintptr_t)barrier, HERE);
    dal__flush(me);
    object = dal__object((uintptr_t)barrier);
    round = object->round;
    dal__join(&object->clock, &me->clock);
    me->clock.of[me->number]++;
    if (++object->waiting == object->parties) {
        object->waiting = 0;
        object->round++;
        wake_for((uintptr_t)barrier, INT_MAX);
    }
    while (object->round == round)
        wait_for(me, (uintptr_t)barrier, INT64_MAX);
    dal__join(&me->clock, &object->clock);
    return 0;
}

/* ---- sleep and time -------------------------------------------------------------------------- */

static int64_t in_ns(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

long dal_schedule_futex(long number, const void *word, int operation, uint32_t value,
                        const struct timespec *limit, void *none, int zero)
{
    struct dal__thread *me = self;
    int waits = operation == FUTEX_WAIT_PRIVATE;
    if (!me)
        return syscall(number, word, operation, value, limit, none, zero);
    dal__point(me, waits ? DAL__WAIT : DAL__WAKE, (uintptr_t)word, HERE);
    dal__flush(me);
    if (!waits && dal__is_planted(DAL_SCHEDULE_LOST, (uintptr_t)word, 0))
        return 0;
    if (!waits) {
        wake_for((uintptr_t)word, (int)value);
        return 0;
    }
    if (*(const volatile uint32_t *)word != value || once_in(all->habits.spurious))
        return -1;
    if (dal__is_planted(DAL_SCHEDULE_FOR_EVER, (uintptr_t)word, 0))
        limit = NULL;
    wait_for(me, (uintptr_t)word, limit ? all->now_ns + in_ns(limit) : INT64_MAX);
    return me->timed_out ? -1 : 0;
}

int dal_schedule_yield(void)
{
    struct dal__thread *me = self;
    if (!me)
        return sched_yield();
    lower(me);
    dal__point(me, DAL__YIELD, 0, HERE);
    return 0;
}

int dal_schedule_nanosleep(const struct timespec *time, struct timespec *left)
{
    struct dal__thread *me = self;
    if (!me)
        return nanosleep(time, left);
    dal__point(me, DAL__NAP, 0, HERE);
    dal__flush(me);
    wait_for(me, (uintptr_t)me, all->now_ns + in_ns(time));
    return 0;
}

int dal_schedule_clock(clockid_t clock, struct timespec *now)
{
    struct dal__thread *me = self;
    int64_t ns;
    if (!me)
        return clock_gettime(clock, now);
    dal__point(me, DAL__CLOCK, 0, HERE);
    ns = clock == CLOCK_THREAD_CPUTIME_ID ? (int64_t)me->steps * all->habits.step_ns : all->now_ns;
    *now = (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    return 0;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int one_of(const int *list, int count)
{
    return list[dal__draw((uint64_t)count)];
}

static void draw_habits(void)
{
    static const int keeps[] = {1, 2, 4, 16, 64, 256}, drains[] = {1, 4, 16, 64};
    static const int jumps[] = {0, 0, 50, 500, 5000}, steps_ns[] = {10, 100, 1000, 10000};
    all->habits = (struct dal__habits){.keep = one_of(keeps, 6),
                                       .drain = one_of(drains, 4),
                                       .overtakes = once_in(2),
                                       .jump = one_of(jumps, 5),
                                       .spurious = once_in(2) ? 8 : 0,
                                       .step_ns = one_of(steps_ns, 4)};
}

static void draw_changes(void)
{
    uint64_t length = (uint64_t)SHORTEST << dal__draw(DOUBLED);
    if (all->options.depth > MOST_DEPTH)
        all->options.depth = MOST_DEPTH;
    for (int i = 0; i + 1 < all->options.depth; i++)
        all->changes[i] = 1 + dal__draw(length);
}

void dal_schedule_begin(const struct dal_schedule_options *options)
{
    struct dal__event *events = all->events;
    unsigned run = all->run;
    *all = (struct dal__schedule){
        .options = *options, .run = run + 1, .now_ns = BEGIN_NS, .highest = 1 << 30};
    all->events = events ? events : calloc(DAL__EVENTS, sizeof(*events));
    if (!all->events)
        abort();
    if (all->options.most_steps == 0)
        all->options.most_steps = USUAL_STEPS;
    all->random = options->seed * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
    all->hash = 0xcbf29ce484222325u;
    draw_habits();
    draw_changes();
    dal__memory_begin();
    self = all->current = add_thread(NULL);
    self->stack = (uintptr_t)__builtin_frame_address(0);
}

static int is_alone(void)
{
    for (int i = 1; i < all->count; i++)
        if (all->threads[i].state < DAL__ENDED)
            return 0;
    return 1;
}

void dal_schedule_end(struct dal_schedule_summary *summary)
{
    struct dal__thread *me = self;
    dal__flush(me);
    while (!is_alone())
        wait_for(me, (uintptr_t)all, INT64_MAX);
    self = NULL;
    if (summary)
        *summary = (struct dal_schedule_summary){
            .steps = all->steps, .switches = all->switches, .hash = all->hash};
    if (all->options.print)
        dal__print();
}

void dal_schedule_plant(enum dal_schedule_plant plant, const volatile void *object, uint64_t value)
{
    if (all->planted_count == DAL__PLANTS)
        dal__fail("too much is planted", NULL, 0);
    all->planted[all->planted_count++] = (struct dal__planted){plant, (uintptr_t)object, value};
}

int dal__is_planted(enum dal_schedule_plant plant, uintptr_t address, uint64_t value)
{
    for (int i = 0; i < all->planted_count; i++)
        if (all->planted[i].plant == plant && all->planted[i].address == address &&
            all->planted[i].value == value)
            return 1;
    return 0;
}

void dal_schedule_fail(const char *what)
{
    dal__fail(what, NULL, 0);
}
