/* What every process of a random network computes, in C and in OpenCL C alike: a number of all the
 * bytes it has read, and from that number every byte it writes. */
#ifndef MIX_H
#define MIX_H

#define MIX_START              2166136261u
#define MIX_BYTE(number, byte) (((number) ^ (unsigned)(byte)) * 16777619u)
#define MIX_OUT(number, port, at)                                                                  \
    ((unsigned char)(((((number) ^ ((port)*0x9e3779b9u)) + (unsigned)(at)*0x85ebca6bu) *           \
                      0xc2b2ae35u) >>                                                              \
                     24))

#endif
