#include "rt/observe/levels.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/base/wake.h"
#include "rt/model/network.h"
#include "rt/observe/counters.h"

#include <errno.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 18, MOST_MOMENTS = 512, FEWEST_MOMENTS = 16, FIRST_PERIOD_NS = 100000 };

struct dal_levels {
    const struct dal_network *network;
    size_t channel_count, room, count; /* moments */
    int64_t period_ns;
    int64_t *at_ns;
    uint32_t *tokens; /* of all channels at the first moment, then at the second, and so on */
    struct dal_trace_level *list;
    struct dal_wake wake;
    _Atomic int stopping; /* see dal_wake_signal() */
    pthread_t thread;
    int is_running;
};

/* Keeps every second moment. */
static void thin_out(struct dal_levels *levels)
{
    size_t k, row = levels->channel_count * sizeof(*levels->tokens);
    for (k = 1; 2 * k < levels->count; k++) {
        levels->at_ns[k] = levels->at_ns[2 * k];
        memcpy(levels->tokens + k * levels->channel_count,
               levels->tokens + 2 * k * levels->channel_count, row);
    }
    levels->count = k;
    levels->period_ns *= 2;
}

static void look_at_all(struct dal_levels *levels)
{
    uint32_t *tokens;
    size_t i;
    if (levels->count == levels->room)
        thin_out(levels);
    tokens = levels->tokens + levels->count * levels->channel_count;
    levels->at_ns[levels->count++] = dal_now_ns();
    for (i = 0; i < levels->channel_count; i++) {
        uint64_t left = dal_channel_count(levels->network->channels[i], DAL_COUNTER_left);
        tokens[i] = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
    }
}

/* Sleeps. Returns whether the network goes on. */
static int sleep_until(struct dal_levels *levels, int64_t until_ns)
{
    int64_t left_ns;
    while (!atomic_load(&levels->stopping) && (left_ns = until_ns - dal_now_ns()) > 0) {
        uint32_t sequence = dal_wake_prepare(&levels->wake);
        if (atomic_load(&levels->stopping))
            dal_wake_cancel(&levels->wake);
        else
            dal_wake_wait(&levels->wake, sequence, left_ns);
    }
    return !atomic_load(&levels->stopping);
}

static void *look_again_and_again(void *argument)
{
    struct dal_levels *levels = argument;
    dal_thread_begin();
    do
        look_at_all(levels);
    while (sleep_until(levels, dal_now_ns() + levels->period_ns));
    return NULL;
}

static int make_room(struct dal_levels *levels)
{
    levels->room = MOST_NUMBERS / levels->channel_count;
    if (levels->room > MOST_MOMENTS)
        levels->room = MOST_MOMENTS;
    if (levels->room < FEWEST_MOMENTS)
        levels->room = FEWEST_MOMENTS;
    levels->at_ns = dal_calloc(levels->room, sizeof(*levels->at_ns));
    levels->tokens = dal_calloc(levels->room * levels->channel_count, sizeof(*levels->tokens));
    levels->list = dal_calloc(levels->channel_count, sizeof(*levels->list));
    return levels->at_ns && levels->tokens && levels->list ? DAL_OK : dal__no_memory();
}

int dal__levels_start(struct dal_network *network)
{
    struct dal_levels *levels;
    int status;
    if (!dal_trace_kept() || network->net->channel_count == 0)
        return DAL_OK;
    levels = network->levels = dal_calloc(1, sizeof(*levels));
    if (!levels)
        return dal__no_memory();
    levels->network = network;
    levels->channel_count = (size_t)network->net->channel_count;
    levels->period_ns = FIRST_PERIOD_NS;
    status = make_room(levels);
    if (status < 0)
        return status;
    errno = pthread_create(&levels->thread, NULL, look_again_and_again, levels);
    levels->is_running = errno == 0;
    if (levels->is_running)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s: no thread: %s", dal_report_name() ? "DAL_REPORT" : "DAL_TRACE",
            strerror(errno));
    return DAL_ERR_SYSTEM;
}

void dal__levels_stop(struct dal_network *network)
{
    struct dal_levels *levels = network->levels;
    if (!levels || !levels->is_running)
        return;
    atomic_store(&levels->stopping, 1);
    dal_wake_signal(&levels->wake);
    pthread_join(levels->thread, NULL);
    levels->is_running = 0;
    look_at_all(levels);
}

const struct dal_trace_level *dal__levels_list(const struct dal_network *network, int *count)
{
    const struct dal_levels *levels = network->levels;
    size_t i;
    *count = 0;
    for (i = 0; levels && levels->list && i < levels->channel_count; i++) {
        const struct dal_channel_desc *desc = network->channels[i]->desc;
        if (!network->processes[desc->consumer].ops->is_courier)
            levels->list[(*count)++] = (struct dal_trace_level){.name = desc->name,
                                                                .at_ns = levels->at_ns,
                                                                .tokens = levels->tokens + i,
                                                                .stride = levels->channel_count,
                                                                .count = levels->count};
    }
    return levels ? levels->list : NULL;
}

void dal__levels_finish(struct dal_network *network)
{
    if (!network->levels)
        return;
    dal_free(network->levels->at_ns);
    dal_free(network->levels->tokens);
    dal_free(network->levels->list);
    dal_free(network->levels);
    network->levels = NULL;
}
