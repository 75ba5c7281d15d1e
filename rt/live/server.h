/*
 * The interface between libdal and the server of a running network's page, libdal-live. The server
 * is loaded when it is asked for, so that programs need no library for it.
 *
 * It calls only the functions here, and its memory is the C library's.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

enum {
    DAL_LIVE_TOKEN_BYTES = 33,   /* 128 bits in hexadecimal digits, and a zero byte */
    DAL_LIVE_VALUE_BYTES = 4096, /* most of a parameter's new value */
    DAL_LIVE_ANSWER_BYTES = 512,
};

/* The data to serve. The server's thread calls the functions, which neither block nor fail. */
struct dal_live_source {
    void *of; /* argument of the functions */
    const char
        *picture; /* the network, as one JSON object (doc/explanation/observing.md, "Live") */
    /* Writes the numbers of now as one line of JSON. Any thread, one at a time. */
    void (*write_numbers)(void *of, FILE *file);
    /* Gives a parameter another value. `answer` becomes the result, or what is wrong. Returns
     * DAL_OK or DAL_ERR_INVALID. */
    int (*set)(void *of, const char *process, const char *parameter, const char *value,
               char answer[DAL_LIVE_ANSWER_BYTES]);
};

struct dal_live_options {
    const char *host, *port; /* numeric address or "localhost"; number, or 0 for any free port */
    char token[DAL_LIVE_TOKEN_BYTES];
    unsigned clients;    /* most clients at once; others wait until one leaves */
    unsigned patience_s; /* for which a client may do nothing */
};

struct dal_live; /* a running server */

struct dal_live_server {
    /* Starts to serve, in a thread of its own. The source stays as it is until the server is
     * stopped. *port becomes the port's number. Returns NULL on failure, with the reason in `why`,
     * as one line. */
    struct dal_live *(*start)(const struct dal_live_source *source,
                              const struct dal_live_options *options, unsigned *port,
                              char why[DAL_LIVE_ANSWER_BYTES]);
    /* Sends the last numbers to the clients, waits a moment at most for slow ones, and frees the
     * server. */
    void (*stop)(struct dal_live *live);
};
