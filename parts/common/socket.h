/* What the parts share that talk over sockets: addresses, and waits that end. */
#ifndef SOCKET_H
#define SOCKET_H

#include "dal.h"
#include "clock.h"

#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* A firing waits so long for the outside, and then lets dal look whether the program ends. */
enum { LOOK_MS = 100 };

/* What is to end waits for so many looks at a peer that takes nothing. */
enum { MOST_LOOKS = 20 };

enum { ADDRESS_TEXT = 80 };

/* Returns whether the socket can be read (POLLIN) or written (POLLOUT). Waits a while for that. */
static inline int await_socket(int fd, short events)
{
    struct pollfd one = {.fd = fd, .events = events};

    return poll(&one, 1, LOOK_MS) > 0;
}

/* Would the same call be right a little later? */
static inline int is_too_early(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/* Writes an address as 127.0.0.1:5000 or [::1]:5000. */
static inline void write_address(const void *address, socklen_t bytes, char text[ADDRESS_TEXT])
{
    char host[64] = "?", port[8] = "?";
    int is_long = ((const struct sockaddr *)address)->sa_family == AF_INET6;

    getnameinfo(address, bytes, host, sizeof(host), port, sizeof(port),
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, ADDRESS_TEXT, is_long ? "[%.60s]:%.7s" : "%.60s:%.7s", host, port);
}

/* Writes the address that a socket has itself. */
static inline void write_own_address(int fd, char text[ADDRESS_TEXT])
{
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t bytes = sizeof(address);

    getsockname(fd, (struct sockaddr *)&address, &bytes);
    write_address(&address, bytes, text);
}

/* Finds the addresses that the parameters `address` and `port` name. A passive one is to be bound:
 * there port 0 is any that is free, and no address all own ones of IPv4. Returns NULL after
 * DAL_fail(); freeaddrinfo() frees them. */
static inline struct addrinfo *find_addresses(int type, int is_passive, DALProcess *p)
{
    const char *address = DAL_getParameter("address", p);
    const int is_any = is_passive && !(address && *address);
    const struct addrinfo hints = {.ai_family = is_any ? AF_INET : AF_UNSPEC,
                                   .ai_socktype = type,
                                   .ai_flags = AI_NUMERICSERV | (is_passive ? AI_PASSIVE : 0)};
    struct addrinfo *found = NULL;
    char service[24];
    long port;
    int error;

    if (DAL_getParameterInt("port", &port, p) != 0)
        return NULL;
    if (port < !is_passive || port > 65535) {
        DAL_fail(p, "port %ld is not from %d to 65535", port, !is_passive);
        return NULL;
    }
    snprintf(service, sizeof(service), "%ld", port);
    error = getaddrinfo(address && *address ? address : NULL, service, &hints, &found);
    if (error)
        DAL_fail(p, "address %s: %s", address ? address : "", gai_strerror(error));
    return error ? NULL : found;
}

#endif
