/*
 * dal_collectives.h: computations of all work-items of a firing together: reductions, scans,
 * broadcasts, votes. Sources in C, portable sources, and kernels in OpenCL C can use them. A source
 * declares at its top what it uses, once for each pair:
 *
 *     DAL_COLLECTIVE(float, add)          functions for this type and operation
 *     DAL_COLLECTIVE_OF(uint, gcd, 0u)    the same for an operation of the source's own
 *     DAL_COLLECTIVE_VOTE(int, is_hot)    any, all and none of a range, by what is_hot(x) says
 *     DAL_COLLECTIVE_MOVES(float)         broadcast and shift, for this type (OpenCL C)
 *     DAL_COLLECTIVE_TYPE(line)           a typedef of the source's own is a type from here on
 *
 * Types: char, uchar, short, ushort, int, uint, long, ulong, float, and double where the device has
 * it; and their vectors of 2, 3, 4, 8 and 16, element by element (not on CUDA, which has none).
 * C has them as dal_long (64 bits), dal_float4 and so on, OpenCL C too. The fourth element of a
 * vector of 3 may be anything. Operations: add, mul, min, max, land, lor (logical, of 0 and 1), and
 * of integers and, or, xor. Integers wrap around; no overflow is undefined.
 *
 * An operation of one's own is a function or a macro of two values, and has an identity: a value
 * that changes no other. It must be associative: (a, (b, c)) is ((a, b), c). Operands keep their
 * places, so it need not be commutative, but for the forms in any order.
 *
 * Joint forms go through a range in memory. All work-items of the work-group call them, with the
 * same arguments, and all get the result. A core does the same alone. n may be 0.
 *
 *     DAL_SCRATCH(s);                                         in the outermost block of the kernel
 *     dal_joint_reduce_add_float(in, n, init, s)              init + (in[0] + .. + in[n - 1])
 *     dal_joint_inclusive_scan_add_float(in, out, n, s)       out[i] = in[0] + .. + in[i]
 *     dal_joint_exclusive_scan_add_float(in, out, n, init, s) the same of what is before: out[0] =
 *                                                             init, then init + (in[0] + ..)
 *     dal_joint_reduce_any_order_add_float(in, n, init, s)    see below
 *     dal_joint_any_of_is_hot_int(in, n, s)                   also all_of and none_of; of no
 *                                                             values, all and none are true
 *
 * A scan may be in place (in == out). A call sees what the work-items have written to the range
 * before, and all see what the scan has written.
 *
 * Group forms combine one value of each work-item, in the order of their numbers. They are of
 * OpenCL C alone. All work-items of the work-group have to reach the call, with the same init,
 * `from` and `by`.
 *
 *     dal_group_reduce_add_float(x, s)                 the same result for all
 *     dal_group_inclusive_scan_add_float(x, s)
 *     dal_group_exclusive_scan_add_float(x, init, s)
 *     dal_group_broadcast_float(x, from, s)            x of work-item `from`
 *     dal_group_shift_float(x, by, fill, s)            x of the item `by` before, or `fill`
 *     dal_group_any_of(is, s)                          also all_of and none_of
 *
 * dal_sub_... are the same within each sub-group: DAL_SUB_ITEMS work-items that follow each other,
 * the last sub-group perhaps with fewer. That is so on every device, whatever its own sub-groups
 * are. All work-items of the work-group have to reach the call.
 *
 * A work-item's number counts as get_local_linear_id() does. DAL_GROUP_ITEMS is their number.
 * dalsynth defines it, and knows from DAL_SCRATCH how much local memory a kernel needs. Without
 * dalsynth, define it with the kernel's reqd_work_group_size. One scratch serves all calls of a
 * kernel, one after the other, of any type up to 8 bytes. Where a type is larger, define
 * DAL_SCRATCH_TYPE as the largest in front of the #include, or in the cflags: float4, ulong8. It
 * is a type of OpenCL C.
 *
 * The order is fixed, so floating point gives the same bytes on every device, for every number of
 * work-items and on cores: n > 1 values are the first 2^k of them, and the others, combined; 2^k is
 * the largest power of two below n. Both parts are made in the same way, and operands keep their
 * places. A scan's value i is that of the first i + 1 values. min and max are (b < a ? b : a) and
 * (a < b ? b : a). any_order alone may combine in another order on each device: it is faster on
 * GPUs. Its integers are the same everywhere.
 *
 * How it is done depends on the device's compiler (dal_collectives_device.h): on cores one
 * work-item does all of it in vectors (Wuensche 2021). On NVIDIA's GPUs warps shuffle. Elsewhere,
 * where the compiler has work-group or sub-group functions, those do integers of 32 and 64 bits and
 * any_order: add, min, max, land and lor, and any, all, none. For the rest, and without them, there
 * is a tree in local memory (Sklansky 1960). -DDAL_COLLECTIVES_PORTABLE as a
 * cflag of the source takes that tree everywhere.
 */
#ifndef DAL_COLLECTIVES_H
#define DAL_COLLECTIVES_H

/* As in dal.h. In front of a kernel, this text is no header. */
#if defined(__GNUC__) && !defined(DAL__DEVICE_IN_FRONT)
#pragma GCC system_header
#pragma GCC diagnostic ignored "-Wpsabi" /* of large vectors: all functions are inlined */
#endif

#define DAL__DEFINE     static inline __attribute__((always_inline, unused))
#define DAL__LESS(a, b) ((a) < (b) ? (a) : (b))
#define DAL__ONES(n)                                                                               \
    ((n) | (n) >> 1 | (n) >> 2 | (n) >> 3 | (n) >> 4 | (n) >> 5 | (n) >> 6 | (n) >> 7 | (n) >> 8 | \
     (n) >> 9 | (n) >> 10)
/* The largest power of two up to n, which is less than 2048; 1 for 0. */
#define DAL__POWER_BELOW(n) ((DAL__ONES((n) | 1) + 1) / 2)

/* ---- types and operations ---------------------------------------------------------------------
 */

/*
 * A row for each type: its kind, whether it is ONE number or has some of EACH, and what it is added
 * and multiplied as. Of the kinds, devices may have work-group functions for INTEGER and REAL. The
 * order of INTEGER and EXACT does not matter. The rows' name is what a compiler says of other
 * types.
 */
#define DAL_COLLECTIVE_has_no_type_char(X, OP)     DAL__ROW_##X(char, OP, EXACT, ONE, uint)
#define DAL_COLLECTIVE_has_no_type_char2(X, OP)    DAL__ROW_##X(char2, OP, EXACT, EACH, uchar2)
#define DAL_COLLECTIVE_has_no_type_char3(X, OP)    DAL__ROW_##X(char3, OP, EXACT, EACH, uchar3)
#define DAL_COLLECTIVE_has_no_type_char4(X, OP)    DAL__ROW_##X(char4, OP, EXACT, EACH, uchar4)
#define DAL_COLLECTIVE_has_no_type_char8(X, OP)    DAL__ROW_##X(char8, OP, EXACT, EACH, uchar8)
#define DAL_COLLECTIVE_has_no_type_char16(X, OP)   DAL__ROW_##X(char16, OP, EXACT, EACH, uchar16)
#define DAL_COLLECTIVE_has_no_type_uchar(X, OP)    DAL__ROW_##X(uchar, OP, EXACT, ONE, uint)
#define DAL_COLLECTIVE_has_no_type_uchar2(X, OP)   DAL__ROW_##X(uchar2, OP, EXACT, EACH, uchar2)
#define DAL_COLLECTIVE_has_no_type_uchar3(X, OP)   DAL__ROW_##X(uchar3, OP, EXACT, EACH, uchar3)
#define DAL_COLLECTIVE_has_no_type_uchar4(X, OP)   DAL__ROW_##X(uchar4, OP, EXACT, EACH, uchar4)
#define DAL_COLLECTIVE_has_no_type_uchar8(X, OP)   DAL__ROW_##X(uchar8, OP, EXACT, EACH, uchar8)
#define DAL_COLLECTIVE_has_no_type_uchar16(X, OP)  DAL__ROW_##X(uchar16, OP, EXACT, EACH, uchar16)
#define DAL_COLLECTIVE_has_no_type_short(X, OP)    DAL__ROW_##X(short, OP, EXACT, ONE, uint)
#define DAL_COLLECTIVE_has_no_type_short2(X, OP)   DAL__ROW_##X(short2, OP, EXACT, EACH, ushort2)
#define DAL_COLLECTIVE_has_no_type_short3(X, OP)   DAL__ROW_##X(short3, OP, EXACT, EACH, ushort3)
#define DAL_COLLECTIVE_has_no_type_short4(X, OP)   DAL__ROW_##X(short4, OP, EXACT, EACH, ushort4)
#define DAL_COLLECTIVE_has_no_type_short8(X, OP)   DAL__ROW_##X(short8, OP, EXACT, EACH, ushort8)
#define DAL_COLLECTIVE_has_no_type_short16(X, OP)  DAL__ROW_##X(short16, OP, EXACT, EACH, ushort16)
#define DAL_COLLECTIVE_has_no_type_ushort(X, OP)   DAL__ROW_##X(ushort, OP, EXACT, ONE, uint)
#define DAL_COLLECTIVE_has_no_type_ushort2(X, OP)  DAL__ROW_##X(ushort2, OP, EXACT, EACH, ushort2)
#define DAL_COLLECTIVE_has_no_type_ushort3(X, OP)  DAL__ROW_##X(ushort3, OP, EXACT, EACH, ushort3)
#define DAL_COLLECTIVE_has_no_type_ushort4(X, OP)  DAL__ROW_##X(ushort4, OP, EXACT, EACH, ushort4)
#define DAL_COLLECTIVE_has_no_type_ushort8(X, OP)  DAL__ROW_##X(ushort8, OP, EXACT, EACH, ushort8)
#define DAL_COLLECTIVE_has_no_type_ushort16(X, OP) DAL__ROW_##X(ushort16, OP, EXACT, EACH, ushort16)
#define DAL_COLLECTIVE_has_no_type_int(X, OP)      DAL__ROW_##X(int, OP, INTEGER, ONE, uint)
#define DAL_COLLECTIVE_has_no_type_int2(X, OP)     DAL__ROW_##X(int2, OP, EXACT, EACH, uint2)
#define DAL_COLLECTIVE_has_no_type_int3(X, OP)     DAL__ROW_##X(int3, OP, EXACT, EACH, uint3)
#define DAL_COLLECTIVE_has_no_type_int4(X, OP)     DAL__ROW_##X(int4, OP, EXACT, EACH, uint4)
#define DAL_COLLECTIVE_has_no_type_int8(X, OP)     DAL__ROW_##X(int8, OP, EXACT, EACH, uint8)
#define DAL_COLLECTIVE_has_no_type_int16(X, OP)    DAL__ROW_##X(int16, OP, EXACT, EACH, uint16)
#define DAL_COLLECTIVE_has_no_type_uint(X, OP)     DAL__ROW_##X(uint, OP, INTEGER, ONE, uint)
#define DAL_COLLECTIVE_has_no_type_uint2(X, OP)    DAL__ROW_##X(uint2, OP, EXACT, EACH, uint2)
#define DAL_COLLECTIVE_has_no_type_uint3(X, OP)    DAL__ROW_##X(uint3, OP, EXACT, EACH, uint3)
#define DAL_COLLECTIVE_has_no_type_uint4(X, OP)    DAL__ROW_##X(uint4, OP, EXACT, EACH, uint4)
#define DAL_COLLECTIVE_has_no_type_uint8(X, OP)    DAL__ROW_##X(uint8, OP, EXACT, EACH, uint8)
#define DAL_COLLECTIVE_has_no_type_uint16(X, OP)   DAL__ROW_##X(uint16, OP, EXACT, EACH, uint16)
#define DAL_COLLECTIVE_has_no_type_long(X, OP)     DAL__ROW_##X(long, OP, INTEGER, ONE, ulong)
#define DAL_COLLECTIVE_has_no_type_long2(X, OP)    DAL__ROW_##X(long2, OP, EXACT, EACH, ulong2)
#define DAL_COLLECTIVE_has_no_type_long3(X, OP)    DAL__ROW_##X(long3, OP, EXACT, EACH, ulong3)
#define DAL_COLLECTIVE_has_no_type_long4(X, OP)    DAL__ROW_##X(long4, OP, EXACT, EACH, ulong4)
#define DAL_COLLECTIVE_has_no_type_long8(X, OP)    DAL__ROW_##X(long8, OP, EXACT, EACH, ulong8)
#define DAL_COLLECTIVE_has_no_type_long16(X, OP)   DAL__ROW_##X(long16, OP, EXACT, EACH, ulong16)
#define DAL_COLLECTIVE_has_no_type_ulong(X, OP)    DAL__ROW_##X(ulong, OP, INTEGER, ONE, ulong)
#define DAL_COLLECTIVE_has_no_type_ulong2(X, OP)   DAL__ROW_##X(ulong2, OP, EXACT, EACH, ulong2)
#define DAL_COLLECTIVE_has_no_type_ulong3(X, OP)   DAL__ROW_##X(ulong3, OP, EXACT, EACH, ulong3)
#define DAL_COLLECTIVE_has_no_type_ulong4(X, OP)   DAL__ROW_##X(ulong4, OP, EXACT, EACH, ulong4)
#define DAL_COLLECTIVE_has_no_type_ulong8(X, OP)   DAL__ROW_##X(ulong8, OP, EXACT, EACH, ulong8)
#define DAL_COLLECTIVE_has_no_type_ulong16(X, OP)  DAL__ROW_##X(ulong16, OP, EXACT, EACH, ulong16)
#define DAL_COLLECTIVE_has_no_type_float(X, OP)    DAL__ROW_##X(float, OP, REAL, ONE, float)
#define DAL_COLLECTIVE_has_no_type_float2(X, OP)   DAL__ROW_##X(float2, OP, ORDERED, EACH, float2)
#define DAL_COLLECTIVE_has_no_type_float3(X, OP)   DAL__ROW_##X(float3, OP, ORDERED, EACH, float3)
#define DAL_COLLECTIVE_has_no_type_float4(X, OP)   DAL__ROW_##X(float4, OP, ORDERED, EACH, float4)
#define DAL_COLLECTIVE_has_no_type_float8(X, OP)   DAL__ROW_##X(float8, OP, ORDERED, EACH, float8)
#define DAL_COLLECTIVE_has_no_type_float16(X, OP)  DAL__ROW_##X(float16, OP, ORDERED, EACH, float16)
#define DAL_COLLECTIVE_has_no_type_double(X, OP)   DAL__ROW_##X(double, OP, REAL, ONE, double)
#define DAL_COLLECTIVE_has_no_type_double2(X, OP)  DAL__ROW_##X(double2, OP, ORDERED, EACH, double2)
#define DAL_COLLECTIVE_has_no_type_double3(X, OP)  DAL__ROW_##X(double3, OP, ORDERED, EACH, double3)
#define DAL_COLLECTIVE_has_no_type_double4(X, OP)  DAL__ROW_##X(double4, OP, ORDERED, EACH, double4)
#define DAL_COLLECTIVE_has_no_type_double8(X, OP)  DAL__ROW_##X(double8, OP, ORDERED, EACH, double8)
#define DAL_COLLECTIVE_has_no_type_double16(X, OP)                                                 \
    DAL__ROW_##X(double16, OP, ORDERED, EACH, double16)

#define DAL__IS_EXACT_INTEGER 1
#define DAL__IS_EXACT_EXACT   1
#define DAL__IS_EXACT_REAL    0
#define DAL__IS_EXACT_ORDERED 0

/* Types have these names in C as well. T is a type of OpenCL C, C what it is made of there. */
#ifdef DAL_GROUP_ITEMS
#define DAL__TYPES(T, C)                                                                           \
    typedef T dal_##T;                                                                             \
    typedef T##2 dal_##T##2;                                                                       \
    typedef T##3 dal_##T##3;                                                                       \
    typedef T##4 dal_##T##4;                                                                       \
    typedef T##8 dal_##T##8;                                                                       \
    typedef T##16 dal_##T##16
#else
#include <stddef.h>
#include <stdint.h>
#define DAL__VECTOR(bytes) __attribute__((vector_size(bytes)))
#define DAL__TYPES(T, C)                                                                           \
    typedef C dal_##T, dal_##T##2 DAL__VECTOR(2 * sizeof(C)),                                      \
        dal_##T##3 DAL__VECTOR(4 * sizeof(C)), dal_##T##4 DAL__VECTOR(4 * sizeof(C)),              \
        dal_##T##8 DAL__VECTOR(8 * sizeof(C)), dal_##T##16 DAL__VECTOR(16 * sizeof(C))
#endif
DAL__TYPES(char, int8_t);
DAL__TYPES(uchar, uint8_t);
DAL__TYPES(short, int16_t);
DAL__TYPES(ushort, uint16_t);
DAL__TYPES(int, int32_t);
DAL__TYPES(uint, uint32_t);
DAL__TYPES(long, int64_t);
DAL__TYPES(ulong, uint64_t);
DAL__TYPES(float, float);
#ifdef DAL_GROUP_ITEMS /* macros: not every device has these types, and all get the same text */
#define dal_double   double
#define dal_double2  double2
#define dal_double3  double3
#define dal_double4  double4
#define dal_double8  double8
#define dal_double16 double16
#else
DAL__TYPES(double, double);
#endif

/* A type of the source's own, which is the name of a typedef. */
#define DAL_COLLECTIVE_TYPE(T) typedef T dal_##T

/* Of vectors, these are element by element: x as a type of the same size; a number in each; a where
 * `is`, else b. */
#define DAL__TO_ONE(T, x)       ((dal_##T)(x))
#define DAL__PICK_ONE(is, a, b) ((is) ? (a) : (b))
#ifdef DAL_GROUP_ITEMS
#define DAL__TO_EACH(T, x)       as_##T(x)
#define DAL__PICK_EACH(is, a, b) select(b, a, is)
#define DAL__NUMBER_OF(T, n)     ((dal_##T)(n))
#else
#define DAL__TO_EACH(T, x) DAL__TO_ONE(T, x)
#define DAL__PICK_EACH(is, a, b)                                                                   \
    ((__typeof__(a))(((__typeof__(is))(a) & (is)) | ((__typeof__(is))(b) & ~(is))))
#define DAL__NUMBER_OF(T, n) ((dal_##T)((dal_##T){0} + (n)))
#endif

/* A row for each operation: two values combined, the first before the second; one value before any
 * operation; a value that does not change a result with x in it. None of them branches: compilers
 * that make loops over work-items at barriers stumble over branches. */
#define DAL_COLLECTIVE_has_no_operation_add(X, T, OP, K, S, U)                                     \
    DAL__OPERATION_##X(T, OP, K, DAL__TO_##S(T, DAL__TO_##S(U, a) + DAL__TO_##S(U, b)), a, 0)
#define DAL_COLLECTIVE_has_no_operation_mul(X, T, OP, K, S, U)                                     \
    DAL__OPERATION_##X(T, OP, K, DAL__TO_##S(T, DAL__TO_##S(U, a) * DAL__TO_##S(U, b)), a, 1)
#define DAL_COLLECTIVE_has_no_operation_min(X, T, OP, K, S, U)                                     \
    DAL__OPERATION_##X(T, OP, K, DAL__PICK_##S(b < a, b, a), a, x)
#define DAL_COLLECTIVE_has_no_operation_max(X, T, OP, K, S, U)                                     \
    DAL__OPERATION_##X(T, OP, K, DAL__PICK_##S(a < b, b, a), a, x)
#define DAL_COLLECTIVE_has_no_operation_and(X, T, OP, K, S, U)                                     \
    DAL__OPERATION_##X(T, OP, K, (dal_##T)(a & b), a, x)
#define DAL_COLLECTIVE_has_no_operation_or(X, T, OP, K, S, U)                                      \
    DAL__OPERATION_##X(T, OP, K, (dal_##T)(a | b), a, x)
#define DAL_COLLECTIVE_has_no_operation_xor(X, T, OP, K, S, U)                                     \
    DAL__OPERATION_##X(T, OP, K, (dal_##T)(a ^ b), a, 0)
#define DAL_COLLECTIVE_has_no_operation_land(X, T, OP, K, S, U)                                    \
    DAL__OPERATION_##X(T, OP, K, DAL__TRUTH(T, S, DAL__IS(T, a) & DAL__IS(T, b)),                  \
                       DAL__TRUTH(T, S, DAL__IS(T, a)), x)
#define DAL_COLLECTIVE_has_no_operation_lor(X, T, OP, K, S, U)                                     \
    DAL__OPERATION_##X(T, OP, K, DAL__TRUTH(T, S, DAL__IS(T, a) | DAL__IS(T, b)),                  \
                       DAL__TRUTH(T, S, DAL__IS(T, a)), x)
#define DAL__IS(T, x)        ((x) != DAL__NUMBER_OF(T, 0))
#define DAL__TRUTH(T, S, is) DAL__PICK_##S(is, DAL__NUMBER_OF(T, 1), DAL__NUMBER_OF(T, 0))

/*
 * OP is the operation with _ in front from here on: compilers have macros called max. Each pair has
 * functions of which everything else is made: those of its row, and any value.
 */
#define DAL__OP(T, OP, a, b) dal__op##OP##_##T(a, b)
#define DAL__IN(T, OP, a)    dal__in##OP##_##T(a)
#define DAL__IDLE(T, OP, x)  dal__idle##OP##_##T(x)
#define DAL__UNSET(T, OP)    dal__unset##OP##_##T()
#define DAL__PAIR(T, OP, K, combined, taken, idle, unset)                                          \
    DAL__DEFINE dal_##T dal__op##OP##_##T(dal_##T a, dal_##T b)                                    \
    {                                                                                              \
        return combined;                                                                           \
    }                                                                                              \
    DAL__DEFINE dal_##T dal__in##OP##_##T(dal_##T a)                                               \
    {                                                                                              \
        return taken;                                                                              \
    }                                                                                              \
    DAL__DEFINE dal_##T dal__idle##OP##_##T(dal_##T x)                                             \
    {                                                                                              \
        (void)x;                                                                                   \
        return idle;                                                                               \
    }                                                                                              \
    DAL__DEFINE dal_##T dal__unset##OP##_##T(void)                                                 \
    {                                                                                              \
        return unset;                                                                              \
    }
#define DAL__MAKE(T, OP, K, combined, taken, idle, unset)                                          \
    DAL__PAIR(T, OP, K, combined, taken, idle, unset)                                              \
    DAL__COLLECTIVE(T, OP, dal_##T, K)

/* The rows give 1 where only their names are asked for, else they make all functions. */
#define DAL__ROW_0(T, OP, K, S, U)                        1
#define DAL__ROW_1(T, OP, K, S, U)                        DAL_COLLECTIVE_has_no_operation##OP(1, T, OP, K, S, U)
#define DAL__OPERATION_0(T, OP, K, combined, taken, idle) 1
#define DAL__OPERATION_1(T, OP, K, combined, taken, idle)                                          \
    DAL__MAKE(T, OP, K, combined, taken, DAL__NUMBER_OF(T, idle), DAL__NUMBER_OF(T, 0))

#define DAL_COLLECTIVE(T, OP)                                                                      \
    enum {                                                                                         \
        dal__known_type_##T##_of_##OP = DAL_COLLECTIVE_has_no_type_##T(0, 0),                      \
        dal__known_operation_##OP##_of_##T =                                                       \
            DAL_COLLECTIVE_has_no_operation_##OP(0, 0, 0, 0, 0, 0)                                 \
    };                                                                                             \
    DAL_COLLECTIVE_has_no_type_##T(1, _##OP) struct dal__collective_##OP##_##T
#define DAL_COLLECTIVE_OF(T, OP, IDENTITY)                                                         \
    DAL__MAKE(T, _##OP, ORDERED, OP(a, b), a, IDENTITY, IDENTITY) struct dal__collective_##OP##_##T

/* Any, all and none of a range. A core looks alone, a work-item at every value of its turn, until
 * it has found one. */
#define DAL_COLLECTIVE_VOTE(T, IS)                                                                 \
    DAL__DEFINE int dal__joint_finds_##IS##_##T(DAL__GLOBAL const dal_##T *in, size_t n,           \
                                                int sought, DAL__LOCAL scratch)                    \
    {                                                                                              \
        size_t i = DAL__LEADS && DAL__NUMBER ? n : DAL__NUMBER;                                    \
        int found = 0;                                                                             \
        DAL__MEET();                                                                               \
        for (; i < n && !found; i += DAL__STRIDE)                                                  \
            found = ((IS(in[i])) != 0) == sought;                                                  \
        return dal__group_finds(found, scratch);                                                   \
    }                                                                                              \
    DAL__VOTE_OF(T, IS, any, , 1)                                                                  \
    DAL__VOTE_OF(T, IS, none, !, 1)                                                                \
    DAL__VOTE_OF(T, IS, all, !, 0)                                                                 \
    struct dal__vote_##IS##_##T
#define DAL__VOTE_OF(T, IS, WHICH, NOT, sought)                                                    \
    DAL__DEFINE int dal_joint_##WHICH##_of_##IS##_##T(DAL__GLOBAL const dal_##T *in, size_t n,     \
                                                      DAL__LOCAL scratch)                          \
    {                                                                                              \
        return NOT dal__joint_finds_##IS##_##T(in, n, sought, scratch);                            \
    }

/* The joint forms, by those for any order and both kinds of scans. */
#define DAL__FORMS(T, OP, C, K)                                                                    \
    DAL__DEFINE C dal_joint_reduce##OP##_##T(DAL__GLOBAL const C *in, size_t n, C init,            \
                                             DAL__LOCAL scratch)                                   \
    {                                                                                              \
        return dal__joint_reduce##OP##_##T(in, n, init, DAL__IS_EXACT_##K, scratch);               \
    }                                                                                              \
    DAL__DEFINE C dal_joint_reduce_any_order##OP##_##T(DAL__GLOBAL const C *in, size_t n, C init,  \
                                                       DAL__LOCAL scratch)                         \
    {                                                                                              \
        return dal__joint_reduce##OP##_##T(in, n, init, 1, scratch);                               \
    }                                                                                              \
    DAL__DEFINE void dal_joint_inclusive_scan##OP##_##T(                                           \
        DAL__GLOBAL const C *in, DAL__GLOBAL C *out, size_t n, DAL__LOCAL scratch)                 \
    {                                                                                              \
        dal__joint_scan##OP##_##T(in, out, n, 0, DAL__UNSET(T, OP), scratch);                      \
    }                                                                                              \
    DAL__DEFINE void dal_joint_exclusive_scan##OP##_##T(                                           \
        DAL__GLOBAL const C *in, DAL__GLOBAL C *out, size_t n, C init, DAL__LOCAL scratch)         \
    {                                                                                              \
        dal__joint_scan##OP##_##T(in, out, n, 1, init, scratch);                                   \
    }

/* ---- one after the other --------------------------------------------------------------------- */

/* Defines dal__serial_reduce_... and dal__serial_scan_... for n > 0 values in one kind of memory.
 * The latter makes an exclusive scan of `init`, or an inclusive one. */
#define DAL__INTEGER_SERIAL(WHERE, SPACE, T, OP, C) DAL__EXACT_SERIAL(WHERE, SPACE, T, OP, C)
#define DAL__REAL_SERIAL(WHERE, SPACE, T, OP, C)    DAL__ORDERED_SERIAL(WHERE, SPACE, T, OP, C)

#define DAL__EXACT_SERIAL(WHERE, SPACE, T, OP, C)                                                  \
    DAL__DEFINE C dal__serial_reduce##OP##_##T##_##WHERE(SPACE const C *in, size_t n)              \
    {                                                                                              \
        C sum = DAL__IN(T, OP, in[0]);                                                             \
        for (size_t i = 1; i < n; i++)                                                             \
            sum = DAL__OP(T, OP, sum, DAL__IN(T, OP, in[i]));                                      \
        return sum;                                                                                \
    }                                                                                              \
    DAL__DEFINE C dal__serial_any##OP##_##T##_##WHERE(SPACE const C *in, size_t n)                 \
    {                                                                                              \
        return dal__serial_reduce##OP##_##T##_##WHERE(in, n);                                      \
    }                                                                                              \
    DAL__DEFINE void dal__serial_scan##OP##_##T##_##WHERE(SPACE const C *in, SPACE C *out,         \
                                                          size_t n, int is_exclusive, C init)      \
    {                                                                                              \
        C sum = is_exclusive ? init : DAL__IN(T, OP, in[0]), next;                                 \
        if (!is_exclusive)                                                                         \
            out[0] = sum;                                                                          \
        for (size_t i = is_exclusive ? 0 : 1; i < n; i++) {                                        \
            next = DAL__OP(T, OP, sum, DAL__IN(T, OP, in[i]));                                     \
            out[i] = is_exclusive ? sum : next;                                                    \
            sum = next;                                                                            \
        }                                                                                          \
    }

/* `sum` is the result of part `number`, of parts of one size. Joins it with parts before, as a
 * counter carries.
 */
#define DAL__CARRY(T, OP, sum, parts, number)                                                      \
    do {                                                                                           \
        int dal__level = 0;                                                                        \
        for (size_t dal__bits = (number); dal__bits & 1; dal__bits >>= 1, dal__level++)            \
            sum = DAL__OP(T, OP, parts[dal__level], sum);                                          \
        parts[dal__level] = sum;                                                                   \
    } while (0)

/* Joins the `number` parts in front of `sum` to it; or to each other, if there is no sum. */
#define DAL__JOIN(T, OP, sum, has_sum, parts, number)                                              \
    do {                                                                                           \
        int dal__level = 0;                                                                        \
        for (size_t dal__bits = (number); dal__bits; dal__bits >>= 1, dal__level++)                \
            if (dal__bits & 1) {                                                                   \
                sum = has_sum ? DAL__OP(T, OP, parts[dal__level], sum) : parts[dal__level];        \
                has_sum = 1;                                                                       \
            }                                                                                      \
    } while (0)

/* Combines pairs of values: half as many are left. */
#define DAL__HALVE(T, OP, to, from, left)                                                          \
    for (size_t dal__i = 0; dal__i < (left); dal__i++)                                             \
    to[dal__i] = DAL__OP(T, OP, from[2 * dal__i], from[2 * dal__i + 1])

/* Combines the last value of the left half of each 2 * reach values with all of the right half. */
#define DAL__SPREAD(T, OP, x, reach)                                                               \
    for (size_t dal__at = (reach); dal__at < 64; dal__at += 2 * (reach))                           \
        for (size_t dal__i = 0; dal__i < (reach); dal__i++)                                        \
    x[dal__at + dal__i] = DAL__OP(T, OP, x[dal__at - 1], x[dal__at + dal__i])

/* The serial functions work in blocks of 64 values, which become vectors. */
#define DAL__ORDERED_SERIAL(WHERE, SPACE, T, OP, C)                                                \
    DAL__DEFINE C dal__serial_reduce##OP##_##T##_##WHERE(SPACE const C *in, size_t n)              \
    {                                                                                              \
        C blocks[58], few[6], x[64], a[32], b[16], c[8], d[4], sum = in[0];                        \
        size_t count = n / 64, rest = n % 64;                                                      \
        int has_sum = 0;                                                                           \
        for (size_t k = 0; k < count; k++, in += 64) {                                             \
            for (int i = 0; i < 64; i++)                                                           \
                x[i] = DAL__IN(T, OP, in[i]);                                                      \
            DAL__HALVE(T, OP, a, x, 32);                                                           \
            DAL__HALVE(T, OP, b, a, 16);                                                           \
            DAL__HALVE(T, OP, c, b, 8);                                                            \
            DAL__HALVE(T, OP, d, c, 4);                                                            \
            sum = DAL__OP(T, OP, DAL__OP(T, OP, d[0], d[1]), DAL__OP(T, OP, d[2], d[3]));          \
            DAL__CARRY(T, OP, sum, blocks, k);                                                     \
        }                                                                                          \
        for (size_t k = 0; k < rest; k++) {                                                        \
            sum = DAL__IN(T, OP, in[k]);                                                           \
            DAL__CARRY(T, OP, sum, few, k);                                                        \
        }                                                                                          \
        DAL__JOIN(T, OP, sum, has_sum, few, rest);                                                 \
        DAL__JOIN(T, OP, sum, has_sum, blocks, count);                                             \
        return sum;                                                                                \
    }                                                                                              \
    DAL__DEFINE C dal__serial_any##OP##_##T##_##WHERE(SPACE const C *in, size_t n)                 \
    {                                                                                              \
        C sums[32], sum;                                                                           \
        size_t at = n < 32 ? n : 32;                                                               \
        for (size_t i = 0; i < at; i++)                                                            \
            sums[i] = DAL__IN(T, OP, in[i]);                                                       \
        for (; at + 32 <= n; at += 32)                                                             \
            for (int i = 0; i < 32; i++)                                                           \
                sums[i] = DAL__OP(T, OP, sums[i], DAL__IN(T, OP, in[at + (size_t)i]));             \
        sum = sums[0];                                                                             \
        for (size_t i = 1; i < 32 && i < n; i++)                                                   \
            sum = DAL__OP(T, OP, sum, sums[i]);                                                    \
        for (; at < n; at++)                                                                       \
            sum = DAL__OP(T, OP, sum, DAL__IN(T, OP, in[at]));                                     \
        return sum;                                                                                \
    }                                                                                              \
    DAL__DEFINE void dal__serial_scan##OP##_##T##_##WHERE(SPACE const C *in, SPACE C *out,         \
                                                          size_t n, int is_exclusive, C init)      \
    {                                                                                              \
        C blocks[58], x[64], last = init, sum;                                                     \
        for (size_t at = 0, k = 0; at < n; at += 64, k++) {                                        \
            const size_t count = DAL__LESS(n - at, 64);                                            \
            for (size_t i = 0; i < 64; i++)                                                        \
                x[i] = DAL__IN(T, OP, in[at + (i < count ? i : 0)]);                               \
            DAL__SPREAD(T, OP, x, 1);                                                              \
            DAL__SPREAD(T, OP, x, 2);                                                              \
            DAL__SPREAD(T, OP, x, 4);                                                              \
            DAL__SPREAD(T, OP, x, 8);                                                              \
            DAL__SPREAD(T, OP, x, 16);                                                             \
            DAL__SPREAD(T, OP, x, 32);                                                             \
            sum = x[63];                                                                           \
            for (size_t bits = k, level = 0; bits; bits >>= 1, level++)                            \
                for (int i = 0; (bits & 1) && i < 64; i++)                                         \
                    x[i] = DAL__OP(T, OP, blocks[level], x[i]);                                    \
            if (!is_exclusive) {                                                                   \
                for (size_t i = 0; i < count; i++)                                                 \
                    out[at + i] = x[i];                                                            \
            } else {                                                                               \
                out[at] = at ? DAL__OP(T, OP, init, last) : init;                                  \
                for (size_t i = 1; i < count; i++)                                                 \
                    out[at + i] = DAL__OP(T, OP, init, x[i - 1]);                                  \
            }                                                                                      \
            last = x[63];                                                                          \
            DAL__CARRY(T, OP, sum, blocks, k);                                                     \
        }                                                                                          \
    }

#ifndef DAL_GROUP_ITEMS

/* ---- C: a work-item that is alone ------------------------------------------------------------ */

#define DAL_SCRATCH(name) void *const name = NULL
#define DAL__GLOBAL
#define DAL__LOCAL  void *
#define DAL__MEET() ((void)0)
#define DAL__NUMBER 0
#define DAL__LEADS  1
#define DAL__STRIDE 1

DAL__DEFINE int dal__group_finds(int found, void *scratch)
{
    (void)scratch;
    return found;
}

#define DAL__COLLECTIVE(T, OP, C, K)                                                               \
    DAL__##K##_SERIAL(host, , T, OP, C) DAL__DEFINE C dal__joint_reduce##OP##_##T(                 \
        const C *in, size_t n, C init, int any_order, void *scratch)                               \
    {                                                                                              \
        (void)scratch;                                                                             \
        if (n == 0)                                                                                \
            return init;                                                                           \
        return DAL__OP(T, OP, init,                                                                \
                       any_order ? dal__serial_any##OP##_##T##_host(in, n)                         \
                                 : dal__serial_reduce##OP##_##T##_host(in, n));                    \
    }                                                                                              \
    DAL__DEFINE void dal__joint_scan##OP##_##T(const C *in, C *out, size_t n, int is_exclusive,    \
                                               C init, void *scratch)                              \
    {                                                                                              \
        (void)scratch;                                                                             \
        if (n)                                                                                     \
            dal__serial_scan##OP##_##T##_host(in, out, n, is_exclusive, init);                     \
    }                                                                                              \
    DAL__FORMS(T, OP, C, K)

#else

/* ---- OpenCL C -------------------------------------------------------------------------------- */

#define DAL_SUB_ITEMS 32

#ifndef DAL_SCRATCH_TYPE
#define DAL_SCRATCH_TYPE ulong
#endif

/* Two slots for each work-item. Before its first barrier a collective writes to
 * the first half alone, and behind its last one it reads the second half alone. So no barrier is
 * needed between two collectives. */
#ifdef DAL_LOCAL_VARIABLE /* in CUDA C++, which has another word for variables */
#define DAL_SCRATCH(name) DAL_LOCAL_VARIABLE DAL_SCRATCH_TYPE name[2 * DAL_GROUP_ITEMS]
#else
#define DAL_SCRATCH(name) __local DAL_SCRATCH_TYPE name[2 * DAL_GROUP_ITEMS]
#endif
#define DAL__FIRST(C, scratch)  ((__local C *)(scratch))
#define DAL__SECOND(C, scratch) ((__local C *)((scratch) + DAL_GROUP_ITEMS))
#define DAL__GLOBAL             __global
#define DAL__LOCAL              __local DAL_SCRATCH_TYPE *
#define DAL__STRIDE             (DAL__LEADS ? 1 : DAL_GROUP_ITEMS)

/* An array of no size, in a compiler's words, where the scratch has no room for the type. */
#define DAL__FITS(T, OP)                                                                           \
    typedef char dal__define_DAL_SCRATCH_TYPE_as_the_largest_type##OP##_##T                        \
        [sizeof(dal_##T) <= sizeof(DAL_SCRATCH_TYPE) ? 1 : -1];

#define DAL__NUMBER                                                                                \
    (DAL_GROUP_ITEMS == 1                                                                          \
         ? (size_t)0                                                                               \
         : (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +           \
               get_local_id(0))

/* The first work-item of the sub-group that has `item`, and the number of its work-items. */
#define DAL__FRONT(item, width)  ((item) - (item) % (width))
#define DAL__COUNT(front, width) DAL__LESS((size_t)(width), DAL_GROUP_ITEMS - (front))

/* Chooses the path, and takes its functions from the device's compiler. dalsynth may have put that
 * text in front.
 */
#ifdef DAL_COLLECTIVES_PORTABLE
#define DAL__PATH DAL__TREE
#endif
#ifndef DAL__DEVICE_IN_FRONT
#include "dal_collectives_device.h"
#endif
#define DAL__LEADS    (DAL__PATH == DAL__LEADER)
#define DAL__SHUFFLES ((DAL__PATH == DAL__WARPS) & DAL__IN_WARPS)

/* A warp that is not whole is the only one. A second step combines one value of each warp.
 * Compilers warn of logical operators between constants. */
#define DAL__IN_WARPS                                                                              \
    ((DAL_GROUP_ITEMS <= 32) | ((DAL_GROUP_ITEMS % 32 == 0) & (DAL_GROUP_ITEMS <= 1024)))
#define DAL__LANES (DAL_GROUP_ITEMS % 32 ? (1u << DAL_GROUP_ITEMS % 32) - 1 : ~0u)

/* Values of any type go in pieces of 32 bits. */
#define DAL__SHUFFLED(T, OP, C)                                                                    \
    DAL__DEFINE C dal__shuffle##OP##_##T(uint lanes, C x, uint from)                               \
    {                                                                                              \
        union {                                                                                    \
            C x;                                                                                   \
            uint pieces[(sizeof(C) + 3) / 4];                                                      \
        } all;                                                                                     \
        (void)lanes, (void)from;                                                                   \
        all.pieces[(sizeof(C) - 1) / 4] = 0;                                                       \
        all.x = x;                                                                                 \
        for (uint k = 0; k < (sizeof(C) + 3) / 4; k++)                                             \
            all.pieces[k] = DAL__SHUFFLE_WORD(lanes, all.pieces[k], from);                         \
        return all.x;                                                                              \
    }
#ifndef DAL__SHUFFLE
#define DAL__SHUFFLE(T, OP, C, lanes, x, from) dal__shuffle##OP##_##T(lanes, x, from)
#endif

/* The work-item that has the sum of the left half, of the 2 * reach work-items whose right half has
 * `place`.
 */
#define DAL__SIBLING(place, reach) (((place) & ~(2 * (reach)-1)) + (reach)-1)

/* Combines `left` with all values that this work-item has. */
#define DAL__TO_ALL(T, OP, left, x, most)                                                          \
    for (int dal__k = 0; dal__k < (most); dal__k++)                                                \
    x[dal__k] = DAL__OP(T, OP, left, x[dal__k])

/* The results that a scan is to make: the values; ends[0], the value of the work-item before, unset
 * for the first; ends[1], the value of work-item `last`. */
#define DAL__VALUES 1
#define DAL__BEFORE 2
#define DAL__LAST   4

/*
 * dal__scan_... makes the inclusive scan over the `most` values x of all work-items of a sub-group.
 * `last` is one of these work-items. After the scan, all of the scratch may be written.
 */
#define DAL__SCAN(T, OP, C, K)                                                                     \
    DAL__DEFINE void dal__warps##OP##_##T(C *x, int most, uint width, uint last, int wanted,       \
                                          C *ends, __local C *shared)                              \
    {                                                                                              \
        const uint item = (uint)DAL__NUMBER, lane = item % 32, warp = item / 32;                   \
        const uint warps = DAL_GROUP_ITEMS / 32;                                                   \
        (void)last;                                                                                \
        for (uint reach = 1; reach < 32 && reach < width; reach *= 2) {                            \
            uint from = lane & reach ? DAL__SIBLING(lane, reach) : lane;                           \
            C left = DAL__SHUFFLE(T, OP, C, DAL__LANES, x[most - 1], from);                        \
            (void)from;                                                                            \
            if (lane & reach)                                                                      \
                DAL__TO_ALL(T, OP, left, x, most);                                                 \
        }                                                                                          \
        if (wanted & DAL__BEFORE)                                                                  \
            ends[0] = DAL__SHUFFLE(T, OP, C, DAL__LANES, x[most - 1], lane ? lane - 1 : 0);        \
        if (width <= 32 && (wanted & DAL__LAST))                                                   \
            ends[1] = DAL__SHUFFLE(T, OP, C, DAL__LANES, x[most - 1], last);                       \
        if (width > 32) {                                                                          \
            C sum;                                                                                 \
            if (lane == 31)                                                                        \
                shared[warp] = x[most - 1];                                                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            sum = shared[lane < warps ? lane : 0];                                                 \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            for (uint reach = 1; reach < warps; reach *= 2) {                                      \
                C other = DAL__SHUFFLE(T, OP, C, DAL__LANES, sum,                                  \
                                       lane & reach ? DAL__SIBLING(lane, reach) : lane);           \
                if (wanted & (DAL__VALUES | DAL__BEFORE)) {                                        \
                    C left = DAL__SHUFFLE(T, OP, C, DAL__LANES, sum,                               \
                                          warp & reach ? DAL__SIBLING(warp, reach) : 0);           \
                    if (warp & reach)                                                              \
                        DAL__TO_ALL(T, OP, left, x, most);                                         \
                    if (warp & reach)                                                              \
                        ends[0] = DAL__OP(T, OP, left, ends[0]);                                   \
                }                                                                                  \
                if (lane & reach)                                                                  \
                    sum = DAL__OP(T, OP, other, sum);                                              \
            }                                                                                      \
            if (wanted & DAL__BEFORE) {                                                            \
                C other = DAL__SHUFFLE(T, OP, C, DAL__LANES, sum, warp ? warp - 1 : 0);            \
                if (lane == 0)                                                                     \
                    ends[0] = other;                                                               \
            }                                                                                      \
            if (wanted & DAL__LAST)                                                                \
                ends[1] = DAL__SHUFFLE(T, OP, C, DAL__LANES, sum, last / 32);                      \
        }                                                                                          \
    }                                                                                              \
    DAL__DEFINE void dal__tree##OP##_##T(C *x, int most, uint width, uint last, C *ends,           \
                                         __local C *shared)                                        \
    {                                                                                              \
        const uint item = (uint)DAL__NUMBER, place = item % width;                                 \
        shared[item] = x[most - 1];                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        for (uint reach = 1; reach < width && reach < DAL_GROUP_ITEMS; reach *= 2) {               \
            if (place & reach) {                                                                   \
                C left = shared[item - place + DAL__SIBLING(place, reach)];                        \
                DAL__TO_ALL(T, OP, left, x, most);                                                 \
                shared[item] = x[most - 1];                                                        \
            }                                                                                      \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        }                                                                                          \
        ends[0] = shared[place ? item - 1 : item];                                                 \
        ends[1] = shared[item - place + last];                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
    }                                                                                              \
    DAL__DEVICE_SCAN(T, OP, C, K)                                                                  \
    DAL__DEFINE void dal__scan##OP##_##T(C *x, int most, uint width, uint last, int wanted,        \
                                         C *ends, DAL__LOCAL scratch)                              \
    {                                                                                              \
        for (int reach = 1; reach < most; reach *= 2)                                              \
            for (int i = 0; i < most; i++)                                                         \
                if (i & reach)                                                                     \
                    x[i] = DAL__OP(T, OP, x[DAL__SIBLING(i, reach)], x[i]);                        \
        if (DAL__SHUFFLES)                                                                         \
            dal__warps##OP##_##T(x, most, width, last, wanted, ends, DAL__FIRST(C, scratch));      \
        else if (DAL__OF_DEVICE_##K(OP) & DAL__IS_EXACT_##K & (width >= DAL_GROUP_ITEMS))          \
            dal__device_scan##OP##_##T(x, most, last, wanted, ends, scratch);                      \
        else                                                                                       \
            dal__tree##OP##_##T(x, most, width, last, ends, DAL__FIRST(C, scratch));               \
    }

/*
 * Scans and reductions of a whole group by functions of the device. The device chooses the
 * work-items of its sub-groups. So values go to places in the order of the sub-groups, and back.
 * The second half of the scratch has the result of each sub-group. A reduction may have any order.
 */
#define DAL__DEVICE_SCAN(T, OP, C, K)                                                              \
    DAL__DEFINE C dal__subs_before##OP##_##T(C value, DAL__LOCAL scratch)                          \
    {                                                                                              \
        const uint item = (uint)DAL__NUMBER;                                                       \
        const uint place = DAL__SUB_NUMBER * DAL__SUB_MOST + DAL__SUB_PLACE;                       \
        __local C *shared = DAL__FIRST(C, scratch), *sums = DAL__SECOND(C, scratch);               \
        C before, sum;                                                                             \
        shared[item] = value;                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        sum = value = shared[place];                                                               \
        before = DAL__CALLED_##K(DAL__SUB_BEFORE(T, OP, C, value), value);                         \
        if (DAL__SUB_PLACE > 0)                                                                    \
            sum = DAL__OP(T, OP, before, value);                                                   \
        if (DAL__SUB_PLACE == DAL__SUB_SIZE - 1)                                                   \
            sums[DAL__SUB_NUMBER] = sum;                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        sum = sums[0];                                                                             \
        for (uint k = 1; k < DAL__SUB_NUMBER; k++)                                                 \
            sum = DAL__OP(T, OP, sum, sums[k]);                                                    \
        if (DAL__SUB_NUMBER > 0)                                                                   \
            before = DAL__SUB_PLACE > 0 ? DAL__OP(T, OP, sum, before) : sum;                       \
        shared[place] = before;                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        return shared[item];                                                                       \
    }                                                                                              \
    DAL__DEFINE C dal__device_reduce##OP##_##T(C value, DAL__LOCAL scratch)                        \
    {                                                                                              \
        __local C *sums = DAL__SECOND(C, scratch);                                                 \
        if (DAL__PATH == DAL__GROUPS)                                                              \
            return DAL__CALLED_##K(DAL__GROUP_REDUCE(T, OP, C, value), value);                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        value = DAL__CALLED_##K(DAL__SUB_REDUCE(T, OP, C, value), value);                          \
        if (DAL__SUB_PLACE == 0)                                                                   \
            sums[DAL__SUB_NUMBER] = value;                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        value = sums[0];                                                                           \
        for (uint k = 1; k < DAL__SUB_COUNT; k++)                                                  \
            value = DAL__OP(T, OP, value, sums[k]);                                                \
        return value;                                                                              \
    }                                                                                              \
    DAL__DEFINE void dal__device_scan##OP##_##T(C *x, int most, uint last, int wanted, C *ends,    \
                                                DAL__LOCAL scratch)                                \
    {                                                                                              \
        const uint item = (uint)DAL__NUMBER;                                                       \
        __local C *shared = DAL__FIRST(C, scratch);                                                \
        if (DAL__PATH == DAL__GROUPS)                                                              \
            ends[0] = DAL__CALLED_##K(DAL__GROUP_BEFORE(T, OP, C, x[most - 1]), x[most - 1]);      \
        else                                                                                       \
            ends[0] = dal__subs_before##OP##_##T(x[most - 1], scratch);                            \
        if (item > 0)                                                                              \
            DAL__TO_ALL(T, OP, ends[0], x, most);                                                  \
        if (wanted & DAL__LAST) {                                                                  \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            if (item == last)                                                                      \
                shared[0] = x[most - 1];                                                           \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            ends[1] = shared[0];                                                                   \
        }                                                                                          \
        if (DAL__PATH == DAL__SUBS || (wanted & DAL__LAST))                                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
    }

/* ---- group forms ----------------------------------------------------------------------------- */

/* Work-item 0 does the call for all others, once for each sub-group. */
#define DAL__LEAD(C, value, width, call)                                                           \
    do {                                                                                           \
        __local C *in = DAL__FIRST(C, scratch), *out = DAL__SECOND(C, scratch);                    \
        in[item] = value;                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        for (size_t k = 0; item == 0 && k < DAL_GROUP_ITEMS; k += width)                           \
            call;                                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
    } while (0)

#define DAL__GROUP(T, OP, C, K)                                                                    \
    DAL__DEFINE C dal__group_reduce##OP##_##T(C value, uint width, DAL__LOCAL scratch)             \
    {                                                                                              \
        const size_t item = DAL__NUMBER, front = DAL__FRONT(item, width);                          \
        const uint count = (uint)DAL__COUNT(front, width);                                         \
        C x[1] = {DAL__IN(T, OP, value)}, ends[2] = {x[0], x[0]};                                  \
        if (DAL__LEADS) {                                                                          \
            DAL__LEAD(C, value, width,                                                             \
                      out[k] =                                                                     \
                          dal__serial_reduce##OP##_##T##_in_local(in + k, DAL__COUNT(k, width)));  \
            return DAL__SECOND(C, scratch)[front];                                                 \
        }                                                                                          \
        if (DAL__OF_DEVICE_##K(OP) & DAL__IS_EXACT_##K & (width >= DAL_GROUP_ITEMS))               \
            return dal__device_reduce##OP##_##T(x[0], scratch);                                    \
        dal__scan##OP##_##T(x, 1, width, count - 1, DAL__LAST, ends, scratch);                     \
        return ends[1];                                                                            \
    }                                                                                              \
    DAL__DEFINE C dal__group_scan##OP##_##T(C value, int is_exclusive, C init, uint width,         \
                                            DAL__LOCAL scratch)                                    \
    {                                                                                              \
        const size_t item = DAL__NUMBER;                                                           \
        C x[1] = {DAL__IN(T, OP, value)}, ends[2] = {x[0], x[0]};                                  \
        if (DAL__LEADS) {                                                                          \
            DAL__LEAD(C, value, width,                                                             \
                      dal__serial_scan##OP##_##T##_in_local(in + k, out + k, DAL__COUNT(k, width), \
                                                            is_exclusive, init));                  \
            return DAL__SECOND(C, scratch)[item];                                                  \
        }                                                                                          \
        dal__scan##OP##_##T(x, 1, width, 0, is_exclusive ? DAL__BEFORE : DAL__VALUES, ends,        \
                            scratch);                                                              \
        if (is_exclusive)                                                                          \
            x[0] = item % width ? DAL__OP(T, OP, init, ends[0]) : init;                            \
        return x[0];                                                                               \
    }                                                                                              \
    DAL__GROUP_OF(T, OP, C, group, DAL_GROUP_ITEMS)                                                \
    DAL__GROUP_OF(T, OP, C, sub, DAL__LESS(DAL_SUB_ITEMS, DAL_GROUP_ITEMS))

#define DAL__GROUP_OF(T, OP, C, WHO, width)                                                        \
    DAL__DEFINE C dal_##WHO##_reduce##OP##_##T(C value, DAL__LOCAL scratch)                        \
    {                                                                                              \
        return dal__group_reduce##OP##_##T(value, width, scratch);                                 \
    }                                                                                              \
    DAL__DEFINE C dal_##WHO##_inclusive_scan##OP##_##T(C value, DAL__LOCAL scratch)                \
    {                                                                                              \
        return dal__group_scan##OP##_##T(value, 0, value, width, scratch);                         \
    }                                                                                              \
    DAL__DEFINE C dal_##WHO##_exclusive_scan##OP##_##T(C value, C init, DAL__LOCAL scratch)        \
    {                                                                                              \
        return dal__group_scan##OP##_##T(value, 1, init, width, scratch);                          \
    }

/* ---- joint forms ----------------------------------------------------------------------------- */

/* Values that a work-item has at a time; a tile is as many of each of the first 2^k work-items. */
#define DAL__MOST     4
#define DAL__TILE     (DAL__POWER_BELOW(DAL_GROUP_ITEMS) * DAL__MOST)

/* After this, a work-item sees what the others have written. */
#define DAL__MEET()   barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

/* Rows of 32 values that a warp reads at a time; warps that take part, a power of two; the fewest
 * values that they read together. Unused where warps do not shuffle. */
#define DAL__ROWS     8
#define DAL__WORKERS  DAL__POWER_BELOW(DAL_GROUP_ITEMS / 32)
#define DAL__WHOLE    ((size_t)DAL__WORKERS * 32 * DAL__ROWS)
#define DAL__IS_WHOLE (DAL__SHUFFLES & (DAL_GROUP_ITEMS % 32 == 0))

/* Makes one row of two: a lane keeps its value of one of them, and gives the other away. The lane
 * whose bit is 0 has the values that come first. */
#define DAL__FOLD(T, OP, C, x, reach)                                                              \
    for (int dal__i = 0; dal__i < DAL__ROWS / 2 / (reach); dal__i++) {                             \
        C dal__kept = lane & (reach) ? x[2 * dal__i + 1] : x[2 * dal__i];                          \
        C dal__given = lane & (reach) ? x[2 * dal__i] : x[2 * dal__i + 1];                         \
        C dal__other = DAL__SHUFFLE(T, OP, C, DAL__LANES, dal__given, lane ^ (reach));             \
        x[dal__i] = lane & (reach) ? DAL__OP(T, OP, dal__other, dal__kept)                         \
                                   : DAL__OP(T, OP, dal__kept, dal__other);                        \
    }

/* Combines the value of each lane with that of lane ^ reach, in steps: each covers twice as many
 * lanes. */
#define DAL__BUTTERFLY(T, OP, C, sum, first, end)                                                  \
    for (uint reach = (first); reach < (end); reach *= 2) {                                        \
        C dal__other = DAL__SHUFFLE(T, OP, C, DAL__LANES, sum, lane ^ reach);                      \
        sum = lane & reach ? DAL__OP(T, OP, dal__other, sum) : DAL__OP(T, OP, sum, dal__other);    \
    }

/*
 * dal__whole_... reduces n values, a power of two and DAL__WHOLE at least. Each warp has a part in
 * a row, and reads it in rows, side by side. Three folds make a lane the owner of a row; the other
 * lanes of the same row come next, then all rows. That is the fixed order.
 */
#define DAL__WHOLES(T, OP, C)                                                                      \
    DAL__DEFINE C dal__whole##OP##_##T(__global const C *in, size_t n, DAL__LOCAL scratch)         \
    {                                                                                              \
        const uint item = (uint)DAL__NUMBER, lane = item % 32, warp = item / 32;                   \
        const size_t part = n / DAL__WORKERS;                                                      \
        __local C *shared = DAL__FIRST(C, scratch);                                                \
        C x[DAL__ROWS], blocks[58], sum = in[0];                                                   \
        in += warp % DAL__WORKERS * part + lane;                                                   \
        for (size_t k = 0; k < part / (32 * DAL__ROWS); k++, in += 32 * DAL__ROWS) {               \
            for (int i = 0; i < DAL__ROWS; i++)                                                    \
                x[i] = DAL__IN(T, OP, in[32 * i]);                                                 \
            DAL__FOLD(T, OP, C, x, 1);                                                             \
            DAL__FOLD(T, OP, C, x, 2);                                                             \
            DAL__FOLD(T, OP, C, x, 4);                                                             \
            sum = x[0];                                                                            \
            DAL__BUTTERFLY(T, OP, C, sum, DAL__ROWS, 32);                                          \
            DAL__BUTTERFLY(T, OP, C, sum, 1, DAL__ROWS);                                           \
            DAL__CARRY(T, OP, sum, blocks, k);                                                     \
        }                                                                                          \
        if (DAL__WORKERS > 1) {                                                                    \
            if ((lane == 0) & (warp < DAL__WORKERS))                                               \
                shared[warp] = sum;                                                                \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            sum = shared[lane % DAL__WORKERS];                                                     \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            DAL__BUTTERFLY(T, OP, C, sum, 1, DAL__WORKERS);                                        \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    DAL__DEFINE C dal__wholes_reduce##OP##_##T(__global const C *in, size_t n, DAL__LOCAL scratch) \
    {                                                                                              \
        C parts[58], sum = in[0];                                                                  \
        int count = 0;                                                                             \
        if (!DAL__IS_WHOLE)                                                                        \
            return dal__tiles_reduce##OP##_##T(in, n, scratch);                                    \
        for (size_t size = 0; n >= DAL__WHOLE; in += size, n -= size) {                            \
            size = DAL__WHOLE;                                                                     \
            while (size <= n - size)                                                               \
                size *= 2;                                                                         \
            parts[count++] = dal__whole##OP##_##T(in, size, scratch);                              \
        }                                                                                          \
        if (n > 0)                                                                                 \
            sum = dal__tiles_reduce##OP##_##T(in, n, scratch);                                     \
        else                                                                                       \
            sum = parts[--count];                                                                  \
        while (count > 0) {                                                                        \
            count--;                                                                               \
            sum = DAL__OP(T, OP, parts[count], sum);                                               \
        }                                                                                          \
        return sum;                                                                                \
    }

#define DAL__JOINT(T, OP, C, K)                                                                    \
    DAL__DEFINE void dal__tile##OP##_##T(C *x, __global const C *in, size_t left, int wanted,      \
                                         C *ends, DAL__LOCAL scratch)                              \
    {                                                                                              \
        const size_t begin = DAL__NUMBER * DAL__MOST, size = DAL__LESS(left, DAL__TILE);           \
        const size_t count = begin < size ? DAL__LESS(size - begin, DAL__MOST) : 0;                \
        for (size_t i = 0; i < DAL__MOST; i++)                                                     \
            x[i] = i < count ? DAL__IN(T, OP, in[begin + i]) : DAL__UNSET(T, OP);                  \
        ends[0] = ends[1] = x[0];                                                                  \
        dal__scan##OP##_##T(x, DAL__MOST, DAL_GROUP_ITEMS, DAL__TILE / DAL__MOST - 1, wanted,      \
                            ends, scratch);                                                        \
    }                                                                                              \
    DAL__DEFINE C dal__tiles_reduce##OP##_##T(__global const C *in, size_t n, DAL__LOCAL scratch)  \
    {                                                                                              \
        const size_t begin = DAL__NUMBER * DAL__MOST;                                              \
        __local C *shared = DAL__SECOND(C, scratch);                                               \
        C x[DAL__MOST], tiles[58], ends[2], sum;                                                   \
        size_t k = 0;                                                                              \
        int has_sum = 1;                                                                           \
        for (; n > DAL__TILE; in += DAL__TILE, n -= DAL__TILE, k++) {                              \
            dal__tile##OP##_##T(x, in, n, DAL__LAST, ends, scratch);                               \
            sum = ends[1];                                                                         \
            DAL__CARRY(T, OP, sum, tiles, k);                                                      \
        }                                                                                          \
        dal__tile##OP##_##T(x, in, n, DAL__VALUES, ends, scratch);                                 \
        for (size_t i = 0; i < DAL__MOST; i++)                                                     \
            if (begin + i + 1 == n)                                                                \
                *shared = x[i];                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        sum = *shared;                                                                             \
        DAL__JOIN(T, OP, sum, has_sum, tiles, k);                                                  \
        return sum;                                                                                \
    }                                                                                              \
    DAL__WHOLES(T, OP, C)                                                                          \
    DAL__DEFINE void dal__tiles_scan##OP##_##T(__global const C *in, __global C *out, size_t n,    \
                                               int is_exclusive, C init, DAL__LOCAL scratch)       \
    {                                                                                              \
        const size_t item = DAL__NUMBER, begin = item * DAL__MOST;                                 \
        C x[DAL__MOST], tiles[58], ends[2], end = init;                                            \
        for (size_t at = 0, k = 0; at < n; at += DAL__TILE, k++) {                                 \
            const size_t size = DAL__LESS(n - at, DAL__TILE);                                      \
            C sum, before;                                                                         \
            dal__tile##OP##_##T(x, in + at, n - at, DAL__VALUES | DAL__BEFORE | DAL__LAST, ends,   \
                                scratch);                                                          \
            sum = ends[1];                                                                         \
            for (size_t bits = k, level = 0; bits; bits >>= 1, level++) {                          \
                if (bits & 1)                                                                      \
                    DAL__TO_ALL(T, OP, tiles[level], x, DAL__MOST);                                \
                if (bits & 1)                                                                      \
                    DAL__TO_ALL(T, OP, tiles[level], ends, 2);                                     \
            }                                                                                      \
            before = item ? ends[0] : end;                                                         \
            end = ends[1];                                                                         \
            for (size_t i = 0; i < DAL__MOST && begin < size; i++) {                               \
                C value = x[i];                                                                    \
                if (is_exclusive)                                                                  \
                    value = at + begin + i ? DAL__OP(T, OP, init, before) : init;                  \
                before = x[i];                                                                     \
                if (begin + i < size)                                                              \
                    out[at + begin + i] = value;                                                   \
            }                                                                                      \
            DAL__CARRY(T, OP, sum, tiles, k);                                                      \
        }                                                                                          \
    }                                                                                              \
    /* Reduces 1 or more values, in any order. Work-items without one have DAL__IDLE. */           \
    DAL__DEFINE C dal__strides_reduce##OP##_##T(__global const C *in, size_t n,                    \
                                                DAL__LOCAL scratch)                                \
    {                                                                                              \
        const size_t item = DAL__NUMBER;                                                           \
        C x[1] = {DAL__IN(T, OP, in[item < n ? item : 0])}, ends[2] = {x[0], x[0]};                \
        if (item >= n)                                                                             \
            x[0] = DAL__IDLE(T, OP, x[0]);                                                         \
        for (size_t i = item + DAL_GROUP_ITEMS; i < n; i += DAL_GROUP_ITEMS)                       \
            x[0] = DAL__OP(T, OP, x[0], DAL__IN(T, OP, in[i]));                                    \
        if (DAL__OF_DEVICE_##K(OP))                                                                \
            return dal__device_reduce##OP##_##T(x[0], scratch);                                    \
        dal__scan##OP##_##T(x, 1, DAL_GROUP_ITEMS, DAL_GROUP_ITEMS - 1, DAL__LAST, ends, scratch); \
        return ends[1];                                                                            \
    }                                                                                              \
    DAL__DEFINE C dal__joint_reduce##OP##_##T(__global const C *in, size_t n, C init,              \
                                              int any_order, DAL__LOCAL scratch)                   \
    {                                                                                              \
        __local C *shared = DAL__SECOND(C, scratch);                                               \
        C sum = init;                                                                              \
        DAL__MEET();                                                                               \
        if (DAL__LEADS) {                                                                          \
            if (DAL__NUMBER == 0 && n > 0)                                                         \
                shared[0] = any_order ? dal__serial_any##OP##_##T##_in_global(in, n)               \
                                      : dal__serial_reduce##OP##_##T##_in_global(in, n);           \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            if (n > 0)                                                                             \
                sum = DAL__OP(T, OP, init, shared[0]);                                             \
        } else if (n > 0) {                                                                        \
            sum = any_order ? dal__strides_reduce##OP##_##T(in, n, scratch)                        \
                            : dal__wholes_reduce##OP##_##T(in, n, scratch);                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            sum = DAL__OP(T, OP, init, sum);                                                       \
        }                                                                                          \
        return sum;                                                                                \
    }                                                                                              \
    DAL__DEFINE void dal__joint_scan##OP##_##T(__global const C *in, __global C *out, size_t n,    \
                                               int is_exclusive, C init, DAL__LOCAL scratch)       \
    {                                                                                              \
        DAL__MEET();                                                                               \
        if (DAL__LEADS) {                                                                          \
            if (DAL__NUMBER == 0 && n > 0)                                                         \
                dal__serial_scan##OP##_##T##_in_global(in, out, n, is_exclusive, init);            \
        } else if (n) {                                                                            \
            dal__tiles_scan##OP##_##T(in, out, n, is_exclusive, init, scratch);                    \
        }                                                                                          \
        DAL__MEET();                                                                               \
    }                                                                                              \
    DAL__FORMS(T, OP, C, K)

#define DAL__COLLECTIVE(T, OP, C, K)                                                               \
    DAL__FITS(T, OP)                                                                               \
    DAL__SHUFFLED(T, OP, C)                                                                        \
    DAL__##K##_SERIAL(in_local, __local, T, OP, C)                                                 \
        DAL__##K##_SERIAL(in_global, __global, T, OP, C) DAL__SCAN(T, OP, C, K)                    \
            DAL__GROUP(T, OP, C, K) DAL__JOINT(T, OP, C, K)

/* ---- what has no operation ------------------------------------------------------------------- */

#define DAL_COLLECTIVE_MOVES(T)                                                                    \
    DAL__FITS(T, _moves)                                                                           \
    DAL__SHUFFLED(T, _moves, dal_##T)                                                              \
    DAL__MOVES(T, _moves, dal_##T, group, DAL_GROUP_ITEMS)                                         \
    DAL__MOVES(T, _moves, dal_##T, sub, DAL__LESS(DAL_SUB_ITEMS, DAL_GROUP_ITEMS))                 \
    struct dal__moves_##T

#define DAL__MOVES(T, OP, C, WHO, width)                                                           \
    DAL__DEFINE C dal_##WHO##_broadcast_##T(C value, size_t from, DAL__LOCAL scratch)              \
    {                                                                                              \
        const size_t item = DAL__NUMBER, front = DAL__FRONT(item, width), lane = item - front;     \
        __local C *shared = DAL__FIRST(C, scratch);                                                \
        from = DAL__LESS(from, DAL__COUNT(front, width) - 1);                                      \
        (void)lane;                                                                                \
        if (DAL__SHUFFLES & (width <= 32))                                                         \
            return DAL__SHUFFLE(T, OP, C, DAL__LANES, value, (uint)from);                          \
        if (item == front + from)                                                                  \
            shared[front] = value;                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        value = shared[front];                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        return value;                                                                              \
    }                                                                                              \
    DAL__DEFINE C dal_##WHO##_shift_##T(C value, long by, C fill, DAL__LOCAL scratch)              \
    {                                                                                              \
        const size_t item = DAL__NUMBER, front = DAL__FRONT(item, width), lane = item - front;     \
        const ulong from = (ulong)lane - (ulong)by;                                                \
        const int is_inside = from < DAL__COUNT(front, width);                                     \
        __local C *shared = DAL__FIRST(C, scratch);                                                \
        if (DAL__SHUFFLES & (width <= 32)) {                                                       \
            value = DAL__SHUFFLE(T, OP, C, DAL__LANES, value, (uint)(is_inside ? from : lane));    \
            return is_inside ? value : fill;                                                       \
        }                                                                                          \
        shared[item] = value;                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        value = is_inside ? shared[front + from] : fill;                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        return value;                                                                              \
    }

/* Votes are a reduction. */
DAL__PAIR(uint, _votes, EXACT, a | b, a, x, 0)
DAL__SHUFFLED(uint, _votes, uint)
DAL__EXACT_SERIAL(in_local, __local, uint, _votes, uint)
DAL__SCAN(uint, _votes, uint, EXACT)
DAL__GROUP(uint, _votes, uint, EXACT)

/* Is `is` true for any work-item, of all or of a sub-group? */
DAL__DEFINE int dal__any_of(int is, uint width, DAL__LOCAL scratch)
{
    if (DAL__HAS_ANY & (width >= DAL_GROUP_ITEMS))
        return DAL__GROUP_ANY(is) != 0;
    return dal__group_reduce_votes_uint((uint)is, width, scratch) != 0;
}

DAL__DEFINE int dal__group_finds(int found, DAL__LOCAL scratch)
{
    return dal__any_of(found, DAL_GROUP_ITEMS, scratch);
}

#define DAL__PREDICATE(WHO, width, WHICH, NOT, sought)                                             \
    DAL__DEFINE int dal_##WHO##_##WHICH##_of(int is, DAL__LOCAL scratch)                           \
    {                                                                                              \
        return NOT dal__any_of((is != 0) == sought, width, scratch);                               \
    }
#define DAL__PREDICATES(WHO, width)                                                                \
    DAL__PREDICATE(WHO, width, any, , 1)                                                           \
    DAL__PREDICATE(WHO, width, none, !, 1)                                                         \
    DAL__PREDICATE(WHO, width, all, !, 0)
DAL__PREDICATES(group, DAL_GROUP_ITEMS)
DAL__PREDICATES(sub, DAL__LESS(DAL_SUB_ITEMS, DAL_GROUP_ITEMS))

#endif
#endif
