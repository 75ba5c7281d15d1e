/* dal-lsp: a language server for networks, machines and mappings, on standard input and output. */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/memory_stream.h"
#include "rt/base/output.h"
#include "spec/base/file.h"
#include "spec/base/uri.h"
#include "spec/model/types.h"
#include "synth/codegen/c/type.h"
#include "synth/command/options.h"
#include "synth/lsp/answers.h"
#include "synth/lsp/folder.h"
#include "synth/lsp/message.h"
#include "synth/program/program.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Codes of errors of JSON-RPC and of the protocol. */
enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    INVALID_PARAMS = -32602,
    INTERNAL_ERROR = -32603,
    NOT_INITIALIZED = -32002,
    REQUEST_FAILED = -32803
};

enum { PICTURE_SECONDS = 60 };
static const char picture_command[] = "dal.picture";

struct server {
    struct dal_lsp_input input;
    struct dal_lsp_documents documents;
    struct dal_lsp_check check;
    int is_initialized, is_shut_down, has_ended;
    int is_stale;  /* a document has changed since the last check began */
    char why[512]; /* of an error */
};

/* What stands for a file that is open. */
static const struct dal_lsp_documents *open_documents;

static const char *text_of(const char *path, size_t *length)
{
    const struct dal_lsp_document *document = dal_lsp_find_path(open_documents, path);
    *length = document ? document->length : 0;
    return document ? document->text : NULL;
}

/* ---- methods ----------------------------------------------------------------------------------
 */

/* Each prints its result, and returns 0 or the code of an error, with the reason in `why`. */

static int initialize(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    (void)params;
    server->is_initialized = 1;
    dal_json_format(
        out,
        "{\"capabilities\":{\"textDocumentSync\":{\"openClose\":true,\"change\":1,\"save\":true},"
        "\"completionProvider\":{\"triggerCharacters\":[\"<\",\"\\\"\",\".\",\" \"]},"
        "\"definitionProvider\":true,\"hoverProvider\":true,"
        "\"executeCommandProvider\":{\"commands\":[%s]}},"
        "\"serverInfo\":{\"name\":\"dal\",\"version\":%s}}",
        picture_command, PACKAGE_VERSION);
    return 0;
}

static int shut_down(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    (void)params;
    server->is_shut_down = 1;
    fputs("null", out);
    return 0;
}

static int end_server(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    (void)params;
    (void)out;
    server->has_ended = 1;
    return 0;
}

static int nothing(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    (void)server;
    (void)params;
    (void)out;
    return 0;
}

/* A document is opened, or has changed. */
static int take_document(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    (void)out;
    if (!params->text || (!*params->uri))
        return INVALID_PARAMS;
    if (dal_lsp_documents_set(&server->documents, params->uri, params->text))
        dal_log(DAL_LOG_ERROR, "no more than %d documents can be open", DAL_LSP_DOCUMENTS);
    params->text = NULL;
    server->is_stale = 1;
    return 0;
}

static int close_document(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    (void)out;
    dal_lsp_documents_close(&server->documents, params->uri);
    server->is_stale = 1;
    return 0;
}

/* What is saved may be read by networks that have it as a part or a source. */
static int save_document(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    (void)params;
    (void)out;
    server->is_stale = 1;
    return 0;
}

/* Asks about a place of a document that is open. */
static int ask(struct server *server, const struct dal_lsp_params *params, FILE *out,
               int (*answer)(const struct dal_lsp_place *place, FILE *out))
{
    struct dal_lsp_place place = {.documents = &server->documents,
                                  .document = dal_lsp_find(&server->documents, params->uri),
                                  .told = server->check.told,
                                  .told_length = server->check.told_length};
    if (!place.document) {
        snprintf(server->why, sizeof(server->why), "this document is not open: %.300s",
                 params->uri);
        return INVALID_PARAMS;
    }
    place.offset = dal_lsp_offset(place.document->text, place.document->length, params->line,
                                  params->character);
    return answer(&place, out) ? INTERNAL_ERROR : 0;
}

static int complete_word(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    return ask(server, params, out, dal_lsp_complete);
}

static int go_to_definition(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    return ask(server, params, out, dal_lsp_define);
}

static int hover(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    return ask(server, params, out, dal_lsp_hover);
}

/* Is there a file that is not the one of before, whose numbers are 0 if there was none? */
static int is_new(const char *path, const struct stat *before)
{
    struct stat now;
    return stat(path, &now) == 0 &&
           (now.st_ino != before->st_ino || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

/* Has dalview draw a file as it is saved. A network that cannot run is drawn all the same, with a
 * status. Returns 0 or the code of an error. */
static int draw(struct server *server, const char *network, const char *picture)
{
    char *program = dal_program_beside("dalview", "../view/dalview"), *output = NULL;
    const char *const argv[] = {program, "-o", picture, "--", network, NULL};
    struct dal_child child = {.argv = argv, .limit_ns = PICTURE_SECONDS * INT64_C(1000000000)};
    struct stat before;
    int status;
    if (stat(picture, &before))
        before = (struct stat){0};
    status = program ? dal_child_run(&child, &output) : DAL_ERR_NOMEM;
    if (status)
        snprintf(server->why, sizeof(server->why), "%.400s",
                 output && *output ? output : "dalview cannot be run");
    dal_free_all(program, output);
    return status && !is_new(picture, &before) ? REQUEST_FAILED : 0;
}

/* The arguments are the URI of a network, and the file of the picture: page (.html) or .svg. */
static int draw_picture(struct server *server, struct dal_lsp_params *params, FILE *out)
{
    char *path = dal_uri_path(params->arguments[0]), *picture = NULL;
    size_t length = path ? strlen(path) : 0;
    int code = INVALID_PARAMS;
    snprintf(server->why, sizeof(server->why), "the command is %s, of the URI of a network",
             picture_command);
    if (*params->arguments[1] == '/')
        picture = dal_strdup(params->arguments[1]);
    else if (length > 4 && strcmp(path + length - 4, ".xml") == 0)
        picture = dal_format("%.*s.html", (int)length - 4, path);
    if (path && picture && strcmp(params->command, picture_command) == 0)
        code = draw(server, path, picture);
    if (!code) {
        fputs("{\"uri\":", out);
        dal_lsp_print_uri(out, &server->documents, picture);
        fputs("}", out);
    }
    dal_free_all(path, picture);
    return code;
}

static const struct method {
    const char *name;
    int answers; /* it is a request */
    int (*run)(struct server *server, struct dal_lsp_params *params, FILE *out);
} methods[] = {
    {"initialize", 1, initialize},
    {"initialized", 0, nothing},
    {"shutdown", 1, shut_down},
    {"exit", 0, end_server},
    {"textDocument/didOpen", 0, take_document},
    {"textDocument/didChange", 0, take_document},
    {"textDocument/didClose", 0, close_document},
    {"textDocument/didSave", 0, save_document},
    {"textDocument/completion", 1, complete_word},
    {"textDocument/definition", 1, go_to_definition},
    {"textDocument/hover", 1, hover},
    {"workspace/executeCommand", 1, draw_picture},
};

/* ---- messages ----------------------------------------------------------------------------------
 */

static int send_error(struct dal_lsp_span id, int code, const char *why)
{
    struct dal_memory_stream stream;
    dal_memory_open(&stream);
    if (stream.file) {
        fprintf(stream.file, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,", id.at ? (int)(id.end - id.at) : 4,
                id.at ? id.at : "null");
        dal_json_format(stream.file, "\"error\":{\"code\":%d,\"message\":%s}}", code, why);
    }
    return dal_lsp_send(&stream);
}

static int send_result(struct dal_lsp_span id, const char *result)
{
    struct dal_memory_stream stream;
    dal_memory_open(&stream);
    if (stream.file)
        fprintf(stream.file, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":%s}",
                (int)(id.end - id.at), id.at, result);
    return dal_lsp_send(&stream);
}

/* Runs a method, and answers a request. */
static int run_method(struct server *server, const struct method *method,
                      const struct dal_lsp_message *message)
{
    struct dal_lsp_params *params = dal_calloc(1, sizeof(*params));
    struct dal_memory_stream stream;
    char *result;
    int code, status = DAL_OK;
    if (!params)
        return DAL_ERR_NOMEM;
    dal_memory_open(&stream);
    snprintf(server->why, sizeof(server->why), "the parameters are not those of the method");
    code = dal_lsp_params(params, message->params, server->why) ? INVALID_PARAMS
           : stream.file ? method->run(server, params, stream.file)
                         : INTERNAL_ERROR;
    result = dal_memory_close(&stream);
    if (message->id.at && (code || !result))
        status = send_error(message->id, code ? code : INTERNAL_ERROR, server->why);
    else if (message->id.at)
        status = send_result(message->id, method->answers ? result : "null");
    free(result);
    dal_lsp_params_finish(params);
    dal_free(params);
    return status;
}

static int take_message(struct server *server, const char *body, size_t bytes)
{
    struct dal_lsp_message message;
    const struct dal_lsp_span nobody = {NULL, NULL};
    char why[256];
    size_t i = 0, count = sizeof(methods) / sizeof(methods[0]);
    int code = 0;
    if (dal_lsp_message(&message, body, bytes, why))
        return send_error(nobody, PARSE_ERROR, why);
    if (!*message.method)
        return DAL_OK;
    while (i < count && strcmp(methods[i].name, message.method) != 0)
        i++;
    if (i < count && methods[i].run == end_server)
        return run_method(server, &methods[i], &message);
    if (!server->is_initialized && strcmp(message.method, "initialize") != 0)
        code = NOT_INITIALIZED;
    else if (server->is_shut_down ||
             (server->is_initialized && i < count && methods[i].run == initialize))
        code = INVALID_REQUEST;
    else if (i == count)
        code = METHOD_NOT_FOUND;
    if (!code)
        return run_method(server, &methods[i], &message);
    snprintf(why, sizeof(why), "%s: %s", message.method,
             code == NOT_INITIALIZED    ? "the server is not initialized"
             : code == METHOD_NOT_FOUND ? "there is no such method"
                                        : "this cannot be asked now");
    return message.id.at ? send_error(message.id, code, why) : DAL_OK;
}

/* Takes all messages that have come. What are none end the server: nobody knows where the next
 * begins. */
static int take_messages(struct server *server)
{
    const char *body;
    size_t bytes;
    int status = DAL_OK, more = 1;
    while (!status && more == 1 && !server->has_ended) {
        more = dal_lsp_next(&server->input, &body, &bytes);
        if (more == 1)
            status = take_message(server, body, bytes);
    }
    if (more >= 0 || status)
        return status;
    send_error((struct dal_lsp_span){NULL, NULL}, PARSE_ERROR,
               "the header of a message is wrong, or it is longer than 64 MiB");
    return more;
}

/* ---- the server ------------------------------------------------------------------------------ */

/* Waits for a message, the check, or the end of its time. Returns DAL_OK, or what ends the server:
 * 1 at the end of the input. */
static int wait_once(struct server *server)
{
    struct pollfd wait[2] = {
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = server->check.runs ? server->check.started.output : -1, .events = POLLIN}};
    int status = DAL_OK;
    if (poll(wait, 2, server->check.runs ? 1000 : -1) < 0)
        return errno == EINTR ? DAL_OK : DAL_ERR_SYSTEM;
    if (wait[1].revents)
        status = dal_lsp_check_read(&server->check);
    else
        status = dal_lsp_check_limit(&server->check);
    if (status || !wait[0].revents)
        return status;
    status = dal_lsp_read(&server->input);
    if (status <= 0)
        return status ? status : 1;
    status = take_messages(server);
    if (!status && server->is_stale) {
        server->is_stale = 0;
        status = dal_lsp_check_start(&server->check, &server->documents);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct server server = {.why = ""};
    int status = DAL_OK;
    dal_log_program("dal lsp");
    dal_output_guard();
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return puts("usage: dal lsp\n\nA language server on standard input and output, for "
                    "editors.") < 0;
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        return printf("dal lsp %s\n", PACKAGE_VERSION) < 0;
    if (argc > 1 && strcmp(argv[1], "--stdio") != 0) {
        fprintf(stderr, "dal lsp: unexpected argument '%s'\nTry 'dal lsp --help'.\n", argv[1]);
        return DAL_EXIT_USAGE;
    }
    dal_spec_ask_sizes(dal_source_type_size);
    open_documents = &server.documents;
    dal_files_replace(text_of);
    while (!status && !server.has_ended)
        status = wait_once(&server);
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "%s", dal_strerror(status));
    dal_lsp_check_finish(&server.check);
    dal_lsp_documents_finish(&server.documents);
    dal_lsp_input_finish(&server.input);
    return server.is_shut_down ? 0 : 1;
}
