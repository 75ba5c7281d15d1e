__kernel void Meter(__global const int *sample)
{
    if (get_local_id(0) == 0)
        printf("sample %d\n", sample[get_group_id(0)]);
}
