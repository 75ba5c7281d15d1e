#include "rt/host/pool.h"

void dal_pool_tell(struct dal_pool *pool)
{
    if (pool->count > 1 && atomic_load_explicit(&pool->searching, memory_order_seq_cst) > 0)
        return;
    for (int i = 0; i < dal_pool_in_use(pool); i++)
        if (dal_wake_signal(pool->wakes[i]))
            return;
}

void dal_pool_tell_all(const struct dal_pool *pool)
{
    for (int i = 0; i < pool->count; i++)
        dal_wake_signal(pool->wakes[i]);
}

void dal_pool_park(struct dal_pool *pool, int parked)
{
    int in_use = dal_pool_in_use(pool);
    if (pool->count - in_use == parked)
        return;
    atomic_store_explicit(&pool->parked, parked, memory_order_seq_cst);
    for (; in_use < pool->count - parked; in_use++)
        dal_wake_signal(pool->wakes[in_use]);
}

int dal_search_begin(struct dal_search *search)
{
    int most = 0;
    search->state = DAL_SEARCH_COUNTS;
    for (int i = 0; i < search->count; i++) {
        int others =
            atomic_fetch_add_explicit(&search->pools[i]->searching, 1, memory_order_seq_cst);
        most = others > most ? others : most;
    }
    return most;
}

static void stop_counting(const struct dal_search *search)
{
    for (int i = 0; search->state == DAL_SEARCH_COUNTS && i < search->count; i++)
        atomic_fetch_sub_explicit(&search->pools[i]->searching, 1, memory_order_seq_cst);
}

void dal_search_last(struct dal_search *search)
{
    stop_counting(search);
    search->state = DAL_SEARCH_LAST;
}

void dal_search_pass_on(const struct dal_search *search)
{
    for (int i = 0; i < search->count; i++)
        if (search->numbers[i] >= dal_pool_in_use(search->pools[i]))
            dal_pool_tell(search->pools[i]);
}

static int is_noted(const struct dal_search *search, const struct dal_pool *pool)
{
    for (int i = 0; i < search->noted_count; i++)
        if (search->noted[i] == pool)
            return 1;
    return 0;
}

void dal_search_tell(struct dal_search *search, struct dal_pool *pool)
{
    if (!search || !search->holds || search->noted_count == DAL_POOLS_NOTED)
        dal_pool_tell(pool);
    else if (!is_noted(search, pool))
        search->noted[search->noted_count++] = pool;
}

void dal_search_let_go(struct dal_search *search)
{
    search->holds = 0;
    for (int i = 0; i < search->noted_count; i++)
        dal_pool_tell(search->noted[i]);
    search->noted_count = 0;
}

void dal__search_left(struct dal_search *search)
{
    stop_counting(search);
    search->state = DAL_SEARCH_NONE;
    for (int i = 0; i < search->count; i++)
        dal_pool_tell(search->pools[i]);
}
