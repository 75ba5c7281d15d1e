#include "rt/device/handler.h"

#include "rt/base/clock.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/device/launcher.h"

enum {
    POLLS_BEFORE_SLEEP = 32,
    POLLS_BESIDE_DEVICE = 2, /* the device's threads want the same cores */
    /* While commands are in flight the handler polls, at first soon, then less often: not every
     * device's completion wakes it (dal_queue_arm). */
    FIRST_SLEEP_NS = 20 * 1000,
    LAST_SLEEP_NS = 160 * 1000,
    IDLE_SLEEP_NS = 100 * 1000 * 1000,
};
static const int64_t DRAIN_NS = 2000000000;

void dal_handler_post(struct dal_handler *handler, struct dal_launcher *launcher)
{
    struct dal_launcher *head;
    if (atomic_exchange_explicit(&launcher->inbox.posted, 1, memory_order_seq_cst))
        return;
    head = atomic_load_explicit(&handler->inbox, memory_order_relaxed);
    do
        launcher->inbox.next = head;
    while (!atomic_compare_exchange_weak_explicit(&handler->inbox, &head, launcher,
                                                  memory_order_seq_cst, memory_order_relaxed));
    dal_wake_signal(handler->wake);
}

static void queue_task(struct dal_handler *handler, struct dal_task *task)
{
    if (task->queued)
        return;
    task->queued = 1;
    handler->policy->push(&handler->tasks, task);
}

/* Moves posted launchers to the task queue. `posted` is cleared before the launcher looks at its
 * channels, so a post after that look leads to another look. It is cleared by an exchange, which
 * reads the last post: so the look's acquire loads see all that was done before that. */
static int take_inbox(struct dal_handler *handler)
{
    struct dal_launcher *launcher =
        atomic_exchange_explicit(&handler->inbox, NULL, memory_order_seq_cst);
    int taken = 0;
    while (launcher) {
        struct dal_launcher *next = launcher->inbox.next;
        atomic_exchange_explicit(&launcher->inbox.posted, 0, memory_order_seq_cst);
        queue_task(handler, &launcher->task);
        launcher = next;
        taken++;
    }
    return taken;
}

static int run_tasks(struct dal_handler *handler)
{
    struct dal_task *task;
    int ran = 0;
    while ((task = dal_policy_pop(&handler->tasks))) {
        int status;
        task->queued = 0;
        status = task->run(task);
        if (status < 0)
            return status;
        if (status > 0)
            queue_task(handler, task);
        ran += status;
        take_inbox(handler);
    }
    return ran;
}

/* Queues the tasks of all launchers on a queue. It has room again, or downloads have arrived: they
 * may want to launch or to end. */
static void post_all(struct dal_handler *handler, const struct dal_queue *queue)
{
    for (int i = 0; i < handler->launcher_count; i++)
        if (dal_launcher_is_on(&handler->launchers[i], queue))
            queue_task(handler, &handler->launchers[i].task);
}

static int flush_and_poll(struct dal_handler *handler)
{
    int progress = 0;
    for (int i = 0; i < handler->queue_count; i++) {
        struct dal_queue *queue = &handler->queues[i];
        int full = !dal_queue_has_room(queue);
        int status = dal_queue_flush(queue);
        if (status == DAL_OK)
            status = dal_queue_poll(queue);
        if (status < 0)
            return status;
        if (status > 0)
            atomic_fetch_add_explicit(&handler->retired, (uint64_t)status, memory_order_relaxed);
        if (status > 0 && (full || queue->downloads))
            post_all(handler, queue);
        progress += status;
    }
    return progress;
}

static int take_turn(struct dal_handler *handler)
{
    int taken = take_inbox(handler), polled;
    int ran = dal_control_paused(handler->control) ? 0 : run_tasks(handler);
    if (ran < 0)
        return ran;
    polled = flush_and_poll(handler);
    return polled < 0 ? polled : taken + ran + polled;
}

static int all_ended(const struct dal_handler *handler)
{
    for (int i = 0; i < handler->launcher_count; i++)
        if (!dal_launcher_has_ended(&handler->launchers[i]))
            return 0;
    return 1;
}

/* Returns how long to sleep after so many looks that found nothing. */
static int64_t sleep_time(int armed, int looks)
{
    int64_t time = FIRST_SLEEP_NS;
    if (!armed)
        return IDLE_SLEEP_NS;
    for (; looks > 0 && time < LAST_SLEEP_NS; looks--)
        time *= 2;
    return time < LAST_SLEEP_NS ? time : LAST_SLEEP_NS;
}

/* Is there a pause, and have all launches before it ended? */
static int may_rest(struct dal_handler *handler)
{
    if (!dal_control_paused(handler->control))
        return 0;
    for (int i = 0; i < handler->queue_count; i++)
        if (handler->queues[i].dirty || dal_queue_busy(&handler->queues[i]))
            return 0;
    return 1;
}

/* Announces sleep, looks once more, arms callbacks, sleeps. Returns the result of the look. */
static int sleep_for_work(struct dal_handler *handler, int looks)
{
    uint32_t sequence = dal_wake_prepare(handler->wake);
    int i, armed = 0, status = take_turn(handler);
    for (i = 0; status == 0 && i < handler->queue_count; i++) {
        int one = dal_queue_arm(&handler->queues[i]);
        armed += one;
        status = one < 0 ? one : DAL_OK;
    }
    if (status != 0 || dal_control_broken(handler->control) || may_rest(handler))
        dal_wake_cancel(handler->wake);
    else {
        atomic_store_explicit(&handler->idle, !armed, memory_order_release);
        dal_wake_wait(handler->wake, sequence, sleep_time(armed, looks));
        atomic_store_explicit(&handler->idle, 0, memory_order_release);
    }
    return status;
}

static void *handle_tasks(void *argument)
{
    struct dal_handler *handler = argument;
    int idle = 0, polls = handler->on_cores ? POLLS_BESIDE_DEVICE : POLLS_BEFORE_SLEEP;
    dal_thread_begin();
    for (int i = 0; i < handler->launcher_count; i++)
        queue_task(handler, &handler->launchers[i].task);
    while (!all_ended(handler) && !dal_control_broken(handler->control)) {
        int status;
        if (may_rest(handler)) {
            dal_control_rest(handler->control, handler->wake);
            continue;
        }
        status = idle < polls ? take_turn(handler) : sleep_for_work(handler, idle - polls);
        if (status < 0)
            dal_control_break(handler->control, status);
        idle = status > 0 ? 0 : idle + 1;
        if (idle)
            sched_yield();
    }
    atomic_store_explicit(&handler->idle, all_ended(handler), memory_order_release);
    dal_control_leave(handler->control);
    return NULL;
}

int dal_handler_start(struct dal_handler *handler)
{
    int status;
    dal_control_enter(handler->control);
    status = dal_thread_start(&handler->thread, handle_tasks, handler, "task queue", "");
    handler->running = status == DAL_OK;
    if (status < 0)
        dal_control_leave(handler->control);
    return status;
}

/* Waits for all commands that were ever enqueued on a queue. Gives up at `limit_ns` or at an
 * error. */
static int drain_inbox(struct dal_queue *queue, int64_t limit_ns)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int status;
    if (queue->uploads)
        queue->backend->finish(queue->uploads, NULL); /* uploads wait for nothing */
    queue->dirty = 1; /* a launch that broke off may have left commands behind */
    status = dal_queue_flush(queue);
    while (status >= 0 && dal_queue_busy(queue)) {
        if (dal_now_ns() > limit_ns)
            return DAL_ERR_LIMIT;
        status = dal_queue_poll(queue);
        if (status == 0)
            nanosleep(&nap, NULL);
    }
    return status < 0 ? status : DAL_OK;
}

void dal_handler_join(struct dal_handler *handler)
{
    int64_t limit_ns;
    if (handler->running)
        pthread_join(handler->thread, NULL);
    limit_ns = dal_now_ns() + DRAIN_NS;
    handler->running = 0;
    for (int i = 0; dal_control_broken(handler->control) && i < handler->queue_count; i++)
        if (drain_inbox(&handler->queues[i], limit_ns) < 0)
            handler->stuck = 1;
}
