/* Send: makes packets of what comes, and sends as many at once as are there. */
#define _GNU_SOURCE /* sendmmsg() */
#include "dal.h"
#include "../common/packet.h"

enum { DATA = VAR_length * (int)sizeof(VAR_type), PACKET = VAR_header + DATA };

_Static_assert(VAR_length % VAR_token == 0, "a packet has whole tokens");
_Static_assert(PACKET <= 65507, "a packet of UDP has at most 65507 bytes");
_Static_assert(VAR_sequence < 0 || VAR_sequence + VAR_width <= VAR_header,
               "the sequence number is no part of the header");

struct _local_states {
    int fd;
    uint64_t number; /* of the next packet */
    int is_refused;  /* the system has told that nobody receives */
    char address[ADDRESS_TEXT];
    struct mmsghdr messages[VAR_block];
    struct iovec pieces[VAR_block];
    unsigned char packets[VAR_block][PACKET];
};

static int fail_with_error(DALProcess *p)
{
    DAL_fail(p, "%s: %s", p->local->address, strerror(errno));
    return -1;
}

static int set_multicast(int fd, int domain, DALProcess *p)
{
    struct ip_mreqn interface = {0};
    uint32_t index;
    long wanted;
    int hops, status;

    if (find_interface(&index, p) != 0 || DAL_getParameterInt("hops", &wanted, p) != 0)
        return -1;
    hops = (int)wanted;
    interface.imr_ifindex = (int)index;
    if (domain == AF_INET6)
        status = setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof(index)) |
                 setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof(hops));
    else
        status = setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof(interface)) |
                 setsockopt(fd, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof(hops));
    return status == 0 ? 0 : fail_with_error(p);
}

/* Of a name with several addresses the first one of IPv4 is taken, where udp_in listens if nothing
 * else is said; without one, the first. */
static const struct addrinfo *choose_address(const struct addrinfo *all)
{
    const struct addrinfo *to = all;

    while (to && to->ai_family != AF_INET)
        to = to->ai_next;
    return to ? to : all;
}

static int open_socket(const struct addrinfo *to, DALProcess *p)
{
    LocalState s = p->local;

    write_address(to->ai_addr, to->ai_addrlen, s->address);
    s->fd = socket(to->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s->fd < 0)
        return fail_with_error(p);
    if (is_multicast(to) && set_multicast(s->fd, to->ai_family, p) != 0)
        return -1;
    return connect(s->fd, to->ai_addr, to->ai_addrlen) == 0 ? 0 : fail_with_error(p);
}

void Send_init(DALProcess *p)
{
    LocalState s = p->local;
    struct addrinfo *to = find_addresses(SOCK_DGRAM, 0, p);

    s->fd = -1;
    for (int i = 0; i < VAR_block; i++) {
        s->pieces[i] = (struct iovec){s->packets[i], PACKET};
        s->messages[i].msg_hdr = (struct msghdr){.msg_iov = &s->pieces[i], .msg_iovlen = 1};
    }
    if (!to)
        return;
    open_socket(choose_address(to), p);
    freeaddrinfo(to);
}

/* Waits for a packet, and takes the others that are there. Returns how many there are. */
static int gather(DALProcess *p)
{
    LocalState s = p->local;
    int count = 0;

    do {
        unsigned char *packet = s->packets[count++];
        DAL_read(PORT_in, packet + VAR_header, DATA, p);
        if (VAR_sequence >= 0)
            put_number(packet + VAR_sequence, s->number++);
    } while (count < VAR_block && DAL_rtest(PORT_in, DATA, p) == 1);
    return count;
}

/* Waits until the system takes packets again. Its queue may be full though the socket is not. */
static void await_queue(int fd)
{
    const struct timespec nap = {0, 1000000};

    if (errno == ENOBUFS)
        nanosleep(&nap, NULL);
    else
        await_socket(fd, POLLOUT);
}

int Send_fire(DALProcess *p)
{
    LocalState s = p->local;
    int count = gather(p), sent = 0;

    while (sent < count && !DAL_has_failed(p)) {
        int now = sendmmsg(s->fd, s->messages + sent, (unsigned)(count - sent), 0);
        if (now > 0)
            sent += now;
        else if (errno == ECONNREFUSED) /* is about a packet before: this one was not sent */
            s->is_refused = 1;
        else if (is_too_early(errno) || errno == ENOBUFS)
            await_queue(s->fd);
        else
            return fail_with_error(p);
    }
    return 0;
}

void Send_finish(DALProcess *p)
{
    LocalState s = p->local;
    int error = 0;
    socklen_t size = sizeof(error);

    if (s->fd >= 0 && getsockopt(s->fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0)
        s->is_refused |= error == ECONNREFUSED; /* about the last packets */
    if (s->is_refused)
        fprintf(stderr, "udp_out: %s: nobody received what was sent\n", s->address);
    if (s->fd >= 0)
        close(s->fd);
}
