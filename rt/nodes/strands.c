#include "rt/nodes/strands.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include <stdio.h>
#include <string.h>

/* A transfer that a strand has begun. The link sets `real`; the strand's poll then sets its
 * user's. */
struct passage {
    struct dal_transfer real, *transfer;
    struct passage *next;
};

/* A message of a strand that another strand has found. */
struct parked {
    struct dal_message message;
    struct parked *next;
};

struct strand {
    struct dal_link link; /* first member */
    struct dal_strands *strands;
    int number;
    struct passage *passages;
    struct parked *first, **last;
};

struct dal_strands {
    struct dal_transport table;
    const struct dal_transport *transport;
    struct dal_link *link; /* NULL: it was closed, since it was broken */
    int rank, ranks;       /* the link's */
    pthread_mutex_t lock;
    struct strand *strands;
    int count;
    int broken; /* True when a message or bytes under way are lost. */
};

static struct strand *of(struct dal_link *link)
{
    return (struct strand *)link;
}

/* The functions before the operations run with the lock held. */

static int pass_error(struct strand *strand, int status)
{
    if (status < 0)
        memcpy(strand->link.why, strand->strands->link->why, sizeof(strand->link.why));
    return status;
}

static int check_broken(struct strand *strand)
{
    if (!strand->strands->broken)
        return DAL_OK;
    snprintf(strand->link.why, sizeof(strand->link.why),
             "the link was lost for another application");
    return DAL_ERR_NODE;
}

static int no_memory(struct strand *strand)
{
    snprintf(strand->link.why, sizeof(strand->link.why), "no memory for a message");
    return DAL_ERR_NOMEM;
}

static int make_passage(struct strand *strand, struct dal_transfer *transfer,
                        struct passage **passage)
{
    int status = check_broken(strand);
    if (status < 0)
        return status;
    *passage = dal_calloc(1, sizeof(**passage));
    if (!*passage)
        return no_memory(strand);
    transfer->done = 0;
    (*passage)->transfer = transfer;
    return DAL_OK;
}

/* Keeps a passage that has begun, and frees one that has not. */
static int begin_passage(struct strand *strand, struct passage *passage, int status)
{
    if (status < 0) {
        dal_free(passage);
        return pass_error(strand, status);
    }
    passage->next = strand->passages;
    strand->passages = passage;
    return DAL_OK;
}

static void end_passages(struct strand *strand)
{
    struct passage **at = &strand->passages;
    while (*at) {
        struct passage *passage = *at;
        if (!passage->real.done) {
            at = &passage->next;
            continue;
        }
        passage->transfer->done = 1;
        *at = passage->next;
        dal_free(passage);
    }
}

static int park(struct strand *strand, const struct dal_message *message)
{
    struct parked *parked = dal_alloc(sizeof(*parked));
    if (!parked)
        return DAL_ERR_NOMEM;
    *parked = (struct parked){*message, NULL};
    *strand->last = parked;
    strand->last = &parked->next;
    return DAL_OK;
}

static void unpark(struct strand *strand, struct dal_message *message)
{
    struct parked *parked = strand->first;
    *message = parked->message;
    strand->first = parked->next;
    if (!strand->first)
        strand->last = &strand->first;
    dal_free(parked);
}

/* Polls the link. After an error it may have found a message of any strand, which is lost. */
static int poll_link(struct strand *strand, struct dal_message *message)
{
    struct dal_strands *strands = strand->strands;
    int status = strands->transport->poll(strands->link, message);
    strands->broken |= status < 0;
    return pass_error(strand, status);
}

/* Looks until there is a message for this strand, or none. */
static int find_message(struct strand *strand, struct dal_message *message)
{
    struct dal_strands *strands = strand->strands;
    int status = DAL_OK;
    while (status >= 0 && !strand->first) {
        int number;
        status = poll_link(strand, message);
        if (status <= 0)
            return status;
        number = message->tag % strands->count;
        message->tag /= strands->count;
        status = park(&strands->strands[number], message);
    }
    if (status < 0) { /* it is lost */
        strands->broken = 1;
        return no_memory(strand);
    }
    unpark(strand, message);
    return 1;
}

/* ---- the operations of a strand ----------------------------------------------------------------
 */

static int send_strand(struct dal_link *link, int rank, int tag, const void *bytes, size_t count,
                       struct dal_transfer *transfer)
{
    struct strand *strand = of(link);
    struct dal_strands *strands = strand->strands;
    struct passage *passage;
    int status;
    pthread_mutex_lock(&strands->lock);
    status = make_passage(strand, transfer, &passage);
    if (status == DAL_OK)
        status = begin_passage(strand, passage,
                               strands->transport->send(strands->link, rank,
                                                        tag * strands->count + strand->number,
                                                        bytes, count, &passage->real));
    pthread_mutex_unlock(&strands->lock);
    return status;
}

static int poll_strand(struct dal_link *link, struct dal_message *message)
{
    struct strand *strand = of(link);
    struct dal_strands *strands = strand->strands;
    int status;
    pthread_mutex_lock(&strands->lock);
    status = check_broken(strand);
    if (status == DAL_OK)
        status = message ? find_message(strand, message) : poll_link(strand, NULL);
    end_passages(strand);
    pthread_mutex_unlock(&strands->lock);
    return status;
}

static int receive_strand(struct dal_link *link, const struct dal_message *message, void *to,
                          struct dal_transfer *transfer)
{
    struct strand *strand = of(link);
    struct dal_strands *strands = strand->strands;
    struct dal_message real = *message;
    struct passage *passage;
    int status;
    real.tag = message->tag * strands->count + strand->number;
    pthread_mutex_lock(&strands->lock);
    status = make_passage(strand, transfer, &passage);
    if (status == DAL_OK)
        status = begin_passage(
            strand, passage, strands->transport->receive(strands->link, &real, to, &passage->real));
    pthread_mutex_unlock(&strands->lock);
    return status;
}

static int close_link(struct dal_strands *strands)
{
    int status = DAL_OK;
    if (strands->link)
        status = strands->transport->close(strands->link, !strands->broken);
    strands->link = NULL;
    return status;
}

/* Closes a strand. If bytes under way are about to go, the link is closed first and lost for
 * all. */
static int close_strand(struct dal_link *link, int orderly)
{
    struct strand *strand = of(link);
    struct dal_strands *strands = strand->strands;
    struct passage *passage;
    int status = DAL_OK;
    pthread_mutex_lock(&strands->lock);
    end_passages(strand);
    strands->broken |= !orderly;
    if (strands->broken && strand->passages)
        status = close_link(strands);
    for (passage = strand->passages; passage; passage = passage->next)
        passage->transfer = &passage->real; /* nobody asks for it any more */
    pthread_mutex_unlock(&strands->lock);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void set_strands(struct dal_strands *strands)
{
    int i;
    for (i = 0; i < strands->count; i++) {
        struct strand *strand = &strands->strands[i];
        strand->strands = strands;
        strand->number = i;
        strand->last = &strand->first;
    }
    strands->table = (struct dal_transport){.name = strands->transport->name,
                                            .launcher = strands->transport->launcher,
                                            .send = send_strand,
                                            .poll = poll_strand,
                                            .receive = receive_strand,
                                            .close = close_strand};
}

int dal_strands_open(struct dal_strands **result, const struct dal_transport *transport, int count,
                     char *why)
{
    struct dal_strands *strands = dal_calloc(1, sizeof(*strands));
    int status = DAL_ERR_NOMEM;
    *result = NULL;
    if (strands)
        strands->strands = dal_calloc((size_t)count, sizeof(*strands->strands));
    if (!strands || !strands->strands) {
        snprintf(why, sizeof(((struct dal_link *)NULL)->why), "no memory for the link");
    } else {
        strands->transport = transport;
        strands->count = count;
        status = transport->open(&strands->link, why);
    }
    if (status < 0) {
        if (strands)
            dal_free(strands->strands);
        dal_free(strands);
        return status;
    }
    pthread_mutex_init(&strands->lock, NULL);
    strands->rank = strands->link->rank;
    strands->ranks = strands->link->count;
    set_strands(strands);
    *result = strands;
    return DAL_OK;
}

struct dal_link *dal_strands_link(struct dal_strands *strands, int number)
{
    struct dal_link *link = &strands->strands[number].link;
    *link = (struct dal_link){.rank = strands->rank, .count = strands->ranks};
    return link;
}

const struct dal_transport *dal_strands_transport(const struct dal_strands *strands)
{
    return &strands->table;
}

int dal_strands_close(struct dal_strands *strands)
{
    int i, status;
    if (!strands)
        return DAL_OK;
    for (i = 0; i < strands->count; i++)
        strands->broken |= strands->strands[i].first != NULL;
    status = close_link(strands);
    for (i = 0; i < strands->count; i++) {
        struct strand *strand = &strands->strands[i];
        struct dal_message dropped;
        struct passage *passage;
        while (strand->first)
            unpark(strand, &dropped);
        while ((passage = strand->passages)) {
            strand->passages = passage->next;
            dal_free(passage);
        }
    }
    pthread_mutex_destroy(&strands->lock);
    dal_free(strands->strands);
    dal_free(strands);
    return status;
}
