kernel __attribute__((reqd_work_group_size(2, 1, 1))) void
Own(global const int *in, global int *out)
{
    int2 pair = vload2(get_global_id(0), in);

    vstore2(pair + 1, get_global_id(0), out);
}
