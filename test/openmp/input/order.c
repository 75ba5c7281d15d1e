/* Sums whose last bits depend on the order, and others. */
#include "dal.h"

int Order_fire(DALProcess *p)
{
    float numbers[64], sum = 0, most = 0, lanes = 0;
    int i, count = 0;
    double both[2] = {0, 0};
    DAL_read(PORT_in, numbers, sizeof(numbers), p);
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum, count)
        for (i = 0; i < 64; i++) {
            sum += numbers[i];
            count++;
        }
    }
#pragma omp parallel for reduction(max : most) reduction(* : both)
    for (i = 0; i < 64; i++) {
        most = numbers[i] > most ? numbers[i] : most;
        both[i & 1] *= numbers[i];
    }
#pragma omp simd reduction(+ : lanes)
    for (i = 0; i < 64; i++)
        lanes += numbers[i];
    numbers[0] = sum + most + lanes + (float)both[0] + (float)count;
    DAL_write(PORT_out, numbers, sizeof(numbers[0]), p);
    return 0;
}
