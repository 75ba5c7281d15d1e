/* RDS: "Specification of the radio data system", IEC 62106. Groups have four blocks of 26 bits: 16
 * of information, and 10 that check them. What is added to those ten tells which block it is. */
#ifndef RDS_H
#define RDS_H

#include <stdint.h>

enum { BLOCKS = 4, BLOCK_BITS = 26, CHECK_BITS = 10, SAMPLES_A_BIT = 192 };
enum { VERSION_B = 0x800 };   /* in the second block */
enum { END = '\r' };          /* of a text that leaves room */
#define MULTIPLEX_HZ 228000.0 /* 192 samples for each of 1187.5 bits */
#define PI           3.14159265358979

/* What is added to a block of a group whose second block is this. */
static inline uint32_t rds_offset(int block, uint32_t second)
{
    static const uint32_t offsets[BLOCKS] = {0x0fc, 0x198, 0x168, 0x1b4};

    return block == 2 && second & VERSION_B ? 0x350 : offsets[block];
}

/* The remainder of a block's information, moved up by ten bits: x^10 + x^8 + x^7 + x^5 + x^4 + x^3
 * + 1 divides it. */
static inline uint32_t rds_check(uint32_t information)
{
    uint32_t rest = information << CHECK_BITS;

    for (int bit = BLOCK_BITS - 1; bit >= CHECK_BITS; bit--)
        if (rest & 1u << bit)
            rest ^= 0x5b9u << (bit - CHECK_BITS);
    return rest;
}

#endif
