#include "spec/read/typed.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/read/variable.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SIGNED, UNSIGNED, REAL };

/* Types of C and OpenCL C, as they are on the machine that the program is made on. */
static const struct c_type {
    const char *name;
    size_t bytes;
    enum kind kind;
} types[] = {
    {"char", 1, SIGNED},
    {"signed char", 1, SIGNED},
    {"unsigned char", 1, UNSIGNED},
    {"uchar", 1, UNSIGNED},
    {"short", sizeof(short), SIGNED},
    {"unsigned short", sizeof(short), UNSIGNED},
    {"ushort", sizeof(short), UNSIGNED},
    {"int", sizeof(int), SIGNED},
    {"unsigned", sizeof(int), UNSIGNED},
    {"unsigned int", sizeof(int), UNSIGNED},
    {"uint", sizeof(int), UNSIGNED},
    {"long", sizeof(long), SIGNED},
    {"unsigned long", sizeof(long), UNSIGNED},
    {"ulong", sizeof(long), UNSIGNED},
    {"long long", sizeof(long long), SIGNED},
    {"unsigned long long", sizeof(long long), UNSIGNED},
    {"int8_t", 1, SIGNED},
    {"int16_t", 2, SIGNED},
    {"int32_t", 4, SIGNED},
    {"int64_t", 8, SIGNED},
    {"uint8_t", 1, UNSIGNED},
    {"uint16_t", 2, UNSIGNED},
    {"uint32_t", 4, UNSIGNED},
    {"uint64_t", 8, UNSIGNED},
    {"size_t", sizeof(size_t), UNSIGNED},
    {"float", sizeof(float), REAL},
    {"double", sizeof(double), REAL},
};

static const struct c_type *find_type(const char *name, size_t length)
{
    while (length && name[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strlen(types[i].name) == length && strncmp(types[i].name, name, length) == 0)
            return &types[i];
    return NULL;
}

char dal__type_kind(const char *name, size_t *bytes)
{
    const struct c_type *type = find_type(name, strlen(name));
    *bytes = type ? type->bytes : 0;
    return type ? "iuf"[type->kind] : '\0';
}

/* ---- of tokens ------------------------------------------------------------------------------- */

/* Of a channel, or of a port of a network. */
static int refuse_type(struct dal__reader *reader, const xmlNode *element,
                       const struct dal_spec_channel *channel, const char *text)
{
    return dal_error(reader->diags, channel->place, "token-type", "%s '%s': %s",
                     (const char *)element->name, channel->name, text);
}

/* Takes the number in brackets off "float[64]"; 1 without brackets. */
static int read_count(struct dal__reader *reader, const xmlNode *element,
                      struct dal_spec_channel *channel)
{
    char *bracket = strchr(channel->token_type, '['), *end;
    struct dal_expr_fault fault;
    int64_t count = 1;
    if (bracket) {
        end = strrchr(bracket, ']');
        if (!end)
            return refuse_type(reader, element, channel, "a bracket of its type is not closed");
        *end = '\0';
        if (dal_expr_eval(reader->scope, bracket + 1, &count, &fault)) {
            dal__xml_fault(reader, element, "tokentype", &fault);
            return DAL_ERR_INVALID;
        }
        while (bracket > channel->token_type && bracket[-1] == ' ')
            bracket--;
        *bracket = '\0';
    }
    if (count < 1 || count > DAL_MAX_TOKEN_BYTES)
        return refuse_type(reader, element, channel,
                           "a token must have one element of its type at least, "
                           "and at most 2^31");
    channel->token_count = (uint64_t)count;
    return DAL_OK;
}

static int check_header(struct dal__reader *reader, const struct dal__network_state *state,
                        const xmlNode *element, struct dal_spec_channel *channel)
{
    char *path, text[400];
    const char *why;
    if (!dal__xml_plain(reader->diags, channel->place, "header", channel->header))
        return DAL_ERR_INVALID;
    if (strpbrk(channel->header, "\"\\"))
        return refuse_type(reader, element, channel,
                           "no #include can name its header, because of a quote or a backslash");
    path = dal__beside(state->network->file, channel->header);
    if (!path)
        return dal__lost(reader->diags);
    why = state->raw->unchecked ? NULL : dal_file_fault(path);
    snprintf(text, sizeof(text), "header '%.300s': %.60s", path, why ? why : "");
    dal_free(path);
    return why ? refuse_type(reader, element, channel, text) : DAL_OK;
}

/* Takes the bytes of a token from a type of a fixed size. */
static int use_size(struct dal__reader *reader, const xmlNode *element,
                    struct dal_spec_channel *channel, int64_t *bytes)
{
    const struct c_type *type = find_type(channel->token_type, strlen(channel->token_type));
    char text[300];
    if (channel->header)
        return DAL_OK;
    if (type)
        channel->token_kind = "iuf"[type->kind];
    if (!type) {
        snprintf(text, sizeof(text), "type '%.100s' is none that is known: %s", channel->token_type,
                 dal__xml_is(element, "port") ? "without one, the port has that of its channel"
                                              : "give the header that has it");
        return refuse_type(reader, element, channel, text);
    }
    if (channel->token_count > DAL_MAX_TOKEN_BYTES / type->bytes)
        return refuse_type(reader, element, channel, "a token has more than 2^31 bytes");
    *bytes = (int64_t)(type->bytes * channel->token_count);
    return DAL_OK;
}

int dal__read_token_type(struct dal__reader *reader, const struct dal__network_state *state,
                         const xmlNode *element, struct dal_spec_channel *channel, int64_t *bytes)
{
    int status = dal__xml_text(reader, element, "tokentype", &channel->token_type);
    *bytes = 0;
    channel->token_count = 1;
    if (!status)
        status = dal__xml_text(reader, element, "header", &channel->header);
    if (!status)
        status = dal__place(reader, state, &channel->header);
    if (!status && channel->header && !channel->token_type)
        status = refuse_type(reader, element, channel, "a header means nothing without a type");
    if (status || !channel->token_type)
        return status;
    status = read_count(reader, element, channel);
    if (!status)
        status = dal__replace_name(reader, element, "tokentype", &channel->token_type);
    if (!status && channel->header)
        status = check_header(reader, state, element, channel);
    return status ? status : use_size(reader, element, channel, bytes);
}

static int same_type(const struct dal_spec_channel *a, const struct dal_spec_channel *b)
{
    return !a->token_type || !b->token_type ||
           (strcmp(a->token_type, b->token_type) == 0 && a->token_count == b->token_count);
}

/* Tells of the tokens of a channel: "8 bytes", "8 bytes, float[2]". */
static const char *tell_tokens(const struct dal_spec_channel *channel, char text[200])
{
    int length =
        snprintf(text, 200, "%" PRIu64 " byte%s%s%.150s", channel->token_bytes,
                 channel->token_bytes == 1 ? "" : "s", channel->token_type ? ", type " : "",
                 channel->token_type ? channel->token_type : "");
    if (channel->token_type && channel->token_count > 1)
        snprintf(text + length, 200 - (size_t)length, "[%" PRIu64 "]", channel->token_count);
    return text;
}

void dal__refuse_tokens(struct dal_diags *diags, const struct dal_spec_channel *channel,
                        const struct dal_spec_channel *other)
{
    char own[200], others[200];
    dal_error(diags, channel->place, "part-port",
              "sw_channel '%s': its tokens have %s, those of '%s', which it is one with, %s",
              channel->name, tell_tokens(channel, own), other->name, tell_tokens(other, others));
    dal_note(diags, other->place, "'%s' is here", other->name);
}

int dal__take_tokens(struct dal_diags *diags, struct dal_spec_channel *channel,
                     const struct dal_spec_channel *other)
{
    if (other->unsaid_bytes)
        return 0;
    if (channel->unsaid_bytes)
        channel->token_bytes = other->token_bytes;
    else if (channel->token_bytes != other->token_bytes || !same_type(channel, other))
        return 1;
    channel->unsaid_bytes = 0;
    if (channel->token_type || !other->token_type)
        return 0;
    channel->token_type = dal_strdup(other->token_type);
    channel->header = other->header ? dal_strdup(other->header) : NULL;
    channel->token_kind = other->token_kind;
    channel->token_count = other->token_count;
    if (!channel->token_type || (other->header && !channel->header))
        dal__lost(diags);
    return 0;
}

int dal__agree_on_tokens(struct dal_diags *diags, struct dal_spec_channel *channel,
                         const struct dal_spec_channel *other)
{
    int differ = dal__take_tokens(diags, channel, other);
    if (differ)
        dal__refuse_tokens(diags, channel, other);
    return differ;
}

/* ---- of values ------------------------------------------------------------------------------- */

int dal__is_typed(const char *value)
{
    return strchr(value, ':') != NULL;
}

/* Stores a number in as many bytes as its type has; returns whether it fits. */
static int store_integer(const struct c_type *type, const char *word, char **end, unsigned char *at)
{
    unsigned bits = (unsigned)(8 * type->bytes);
    int is_negative = *word == '-', fits;
    unsigned long long value,
        most = type->kind == UNSIGNED ? UINT64_MAX >> (64 - bits) : UINT64_MAX >> (65 - bits);
    errno = 0;
    value = strtoull(word + is_negative, end, 0);
    fits = !errno && isdigit((unsigned char)word[is_negative]) &&
           value <= most + (unsigned)(is_negative && type->kind == SIGNED) &&
           !(is_negative && type->kind == UNSIGNED && value);
    value = is_negative ? 0 - value : value;
    for (size_t i = 0; i < type->bytes; i++) {
        size_t place = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : type->bytes - 1 - i;
        at[place] = (unsigned char)(value >> (8 * i));
    }
    return fits;
}

static int begins_number(const char *word)
{
    word += *word == '-' || *word == '+';
    return isdigit((unsigned char)*word) || *word == '.';
}

/* What is written as infinity, or as no number, is that; a number that is too large is refused. */
static int store_real(const struct c_type *type, const char *word, char **end, unsigned char *at)
{
    int is_finite;
    if (type->bytes == sizeof(float)) {
        float value = strtof(word, end);
        is_finite = isfinite(value);
        memcpy(at, &value, sizeof(value));
    } else {
        double value = strtod(word, end);
        is_finite = isfinite(value);
        memcpy(at, &value, sizeof(value));
    }
    return is_finite || !begins_number(word);
}

static int store_value(const struct c_type *type, const char *word, size_t length,
                       unsigned char *at)
{
    char *end = NULL;
    int fits =
        type->kind == REAL ? store_real(type, word, &end, at) : store_integer(type, word, &end, at);
    return fits && end == word + length;
}

static size_t word_length(const char *text)
{
    return strcspn(text, " \t\r\n");
}

int dal__parse_typed(const char *value, unsigned char **bytes, size_t *count, char why[200])
{
    const char *at = value + strspn(value, " \t\r\n"), *colon = strchr(at, ':');
    const struct c_type *type = find_type(at, (size_t)(colon - at));
    *bytes = NULL;
    *count = 0;
    if (!type) {
        snprintf(why, 200, "value: '%.*s' is no type whose values can be written",
                 colon - at < 100 ? (int)(colon - at) : 100, at);
        return DAL_ERR_INVALID;
    }
    *bytes = dal_alloc((strlen(colon) / 2 + 1) * type->bytes);
    if (!*bytes)
        return DAL_ERR_NOMEM;
    for (at = colon + 1; *(at += strspn(at, " \t\r\n")); at += word_length(at)) {
        if (!store_value(type, at, word_length(at), *bytes + *count)) {
            snprintf(why, 200, "value: '%.*s' is no %s",
                     word_length(at) < 60 ? (int)word_length(at) : 60, at, type->name);
            dal_free(*bytes);
            *bytes = NULL;
            return DAL_ERR_INVALID;
        }
        *count += type->bytes;
    }
    if (!*count) {
        snprintf(why, 200, "value: no value is given behind its type, %s", type->name);
        dal_free(*bytes);
        *bytes = NULL;
        return DAL_ERR_INVALID;
    }
    return DAL_OK;
}
