/* Send: makes messages of what comes. PUB is XPUB here, which tells who subscribes. */
#include "dal.h"
#include "../common/queue.h"

#include <inttypes.h>

/* VAR_socket with X in front, where that matters. */
#define ZMQ_KIND_PUSH ZMQ_PUSH
#define ZMQ_KIND_PUB  ZMQ_XPUB
enum { KIND = QUEUE_JOIN(ZMQ_KIND_, VAR_socket) };

enum { DATA = VAR_length * (int)sizeof(VAR_type) };

_Static_assert(VAR_length % VAR_token == 0, "a message has whole tokens");

struct _local_states {
    struct queue queue;
    long subscribers; /* that are still to come */
    long ending;
    int is_held; /* there is a message that was not sent */
    int looks;   /* since something was taken, when the program is to end */
    uint64_t sent;
    unsigned char data[DATA];
};

void Send_init(DALProcess *p)
{
    LocalState s = p->local;

    if (DAL_getParameterInt("subscribers", &s->subscribers, p) != 0 ||
        DAL_getParameterInt("ending", &s->ending, p) != 0 || open_queue(&s->queue, KIND, p) != 0)
        return;
    if (KIND == ZMQ_XPUB)
        set_number(&s->queue, ZMQ_XPUB_VERBOSER,
                   1); /* tells of each, though others have the same */
    else {
        s->queue.topic = "";
        s->subscribers = 0;
    }
    start_queue(&s->queue, "zmq_out", p);
}

/* Is that the beginning of the topic? Without a topic, it is that of what is sent. */
static int is_wanted_topic(const char *topic, const unsigned char *start, size_t bytes, size_t most)
{
    return !*topic ||
           (bytes <= strlen(topic) && memcmp(topic, start, bytes < most ? bytes : most) == 0);
}

/* Takes what subscribers have said: 1 in front of the beginning of topics that they want, or 0 of
 * such that they want no more. Who wants others gets nothing, and does not count. */
static void hear_subscribers(LocalState s, int flags)
{
    unsigned char said[257];
    int bytes;

    while (KIND == ZMQ_XPUB && (bytes = zmq_recv(s->queue.socket, said, sizeof(said), flags)) > 0) {
        if (s->subscribers > 0 && said[0] <= 1 &&
            is_wanted_topic(s->queue.topic, said + 1, (size_t)bytes - 1, sizeof(said) - 1))
            s->subscribers += said[0] ? -1 : 1;
        flags = ZMQ_DONTWAIT;
    }
}

/* Sends the topic, if there is one, and what follows. Returns 1 if that was not taken in time, and
 * -1 after DAL_fail(). */
static int send_message(const void *bytes, size_t size, DALProcess *p)
{
    LocalState s = p->local;
    const char *topic = s->queue.topic;

    if ((!*topic || zmq_send(s->queue.socket, topic, strlen(topic), ZMQ_SNDMORE) >= 0) &&
        zmq_send(s->queue.socket, bytes, size, 0) >= 0)
        return 0;
    if (is_too_early(zmq_errno()))
        return 1;
    DAL_fail(p, "endpoint %s: %s", s->queue.endpoint, zmq_strerror(zmq_errno()));
    return -1;
}

/* Nobody takes anything for now. That is the end if the program is to end, and nobody ever has
 * taken anything, or not for long. */
static int wait_on(DALProcess *p)
{
    LocalState s = p->local;

    if (!DAL_is_stopping(p) || (s->sent && ++s->looks < MOST_LOOKS))
        return 0;
    if (!DAL_has_failed(p))
        fprintf(stderr,
                s->sent ? "zmq_out: %s: nobody takes more than %" PRIu64 " messages\n"
                        : "zmq_out: %s: nobody has come\n",
                s->queue.endpoint, s->sent);
    s->ending = 0;
    return 1;
}

int Send_fire(DALProcess *p)
{
    LocalState s = p->local;
    int status;

    if (s->subscribers > 0) {
        hear_subscribers(s, 0);
        return s->subscribers > 0 && wait_on(p);
    }
    if (!s->is_held)
        DAL_read(PORT_in, s->data, DATA, p);
    s->is_held = 1;
    hear_subscribers(s, ZMQ_DONTWAIT);
    status = send_message(s->data, DATA, p);
    if (status)
        return status < 0 || wait_on(p);
    s->is_held = s->looks = 0;
    s->sent++;
    return 0;
}

/* Sends an empty message, without which zmq_in would wait for ever. PUB has room for it wherever it
 * did not have to drop others. A program that is to end does not wait for long. Returns what is
 * left of the time. */
static int send_ending(int linger_ms, DALProcess *p)
{
    LocalState s = p->local;
    int status, looks = 0;

    if (KIND == ZMQ_XPUB)
        set_number(&s->queue, ZMQ_SNDHWM, 0);
    while ((status = send_message("", 0, p)) > 0 && linger_ms > 0 &&
           !(DAL_is_stopping(p) && ++looks >= MOST_LOOKS))
        linger_ms -= LOOK_MS;
    if (status > 0)
        fprintf(stderr, "zmq_out: %s: the end was not taken\n", s->queue.endpoint);
    return linger_ms > 0 ? linger_ms : 0;
}

void Send_finish(DALProcess *p)
{
    LocalState s = p->local;
    double linger_s = 0;
    int linger_ms;

    DAL_getParameterDouble("linger", &linger_s, p);
    linger_ms = (int)(1000 * linger_s);
    if (s->ending && s->queue.socket && !DAL_has_failed(p))
        linger_ms = send_ending(linger_ms, p);
    close_queue(&s->queue, DAL_has_failed(p) ? 0 : linger_ms);
}
