#define _GNU_SOURCE
#include "tools/info/dalinfo_nodes.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/nodes/transport.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char library[] = "libdal-mpi.so.0";

/* Loads the library of the same build, of the installation, or from where the system looks. Its
 * symbols are global, since MPI's own parts want them. */
static void *load_library(void)
{
    char path[512] = "", *slash, *built;
    void *loaded = NULL;
    if (readlink("/proc/self/exe", path, sizeof(path) - 1) > 0 && (slash = strrchr(path, '/'))) {
        built = dal_format("%.*s/../rt/.libs/%s", (int)(slash - path), path, library);
        loaded = built ? dlopen(built, RTLD_NOW | RTLD_GLOBAL) : NULL;
        dal_free(built);
        built = loaded ? NULL : dal_format("%s/%s", DAL_LIBRARY_FOLDER, library);
        loaded = built ? dlopen(built, RTLD_NOW | RTLD_GLOBAL) : loaded;
        dal_free(built);
    }
    return loaded ? loaded : dlopen(library, RTLD_NOW | RTLD_GLOBAL);
}

static const struct dal_transport *find_transport(void)
{
    void *loaded = load_library();
    const struct dal_transport *transport = loaded ? dlsym(loaded, "dal_transport_mpi") : NULL;
    if (!transport)
        dal_log(DAL_LOG_ERROR, "--nodes: %s, which needs MPI, is missing", library);
    return transport;
}

static void wait_shortly(void)
{
    const struct timespec time = {.tv_nsec = 200000};
    nanosleep(&time, NULL);
}

static int finish_transfer(const struct dal_transport *transport, struct dal_link *link,
                           const struct dal_transfer *transfer)
{
    int status = DAL_OK;
    while (status >= 0 && !transfer->done) {
        status = transport->poll(link, NULL);
        if (status >= 0 && !transfer->done)
            wait_shortly();
    }
    return status;
}

static int receive_text(const struct dal_transport *transport, struct dal_link *link,
                        struct nodes *nodes)
{
    struct dal_transfer transfer = {0};
    struct dal_message message;
    int status;
    while ((status = transport->poll(link, &message)) == 0)
        wait_shortly();
    if (status < 0)
        return status;
    if (!nodes->texts[message.from])
        nodes->texts[message.from] = dal_calloc(1, message.bytes + 1);
    if (!nodes->texts[message.from])
        return DAL_ERR_NOMEM;
    status = transport->receive(link, &message, nodes->texts[message.from], &transfer);
    return status < 0 ? status : finish_transfer(transport, link, &transfer);
}

static int make_text(char **result, int rank,
                     void (*write)(FILE *out, int node, const void *context), const void *context)
{
    struct dal_memory_stream stream;
    char *text;
    dal_memory_open(&stream);
    if (stream.file)
        write(stream.file, rank, context);
    text = dal_memory_close(&stream);
    *result = text ? dal_strdup(text) : NULL;
    free(text);
    return *result ? DAL_OK : DAL_ERR_NOMEM;
}

static int exchange_texts(const struct dal_transport *transport, struct dal_link *link,
                          struct nodes *nodes, char *own)
{
    struct dal_transfer transfer = {0};
    int status;
    if (link->rank != 0) {
        status = transport->send(link, 0, 0, own, strlen(own), &transfer);
        return status < 0 ? status : finish_transfer(transport, link, &transfer);
    }
    nodes->texts = dal_calloc((size_t)link->count, sizeof(*nodes->texts));
    if (!nodes->texts)
        return DAL_ERR_NOMEM;
    nodes->count = link->count;
    nodes->texts[0] = dal_strdup(own);
    status = nodes->texts[0] ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 1; status >= 0 && i < link->count; i++)
        status = receive_text(transport, link, nodes);
    return status < 0 ? status : DAL_OK;
}

int nodes_meet(struct nodes *nodes, void (*write)(FILE *out, int node, const void *context),
               const void *context)
{
    const struct dal_transport *transport = find_transport();
    struct dal_link *link;
    char why[sizeof(link->why)] = "", *own = NULL;
    int status;
    *nodes = (struct nodes){0};
    if (!transport)
        return DAL_ERR_UNSUPPORTED;
    status = transport->open(&link, why);
    if (status == DAL_OK) {
        status = make_text(&own, link->rank, write, context);
        if (status == DAL_OK)
            status = exchange_texts(transport, link, nodes, own);
        memcpy(why, link->why, sizeof(why));
        transport->close(link, status == DAL_OK);
    }
    dal_free(own);
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "--nodes: %s: %s", transport->name,
                why[0] ? why : dal_strerror(status));
    return status;
}

void nodes_finish(struct nodes *nodes)
{
    for (int i = 0; i < nodes->count; i++)
        dal_free(nodes->texts[i]);
    dal_free(nodes->texts);
    *nodes = (struct nodes){0};
}
