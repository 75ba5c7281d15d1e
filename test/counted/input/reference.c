/* What stress.xml prints: a plain loop. */
#include <stdint.h>
#include <stdio.h>

enum { MOST = 13, FIRINGS = 3000 };

static uint64_t checksum, tokens;

static void add(uint32_t word)
{
    checksum = (checksum ^ word) * 0x100000001b3u;
}

static void do_firing(uint32_t *number, uint32_t count)
{
    uint32_t place = 0;

    for (uint32_t i = 0; i < count; i++, ++*number)
        for (int k = 0; k < 2 && *number % 3; k++, place++, tokens++) {
            add(*number);
            add(place);
        }
}

int main(void)
{
    uint32_t state = 7, number = 0;

    for (long fired = 1; fired <= FIRINGS; fired++) {
        uint32_t count;
        state = state * 1664525u + 1013904223u;
        count = (state >> 8) % (MOST + 1);
        if (fired < 100 && fired % 2)
            count = fired % 4 == 1 ? 0 : MOST;
        do_firing(&number, count);
    }
    printf("%llu tokens, checksum %016llx\n", (unsigned long long)tokens,
           (unsigned long long)checksum);
    return 0;
}
