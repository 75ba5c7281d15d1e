/* As deal.c, with a detour through local memory. */
void hand_on(__global int *to, int number, uint phase, uint wanted)
{
    if (phase == wanted && get_local_id(0) == 0)
        to[0] = number;
}

__kernel void Deal(uint DAL_PHASE, __global int *y, __global int *x, __global const int *in, int zero)
{
    __local int kept[2];
    if (get_local_id(0) == get_local_size(0) - 1)
        kept[1] = in[0] + zero;
    barrier(CLK_LOCAL_MEM_FENCE);
    hand_on(x, kept[1], DAL_PHASE, 0);
    hand_on(y, kept[1], DAL_PHASE, TOKEN_y_RATE ? DAL_PHASE : 3);
}
