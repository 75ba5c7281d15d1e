/* What the parts share that move packets of UDP: multicast, and sequence numbers. */
#ifndef PACKET_H
#define PACKET_H

#include "socket.h"

/* VAR_order is one of them. */
enum { big, little };

_Static_assert(VAR_width == 1 || VAR_width == 2 || VAR_width == 4 || VAR_width == 8,
               "width, the bytes of a sequence number, is 1, 2, 4 or 8");

/* The largest sequence number; the next one is 0. */
#define LARGEST_NUMBER (UINT64_MAX >> (64 - 8 * VAR_width))

static inline uint64_t get_number(const unsigned char *at)
{
    uint64_t number = 0;

    for (int i = 0; i < VAR_width; i++)
        number = number << 8 | at[VAR_order == big ? i : VAR_width - 1 - i];
    return number;
}

static inline void put_number(unsigned char *at, uint64_t number)
{
    for (int i = 0; i < VAR_width; i++)
        at[VAR_order == big ? VAR_width - 1 - i : i] = (unsigned char)(number >> 8 * i);
}

static inline int is_multicast(const struct addrinfo *to)
{
    if (to->ai_family == AF_INET6)
        return IN6_IS_ADDR_MULTICAST(&((const struct sockaddr_in6 *)to->ai_addr)->sin6_addr);
    return to->ai_family == AF_INET &&
           IN_MULTICAST(ntohl(((const struct sockaddr_in *)to->ai_addr)->sin_addr.s_addr));
}

/* Finds the network interface that the parameter names, for multicast. 0 is the system's choice.
 * Returns 0, or -1 after DAL_fail(). */
static inline int find_interface(uint32_t *index, DALProcess *p)
{
    const char *name = DAL_getParameter("interface", p);

    *index = name && *name ? if_nametoindex(name) : 0;
    if (!name || !*name || *index)
        return 0;
    DAL_fail(p, "interface %s: %s", name, strerror(errno));
    return -1;
}

#endif
