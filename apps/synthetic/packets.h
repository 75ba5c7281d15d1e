/* packets.h: packets that are sent to this machine itself, for networks and for loops by hand. */
#ifndef SYNTHETIC_PACKETS_H
#define SYNTHETIC_PACKETS_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first: sendmmsg() is wanted"
#endif

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PACKETS = 64, PACKET_BYTES = 1024 }; /* a system buffer of any size has room for so many */

struct packets {
    int sender, receiver; /* the second -1: another has it */
    uint32_t number;      /* of the next packet */
    unsigned char bytes[PACKETS][PACKET_BYTES];
};

/* Opens the sockets for a port of the loopback. Returns 0 or -1. */
static inline int packets_open(struct packets *p, int port, int receives)
{
    struct sockaddr_in at = {0};

    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons((uint16_t)port);
    p->receiver = receives ? socket(AF_INET, SOCK_DGRAM, 0) : -1;
    if (receives && bind(p->receiver, (struct sockaddr *)&at, sizeof(at)) != 0)
        return -1;
    p->sender = socket(AF_INET, SOCK_DGRAM, 0);
    return connect(p->sender, (struct sockaddr *)&at, sizeof(at));
}

/* Sends a packet until somebody is there who receives it. */
static inline void packets_meet(struct packets *p)
{
    int error = 1;
    socklen_t size = sizeof(error);

    while (error) {
        send(p->sender, p->bytes[0], PACKET_BYTES, 0);
        usleep(10000);
        getsockopt(p->sender, SOL_SOCKET, SO_ERROR, &error, &size);
    }
}

/* Sends PACKETS of them, with their numbers in front. */
static inline void packets_send(struct packets *p)
{
    struct mmsghdr messages[PACKETS];
    struct iovec pieces[PACKETS];
    int is_first = p->number == 0, sent = is_first, now, i;

    memset(messages, 0, sizeof(messages));
    for (i = 0; i < PACKETS; i++) {
        memcpy(p->bytes[i], &p->number, sizeof(p->number));
        p->number++;
        pieces[i].iov_base = p->bytes[i];
        pieces[i].iov_len = PACKET_BYTES;
        messages[i].msg_hdr.msg_iov = &pieces[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    if (is_first)
        packets_meet(p);
    while (sent < PACKETS) {
        now = sendmmsg(p->sender, messages + sent, (unsigned)(PACKETS - sent), 0);
        sent += now > 0 ? now : 0;
    }
}

#endif
