#include "rt/watch/throttles.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/ticker.h"
#include "rt/host/throttle.h"

#include <stdlib.h>

/* A pool, and what it had done when it was looked at last. */
struct throttled {
    struct dal_pool *pool;
    struct dal_throttle throttle;
    uint64_t done;
};

struct dal_throttles {
    const struct dal_network *network;
    struct throttled *list;
    int count;
    unsigned long long seed; /* 0: not by chance */
    struct dal_ticker ticker;
};

enum { CHANCE_NS = 100 * 1000, CHANCES = 10000 };

/* Adds up what groups of a pool have released. A process on a device has none. */
static uint64_t done_by(const struct dal_group *groups, int count, const struct dal_pool *pool)
{
    uint64_t done = 0;
    for (int i = 0; i < count; i++)
        if (groups[i].actor.count > 0 && dal__member(&groups[i], 0)->pool == pool)
            done += dal_count_get(groups[i].released);
    return done;
}

static void look_at(const struct dal_groups *groups, struct throttled *of, int64_t time_ns)
{
    uint64_t done = done_by(groups->alone, groups->alone_count, of->pool) +
                    done_by(groups->together, groups->together_count, of->pool);
    int in_use = dal_throttle_go_on(&of->throttle, done - of->done, time_ns);
    of->done = done;
    dal_pool_park(of->pool, of->pool->count - in_use);
}

static void *throttle(void *argument)
{
    struct dal_throttles *throttles = argument;
    int64_t last_ns = dal_now_ns(), now_ns;
    while (dal_ticker_sleep(&throttles->ticker, last_ns + DAL_THROTTLE_WINDOW_NS)) {
        now_ns = dal_now_ns();
        for (int i = 0; i < throttles->count; i++)
            look_at(&throttles->network->groups, &throttles->list[i], now_ns - last_ns);
        last_ns = now_ns;
    }
    return NULL;
}

/* Parks any number of workers but all, of any pool, again and again. */
static void *park_by_chance(void *argument)
{
    struct dal_throttles *throttles = argument;
    uint64_t state = throttles->seed;
    for (int i = 0; i < CHANCES; i++) {
        struct dal_pool *pool;
        if (!dal_ticker_sleep(&throttles->ticker, dal_now_ns() + CHANCE_NS))
            break;
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        pool = throttles->list[(state >> 48) % (uint64_t)throttles->count].pool;
        dal_pool_park(pool, (int)((state >> 33) % (uint64_t)pool->count));
    }
    return NULL;
}

static int is_periodic(const struct dal_network *network, const struct dal_pool *pool)
{
    for (int i = 0; i < network->net->process_count; i++)
        if (network->processes[i].pool == pool && network->processes[i].host.timer)
            return 1;
    return 0;
}

/* Lists the pools of at least so many workers, but for those left alone. */
static void list_pools(struct dal_throttles *throttles, int least)
{
    const struct dal_network *network = throttles->network;
    for (int i = 0; i < network->net->process_count; i++) {
        struct dal_pool *pool = &network->pools[i];
        if (pool->count < least || is_periodic(network, pool))
            continue;
        throttles->list[throttles->count].pool = pool;
        dal_throttle_begin(&throttles->list[throttles->count++].throttle, pool->count);
    }
}

static void take_seed(struct dal_throttles *throttles)
{
#ifdef DAL_CHECKING
    const char *seed = getenv("DAL_TEST_PARK");
    throttles->seed = seed ? strtoull(seed, NULL, 10) : 0;
#else
    (void)throttles;
#endif
}

int dal_throttles_start(struct dal_network *network)
{
    struct dal_throttles *throttles = dal_calloc(1, sizeof(*throttles));
    network->supervision.throttles = throttles;
    if (throttles)
        throttles->list =
            dal_calloc((size_t)network->net->process_count + 1, sizeof(*throttles->list));
    if (!throttles || !throttles->list)
        return dal_no_memory();
    throttles->network = network;
    take_seed(throttles);
    if (!network->supervision.limits.all_cores)
        list_pools(throttles, throttles->seed ? 2 : DAL_THROTTLE_LEAST);
    if (throttles->count == 0)
        return DAL_OK;
    return dal_ticker_start(&throttles->ticker, "the number of cores in use",
                            throttles->seed ? park_by_chance : throttle, throttles);
}

void dal_throttles_stop(struct dal_network *network)
{
    struct dal_throttles *throttles = network->supervision.throttles;
    if (!throttles)
        return;
    dal_ticker_stop(&throttles->ticker);
    dal_free(throttles->list);
    dal_free(throttles);
    network->supervision.throttles = NULL;
}
