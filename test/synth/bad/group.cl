__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void Middle(__global const int *in, __global int *out)
{
}
