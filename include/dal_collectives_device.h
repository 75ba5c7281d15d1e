/*
 * dal_collectives_device.h: the part of dal_collectives.h that depends on a device's compiler: the
 * path, and the functions of that path. It is not included by itself. All that asks for a device is
 * here, so dalsynth puts this text in front of a kernel and reads the rest once.
 *
 * DAL__PATH is one of the first five. A test defines it, and makes functions that a device lacks by
 * hand, before this is read.
 */
#ifndef DAL_COLLECTIVES_DEVICE_H
#define DAL_COLLECTIVES_DEVICE_H

#define DAL__TREE   0 /* a tree in local memory; needs nothing */
#define DAL__LEADER 1 /* one work-item does all */
#define DAL__WARPS  2 /* shuffles within 32 work-items that follow each other */
#define DAL__GROUPS 3 /* work-group functions of OpenCL C */
#define DAL__SUBS   4 /* sub-group functions of OpenCL C */

#if defined(__opencl_c_work_group_collective_functions)
#define DAL__HAS_GROUPS
#elif defined(__OPENCL_C_VERSION__)
#if __OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300
#define DAL__HAS_GROUPS
#endif
#endif

#ifndef DAL__PATH
#if defined(__CUDA_ARCH__)
#define DAL__PATH DAL__WARPS
#elif defined(__x86_64__) || defined(__aarch64__)
#define DAL__PATH DAL__LEADER
#elif defined(__NV_CL_C_VERSION)
#define DAL__PATH DAL__WARPS
#elif defined(DAL__HAS_GROUPS)
#define DAL__PATH DAL__GROUPS
#elif defined(cl_khr_subgroups) || defined(__opencl_c_subgroups)
#define DAL__PATH DAL__SUBS
#else
#define DAL__PATH DAL__TREE
#endif
#endif

/* ---- shuffles -------------------------------------------------------------------------------- */

/* The value x of work-item `from` of the warp. `lanes` is the mask of all in the warp, and all
 * ask. */
#ifndef DAL__SHUFFLE_WORD
#if DAL__PATH == DAL__WARPS
static inline __attribute__((always_inline, unused)) uint dal__shuffle(uint lanes, uint x,
                                                                       uint from)
{
#ifdef __CUDA_ARCH__
    return __shfl_sync(lanes, x, (int)from);
#else
    uint y;

    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;"
                     : "=r"(y)
                     : "r"(x), "r"(from), "r"(lanes));
    return y;
#endif
}

#define DAL__SHUFFLE_WORD(lanes, x, from) dal__shuffle(lanes, x, from)
#else
#define DAL__SHUFFLE_WORD(lanes, x, from) (x)
#endif
#endif

/* ---- work-group and sub-group functions ------------------------------------------------------ */

/* OpenCL has them for these operations. Of 0 and 1, the smaller is `land` and the larger `lor`. */
#define DAL__BUILT_IN_add  _add
#define DAL__BUILT_IN_min  _min
#define DAL__BUILT_IN_max  _max
#define DAL__BUILT_IN_land _min
#define DAL__BUILT_IN_lor  _max
#define DAL__BUILT_IN_mul  _add /* this one and those below are not called */
#define DAL__BUILT_IN_and  _add
#define DAL__BUILT_IN_or   _add
#define DAL__BUILT_IN_xor  _add
#define DAL__HAS_add       1
#define DAL__HAS_min       1
#define DAL__HAS_max       1
#define DAL__HAS_land      1
#define DAL__HAS_lor       1
#define DAL__HAS_mul       0
#define DAL__HAS_and       0
#define DAL__HAS_or        0
#define DAL__HAS_xor       0

/* Sums of unsigned integers wrap around. */
#define DAL__WITH_min(T) T
#define DAL__WITH_max(T) T
#define DAL__WITH_add(T) DAL__WITH_##T
#define DAL__WITH_int    uint
#define DAL__WITH_uint   uint
#define DAL__WITH_long   ulong
#define DAL__WITH_ulong  ulong
#define DAL__WITH_float  float
#define DAL__WITH_double double

#define DAL__CALL(name, T, OP, C, x)       DAL__CALL_OF(name, T, DAL__BUILT_IN##OP, C, x)
#define DAL__CALL_OF(name, T, OP, C, x)    DAL__CALL_NAMED(name, T, OP, C, x)
#define DAL__CALL_NAMED(name, T, OP, C, x) ((C)name##OP((DAL__WITH##OP(T))(x)))

/* Does this path have the operation, for all work-items of a group? And its result, or x. */
#define DAL__OF_DEVICE_INTEGER(OP)                                                                 \
    (((DAL__PATH == DAL__GROUPS) | (DAL__PATH == DAL__SUBS)) & DAL__HAS##OP)
#define DAL__OF_DEVICE_REAL(OP)        DAL__OF_DEVICE_INTEGER(OP)
#define DAL__OF_DEVICE_EXACT(OP)       0
#define DAL__OF_DEVICE_ORDERED(OP)     0
#define DAL__CALLED_INTEGER(result, x) (result)
#define DAL__CALLED_REAL(result, x)    (result)
#define DAL__CALLED_EXACT(result, x)   (x)
#define DAL__CALLED_ORDERED(result, x) (x)

/* The reduction over the group; the one over the work-items before, undefined for the first. */
#ifndef DAL__GROUP_REDUCE
#if DAL__PATH == DAL__GROUPS
#define DAL__GROUP_REDUCE(T, OP, C, x) DAL__CALL(work_group_reduce, T, OP, C, x)
#define DAL__GROUP_BEFORE(T, OP, C, x) DAL__CALL(work_group_scan_exclusive, T, OP, C, x)
#else
#define DAL__GROUP_REDUCE(T, OP, C, x) (x)
#define DAL__GROUP_BEFORE(T, OP, C, x) (x)
#endif
#endif

/* The first two of these for a sub-group of the device. PLACE is this work-item's number in it, and
 * SIZE the number of its work-items. NUMBER is the sub-group's own number, of COUNT. All sub-groups
 * but the last have MOST work-items. */
#ifndef DAL__SUB_REDUCE
#if DAL__PATH == DAL__SUBS
#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#define DAL__SUB_REDUCE(T, OP, C, x) DAL__CALL(sub_group_reduce, T, OP, C, x)
#define DAL__SUB_BEFORE(T, OP, C, x) DAL__CALL(sub_group_scan_exclusive, T, OP, C, x)
#define DAL__SUB_PLACE               get_sub_group_local_id()
#define DAL__SUB_SIZE                get_sub_group_size()
#define DAL__SUB_NUMBER              get_sub_group_id()
#define DAL__SUB_COUNT               get_num_sub_groups()
#define DAL__SUB_MOST                get_max_sub_group_size()
#else
#define DAL__SUB_REDUCE(T, OP, C, x) (x)
#define DAL__SUB_BEFORE(T, OP, C, x) (x)
#define DAL__SUB_PLACE               0
#define DAL__SUB_SIZE                1
#define DAL__SUB_NUMBER              0
#define DAL__SUB_COUNT               1
#define DAL__SUB_MOST                1
#endif
#endif

/* Is it true for any work-item of the group? */
#ifndef DAL__GROUP_ANY
#if DAL__PATH == DAL__WARPS && defined(__CUDA_ARCH__)
#define DAL__HAS_ANY       1
#define DAL__GROUP_ANY(is) __syncthreads_or(is)
#elif DAL__PATH == DAL__GROUPS
#define DAL__HAS_ANY       1
#define DAL__GROUP_ANY(is) work_group_any(is)
#else
#define DAL__HAS_ANY       0
#define DAL__GROUP_ANY(is) (is)
#endif
#endif

#endif
