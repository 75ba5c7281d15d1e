#include "rt/control/events.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

int dal_events_init(struct dal_events *events, const struct dal_fsm *fsm, size_t limit)
{
    size_t ranks = fsm->node_count > 1 ? (size_t)fsm->node_count : 1;
    size_t room = limit + ranks * (size_t)fsm->application_count;
    *events = (struct dal_events){.fsm = fsm, .room = room, .limit = limit};
    events->ring = dal_calloc(room, sizeof(*events->ring));
    if (!events->ring) {
        dal_log(DAL_LOG_ERROR, "no memory for a queue of %zu events", limit);
        return DAL_ERR_NOMEM;
    }
    if (pthread_mutex_init(&events->lock, NULL)) {
        dal_log(DAL_LOG_ERROR, "no lock for the queue of events");
        dal_free(events->ring);
        return DAL_ERR_SYSTEM;
    }
    return DAL_OK;
}

void dal_events_finish(struct dal_events *events)
{
    pthread_mutex_destroy(&events->lock);
    dal_free(events->ring);
}

/* Finds an event by its name. A process cannot send the end of an application, whose name has a
 * dot. */
static int find_event(const struct dal_fsm *fsm, const char *name)
{
    for (int i = 0; i < fsm->event_count; i++)
        if (fsm->events[i].application < 0 && strcmp(fsm->events[i].name, name) == 0)
            return i;
    return -1;
}

/* Called with the lock held. */
static void push_event(struct dal_events *events, struct dal_notice notice)
{
    events->ring[(events->first + events->count++) % events->room] = notice;
}

/* Called with the lock held. */
static int add_event(struct dal_events *events, int event)
{
    if (events->waiting == events->limit)
        return DAL_ERR_LIMIT;
    push_event(events, (struct dal_notice){.event = event});
    if (++events->waiting > events->most)
        events->most = events->waiting;
    return DAL_OK;
}

int dal_events_pass(struct dal_events *events, int event)
{
    int status;
    pthread_mutex_lock(&events->lock);
    status = add_event(events, event);
    pthread_mutex_unlock(&events->lock);
    return status;
}

int dal_events_send(struct dal_events *events, const char *name, const char *application,
                    const char *process)
{
    int event = find_event(events->fsm, name), first = 0, status = DAL_OK;
    pthread_mutex_lock(&events->lock);
    if (event < 0) {
        first = events->unknown++ == 0;
        status = DAL_ERR_INVALID;
    } else {
        status = add_event(events, event);
    }
    pthread_mutex_unlock(&events->lock);
    if (status == DAL_OK)
        dal_wake_signal(&events->wake);
    else if (status == DAL_ERR_LIMIT)
        dal_log(DAL_LOG_ERROR,
                "application %s: process %s: no room for event %s, %zu events wait "
                "(--event-queue)",
                application, process, name, events->limit);
    else if (first)
        dal_log(DAL_LOG_WARNING,
                "application %s: process %s: no transition of %s names event %s; such events are "
                "counted and ignored",
                application, process, events->fsm->name, name);
    return status;
}

void dal_events_end(struct dal_events *events, int application)
{
    pthread_mutex_lock(&events->lock);
    push_event(events, (struct dal_notice){.event = -1, .application = application});
    pthread_mutex_unlock(&events->lock);
    dal_wake_signal(&events->wake);
}

int dal_events_take(struct dal_events *events, struct dal_notice *notice)
{
    int found;
    pthread_mutex_lock(&events->lock);
    found = events->count > 0;
    if (found) {
        *notice = events->ring[events->first];
        events->first = (events->first + 1) % events->room;
        events->count--;
        events->waiting -= notice->event >= 0;
    }
    pthread_mutex_unlock(&events->lock);
    return found;
}

int dal_events_are_none(struct dal_events *events)
{
    size_t count;
    pthread_mutex_lock(&events->lock);
    count = events->count;
    pthread_mutex_unlock(&events->lock);
    return count == 0;
}

void dal_events_forget(struct dal_events *events, int application)
{
    size_t kept = 0;
    pthread_mutex_lock(&events->lock);
    for (size_t i = 0; i < events->count; i++) {
        struct dal_notice notice = events->ring[(events->first + i) % events->room];
        if (notice.event < 0 && notice.application == application)
            continue;
        events->ring[(events->first + kept++) % events->room] = notice;
    }
    events->count = kept;
    pthread_mutex_unlock(&events->lock);
}
