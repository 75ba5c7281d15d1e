#include "spec/read/sizes.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/text.h"
#include "spec/model/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A size that was asked for, kept since channels of an iterator ask for the same one. */
struct asked {
    struct dal_spec_type type; /* its strings are the model's, but for the header */
    struct dal_spec_type_size size;
};

struct sizes {
    struct dal__reader *reader;
    struct dal__network_state *state;
    struct dal_names processes, channels; /* by name; channels with a header alone */
    const char *(*ends)[2];               /* the processes of a channel's input and output */
    char *folder;
    struct asked *asked;
    size_t asked_count, asked_room;
};

static dal_spec_sizer *ask;

void dal_spec_ask_sizes(dal_spec_sizer *sizer)
{
    ask = sizer;
}

/* ---- which source ---------------------------------------------------------------------------- */

static int list_names(struct sizes *s)
{
    const struct dal_spec_network *network = s->state->network;
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count && status != DAL_ERR_NOMEM; i++)
        status = dal_names_add(&s->processes, network->processes[i].name, i);
    for (size_t i = 0; i < network->channel_count && status != DAL_ERR_NOMEM; i++)
        if (network->channels[i].header)
            status = dal_names_add(&s->channels, network->channels[i].name, i);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

static int find_ends(struct sizes *s)
{
    const struct dal__raw *raw = s->state->raw;
    s->ends = dal_calloc(s->state->network->channel_count + 1, sizeof(*s->ends));
    if (!s->ends || list_names(s))
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < raw->network.connection_count; i++) {
        const struct dal__raw_connection *c = &raw->network.connections[i];
        size_t into, from;
        if (!c->origin.name || !c->target.name)
            continue;
        into = dal_names_find(&s->channels, c->target.name);
        from = dal_names_find(&s->channels, c->origin.name);
        if (into != DAL_NAMES_NONE)
            s->ends[into][0] = c->origin.name;
        if (from != DAL_NAMES_NONE)
            s->ends[from][1] = c->target.name;
    }
    return DAL_OK;
}

/* Returns NULL if only kernels have such tokens, or the ends are not known. Python has no options
 * for headers, so the other end goes first. */
static const struct dal_spec_source *find_source(const struct sizes *s, size_t channel)
{
    const struct dal_spec_source *source = NULL;
    for (int i = 0; i < 2 && (!source || source->python); i++) {
        const char *name = s->ends[channel][i];
        size_t number = name ? dal_names_find(&s->processes, name) : DAL_NAMES_NONE;
        const struct dal_spec_source *found =
            number == DAL_NAMES_NONE
                ? NULL
                : dal_spec_source_for(&s->state->network->processes[number], DAL_PROCESSOR_CORE);
        source = found ? found : source;
    }
    return source;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static int same_type(const struct dal_spec_type *a, const struct dal_spec_type *b)
{
    return dal_text_same(a->type, b->type) && dal_text_same(a->header, b->header) &&
           dal_text_same(a->options, b->options) && a->cxx == b->cxx;
}

/* Returns the answer, the same one each time; NULL, and *status, without one. */
static const struct dal_spec_type_size *ask_once(struct sizes *s, struct dal_spec_type type,
                                                 int *status)
{
    struct asked *new;
    *status = DAL_OK;
    for (size_t i = 0; i < s->asked_count; i++)
        if (same_type(&s->asked[i].type, &type))
            return &s->asked[i].size;
    if (dal_grow(&s->asked, s->asked_count, &s->asked_room, sizeof(*s->asked)) ||
        !(type.header = dal_strdup(type.header))) {
        *status = dal__lost(s->reader->diags);
        return NULL;
    }
    new = &s->asked[s->asked_count++];
    *new = (struct asked){.type = type};
    *status = ask(&new->type, &new->size);
    if (*status == DAL_ERR_NOMEM)
        dal__lost(s->reader->diags);
    return *status ? NULL : &new->size;
}

static const struct dal_spec_type_size *
find_size(struct sizes *s, const struct dal_spec_channel *channel, int *status)
{
    const struct dal_spec_source *source = find_source(s, channel->number);
    struct dal_spec_type type = {.type = channel->token_type,
                                 .folder = s->folder,
                                 .options = source ? source->cflags : NULL,
                                 .cxx = source && source->cxx};
    char *header = dal__beside(s->state->network->file, channel->header);
    const struct dal_spec_type_size *size;
    type.header = header;
    if (!header) {
        *status = dal__lost(s->reader->diags);
        return NULL;
    }
    size = ask_once(s, type, status);
    dal_free(header);
    return size;
}

/* ---- what follows ---------------------------------------------------------------------------- */

static void refuse_size(struct sizes *s, const struct dal_spec_channel *channel, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));

static void refuse_size(struct sizes *s, const struct dal_spec_channel *channel, const char *format,
                        ...)
{
    char words[700];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof(words), format, list);
    va_end(list);
    dal_error(s->reader->diags, channel->place, "token-type", "sw_channel '%s': %s", channel->name,
              words);
    s->state->raw->network.channels[channel->number].broken = 1;
}

static void take_size(struct sizes *s, struct dal_spec_channel *channel,
                      const struct dal_spec_type_size *size)
{
    const struct dal__raw_channel *raw = &s->state->raw->network.channels[channel->number];
    uint64_t bytes;
    if (!size->bytes && size->is_unread && raw->is_sized)
        return; /* the compiler that builds the program has the last word */
    if (!size->bytes)
        refuse_size(s, channel, "its type '%.100s' %s%s", channel->token_type, size->why,
                    size->is_unread ? "; or give tokensize" : "");
    else if (__builtin_mul_overflow(size->bytes, channel->token_count, &bytes) ||
             bytes > DAL_MAX_TOKEN_BYTES)
        refuse_size(s, channel, "a token has more than 2^31 bytes");
    else if (raw->is_sized && bytes != channel->token_bytes)
        refuse_size(s, channel,
                    "tokensize is %" PRIu64 ", and a token of its type '%.100s' has %" PRIu64
                    " bytes",
                    channel->token_bytes, channel->token_type, bytes);
    else
        channel->token_bytes = bytes;
}

static int size_channel(struct sizes *s, struct dal_spec_channel *channel)
{
    struct dal__raw_channel *raw = &s->state->raw->network.channels[channel->number];
    const struct dal_spec_type_size *size = NULL;
    int status = DAL_OK;
    if (raw->broken)
        return DAL_OK;
    if (ask && !(raw->is_sized && s->state->raw->unchecked))
        size = find_size(s, channel, &status);
    else if (!raw->is_sized)
        refuse_size(s, channel,
                    "how large a '%.100s' is, its header says to a compiler alone, and none is "
                    "asked here: give tokensize",
                    channel->token_type);
    if (size)
        take_size(s, channel, size);
    return status || raw->broken ? status : dal__fill_initial(s->reader, s->state, channel);
}

static int has_headers(const struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->channel_count; i++)
        if (network->channels[i].header)
            return 1;
    return 0;
}

int dal__find_sizes(struct dal__reader *reader, struct dal__network_state *state)
{
    struct dal_spec_network *network = state->network;
    struct sizes s = {.reader = reader, .state = state};
    const char *slash = strrchr(network->file, '/');
    int status;
    if (!has_headers(network))
        return DAL_OK;
    s.folder =
        slash ? dal_format("%.*s/", (int)(slash - network->file), network->file) : dal_strdup(".");
    status = s.folder ? find_ends(&s) : DAL_ERR_NOMEM;
    if (status)
        dal__lost(reader->diags);
    for (size_t i = 0; i < network->channel_count && !status; i++)
        if (network->channels[i].header)
            status = size_channel(&s, &network->channels[i]);
    for (size_t i = 0; i < s.asked_count; i++)
        dal_free((char *)s.asked[i].type.header);
    dal_free_all(s.asked, s.folder, s.ends);
    dal_names_finish(&s.processes);
    dal_names_finish(&s.channels);
    return status;
}
