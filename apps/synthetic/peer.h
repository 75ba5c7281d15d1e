/*
 * peer.h: what programs without dal share that dalbench runs beside networks on many cores:
 * arguments, cores and clock.
 */
#ifndef SYNTHETIC_PEER_H
#define SYNTHETIC_PEER_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PEER_CORES = 256 };

struct peer {
    long tokens, steps;
    int count; /* of cores */
    int cores[PEER_CORES];
};

/* Takes NAME=NUMBER if it is that. */
static inline void peer_take(const char *text, const char *name, long *value)
{
    size_t length = strlen(name);

    if (strncmp(text, name, length) == 0 && text[length] == '=')
        *value = strtol(text + length + 1, NULL, 10);
}

/* Takes `-p tokens=1000 -p steps=10 -p cores=0,1,5`; tasks are tokens. */
static inline void peer_start(struct peer *peer, int argc, char **argv)
{
    char *text;
    int i;

    peer->tokens = 1000;
    peer->steps = 1;
    peer->count = 0;
    for (i = 1; i < argc; i++) {
        peer_take(argv[i], "tokens", &peer->tokens);
        peer_take(argv[i], "tasks", &peer->tokens);
        peer_take(argv[i], "steps", &peer->steps);
        if (strncmp(argv[i], "cores=", 6) != 0)
            continue;
        for (text = argv[i] + 5; *text && peer->count < PEER_CORES;)
            peer->cores[peer->count++] = (int)strtol(text + 1, &text, 10);
    }
}

/* Binds the calling thread to some of the cores. */
static inline void peer_pin(const struct peer *peer, int first, int count)
{
    cpu_set_t set;
    int i;

    CPU_ZERO(&set);
    for (i = first; i < first + count && i < peer->count; i++)
        CPU_SET(peer->cores[i], &set);
    if (peer->count > 0 && sched_setaffinity(0, sizeof(set), &set) != 0)
        perror("sched_setaffinity");
}

static inline int64_t peer_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Processor time that this program has had. */
static inline int64_t peer_used(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
