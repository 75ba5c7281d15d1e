#include "rt/device/watch.h"

#include "channels/port.h"
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/line.h"
#include "rt/device/launcher.h"
#include "rt/host/guard.h"

#include <string.h>

/* Bytes of pattern on either side of a window. */
enum { BESIDE = 1 << 16, PATTERN = 0xC9 };

struct dal_watched {
    dal_memory memory; /* the copy, between patterns; NULL: it is that of the output (in place) */
    struct dal_argument window;
};

/* The copy and its patterns. */
static size_t all_bytes(const struct dal_end *end)
{
    return end->firing_bytes + 2 * (size_t)BESIDE;
}

/* An input's copy is compared with its ring, which the host may have no access to. So what the ring
 * has is copied behind it. */
static size_t seen_bytes(const struct dal_end *end)
{
    return all_bytes(end) + (end->output ? 0 : end->firing_bytes);
}

static struct dal_subject subject_of(const struct dal_launcher *launcher)
{
    return (struct dal_subject){launcher->subject.name, DAL_LOG_ERROR};
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Makes a copy, all of it pattern. */
static int make_copy(const struct dal_launcher *launcher, const struct dal_queue *queue,
                     const struct dal_end *end, dal_memory *memory)
{
    const struct dal_subject subject = subject_of(launcher);
    int status = queue->backend->memory(queue->device, &subject, DAL_MEMORY_PLAIN, seen_bytes(end),
                                        NULL, memory);
    memset(launcher->call.seen, PATTERN, all_bytes(end));
    return status < 0 ? status
                      : queue->backend->write(queue->commands, &subject, *memory, 0,
                                              launcher->call.seen, all_bytes(end), 1, NULL);
}

static int make_copies(const struct dal_launcher *launcher, struct dal_launcher_replica *replica)
{
    int status = DAL_OK;
    replica->watched = dal_calloc((size_t)launcher->actor.end_count + 1, sizeof(*replica->watched));
    if (!replica->watched)
        return DAL_ERR_NOMEM;
    for (int i = 0; status == DAL_OK && i < launcher->actor.end_count; i++) {
        const struct dal_end *end = launcher->actor.ends[i];
        if (end->output || !dal_end_is_inplace(end))
            status = make_copy(launcher, replica->queue, end, &replica->watched[i].memory);
    }
    return status;
}

int dal_watch_make(struct dal_launcher *launcher)
{
    size_t most = 1;
    int status = DAL_OK;
    if (!launcher->actor.members[0].process->desc->guarded)
        return DAL_OK;
    for (int i = 0; i < launcher->actor.end_count; i++)
        if (most < seen_bytes(launcher->actor.ends[i]))
            most = seen_bytes(launcher->actor.ends[i]);
    launcher->call.seen = dal_calloc(1, most);
    if (!launcher->call.seen)
        status = DAL_ERR_NOMEM;
    for (int i = 0; status == DAL_OK && i < launcher->replica_count; i++)
        status = make_copies(launcher, &launcher->replicas[i]);
    if (status == DAL_ERR_NOMEM)
        dal_log(DAL_LOG_ERROR, "process %s: no memory to guard its windows",
                launcher->subject.name);
    return status;
}

void dal_watch_finish(struct dal_launcher *launcher)
{
    for (int k = 0; k < launcher->replica_count; k++) {
        struct dal_launcher_replica *replica = &launcher->replicas[k];
        for (int i = 0; replica->watched && i < launcher->actor.end_count; i++)
            if (replica->watched[i].memory)
                replica->queue->backend->memory_free(replica->queue->device,
                                                     replica->watched[i].memory);
        dal_free(replica->watched);
    }
    dal_free(launcher->call.seen);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Passes a copy to the kernel. Beside its window there is pattern; an output's window becomes it.
 */
static int pass_copy(const struct dal_launcher *launcher, int index)
{
    const struct dal_subject subject = subject_of(launcher);
    const struct dal_queue *queue = launcher->replica->queue;
    const struct dal_end *end = launcher->actor.ends[index];
    struct dal_watched *watched = &launcher->replica->watched[index];
    watched->window = launcher->call.arguments[index];
    launcher->call.arguments[index] = (struct dal_argument){watched->memory, BESIDE};
    if (!end->output)
        return DAL_OK;
    memset(launcher->call.seen, PATTERN, end->firing_bytes);
    return queue->backend->write(queue->commands, &subject, watched->memory, BESIDE,
                                 launcher->call.seen, end->firing_bytes, 1, NULL);
}

/* Copies what the ring has to a place of the copy's memory. */
static int copy_window(const struct dal_launcher *launcher, int index, size_t at)
{
    const struct dal_subject subject = subject_of(launcher);
    const struct dal_queue *queue = launcher->replica->queue;
    const struct dal_watched *watched = &launcher->replica->watched[index];
    return queue->backend->copy(queue->commands, &subject, watched->window.memory,
                                watched->window.offset, watched->memory, at,
                                launcher->actor.ends[index]->firing_bytes, NULL);
}

/* Fills what the kernel reads, or passes it the output's copy, where both are the same window. */
static int fill_copy(const struct dal_launcher *launcher, int index)
{
    const struct dal_watched *watched = &launcher->replica->watched[index];
    const struct dal_end *end = launcher->actor.ends[index];
    if (watched->memory)
        return end->output && !dal_end_is_inplace(end) ? DAL_OK
                                                       : copy_window(launcher, index, BESIDE);
    launcher->call.arguments[index] =
        launcher->call.arguments[dal_end_home(launcher->actor.ends, index)];
    return DAL_OK;
}

/* A write of a pattern waits. So what the launch waits for must be on its way, and all patterns are
 * written before. */
int dal_watch_lend(struct dal_launcher *launcher, unsigned fences)
{
    const struct dal_subject subject = subject_of(launcher);
    const struct dal_queue *queue = launcher->replica->queue;
    int status = DAL_OK, count = launcher->call.seen ? launcher->actor.end_count : 0;
    if (count && queue->uploads)
        status = queue->backend->flush(queue->uploads, &subject);
    for (int i = 0; status == DAL_OK && i < count; i++)
        if (launcher->replica->watched[i].memory)
            status = pass_copy(launcher, i);
    if (status == DAL_OK && count && fences)
        status = queue->backend->barrier(queue->commands, &subject, launcher->call.fences, fences);
    for (int i = 0; status == DAL_OK && i < count; i++)
        status = fill_copy(launcher, i);
    return status;
}

static int refuse_write(const struct dal_launcher *launcher, int index, size_t distance,
                        enum dal_wrong wrong)
{
    const struct dal_process_desc *desc = launcher->actor.members[0].process->desc;
    const size_t bytes = launcher->actor.ends[index]->firing_bytes;
    struct dal_line line = {.used = 0};
    dal_guard_describe(&line, desc, launcher->rounds + 1,
                       &(struct dal_beside){index, wrong, distance, bytes, 1});
    dal_log(DAL_LOG_ERROR, "%s (%s:%d)", line.text, desc->origin.file, desc->origin.line);
    return DAL_ERR_PROCESS;
}

/* Reports the byte that is the farthest from the window, behind it if there is one; or the first of
 * an input that is not what it was. */
static int look_at(const struct dal_launcher *launcher, int index)
{
    const struct dal_end *of = launcher->actor.ends[index];
    const unsigned char *seen = launcher->call.seen;
    const unsigned char *ring = seen + all_bytes(of);
    size_t end = BESIDE + of->firing_bytes, at = 0;
    if (!dal_is_pattern(seen + end, BESIDE, PATTERN)) {
        for (at = all_bytes(of); seen[at - 1] == PATTERN;)
            at--;
        return refuse_write(launcher, index, at - end, DAL_BEHIND_WINDOW);
    }
    if (!dal_is_pattern(seen, BESIDE, PATTERN)) {
        while (seen[at] == PATTERN)
            at++;
        return refuse_write(launcher, index, BESIDE - at, DAL_BEFORE_WINDOW);
    }
    if (of->output || memcmp(seen + BESIDE, ring, of->firing_bytes) == 0)
        return DAL_OK;
    while (seen[BESIDE + at] == ring[at])
        at++;
    return refuse_write(launcher, index, at + 1, DAL_IN_INPUT);
}

/* Waits for the launch. */
static int settle_window(const struct dal_launcher *launcher, int index)
{
    const struct dal_subject subject = subject_of(launcher);
    const struct dal_watched *watched = &launcher->replica->watched[index];
    const struct dal_end *end = launcher->actor.ends[index];
    const struct dal_queue *queue = launcher->replica->queue;
    int status = end->output ? DAL_OK : copy_window(launcher, index, all_bytes(end));
    if (status == DAL_OK)
        status = queue->backend->read(queue->commands, &subject, watched->memory, 0,
                                      launcher->call.seen, seen_bytes(end), NULL, 0, NULL);
    if (status == DAL_OK)
        status = queue->backend->finish(queue->commands, &subject);
    if (status == DAL_OK)
        status = look_at(launcher, index);
    return status < 0 || !end->output
               ? status
               : queue->backend->copy(queue->commands, &subject, watched->memory, BESIDE,
                                      watched->window.memory, watched->window.offset,
                                      end->firing_bytes, NULL);
}

int dal_watch_settle(struct dal_launcher *launcher)
{
    int status = DAL_OK;
    for (int i = 0; launcher->call.seen && status == DAL_OK && i < launcher->actor.end_count; i++)
        if (launcher->replica->watched[i].memory)
            status = settle_window(launcher, i);
    return status;
}
