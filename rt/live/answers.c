/* The answers of the server: texts, and the numbers, which go on until the network ends. */
#define _GNU_SOURCE
#include "rt/live/answers.h"

#include "rt/base/memory_stream.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of a moment. live->now and the clients that send it hold it. */
struct moment {
    uint64_t number; /* from 1 on */
    char *text;
    size_t bytes;
    int users;
    int last;
};

struct client {
    struct dal_live *live;
    struct MHD_Connection *connection;
    struct moment *moment; /* being sent */
    size_t sent;           /* bytes of it */
    uint64_t seen;         /* number of the last moment sent */
    int sleeps;            /* True while it waits for the next one. */
    struct client *next;
};

/* ---- answers --------------------------------------------------------------------------------- */

/* No other origin may use an answer, and none is kept. */
static const char *const headers[][2] = {
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src "
     "'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
     "form-action 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "same-origin"},
    {"X-Content-Type-Options", "nosniff"},
};

struct MHD_Response *dal__live_headers(struct MHD_Response *response, const char *type)
{
    if (!response)
        return NULL;
    MHD_add_response_header(response, "Content-Type", type);
    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    return response;
}

/* Queues a response and frees it; NULL ends the connection. */
static enum MHD_Result queue_answer(struct MHD_Connection *connection, unsigned status,
                                    struct MHD_Response *response)
{
    enum MHD_Result result = response ? MHD_queue_response(connection, status, response) : MHD_NO;
    if (response)
        MHD_destroy_response(response);
    return result;
}

enum MHD_Result dal__live_say(struct MHD_Connection *connection, unsigned status, const char *text)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
    return queue_answer(connection, status,
                        dal__live_headers(response, "text/plain; charset=utf-8"));
}

/* ---- numbers --------------------------------------------------------------------------------- */

void dal__live_release(struct moment *moment)
{
    if (!moment || --moment->users > 0)
        return;
    free(moment->text);
    free(moment);
}

static struct moment *make_moment(const struct dal_live *live, int last)
{
    struct moment *moment = calloc(1, sizeof(*moment));
    struct dal_memory_stream stream;
    if (!moment)
        return NULL;
    dal_memory_open(&stream);
    if (stream.file) {
        fprintf(stream.file, "event: %s\ndata: ", last ? "end" : "numbers");
        live->source->write_numbers(live->source->of, stream.file);
        fputs("\n\n", stream.file);
    }
    *moment = (struct moment){.users = 1, .last = last, .text = dal_memory_close(&stream)};
    moment->bytes = stream.bytes;
    if (moment->text)
        return moment;
    free(moment);
    return NULL;
}

static void wake_clients(struct dal_live *live)
{
    struct client *client;
    for (client = live->clients; client; client = client->next) {
        if (client->sleeps)
            MHD_resume_connection(client->connection);
        client->sleeps = 0;
    }
}

void dal__live_publish(struct dal_live *live, int last)
{
    struct moment *moment = make_moment(live, last);
    if (moment) {
        moment->number = ++live->moments;
        dal__live_release(live->now);
        live->now = moment;
    }
    if (moment || last)
        wake_clients(live);
}

/* Returns the next numbers, or NULL if there are none yet. */
static struct moment *take_moment(struct client *client)
{
    struct moment *now = client->live->now;
    if (!now || now->number == client->seen)
        return NULL;
    now->users++;
    client->sent = 0;
    client->seen = now->number;
    return client->moment = now;
}

static ssize_t read_numbers(void *of, uint64_t position, char *to, size_t most)
{
    struct client *client = of;
    struct moment *moment = client->moment;
    size_t count;
    (void)position;
    if (moment && client->sent == moment->bytes) {
        int last = moment->last;
        client->moment = NULL;
        dal__live_release(moment);
        if (last)
            return MHD_CONTENT_READER_END_OF_STREAM;
    }
    moment = client->moment ? client->moment : take_moment(client);
    if (!moment && client->live->ended)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (!moment) {
        client->sleeps = 1;
        MHD_suspend_connection(client->connection);
        return 0;
    }
    count = moment->bytes - client->sent;
    if (count > most)
        count = most;
    memcpy(to, moment->text + client->sent, count);
    client->sent += count;
    return (ssize_t)count;
}

static void forget_client(void *of)
{
    struct client *client = of, **at = &client->live->clients;
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    dal__live_release(client->moment);
    free(client);
}

enum MHD_Result dal__live_serve(struct dal_live *live, struct MHD_Connection *connection)
{
    struct client *client = calloc(1, sizeof(*client));
    struct MHD_Response *response;
    if (!client)
        return MHD_NO;
    client->live = live;
    client->connection = connection;
    client->seen = live->ended ? 0 : live->moments; /* the last numbers may be old */
    client->next = live->clients;
    live->clients = client;
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, DAL_LIVE_REQUEST_BYTES,
                                                 read_numbers, client, forget_client);
    if (!response)
        forget_client(client);
    return queue_answer(connection, MHD_HTTP_OK, dal__live_headers(response, "text/event-stream"));
}
