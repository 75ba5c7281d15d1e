/* Files of taps: they are written with what a channel carries, or compared with it. */
#include "rt/streams/format.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/token.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { SCRATCH = 1 << 16 }; /* bytes that are compared at once, but a token at least */

/* Are the elements complex numbers, of which SigMF knows two sizes? C has these without a kind. */
static int is_complex(const struct dal_open_desc *tokens)
{
    uint64_t bytes = tokens->token_bytes / tokens->count;
    return tokens->kind == 'V' && tokens->type && strstr(tokens->type, "complex") &&
           (bytes == 8 || bytes == 16);
}

char *dal_tap_file_name(const struct dal_open_desc *tokens)
{
    const char *ending = tokens->counted.most  ? "raw"
                         : is_complex(tokens)  ? "sigmf-data"
                         : tokens->kind == 'V' ? "raw"
                                               : "npy";
    char *name = dal_format("%s.%s", tokens->of, ending);
    if (!name)
        dal_no_memory();
    return name;
}

int dal_stream_open_tap(struct dal_stream **stream, const char *port,
                        const struct dal_open_desc *tokens, const struct dal_tap_file *tap)
{
    char *name = dal_tap_file_name(tokens), *file = NULL;
    struct dal_stream like = {
        .port = port, .tokens = tokens, .writes = tokens->tap == DAL_TAP_RECORD, .tap = *tap};
    int status = DAL_ERR_NOMEM;
    *stream = NULL;
    if (name) {
        file = dal_format("%s/%s", tap->folder, name);
        status = file ? dal__stream_begin(stream, file, like) : dal_no_memory();
    }
    dal_free_all(name, file);
    return status;
}

struct dal_tap_state dal_stream_tap_state(const struct dal_stream *stream)
{
    off_t end = lseek(stream->fd, 0, SEEK_CUR);
    return (struct dal_tap_state){.tokens = stream->moved / stream->tokens->token_bytes,
                                  .offset = end > 0 ? (uint64_t)end - stream->moved : 0,
                                  .is_full = stream->is_full,
                                  .has_failed = stream->has_failed};
}

static struct dal_token_type type_of(const struct dal_stream *stream)
{
    const struct dal_open_desc *tokens = stream->tokens;
    return (struct dal_token_type){.name = tokens->type,
                                   .kind = tokens->kind,
                                   .count = tokens->count,
                                   .token_bytes = tokens->token_bytes,
                                   .most = tokens->counted.most,
                                   .header_bytes = tokens->counted.header_bytes};
}

/* Makes room for whole tokens. Returns the bytes, or 0 without memory, logged. */
static size_t make_scratch(struct dal_stream *stream)
{
    size_t token = (size_t)stream->tokens->token_bytes;
    size_t bytes = token > SCRATCH ? token : SCRATCH - SCRATCH % token;
    if (!stream->scratch)
        stream->scratch = dal_alloc(bytes);
    if (stream->scratch)
        return bytes;
    dal_no_memory();
    return 0;
}

/* ---- recording ------------------------------------------------------------------------------- */

/* What lies behind the tokens of a packet is by chance. */
static int write_packets(struct dal_stream *stream, const unsigned char *from, size_t bytes)
{
    struct dal_token_type type = type_of(stream);
    size_t packet = (size_t)type.token_bytes;
    int status = make_scratch(stream) ? DAL_OK : DAL_ERR_NOMEM;
    for (; status == DAL_OK && bytes >= packet; bytes -= packet, from += packet) {
        size_t used = dal_token_used(&type, from), header = (size_t)type.header_bytes;
        memset(stream->scratch, 0, packet);
        memcpy(stream->scratch, from, 2 * sizeof(uint32_t)); /* DAL_PACKET_COUNT and _WRONG */
        memcpy(stream->scratch + header, from + header, used - header);
        status = dal__stream_write_all(stream, stream->scratch, packet);
    }
    return status;
}

int dal__tap_record(struct dal_stream *stream, const unsigned char *from, size_t bytes)
{
    uint64_t token = stream->tokens->token_bytes;
    uint64_t room = stream->tap.most - stream->tap.most % token - stream->moved;
    size_t fits = bytes < room ? bytes : (size_t)room;
    if (stream->is_full || stream->has_failed)
        return DAL_OK;
    if ((stream->tokens->counted.most ? write_packets(stream, from, fits)
                                      : dal__stream_write_all(stream, from, fits)) < 0) {
        dal__stream_refuse(stream, "cannot be written: %s", strerror(errno));
        stream->has_failed = 1;
        return DAL_OK;
    }
    stream->moved += fits;
    if (fits == bytes)
        return DAL_OK;
    stream->is_full = 1;
    dal_log(DAL_LOG_NOTE, "tap %s: %s stops after %" PRIu64 " tokens (DAL_TAP_BYTES=%" PRIu64 ")",
            stream->tokens->of, stream->file, stream->moved / token, stream->tap.most);
    return DAL_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int refuse_token(const struct dal_stream *stream, const struct dal_token_type *type,
                        const unsigned char *own, const unsigned char *recorded, size_t element)
{
    const uint64_t token = stream->moved / type->token_bytes;
    const uint64_t *rates = stream->tokens->rates ? stream->tokens->rates : &stream->tap.rate;
    const size_t count = stream->tokens->rates ? stream->tokens->rate_count : stream->tap.rate > 0;
    char values[200], firing[40] = "";
    dal_token_print(type, own, recorded, element, values, sizeof(values));
    if (count)
        snprintf(firing, sizeof(firing), "firing %" PRIu64 ", ",
                 dal_token_firing(token, rates, count));
    dal_log(DAL_LOG_ERROR, "port %s: %stoken %" PRIu64 ", %s %zu: %s, here and in the recording %s",
            stream->tokens->of, firing, token, type->kind == 'V' ? "byte" : "element", element,
            values, stream->file);
    return DAL_ERR_PROCESS;
}

static int compare_piece(struct dal_stream *stream, const unsigned char *from, size_t bytes)
{
    struct dal_token_type type = type_of(stream);
    size_t token = (size_t)type.token_bytes;
    int status = dal__stream_take(stream, stream->scratch, bytes);
    if (status == DAL_OK && !type.most && memcmp(from, stream->scratch, bytes) == 0) {
        stream->moved += bytes;
        return DAL_OK;
    }
    for (size_t at = 0; status == DAL_OK && at < bytes; at += token) {
        size_t element = dal_token_difference(&type, from + at, stream->scratch + at);
        if (element != DAL_TOKENS_SAME)
            return refuse_token(stream, &type, from + at, stream->scratch + at, element);
        stream->moved += token;
    }
    return status;
}

int dal__tap_compare(struct dal_stream *stream, const unsigned char *from, size_t bytes)
{
    size_t most = make_scratch(stream);
    int status = most ? DAL_OK : DAL_ERR_NOMEM;
    while (status == DAL_OK && bytes > 0) {
        uint64_t left = stream->bytes - stream->moved;
        size_t piece = bytes < most ? bytes : most;
        piece = piece < left ? piece : (size_t)left;
        if (piece == 0 && stream->tap.is_cut)
            return !stream->tap.goes_on; /* more than that, nobody has read */
        if (piece == 0) {
            dal_log(DAL_LOG_ERROR,
                    "port %s: it gives more than the %" PRIu64 " tokens of the recording %s",
                    stream->tokens->of, stream->moved / stream->tokens->token_bytes, stream->file);
            return DAL_ERR_PROCESS;
        }
        status = compare_piece(stream, from, piece);
        from += piece;
        bytes -= piece;
    }
    return status;
}

int dal__tap_finish(const struct dal_stream *stream)
{
    uint64_t token = stream->tokens->token_bytes;
    if (stream->moved == stream->bytes)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR,
            "port %s: it gives %" PRIu64 " tokens, and the recording %s has %" PRIu64,
            stream->tokens->of, stream->moved / token, stream->file, stream->bytes / token);
    return DAL_ERR_IO;
}
