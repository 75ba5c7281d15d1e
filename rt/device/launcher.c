/* A launcher at work; launcher_make.c makes it. */
#include "rt/device/launcher.h"

#include "rt/base/clock.h"
#include "rt/base/number.h"
#include "rt/device/watch.h"

const struct dal_process_ops dal_process_device = {.on_device = 1};

/* A launch smaller than S waits for more tokens while this many launches are in flight: the device
 * has work, and a larger launch costs the same. Whole ones do not wait. */
enum { ENOUGH_IN_FLIGHT = 1 };

/* Time that a launch should take at most; after one that takes an eighth of it, the next may be
 * larger. When launches are slow, two in flight keep the device busy. */
enum { AIM_NS = 200 * 1000 * 1000, SLOW_NS = AIM_NS / 4, SLOW_IN_FLIGHT = 2 };

static int in_flight(const struct dal_launcher *launcher)
{
    return atomic_load_explicit(&launcher->in_flight, memory_order_relaxed);
}

static void add_in_flight(struct dal_launcher *launcher, int change)
{
    atomic_store_explicit(&launcher->in_flight, in_flight(launcher) + change, memory_order_relaxed);
}

static int set_windows(struct dal_launcher *launcher, const struct dal_argument *arguments)
{
    const struct dal_launcher_replica *replica = launcher->replica;
    const struct dal_backend *backend = replica->queue->backend;
    const struct dal_subject subject = {launcher->subject.name, DAL_LOG_ERROR};
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < launcher->actor.end_count; i++) {
        struct dal_argument *bound = &replica->bound[i];
        unsigned number = 2 * (unsigned)i;
        uint64_t offset = arguments[i].offset;
        if (bound->memory != arguments[i].memory)
            status = backend->set_memory(replica->kernel, &subject, number, arguments[i].memory);
        if (status == DAL_OK && (bound->offset != offset || !bound->memory))
            status =
                backend->set_value(replica->kernel, &subject, number + 1, sizeof(offset), &offset);
        *bound = arguments[i];
    }
    return status;
}

/* Sets the kernel's arguments. A kernel of several processes also takes the number of rounds. */
static int set_arguments(struct dal_launcher *launcher, uint64_t rounds)
{
    const struct dal_launcher_replica *replica = launcher->replica;
    const struct dal_backend *backend = replica->queue->backend;
    const struct dal_subject subject = {launcher->subject.name, DAL_LOG_ERROR};
    unsigned number = 2 * (unsigned)launcher->actor.end_count;
    uint64_t first = launcher->rounds;
    int status = set_windows(launcher, launcher->call.arguments);
    if (status < 0 || !launcher->group)
        return status;
    status = backend->set_value(replica->kernel, &subject, number, sizeof(rounds), &rounds);
    if (status == DAL_OK)
        status =
            backend->set_memory(replica->kernel, &subject, number + 1, replica->scratch.memory);
    if (status == DAL_OK && launcher->group->kept_count)
        status = backend->set_value(replica->kernel, &subject, number + 2, sizeof(first), &first);
    return status;
}

/* Adapts the rounds of the next launch to the time that one of `rounds` rounds has taken. */
static void adapt(struct dal_launcher *launcher, uint64_t rounds, int64_t time_ns)
{
    uint64_t copies = launcher->copies, most = launcher->pace.most;
    launcher->pace.slow = time_ns > SLOW_NS;
    if (time_ns > 2 * (int64_t)AIM_NS)
        most = rounds * AIM_NS / (uint64_t)time_ns;
    else if (rounds >= most && time_ns < AIM_NS / 2)
        most *= time_ns < AIM_NS / 8 ? 8 : 2;
    if (most < launcher->pace.least)
        most = launcher->pace.least;
    launcher->pace.most = most < copies ? most : copies;
    launcher->pace.stray |= launcher->pace.most < copies;
}

static int launch_completed(const struct dal_update *update, dal_event event)
{
    struct dal_launcher *launcher = update->object;
    struct dal_launcher_replica *replica = &launcher->replicas[update->amount];
    (void)event;
    if (update->timer)
        dal__launcher_measure(launcher, replica, update->timer, update->at);
    adapt(launcher, update->at, replica->queue->launch_ns);
    if (launcher->dealing)
        dal_dealing_end(launcher, replica, update->at);
    add_in_flight(launcher, -1);
    replica->in_flight--;
    replica->queue->launches--;
    dal_handler_post(launcher->handler, launcher);
    return DAL_OK;
}

/* ---- marks ----------------------------------------------------------------------------------- */

/* Returns the rounds that a replica has ended and that are not counted yet. */
static uint64_t ended_in(const struct dal_launcher_replica *replica)
{
    uint64_t ended = replica->completed;
    if (replica->queue->downloads)
        ended = dal_least(ended, replica->arrived);
    return ended - replica->ended;
}

/* Returns how many rounds from this one on are of one replica, at most S where there are several.
 */
static uint64_t rounds_left(const struct dal_launcher *launcher, uint64_t round,
                            struct dal_launcher_replica **replica)
{
    if (launcher->dealing)
        return dal_dealing_left(launcher, round, replica);
    *replica = launcher->replicas;
    return UINT64_MAX;
}

/* Counts ended rounds. Replicas end in any order: a round counts once all before it have ended. */
static void count_ended(struct dal_launcher *launcher)
{
    uint64_t reached = launcher->ended, left = 0, ended = 0;
    for (; ended == left && reached < launcher->rounds; reached += ended) {
        struct dal_launcher_replica *replica;
        left = rounds_left(launcher, reached, &replica);
        left = dal_least(left, launcher->rounds - reached);
        ended = dal_least(left, ended_in(replica));
        replica->ended += ended;
    }
    dal_actor_mark(&launcher->actor, reached - launcher->ended, dal_now_ns(), dal_probe_end);
    launcher->ended = reached;
}

static int rounds_completed(const struct dal_update *update, dal_event event)
{
    struct dal_launcher *launcher = update->object;
    (void)event;
    launcher->replicas[update->amount].completed += update->at;
    count_ended(launcher);
    return DAL_OK;
}

static int rounds_arrived(const struct dal_update *update, dal_event event)
{
    struct dal_launcher *launcher = update->object;
    (void)event;
    launcher->replicas[update->amount].arrived += update->at;
    count_ended(launcher);
    return DAL_OK;
}

/* Called when the batch is flushed: its downloads are on their way, by another queue. */
static int rounds_flushed(const struct dal_update *update, dal_event event)
{
    const struct dal_launcher *launcher = update->object;
    struct dal_update arrived = *update;
    (void)event;
    arrived.apply = rounds_arrived;
    return dal_queue_defer(launcher->replicas[update->amount].queue->downloads, DAL_AT_COMPLETION,
                           arrived);
}

/* Defers the counting of rounds, behind everything that the ends have deferred for the launch. */
static int defer_end(struct dal_launcher *launcher, uint64_t rounds)
{
    struct dal_queue *queue = launcher->replica->queue;
    struct dal_update update = {.apply = rounds_completed,
                                .object = launcher,
                                .amount = (uint64_t)(launcher->replica - launcher->replicas),
                                .at = rounds};
    int status = dal_queue_defer(queue, DAL_AT_COMPLETION, update);
    update.apply = rounds_flushed;
    if (status < 0 || !queue->downloads)
        return status;
    return dal_queue_defer(queue, DAL_AT_FLUSH, update);
}

/* ---- launches -------------------------------------------------------------------------------- */

static int enqueue_kernel(struct dal_launcher *launcher, uint64_t rounds, dal_event *timer)
{
    const struct dal_launcher_replica *replica = launcher->replica;
    const struct dal_subject subject = {launcher->subject.name, DAL_LOG_ERROR};
    const size_t *local = launcher->work.size;
    const struct dal_launch launch = {
        .dimensions = launcher->work.dimensions,
        .global = {dal_least(rounds, replica->work_groups) * local[0], local[1], local[2]},
        .local = {local[0], local[1], local[2]}};
    dal_event *fences = launcher->call.fences;
    unsigned count = 0;
    int status;
    for (int i = 0; i < launcher->actor.end_count; i++) {
        dal_event ends[2];
        dal_device_end_fences(launcher->actor.ends[i], ends);
        for (int k = 0; k < 2; k++)
            if (ends[k])
                fences[count++] = ends[k];
    }
    status = dal_watch_lend(launcher, count);
    if (status == DAL_OK)
        status = set_arguments(launcher, rounds);
    if (status == DAL_OK)
        status = replica->queue->backend->launch(replica->queue->commands, &subject,
                                                 replica->kernel, &launch, fences, count, timer);
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "process %s: no launch on %s (%s)", launcher->subject.name,
                replica->queue->device->info.name, replica->queue->device->processor);
    return status < 0 ? status : dal_watch_settle(launcher);
}

static void count_firings(struct dal_launcher *launcher, uint64_t rounds)
{
    for (int i = 0; i < launcher->passed.count; i++)
        dal_end_pass(launcher->passed.ends[i], rounds * launcher->passed.tokens[i]);
    for (int i = 0; i < launcher->actor.count; i++) {
        struct dal_process *process = launcher->actor.members[i].process;
        process->launches++;
        dal_count_add(process->firings, rounds * launcher->actor.members[i].firings);
    }
    launcher->replica->launches++;
    launcher->replica->rounds += rounds;
    launcher->rounds += rounds;
}

static int launch_rounds(struct dal_launcher *launcher, uint64_t rounds)
{
    struct dal_launcher_replica *replica = launcher->replica;
    struct dal_update done = {.apply = launch_completed,
                              .object = launcher,
                              .amount = (uint64_t)(replica - launcher->replicas),
                              .at = rounds};
    int timed = launcher->actor.timed;
    int status = DAL_OK, ends = launcher->actor.end_count;
    if (launcher->actor.marked)
        dal_actor_mark(&launcher->actor, rounds, dal_now_ns(), dal_probe_begin);
    dal_actor_begin_newest(&launcher->actor);
    for (int i = 0; status == DAL_OK && i < ends; i++)
        status =
            dal_device_end_acquire(launcher->actor.ends[i], rounds, &launcher->call.arguments[i]);
    if (timed)
        dal_device_rows_begin(replica->rows);
    add_in_flight(launcher, 1); /* before the kernel can run */
    if (status == DAL_OK)
        status = enqueue_kernel(launcher, rounds, timed ? &done.timer : NULL);
    for (int i = 0; status == DAL_OK && i < ends; i++)
        status = dal_device_end_release(launcher->actor.ends[i], rounds);
    if (status == DAL_OK && launcher->actor.marked)
        status = defer_end(launcher, rounds);
    if (status == DAL_OK && replica->queue->log)
        status = dal__launcher_defer_packets(launcher, rounds, done.timer);
    if (status == DAL_OK)
        status = dal_queue_defer(replica->queue, DAL_AT_COMPLETION, done);
    else if (done.timer)
        replica->queue->backend->release(done.timer);
    replica->in_flight++;
    if (launcher->dealing)
        dal_dealing_begin(launcher);
    replica->queue->due |= launcher->pace.slow;
    count_firings(launcher, rounds);
    return status < 0 ? status : dal_queue_launched(replica->queue);
}

/* Returns the rounds that the next launch may have. Rings take whole numbers of S rounds, and a
 * launch is cut short at a ring's end. So after smaller launches, one brings the rounds back to a
 * multiple of S. */
static uint64_t rounds_allowed(struct dal_launcher *launcher, uint64_t left)
{
    const struct dal_launcher_replica *replica = launcher->replica;
    uint64_t copies = launcher->copies, beyond = launcher->rounds % copies;
    uint64_t tried = dal_curve_most(replica->curve, replica->launches, copies);
    if (launcher->call.seen)
        return dal_least(1, left);
    if (launcher->dealing)
        return dal_least(dal_least(launcher->pace.most, tried), left);
    if (tried < launcher->pace.most) {
        launcher->pace.stray = 1;
        return tried;
    }
    if (launcher->pace.most < copies || !launcher->pace.stray)
        return launcher->pace.most;
    launcher->pace.stray = beyond > 0;
    return copies - beyond;
}

/* Must another launch, of `rounds` rounds, wait, since enough are in flight? The time that it would
 * take may not be known yet. */
static int must_wait(const struct dal_launcher *launcher, uint64_t rounds)
{
    int count = launcher->replica->in_flight;
    if (launcher->pace.slow)
        return count >= SLOW_IN_FLIGHT;
    return count > 0 && rounds == launcher->pace.most && launcher->pace.most < launcher->copies;
}

/* Returns the rounds of the next launch, 0 for none now. */
static uint64_t rounds_ready(struct dal_launcher *launcher)
{
    uint64_t rounds = rounds_left(launcher, launcher->rounds, &launcher->replica);
    int may_grow = 0;
    if (!dal_queue_has_room(launcher->replica->queue))
        return 0;
    rounds = rounds_allowed(launcher, rounds);
    for (int i = 0; rounds > 0 && i < launcher->actor.end_count; i++) {
        struct dal_end *end = launcher->actor.ends[i];
        uint64_t ready = dal_end_ready(end, rounds);
        may_grow |= ready < rounds && !end->together;
        rounds = ready;
    }
    if (may_grow && launcher->replica->in_flight >= ENOUGH_IN_FLIGHT)
        return 0;
    return must_wait(launcher, rounds) || !dal_actor_refresh(&launcher->actor) ? 0 : rounds;
}

/* Are all released tokens visible to the peers, and counted? Downloads may lag behind their
 * launch. */
static int all_visible(const struct dal_launcher *launcher)
{
    if (launcher->actor.marked && launcher->ended < launcher->rounds)
        return 0;
    for (int i = 0; i < launcher->actor.end_count; i++)
        if (!dal_end_settled(launcher->actor.ends[i]))
            return 0;
    return 1;
}

int dal_launcher_has_ended(const struct dal_launcher *launcher)
{
    return atomic_load_explicit(&launcher->actor.members[0].process->ended, memory_order_relaxed) &&
           atomic_load_explicit(&launcher->actor.members[launcher->actor.count - 1].process->ended,
                                memory_order_relaxed);
}

/* Closes the processes in the order in which they would end by themselves. If the first is starved,
 * it ends first; if nobody reads from the last, that ends first. */
static void close_processes(struct dal_launcher *launcher, int unwanted)
{
    int count = launcher->actor.count;
    for (int i = 0; i < count; i++)
        dal_process_close(launcher->actor.members[unwanted ? count - 1 - i : i].process);
}

/* Downloads of its launches are under way, as these are. */
static void note_wait(struct dal_launcher *launcher)
{
    if (launcher->actor.timed && in_flight(launcher) == 0 && all_visible(launcher))
        dal_waiter_look(&launcher->actor.waiter, launcher->actor.ends, launcher->actor.end_count);
}

int dal__launcher_run(struct dal_task *task)
{
    struct dal_launcher *launcher = (struct dal_launcher *)task;
    uint64_t rounds = 0;
    int status = 1, unwanted;
    if (dal_launcher_has_ended(launcher))
        return 0;
    unwanted = dal_actor_is_unwanted(&launcher->actor);
    if (!unwanted && launcher->dealing)
        status = dal_dealing_next(launcher);
    if (status < 0)
        return status;
    if (!unwanted && status > 0)
        rounds = rounds_ready(launcher);
    if (rounds > 0) {
        dal_waiter_end(&launcher->actor.waiter);
        status = launch_rounds(launcher, rounds);
        return status < 0 ? status : 1;
    }
    if (in_flight(launcher) > 0 || !all_visible(launcher) ||
        (!unwanted && !dal_process_starved(launcher->actor.members[0].process))) {
        note_wait(launcher);
        return 0;
    }
    dal_waiter_end(&launcher->actor.waiter);
    close_processes(launcher, unwanted);
    return 1;
}

void dal__launcher_notify(struct dal_listener *listener)
{
    struct dal_process *process = (struct dal_process *)listener;
    dal_handler_post(process->launcher->handler, process->launcher);
}
