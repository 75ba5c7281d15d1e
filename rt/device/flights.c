#include "rt/device/flights.h"

#include "rt/base/line.h"
#include "rt/base/sync.h"
#include "rt/device/launcher.h"
#include "rt/host/crash.h"

/* The handlers of networks that run, read in handlers of signals. Any more of them are left out. */
static struct dal_handler *_Atomic handlers[16];

static void replace_handler(struct dal_handler *old, struct dal_handler *new)
{
    for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
        struct dal_handler *wanted = old;
        if (atomic_compare_exchange_strong(&handlers[i], &wanted, new))
            return;
    }
}

/* Adds the launchers of a handler that have launches in flight. Returns how many, with `count`
 * before them. */
static int add_launchers(struct dal_line *line, const struct dal_handler *handler, int count)
{
    for (int i = 0; i < handler->launcher_count; i++) {
        const struct dal_launcher *launcher = &handler->launchers[i];
        if (atomic_load_explicit(&launcher->in_flight, memory_order_relaxed) == 0)
            continue;
        dal_line_add(line, count++ ? ", " : "; in flight: ");
        dal_line_add(line, launcher->group ? "group " : "process ");
        dal_line_add(line, launcher->subject.name);
        dal_line_add(line, " on ");
        dal_line_add(line, launcher->queues[0]->device->processor);
        dal_line_add(line, launcher->replica_count > 1 ? " and others" : "");
    }
    return count;
}

static int add_flights(struct dal_line *line)
{
    int count = 0;
    for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
        const struct dal_handler *handler = atomic_load(&handlers[i]);
        if (handler)
            count = add_launchers(line, handler, count);
    }
    dal_line_add(line, count ? " (dalsynth --guard looks beside windows)" : "");
    return count;
}

void dal_flights_watch(struct dal_handler *handler)
{
    dal_crash_ask(add_flights);
    replace_handler(NULL, handler);
}

void dal_flights_leave(struct dal_handler *handler)
{
    replace_handler(handler, NULL);
}
