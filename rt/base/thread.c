#define _GNU_SOURCE
#include "rt/base/thread.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* Frames of a process may be larger than a page, and must not leap over the guard. */
enum { GUARD_BYTES = 1 << 20, FEWEST_STACK_BYTES = 256 << 10 };

/* What a thread begins with that inherits a sink. It frees this. */
struct heir {
    void *(*run)(void *);
    void *of;
    struct dal_log_sink *sink;
};

static void *inherit(void *argument)
{
    struct heir heir = *(struct heir *)argument;
    dal_free(argument);
    dal_log_to(heir.sink);
    return heir.run(heir.of);
}

static int start_heir(pthread_t *thread, void *(*run)(void *), void *of)
{
    struct heir *heir = dal_alloc(sizeof(*heir));
    int error;
    if (!heir)
        return ENOMEM;
    *heir = (struct heir){.run = run, .of = of, .sink = dal_log_sink()};
    error = pthread_create(thread, NULL, inherit, heir);
    if (error)
        dal_free(heir);
    return error;
}

int dal_thread_start(pthread_t *thread, void *(*run)(void *), void *of, const char *what,
                     const char *name)
{
    int error =
        dal_log_sink() ? start_heir(thread, run, of) : pthread_create(thread, NULL, run, of);
    if (!error)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s%s: no thread: %s", what, name, strerror(error));
    return DAL_ERR_SYSTEM;
}

int dal_threads_have(uint64_t stack_bytes)
{
    pthread_attr_t usual;
    int error = stack_bytes < FEWEST_STACK_BYTES || stack_bytes > SIZE_MAX / 2;
    pthread_attr_init(&usual);
    if (!error)
        error = pthread_attr_setguardsize(&usual, GUARD_BYTES) ||
                pthread_attr_setstacksize(&usual, (size_t)stack_bytes) ||
                pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&usual);
    if (!error)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "--stack=%" PRIu64 ": %d bytes or more are wanted", stack_bytes,
            FEWEST_STACK_BYTES);
    return DAL_ERR_INVALID;
}

/* libc needs no memory for "C", so there is nothing to free. It is the same each time, so threads
 * may keep it without an order. */
locale_t dal_thread_locale(void)
{
    static _Atomic(locale_t) kept;
    locale_t locale = atomic_load_explicit(&kept, memory_order_relaxed);
    if (!locale) {
        locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        atomic_store_explicit(&kept, locale, memory_order_relaxed);
    }
    return locale;
}

void dal_thread_begin(void)
{
    struct dal_float plain = DAL_FLOAT_PLAIN;
    dal_float_set_x87(plain.x87);
    dal_float_set_control(plain.control);
    uselocale(dal_thread_locale());
}
