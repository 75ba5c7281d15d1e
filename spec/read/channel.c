/* Reads the channels of a network, and their initial tokens. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/limits.h"
#include "spec/read/network.h"
#include "spec/read/typed.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DATA_BYTES ((uint64_t)1 << 30)

static int read_rate(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                     uint64_t *rate, struct dal_spec_phases *phases, int *dynamic, int *unsaid)
{
    const struct dal__number rule = {.attribute = attribute,
                                     .least = 1,
                                     .most = DAL_MAX_RATE,
                                     .absent = 1,
                                     .low_code = "rate-zero",
                                     .high_code = "size-too-large"};
    int64_t value = 1;
    int status = DAL_OK;
    *unsaid = !dal__xml_get(element, attribute);
    *dynamic = dal__xml_has(element, attribute, "dynamic");
    if (!*dynamic)
        status = dal__xml_sequence(reader, element, &rule, &value, &phases->of, &phases->count);
    *rate = (uint64_t)value;
    return status;
}

/* The size is given by tokensize or by a type of a fixed size. Both may be given, but must
 * agree. */
static int read_token_bytes(struct dal__reader *reader, const struct dal__network_state *state,
                            const xmlNode *element, struct dal_spec_channel *channel, int *is_sized)
{
    static const struct dal__number rule = {.attribute = "tokensize",
                                            .least = 1,
                                            .most = DAL_MAX_TOKEN_BYTES,
                                            .absent = 1,
                                            .low_code = "token-size-zero",
                                            .high_code = "size-too-large"};
    int is_given = xmlHasProp(element, (const xmlChar *)"tokensize") != NULL;
    int64_t bytes, of_type;
    int status = dal__xml_number(reader, element, &rule, &bytes);
    if (!status)
        status = dal__read_token_type(reader, state, element, channel, &of_type);
    if (!status && of_type && is_given && bytes != of_type)
        return dal_error(reader->diags, channel->place, "token-type",
                         "sw_channel '%s': tokensize is %" PRId64
                         ", and a token of its type has %" PRId64 " bytes",
                         channel->name, bytes, of_type);
    channel->unsaid_bytes = !is_given && (status || (!of_type && !channel->header));
    *is_sized = is_given;
    channel->token_bytes = (uint64_t)(!status && of_type ? of_type : bytes);
    return status;
}

/* A counted channel has no rates: a firing writes one packet, and reads one. But "dynamic" tells
 * that its consumer is a KPN process. */
static int take_most(struct dal__reader *reader, struct dal_spec_channel *channel,
                     struct dal__raw_channel *raw)
{
    raw->has_rates = !channel->unsaid_in || (!channel->unsaid_out && !channel->dynamic_out);
    if (!channel->counted.most)
        return DAL_OK;
    channel->unsaid_in = channel->unsaid_out = 0;
    if (!raw->has_rates)
        return DAL_OK;
    return dal_error(reader->diags, channel->place, "counted",
                     "sw_channel '%s': most=\"%" PRIu64
                     "\" and a rate exclude each other: a firing writes "
                     "up to so many tokens, and one of the consumer reads what it has written",
                     channel->name, channel->counted.most);
}

static int read_channel_numbers(struct dal__reader *reader, const struct dal__network_state *state,
                                const xmlNode *element, struct dal_spec_channel *channel,
                                struct dal__raw_channel *raw)
{
    static const struct dal__number size_rule = {.attribute = "size",
                                                 .least = 1,
                                                 .most = DAL_MAX_CHANNEL_BYTES,
                                                 .low_code = "size-zero",
                                                 .high_code = "size-too-large"};
    static const struct dal__number initial_rule = {
        .attribute = "initialtokens", .most = DAL_MAX_CHANNEL_BYTES, .high_code = "size-too-large"};
    static const struct dal__number most_rule = {.attribute = "most",
                                                 .least = 1,
                                                 .most = DAL_MAX_RATE,
                                                 .low_code = "rate-zero",
                                                 .high_code = "size-too-large"};
    int64_t size, initial, most;
    int status = read_token_bytes(reader, state, element, channel, &raw->is_sized);
    status |= dal__xml_number(reader, element, &size_rule, &size);
    status |= dal__xml_number(reader, element, &initial_rule, &initial);
    status |= dal__xml_number(reader, element, &most_rule, &most);
    status |= read_rate(reader, element, "tokenratein", &channel->rate_in, &raw->in,
                        &channel->dynamic_in, &channel->unsaid_in);
    status |= read_rate(reader, element, "tokenrateout", &channel->rate_out, &raw->out,
                        &channel->dynamic_out, &channel->unsaid_out);
    channel->capacity = (uint64_t)size;
    channel->size_place = channel->place;
    channel->initial_tokens = (uint64_t)initial;
    channel->counted.most = (uint64_t)most;
    status |= take_most(reader, channel, raw);
    return status ? DAL_ERR_INVALID : DAL_OK;
}

static int read_channel_port(struct dal__reader *reader, xmlNode *element,
                             const struct dal_spec_channel *channel, struct dal__raw_channel *ports)
{
    char *port;
    int status = dal__xml_name(reader, element, &port);
    int output = dal__xml_has(element, "type", "output");
    char **name = output ? &ports->output : &ports->input;
    if (*name) {
        dal_error(reader->diags, dal__xml_place(element), "channel-ports",
                  "sw_channel '%s': a second %s port '%s'", channel->name,
                  output ? "output" : "input", port);
        dal_free(port);
    } else {
        *name = port;
    }
    return dal__fatal(status);
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Puts the bytes of `text` into *bytes, as many as *count says. Returns DAL_ERR_INVALID unless the
 * text is pairs of hexadecimal digits. */
static int parse_hex(const char *text, unsigned char **bytes, size_t *count)
{
    *count = 0;
    *bytes = dal_alloc(strlen(text) / 2 + 1);
    if (!*bytes)
        return DAL_ERR_NOMEM;
    while (*(text += strspn(text, " \t\r\n"))) {
        if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
            return DAL_ERR_INVALID;
        (*bytes)[(*count)++] = (unsigned char)(hex_digit(text[0]) << 4 | hex_digit(text[1]));
        text += 2;
    }
    return DAL_OK;
}

static void data_error(struct dal__reader *reader, const struct dal_spec_channel *channel,
                       const char *reason)
{
    dal_error(reader->diags, channel->place, "initial-data", "sw_channel '%s': %s", channel->name,
              reason);
}

/* Gives the bytes of a value, of a type ("float: 1 2") or as they are; *bytes is NULL after an
 * error. */
static int parse_value(struct dal__reader *reader, const char *text,
                       const struct dal_spec_channel *channel, unsigned char **bytes, size_t *count)
{
    char why[200] =
        "value must be bytes in hexadecimal, two digits each, or a type and numbers, as "
        "\"float: 1 2 3\"";
    int status = dal__is_typed(text) ? dal__parse_typed(text, bytes, count, why)
                                     : parse_hex(text, bytes, count);
    if (status == DAL_ERR_NOMEM)
        return dal__lost(reader->diags);
    if (!status)
        return DAL_OK;
    data_error(reader, channel, why);
    dal_free(*bytes);
    *bytes = NULL;
    return DAL_OK;
}

/* Reads the value attribute: all initial tokens, or one that is repeated. */
static int read_value(struct dal__reader *reader, const char *text,
                      struct dal_spec_channel *channel)
{
    size_t total = channel->initial_tokens * channel->token_bytes, count;
    unsigned char *bytes;
    int status = parse_value(reader, text, channel, &bytes, &count);
    if (status || !bytes)
        return status;
    if (count == 0) {
        data_error(reader, channel, "value has no bytes");
    } else if (count != total && count != channel->token_bytes) {
        dal_error(reader->diags, channel->place, "initial-data",
                  "sw_channel '%s': value has %zu bytes, must have %zu (all initial tokens) or %zu "
                  "(one of them)",
                  channel->name, count, total, (size_t)channel->token_bytes);
    } else {
        channel->initial_data = dal_alloc(total);
        if (!channel->initial_data)
            status = dal__lost(reader->diags);
        for (size_t at = 0; !status && at < total; at += count)
            memcpy(channel->initial_data + at, bytes, count);
    }
    dal_free(bytes);
    return dal__fatal(status);
}

/* Reads the data attribute: a file with all initial tokens. */
static int read_data(struct dal__reader *reader, const struct dal__network_state *state,
                     const char *location, struct dal_spec_channel *channel)
{
    size_t total = channel->initial_tokens * channel->token_bytes, count;
    char *path = dal__beside(state->network->file, location), *bytes = NULL;
    const char *why;
    int status = path ? dal_file_read(path, total, &bytes, &count, &why) : DAL_ERR_NOMEM;
    if (status == DAL_ERR_IO)
        dal_error(reader->diags, channel->place, "initial-data", "sw_channel '%s': '%s': %s",
                  channel->name, path, why);
    else if (status == DAL_ERR_LIMIT || (!status && count != total))
        dal_error(reader->diags, channel->place, "initial-data",
                  "sw_channel '%s': '%s' must have %zu bytes, has %s", channel->name, path, total,
                  status ? "more" : "fewer");
    else
        channel->initial_data = (unsigned char *)bytes;
    if (bytes && !channel->initial_data)
        dal_free(bytes);
    dal_free(path);
    return status == DAL_ERR_NOMEM ? dal__lost(reader->diags) : DAL_OK;
}

/* Counts the values of a type: they give the number of initial tokens if nothing else does. */
static int count_values(struct dal__reader *reader, const char *text,
                        struct dal_spec_channel *channel)
{
    unsigned char *bytes;
    size_t count;
    int status = parse_value(reader, text, channel, &bytes, &count);
    if (status || !bytes)
        return status ? status : DAL_ERR_INVALID;
    dal_free(bytes);
    if (count == 0 || count % channel->token_bytes) {
        data_error(reader, channel, "value has no whole number of tokens, or none");
        return DAL_ERR_INVALID;
    }
    channel->initial_tokens = count / channel->token_bytes;
    return DAL_OK;
}

int dal__fill_initial(struct dal__reader *reader, struct dal__network_state *state,
                      struct dal_spec_channel *channel)
{
    const struct dal__raw_channel *raw = &state->raw->network.channels[channel->number];
    const char *value = raw->value, *data = raw->data;
    uint64_t bytes;
    int status = DAL_OK;
    if (!value && !data)
        return DAL_OK;
    if (channel->counted.most)
        data_error(reader, channel,
                   "it is counted (most), so its initial tokens are empty packets; value and data "
                   "mean nothing here");
    else if (value && data)
        data_error(reader, channel, "value and data exclude each other");
    else if (value && dal__is_typed(value) && channel->initial_tokens == 0 &&
             (status = count_values(reader, value, channel)))
        status = dal__fatal(status);
    else if (channel->initial_tokens == 0)
        data_error(reader, channel, "value or data without initialtokens");
    else if (__builtin_mul_overflow(channel->initial_tokens, channel->token_bytes, &bytes) ||
             bytes > MAX_DATA_BYTES - state->data_bytes)
        data_error(reader, channel, "more than 2^30 bytes of initial tokens in this network");
    else {
        state->data_bytes += bytes;
        status =
            value ? read_value(reader, value, channel) : read_data(reader, state, data, channel);
    }
    return status;
}

static int read_initial(struct dal__reader *reader, struct dal__network_state *state,
                        const xmlNode *element, struct dal_spec_channel *channel,
                        struct dal__raw_channel *raw)
{
    int status = dal__xml_text(reader, element, "value", &raw->value);
    if (!status)
        status = dal__fatal(dal__xml_expand(reader, element, "data", &raw->data));
    if (!status)
        status = dal__place(reader, state, &raw->data);
    raw->waits = channel->unsaid_bytes && !channel->header && (raw->value || raw->data);
    return status || channel->header || raw->waits ? status
                                                   : dal__fill_initial(reader, state, channel);
}

static void read_newest(struct dal__reader *reader, const xmlNode *element,
                        struct dal_spec_channel *channel)
{
    const struct dal__quantity age = dal__duration("age");
    channel->newest.is_given = dal__xml_is_true(dal__xml_get(element, "newest"));
    channel->newest.repeat = dal__xml_is_true(dal__xml_get(element, "repeat"));
    if (!dal__xml_quantity(reader, element, &age, &channel->newest.age_ns))
        channel->newest.age_ns = 0;
    if (!channel->newest.is_given && (channel->newest.repeat || channel->newest.age_ns))
        dal_error(reader->diags, channel->place, "newest",
                  "sw_channel '%s': age and repeat mean nothing without newest=\"true\"",
                  channel->name);
}

int dal__read_channel(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element)
{
    static const struct dal__limit limit = {.most = DAL_MAX_CHANNELS, .things = "channels"};
    struct dal_spec_network *network = state->network;
    struct dal__raw_channel *ports;
    int status;
    struct dal_spec_channel *channel =
        DAL__ADD(reader, element, &limit, network->channels, network->channel_count, &status);
    if (!channel)
        return status;
    channel->number = network->channel_count - 1;
    channel->place = dal__xml_place(element);
    ports = DAL__ADD(reader, element, NULL, state->raw->network.channels,
                     state->raw->network.channel_count, &status);
    if (!ports)
        return status;
    status = dal__fatal(dal__xml_name(reader, element, &channel->name));
    if (!status)
        status = dal__fatal(dal__qualify(reader, state, element, &channel->name));
    if (status)
        return status;
    ports->depth = state->depth;
    channel->inplace = dal__xml_is_true(dal__xml_get(element, "inplace"));
    read_newest(reader, element, channel);
    ports->broken = read_channel_numbers(reader, state, element, channel, ports) != DAL_OK;
    if (!ports->broken)
        status = read_initial(reader, state, element, channel, ports);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "port"))
            status = read_channel_port(reader, child, channel, ports);
    }
    return status;
}
