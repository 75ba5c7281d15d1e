/* Doubles tokens. In its seventh firing, or the last, it does wrong what the parameter says. */
__kernel void copied(__global const int *in, __global int *out, __global uchar *bytes, long how)
{
    int i = get_local_id(0), first = 100 * get_group_id(0), firing = in[first] / 100 + 1;
    out += first;
    bytes += first;
    out[i] = 2 * in[first + i];
    bytes[i] = (uchar)in[first + i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (how == 1 && firing == 7)
        ((__global short *)bytes)[i] = (short)in[first + i];
    if (i > 0 || firing != (how == 9 ? 64 : 7))
        return;
    if (how == 2)
        out[102] = 1;
    if (how == 3)
        out[10000] = 1;
    if (how == 4)
        out[-2] = 1;
    if (how == 6)
        ((__global int *)in)[first + 3] = 1;
    if (how == 7)
        ((__global int *)in)[first + 101] = 1;
    if (how == 9)
        bytes[-4] = 1;
}
