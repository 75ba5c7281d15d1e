/* What the C sources of a random network share; see mix.h. */
#ifndef NODE_H
#define NODE_H

#include "dal.h"
#include <stdlib.h>
#include "mix.h"

static inline unsigned take(unsigned number, const unsigned char *in, size_t bytes)
{
    size_t k;

    for (k = 0; k < bytes; k++)
        number = MIX_BYTE(number, in[k]);
    return number;
}

static inline void give(unsigned number, unsigned port, unsigned char *out, size_t bytes)
{
    size_t k;

    for (k = 0; k < bytes; k++)
        out[k] = MIX_OUT(number, port, k);
}

#endif
