/*
 * A running network's page: what libdal and the server of it, libdal-live, want of each other. The
 * server is loaded when it is asked for, so that programs need no library for it.
 *
 * It calls nothing of libdal but what stands here, and its memory is the C library's.
 */
#ifndef DAL_RT_LIVE_SERVER_H
#define DAL_RT_LIVE_SERVER_H

#include <stdint.h>
#include <stdio.h>

enum {
    DAL_LIVE_TOKEN_BYTES = 33,   /* 128 bits in hexadecimal digits, and a zero byte */
    DAL_LIVE_VALUE_BYTES = 4096, /* most of a parameter's new value */
    DAL_LIVE_ANSWER_BYTES = 512,
};

/* What is served. The server's thread calls the functions, which neither block nor fail. */
struct dal_live_source {
    void *of;            /* given back to the functions */
    const char *picture; /* of the network, one JSON object (doc/inside.md, "Live") */
    /* One line of JSON: the numbers of now. Any thread that is the only one to do so. */
    void (*write_numbers)(void *of, FILE *file);
    /* A parameter shall have another value. What becomes of that, or what is wrong, goes to
     * `answer`. DAL_OK, or DAL_ERR_INVALID. */
    int (*set)(void *of, const char *process, const char *parameter, const char *value,
               char answer[DAL_LIVE_ANSWER_BYTES]);
};

struct dal_live_options {
    const char *host, *port; /* numeric address, or "localhost"; number, 0: any that is free */
    char token[DAL_LIVE_TOKEN_BYTES];
    unsigned clients;    /* most at once; others wait until one leaves */
    unsigned patience_s; /* that a client may do nothing */
};

struct dal_live; /* a server that runs */

struct dal_live_server {
    /* Serves from now on, in a thread of its own. The source stays as it is until it is stopped.
     * The port's number goes to *port. NULL: `why` says in one line why not. */
    struct dal_live *(*start)(const struct dal_live_source *source,
                              const struct dal_live_options *options, unsigned *port,
                              char why[DAL_LIVE_ANSWER_BYTES]);
    /* Tells the clients the last numbers, waits no longer than a moment for those that are slow,
     * and gives all back. */
    void (*stop)(struct dal_live *live);
};

#endif
