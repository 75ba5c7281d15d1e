/* taps.h: the taps of a filter, from the parameters `coefficients` and `file`. */
#ifndef PARTS_TAPS_H
#define PARTS_TAPS_H

#include "numbers.h"

/* How many of `count` taps this row has. No output may have a part of the others: 0 times what is
 * no number is none, either. */
static inline int taps_of_row(int count, int rows, int row)
{
    return (count - row + rows - 1) / rows;
}

/* Reads `count` taps as so many rows, one behind the other: tap k is in row k % rows. What a row
 * has too much stays as it is. After an error, which ends the program, all do. */
static inline void taps_get(float *taps, int count, int rows, DALProcess *p)
{
    int length = (count + rows - 1) / rows;
    double *numbers = malloc((size_t)count * sizeof(*numbers));

    if (!numbers)
        DAL_fail(p, "there is no memory for %d taps", count);
    else if (numbers_get(numbers, count, NUMBERS_BELOW(*taps), "coefficients", p))
        for (int k = 0; k < count; k++)
            taps[k % rows * length + k / rows] = (float)numbers[k];
    free(numbers);
}

#endif
