/*
 * Count: counts the images, and looks at some bytes of each; at all with the parameter checksum=1.
 * It tells the time from the first image to the last.
 */
#include "dal.h"
#include "checksum.h"
#include "frame.h"

#include <time.h>

#define PIXELS ((size_t)VAR_width * VAR_height)

struct _local_states {
    long checksum;
    long images;
    uint64_t sum;
    int64_t start; /* ns */
};

static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void Count_init(DALProcess *p)
{
    DAL_getParameterInt("checksum", &p->local->checksum, p);
    p->local->sum = CHECKSUM_START;
}

int Count_fire(DALProcess *p)
{
    LocalState s = p->local;
    const unsigned char *image = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    if (!image)
        return 1;
    if (s->images == 0)
        s->start = now();
    s->images++;
    s->sum = checksum_add(s->sum, image, s->checksum ? PIXELS : 64);
    DAL_read_end(PORT_in, image, p);
    return 0;
}

void Count_finish(DALProcess *p)
{
    LocalState s = p->local;

    DAL_printf("tokens %ld ns %lld sum %016llx\n", s->images, (long long)(now() - s->start),
               (unsigned long long)s->sum);
}
