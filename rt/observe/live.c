#define _GNU_SOURCE
#include "rt/observe/live.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/plugin.h"
#include "rt/base/setting.h"
#include "rt/live/server.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/log_tail.h"
#include "rt/observe/observers.h"
#include "rt/steer/steer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

struct dal_live_view {
    const struct dal_network *network;
    const struct dal_live_server *server;
    struct dal_live *running;
    struct dal_live_source source;
    struct dal_live_options options;
    char host[64], port[24];
    char *picture;
};

/* ---- what the server asks -------------------------------------------------------------------- */

static void write_numbers(void *of, FILE *file)
{
    const struct dal_live_view *view = of;
    fprintf(file, "{\"ns\": %" PRId64 ", ", dal_now_ns() - view->network->begin_ns);
    dal__live_counts(view->network, file);
    fputs(", \"messages\": ", file);
    dal__log_tail_print(file);
    putc('}', file);
}

static int set_parameter(void *of, const char *process, const char *parameter, const char *value,
                         char answer[DAL_LIVE_ANSWER_BYTES])
{
    const struct dal_live_view *view = of;
    return dal__steer_set(view->network, process, parameter, value, answer, DAL_LIVE_ANSWER_BYTES);
}

/* ---- start and stop -------------------------------------------------------------------------- */

/* Reads "PORT", "ADDRESS:PORT" or "[ADDRESS]:PORT"; on several nodes each has its own port. Returns
 * DAL_OK, or DAL_ERR_UNSUPPORTED, logged. */
static int read_address(struct dal_live_view *view, const char *text)
{
    const struct dal_nodes *nodes = view->network->nodes;
    const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;
    size_t length = colon ? (size_t)(colon - text) : 0;
    char *rest;
    long port = strtol(digits, &rest, 10);
    int six = length > 1 && text[0] == '[' && text[length - 1] == ']';
    if (port > 0 && nodes)
        port += nodes->link->rank;
    if (*digits < '0' || *digits > '9' || *rest || port > 65535 || length >= sizeof(view->host)) {
        dal_log(DAL_LOG_ERROR, "DAL_VIEW=%s: [ADDRESS:]PORT is wanted, as in 127.0.0.1:8080", text);
        return DAL_ERR_UNSUPPORTED;
    }
    snprintf(view->port, sizeof(view->port), "%ld", port);
    snprintf(view->host, sizeof(view->host), "%.*s", (int)length - 2 * six, text + six);
    if (!*view->host)
        snprintf(view->host, sizeof(view->host), "127.0.0.1");
    return DAL_OK;
}

/* Reads a number of the environment; without one it is the usual number. */
static int read_limit(const char *name, unsigned usual, unsigned most, unsigned *limit)
{
    const char *text = dal_setting(name);
    char *rest = NULL;
    long number = text && *text ? strtol(text, &rest, 10) : (long)usual;
    *limit = (unsigned)number;
    if ((!rest || !*rest) && number > 0 && number <= (long)most)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s=%s: a number from 1 to %u is wanted", name, text, most);
    return DAL_ERR_UNSUPPORTED;
}

/* Limits the clients to a quarter of the files that may be open: a run's own files come first. */
static void spare_files(unsigned *clients)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur / 4 < *clients)
        *clients = files.rlim_cur < 4 ? 1 : (unsigned)(files.rlim_cur / 4);
}

static int make_token(char token[DAL_LIVE_TOKEN_BYTES])
{
    unsigned char bytes[DAL_LIVE_TOKEN_BYTES / 2];
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        dal_log(DAL_LOG_ERROR, "DAL_VIEW: no random numbers: %s", strerror(errno));
        return DAL_ERR_SYSTEM;
    }
    for (size_t i = 0; i < sizeof(bytes); i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return DAL_OK;
}

static int find_server(struct dal_live_view *view)
{
    view->server = dal_plugin_find(
        "libdal-live.so.0", "dal_live_http", "DAL_VIEW",
        " (Debian package: libdal-live0), which dal has when libmicrohttpd was there");
    return view->server ? DAL_OK : DAL_ERR_UNSUPPORTED;
}

static int make_picture(struct dal_live_view *view)
{
    struct dal_memory_stream stream;
    dal_memory_open(&stream);
    if (stream.file)
        dal__live_picture(view->network, stream.file);
    view->picture = dal_memory_close(&stream);
    return view->picture ? DAL_OK : dal_no_memory();
}

static int prepare_view(struct dal_live_view *view, const char *address)
{
    int status = view->network->control.application ? DAL_ERR_UNSUPPORTED : DAL_OK;
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "DAL_VIEW is for programs of one network");
    if (status == DAL_OK)
        status = read_address(view, address);
    if (status == DAL_OK)
        status = read_limit("DAL_VIEW_CLIENTS", 256, 10000, &view->options.clients);
    spare_files(&view->options.clients);
    if (status == DAL_OK)
        status = read_limit("DAL_VIEW_PATIENCE", 10, 3600, &view->options.patience_s);
    if (status == DAL_OK)
        status = find_server(view);
    if (status == DAL_OK)
        status = make_token(view->options.token);
    return status == DAL_OK ? make_picture(view) : status;
}

static int serve_view(struct dal_live_view *view)
{
    char why[DAL_LIVE_ANSWER_BYTES];
    int six = strchr(view->host, ':') != NULL;
    unsigned port;
    view->options.host = view->host;
    view->options.port = view->port;
    view->source = (struct dal_live_source){
        .of = view, .picture = view->picture, .write_numbers = write_numbers, .set = set_parameter};
    view->running = view->server->start(&view->source, &view->options, &port, why);
    if (!view->running) {
        dal_log(DAL_LOG_ERROR, "DAL_VIEW: %s", why);
        return DAL_ERR_SYSTEM;
    }
    dal_log(DAL_LOG_NOTE, "the page of this run is http://%s%s%s:%u/?token=%s", six ? "[" : "",
            view->host, six ? "]" : "", port, view->options.token);
    dal__log_tail_keep();
    return DAL_OK;
}

static int start_live(struct dal_network *network, void **state)
{
    struct dal_live_view *view = *state = dal_calloc(1, sizeof(*view));
    int status;
    if (!view)
        return dal_no_memory();
    view->network = network;
    status = prepare_view(view, dal_setting("DAL_VIEW"));
    return status < 0 ? status : serve_view(view);
}

static int stop_live(struct dal_network *network, void *state)
{
    struct dal_live_view *view = state;
    (void)network;
    view->server->stop(view->running);
    return DAL_OK;
}

static void destroy_live(void *state)
{
    struct dal_live_view *view = state;
    free(view->picture); /* of the C library's stream */
    dal_free(view);
}

static int is_wanted(void)
{
    return dal_setting_wanted("DAL_VIEW") != NULL;
}

const struct dal_observer dal_observe_live = {.name = "live",
                                              .is_wanted = is_wanted,
                                              .needs = DAL_NEEDS_TIMES,
                                              .start = start_live,
                                              .stop = stop_live,
                                              .destroy = destroy_live};
