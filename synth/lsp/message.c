#define _GNU_SOURCE
#include "synth/lsp/message.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/output.h"
#include "spec/read/members.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- headers -------------------------------------------------------------------------------- */

void dal_lsp_input_finish(struct dal_lsp_input *input)
{
    dal_free(input->data);
    *input = (struct dal_lsp_input){0};
}

int dal_lsp_read(struct dal_lsp_input *input)
{
    enum { PART = 65536 };
    ssize_t count;
    if (input->taken)
        memmove(input->data, input->data + input->taken, input->length - input->taken);
    input->length -= input->taken;
    input->taken = 0;
    while (input->room < input->length + PART)
        if (dal_grow(&input->data, input->room, &input->room, 1))
            return DAL_ERR_NOMEM;
    do
        count = read(STDIN_FILENO, input->data + input->length, PART);
    while (count < 0 && errno == EINTR);
    input->length += count > 0 ? (size_t)count : 0;
    return count > 0 ? 1 : count < 0 ? DAL_ERR_IO : 0;
}

/* Reads the value of a header. Returns DAL_ERR_INVALID for what is no number, or too large. */
static int read_length(const char *at, const char *end, size_t *bytes)
{
    size_t value = 0, digits = 0;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    for (; at < end && *at >= '0' && *at <= '9' && value <= DAL_LSP_MOST; at++, digits++)
        value = 10 * value + (size_t)(*at - '0');
    *bytes = value;
    return digits && at == end && value <= DAL_LSP_MOST ? DAL_OK : DAL_ERR_INVALID;
}

static int read_headers(const char *at, const char *end, size_t *bytes)
{
    static const char name[] = "Content-Length:";
    int found = 0;
    while (at < end) {
        const char *line = memmem(at, (size_t)(end - at), "\r\n", 2);
        line = line ? line : end;
        if (!memchr(at, ':', (size_t)(line - at)))
            return DAL_ERR_INVALID;
        if ((size_t)(line - at) >= strlen(name) && strncasecmp(at, name, strlen(name)) == 0) {
            if (found++ || read_length(at + strlen(name), line, bytes))
                return DAL_ERR_INVALID;
        }
        at = line + 2;
    }
    return found ? DAL_OK : DAL_ERR_INVALID;
}

int dal_lsp_next(struct dal_lsp_input *input, const char **body, size_t *bytes)
{
    const char *first = input->data + input->taken, *end;
    size_t there = input->length - input->taken, headers;
    if (!there)
        return 0;
    end = memmem(first, there, "\r\n\r\n", 4);
    headers = end ? (size_t)(end - first) : there;
    if (headers > DAL_LSP_MOST_HEADERS)
        return DAL_ERR_INVALID;
    if (!end)
        return 0;
    if (read_headers(first, end, bytes))
        return DAL_ERR_INVALID;
    if (there < headers + 4 + *bytes)
        return 0;
    *body = end + 4;
    input->taken += headers + 4 + *bytes;
    return 1;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void take_span(struct dal_json *json, void *to)
{
    struct dal_lsp_span *span = to;
    dal_json_skip_space(json);
    span->at = json->at;
    dal_json_skip(json);
    span->end = json->at;
}

static const struct dal_member of_message[] = {
    {.name = "id", .offset = offsetof(struct dal_lsp_message, id), .read = take_span},
    {.name = "params", .offset = offsetof(struct dal_lsp_message, params), .read = take_span},
    {.name = "method", .offset = offsetof(struct dal_lsp_message, method), .room = DAL_LSP_NAME},
    {0}};

static void take_text(struct dal_json *json, void *to)
{
    char **text = to;
    size_t room = (size_t)(json->end - json->at) + 1;
    dal_free(*text);
    *text = dal_alloc(room);
    if (*text)
        dal_json_string(json, *text, room, "text");
    else
        dal_json_refuse(json, "there is no memory");
}

/* Of several changes, each of which is the whole text, the last one counts. */
static void take_changes(struct dal_json *json, void *params)
{
    static const struct dal_member of_change[] = {{.name = "text",
                                                   .must = 1,
                                                   .offset = offsetof(struct dal_lsp_params, text),
                                                   .read = take_text},
                                                  {0}};
    int count = 0;
    dal_json_begin(json, '[', "contentChanges");
    while (dal_json_next(json, '[', &count))
        dal__members_read(json, of_change, params, "a change");
}

/* Texts in front; whatever else there is, is passed over. */
static void take_arguments(struct dal_json *json, void *params)
{
    struct dal_lsp_params *to = params;
    int count = 0, taken = 0;
    dal_json_begin(json, '[', "arguments");
    while (dal_json_next(json, '[', &count)) {
        dal_json_skip_space(json);
        if (taken < 2 && json->at < json->end && *json->at == '"')
            dal_json_string(json, to->arguments[taken++], DAL_LSP_URI, "an argument");
        else
            dal_json_skip(json);
    }
}

#define NUMBER(member)                                                                             \
    {                                                                                              \
        .name = #member, .must = 1, .offset = offsetof(struct dal_lsp_params, member),             \
        .most = 2147483647                                                                         \
    }
static const struct dal_member of_document[] = {
    {.name = "uri", .must = 1, .offset = offsetof(struct dal_lsp_params, uri), .room = DAL_LSP_URI},
    {.name = "text", .offset = offsetof(struct dal_lsp_params, text), .read = take_text},
    {0}};
static const struct dal_member of_position[] = {NUMBER(line), NUMBER(character), {0}};
static const struct dal_member of_params[] = {
    {.name = "textDocument", .inside = of_document},
    {.name = "position", .inside = of_position},
    {.name = "contentChanges", .read = take_changes},
    {.name = "command", .offset = offsetof(struct dal_lsp_params, command), .room = DAL_LSP_NAME},
    {.name = "arguments", .read = take_arguments},
    {0}};

static int read_members(struct dal_lsp_span of, const struct dal_member *table, void *to,
                        const char *what, char why[256])
{
    struct dal_diags diags;
    struct dal_json json = {.diags = &diags, .code = "file", .at = of.at, .end = of.end};
    dal_diags_init(&diags);
    dal__members_read(&json, table, to, what);
    dal_json_skip_space(&json);
    if (!json.wrong && json.at != json.end)
        dal_json_refuse(&json, "something stands behind %s", what);
    snprintf(why, 256, "%s", diags.count ? diags.list[0].message : "");
    dal_diags_finish(&diags);
    return json.wrong ? DAL_ERR_INVALID : DAL_OK;
}

int dal_lsp_message(struct dal_lsp_message *message, const char *body, size_t bytes, char why[256])
{
    *message = (struct dal_lsp_message){0};
    return read_members((struct dal_lsp_span){body, body + bytes}, of_message, message, "a message",
                        why);
}

/* Parameters may be missing, or a list, where a method needs none. */
int dal_lsp_params(struct dal_lsp_params *params, struct dal_lsp_span of, char why[256])
{
    memset(params, 0, sizeof(*params));
    if (!of.at || *of.at != '{')
        return DAL_OK;
    return read_members(of, of_params, params, "params", why);
}

void dal_lsp_params_finish(struct dal_lsp_params *params)
{
    dal_free(params->text);
    params->text = NULL;
}

int dal_lsp_send(struct dal_memory_stream *stream)
{
    char header[64], *text;
    int status;
    text = dal_memory_close(stream);
    if (!text) {
        dal_log(DAL_LOG_ERROR, "there is no memory for an answer");
        return DAL_ERR_NOMEM;
    }
    snprintf(header, sizeof(header), "Content-Length: %zu\r\n\r\n", stream->bytes);
    status = dal_write_all(STDOUT_FILENO, header, strlen(header));
    if (!status)
        status = dal_write_all(STDOUT_FILENO, text, stream->bytes);
    free(text);
    return status;
}
