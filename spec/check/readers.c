/* Readers of a port: the channels of one output port carry the same tokens, from one buffer, behind
 * as many initial tokens as each has. */
#include "spec/check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void refuse_value(struct dal_diags *diags, const struct dal_spec_channel *channel,
                         const struct dal_spec_channel *first, const char *what, const char *its,
                         const char *other)
{
    dal_error(diags, channel->place, "fan-out",
              "sw_channel '%s': %s is %s, but %s for sw_channel '%s', which port '%s' of process "
              "'%s' feeds too",
              channel->name, what, its, other, first->name, first->producer_port->name,
              first->producer->name);
    dal_note(diags, first->place, "sw_channel '%s' is here", first->name);
}

static void refuse_number(struct dal_diags *diags, const struct dal_spec_channel *channel,
                          const struct dal_spec_channel *first, const char *what, uint64_t its,
                          uint64_t other)
{
    char mine[24], theirs[24];
    snprintf(mine, sizeof(mine), "%" PRIu64, its);
    snprintf(theirs, sizeof(theirs), "%" PRIu64, other);
    refuse_value(diags, channel, first, what, mine, theirs);
}

static int is_zero(const unsigned char *data, uint64_t bytes)
{
    uint64_t i;
    for (i = 0; i < bytes && !data[i]; i++)
        ;
    return i == bytes;
}

/* The channel of a port with the most initial tokens, and how many bytes of them are zero, at the
 * end. */
struct longest {
    const struct dal_spec_channel *channel;
    uint64_t zeros;
};

/* Has a channel the last initial tokens of one with at least as many? Data that is not there is
 * zero. */
static int same_data(const struct dal_spec_channel *channel, const struct longest *of)
{
    const struct dal_spec_channel *longest = of->channel;
    uint64_t bytes = channel->initial_tokens * channel->token_bytes;
    const unsigned char *data = channel->initial_data, *last = longest->initial_data;
    if (last)
        last += (longest->initial_tokens - channel->initial_tokens) * channel->token_bytes;
    if (data && last)
        return memcmp(data, last, bytes) == 0;
    return (!data || is_zero(data, bytes)) && (!last || bytes <= of->zeros);
}

static const char *rate_word(const struct dal_spec_channel *channel)
{
    return channel->dynamic_in ? "dynamic" : "a number";
}

static int same_phases(const struct dal_spec_phases *a, const struct dal_spec_phases *b)
{
    return a->count == b->count && (!a->count || !memcmp(a->of, b->of, a->count * sizeof(*a->of)));
}

static void compare_channels(struct dal_diags *diags, const struct dal_spec_channel *channel,
                             const struct dal_spec_channel *first, const struct dal__raw *raw)
{
    const struct dal_spec_phases *its = &raw->network.channels[channel->number].in;
    const struct dal_spec_phases *other = &raw->network.channels[first->number].in;
    if (channel->dynamic_in != first->dynamic_in)
        refuse_value(diags, channel, first, "tokenratein", rate_word(channel), rate_word(first));
    if (channel->counted.most != first->counted.most)
        refuse_number(diags, channel, first, "most", channel->counted.most, first->counted.most);
    else if (channel->token_bytes != first->token_bytes)
        refuse_number(diags, channel, first, "tokensize", channel->token_bytes, first->token_bytes);
    if (channel->dynamic_in == first->dynamic_in && channel->rate_in != first->rate_in)
        refuse_number(diags, channel, first, "tokenratein", channel->rate_in, first->rate_in);
    else if (!same_phases(its, other))
        refuse_value(diags, channel, first, "tokenratein",
                     its->count ? "this sequence" : "a number",
                     other->count ? "another one" : "a number");
}

static struct longest find_longest(const struct dal_spec_port *port)
{
    struct longest longest = {.channel = port->channel};
    const unsigned char *data;
    uint64_t bytes;
    for (const struct dal_spec_channel *c = port->channel; c; c = c->next_of_port)
        if (c->initial_tokens > longest.channel->initial_tokens)
            longest.channel = c;
    data = longest.channel->initial_data;
    bytes = data ? longest.channel->initial_tokens * longest.channel->token_bytes : 0;
    while (longest.zeros < bytes && !data[bytes - longest.zeros - 1])
        longest.zeros++;
    return longest;
}

/* Compares initial tokens. All readers must have the same ones; a reader with fewer has the last of
 * them. */
static void compare_data(struct dal_diags *diags, const struct dal_spec_channel *channel,
                         const struct longest *of)
{
    const struct dal_spec_channel *longest = of->channel;
    if (same_data(channel, of))
        return;
    dal_error(diags, channel->place, "fan-out",
              "sw_channel '%s': its %" PRIu64
              " initial tokens are others than the last of the %" PRIu64
              " of sw_channel '%s', which port '%s' of process '%s' feeds too",
              channel->name, channel->initial_tokens, longest->initial_tokens, longest->name,
              longest->producer_port->name, longest->producer->name);
    dal_note(diags, longest->place, "sw_channel '%s' is here", longest->name);
}

/* Returns a channel that has a size; NULL without one. */
static const struct dal_spec_channel *find_sized(const struct dal_spec_port *port)
{
    const struct dal_spec_channel *channel = port->channel;
    while (channel && !channel->capacity)
        channel = channel->next_of_port;
    return channel;
}

static void share_size(struct dal_diags *diags, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *sized = find_sized(port);
    struct dal_spec_channel *channel;
    for (channel = port->channel; sized && channel; channel = channel->next_of_port) {
        if (channel->capacity && channel->capacity != sized->capacity)
            refuse_number(diags, channel, sized, "size", channel->capacity, sized->capacity);
        channel->capacity = sized->capacity;
        channel->size_place = sized->place;
    }
}

static void check_port(struct dal_diags *diags, const struct dal_spec_port *port,
                       const struct dal__raw *raw)
{
    const struct dal_spec_channel *first = port->channel, *channel;
    struct longest longest = find_longest(port);
    size_t before = diags->errors;
    for (channel = first; channel; channel = channel->next_of_port)
        if (raw->network.channels[channel->number].broken)
            return;
    for (channel = first->next_of_port; channel; channel = channel->next_of_port)
        compare_channels(diags, channel, first, raw);
    for (channel = first; channel && diags->errors == before; channel = channel->next_of_port)
        compare_data(diags, channel, &longest);
    share_size(diags, port);
}

void dal__check_readers(struct dal_diags *diags, const struct dal_spec_network *network,
                        const struct dal__raw *raw)
{
    for (size_t i = 0; i < network->process_count; i++)
        for (size_t k = 0; k < network->processes[i].port_count; k++)
            if (dal_spec_is_several(&network->processes[i].ports[k]))
                check_port(diags, &network->processes[i].ports[k], raw);
}

/* The mapping's sizes */

static uint64_t size_in(const struct dal__raw *raw, size_t rule)
{
    return rule == DAL_NAMES_NONE ? 0 : raw->mapping.overrides[rule].capacity;
}

static int is_of_same_file(const struct dal__raw *raw, size_t a, size_t b)
{
    return raw->mapping.overrides[a].channel.place.file ==
           raw->mapping.overrides[b].channel.place.file;
}

/* Returns the channel of a port whose size counts: the first that has one, of the first mapping;
 * NULL without. */
static const struct dal_spec_channel *find_ruled(const struct dal_spec_port *port,
                                                 const struct dal__raw *raw, const size_t *rules)
{
    const struct dal_spec_channel *sized = NULL, *channel;
    for (channel = port->channel; channel; channel = channel->next_of_port) {
        size_t mine = rules[channel->number];
        if (size_in(raw, mine) && (!sized || (mine < rules[sized->number] &&
                                              !is_of_same_file(raw, mine, rules[sized->number]))))
            sized = channel;
    }
    return sized;
}

static void share_rule(struct dal_diags *diags, const struct dal_spec_port *port,
                       const struct dal__raw *raw, const size_t *rules, size_t *sizes)
{
    const struct dal_spec_channel *sized = find_ruled(port, raw, rules), *channel;
    for (channel = port->channel; sized && channel; channel = channel->next_of_port) {
        size_t mine = rules[channel->number], first = rules[sized->number];
        int is_said = size_in(raw, mine) && is_of_same_file(raw, mine, first);
        sizes[channel->number] = is_said ? mine : first;
        if (!is_said || size_in(raw, mine) == size_in(raw, first))
            continue;
        dal_error(diags, raw->mapping.overrides[mine].channel.place, "fan-out",
                  "sw_channel '%s': size is %" PRIu64 ", but %" PRIu64
                  " for sw_channel '%s', which port '%s' of process '%s' feeds too",
                  channel->name, size_in(raw, mine), size_in(raw, first), sized->name, port->name,
                  sized->producer->name);
        dal_note(diags, raw->mapping.overrides[first].channel.place, "the size of '%s' is here",
                 sized->name);
    }
}

void dal__check_reader_sizes(struct dal_diags *diags, const struct dal_spec_network *network,
                             const struct dal__raw *raw, const size_t *rules, size_t *sizes)
{
    for (size_t i = 0; i < network->channel_count; i++)
        sizes[i] = size_in(raw, rules[i]) ? rules[i] : DAL_NAMES_NONE;
    for (size_t i = 0; i < network->process_count; i++)
        for (size_t k = 0; k < network->processes[i].port_count; k++)
            if (dal_spec_is_several(&network->processes[i].ports[k]))
                share_rule(diags, &network->processes[i].ports[k], raw, rules, sizes);
}
