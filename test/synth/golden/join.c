#include "dal.h"

#include <math.h>

static int sum(const int *row)
{
    int k, sum = 0;

    for (k = 0; k < VAR_row; k++)
        sum += row[k];
    return sum;
}

int Join_fire(DALProcess *p)
{
    int *a = DAL_read_begin(PORT_in_0, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int *b = DAL_read_begin(PORT_in_1, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int state[4], result = (int)floor(sum(a) + sum(b));

    DAL_read_end(PORT_in_0, a, p);
    DAL_read_end(PORT_in_1, b, p);
    DAL_read(PORT_state, state, sizeof(state), p);
    result += state[0];
    state[0]++;
    DAL_write(PORT_next, state, sizeof(state), p);
    DAL_write(PORT_sum, &result, sizeof(result), p);
    return 0;
}
