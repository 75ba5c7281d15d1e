/*
 * Counted channels: a firing writes up to `most` tokens. From here on the channel carries packets
 * of one size, one a firing. So analysis, placement and runtime know fixed rates alone.
 */
#include "spec/check/check.h"

#include <inttypes.h>

/* Bytes of the count, and of a mark that shows a wrong one on its way (include/counted.h). */
enum { HEADER_BYTES = 16, LEAST_ALIGNMENT = 4, MOST_ALIGNMENT = 128 };

/* Returns the largest power of two that divides a token's size: no type of that size needs more. */
static uint64_t alignment_of(uint64_t token_bytes)
{
    uint64_t power = token_bytes & (~token_bytes + 1);
    if (power < LEAST_ALIGNMENT)
        return LEAST_ALIGNMENT;
    return power > MOST_ALIGNMENT ? MOST_ALIGNMENT : power;
}

static void make_packets(struct dal_diags *diags, struct dal_spec_channel *channel)
{
    struct dal_spec_counted *counted = &channel->counted;
    uint64_t alignment = alignment_of(channel->token_bytes), bytes;
    counted->token_bytes = channel->token_bytes;
    counted->header_bytes = alignment > HEADER_BYTES ? alignment : HEADER_BYTES;
    if (__builtin_mul_overflow(counted->most, counted->token_bytes, &bytes) ||
        bytes > (uint64_t)DAL_MAX_TOKEN_BYTES - 2 * MOST_ALIGNMENT) {
        dal_error(diags, channel->place, "size-too-large",
                  "sw_channel '%s': a packet of %" PRIu64 " tokens of %" PRIu64
                  " bytes has more than 2^31 bytes",
                  channel->name, counted->most, counted->token_bytes);
        return;
    }
    bytes += counted->header_bytes + alignment - 1;
    channel->token_bytes = bytes - bytes % alignment;
}

static void refuse_end(struct dal_diags *diags, const struct dal_spec_channel *channel,
                       const struct dal_spec_process *process, const char *why)
{
    dal_error(diags, channel->place, "counted",
              "sw_channel '%s' is counted (most), and process '%s' %s", channel->name,
              process->name, why);
    dal_note(diags, process->place, "process '%s' is here", process->name);
}

static int has_sequence(const struct dal_spec_process *process, const struct dal__raw *raw)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        const struct dal__raw_channel *channel =
            port->channel ? &raw->network.channels[port->channel->number] : NULL;
        if (channel && (port->output ? channel->in : channel->out).count)
            return 1;
    }
    return 0;
}

static void check_end(struct dal_diags *diags, const struct dal_spec_channel *channel,
                      const struct dal_spec_process *process, const struct dal__raw *raw)
{
    if (process->tap.kind) /* it moves whole packets */
        return;
    if (process->kpn && process == channel->producer)
        refuse_end(diags, channel, process,
                   "has a port with a dynamic rate: it has no firings that a packet could be of");
    else if (has_sequence(process, raw))
        refuse_end(diags, channel, process, "is cyclo-static: its firings differ in rates already");
}

void dal__check_counted(struct dal_diags *diags, struct dal_spec_network *network,
                        const struct dal__raw *raw)
{
    for (size_t i = 0; i < network->channel_count; i++) {
        struct dal_spec_channel *channel = &network->channels[i];
        if (!channel->counted.most || raw->network.channels[i].broken)
            continue;
        if (channel->producer)
            check_end(diags, channel, channel->producer, raw);
        if (channel->consumer)
            check_end(diags, channel, channel->consumer, raw);
        make_packets(diags, channel);
    }
}
