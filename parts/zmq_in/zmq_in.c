/* Receive: hands on the messages that come, until an empty one. */
#include "dal.h"
#include "../common/queue.h"

enum { DATA = VAR_length * (int)sizeof(VAR_type) };

_Static_assert(VAR_length % VAR_token == 0, "a message has whole tokens");

struct _local_states {
    struct queue queue;
    long count, came;
    int is_inside; /* the topic of a message has come */
    unsigned char data[DATA];
};

void Receive_init(DALProcess *p)
{
    LocalState s = p->local;
    const int kind = QUEUE_JOIN(ZMQ_, VAR_socket);

    if (DAL_getParameterInt("count", &s->count, p) != 0 || open_queue(&s->queue, kind, p) != 0)
        return;
    if (kind != ZMQ_SUB)
        s->queue.topic = "";
    else if (zmq_setsockopt(s->queue.socket, ZMQ_SUBSCRIBE, s->queue.topic,
                            strlen(s->queue.topic)) != 0) {
        DAL_fail(p, "topic %s: %s", s->queue.topic, zmq_strerror(zmq_errno()));
        return;
    }
    start_queue(&s->queue, "zmq_in", p);
}

/* Receives one part of a message. Returns its bytes, -1 if none has come, or -2 after DAL_fail().
 */
static int receive_part(int *has_more, DALProcess *p)
{
    LocalState s = p->local;
    size_t size = sizeof(*has_more);
    int bytes = zmq_recv(s->queue.socket, s->data, sizeof(s->data), 0);

    if (bytes >= 0 && zmq_getsockopt(s->queue.socket, ZMQ_RCVMORE, has_more, &size) == 0)
        return bytes;
    if (is_too_early(zmq_errno()))
        return -1;
    DAL_fail(p, "endpoint %s: %s", s->queue.endpoint, zmq_strerror(zmq_errno()));
    return -2;
}

/* The part of a message that counts is here. */
static int take_data(int bytes, int has_more, DALProcess *p)
{
    LocalState s = p->local;

    s->is_inside = 0;
    if (!has_more && bytes == 0)
        return 1;
    if (!has_more && bytes == DATA) {
        DAL_write(PORT_out, s->data, DATA, p);
        return ++s->came == s->count;
    }
    if (has_more)
        DAL_fail(p, "endpoint %s: a message has more parts than %d", s->queue.endpoint,
                 *s->queue.topic ? 2 : 1);
    else
        DAL_fail(p, "endpoint %s: a message has %d bytes, and not %d", s->queue.endpoint, bytes,
                 DATA);
    return 1;
}

int Receive_fire(DALProcess *p)
{
    LocalState s = p->local;
    int has_more, bytes = receive_part(&has_more, p);

    if (bytes < 0)
        return bytes == -2;
    if (s->is_inside || !*s->queue.topic)
        return take_data(bytes, has_more, p);
    s->is_inside = 1;
    if (has_more)
        return 0;
    DAL_fail(p, "endpoint %s: a message has a topic and nothing else", s->queue.endpoint);
    return 1;
}

void Receive_finish(DALProcess *p)
{
    close_queue(&p->local->queue, 0);
}
