/* Receive: hands on the packets that come, and says at the end how many did not. */
#define _GNU_SOURCE /* recvmmsg() */
#include "dal.h"
#include "../common/packet.h"

#include <inttypes.h>
#include <linux/sock_diag.h>

enum { DATA = VAR_length * (int)sizeof(VAR_type), PACKET = VAR_header + DATA };

_Static_assert(VAR_length % VAR_token == 0, "a packet has whole tokens");
_Static_assert(PACKET <= 65507, "a packet of UDP has at most 65507 bytes");
_Static_assert(VAR_sequence < 0 || VAR_sequence + VAR_width <= PACKET,
               "the sequence number ends behind the packet");

struct _local_states {
    int fd;
    long count;
    double idle_s;
    int64_t last_ns; /* when packets came last; 0: never */
    uint64_t came, strange, lost, late;
    uint64_t next;    /* the sequence number that is due, after the first packet */
    uint64_t missing; /* bit i: next - 1 - i is lost so far */
    char address[ADDRESS_TEXT];
    struct mmsghdr messages[VAR_block];
    struct iovec pieces[VAR_block][2];
    unsigned char packets[VAR_block][PACKET];
    unsigned char spilled; /* of a longer packet */
};

/* ---- opening --------------------------------------------------------------------------------- */

static int fail_with(const char *what, DALProcess *p)
{
    DAL_fail(p, "%s: %s", what, strerror(errno));
    return -1;
}

/* Asks for the receive buffer; Linux tells twice what it gives. */
static int set_buffer(int fd, DALProcess *p)
{
    long wanted;
    int bytes, got = 0;
    socklen_t size = sizeof(got);

    if (DAL_getParameterInt("buffer", &wanted, p) != 0 || wanted == 0)
        return 0;
    bytes = wanted < 0 || wanted > INT32_MAX / 2 ? INT32_MAX / 2 : (int)wanted;
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) != 0 ||
        getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &got, &size) != 0)
        return fail_with("buffer", p);
    if (got / 2 < bytes)
        fprintf(stderr,
                "udp_in: the receive buffer has %d of %d bytes: net.core.rmem_max allows no more\n",
                got / 2, bytes);
    return 0;
}

/* Several programs may join one group. A group of IPv6 may be one of a link: its address gets the
 * interface. */
static int join(int fd, const struct addrinfo *group, DALProcess *p)
{
    const int yes = 1, level = group->ai_family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
    struct group_req request = {0};

    if (find_interface(&request.gr_interface, p) != 0)
        return -1;
    if (group->ai_family == AF_INET6 && request.gr_interface)
        ((struct sockaddr_in6 *)group->ai_addr)->sin6_scope_id = request.gr_interface;
    memcpy(&request.gr_group, group->ai_addr, group->ai_addrlen);
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
        setsockopt(fd, level, MCAST_JOIN_GROUP, &request, sizeof(request)) != 0)
        return fail_with(p->local->address, p);
    return 0;
}

static int open_socket(const struct addrinfo *at, DALProcess *p)
{
    const struct timeval look = {.tv_usec = LOOK_MS * 1000};
    LocalState s = p->local;

    write_address(at->ai_addr, at->ai_addrlen, s->address);
    s->fd = socket(at->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s->fd < 0 || setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof(look)) != 0)
        return fail_with(s->address, p);
    if (set_buffer(s->fd, p) != 0 || (is_multicast(at) && join(s->fd, at, p) != 0))
        return -1;
    if (bind(s->fd, at->ai_addr, at->ai_addrlen) != 0)
        return fail_with(s->address, p);
    return 0;
}

void Receive_init(DALProcess *p)
{
    LocalState s = p->local;
    struct addrinfo *at = find_addresses(SOCK_DGRAM, 1, p);
    double rate;
    long port;

    s->fd = -1;
    for (int i = 0; i < VAR_block; i++) {
        s->pieces[i][0] = (struct iovec){s->packets[i], PACKET};
        s->pieces[i][1] = (struct iovec){&s->spilled, 1};
        s->messages[i].msg_hdr = (struct msghdr){.msg_iov = s->pieces[i], .msg_iovlen = 2};
    }
    if (!at)
        return;
    if (DAL_getParameterDouble("rate", &rate, p) == 0)
        DAL_setClock(rate * (VAR_length / VAR_token), p);
    if (DAL_getParameterInt("count", &s->count, p) == 0 &&
        DAL_getParameterDouble("idle", &s->idle_s, p) == 0 && open_socket(at, p) == 0 &&
        DAL_getParameterInt("port", &port, p) == 0) {
        write_own_address(s->fd, s->address);
        if (port == 0)
            fprintf(stderr, "udp_in: receives at %s\n", s->address);
    }
    freeaddrinfo(at);
}

/* ---- receiving ------------------------------------------------------------------------------- */

/* A packet comes late or twice. It is lost no more if it is one of the last 64 and had not come. */
static void see_late(LocalState s, uint64_t behind)
{
    uint64_t bit = behind < 64 ? UINT64_C(1) << behind : 0;

    s->late++;
    s->lost -= (s->missing & bit) != 0;
    s->missing &= ~bit;
}

/* Counts what is missing in front of a packet. */
static void see_number(LocalState s, uint64_t number)
{
    uint64_t ahead = s->came ? (number - s->next) & LARGEST_NUMBER : 0;

    if (ahead > LARGEST_NUMBER / 2) {
        see_late(s, ~ahead & LARGEST_NUMBER);
        return;
    }
    s->lost += ahead;
    for (uint64_t i = 0; i <= ahead && i < 64; i++)
        s->missing = s->missing << 1 | 1;
    s->missing -= 1; /* this one is here */
    s->next = (number + 1) & LARGEST_NUMBER;
}

/* Moves what a packet has to the end of what those before have. Returns its bytes. */
static size_t take_packet(int i, unsigned char *end, LocalState s)
{
    unsigned char *data = s->packets[i] + VAR_header;

    if (s->messages[i].msg_len != PACKET) {
        s->strange++;
        return 0;
    }
    if (VAR_sequence >= 0)
        see_number(s, get_number(s->packets[i] + VAR_sequence));
    s->came++;
    if (data != end)
        memmove(end, data, DATA);
    return DATA;
}

/* Has nothing come for too long since a packet? */
static int is_silent(const struct _local_states *s)
{
    return s->idle_s > 0 && s->last_ns && 1e-9 * (double)(now_ns() - s->last_ns) >= s->idle_s;
}

int Receive_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint64_t left = s->count > 0 ? (uint64_t)s->count - s->came : VAR_block;
    unsigned char *first = s->packets[0], *end = first;
    const unsigned most = left < VAR_block ? (unsigned)left : VAR_block;
    int got;

    if (s->fd < 0)
        return 1;
    got = recvmmsg(s->fd, s->messages, most, MSG_WAITFORONE, NULL);
    if (got < 0 && is_too_early(errno))
        return is_silent(s);
    if (got < 0)
        return fail_with(s->address, p);
    s->last_ns = now_ns();
    for (int i = 0; i < got; i++)
        end += take_packet(i, end, s);
    if (end > first)
        DAL_write(PORT_out, first, (int)(end - first), p);
    return s->count > 0 && s->came == (uint64_t)s->count;
}

/* ---- the end --------------------------------------------------------------------------------- */

static uint64_t dropped_by_system(int fd)
{
    uint32_t memory[SK_MEMINFO_VARS] = {0};
    socklen_t size = sizeof(memory);

    return getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &size) == 0 ? memory[SK_MEMINFO_DROPS]
                                                                      : 0;
}

void Receive_finish(DALProcess *p)
{
    LocalState s = p->local;
    uint64_t dropped = s->fd >= 0 ? dropped_by_system(s->fd) : 0;

    if (s->lost || s->late)
        fprintf(stderr,
                "udp_in: %s: %" PRIu64 " packets came, %" PRIu64 " are lost, %" PRIu64
                " came late or twice\n",
                s->address, s->came, s->lost, s->late);
    if (dropped)
        fprintf(stderr,
                "udp_in: %s: the system dropped %" PRIu64
                " packets, since its receive buffer was full\n",
                s->address, dropped);
    if (s->strange)
        fprintf(stderr, "udp_in: %s: %" PRIu64 " packets did not have %d bytes, and were dropped\n",
                s->address, s->strange, PACKET);
    if (s->fd >= 0)
        close(s->fd);
}
