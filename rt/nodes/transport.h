/*
 * A transport connects the ranks of one program. It is an operations table, so that MPI is one of
 * several ways. rt/mpi has that one; a test has another, of threads.
 *
 * A rank is a run of the program; they are numbered from 0. Messages from one rank to another over
 * one link are found in the order they were sent. Nothing is lost or doubled.
 *
 * A link can be duplicated, so that each network of a program has its own messages. All ranks
 * duplicate the same links in the same order: the n-th copies of a link are one link. A copy
 * belongs to the link that was opened, which frees it when it is closed.
 *
 * Thread contract: one thread at a time uses a link; other threads may use its copies. Only open
 * and close wait for another rank.
 *
 * Errors: functions return DAL_OK or a negative code of rt/base/error.h, and say why in link->why.
 * They log nothing: a transport needs no other part of the runtime.
 */
#pragma once

#include "include/net.h"

#include <stddef.h>

/* A send or a receive under way. It belongs to the caller. It and its bytes stay where they are
 * until poll sets `done`. */
struct dal_transfer {
    int done;
};

/* A message that has arrived, or begins to. It is received once; others may be found meanwhile. */
struct dal_message {
    int from, tag;
    size_t bytes;
    void *handle; /* belongs to the transport */
};

/* A rank's connection to all others. It is the first member of a transport's own struct. */
struct dal_link {
    const struct dal_transport *transport; /* its operations */
    int rank, count;
    int number;    /* of a copy: its purpose, the same on all ranks; else 0 */
    char why[200]; /* the last error, as one line */
};

struct dal_transport {
    const char *name;
    const char *launcher; /* the command that starts N ranks, up to their number: "mpirun -n" */
    size_t most_bytes;    /* of a message; 0: any */
    /* Joins the other ranks. On an error *link is NULL, and `why` gets the reason; it is as large
     * as that of dal_link. */
    int (*open)(struct dal_link **link, char *why);
    /* Begins to duplicate a link, for the purpose `number`. The copy may be used once poll of the
     * first link sets `done`, which it does when all ranks have begun. */
    int (*duplicate)(struct dal_link *link, int number, struct dal_link **copy,
                     struct dal_transfer *transfer);
    /* Begins to send to another rank. `tag` is from 0 on. */
    int (*send)(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                struct dal_transfer *transfer);
    /* Moves what is under way. Unless `message` is NULL, looks for one that has arrived: returns 1
     * if there is one, else 0. */
    int (*poll)(struct dal_link *link, struct dal_message *message);
    /* Begins to receive a message into `to`, which has room for its bytes. */
    int (*receive)(struct dal_link *link, const struct dal_message *message, void *to,
                   struct dal_transfer *transfer);
    /* Closes and frees the opened link, with its copies. With `orderly`, nothing is under way, and
     * all ranks close. Otherwise others may be gone, and messages under way are lost: all later
     * calls of this rank fail, except close. An orderly close of a copy does nothing: the copy may
     * be used again. */
    int (*close)(struct dal_link *link, int orderly);
};
