/* Functions that are called after the process, not after the file. */
#include <dol.h>

#define N 3
#define M 2

int feed_fire(DOLProcess *p)
{
    CREATEPORTVAR(port);
    int i, j, round;
    for (round = 0; round < 5; round++)
        for (i = 0; i < N; i++)
            for (j = 0; j < M; j++) {
                int seed = 100 * round + 10 * i + j;
                CREATEPORT(port, "seed", 2, i, N, j, M);
                DOL_write((void *)port, &seed, sizeof(seed), p);
            }
    DOL_detach(p);
    return -1;
}
