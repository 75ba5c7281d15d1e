#include "rt/host/changes.h"

#include "rt/base/alloc.h"
#include "rt/base/number.h"
#include "rt/base/sync.h"
#include "rt/host/process.h"

#include <inttypes.h>

/* The most changes of one process that may wait: further ones that are wanted soon are refused. */
enum { MOST_WAITING = 256 };

struct change {
    int parameter;
    int64_t firing;
    char *value;
    struct change *next;
};

struct dal_changes {
    /* Changes are stored with the lock held. `waiting` is read without it: a reader that sees an
     * old value looks again at the next activation. */
    _Atomic int waiting;
    pthread_mutex_t lock;
    struct change *first, **last; /* changes that wait */
    struct change *made;
    int64_t latest; /* the latest firing that a change was given for */
    FILE *record;
};

int dal_changes_may_be(const struct dal_process_desc *desc)
{
    for (int i = 0; i < desc->parameter_count; i++)
        if (desc->parameters[i].live)
            return 1;
    return 0;
}

int dal_changes_init(struct dal_process *process)
{
    process->host.changes = dal_calloc(1, sizeof(*process->host.changes));
    if (!process->host.changes)
        return DAL_ERR_NOMEM;
    pthread_mutex_init(&process->host.changes->lock, NULL);
    process->host.changes->last = &process->host.changes->first;
    return DAL_OK;
}

static void free_changes(struct change *change)
{
    while (change) {
        struct change *next = change->next;
        dal_free(change->value);
        dal_free(change);
        change = next;
    }
}

void dal_changes_finish(struct dal_process *process)
{
    if (!process->host.changes)
        return;
    free_changes(process->host.changes->first);
    free_changes(process->host.changes->made);
    pthread_mutex_destroy(&process->host.changes->lock);
    dal_free(process->host.changes);
    process->host.changes = NULL;
}

void dal_changes_record(struct dal_process *process, FILE *record)
{
    process->host.changes->record = record;
}

int dal_changes_add(struct dal_process *process, int parameter, const char *value, int64_t firing)
{
    struct dal_changes *changes = process->host.changes;
    struct change *change = dal_calloc(1, sizeof(*change));
    int waiting, soon;
    if (change)
        *change = (struct change){.parameter = parameter, .firing = firing};
    if (!change || !(change->value = dal_strdup(value))) {
        free_changes(change);
        return DAL_ERR_NOMEM;
    }
    pthread_mutex_lock(&changes->lock);
    waiting = dal_count_get(changes->waiting);
    soon = firing == DAL_CHANGE_SOON;
    if (soon ? waiting >= MOST_WAITING : firing < changes->latest) {
        pthread_mutex_unlock(&changes->lock);
        free_changes(change);
        return soon ? DAL_ERR_LIMIT : DAL_ERR_INVALID;
    }
    if (!soon)
        changes->latest = firing;
    *changes->last = change;
    changes->last = &change->next;
    dal_count_add(changes->waiting, 1);
    pthread_mutex_unlock(&changes->lock);
    return DAL_OK;
}

static uint64_t iteration_of(const struct dal_process *process)
{
    return process->desc->repetitions ? process->desc->repetitions : 1;
}

/* Returns the firings before a change: up to its own firing, or to the end of the iteration. */
static uint64_t firings_before(const struct dal_process *process, const struct change *change)
{
    uint64_t done = dal_count_get(process->firings);
    uint64_t iteration = iteration_of(process);
    if (change->firing != DAL_CHANGE_SOON)
        return (uint64_t)change->firing > done ? (uint64_t)change->firing - done : 0;
    return (iteration - done % iteration) % iteration;
}

/* Takes the changes that are due, in their order. */
static struct change *take_due(const struct dal_process *process)
{
    struct dal_changes *changes = process->host.changes;
    struct change *due = NULL, **end = &due;
    pthread_mutex_lock(&changes->lock);
    while (changes->first && firings_before(process, changes->first) == 0) {
        *end = changes->first;
        end = &changes->first->next;
        changes->first = *end;
        dal_count_add(changes->waiting, -1);
    }
    *end = NULL;
    if (!changes->first)
        changes->last = &changes->first;
    pthread_mutex_unlock(&changes->lock);
    return due;
}

/* Returns how many of `firings` firings come before the next change. One that is due already was
 * asked for by who heard of the last ones. It waits for an iteration, or they would never end. */
static uint64_t count_before(const struct dal_process *process, uint64_t firings)
{
    struct dal_changes *changes = process->host.changes;
    uint64_t before = 0;
    pthread_mutex_lock(&changes->lock);
    if (changes->first && !(before = firings_before(process, changes->first)))
        before = iteration_of(process);
    pthread_mutex_unlock(&changes->lock);
    return before ? dal_least(firings, before) : firings;
}

/* Makes a change, without the lock: who hears of it may ask for another one. */
static void make_change(struct dal_process *process, struct change *change)
{
    struct dal_changes *changes = process->host.changes;
    const char *name = process->desc->parameters[change->parameter].name;
    uint64_t firing = dal_count_get(process->firings);
    change->next = changes->made;
    changes->made = change;
    dal_parameter_set(&process->parameters[change->parameter],
                      &process->desc->parameters[change->parameter], change->value);
    dal_log(DAL_LOG_NOTE, "process %s: %s=%s from firing %" PRIu64 " on", process->desc->name, name,
            change->value, firing);
    if (changes->record)
        fprintf(changes->record, "%" PRIu64 " %s.%s=%s\n", firing, process->desc->name, name,
                change->value);
}

uint64_t dal_changes_make(struct dal_process *process, uint64_t firings)
{
    if (dal_count_get(process->host.changes->waiting) == 0)
        return firings;
    for (struct change *change = take_due(process), *next; change; change = next) {
        next = change->next;
        make_change(process, change);
    }
    return count_before(process, firings);
}

int dal_changes_left(const struct dal_process *process)
{
    return dal_count_get(process->host.changes->waiting);
}
