/*
 * What the parts share that have one peer by TCP. As a server they wait for the first one that
 * comes. As a client they go to it, and try again for a while.
 */
#ifndef MEETING_H
#define MEETING_H

#include "socket.h"

#include <netinet/tcp.h>

/* VAR_role is one of them. */
enum { client, server };

struct meeting {
    struct addrinfo *addresses, *address; /* all, and the one that is tried */
    int fd;                               /* listens, or is being connected; -1: neither */
    int64_t until_ns;                     /* a client tries until then */
    char name[ADDRESS_TEXT];              /* for messages: its own address, then the peer's */
};

static inline void end_meeting(struct meeting *m)
{
    if (m->fd >= 0)
        close(m->fd);
    if (m->addresses)
        freeaddrinfo(m->addresses);
    m->addresses = NULL;
    m->fd = -1;
}

static inline void listen_at(struct meeting *m, const char *part, DALProcess *p)
{
    const struct addrinfo *at = m->addresses;
    const int yes = 1;
    long port = 0;

    write_address(at->ai_addr, at->ai_addrlen, m->name);
    m->fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (m->fd < 0 || setsockopt(m->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
        bind(m->fd, at->ai_addr, at->ai_addrlen) != 0 || listen(m->fd, 1) != 0) {
        DAL_fail(p, "%s: %s", m->name, strerror(errno));
        return;
    }
    write_own_address(m->fd, m->name);
    if (DAL_getParameterInt("port", &port, p) == 0 && port == 0)
        fprintf(stderr, "%s: waits at %s\n", part, m->name);
}

/* Begins to listen, or to try. After DAL_fail() nothing is met. */
static inline void begin_meeting(struct meeting *m, const char *part, DALProcess *p)
{
    double wait_s = 0;

    m->fd = -1;
    m->addresses = m->address = find_addresses(SOCK_STREAM, VAR_role == server, p);
    if (!m->addresses || DAL_getParameterDouble("wait", &wait_s, p))
        return;
    m->until_ns = now_ns() + (int64_t)(1e9 * (wait_s < 1e9 ? wait_s : 1e9));
    if (VAR_role == server)
        listen_at(m, part, p);
}

static inline int accept_peer(struct meeting *m, DALProcess *p)
{
    struct sockaddr_storage address;
    socklen_t bytes = sizeof(address);
    int peer;

    if (!await_socket(m->fd, POLLIN))
        return -1;
    peer = accept4(m->fd, (struct sockaddr *)&address, &bytes, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (peer >= 0)
        write_address(&address, bytes, m->name);
    else if (!is_too_early(errno) && errno != ECONNABORTED)
        DAL_fail(p, "%s: %s", m->name, strerror(errno));
    return peer;
}

/* Begins to connect to the next address. Returns 0, or an error. */
static inline int start_connecting(struct meeting *m)
{
    const struct addrinfo *to = m->address;

    write_address(to->ai_addr, to->ai_addrlen, m->name);
    m->fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (m->fd < 0)
        return errno;
    return connect(m->fd, to->ai_addr, to->ai_addrlen) == 0 || errno == EINPROGRESS ? 0 : errno;
}

/* Goes on to the next address, or to the first one a little later. */
static inline void try_again(struct meeting *m, int error, DALProcess *p)
{
    if (m->fd >= 0)
        close(m->fd);
    m->fd = -1;
    m->address = m->address->ai_next;
    if (m->address)
        return;
    m->address = m->addresses;
    if (now_ns() >= m->until_ns)
        DAL_fail(p, "%s: %s", m->name, strerror(error));
    else
        poll(NULL, 0, LOOK_MS);
}

static inline int connect_peer(struct meeting *m, DALProcess *p)
{
    int error = m->fd < 0 ? start_connecting(m) : 0, peer = m->fd;
    socklen_t size = sizeof(error);

    if (!error && !await_socket(m->fd, POLLOUT))
        return -1;
    if (!error && getsockopt(m->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    if (error) {
        try_again(m, error, p);
        return -1;
    }
    peer = m->fd;
    m->fd = -1;
    return peer;
}

/* Waits a while for the peer. Returns its socket, or -1 while it has not come, or after DAL_fail().
 */
static inline int meet(struct meeting *m, DALProcess *p)
{
    const int yes = 1;
    int peer = VAR_role == server ? accept_peer(m, p) : connect_peer(m, p);

    if (peer < 0)
        return -1;
    setsockopt(peer, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes)); /* it may go without a word */
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    end_meeting(m);
    return peer;
}

#endif
