kernel void Any(global const int *in, global int *out)
{
    size_t token = get_group_id(0), i;

    for (i = get_local_id(0); i < 4; i += get_local_size(0))
        out[4 * token + i] = in[4 * token + i] + 1;
}
