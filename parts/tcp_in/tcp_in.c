/* Receive: hands on what one peer sends. */
#define _GNU_SOURCE /* accept4() */
#include "dal.h"
#include "../common/meeting.h"

struct _local_states {
    struct meeting meeting;
    int fd;      /* of the peer; -1: it has not come */
    size_t part; /* bytes of a token that has begun */
    unsigned char bytes[65536];
};

void Receive_init(DALProcess *p)
{
    p->local->fd = -1;
    begin_meeting(&p->local->meeting, "tcp_in", p);
}

/* The peer has closed its end, or is gone with an error. */
static int end_with(int error, DALProcess *p)
{
    LocalState s = p->local;

    if (s->part)
        DAL_fail(p, "%s vanished in the middle of a token: %zu of %d bytes have come%s%s",
                 s->meeting.name, s->part, TOKEN_out_SIZE, error ? ": " : "",
                 error ? strerror(error) : "");
    else if (error)
        fprintf(stderr, "tcp_in: %s: %s\n", s->meeting.name, strerror(error));
    return 1;
}

int Receive_fire(DALProcess *p)
{
    LocalState s = p->local;
    ssize_t got;

    if (s->fd < 0) {
        s->fd = meet(&s->meeting, p);
        return DAL_has_failed(p);
    }
    if (!await_socket(s->fd, POLLIN))
        return 0;
    got = recv(s->fd, s->bytes, sizeof(s->bytes), 0);
    if (got < 0 && is_too_early(errno))
        return 0;
    if (got <= 0)
        return end_with(got < 0 ? errno : 0, p);
    s->part = (s->part + (size_t)got) % TOKEN_out_SIZE;
    DAL_write(PORT_out, s->bytes, (int)got, p);
    return 0;
}

void Receive_finish(DALProcess *p)
{
    end_meeting(&p->local->meeting);
    if (p->local->fd >= 0)
        close(p->local->fd);
}
