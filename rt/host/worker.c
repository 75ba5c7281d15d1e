#include "rt/host/worker.h"

#include "channels/port.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/cores.h"
#include "rt/base/fault.h"
#include "rt/base/realtime.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/host/firing.h"

#include <sys/prctl.h>

/* Passes over the groups before a worker sleeps: first pausing, then yielding. Waking a sleeper
 * costs some 30 us, so it spins through short waits. Spinning long starves other threads, and
 * soonest the threads of a device that is made of the cores. */
enum { PASSES_PAUSING = 32, PASSES_YIELDING = 16, PASSES_IMPATIENT = 8 };

/* More searchers than these find nothing that these would not find. So the others sleep soon. */
enum { SEARCHERS = 2 };

/* Passes with help for others before sleeping: some 100 us. */
enum { PASSES_HELPING = 256 };

/* Passes in which the shadow copies of other workers are left to them. Where more workers share a
 * pool than search for long, they are few: others sleep before they have made so many passes, and a
 * worker in a long firing would keep its copies from all of them. */
enum { PASSES_LEAVING = 16, PASSES_LEAVING_FEW = 4 };
_Static_assert((int)PASSES_LEAVING_FEW < (int)PASSES_IMPATIENT, "each worker looks at all copies");

/* Nanoseconds to wake before a release. */
enum { EARLY_NS = 50 * 1000 };

/* In real-time mode: how long a worker may use a core, and the rest after that. */
enum { USING_NS = 100 * 1000 * 1000, REST_NS = 5 * 1000 * 1000 };

/* A look takes cache lines from those at work. So after looks in vain each wait is longer: it
 * doubles after PASSES_ALIKE looks, up to MOST_DOUBLED times. */
enum { PASSES_ALIKE = 4, MOST_DOUBLED = 5 };

static void pause_after(int idle)
{
    int left = 1 << (idle / PASSES_ALIKE < MOST_DOUBLED ? idle / PASSES_ALIKE : MOST_DOUBLED);
    while (left-- > 0)
        dal_pause();
}

#ifdef DAL_CHECKING
enum { IS_CHECKED = 1 };
#else
enum { IS_CHECKED = 0 };
#endif

/* In a checking build, ends a run in real-time mode in which firing asks for memory. Other calls
 * of the process, as its init, may. */
static void refuse_memory(const struct dal_worker *worker, const struct dal_group *group,
                          unsigned long before)
{
    if (!IS_CHECKED || !worker->control->realtime || dal_alloc_count() == before ||
        dal_control_broken(worker->control))
        return;
    dal_log(DAL_LOG_ERROR, "process %s: the runtime asks for memory in real-time mode",
            dal__member(group, 0)->desc->name);
    dal_control_break(worker->control, DAL_ERR_PROCESS);
}

/* Fires every group once if it can. Returns whether one did. Sets *alive to the processes that have
 * not ended. */
static int make_pass(struct dal_worker *worker, enum dal_pass pass, int *alive)
{
    int active = 0;
    *alive = 0;
    for (int i = 0; i < worker->group_count; i++) {
        struct dal_group *group = worker->groups[i];
        unsigned long asked = IS_CHECKED ? dal_alloc_count() : 0;
        active |= dal_group_activate(group, worker->numbers[i], pass, &worker->row);
        refuse_memory(worker, group, asked);
        *alive += dal_group_alive(group);
        if (dal_control_broken(worker->control))
            return 0;
    }
    return active;
}

/* Returns the first release after `look_ns`, or INT64_MAX. A process whose release has come by then
 * waits for something else. */
static int64_t next_release(const struct dal_worker *worker, int64_t look_ns)
{
    int64_t first_ns = INT64_MAX;
    for (int i = 0; worker->periodic && i < worker->group_count; i++) {
        const struct dal_timer *timer = dal__member(worker->groups[i], 0)->host.timer;
        int64_t release_ns = timer ? dal_timer_next_ns(timer) : INT64_MIN;
        if (release_ns > look_ns && release_ns < first_ns)
            first_ns = release_ns;
    }
    return first_ns;
}

/* Sleeps, after a look that began at `look_ns`, until it is signalled or shortly before a release.
 * Returns whether a release comes soon. */
static int sleep_until(struct dal_worker *worker, uint32_t sequence, int64_t look_ns)
{
    int64_t release_ns = next_release(worker, look_ns), left_ns = -1;
    if (release_ns < INT64_MAX)
        left_ns = release_ns - dal_now_ns() - EARLY_NS;
    if (release_ns < INT64_MAX && left_ns <= 0) {
        dal_wake_cancel(&worker->wake);
        return 1;
    }
    dal_meter_close(&dal_here()->meter);
    dal_wake_wait(&worker->wake, sequence, left_ns);
    return 0;
}

/* Lets ordinary threads have the core for a while, where a thread in real-time mode has used nearly
 * all of it. */
static void rest_if_due(struct dal_worker *worker)
{
    const struct timespec rest = {.tv_nsec = REST_NS};
    int64_t now_ns, used_ns;
    if (!worker->control->realtime)
        return;
    now_ns = dal_tick_ns();
    if (now_ns - worker->since_ns < USING_NS)
        return;
    used_ns = dal_thread_ns() - worker->used_ns;
    if (10 * used_ns > 9 * (now_ns - worker->since_ns)) {
        nanosleep(&rest, NULL);
        worker->rests++;
    }
    worker->since_ns = dal_tick_ns();
    worker->used_ns = dal_thread_ns();
}

/* Announces sleep, looks once more (rt/base/wake.h), sleeps. Returns whether the look has found
 * something, or will soon. */
static int sleep_for_work(struct dal_worker *worker, int *alive)
{
    int64_t look_ns = worker->periodic ? dal_now_ns() : 0;
    uint32_t sequence;
    int active;
    dal_search_last(&worker->search);
    sequence = dal_wake_prepare(&worker->wake);
    active = make_pass(worker, DAL_PASS_LAST, alive);
    if (active || *alive == 0 || dal_control_broken(worker->control) ||
        dal_control_paused(worker->control))
        dal_wake_cancel(&worker->wake);
    else {
        dal_search_pass_on(&worker->search);
        active = sleep_until(worker, sequence, look_ns);
    }
    return active;
}

/* Returns the passes before sleeping. On a core that others want, spinning uses up the worker's
 * share, and yielding gives the core away for milliseconds. A sleeper gets the core when it wakes,
 * so periodic processes sleep soon too. */
static int most_passes(const struct dal_worker *worker)
{
    if (worker->impatient || worker->periodic || worker->control->realtime)
        return PASSES_IMPATIENT;
    return worker->help ? PASSES_HELPING : PASSES_PAUSING + PASSES_YIELDING;
}

/* Leaves the core to others for a moment, more so after many passes. */
static void give_way(int idle)
{
    if (idle == PASSES_PAUSING)
        dal_meter_close(&dal_here()->meter);
    if (idle <= PASSES_PAUSING)
        pause_after(idle);
    else
        sched_yield();
}

static int passes_leaving(const struct dal_worker *worker)
{
    for (int i = 0; i < worker->search.count; i++)
        if (worker->search.pools[i]->count > SEARCHERS)
            return PASSES_LEAVING_FEW;
    return PASSES_LEAVING;
}

/* Binds the thread to its core. A team's worker may run on any core of the team, so that threads
 * which OpenMP makes later may, too. */
static void bind_worker(const struct dal_worker *worker)
{
    if (worker->team.count > 1)
        dal_team_bind(&worker->team);
    else if (worker->core >= 0 && dal_core_pin(worker->core) < 0)
        dal_log(DAL_LOG_WARNING, "processor %s: no core %d on this machine, not pinned",
                worker->name, worker->core);
}

static void touch_ring(const struct dal_storage *ring)
{
    if (ring->host)
        dal_realtime_touch(ring->host,
                           ring->sort == DAL_STORAGE_TWICE ? 2 * ring->bytes : ring->bytes);
}

/* Touches the rings of a group, and the inner tokens of the worker's copy. */
static void touch_tokens(const struct dal_group *group, int number)
{
    const struct dal_overlays *inner = &group->overlays;
    for (int k = 0; number == 0 && k < group->actor.end_count; k++)
        if (group->actor.ends[k]->output)
            touch_ring(group->actor.ends[k]->port->own);
    if (inner->memory && number < group->copy_count)
        dal_realtime_touch(inner->memory + (size_t)number * inner->stride, inner->stride);
}

/* Touches the memory that this worker is the first to write, and its stack. */
static void begin_realtime(struct dal_worker *worker)
{
    for (int i = 0; i < worker->group_count; i++)
        touch_tokens(worker->groups[i], worker->numbers[i]);
    worker->since_ns = dal_tick_ns();
    worker->used_ns = dal_thread_ns();
    dal_realtime_begin(worker->control->realtime);
}

static void begin_working(struct dal_worker *worker)
{
    if (!dal_control_stopping(worker->control)) /* it only sees its processes end */
        bind_worker(worker);
    if (worker->periodic || worker->control->realtime)
        prctl(PR_SET_TIMERSLACK, 1UL); /* a nanosecond, so that sleeps end on time */
    if (worker->control->realtime)
        begin_realtime(worker);
}

/* Begins to search, if it does not yet. Returns the passes before sleeping, `most` so far. */
static int search_on(struct dal_worker *worker, int idle, int most)
{
    if (idle > 0 || worker->search.count == 0 || worker->search.state == DAL_SEARCH_COUNTS)
        return most;
    most = most_passes(worker);
    if (dal_search_begin(&worker->search) >= SEARCHERS && most > PASSES_IMPATIENT)
        return PASSES_IMPATIENT;
    return most;
}

static void work_until_end(void *argument)
{
    struct dal_worker *worker = argument;
    int most = most_passes(worker), leaving = passes_leaving(worker);
    int idle = 0, alive = 1;
    begin_working(worker);
    while (alive && !dal_control_broken(worker->control)) {
        if (dal_control_paused(worker->control)) {
            dal_control_rest(worker->control, &worker->wake);
            continue;
        }
        if (idle <= most ? make_pass(worker, idle < leaving ? DAL_PASS_OWN : DAL_PASS_ALL, &alive)
                         : sleep_for_work(worker, &alive)) {
            idle = 0;
            rest_if_due(worker);
            continue;
        }
        most = search_on(worker, idle, most);
        if (worker->help && worker->help(worker->helped))
            idle = 0;
        else
            give_way(++idle);
    }
    dal_search_leave(&worker->search);
    dal_meter_close(&dal_here()->meter);
    dal_control_leave(worker->control);
}

/* Ends the network: a process called pthread_exit() or the like, and nobody fires for this worker
 * any more. */
static void be_left(void *argument)
{
    struct dal_worker *worker = argument;
    dal_here_complain("ended its thread");
    dal_control_break(worker->control, DAL_ERR_PROCESS);
    dal_control_leave(worker->control);
}

static void *enter_thread(void *argument)
{
    struct dal_worker *worker = argument;
    char signal_stack[DAL_STACK_SIGNAL]; /* at the far end of a stack that is used up */
    dal_here()->control = worker->control;
    dal_here()->search = &worker->search;
    dal_thread_begin();
    if (!worker->control->hosted)
        dal_faults_watch_stack(signal_stack);
    pthread_cleanup_push(be_left, worker);
    if (worker->team.openmp)
        worker->team.openmp->enter(worker->team.count, work_until_end, worker);
    else
        work_until_end(worker);
    pthread_cleanup_pop(0);
    return NULL;
}

int dal_worker_start(struct dal_worker *worker)
{
    int status;
    if (worker->is_outside)
        return DAL_OK;
    dal_control_enter(worker->control);
    status = dal_thread_start(&worker->thread, enter_thread, worker, "processor ", worker->name);
    worker->running = status == DAL_OK;
    if (status < 0)
        dal_control_leave(worker->control);
    return status;
}

void dal_worker_join(struct dal_worker *worker)
{
    if (worker->running)
        pthread_join(worker->thread, NULL);
    worker->running = 0;
}
