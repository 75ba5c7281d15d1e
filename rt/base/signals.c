#include "rt/base/signals.h"

#include "rt/base/sync.h"

#include <signal.h>

static sigset_t ignored;
static _Atomic int came; /* alone, relaxed */

void dal_signals_begin(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
    struct sigaction action;
    sigemptyset(&ignored);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            sigaddset(&ignored, numbers[i]);
    pthread_sigmask(SIG_BLOCK, &ignored, NULL);
}

int dal_signal_is_ignored(int number)
{
    return sigismember(&ignored, number) == 1;
}

void dal_signal_note(void)
{
    atomic_store_explicit(&came, 1, memory_order_relaxed);
}

int dal_signal_came(void)
{
    return atomic_load_explicit(&came, memory_order_relaxed);
}
