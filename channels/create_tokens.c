/* Writes the initial tokens of a port into its rings. */
#include "channels/create.h"
#include "rt/base/alloc.h"

#include <string.h>

/* Writes a ring's first contents: the initial tokens of the reader that has most, and the tail. */
static void fill_image(const struct dal_port_plan *plan, unsigned char *image)
{
    const struct dal_port *port = plan->port;
    const struct dal_channel_desc *desc = NULL;
    size_t token = dal__channel_at(plan, 0)->desc->token_bytes, ring = port->producer.wrap_bytes;
    size_t bytes = plan->initial * token, offset = port->shape.start * token % ring, part;
    int i;
    for (i = 0; !desc || desc->initial_tokens < plan->initial; i++)
        desc = dal__channel_at(plan, i)->desc;
    part = bytes < ring - offset ? bytes : ring - offset;
    if (desc->initial_data) {
        memcpy(image + offset, desc->initial_data, part);
        memcpy(image, (const unsigned char *)desc->initial_data + part, bytes - part);
    }
    if (port->shape.tail) {
        size_t tail = port->shape.tail * token;
        memcpy(image + ring, image, tail < ring ? tail : ring);
    }
}

static int place_initial_tokens(const struct dal_port_plan *plan, const struct dal_storage *storage,
                                const struct dal_queue *queue)
{
    const struct dal_subject subject = dal__port_subject(plan);
    unsigned char *image = storage->host;
    int status;
    if (plan->initial == 0 || storage->bytes == 0)
        return DAL_OK;
    if (image) {
        fill_image(plan, image);
        return DAL_OK;
    }
    image = dal__port_alloc(plan->port, 1, storage->bytes);
    if (!image)
        return DAL_ERR_NOMEM;
    fill_image(plan, image);
    status = queue->backend->write(queue->commands, &subject, storage->memory, 0, image,
                                   storage->bytes, 1, NULL);
    dal_free(image);
    return status;
}

/* Readers of one ring on a device may begin at different tokens: then all initial tokens are
 * uploaded here. Otherwise they are uploaded with the first window. */
int dal__fill_rings(const struct dal_port_plan *plan)
{
    struct dal_port *port = plan->port;
    struct dal_place *place;
    int status = DAL_OK;
    if (!dal__is_dealt(plan->producer)) /* readers in place begin with none there */
        status = place_initial_tokens(plan, port->own, plan->from);
    if (status == DAL_OK)
        status = place_initial_tokens(plan, &port->host, plan->from);
    for (place = port->places; status == DAL_OK && place; place = place->next) {
        if (place->ring || !place->differ)
            continue;
        status = place_initial_tokens(plan, &place->device.ring, place->queue);
        place->device.filled = plan->initial;
    }
    return status;
}
