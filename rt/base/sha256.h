/*
 * SHA-256 (FIPS 180-4): a digest of some bytes, for names and checksums that do not collide by
 * chance. Any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { DAL_SHA256_BYTES = 32, DAL_SHA256_BLOCK = 64 };

struct dal_sha256 {
    uint32_t state[8];
    uint64_t bytes; /* added so far */
    unsigned char block[DAL_SHA256_BLOCK];
};

/* Begin a digest, add bytes piece by piece, and finish it, once. */
void dal_sha256_begin(struct dal_sha256 *sha);
void dal_sha256_add(struct dal_sha256 *sha, const void *data, size_t bytes);
void dal_sha256_end(struct dal_sha256 *sha, unsigned char digest[DAL_SHA256_BYTES]);

/* Writes the first `digits` hexadecimal digits of a digest, an even number, and a zero. */
void dal_sha256_hex(const unsigned char digest[DAL_SHA256_BYTES], int digits, char *text);
