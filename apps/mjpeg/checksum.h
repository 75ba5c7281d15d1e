/*
 * checksum.h: FNV-1a with 64 bits over what Screen sees, eight bytes a step.
 *
 * A picture's bytes are taken as 64-bit words of the machine, the rest byte by byte; each step is
 * a bijection of the sum, so any single difference shows.
 */
#ifndef MJPEG_CHECKSUM_H
#define MJPEG_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)
#define CHECKSUM_PRIME UINT64_C(0x100000001b3)

static inline uint64_t checksum_add(uint64_t sum, const unsigned char *bytes, size_t count)
{
    uint64_t word;

    for (; count >= sizeof(word); count -= sizeof(word), bytes += sizeof(word)) {
        memcpy(&word, bytes, sizeof(word));
        sum = (sum ^ word) * CHECKSUM_PRIME;
    }
    for (; count > 0; count--, bytes++)
        sum = (sum ^ *bytes) * CHECKSUM_PRIME;
    return sum;
}

#endif
