#include "rt/device/placed.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

struct dal_placed {
    const void *data;
    struct dal_device *device;
    dal_memory memory;
    struct dal_placed *next;
};

/* Sub-devices have the memory of the whole. A device in the host's memory has a buffer of its own
 * over the same bytes. */
static int is_there(const struct dal_placed *placed, const struct dal_device *device,
                    const void *data)
{
    return placed->data == data &&
           (placed->device == device ||
            (placed->device->context == device->context && placed->device->whole == device->whole));
}

static int place(const struct dal_subject *subject, const struct dal_queue *queue,
                 const struct dal_constant *constant, dal_memory *memory)
{
    struct dal_device *device = queue->device;
    int over = device->info.traits.unified;
    int status = device->backend->memory(
        device, subject, over ? DAL_MEMORY_OVER_HOST : DAL_MEMORY_KERNELS, constant->bytes,
        over ? (void *)constant->data : NULL, memory); /* kernels only read it */
    if (status == DAL_OK && !over)
        status = device->backend->write(queue->commands, subject, *memory, 0, constant->data,
                                        constant->bytes, 1, NULL);
    if (status < 0 && *memory)
        device->backend->memory_free(device, *memory);
    return status;
}

int dal_placed_find(struct dal_placed **list, const struct dal_subject *subject,
                    const struct dal_queue *queue, const struct dal_constant *constant,
                    dal_memory *memory)
{
    struct dal_placed *placed = *list;
    int status;
    while (placed && !is_there(placed, queue->device, constant->data))
        placed = placed->next;
    if (placed) {
        *memory = placed->memory;
        return DAL_OK;
    }
    *memory = NULL;
    placed = dal_calloc(1, sizeof(*placed));
    status = placed ? place(subject, queue, constant, memory) : dal_no_memory();
    if (status < 0) {
        dal_free(placed);
        return status;
    }
    *placed = (struct dal_placed){constant->data, queue->device, *memory, *list};
    *list = placed;
    return DAL_OK;
}

void dal_placed_finish(struct dal_placed **list)
{
    while (*list) {
        struct dal_placed *placed = *list;
        *list = placed->next;
        placed->device->backend->memory_free(placed->device, placed->memory);
        dal_free(placed);
    }
}
