/*
 * counted.h: the packet of a counted channel, for both ends and for the runtime. The unit of a
 * process with counted ports calls dal_counted_open() before fire and dal_counted_close() after it.
 *
 * A packet is a header of 32-bit words, with the tokens behind it.
 */
#ifndef DAL_COUNTED_H
#define DAL_COUNTED_H

#include "dal.h"

#ifdef __GNUC__ /* as in dal_unit.h */
#pragma GCC system_header
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum dal_packet_word {
    DAL_PACKET_COUNT, /* tokens behind the header; above the bound: the producer was wrong */
    DAL_PACKET_WRONG, /* a count above its bound that a kernel on the way has found, or 0 */
    DAL_PACKET_WAY,   /* and the inputs by which that came, the last one in the lowest bits: a
                         port's number and 1 each, in DAL_PACKET_STEP bits */
};
enum { DAL_PACKET_STEP = 4 };

/* A count that a kernel has not set (yet): it is above all bounds. */
#define DAL_PACKET_UNSET 0xda10c047u

/* A counted port. All members are 0 for other ports. */
struct dal_counted {
    size_t most;         /* tokens of a packet */
    size_t token_bytes;  /* of one token */
    size_t header_bytes; /* in front of the tokens */
    size_t packet_bytes;
};

/* Ends the network, since a packet that the process has read at a port tells of a wrong count. */
void dal_refuse_packet(int port, const unsigned char *packet, struct dal_process *process);
/* Ends the network, since a firing has written `bytes` bytes at a port, which are no whole
 * tokens. */
void dal_refuse_pieces(int port, size_t bytes, struct dal_process *process);
/* Ends the network, since a firing has begun a window at a port, and not ended it. */
void dal_refuse_begun(int port, struct dal_process *process);
/* Counts tokens that a firing has read or written, for statistics. Any thread that fires. */
void dal_count_tokens(int port, size_t tokens, struct dal_process *process);

/* Makes the windows of counted ports, so far packets, those of the packets' tokens. Returns 0 where
 * a packet tells of a wrong count: then fire is not called. */
static __inline__ int dal_counted_open(struct dal_activation *a, const struct dal_counted *ports,
                                       int count)
{
    int k, good = 1;
    for (k = 0; k < count; k++) {
        struct dal_window *w = &a->windows[k];
        const unsigned *header = (const unsigned *)(const void *)w->firing;
        size_t tokens = ports[k].most;
        if (!tokens)
            continue;
        if (!w->must && (header[DAL_PACKET_COUNT] > tokens || header[DAL_PACKET_WRONG])) {
            dal_refuse_packet(k, w->firing, a->process);
            good = 0;
        } else if (!w->must) {
            tokens = header[DAL_PACKET_COUNT];
            dal_count_tokens(k, tokens, a->process);
        }
        w->firing += ports[k].header_bytes;
        w->bytes = tokens * ports[k].token_bytes;
        w->token = ports[k].token_bytes;
    }
    a->failed |= !good;
    return good;
}

/* Ends the packet of an output: its count is the number of tokens written. A last firing sends a
 * packet only if it has written a byte, or ended a window, or called DAL_set_count. */
static __inline__ void dal_counted_write(struct dal_activation *a, const struct dal_counted *port,
                                         int k, int status)
{
    struct dal_window *w = &a->windows[k];
    unsigned *header = (unsigned *)(void *)w->firing;
    if (w->astray || w->done % port->token_bytes) {
        dal_refuse_pieces(k, w->done, a->process);
        a->failed = 1;
    } else if (status == 0 && w->begun) {
        dal_refuse_begun(k, a->process);
        a->failed = 1;
    } else if (status == 0 || w->done || w->reach || w->said) {
        header[DAL_PACKET_COUNT] = (unsigned)(w->done / port->token_bytes);
        header[DAL_PACKET_WRONG] = header[DAL_PACKET_WAY] = 0;
        dal_count_tokens(k, w->done / port->token_bytes, a->process);
        w->done = port->packet_bytes;
    }
}

/* Makes the windows packets again, after fire has returned `status`. */
static __inline__ void dal_counted_close(struct dal_activation *a, const struct dal_counted *ports,
                                         int count, int status)
{
    int k;
    for (k = 0; k < count; k++) {
        struct dal_window *w = &a->windows[k];
        if (!ports[k].most)
            continue;
        w->firing -= ports[k].header_bytes;
        w->bytes = ports[k].packet_bytes;
        w->token = 0;
        if (w->must && !a->failed)
            dal_counted_write(a, &ports[k], k, status);
    }
}

#ifdef __cplusplus
}
#endif
#endif
