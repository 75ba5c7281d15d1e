/* reference: what the network does, as a plain loop. Prints what Report prints. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAL_WINDOW
enum { VAR_samples = 1024, VAR_threshold = 250, MOST = 32 };
#include "find.h"
#include "measure.h"

static uint32_t state = 1;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

static void make_block(int *block)
{
    static const int shape[] = {1, 3, 7, 9, 6, 2, 1};
    uint32_t pulses;

    for (int i = 0; i < VAR_samples; i++)
        block[i] = (int)(next() % 64);
    pulses = next() % 16;
    for (uint32_t i = 0; i < pulses; i++) {
        uint32_t from = next() % (VAR_samples - 7);
        int height = 20 + (int)(next() % 100);
        for (int k = 0; k < 7; k++)
            block[from + (uint32_t)k] += shape[k] * height;
    }
}

static uint64_t checksum;

static void add(const void *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++)
        checksum = (checksum ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3u;
}

static long do_block(const int *block)
{
    long pulses = 0, events = 0;

    for (int i = 0; i < VAR_samples && pulses < MOST; i++) {
        struct pulse pulse = {.at = i};
        struct event event;
        if (!is_peak(block, i))
            continue;
        pulses++;
        memcpy(pulse.samples, block + i - HALF, sizeof(pulse.samples));
        event = (struct event){i, block[i], area_of(&pulse), centre_of(&pulse)};
        if (!is_event(&pulse))
            continue;
        add(&event, sizeof(event));
        events++;
    }
    checksum = (checksum ^ (uint64_t)events) * 0x100000001b3u;
    return events;
}

int main(int argc, char **argv)
{
    long blocks = argc > 1 ? atol(argv[1]) : 1000, events = 0;
    int block[VAR_samples];

    for (long b = 0; b < blocks; b++) {
        make_block(block);
        events += do_block(block);
    }
    printf("%ld events in %ld blocks, checksum %016llx\n", events, blocks,
           (unsigned long long)checksum);
    return 0;
}
