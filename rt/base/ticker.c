#include "rt/base/ticker.h"

#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/thread.h"

int dal_ticker_start(struct dal_ticker *ticker, const char *what, void *(*run)(void *), void *of)
{
    int status = dal_thread_start(&ticker->thread, run, of, what, "");
    ticker->runs = status == DAL_OK;
    return status;
}

void dal_ticker_stop(struct dal_ticker *ticker)
{
    if (!ticker->runs)
        return;
    atomic_store_explicit(&ticker->stopping, 1, memory_order_seq_cst);
    dal_wake_signal(&ticker->wake);
    pthread_join(ticker->thread, NULL);
    ticker->runs = 0;
}

int dal_ticker_sleep(struct dal_ticker *ticker, int64_t until_ns)
{
    int64_t left_ns;
    while (!dal_ticker_stops(ticker) && (left_ns = until_ns - dal_now_ns()) > 0) {
        uint32_t sequence = dal_wake_prepare(&ticker->wake);
        if (dal_ticker_stops(ticker))
            dal_wake_cancel(&ticker->wake);
        else
            dal_wake_wait(&ticker->wake, sequence, left_ns);
    }
    return !dal_ticker_stops(ticker);
}
