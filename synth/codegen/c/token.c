#include "synth/codegen/c/token.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "synth/codegen/c/type.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A type's members, and their places in memory. */
struct layout {
    const struct dal_fact *members; /* may have others between them, up to `end` */
    const struct dal_fact *end;
    const char *of;
    size_t bytes, alignment;
};

struct check {
    struct dal_diags *diags;
    const struct dal_spec_channel *channel;
    const struct dal__device_type *device;
};

/* ---- members --------------------------------------------------------------------------------- */

/* Returns the next member behind one, or the first for NULL; NULL at the end. */
static const struct dal_fact *next_member(const struct layout *layout, const struct dal_fact *at)
{
    for (at = at ? at + 1 : layout->members; at < layout->end; at++)
        if (at->kind == DAL_FACT_MEMBER && strcmp(at->member.of, layout->of) == 0)
            return at;
        else if (at->kind == DAL_FACT_FUNCTION || at->kind == DAL_FACT_LAYOUT)
            return NULL;
    return NULL;
}

/* Returns the only member of a type without parts: a number, or a vector or an array of numbers.
 * Else NULL. */
static const struct dal_fact *only_number(const struct layout *layout)
{
    const struct dal_fact *first = next_member(layout, NULL);
    return first && !*first->name && first->member.kind != DAL_MEMBER_RECORDS ? first : NULL;
}

/* Is it single bytes, which may be read as anything? */
static int is_bytes(const struct layout *layout)
{
    const struct dal_fact *only = only_number(layout);
    return only && only->member.element == 1 && only->member.kind == DAL_MEMBER_INTEGER;
}

static int same_kind(const struct dal_fact *a, const struct dal_fact *b)
{
    return a->member.kind == b->member.kind && a->member.element == b->member.element;
}

static int same_place(const struct dal_fact *a, const struct dal_fact *b)
{
    return same_kind(a, b) && a->member.offset == b->member.offset &&
           a->member.bytes == b->member.bytes;
}

/* ---- what is said ---------------------------------------------------------------------------- */

/* "member 'x' (int), of 4 bytes at byte 8", "float of 4 bytes". */
static void describe(char *words, size_t size, const struct dal_fact *member)
{
    if (*member->name)
        snprintf(words, size, "'%.100s' (%.60s) of %zu bytes at byte %zu", member->name,
                 member->member.type, member->member.bytes, member->member.offset);
    else
        snprintf(words, size, "%.60s of %zu bytes", member->member.type, member->member.bytes);
}

static int tell_difference(const struct check *check, const struct dal_fact *device,
                           const struct dal_fact *host)
{
    char there[256] = "nothing more", here[256] = "nothing more";
    if (device)
        describe(there, sizeof(there), device);
    if (host)
        describe(here, sizeof(here), host);
    dal_error(check->diags, check->device->place, "token-type",
              "%s has %s where a token of sw_channel '%s', a '%s', has %s", check->device->what,
              there, check->channel->name, check->channel->token_type, here);
    dal_note(check->diags, check->channel->place, "the type of its tokens is given here");
    return DAL_ERR_INVALID;
}

static int tell_size(const struct check *check, const struct layout *device, uint64_t bytes)
{
    dal_error(check->diags, check->device->place, "token-type",
              "%s is of a type of %zu bytes, and '%s' of sw_channel '%s' has %" PRIu64,
              check->device->what, device->bytes, check->channel->token_type, check->channel->name,
              bytes);
    dal_note(check->diags, check->channel->place, "the type of its tokens is given here");
    return DAL_ERR_INVALID;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Returns why a device cannot have a member; NULL if it can. */
static const char *find_obstacle(const struct dal_fact *member)
{
    switch (member->member.kind) {
    case DAL_MEMBER_ADDRESS:
        return "is an address, or as large as one, which is another on a device";
    case DAL_MEMBER_BOOL:
        return "is a bool, of which no device says how it lies in memory";
    case DAL_MEMBER_BITS:
        return "is a bit-field, which a device does not have";
    case DAL_MEMBER_OTHER:
        return "is of a type that a device does not have";
    case DAL_MEMBER_REAL:
        return member->member.element > 8 ? "is larger than a double" : NULL;
    default:
        return NULL;
    }
}

static int check_host(const struct check *check, const struct layout *host)
{
    const struct dal_fact *member = NULL;
    while ((member = next_member(host, member))) {
        const char *why = find_obstacle(member);
        if (!why)
            continue;
        return dal_error(check->diags, check->channel->place, "token-type",
                         "sw_channel '%s': %s%s%s%s of '%s' (%s) %s; it is for %s",
                         check->channel->name, *member->name ? "member '" : "", member->name,
                         *member->name ? "'" : "", *member->name ? "" : "a value",
                         check->channel->token_type, member->member.type, why, check->device->what);
    }
    return DAL_OK;
}

/* Compares numbers with a structure, or with other numbers: all must be of one kind. */
static int check_numbers(const struct check *check, const struct layout *device,
                         const struct layout *host)
{
    const struct dal_fact *number = only_number(device);
    const struct layout *other = number ? host : device;
    const struct dal_fact *member = NULL;
    if (dal_spec_token_bytes(check->channel) % device->bytes)
        return tell_size(check, device, dal_spec_token_bytes(check->channel));
    number = number ? number : only_number(host);
    while ((member = next_member(other, member)))
        if (member->member.kind != DAL_MEMBER_RECORDS && !same_kind(number, member))
            return other == host ? tell_difference(check, number, member)
                                 : tell_difference(check, member, number);
    return DAL_OK;
}

static int check_records(const struct check *check, const struct layout *device,
                         const struct layout *host)
{
    const struct dal_fact *d = NULL, *h = NULL;
    do {
        d = next_member(device, d);
        h = next_member(host, h);
        if (d && h ? !same_place(d, h) : d != h)
            return tell_difference(check, d, h);
    } while (d);
    return device->bytes == host->bytes ? DAL_OK : tell_size(check, device, host->bytes);
}

static int check_layouts(const struct check *check, const struct layout *device,
                         const struct layout *host)
{
    if (check_host(check, host))
        return DAL_ERR_INVALID;
    if (!device->bytes || !next_member(device, NULL))
        return DAL_OK;
    if (is_bytes(device) || is_bytes(host))
        return dal_spec_token_bytes(check->channel) % device->bytes
                   ? tell_size(check, device, dal_spec_token_bytes(check->channel))
                   : DAL_OK;
    return only_number(device) || only_number(host) ? check_numbers(check, device, host)
                                                    : check_records(check, device, host);
}

/* ---- a type ---------------------------------------------------------------------------------- */

static struct layout find_layout(const struct dal_facts *facts, const struct dal_fact *from,
                                 const char *of)
{
    struct layout layout = {.end = facts->list + facts->count, .of = of};
    const struct dal_fact *at;
    for (at = from ? from : facts->list; at < layout.end; at++)
        if (at->kind == DAL_FACT_LAYOUT && strcmp(at->layout.of, of) == 0) {
            layout.bytes = at->layout.bytes;
            layout.alignment = at->layout.alignment;
            layout.members = at + 1;
            return layout;
        }
    layout.members = layout.end;
    return layout;
}

/* Describes C's own types: one number. */
static struct dal_fact describe_number(const struct dal_spec_channel *c)
{
    size_t element = (size_t)(dal_spec_token_bytes(c) / c->token_count);
    int is_real = strcmp(c->token_type, "float") == 0 || strcmp(c->token_type, "double") == 0;
    return (struct dal_fact){.kind = DAL_FACT_MEMBER,
                             .name = "",
                             .member = {.of = "",
                                        .type = c->token_type,
                                        .bytes = element,
                                        .element = element,
                                        .kind = strcmp(c->token_type, "size_t") == 0
                                                    ? DAL_MEMBER_ADDRESS
                                                : is_real ? DAL_MEMBER_REAL
                                                          : DAL_MEMBER_INTEGER}};
}

/* Reads the channel's header with the options with which the loader asked for the type's size
 * (spec/read/sizes.c). */
static int read_header(const struct dal_spec_channel *c, const char *folder,
                       struct dal_facts *facts)
{
    const struct dal_spec_source *source = dal_spec_source_for(c->producer, DAL_PROCESSOR_CORE);
    const struct dal_spec_source *other = dal_spec_source_for(c->consumer, DAL_PROCESSOR_CORE);
    struct dal_spec_type type = {.type = c->token_type, .folder = folder};
    char *header =
        c->header[0] == '/' ? dal_strdup(c->header) : dal_format("%s/%s", folder, c->header);
    int status;
    if (!source || (source->python && other))
        source = other;
    type.header = header;
    type.options = source ? source->cflags : NULL;
    type.cxx = source && source->cxx;
    status = header ? dal__read_type(&type, facts) : DAL_ERR_NOMEM;
    dal_free(header);
    return status == DAL_ERR_SYSTEM ? DAL_OK : status;
}

/* ---- for NumPy ------------------------------------------------------------------------------- */

/* Adds "('f4', (3,))": an element, and how many of them there are. */
static void add_numbers(struct dal_text *text, char kind, size_t element, size_t count)
{
    dal_text_printf(text, "('%c%zu', (", kind, element);
    if (count > 1)
        dal_text_printf(text, "%zu,", count);
    dal_text_add(text, "))");
}

/* Adds a member. What NumPy has no type for is plain bytes ('V'). */
static void add_number(struct dal_text *text, const struct dal_fact *member)
{
    static const char kinds[] = {
        [DAL_MEMBER_INTEGER] = 'i', [DAL_MEMBER_REAL] = 'f', [DAL_MEMBER_RECORDS] = 'V',
        [DAL_MEMBER_ADDRESS] = 'i', [DAL_MEMBER_BOOL] = 'b', [DAL_MEMBER_BITS] = 'V',
        [DAL_MEMBER_OTHER] = 'V'};
    size_t element = member->member.element, bytes = member->member.bytes;
    char kind = kinds[member->member.kind];
    if (kind == 'V' || element == 0)
        add_numbers(text, 'V', bytes, 1);
    else
        add_numbers(text, kind == 'i' && member->member.is_unsigned ? 'u' : kind, element,
                    bytes / element);
}

/* Adds a structure: the name of a member of a member is "at.x". An array of structures is bytes,
 * and so are the members of its first one, which stand behind it. */
static void add_record(struct dal_text *text, const struct layout *layout)
{
    static const char *const what[] = {"names", "formats", "offsets"};
    dal_text_add(text, "({");
    for (int i = 0; i < 3; i++) {
        const struct dal_fact *member = NULL;
        size_t end = 0;
        dal_text_printf(text, "'%s': [", what[i]);
        while ((member = next_member(layout, member))) {
            if (member->member.offset < end || !*member->name)
                continue;
            if (member->member.kind == DAL_MEMBER_RECORDS)
                end = member->member.offset + member->member.bytes;
            if (i == 0)
                dal_text_printf(text, "'%s', ", member->name);
            else if (i == 1)
                add_number(text, member);
            else
                dal_text_printf(text, "%zu", member->member.offset);
            dal_text_add(text, i ? ", " : "");
        }
        dal_text_add(text, "], ");
    }
    dal_text_printf(text, "'itemsize': %zu}, (", layout->bytes);
}

/* Adds the elements of a token, which are of a type of a header. */
static int add_header_type(struct dal_text *text, const struct dal_spec_channel *c,
                           const char *folder)
{
    struct dal_facts facts = {0};
    int status = read_header(c, folder, &facts);
    struct layout layout = find_layout(&facts, NULL, "");
    const struct dal_fact *first = next_member(&layout, NULL), *number = only_number(&layout);
    if (!status && number && c->token_count == 1)
        add_number(text, number);
    else if (!status && first && !number && *first->name) {
        add_record(text, &layout);
        dal_text_printf(text, c->token_count > 1 ? "%" PRIu64 ",))" : "))", c->token_count);
    } else if (!status)
        add_numbers(text, 'u', 1, dal_spec_token_bytes(c));
    dal_facts_finish(&facts);
    return status;
}

int dal__token_numpy(struct dal_text *text, const struct dal_spec_channel *c, const char *folder)
{
    size_t bytes = (size_t)dal_spec_token_bytes(c);
    if (c->header)
        return add_header_type(text, c, folder);
    if (c->token_kind)
        add_numbers(text, c->token_kind, bytes / (size_t)c->token_count, (size_t)c->token_count);
    else
        add_numbers(text, 'u', 1, bytes);
    return DAL_OK;
}

/* ---- both sides ------------------------------------------------------------------------------ */

static int check_channel(const struct check *check, const char *folder)
{
    const struct dal_spec_channel *c = check->channel;
    const struct layout device =
        find_layout(check->device->facts, check->device->from, check->device->of);
    struct dal_fact number = describe_number(c);
    struct layout host = {
        .members = &number, .end = &number + 1, .of = "", .bytes = number.member.bytes};
    struct dal_facts facts = {0};
    int status = DAL_OK;
    if (c->header) {
        status = read_header(c, folder, &facts);
        if (!status)
            host = find_layout(&facts, NULL, "");
    }
    if (!status && host.bytes)
        status = check_layouts(check, &device, &host);
    dal_facts_finish(&facts);
    return status;
}

static uint64_t window_tokens(const struct dal_spec_port *port)
{
    return port->channel->counted.most ? port->channel->counted.most : port->rate;
}

uint64_t dal__layout_bytes(const struct dal_facts *facts, const struct dal_fact *arg)
{
    return find_layout(facts, arg, arg->name).bytes;
}

/* Returns how far from an aligned place a producer begins, in tokens. Its windows lie at multiples
 * of its rate where initial tokens leave the readers' at such places, too (rt/base/shape.h). */
static uint64_t find_shift(const struct layout *device, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c = port->output ? port->channel : NULL;
    uint64_t most = 0;
    int is_shifted = 0;
    for (; c; c = dal_port_next(port, c)) {
        uint64_t rate_out = c->consumer->kpn ? 1 : c->rate_out;
        is_shifted |= c->initial_tokens % dal_gcd(c->rate_in, rate_out) != 0;
        most = c->initial_tokens > most ? c->initial_tokens : most;
    }
    return is_shifted && most * port->channel->token_bytes % device->alignment ? most : 0;
}

static uint64_t firing_bytes(const struct dal_spec_port *port)
{
    return dal_spec_token_bytes(port->channel) * window_tokens(port);
}

/* Do elements begin within tokens, and tokens within elements? */
static int begins_within(const struct layout *device, const struct dal_spec_port *port)
{
    uint64_t token = dal_spec_token_bytes(port->channel);
    return token % device->bytes != 0 && device->bytes % token != 0;
}

int dal__fits_window(const struct dal_facts *facts, const struct dal_fact *from,
                     const struct dal_spec_port *port)
{
    const struct layout device = find_layout(facts, from, from->name);
    return !device.bytes || (firing_bytes(port) % device.bytes == 0 &&
                             !begins_within(&device, port) && !find_shift(&device, port));
}

static int tell_rest(const struct check *check, size_t bytes, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c = check->channel;
    dal_error(check->diags, check->device->place, "token-type",
              "%s points to a type of %zu bytes, and the %" PRIu64 " bytes that a firing has of "
              "sw_channel '%s' are no multiple of that",
              check->device->what, bytes, firing_bytes(port), c->name);
    dal_note(check->diags, c->place,
             "a token has %" PRIu64 " bytes, and a firing %" PRIu64 " of them",
             dal_spec_token_bytes(c), window_tokens(port));
    return DAL_ERR_INVALID;
}

/* Nobody means that with a vector of three numbers, and others may. */
static int tell_within(const struct check *check, size_t bytes)
{
    const struct dal_spec_channel *c = check->channel;
    int is_three = strstr(check->device->from->parameter.canonical, "vector_type(3)") != NULL;
    char *text = dal_format("%s points to a type of %zu bytes, and the %" PRIu64 " bytes of a "
                            "token of sw_channel '%s' are no multiple of that, and no part",
                            check->device->what, bytes, dal_spec_token_bytes(c), c->name);
    if (!text)
        return DAL_ERR_NOMEM;
    if (is_three)
        dal_error(check->diags, check->device->place, "token-type", "%s", text);
    else
        dal_warning(check->diags, check->device->place, "token-type", "%s", text);
    dal_note(check->diags, c->place, "%s",
             is_three ? "a vector of three numbers has the size of one of four; vload3 and vstore3 "
                        "move three"
                      : "where that is meant, point to single numbers, and use vload and vstore");
    dal_free(text);
    return is_three ? DAL_ERR_INVALID : DAL_OK;
}

static int tell_window(const struct check *check, const struct dal_spec_port *port)
{
    const struct layout device =
        find_layout(check->device->facts, check->device->from, check->device->of);
    uint64_t shift = find_shift(&device, port);
    int status = DAL_OK;
    if (firing_bytes(port) % device.bytes)
        return tell_rest(check, device.bytes, port);
    if (begins_within(&device, port))
        status = tell_within(check, device.bytes);
    if (!status && shift)
        return dal_error(check->diags, check->device->place, "token-type",
                         "%s points to a type that lies at multiples of %zu bytes, and its windows "
                         "of sw_channel '%s' begin behind %" PRIu64 " initial tokens",
                         check->device->what, device.alignment, check->channel->name, shift);
    return status;
}

int dal__check_tokens(struct dal_diags *diags, const char *folder, const struct dal_spec_port *port,
                      const struct dal__device_type *device)
{
    const struct dal_spec_channel *c;
    int status = DAL_OK;
    for (c = port->channel; c && !status; c = dal_port_next(port, c)) {
        struct check check = {.diags = diags, .channel = c, .device = device};
        if (c->token_type)
            status = check_channel(&check, folder);
    }
    if (!status && device->from && !dal__fits_window(device->facts, device->from, port))
        status = tell_window(&(struct check){diags, port->channel, device}, port);
    return status;
}
