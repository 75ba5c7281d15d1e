/*
 * ports.h: ports of networks that dalbench makes. Its options for the compiler are READS and
 * WRITES, lists of R(port,phases) and W(port,phases): bit k of `phases` is set if phase k has the
 * port. Both use `value` of the function around.
 */
#ifndef SYNTHETIC_PORTS_H
#define SYNTHETIC_PORTS_H

#include "patterns.h"

#define R(port, phases)                                                                            \
    if ((phases) >> DAL_PHASE & 1) {                                                               \
        const uint32_t *read = DAL_read_begin(PORT_##port, TOKEN_##port##_SIZE, 1, p);             \
        value = pattern_mix(value, *read);                                                         \
        DAL_read_end(PORT_##port, read, p);                                                        \
    }

/* The first and the last word: the others are what they are. */
#define W(port, phases)                                                                            \
    if ((phases) >> DAL_PHASE & 1) {                                                               \
        uint32_t *written = DAL_write_begin(PORT_##port, TOKEN_##port##_SIZE, 1, 1, 0, p);         \
        written[0] = written[TOKEN_##port##_SIZE / sizeof(*written) - 1] = value;                  \
        DAL_write_end(PORT_##port, written, p);                                                    \
    }

#endif
