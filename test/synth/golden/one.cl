kernel void One(global const int *in, global int *out)
{
    size_t i;

    for (i = 0; i < 8; i++)
        out[8 * get_group_id(0) + i] = in[8 * get_group_id(0) + i] + 1;
}
