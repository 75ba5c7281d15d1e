#include "test/idle.h"

#include <stdlib.h>
#include <string.h>

struct dal__memory {
    unsigned char bytes[1];
};

struct idle_counts idle_counts;

/* ---- memory ---------------------------------------------------------------------------------- */

static int make_memory(struct dal_device *device, const struct dal_subject *subject,
                       enum dal_memory_use use, size_t bytes, void *host, dal_memory *memory)
{
    (void)device, (void)subject, (void)use, (void)host;
    *memory = calloc(1, bytes + 1);
    return *memory ? DAL_OK : DAL_ERR_NOMEM;
}

static void free_memory(struct dal_device *device, dal_memory memory)
{
    (void)device;
    free(memory);
}

static int pin(struct dal_device *device, const struct dal_subject *subject, dal_commands commands,
               size_t bytes, void **host, void **handle)
{
    (void)device, (void)subject, (void)commands;
    *host = *handle = calloc(1, bytes);
    return *host ? DAL_OK : DAL_ERR_NOMEM;
}

static void unpin(struct dal_device *device, dal_commands commands, void *host, void *handle)
{
    (void)device, (void)commands, (void)handle;
    free(host);
}

/* ---- queues ---------------------------------------------------------------------------------- */

static int make_commands(struct dal_device *device, int timed, dal_commands *commands)
{
    (void)timed;
    *commands = (dal_commands)device;
    return DAL_OK;
}

static void free_commands(struct dal_device *device, dal_commands commands)
{
    (void)device, (void)commands;
}

static int flush(dal_commands commands, const struct dal_subject *subject)
{
    (void)commands, (void)subject;
    return DAL_OK;
}

static int mark(dal_commands commands, const struct dal_subject *subject, dal_event *done)
{
    (void)subject;
    *done = (dal_event)commands;
    return DAL_OK;
}

static void note_event(dal_commands commands, dal_event *done)
{
    if (done)
        *done = (dal_event)commands;
}

static int write_bytes(dal_commands commands, const struct dal_subject *subject, dal_memory to,
                       size_t at, const void *host, size_t bytes, int wait, dal_event *done)
{
    (void)subject, (void)wait;
    memcpy(to->bytes + at, host, bytes);
    note_event(commands, done);
    idle_counts.writes++;
    idle_counts.written_bytes += bytes;
    return DAL_OK;
}

static int read_bytes(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                      size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                      dal_event *done)
{
    (void)subject, (void)events, (void)count;
    memcpy(host, from->bytes + at, bytes);
    note_event(commands, done);
    idle_counts.reads++;
    idle_counts.read_bytes += bytes;
    return DAL_OK;
}

static int copy_bytes(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                      size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done)
{
    (void)subject;
    memmove(to->bytes + to_at, from->bytes + from_at, bytes);
    note_event(commands, done);
    return DAL_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int is_complete(dal_event event, const struct dal_subject *subject,
                       enum dal_event_state *state)
{
    (void)event, (void)subject;
    *state = DAL_EVENT_COMPLETE;
    return DAL_OK;
}

static void keep_event(dal_event event)
{
    (void)event;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static int set_memory(dal_function function, const struct dal_subject *subject, unsigned number,
                      dal_memory memory)
{
    (void)function, (void)subject, (void)number, (void)memory;
    return DAL_OK;
}

static int set_value(dal_function function, const struct dal_subject *subject, unsigned number,
                     size_t bytes, const void *value)
{
    (void)function, (void)subject, (void)number, (void)bytes, (void)value;
    return DAL_OK;
}

static int launch(dal_commands commands, const struct dal_subject *subject, dal_function function,
                  const struct dal_launch *what, const dal_event *events, unsigned count,
                  dal_event *done)
{
    (void)subject, (void)function, (void)what, (void)events, (void)count;
    note_event(commands, done);
    idle_counts.launches++;
    return DAL_OK;
}

const struct dal_backend idle_backend = {.name = "idle",
                                         .capability = "IDLE",
                                         .memory = make_memory,
                                         .memory_free = free_memory,
                                         .pinned = pin,
                                         .pinned_free = unpin,
                                         .commands = make_commands,
                                         .commands_free = free_commands,
                                         .flush = flush,
                                         .finish = flush,
                                         .marker = mark,
                                         .write = write_bytes,
                                         .read = read_bytes,
                                         .copy = copy_bytes,
                                         .state = is_complete,
                                         .retain = keep_event,
                                         .release = keep_event,
                                         .set_memory = set_memory,
                                         .set_value = set_value,
                                         .launch = launch};
