/* Tokens as a user sees them: where two differ, and what an element is, by its type. Any thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DAL_TOKENS_SAME SIZE_MAX

/* A packet has a count of its tokens in front (include/counted.h), and room behind these. */
struct dal_token_type {
    const char *name;     /* of C, of an element; NULL or "" where it is not known */
    char kind;            /* 'i', 'u' integers, 'f' real, 'V' anything else */
    uint64_t count;       /* elements of a token, or of one in a packet */
    uint64_t token_bytes; /* of a packet, its bytes */
    uint64_t most;        /* tokens of a packet; else 0, and so are the bytes in front of them */
    uint64_t header_bytes;
};

/* Returns the bytes of an element: one where the type is not known. */
size_t dal_token_element(const struct dal_token_type *type);

/* Returns the bytes of a token that have a meaning. */
size_t dal_token_used(const struct dal_token_type *type, const unsigned char *token);

/* Returns the first element in which two tokens differ; DAL_TOKENS_SAME without. Of packets, whose
 * counts may differ, it is the element behind the shorter one. */
size_t dal_token_difference(const struct dal_token_type *type, const unsigned char *a,
                            const unsigned char *b);

/* Returns the firing that gives a token, both counted from 0: firings give so many tokens, one
 * after the other and round again. */
uint64_t dal_token_firing(uint64_t token, const uint64_t *rates, size_t count);

/* Prints an element of each of two tokens, and of real numbers how far they are apart: "1.5 and
 * 1.25 (2097152 ULPs)". */
void dal_token_print(const struct dal_token_type *type, const unsigned char *a,
                     const unsigned char *b, size_t element, char *text, size_t room);
