/* What the parts share that use ZeroMQ. */
#ifndef QUEUE_H
#define QUEUE_H

#include "dal.h"

#include <errno.h>
#include <zmq.h>

/* A firing waits so long for the outside, and then lets dal look whether the program ends. */
enum { LOOK_MS = 100 };

/* What is to end waits for so many looks at a peer that takes nothing. */
enum { MOST_LOOKS = 20 };

/* zmq_bind() and zmq_connect(), as VAR_role says. */
#define QUEUE_JOIN_(a, b) a##b
#define QUEUE_JOIN(a, b)  QUEUE_JOIN_(a, b)
#define QUEUE_ROLE        QUEUE_JOIN(zmq_, VAR_role)

struct queue {
    void *context, *socket;
    const char *endpoint, *topic;
};

static inline int set_number(struct queue *q, int option, int value)
{
    return zmq_setsockopt(q->socket, option, &value, sizeof(value));
}

/* Opens a socket of a kind, whose waits end. Nothing is kept for a peer that is not
 * there; what one has sent that is gone stays. Returns
 * 0, or -1 after DAL_fail(). */
static inline int open_queue(struct queue *q, int kind, DALProcess *p)
{
    long most = 0;

    q->endpoint = DAL_getParameter("endpoint", p);
    q->topic = DAL_getParameter("topic", p);
    if (DAL_getParameterInt("queue", &most, p) != 0)
        return -1;
    q->context = zmq_ctx_new();
    q->socket = q->context ? zmq_socket(q->context, kind) : NULL;
    if (q->socket && set_number(q, ZMQ_RCVTIMEO, LOOK_MS) == 0 &&
        set_number(q, ZMQ_SNDTIMEO, LOOK_MS) == 0 &&
        set_number(q, ZMQ_IMMEDIATE, kind == ZMQ_PUSH || kind == ZMQ_XPUB) == 0 &&
        set_number(q, ZMQ_RCVHWM, (int)most) == 0 && set_number(q, ZMQ_SNDHWM, (int)most) == 0)
        return 0;
    DAL_fail(p, "%s: %s", q->endpoint, zmq_strerror(zmq_errno()));
    return -1;
}

/* Binds or connects the socket, and tells an address that ZeroMQ has chosen. */
static inline void start_queue(struct queue *q, const char *part, DALProcess *p)
{
    char chosen[256] = "";
    size_t bytes = sizeof(chosen);

    if (QUEUE_ROLE(q->socket, q->endpoint) != 0) {
        DAL_fail(p, "endpoint %s: %s", q->endpoint, zmq_strerror(zmq_errno()));
        return;
    }
    if (strchr(q->endpoint, '*') &&
        zmq_getsockopt(q->socket, ZMQ_LAST_ENDPOINT, chosen, &bytes) == 0)
        fprintf(stderr, "%s: is at %s\n", part, chosen);
}

/* Would the same call be right a little later? */
static inline int is_too_early(int error)
{
    return error == EAGAIN || error == EINTR;
}

/* Closes what is open. Messages that wait to be sent get so much time. */
static inline void close_queue(struct queue *q, int linger_ms)
{
    if (q->socket) {
        set_number(q, ZMQ_LINGER, linger_ms);
        zmq_close(q->socket);
    }
    if (q->context)
        zmq_ctx_term(q->context);
}

#endif
