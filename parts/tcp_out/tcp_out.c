/* Send: sends to one peer what comes. */
#define _GNU_SOURCE /* accept4() */
#include "dal.h"
#include "../common/meeting.h"

#include <inttypes.h>
#include <limits.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

/* What is sent at once. */
enum { TOKENS = TOKEN_in_SIZE < 65536 ? 65536 / TOKEN_in_SIZE : 1 };

struct _local_states {
    struct meeting meeting;
    int fd;            /* of the peer; -1: it has not come */
    size_t held, sent; /* bytes that are here, and those of them that the system has taken */
    uint64_t tokens;   /* before these */
    int looks;         /* since the peer took something, when the program is to end */
    unsigned char bytes[TOKENS * TOKEN_in_SIZE];
};

void Send_init(DALProcess *p)
{
    p->local->fd = -1;
    begin_meeting(&p->local->meeting, "tcp_out", p);
}

/* Waits a while for the peer, but not when the program is to end. */
static int await_peer(DALProcess *p)
{
    LocalState s = p->local;

    s->fd = meet(&s->meeting, p);
    if (s->fd >= 0 || !DAL_is_stopping(p))
        return 0;
    if (!DAL_has_failed(p))
        fprintf(stderr, "tcp_out: %s: nobody has come\n", s->meeting.name);
    return 1;
}

/* Waits for a token, and takes the others that are there. */
static void gather(DALProcess *p)
{
    LocalState s = p->local;

    s->tokens += s->held / TOKEN_in_SIZE;
    s->held = s->sent = 0;
    do {
        DAL_read(PORT_in, s->bytes + s->held, TOKEN_in_SIZE, p);
        s->held += TOKEN_in_SIZE;
    } while (s->held < sizeof(s->bytes) && DAL_rtest(PORT_in, TOKEN_in_SIZE, p) == 1);
}

/* The peer takes no more. */
static int end_with(int error, DALProcess *p)
{
    LocalState s = p->local;
    size_t part = s->sent % TOKEN_in_SIZE;

    if (part)
        DAL_fail(p, "%s %s in the middle of a token: %zu of %d bytes are sent: %s", s->meeting.name,
                 error == ETIMEDOUT ? "takes nothing" : "vanished", part, TOKEN_in_SIZE,
                 strerror(error));
    else
        fprintf(stderr, "tcp_out: %s takes no more than %" PRIu64 " tokens: %s\n", s->meeting.name,
                s->tokens + s->sent / TOKEN_in_SIZE, strerror(error));
    return 1;
}

int Send_fire(DALProcess *p)
{
    LocalState s = p->local;
    ssize_t now;

    if (s->fd < 0)
        return await_peer(p);
    if (s->sent == s->held)
        gather(p);
    if (!await_socket(s->fd, POLLOUT))
        return DAL_is_stopping(p) && ++s->looks == MOST_LOOKS ? end_with(ETIMEDOUT, p) : 0;
    s->looks = 0;
    now = send(s->fd, s->bytes + s->sent, s->held - s->sent, MSG_NOSIGNAL);
    if (now < 0 && !is_too_early(errno))
        return end_with(errno, p);
    s->sent += now > 0 ? (size_t)now : 0;
    return 0;
}

/* Waits until the peer has gone, or has taken nothing for a while, and drops what it says. With
 * that unread, close() would reset the connection, and the peer would lose what is on the way. */
static void part_from(const struct _local_states *s)
{
    const int64_t patience_ns = MOST_LOOKS * LOOK_MS * INT64_C(1000000);
    int64_t until_ns = now_ns() + patience_ns;
    int left = 0, before = INT_MAX;
    char dropped[4096];

    shutdown(s->fd, SHUT_WR);
    while (now_ns() < until_ns) {
        ssize_t now = await_socket(s->fd, POLLIN) ? recv(s->fd, dropped, sizeof(dropped), 0) : 1;
        if (now == 0 || (now < 0 && !is_too_early(errno)))
            return;
        if (ioctl(s->fd, SIOCOUTQ, &left) == 0 && left < before) {
            before = left;
            until_ns = now_ns() + patience_ns;
        }
    }
    if (left > 0)
        fprintf(stderr, "tcp_out: %s has not taken the last %d bytes\n", s->meeting.name, left);
}

void Send_finish(DALProcess *p)
{
    LocalState s = p->local;

    end_meeting(&s->meeting);
    if (s->fd >= 0 && !DAL_has_failed(p))
        part_from(s);
    if (s->fd >= 0)
        close(s->fd);
}
