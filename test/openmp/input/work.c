/* A loop and a sum that a team may share, and one that becomes vectors. */
#include "dal.h"

static int step(int number)
{
    unsigned i, value = (unsigned)number;
    for (i = 0; i < 500; i++)
        value = value * 2654435761u + i;
    return (int)(value >> 8);
}

int Work_fire(DALProcess *p)
{
    int i, numbers[64], results[65], sum = 0;
    float parts[64];
    DAL_read(PORT_in, numbers, sizeof(numbers), p);
#pragma omp parallel for reduction(+ : sum)
    for (i = 0; i < 64; i++) {
        results[i] = step(numbers[i]);
        sum += results[i] & 0xff;
    }
#pragma omp simd
    for (i = 0; i < 64; i++)
        parts[i] = 0.5f * (float)(results[i] & 0xffff);
    for (i = 0; i < 64; i++)
        results[i] ^= (int)parts[i];
    results[64] = sum;
    DAL_write(PORT_out, results, sizeof(results), p);
    return 0;
}
