/*
 * Channels that are changed in place: a firing writes the slots that it has just read. The ring has
 * as many slots as initial tokens, so these slots are also the next that a writer would fill.
 */
#include "spec/check/check.h"

#include <inttypes.h>
#include <stdio.h>

/* The reason why something cannot be changed in place; "" if it can. */
struct fault {
    char why[400];
};

#define FAULT(fault, ...) snprintf((fault)->why, sizeof((fault)->why), __VA_ARGS__)

static void look_at_channel(const struct dal_spec_channel *c, struct fault *fault)
{
    if (c->producer != c->consumer)
        FAULT(fault, "it leads from process '%.100s' to '%.100s', not from a process to itself",
              c->producer->name, c->consumer->name);
    else if (c->counted.most)
        FAULT(fault, "it is counted (most)");
    else if (c->producer->kpn)
        FAULT(fault, "process '%.100s' has a port with a dynamic rate", c->producer->name);
    else if (c->producer->phases > 1)
        FAULT(fault, "process '%.100s' is cyclo-static", c->producer->name);
    else if (c->rate_in != c->rate_out)
        FAULT(fault, "a firing reads %" PRIu64 " tokens and writes %" PRIu64, c->rate_out,
              c->rate_in);
    else if (c->initial_tokens == 0 || c->initial_tokens % c->rate_in)
        FAULT(fault,
              "it has %" PRIu64 " initial tokens, and needs a multiple of the %" PRIu64
              " that a firing reads and writes",
              c->initial_tokens, c->rate_in);
}

/* Looks at another channel of the port. */
static void look_beside(const struct dal_spec_channel *c, const struct dal_spec_channel *other,
                        struct fault *fault)
{
    const char *port = c->producer_port->name;
    if (other->inplace)
        FAULT(fault, "so is sw_channel '%.100s', which port '%.100s' feeds too", other->name, port);
    else if (other->initial_tokens > c->initial_tokens)
        FAULT(
            fault,
            "port '%.100s' feeds sw_channel '%.100s' too, which has more initial tokens, %" PRIu64,
            port, other->name, other->initial_tokens);
}

static void look_at_port(const struct dal_spec_channel *c, struct fault *fault)
{
    const struct dal_spec_channel *other = c->producer_port->channel;
    for (; other && !fault->why[0]; other = other->next_of_port)
        if (other != c)
            look_beside(c, other, fault);
}

/* The given size of the port's channels must be their initial tokens, or be left out. */
static int has_size(struct dal_diags *diags, const struct dal_spec_channel *c, uint64_t size,
                    struct dal_spec_place place)
{
    if (!size || size == c->initial_tokens)
        return 1;
    dal_error(diags, place, "inplace",
              "sw_channel '%s' is changed in place (inplace), so its size is its %" PRIu64
              " initial tokens, and not %" PRIu64,
              c->name, c->initial_tokens, size);
    return 0;
}

static void check_channel(struct dal_diags *diags, const struct dal_spec_channel *c)
{
    struct dal_spec_channel *other;
    struct fault fault = {""};
    look_at_channel(c, &fault);
    if (!fault.why[0])
        look_at_port(c, &fault);
    if (fault.why[0])
        dal_error(diags, c->place, "inplace",
                  "sw_channel '%s' cannot be changed in place (inplace): %s", c->name, fault.why);
    if (fault.why[0] || !has_size(diags, c, c->capacity, c->size_place))
        return;
    for (other = c->producer_port->channel; other; other = other->next_of_port) {
        other->capacity = c->initial_tokens;
        other->size_place = c->place;
    }
}

void dal__check_inplace(struct dal_diags *diags, const struct dal_spec_network *network,
                        const struct dal__raw *raw)
{
    for (size_t i = 0; i < network->channel_count; i++) {
        const struct dal_spec_channel *c = &network->channels[i];
        if (c->inplace && c->producer && c->consumer && !raw->channels[i].broken)
            check_channel(diags, c);
    }
}

int dal__check_inplace_size(struct dal_diags *diags, const struct dal_spec_channel *channel,
                            uint64_t size, struct dal_spec_place place)
{
    const struct dal_spec_channel *inplace =
        channel->producer_port ? dal_spec_inplace(channel->producer_port) : NULL;
    return !inplace || has_size(diags, inplace, size, place);
}
