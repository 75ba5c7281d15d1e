#include "rt/base/sha256.h"

#include <string.h>

/* FIPS 180-4, section 4.2.2. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

/* FIPS 180-4, section 6.2.2, step 1. */
static void make_schedule(const unsigned char *block, uint32_t w[64])
{
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10) + w[t - 7] +
               (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[t - 16];
    }
}

/* Steps 2 to 4. v[] is a to h. */
static void hash_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[64], v[8];
    make_schedule(block, w);
    memcpy(v, state, sizeof(v));
    for (int t = 0; t < 64; t++) {
        uint32_t sum1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t one = v[7] + sum1 + choice + constants[t] + w[t];
        uint32_t sum0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += one;
        v[0] = one + sum0 + majority;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void dal_sha256_begin(struct dal_sha256 *sha)
{
    *sha = (struct dal_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                         0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void dal_sha256_add(struct dal_sha256 *sha, const void *data, size_t bytes)
{
    const unsigned char *from = data;
    while (bytes > 0) {
        size_t used = (size_t)(sha->bytes % DAL_SHA256_BLOCK), room = DAL_SHA256_BLOCK - used;
        size_t now = bytes < room ? bytes : room;
        memcpy(sha->block + used, from, now);
        sha->bytes += now;
        from += now;
        bytes -= now;
        if (now == room)
            hash_block(sha->state, sha->block);
    }
}

void dal_sha256_end(struct dal_sha256 *sha, unsigned char digest[DAL_SHA256_BYTES])
{
    static const unsigned char padding[DAL_SHA256_BLOCK] = {0x80};
    uint64_t bits = 8 * sha->bytes;
    size_t used = (size_t)(sha->bytes % DAL_SHA256_BLOCK);
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    dal_sha256_add(sha, padding, used < 56 ? 56 - used : 120 - used);
    dal_sha256_add(sha, length, sizeof(length));
    for (int i = 0; i < DAL_SHA256_BYTES; i++)
        digest[i] = (unsigned char)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}

void dal_sha256_hex(const unsigned char digest[DAL_SHA256_BYTES], int digits, char *text)
{
    static const char hex[] = "0123456789abcdef";
    int i;
    for (i = 0; i < digits; i++)
        text[i] = hex[digest[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[i] = '\0';
}
