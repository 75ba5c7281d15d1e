#ifndef END_H
#define END_H

#include <stdint.h>

struct _local_states {
    uint64_t checksum, tokens;
};

static void add_pair(LocalState s, const unsigned *pair)
{
    s->checksum = (s->checksum ^ pair[0]) * 0x100000001b3u;
    s->checksum = (s->checksum ^ pair[1]) * 0x100000001b3u;
    s->tokens++;
}

#endif
