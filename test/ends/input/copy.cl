kernel void copy(global const int *in, global int *out)
{
    size_t firing = get_group_id(0), k;
    for (k = get_local_id(0); k < TOKEN_in_RATE; k += get_local_size(0))
        out[firing * TOKEN_in_RATE + k] = in[firing * TOKEN_in_RATE + k];
}
