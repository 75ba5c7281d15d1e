/* One collective of a work-group, for floats: as dal_collectives.h makes it, and by hand. */
#include "dal_collectives.h"

#pragma OPENCL FP_CONTRACT OFF

DAL_COLLECTIVE(float, add);

#define KERNEL(name)                                                                               \
    __kernel __attribute__((reqd_work_group_size(DAL_GROUP_ITEMS, 1, 1))) void name(               \
        __global const float *in, __global float *out, ulong n)
#define G DAL_GROUP_ITEMS

KERNEL(reduce)
{
    DAL_SCRATCH(s);
    out[get_global_id(0)] = dal_group_reduce_add_float(in[get_global_id(0)], s);
}

KERNEL(scan)
{
    DAL_SCRATCH(s);
    out[get_global_id(0)] = dal_group_inclusive_scan_add_float(in[get_global_id(0)], s);
}

/* A tree in local memory, a barrier for each level. */
KERNEL(reduce_naive)
{
    __local float x[G];
    const uint item = get_local_id(0);

    x[item] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = G / 2; d; d /= 2) {
        if (item < d)
            x[item] += x[item + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x[0];
}

/* Hillis and Steele: two barriers for each level. */
KERNEL(scan_naive)
{
    __local float x[G];
    const uint item = get_local_id(0);
    float sum = in[get_global_id(0)];

    x[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < G; d *= 2) {
        float left = item >= d ? x[item - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        x[item] = sum = sum + left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

/* One work-item adds them up, one after the other. */
KERNEL(reduce_one)
{
    __local float x[G], sum;

    x[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        float all = 0;
        for (int i = 0; i < G; i++)
            all += x[i];
        sum = all;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum;
}

KERNEL(scan_one)
{
    __local float x[G];

    x[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        for (int i = 1; i < G; i++)
            x[i] += x[i - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = x[get_local_id(0)];
}

/* Each work-group has n values. */
#define PART get_group_id(0) * n

KERNEL(joint)
{
    DAL_SCRATCH(s);
    float sum = dal_joint_reduce_add_float(in + PART, n, 0, s);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sum;
}

KERNEL(joint_any)
{
    DAL_SCRATCH(s);
    float sum = dal_joint_reduce_any_order_add_float(in + PART, n, 0, s);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = sum;
}

KERNEL(joint_scan)
{
    DAL_SCRATCH(s);
    dal_joint_inclusive_scan_add_float(in + PART, out + PART, n, s);
}

/* Strides of the group, then the tree. */
KERNEL(joint_naive)
{
    __local float x[G];
    const uint item = get_local_id(0);
    float sum = 0;

    for (ulong i = item; i < n; i += G)
        sum += in[PART + i];
    x[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = G / 2; d; d /= 2) {
        if (item < d)
            x[item] += x[item + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(0)] = x[0];
}

KERNEL(joint_one)
{
    if (get_local_id(0) == 0) {
        float sum = 0;
        for (ulong i = 0; i < n; i++)
            sum += in[PART + i];
        out[get_group_id(0)] = sum;
    }
}

KERNEL(joint_scan_one)
{
    if (get_local_id(0) == 0) {
        float sum = 0;
        for (ulong i = 0; i < n; i++) {
            sum += in[PART + i];
            out[PART + i] = sum;
        }
    }
}
