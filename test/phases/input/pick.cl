/* As pick.c. A work-item writes what is its. */
__kernel void Pick(__global const int *in, __global int *out, int DAL_PHASE)
{
    size_t k;
    for (k = get_local_id(0); k < TOKEN_out_RATE; k += get_local_size(0))
        out[get_group_id(0) * TOKEN_out_RATE + k] = in[get_group_id(0)] + (int)k * 1000 * DAL_PHASE;
}
