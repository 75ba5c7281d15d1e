/* packets.h: another program that sends packets to this one, for networks and for loops by hand. */
#ifndef SYNTHETIC_PACKETS_H
#define SYNTHETIC_PACKETS_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first: sendmmsg() is wanted"
#endif

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two blocks of PACKETS are on the way. Linux has room for so many where it is asked for BUFFER. */
enum { PACKETS = 64, PACKET_BYTES = 1024, BUFFER = 212992 };

struct packets {
    int sender; /* its socket */
    int asked;  /* it reads here how often it shall send */
    uint32_t number;
    unsigned char bytes[PACKETS][PACKET_BYTES];
};

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

/* Goes to any core but this one, as far as there are others. */
static inline void packets_leave_core(void)
{
    cpu_set_t all;

    memset(&all, 0xff, sizeof(all));
    CPU_CLR(sched_getcpu(), &all);
    sched_setaffinity(0, sizeof(all), &all);
}

/* The sender: sends each time that it is asked, until nobody can ask any more. */
static inline void packets_serve(struct packets *p, int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    char asked;

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons((uint16_t)port);
    packets_leave_core();
    p->sender = socket(AF_INET, SOCK_DGRAM, 0);
    if (connect(p->sender, (struct sockaddr *)&at, sizeof(at)) != 0)
        return;
    while (read(p->asked, &asked, 1) == 1)
        packets_send(p);
}

/* Starts the sender of packets to a port of the loopback. Returns where it is asked, or -1. */
static inline int packets_start(int port)
{
    static struct packets packets;
    int ends[2];
    pid_t child = pipe(ends) == 0 ? fork() : -1;

    if (child == 0) {
        close(ends[1]);
        packets.asked = ends[0];
        packets_serve(&packets, port);
        _exit(0);
    }
    if (child < 0)
        return -1;
    close(ends[0]);
    return ends[1];
}

/* Asks for the next packets. */
static inline void packets_ask(int asked)
{
    if (write(asked, "", 1) != 1)
        perror("the sender of packets");
}

/* Ends the sender, and waits for that. */
static inline void packets_stop(int asked)
{
    close(asked);
    wait(NULL);
}

#endif
