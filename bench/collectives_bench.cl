/*
 * One collective of a work-group, for floats: as dal_collectives.h makes it, and by hand. Group
 * forms are called TIMES times, each with what comes out of the one before.
 */
#include "dal_collectives.h"

#pragma OPENCL FP_CONTRACT OFF

DAL_COLLECTIVE(float, add);

#define KERNEL(name)                                                                               \
    __kernel __attribute__((reqd_work_group_size(DAL_GROUP_ITEMS, 1, 1))) void name(               \
        __global const float *in, __global float *out, ulong n)
#define G DAL_GROUP_ITEMS

#ifdef DAL_LOCAL_VARIABLE /* in CUDA C++ */
#define LOCAL DAL_LOCAL_VARIABLE
#else
#define LOCAL __local
#endif

/* Sums stay near the values that they are of. Whoever uses local memory once more waits first. */
#define AGAIN(x, sum)                                                                              \
    do {                                                                                           \
        x = TIMES > 1 ? (sum) * (1.0f / G) : (sum);                                                \
    } while (0)
#define AGAIN_BY_HAND(x, sum)                                                                      \
    do {                                                                                           \
        AGAIN(x, sum);                                                                             \
        if (TIMES > 1)                                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
    } while (0)

KERNEL(reduce)
{
    DAL_SCRATCH(s);
    float value = in[get_global_id(0)];

    for (int time = 0; time < TIMES; time++)
        AGAIN(value, dal_group_reduce_add_float(value, s));
    out[get_global_id(0)] = value;
}

KERNEL(scan)
{
    DAL_SCRATCH(s);
    float value = in[get_global_id(0)];

    for (int time = 0; time < TIMES; time++)
        AGAIN(value, dal_group_inclusive_scan_add_float(value, s));
    out[get_global_id(0)] = value;
}

/* A tree in local memory, a barrier for each level. */
KERNEL(reduce_naive)
{
    LOCAL float x[G];
    const uint item = get_local_id(0);
    float value = in[get_global_id(0)];

    for (int time = 0; time < TIMES; time++) {
        x[item] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = G / 2; d; d /= 2) {
            if (item < d)
                x[item] += x[item + d];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        AGAIN_BY_HAND(value, x[0]);
    }
    out[get_global_id(0)] = value;
}

/* Hillis and Steele: two barriers for each level. */
KERNEL(scan_naive)
{
    LOCAL float x[G];
    const uint item = get_local_id(0);
    float value = in[get_global_id(0)];

    for (int time = 0; time < TIMES; time++) {
        x[item] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = 1; d < G; d *= 2) {
            float left = item >= d ? x[item - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            x[item] = value = value + left;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        AGAIN(value, value);
    }
    out[get_global_id(0)] = value;
}

/* One work-item adds them up, one after the other. */
KERNEL(reduce_one)
{
    LOCAL float x[G];
    LOCAL float sum;
    float value = in[get_global_id(0)];

    for (int time = 0; time < TIMES; time++) {
        x[get_local_id(0)] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0) {
            float all = 0;
            for (int i = 0; i < G; i++)
                all += x[i];
            sum = all;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        AGAIN(value, sum);
    }
    out[get_global_id(0)] = value;
}

KERNEL(scan_one)
{
    LOCAL float x[G];
    float value = in[get_global_id(0)];

    for (int time = 0; time < TIMES; time++) {
        x[get_local_id(0)] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            for (int i = 1; i < G; i++)
                x[i] += x[i - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        AGAIN(value, x[get_local_id(0)]);
    }
    out[get_global_id(0)] = value;
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
    LOCAL float x[G];
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
