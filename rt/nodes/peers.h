/*
 * The other ranks: their identity, what they have said, whether they are still there.
 *
 * Thread contract: one thread has the link. That is the main thread before and after a run, and the
 * progress thread (rt/nodes/nodes.h) during it.
 */
#pragma once

#include "rt/base/sha256.h"
#include "rt/nodes/transport.h"

#include <stdint.h>
#include <sys/types.h>

/* The kinds of messages. Those up to TAKEN are from rank to rank; the others belong to a flow. */
enum dal_say {
    DAL_SAY_HELLO,
    DAL_SAY_CLOCK,  /* to the first rank: asks for its time; and the answer */
    DAL_SAY_READY,  /* its part is installed */
    DAL_SAY_STOP,   /* sources stop firing */
    DAL_SAY_BREAK,  /* it ends early, with an error, and says nothing more */
    DAL_SAY_DONE,   /* it has ended; the first rank also says whether it wants reports */
    DAL_SAY_ALIVE,  /* something of it runs or moves */
    DAL_SAY_REPORT, /* to the first rank: its report; the only message after DONE */
    DAL_SAY_LOOK, /* asks for a snapshot of the round with this number (rt/nodes/global_snapshot.h)
                   */
    DAL_SAY_SNAPSHOT, /* the snapshot that was asked for */
    DAL_SAY_GROW,     /* asks to enlarge the ring with this number */
    DAL_SAY_COMMAND,  /* from the first rank (rt/nodes/commands.h) */
    DAL_SAY_ANSWER,   /* the command is carried out */
    DAL_SAY_NOTICE,   /* to the first rank */
    DAL_SAY_TAKEN,    /* the notice has been taken */
    DAL_SAY_DATA,     /* tokens */
    DAL_SAY_END,      /* to the readers: the number of all tokens */
    DAL_SAY_CREDIT,   /* to the writer: tokens that may be sent, counted from the first */
    DAL_SAY_CLOSED,   /* to the writer: nobody reads any more */
    DAL_SAYS
};

/* Returns the tag of a message about flow n, or about none with n = -1. */
static inline int dal__tag(int flow, enum dal_say say)
{
    return (flow + 1) * DAL_SAYS + (int)say;
}

static inline enum dal_say dal__tag_say(int tag)
{
    return (enum dal_say)(tag % DAL_SAYS);
}

static inline int dal__tag_flow(int tag)
{
    return tag / DAL_SAYS - 1;
}

/* A message, usually of one number. It is not sent again before it is done. */
struct dal_note {
    struct dal_transfer transfer;
    int sent;
    uint64_t number;
};

static inline int dal__note_is_free(const struct dal_note *note)
{
    return !note->sent || note->transfer.done;
}

/* Begins to send a number with a free note. Returns DAL_OK or a negative code, with the reason in
 * link->why. */
int dal__note_send(struct dal_note *note, struct dal_link *link, int rank, int tag,
                   uint64_t number);

struct dal_hello {
    unsigned char build[DAL_SHA256_BYTES]; /* digest of the program */
    char machine[96];                      /* equal for ranks that see each other's processes */
    int64_t pid;
    int64_t link; /* the number of the link that carries this message */
};

struct dal_peer {
    const char *node; /* name */
    int rank;
    struct dal_hello hello;
    unsigned said;                   /* a bit for each message */
    uint64_t numbers[DAL_SAYS];      /* the numbers that came with them */
    struct dal_note notes[DAL_SAYS]; /* to it */
    struct dal_note greeting;        /* `hello` of this rank */
    int asks;                        /* True when it asks for the time and has no answer yet. */
    void *report;                    /* its report, and the size of that */
    size_t report_bytes;
    int watched; /* True when its process can be seen from here. */
    int gone;
};

static inline int dal__peer_has_said(const struct dal_peer *peer, enum dal_say say)
{
    return (int)(peer->said >> say & 1);
}

static inline void dal__peer_forget(struct dal_peer *peer, enum dal_say say)
{
    peer->said &= ~(1u << say);
}

/* Returns whether a peer will say nothing more. */
static inline int dal__peer_is_over(const struct dal_peer *peer)
{
    return peer->gone || dal__peer_has_said(peer, DAL_SAY_BREAK) ||
           dal__peer_has_said(peer, DAL_SAY_DONE);
}

/* Describes this rank. */
void dal__hello_make(struct dal_hello *hello);

/* Notes whether a peer can be watched, once both have said hello. */
void dal__peer_meet(struct dal_peer *peer, const struct dal_hello *own);

/* Returns whether a peer's process is still there, unless it has come to its end. Sets `gone`. */
int dal__peer_is_there(struct dal_peer *peer);
