#include "rt/base/ticker.h"

#include "rt/base/error.h"
#include "rt/base/fault.h"
#include "rt/base/thread.h"

int dal_ticker_start(struct dal_ticker *ticker, const char *what, void *(*run)(void *), void *of)
{
    sigset_t before;
    int status;
    dal_faults_block(&before);
    status = dal_thread_start(&ticker->thread, run, of, what, "");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
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

static int stops(const void *ticker)
{
    return dal_ticker_stops(ticker);
}

int dal_ticker_sleep(struct dal_ticker *ticker, int64_t until_ns)
{
    return !dal_wake_until(&ticker->wake, stops, ticker, until_ns);
}
