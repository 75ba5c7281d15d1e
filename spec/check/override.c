/* The mapping's words on channels: their kinds and sizes. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/base/limits.h"
#include "spec/check/mapping.h"

#include <inttypes.h>

static int add_override(struct dal_diags *diags, struct dal_spec *spec,
                        const struct dal__raw_override *raw, struct dal_spec_channel *channel)
{
    struct dal_spec_mapping *mapping = &spec->mapping;
    if (dal_extend(&mapping->overrides, mapping->override_count, sizeof(*mapping->overrides)))
        return dal__lost(diags);
    mapping->overrides[mapping->override_count++] = (struct dal_spec_override){
        .channel = channel,
        .kind = raw->kind,
        .capacity = raw->capacity,
        .place = raw->channel.place,
    };
    return DAL_OK;
}

/* Gives a size to every channel of the port. */
static int add_size(struct dal_diags *diags, struct dal_spec *spec,
                    const struct dal__raw_override *raw, struct dal_spec_channel *channel, int own,
                    int unchecked)
{
    struct dal__raw_override size = {.channel = raw->channel, .capacity = raw->capacity};
    uint64_t least = dal_spec_least_capacity(channel);
    int fits = dal__check_inplace_size(diags, channel, raw->capacity, raw->channel.place);
    if (fits && raw->capacity && raw->capacity < least && !unchecked)
        dal_error(diags, raw->channel.place, "capacity-too-small",
                  "sw_channel '%s': size is %" PRIu64 ", must be at least %" PRIu64, channel->name,
                  raw->capacity, least);
    if (raw->capacity > DAL_MAX_CHANNEL_BYTES / channel->token_bytes)
        dal_error(diags, raw->channel.place, "size-too-large",
                  "sw_channel '%s': %" PRIu64 " tokens of %" PRIu64
                  " bytes are more than 2^40 bytes",
                  channel->name, raw->capacity, channel->token_bytes);
    return own ? DAL_OK : add_override(diags, spec, &size, channel);
}

static int apply_rules(struct dal_diags *diags, struct dal_spec *spec, const struct dal__raw *raw,
                       const size_t *rules, const size_t *sizes)
{
    int status = DAL_OK;
    for (size_t i = 0; i < spec->network.channel_count && !status; i++) {
        struct dal_spec_channel *channel = &spec->network.channels[i];
        if (channel->newest.is_given) {
            if (rules[i] != DAL_NAMES_NONE)
                dal__refuse_rule_of_newest(diags, channel, &raw->mapping.overrides[rules[i]]);
            continue;
        }
        if (rules[i] != DAL_NAMES_NONE)
            status = add_override(diags, spec, &raw->mapping.overrides[rules[i]], channel);
        if (!status && sizes[i] != DAL_NAMES_NONE)
            status = add_size(diags, spec, &raw->mapping.overrides[sizes[i]], channel,
                              sizes[i] == rules[i], raw->unchecked);
    }
    return status;
}

int dal__check_overrides(struct dal_diags *diags, struct dal_spec *spec, const struct dal__raw *raw)
{
    const struct dal__selection selection = {
        .element = "channel",
        .unknown = "unknown-channel",
        .thing = "sw_channel",
        .all = &raw->names.channels,
        .names = DAL__LISTED(spec->network.channels, spec->network.channel_count, name),
        .rules = DAL__LISTED(raw->mapping.overrides, raw->mapping.override_count, channel),
        .gone = raw->gone,
        .gone_count = raw->gone_count,
        .outer = spec->mapping.file,
        .inner = raw->network.inner,
        .inner_count = raw->network.inner_count,
    };
    size_t *rules = dal_calloc(spec->network.channel_count + 1, sizeof(*rules));
    size_t *sizes = dal_calloc(spec->network.channel_count + 1, sizeof(*sizes));
    int status = rules && sizes ? DAL_OK : dal__lost(diags);
    if (!status) {
        dal__select(diags, &selection, rules);
        for (size_t i = 0; i < spec->network.channel_count; i++)
            if (spec->network.channels[i].consumer &&
                dal_spec_is_tapped(&spec->network.channels[i]))
                rules[i] = DAL_NAMES_NONE; /* patterns are not for taps */
        dal__check_reader_sizes(diags, &spec->network, raw, rules, sizes);
        status = apply_rules(diags, spec, raw, rules, sizes);
    }
    dal_free_all(rules, sizes);
    return status;
}
