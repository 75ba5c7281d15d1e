/* Faults for tests: a call of a backend that fails without being made. */
#include "rt/backend/backend.h"
#include "rt/base/sync.h"

/* Checked calls left until one fails, 0 for never. */
static _Atomic unsigned long fail_at;
static int fail_code;
static int fail_forever;
static _Atomic(const char *) failed_call;

void dal_backend_fail_with(unsigned long n, int code, int forever)
{
    fail_code = code;
    fail_forever = forever;
    if (n)
        atomic_store_explicit(&failed_call, NULL, memory_order_relaxed);
    atomic_store_explicit(&fail_at, n, memory_order_release);
}

int dal_backend_fault(const char *call)
{
    unsigned long left = atomic_load_explicit(&fail_at, memory_order_acquire);
    while (left > 0) {
        unsigned long next = left == 1 && fail_forever ? 1 : left - 1;
        if (!atomic_compare_exchange_weak_explicit(&fail_at, &left, next, memory_order_acquire,
                                                   memory_order_acquire))
            continue;
        if (left > 1)
            break;
        atomic_store_explicit(&failed_call, call, memory_order_relaxed);
        return fail_code;
    }
    return 0;
}

const char *dal_backend_failed(void)
{
    return atomic_load_explicit(&failed_call, memory_order_relaxed);
}
