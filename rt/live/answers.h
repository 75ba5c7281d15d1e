/* The state of the server (http.c), and its answers. The server's thread alone uses them. */
#pragma once

#include "rt/live/server.h"

#include <microhttpd.h>
#include <pthread.h>

enum { DAL_LIVE_REQUEST_BYTES = 16 << 10 }; /* for a client: its request and the answer */

struct moment; /* answers.c */
struct client;

/* A connection that has not yet asked for anything with the token. */
struct stranger {
    int file;
    int64_t since_ms;
    struct stranger *next;
};

struct dal_live {
    const struct dal_live_source *source;
    struct dal_live_options options;
    int is_local; /* True when it is bound to an address of this machine alone. */
    int listener, stop;
    struct MHD_Daemon *daemon;
    struct MHD_Response *page;
    char *page_text;
    struct moment *now;
    uint64_t moments;
    struct client *clients;
    struct stranger *strangers;
    int ended; /* True when the last numbers are out: nobody sleeps any more. */
    pthread_t thread;
};

/* Adds the headers that all answers have. Accepts NULL. */
struct MHD_Response *dal__live_headers(struct MHD_Response *response, const char *type);

/* Answers with a text. */
enum MHD_Result dal__live_say(struct MHD_Connection *connection, unsigned status, const char *text);

/* Answers with the numbers, each time that they are published. */
enum MHD_Result dal__live_serve(struct dal_live *live, struct MHD_Connection *connection);

/* Publishes the numbers of now, or none if there is no memory. */
void dal__live_publish(struct dal_live *live, int last);

/* Gives up the numbers of a moment. Accepts NULL. */
void dal__live_release(struct moment *moment);
