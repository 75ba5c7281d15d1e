/*
 * frame.h: the two kinds of token that carry frames.
 *
 * packet: a compressed frame on its way to a decoder. A header with its length, then the JPEG.
 *         Length 0 says that the stream has ended in the middle of a round of the decoders.
 * image:  width * height grey bytes, row by row, then room up to the token's end. Its last
 *         FRAME_TRAILER bytes start with 1 when there is a picture and 0 when there is none; the
 *         zero bytes of an initial token are thus no picture.
 *
 * Every rate is fixed, so a stream whose length is no multiple of the decoders ends with tokens
 * that are empty. They travel through the network like any other, and Screen skips them.
 */
#ifndef MJPEG_FRAME_H
#define MJPEG_FRAME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FRAME_TRAILER 64 /* bytes; keeps images at multiples of 64 */
#define PACKET_HEADER 16 /* bytes */

static inline size_t packet_length(const unsigned char *packet)
{
    uint64_t length;
    memcpy(&length, packet, sizeof(length));
    return (size_t)length;
}

/* Returns where the JPEG goes. */
static inline unsigned char *packet_start(unsigned char *packet, size_t bytes)
{
    uint64_t length = bytes;
    memcpy(packet, &length, sizeof(length));
    return packet + PACKET_HEADER;
}

static inline int image_valid(const unsigned char *token, size_t token_bytes)
{
    return token[token_bytes - FRAME_TRAILER];
}

static inline void image_set_valid(unsigned char *token, size_t token_bytes, int valid)
{
    memset(token + token_bytes - FRAME_TRAILER, 0, FRAME_TRAILER);
    token[token_bytes - FRAME_TRAILER] = valid != 0;
}

#endif
