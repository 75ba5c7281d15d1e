__kernel void table(__global const int *in, __global int *out, __constant short *few, __global const int *table)
{
    in += get_group_id(0) * TOKEN_in_RATE;
    out += get_group_id(0) * TOKEN_in_RATE;
    for (int i = get_local_id(0); i < TOKEN_in_RATE; i += get_local_size(0))
        out[i] = table[(uint)in[i] % CONSTANT_table_COUNT] + few[(uint)in[i] % CONSTANT_few_COUNT];
}
