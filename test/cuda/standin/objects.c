/* Handles: numbers that are no addresses, and are never used twice. */
#include "test/cuda/standin/standin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HANDLE_BASE  0x0da1000000000000ull /* no address of a program */
#define KIND_SHIFT   40
#define NUMBER_SHIFT 4

static const char *const kind_names[STANDIN_KINDS] = {
    [STANDIN_CONTEXT] = "contexts",       [STANDIN_MEMORY] = "memory",
    [STANDIN_PINNED] = "pinned",          [STANDIN_STREAM] = "streams",
    [STANDIN_EVENT] = "events",           [STANDIN_MODULE] = "modules",
    [STANDIN_FUNCTION] = "functions",     [STANDIN_GRAPH] = "graphs",
    [STANDIN_EXECUTABLE] = "executables",
};

static struct table {
    struct standin_object **objects;
    unsigned count, room;
} tables[STANDIN_KINDS];

void *standin_new(enum standin_kind sort, int device, size_t bytes)
{
    struct table *table = &tables[sort];
    struct standin_object *object = calloc(1, bytes);
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 64;
        table->objects = realloc(table->objects, table->room * sizeof(struct standin_object *));
    }
    if (!object || !table->objects)
        abort();
    *object = (struct standin_object){.sort = sort, .number = table->count, .device = device};
    table->objects[table->count++] = object;
    return object;
}

void *standin_handle(const void *object)
{
    const struct standin_object *it = object;
    return (void *)(uintptr_t)(HANDLE_BASE | (uint64_t)it->sort << KIND_SHIFT |
                               (uint64_t)it->number << NUMBER_SHIFT);
}

void *standin_at(enum standin_kind sort, unsigned number)
{
    return number < tables[sort].count ? tables[sort].objects[number] : NULL;
}

void *standin_get(enum standin_kind sort, const void *handle)
{
    uint64_t value = (uint64_t)(uintptr_t)handle ^ (HANDLE_BASE | (uint64_t)sort << KIND_SHIFT);
    struct standin_object *object =
        value >> NUMBER_SHIFT < tables[sort].count && value % (1u << NUMBER_SHIFT) == 0
            ? tables[sort].objects[value >> NUMBER_SHIFT]
            : NULL;
    if (object && !object->dead)
        return object;
    standin_misuse("%p is none of the %s%s", handle, kind_names[sort],
                   object ? ": it was destroyed" : "");
    return NULL;
}

void standin_kill(void *object)
{
    ((struct standin_object *)object)->dead = 1;
}

static unsigned living(enum standin_kind sort)
{
    unsigned count = 0;
    for (unsigned i = 0; i < tables[sort].count; i++)
        count += !tables[sort].objects[i]->dead;
    return count;
}

const char *dal_standin_left(void)
{
    static char text[256];
    size_t used = 0;
    text[0] = 0;
    for (enum standin_kind sort = STANDIN_CONTEXT; sort < STANDIN_KINDS; sort++) {
        unsigned count = sort == STANDIN_FUNCTION ? 0 : living(sort);
        if (count)
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %u", used ? ", " : "",
                                     kind_names[sort], count);
    }
    return text;
}
