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

void *standin_new(enum standin_kind kind, int device, size_t bytes)
{
    struct table *table = &tables[kind];
    struct standin_object *object = calloc(1, bytes);
    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 64;
        table->objects = realloc(table->objects, table->room * sizeof(struct standin_object *));
    }
    if (!object || !table->objects)
        abort();
    *object = (struct standin_object){.kind = kind, .number = table->count, .device = device};
    table->objects[table->count++] = object;
    return object;
}

void *standin_handle(const void *object)
{
    const struct standin_object *it = object;
    return (void *)(uintptr_t)(HANDLE_BASE | (uint64_t)it->kind << KIND_SHIFT |
                               (uint64_t)it->number << NUMBER_SHIFT);
}

void *standin_at(enum standin_kind kind, unsigned number)
{
    return number < tables[kind].count ? tables[kind].objects[number] : NULL;
}

void *standin_get(enum standin_kind kind, const void *handle)
{
    uint64_t value = (uint64_t)(uintptr_t)handle ^ (HANDLE_BASE | (uint64_t)kind << KIND_SHIFT);
    struct standin_object *object =
        value >> NUMBER_SHIFT < tables[kind].count && value % (1u << NUMBER_SHIFT) == 0
            ? tables[kind].objects[value >> NUMBER_SHIFT]
            : NULL;
    if (object && !object->dead)
        return object;
    standin_misuse("%p is none of the %s%s", handle, kind_names[kind],
                   object ? ": it was destroyed" : "");
    return NULL;
}

void standin_kill(void *object)
{
    ((struct standin_object *)object)->dead = 1;
}

static unsigned living(enum standin_kind kind)
{
    unsigned count = 0;
    for (unsigned i = 0; i < tables[kind].count; i++)
        count += !tables[kind].objects[i]->dead;
    return count;
}

const char *dal_standin_left(void)
{
    static char text[256];
    size_t used = 0;
    text[0] = 0;
    for (enum standin_kind kind = STANDIN_CONTEXT; kind < STANDIN_KINDS; kind++) {
        unsigned count = kind == STANDIN_FUNCTION ? 0 : living(kind);
        if (count)
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %u", used ? ", " : "",
                                     kind_names[kind], count);
    }
    return text;
}
