/* Square, for a device: one work-group is one firing, and has the tokens of its own number. The
 * last argument is the parameter of that name. */
__kernel void Square(__global const int *in, __global int *out, int add)
{
    size_t firing = get_group_id(0);

    if (get_local_id(0) == 0)
        out[firing] = in[firing] * in[firing] + add;
}
