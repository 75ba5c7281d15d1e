/* Why FFmpeg's libraries cannot go on, for the message that a part's process gives. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include <libavutil/error.h>
#include <stdio.h>

enum { WHY_BYTES = 200 };

/* Keep the meaning of a code of the libraries, or a text. Return -1. */
static inline int refuse_code(char why[WHY_BYTES], int code)
{
    av_strerror(code, why, WHY_BYTES);
    return -1;
}

static inline int refuse_text(char why[WHY_BYTES], const char *text)
{
    snprintf(why, WHY_BYTES, "%s", text);
    return -1;
}

#endif
