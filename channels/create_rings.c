/* Makes the rings of a port, and writes its initial tokens. */
#include "channels/create.h"
#include "rt/base/alloc.h"

#include <string.h>

static struct dal_subject subject_of(const struct dal_port_layout *layout)
{
    return (struct dal_subject){layout->of->descs[0]->name, layout->of->producer->failures};
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t replica_bytes(const struct dal_port_layout *layout)
{
    const struct dal_port_request *of = layout->of;
    uint64_t rate = dal__window_rate(layout->counted, of->producer, of->descs[0]->rate_in);
    return dal__replica_ring_bytes(of->port, of->producer, rate, layout->halo);
}

/* Makes one ring; with replicas, the own one of replica i. */
static int make_ring(const struct dal_port_layout *layout, struct dal_ring_memory memory, int i,
                     struct dal_storage *ring)
{
    const struct dal_port_request *of = layout->of;
    const struct dal_subject subject = subject_of(layout);
    size_t bytes = dal__ring_bytes(of->port);
    switch (memory.sort) {
    case DAL_STORAGE_NONE:
        return DAL_OK;
    case DAL_STORAGE_REGION:
        return dal_storage_region(ring, of->producer->region, bytes)
                   ? DAL_OK
                   : dal_storage_host(ring, DAL_STORAGE_PLAIN, subject.name, bytes);
    case DAL_STORAGE_SHARED:
        return dal_storage_shared(ring, &subject, memory.queue->device, bytes);
    case DAL_STORAGE_PINNED:
        return dal_storage_pinned(ring, &subject, memory.queue->device, memory.queue->commands,
                                  bytes);
    case DAL_STORAGE_DEVICE:
        return dal_storage_device(ring, &subject, dal__replica_queue(of->producer, i)->device,
                                  replica_bytes(layout), layout->host.sort != DAL_STORAGE_NONE);
    default:
        return dal_storage_host(ring, memory.sort, subject.name, bytes);
    }
}

static int make_blocks(const struct dal_port_layout *layout)
{
    const struct dal_lending *lending = &layout->lending;
    const struct dal_subject subject = subject_of(layout);
    struct dal_blocks *blocks = &layout->of->port->blocks;
    int status = dal__blocks_init(blocks, &subject, layout->of->port->own, lending->queue,
                                  lending->block_bytes, layout->of->producer->queue != NULL);
    if (status < 0 || lending->all)
        return status;
    return dal_storage_device(&blocks->rest, &subject, lending->queue->device, lending->block_bytes,
                              1);
}

static int make_rings(const struct dal_port_layout *layout)
{
    struct dal_port *port = layout->of->port;
    int i, status = DAL_OK, count = dal__replica_count(layout->of->producer);
    port->own = dal__port_alloc(port, (size_t)count, sizeof(*port->own));
    if (!port->own)
        return DAL_ERR_NOMEM;
    port->own_count = count;
    for (i = 0; status == DAL_OK && i < count; i++)
        status = make_ring(layout, layout->own, i, &port->own[i]);
    if (status == DAL_OK && layout->own.sort == DAL_STORAGE_PAGES)
        status = make_blocks(layout);
    return status == DAL_OK ? make_ring(layout, layout->host, 0, &port->host) : status;
}

/* ---- initial tokens -------------------------------------------------------------------------- */

/* Writes a ring's first contents: the initial tokens of the reader that has most, and the tail. */
static void fill_image(const struct dal_port_layout *layout, const struct dal_storage *ring,
                       unsigned char *image)
{
    const struct dal_channel_desc *const *descs = layout->of->descs;
    const struct dal_shape *shape = &layout->of->port->shape;
    size_t token = descs[0]->token_bytes, tail = shape->tail * token;
    size_t wrap = dal_storage_view(ring, shape->slots * token, tail).wrap_bytes;
    size_t bytes = layout->initial * token, offset = shape->start * token % wrap;
    size_t part = bytes < wrap - offset ? bytes : wrap - offset;
    int i = 0;
    while (descs[i]->initial_tokens < layout->initial)
        i++;
    if (descs[i]->initial_data) {
        memcpy(image + offset, descs[i]->initial_data, part);
        memcpy(image, (const unsigned char *)descs[i]->initial_data + part, bytes - part);
    }
    if (tail)
        memcpy(image + wrap, image, tail < wrap ? tail : wrap);
}

int dal__fill_ring(const struct dal_port_layout *layout, const struct dal_storage *ring,
                   const struct dal_queue *queue)
{
    const struct dal_subject subject = subject_of(layout);
    unsigned char *image = ring->host;
    int status;
    if (layout->initial == 0 || ring->bytes == 0)
        return DAL_OK;
    if (image) {
        fill_image(layout, ring, image);
        return DAL_OK;
    }
    image = dal__port_alloc(layout->of->port, 1, ring->bytes);
    if (!image)
        return DAL_ERR_NOMEM;
    fill_image(layout, ring, image);
    status = queue->backend->write(queue->commands, &subject, ring->memory, 0, image, ring->bytes,
                                   1, NULL);
    dal_free(image);
    return status;
}

/* Readers in the rings of replicas begin with no tokens there. */
int dal__port_rings(const struct dal_port_layout *layout, struct dal_port_rings *rings)
{
    struct dal_port *port = layout->of->port;
    int status = make_rings(layout);
    *rings = (struct dal_port_rings){
        .layout = layout, .own = port->own, .host_side = port->host.host ? &port->host : port->own};
    if (status == DAL_OK && !dal__is_distributed(layout->of->producer))
        status = dal__fill_ring(layout, port->own, layout->of->producer->queue);
    return status == DAL_OK ? dal__fill_ring(layout, &port->host, layout->of->producer->queue)
                            : status;
}
