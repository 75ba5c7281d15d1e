/*
 * OpenCL C 1.2 in CUDA C++: this text stands in front of a kernel's, so that the same kernel builds
 * with NVRTC. It includes nothing. The library has it as a string (nvrtc.c).
 *
 * There is no vector type: `(float4)(a, b, c, d)` is a comma expression in C++, so their names are
 * errors here. Nor are there images, samplers, and copies of work-groups. Variables in local and
 * constant memory are declared with DAL_LOCAL_VARIABLE and DAL_CONSTANT_VARIABLE, which dalsynth
 * writes; address spaces of pointers mean nothing. get_work_dim() does not count dimensions at the
 * end that have one work-item. Functions with an error bound in OpenCL are those of CUDA's library;
 * + - * / sqrt() and fma() are correctly rounded.
 *
 * A text of CUDA C++ is built with -DDAL_CUDA_SOURCE. Then only the parts that dalsynth's additions
 * need are here: the functions of work-items and the words that begin with two underscores.
 *
 * Of CUDA it uses the built-in variables, __syncthreads, __threadfence, __threadfence_block,
 * __popcll, __clzll, __mul64hi, __umul64hi, the atomic functions, and the functions of C. It also
 * uses __sinf, __cosf, __tanf, __expf, __exp10f, __logf, __log2f, __log10f, __powf and __fdividef.
 */
#pragma once

#define DAL__FN __device__ static inline
/* Defines a function that returns one value. */
#define DAL__VALUE(type, name, parameters, ...)                                                    \
    DAL__FN type name parameters                                                                   \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }

static_assert(sizeof(long) == 8 && sizeof(void *) == 8, "long has 64 bits in OpenCL");
static_assert((char)-1 < 0, "char is signed in OpenCL");

/* ---- types ---------------------------------------------------------------------------------
 */

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

/* ---- work-items (6.12.1) and their synchronisation (6.12.8, 6.12.9) --------------------------
 */

template <class I> DAL__FN size_t dal__of(I index, uint n, size_t beyond)
{
    return n == 0 ? index.x : n == 1 ? index.y : n == 2 ? index.z : beyond;
}
DAL__VALUE(size_t, get_local_id, (uint n), dal__of(threadIdx, n, 0))
DAL__VALUE(size_t, get_local_size, (uint n), dal__of(blockDim, n, 1))
DAL__VALUE(size_t, get_enqueued_local_size, (uint n), dal__of(blockDim, n, 1))
DAL__VALUE(size_t, get_group_id, (uint n), dal__of(blockIdx, n, 0))
DAL__VALUE(size_t, get_num_groups, (uint n), dal__of(gridDim, n, 1))
DAL__VALUE(size_t, get_global_id, (uint n),
           dal__of(blockIdx, n, 0) * dal__of(blockDim, n, 1) + dal__of(threadIdx, n, 0))
DAL__VALUE(size_t, get_global_size, (uint n), dal__of(gridDim, n, 1) * dal__of(blockDim, n, 1))
DAL__VALUE(size_t, get_global_offset, (uint), 0)
DAL__VALUE(size_t, get_local_linear_id, (void),
           ((size_t)threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)
DAL__VALUE(size_t, get_global_linear_id, (void),
           (((size_t)blockIdx.z * blockDim.z + threadIdx.z) * ((size_t)gridDim.y * blockDim.y) +
            ((size_t)blockIdx.y * blockDim.y + threadIdx.y)) *
                   ((size_t)gridDim.x * blockDim.x) +
               ((size_t)blockIdx.x * blockDim.x + threadIdx.x))
DAL__FN uint get_work_dim(void)
{
    return (size_t)gridDim.z * blockDim.z > 1 ? 3 : (size_t)gridDim.y * blockDim.y > 1 ? 2 : 1;
}

typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE  1u
#define CLK_GLOBAL_MEM_FENCE 2u

DAL__FN void barrier(cl_mem_fence_flags)
{
    __syncthreads();
}
DAL__FN void work_group_barrier(cl_mem_fence_flags)
{
    __syncthreads();
}
DAL__FN void mem_fence(cl_mem_fence_flags flags)
{
    if (flags & CLK_GLOBAL_MEM_FENCE)
        __threadfence();
    else
        __threadfence_block();
}
DAL__FN void read_mem_fence(cl_mem_fence_flags flags)
{
    mem_fence(flags);
}
DAL__FN void write_mem_fence(cl_mem_fence_flags flags)
{
    mem_fence(flags);
}
template <class T> DAL__FN void prefetch(const T *, size_t)
{
}

#ifndef DAL_CUDA_SOURCE

/* ---- constants -------------------------------------------------------------------------------
 */

#define __OPENCL_VERSION__   120
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0       100
#define CL_VERSION_1_1       110
#define CL_VERSION_1_2       120
#define __ENDIAN_LITTLE__    1

#define cl_khr_fp64                          1
#define cl_khr_byte_addressable_store        1
#define cl_khr_global_int32_base_atomics     1
#define cl_khr_global_int32_extended_atomics 1
#define cl_khr_local_int32_base_atomics      1
#define cl_khr_local_int32_extended_atomics  1
#define cl_khr_int64_base_atomics            1
#define cl_khr_int64_extended_atomics        1

#undef CHAR_BIT
#undef CHAR_MAX
#undef CHAR_MIN
#undef SCHAR_MAX
#undef SCHAR_MIN
#undef UCHAR_MAX
#undef SHRT_MAX
#undef SHRT_MIN
#undef USHRT_MAX
#undef INT_MAX
#undef INT_MIN
#undef UINT_MAX
#undef LONG_MAX
#undef LONG_MIN
#undef ULONG_MAX
#define CHAR_BIT  8
#define SCHAR_MAX 127
#define SCHAR_MIN (-127 - 1)
#define CHAR_MAX  SCHAR_MAX
#define CHAR_MIN  SCHAR_MIN
#define UCHAR_MAX 255
#define SHRT_MAX  32767
#define SHRT_MIN  (-32767 - 1)
#define USHRT_MAX 65535
#define INT_MAX   2147483647
#define INT_MIN   (-2147483647 - 1)
#define UINT_MAX  0xffffffffU
#define LONG_MAX  0x7fffffffffffffffL
#define LONG_MIN  (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL

#undef FLT_DIG
#undef FLT_MANT_DIG
#undef FLT_MAX_10_EXP
#undef FLT_MAX_EXP
#undef FLT_MIN_10_EXP
#undef FLT_MIN_EXP
#undef FLT_RADIX
#undef FLT_MAX
#undef FLT_MIN
#undef FLT_EPSILON
#undef DBL_DIG
#undef DBL_MANT_DIG
#undef DBL_MAX_10_EXP
#undef DBL_MAX_EXP
#undef DBL_MIN_10_EXP
#undef DBL_MIN_EXP
#undef DBL_MAX
#undef DBL_MIN
#undef DBL_EPSILON
#define FLT_DIG        6
#define FLT_MANT_DIG   24
#define FLT_MAX_10_EXP 38
#define FLT_MAX_EXP    128
#define FLT_MIN_10_EXP (-37)
#define FLT_MIN_EXP    (-125)
#define FLT_RADIX      2
#define FLT_MAX        0x1.fffffep127f
#define FLT_MIN        0x1.0p-126f
#define FLT_EPSILON    0x1.0p-23f
#define DBL_DIG        15
#define DBL_MANT_DIG   53
#define DBL_MAX_10_EXP 308
#define DBL_MAX_EXP    1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MIN_EXP    (-1021)
#define DBL_MAX        0x1.fffffffffffffp1023
#define DBL_MIN        0x1.0p-1022
#define DBL_EPSILON    0x1.0p-52

#undef MAXFLOAT
#undef HUGE_VALF
#undef HUGE_VAL
#undef INFINITY
#undef NAN
#undef FP_ILOGB0
#undef FP_ILOGBNAN
#define MAXFLOAT    FLT_MAX
#define HUGE_VALF   as_float(0x7f800000u)
#define HUGE_VAL    as_double(0x7ff0000000000000ul)
#define INFINITY    as_float(0x7f800000u)
#define NAN         as_float(0x7fc00000u)
#define FP_ILOGB0   INT_MIN
#define FP_ILOGBNAN INT_MIN

#undef M_E
#undef M_LOG2E
#undef M_LOG10E
#undef M_LN2
#undef M_LN10
#undef M_PI
#undef M_PI_2
#undef M_PI_4
#undef M_1_PI
#undef M_2_PI
#undef M_2_SQRTPI
#undef M_SQRT2
#undef M_SQRT1_2
#define M_E          2.718281828459045235360287
#define M_LOG2E      1.442695040888963407359925
#define M_LOG10E     0.434294481903251827651129
#define M_LN2        0.693147180559945309417232
#define M_LN10       2.302585092994045684017991
#define M_PI         3.141592653589793238462643
#define M_PI_2       1.570796326794896619231322
#define M_PI_4       0.785398163397448309615661
#define M_1_PI       0.318309886183790671537768
#define M_2_PI       0.636619772367581343075535
#define M_2_SQRTPI   1.128379167095512573896159
#define M_SQRT2      1.414213562373095048801689
#define M_SQRT1_2    0.707106781186547524400844
#define M_E_F        2.718281828459045235360287f
#define M_LOG2E_F    1.442695040888963407359925f
#define M_LOG10E_F   0.434294481903251827651129f
#define M_LN2_F      0.693147180559945309417232f
#define M_LN10_F     2.302585092994045684017991f
#define M_PI_F       3.141592653589793238462643f
#define M_PI_2_F     1.570796326794896619231322f
#define M_PI_4_F     0.785398163397448309615661f
#define M_1_PI_F     0.318309886183790671537768f
#define M_2_PI_F     0.636619772367581343075535f
#define M_2_SQRTPI_F 1.128379167095512573896159f
#define M_SQRT2_F    1.414213562373095048801689f
#define M_SQRT1_2_F  0.707106781186547524400844f

/* ---- types and their limits ------------------------------------------------------------------
 */

/* X(type, unsigned, least, most) */
#define DAL__SMALL_INTEGERS(X)                                                                     \
    X(char, uchar, SCHAR_MIN, SCHAR_MAX)                                                           \
    X(uchar, uchar, 0, UCHAR_MAX)                                                                  \
    X(short, ushort, SHRT_MIN, SHRT_MAX)                                                           \
    X(ushort, ushort, 0, USHRT_MAX)                                                                \
    X(int, uint, INT_MIN, INT_MAX)                                                                 \
    X(uint, uint, 0, UINT_MAX)
#define DAL__INTEGERS(X)                                                                           \
    DAL__SMALL_INTEGERS(X)                                                                         \
    X(long, ulong, LONG_MIN, LONG_MAX)                                                             \
    X(ulong, ulong, 0, ULONG_MAX)
#define DAL__FLOATS(X) X(float) X(double)

template <class T> struct dal__type;
#define DAL__TYPE(T, U, least, most)                                                               \
    template <> struct dal__type<T> {                                                              \
        static const bool is_integer = true;                                                       \
        static const T lowest = (T)(least), highest = (T)(most);                                   \
    };
DAL__INTEGERS(DAL__TYPE)
template <> struct dal__type<float> {
    static const bool is_integer = false;
};
template <> struct dal__type<double> {
    static const bool is_integer = false;
};
template <> struct dal__type<bool> {
    static const bool is_integer = true;
    static const bool lowest = false, highest = true;
};

/* ---- as_type() (6.2.4.2) ---------------------------------------------------------------------
 */

template <class T, class S> DAL__FN T dal__as(S value)
{
    static_assert(sizeof(T) == sizeof(S), "as_type() is for types of the same size");
    union {
        S from;
        T to;
    } both;
    both.from = value;
    return both.to;
}
#define DAL__AS(T)                                                                                 \
    template <class S> DAL__FN T as_##T(S value)                                                   \
    {                                                                                              \
        return dal__as<T, S>(value);                                                               \
    }
#define DAL__AS_INTEGER(T, U, least, most) DAL__AS(T)
DAL__INTEGERS(DAL__AS_INTEGER)
DAL__FLOATS(DAL__AS)

/* ---- integer functions (6.12.3) --------------------------------------------------------------
 */

#define DAL__INTEGER_FUNCTIONS(T, U, least, most)                                                  \
    DAL__VALUE(U, dal__abs, (T x), x > 0 ? (U)x : (U)(0 - (U)x))                                   \
    DAL__VALUE(U, abs_diff, (T x, T y), x > y ? (U)((U)x - (U)y) : (U)((U)y - (U)x))               \
    DAL__VALUE(T, dal__min, (T x, T y), y < x ? y : x)                                             \
    DAL__VALUE(T, dal__max, (T x, T y), x < y ? y : x)                                             \
    DAL__VALUE(T, clamp, (T x, T low, T high),                                                     \
               x < low    ? (high < low ? high : low)                                              \
               : high < x ? high                                                                   \
                          : x)                                                                     \
    DAL__VALUE(T, hadd, (T x, T y), (T)((x >> 1) + (y >> 1) + (x & y & 1)))                        \
    DAL__VALUE(T, rhadd, (T x, T y), (T)((x >> 1) + (y >> 1) + ((x | y) & 1)))                     \
    DAL__FN T rotate(T x, T by)                                                                    \
    {                                                                                              \
        const uint bits = 8 * sizeof(T), n = (uint)by & (bits - 1);                                \
        return n == 0 ? x : (T)(((U)x << n) | ((U)x >> (bits - n)));                               \
    }                                                                                              \
    DAL__VALUE(T, popcount, (T x), (T)__popcll((unsigned long long)(U)x))                          \
    DAL__VALUE(T, clz, (T x), (T)(__clzll((long long)(U)x) - (64 - 8 * (int)sizeof(T))))           \
    DAL__VALUE(T, ctz, (T x),                                                                      \
               x == 0 ? (T)(8 * sizeof(T)) : (T)__popcll(((U)x & (0 - (ulong)(U)x)) - 1ul))        \
    DAL__VALUE(int, any, (T x), (int)((U)x >> (8 * sizeof(T) - 1)))                                \
    DAL__VALUE(int, all, (T x), (int)((U)x >> (8 * sizeof(T) - 1)))                                \
    DAL__VALUE(T, bitselect, (T x, T y, T which), (T)((x & ~which) | (y & which)))
DAL__INTEGERS(DAL__INTEGER_FUNCTIONS)

/* These compute in 64 bits: uint's product and sum are just below 2^64, the others' below 2^63. */
#define DAL__SMALL_FUNCTIONS(T, U, least, most)                                                    \
    DAL__FN T add_sat(T x, T y)                                                                    \
    {                                                                                              \
        const long sum = (long)x + (long)y;                                                        \
        return sum < (long)(least) ? (T)(least) : sum > (long)(most) ? (T)(most) : (T)sum;         \
    }                                                                                              \
    DAL__FN T sub_sat(T x, T y)                                                                    \
    {                                                                                              \
        const long rest = (long)x - (long)y;                                                       \
        return rest < (long)(least) ? (T)(least) : rest > (long)(most) ? (T)(most) : (T)rest;      \
    }                                                                                              \
    DAL__VALUE(T, mul_hi, (T x, T y),                                                              \
               (least) == 0 ? (T)((ulong)x * (ulong)y >> 8 * sizeof(T))                            \
                            : (T)((long)x * (long)y >> 8 * sizeof(T)))                             \
    DAL__FN T mad_sat(T x, T y, T z)                                                               \
    {                                                                                              \
        const ulong large = (ulong)x * (ulong)y + (ulong)z;                                        \
        const long sum = (long)large;                                                              \
        if ((least) == 0)                                                                          \
            return large > (ulong)(most) ? (T)(most) : (T)large;                                   \
        return sum < (long)(least) ? (T)(least) : sum > (long)(most) ? (T)(most) : (T)sum;         \
    }
DAL__SMALL_INTEGERS(DAL__SMALL_FUNCTIONS)

DAL__FN long add_sat(long x, long y)
{
    const long sum = (long)((ulong)x + (ulong)y);
    return ((x ^ sum) & (y ^ sum)) < 0 ? (x < 0 ? LONG_MIN : LONG_MAX) : sum;
}
DAL__VALUE(ulong, add_sat, (ulong x, ulong y), x + y < x ? ULONG_MAX : x + y)
DAL__FN long sub_sat(long x, long y)
{
    const long rest = (long)((ulong)x - (ulong)y);
    return ((x ^ y) & (x ^ rest)) < 0 ? (x < 0 ? LONG_MIN : LONG_MAX) : rest;
}
DAL__VALUE(ulong, sub_sat, (ulong x, ulong y), x < y ? 0 : x - y)
DAL__VALUE(long, mul_hi, (long x, long y), (long)__mul64hi(x, y))
DAL__VALUE(ulong, mul_hi, (ulong x, ulong y), (ulong)__umul64hi(x, y))
DAL__FN long mad_sat(long x, long y, long z)
{
    const ulong product = (ulong)x * (ulong)y, low = product + (ulong)z;
    const long high = mul_hi(x, y) + (z >> 63) + (low < product);
    return high == ((long)low >> 63) ? (long)low : high < 0 ? LONG_MIN : LONG_MAX;
}
DAL__VALUE(ulong, mad_sat, (ulong x, ulong y, ulong z),
           mul_hi(x, y) || x * y + z < z ? ULONG_MAX : x * y + z)
#define DAL__MAD_HI(T, U, least, most)                                                             \
    DAL__VALUE(T, mad_hi, (T x, T y, T z), (T)((U)mul_hi(x, y) + (U)z))
DAL__INTEGERS(DAL__MAD_HI)

DAL__FN int mul24(int x, int y)
{
    return (int)((uint)x * (uint)y);
}
DAL__FN uint mul24(uint x, uint y)
{
    return x * y;
}
DAL__FN int mad24(int x, int y, int z)
{
    return (int)((uint)x * (uint)y + (uint)z);
}
DAL__FN uint mad24(uint x, uint y, uint z)
{
    return x * y + z;
}

#define DAL__UPSAMPLE(HIGH, LOW, WIDE)                                                             \
    DAL__VALUE(WIDE, upsample, (HIGH high, LOW low), (WIDE)((ulong)high << 8 * sizeof(LOW) | low))
DAL__UPSAMPLE(char, uchar, short)
DAL__UPSAMPLE(uchar, uchar, ushort)
DAL__UPSAMPLE(short, ushort, int)
DAL__UPSAMPLE(ushort, ushort, uint)
DAL__UPSAMPLE(int, uint, long)
DAL__UPSAMPLE(uint, uint, ulong)

/* ---- common functions (6.12.4) and relations (6.12.6) ----------------------------------------
 */

#define DAL__COMMON(T)                                                                             \
    DAL__VALUE(T, dal__min, (T x, T y), y < x ? y : x)                                             \
    DAL__VALUE(T, dal__max, (T x, T y), x < y ? y : x)                                             \
    DAL__VALUE(T, clamp, (T x, T low, T high), fmin(fmax(x, low), high))                           \
    DAL__VALUE(T, degrees, (T x), (T)(180 / M_PI) * x)                                             \
    DAL__VALUE(T, radians, (T x), (T)(M_PI / 180) * x)                                             \
    DAL__VALUE(T, mix, (T x, T y, T a), x + (y - x) * a)                                           \
    DAL__VALUE(T, step, (T edge, T x), x < edge ? (T)0 : (T)1)                                     \
    DAL__FN T smoothstep(T low, T high, T x)                                                       \
    {                                                                                              \
        const T t = clamp((x - low) / (high - low), (T)0, (T)1);                                   \
        return t * t * ((T)3 - (T)2 * t);                                                          \
    }                                                                                              \
    DAL__VALUE(T, sign, (T x), x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? x : (T)0)                   \
    DAL__VALUE(int, isequal, (T x, T y), x == y)                                                   \
    DAL__VALUE(int, isnotequal, (T x, T y), x != y)                                                \
    DAL__VALUE(int, dal__isgreater, (T x, T y), x > y)                                             \
    DAL__VALUE(int, dal__isgreaterequal, (T x, T y), x >= y)                                       \
    DAL__VALUE(int, dal__isless, (T x, T y), x < y)                                                \
    DAL__VALUE(int, dal__islessequal, (T x, T y), x <= y)                                          \
    DAL__VALUE(int, dal__islessgreater, (T x, T y), (x < y) || (x > y))                            \
    DAL__VALUE(int, dal__isordered, (T x, T y), x == x && y == y)                                  \
    DAL__VALUE(int, dal__isunordered, (T x, T y), x != x || y != y)                                \
    DAL__VALUE(int, dal__isnan, (T x), x != x)                                                     \
    DAL__VALUE(int, dal__isinf, (T x), x == (T)HUGE_VAL || x == -(T)HUGE_VAL)                      \
    DAL__VALUE(int, dal__isfinite, (T x), -(T)HUGE_VAL < x && x < (T)HUGE_VAL)
DAL__FLOATS(DAL__COMMON)

DAL__VALUE(int, dal__isnormal, (float x), dal__isfinite(x) && (x >= FLT_MIN || x <= -FLT_MIN))
DAL__VALUE(int, dal__isnormal, (double x), dal__isfinite(x) && (x >= DBL_MIN || x <= -DBL_MIN))
DAL__VALUE(int, dal__signbit, (float x), as_int(x) < 0)
DAL__VALUE(int, dal__signbit, (double x), as_long(x) < 0)
DAL__VALUE(float, bitselect, (float x, float y, float which),
           as_float(bitselect(as_uint(x), as_uint(y), as_uint(which))))
DAL__VALUE(double, bitselect, (double x, double y, double which),
           as_double(bitselect(as_ulong(x), as_ulong(y), as_ulong(which))))
template <class T, class C> DAL__FN T select(T otherwise, T then, C condition)
{
    static_assert(dal__type<C>::is_integer && sizeof(C) == sizeof(T),
                  "select() wants an integer as large as what it chooses from");
    return condition ? then : otherwise;
}

/* ---- conversions (6.2.3) ---------------------------------------------------------------------
 */

#define DAL__ROUND(mode, function)                                                                 \
    template <class S> DAL__FN S dal__round_##mode(S x)                                            \
    {                                                                                              \
        return x;                                                                                  \
    }                                                                                              \
    DAL__VALUE(float, dal__round_##mode, (float x), function(x))                                   \
    DAL__VALUE(double, dal__round_##mode, (double x), function(x))
DAL__ROUND(rte, rint)
DAL__ROUND(rtz, trunc)
DAL__ROUND(rtp, ceil)
DAL__ROUND(rtn, floor)

template <class T> DAL__FN T dal__saturate(double x)
{
    const T low = dal__type<T>::lowest, high = dal__type<T>::highest;
    return x != x ? (T)0 : x <= (double)low ? low : x >= (double)high ? high : (T)x;
}
template <class T> DAL__FN T dal__saturate(float x)
{
    return dal__saturate<T>((double)x);
}
template <class T> DAL__FN T dal__saturate(long x)
{
    const T low = dal__type<T>::lowest, high = dal__type<T>::highest;
    if (x < (long)low)
        return low;
    return x > 0 && (ulong)x > (ulong)high ? high : (T)x;
}
template <class T> DAL__FN T dal__saturate(ulong x)
{
    const T high = dal__type<T>::highest;
    return x > (ulong)high ? high : (T)x;
}
#define DAL__SATURATE(T, U, least, most)                                                           \
    template <class R> DAL__FN R dal__saturate(T x)                                                \
    {                                                                                              \
        return dal__saturate<R>((long)x);                                                          \
    }
DAL__SMALL_INTEGERS(DAL__SATURATE)

DAL__VALUE(float, dal__next, (float x, bool up), nextafterf(x, up ? INFINITY : -INFINITY))
DAL__VALUE(double, dal__next, (double x, bool up), nextafter(x, up ? HUGE_VAL : -HUGE_VAL))
/* Is the nearest value `near` above or below x? Returns 1, -1 or 0. */
template <class F, class S> DAL__FN int dal__side(F near, S x)
{
    if constexpr (dal__type<S>::is_integer) {
        const F beyond = (F)(dal__type<S>::highest / 2 + 1) * 2;
        if (near >= beyond)
            return 1;
        return (S)near > x ? 1 : (S)near < x ? -1 : 0;
    } else
        return (S)near > x ? 1 : (S)near < x ? -1 : 0;
}
template <class F, class S> DAL__FN F dal__float_rte(S x)
{
    return (F)x;
}
template <class F, class S> DAL__FN F dal__float_rtp(S x)
{
    return dal__side((F)x, x) < 0 ? dal__next((F)x, true) : (F)x;
}
template <class F, class S> DAL__FN F dal__float_rtn(S x)
{
    return dal__side((F)x, x) > 0 ? dal__next((F)x, false) : (F)x;
}
template <class F, class S> DAL__FN F dal__float_rtz(S x)
{
    return x > 0 ? dal__float_rtn<F, S>(x) : dal__float_rtp<F, S>(x);
}

#define DAL__CONVERT_INTEGER(T, name, mode)                                                        \
    template <class S> DAL__FN T convert_##T##name(S x)                                            \
    {                                                                                              \
        return (T)dal__round_##mode(x);                                                            \
    }                                                                                              \
    template <class S> DAL__FN T convert_##T##_sat##name(S x)                                      \
    {                                                                                              \
        return dal__saturate<T>(dal__round_##mode(x));                                             \
    }
#define DAL__CONVERT(T, U, least, most)                                                            \
    DAL__CONVERT_INTEGER(T, , rtz)                                                                 \
    DAL__CONVERT_INTEGER(T, _rte, rte)                                                             \
    DAL__CONVERT_INTEGER(T, _rtz, rtz)                                                             \
    DAL__CONVERT_INTEGER(T, _rtp, rtp)                                                             \
    DAL__CONVERT_INTEGER(T, _rtn, rtn)
DAL__INTEGERS(DAL__CONVERT)
#define DAL__CONVERT_FLOAT(T, name, mode)                                                          \
    template <class S> DAL__FN T convert_##T##name(S x)                                            \
    {                                                                                              \
        return dal__float_##mode<T, S>(x);                                                         \
    }
#define DAL__CONVERT_FLOATS(T)                                                                     \
    DAL__CONVERT_FLOAT(T, , rte)                                                                   \
    DAL__CONVERT_FLOAT(T, _rte, rte)                                                               \
    DAL__CONVERT_FLOAT(T, _rtz, rtz)                                                               \
    DAL__CONVERT_FLOAT(T, _rtp, rtp)                                                               \
    DAL__CONVERT_FLOAT(T, _rtn, rtn)
DAL__FLOATS(DAL__CONVERT_FLOATS)

/* ---- mathematical functions (6.12.2) that CUDA has not, or has otherwise ---------------------
 */

#define DAL__MATH(T)                                                                               \
    DAL__VALUE(T, mad, (T x, T y, T z), z + x * y)                                                 \
    DAL__VALUE(T, acospi, (T x), acos(x) * (T)M_1_PI)                                              \
    DAL__VALUE(T, asinpi, (T x), asin(x) * (T)M_1_PI)                                              \
    DAL__VALUE(T, atanpi, (T x), atan(x) * (T)M_1_PI)                                              \
    DAL__VALUE(T, atan2pi, (T y, T x), atan2(y, x) * (T)M_1_PI)                                    \
    DAL__VALUE(T, tanpi, (T x), sinpi(x) / cospi(x))                                               \
    DAL__FN T fract(T x, T *whole)                                                                 \
    {                                                                                              \
        *whole = floor(x);                                                                         \
        return dal__isinf(x) ? copysign((T)0, x)                                                   \
                             : fmin(x - *whole, (T)1 - (sizeof(T) == 4 ? (T)(FLT_EPSILON / 2)      \
                                                                       : (T)(DBL_EPSILON / 2)));   \
    }                                                                                              \
    DAL__VALUE(T, maxmag, (T x, T y), fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))  \
    DAL__VALUE(T, minmag, (T x, T y), fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))  \
    DAL__VALUE(T, powr, (T x, T y),                                                                \
               x < 0 || (x == 0 && y == 0) || (x == 1 && dal__isinf(y)) ||                         \
                       (dal__isinf(x) && y == 0)                                                   \
                   ? (T)NAN                                                                        \
                   : pow(x, y))                                                                    \
    DAL__VALUE(T, pown, (T x, int n), (T)pow((double)x, (double)n))                                \
    DAL__FN T rootn(T x, int n)                                                                    \
    {                                                                                              \
        const T size = (T)pow(fabs((double)x), 1.0 / n);                                           \
        if (n == 0 || (x < 0 && n % 2 == 0))                                                       \
            return (T)NAN;                                                                         \
        return n % 2 == 0 ? size : copysign(size, x);                                              \
    }                                                                                              \
    DAL__FN T lgamma_r(T x, int *sign)                                                             \
    {                                                                                              \
        const T whole = floor(x);                                                                  \
        *sign = x == 0 && !dal__signbit(x) ? 1                                                     \
                : x < 0 && whole != x      ? (fmod(whole, (T)2) == 0 ? 1 : -1)                     \
                : x > 0                    ? 1                                                     \
                                           : (x == 0 ? -1 : 0);                                                       \
        return lgamma(x);                                                                          \
    }
DAL__FLOATS(DAL__MATH)

DAL__FN float sincos(float x, float *cosine)
{
    float sine;
    sincosf(x, &sine, cosine);
    return sine;
}
DAL__FN double sincos(double x, double *cosine)
{
    double sine;
    sincos(x, &sine, cosine);
    return sine;
}

DAL__VALUE(float, nan, (uint bits), as_float(bits | 0x7fc00000u))
DAL__VALUE(double, nan, (ulong bits), as_double(bits | 0x7ff8000000000000ul))

#define DAL__HALF(name) DAL__VALUE(float, half_##name, (float x), name(x))
DAL__HALF(cos)
DAL__HALF(exp)
DAL__HALF(exp2)
DAL__HALF(exp10)
DAL__HALF(log)
DAL__HALF(log2)
DAL__HALF(log10)
DAL__HALF(rsqrt)
DAL__HALF(sin)
DAL__HALF(sqrt)
DAL__HALF(tan)
DAL__VALUE(float, half_divide, (float x, float y), x / y)
DAL__VALUE(float, half_recip, (float x), 1.0f / x)
DAL__VALUE(float, half_powr, (float x, float y), powr(x, y))

#define DAL__NATIVE(name, function) DAL__VALUE(float, native_##name, (float x), function(x))
DAL__NATIVE(cos, __cosf)
DAL__NATIVE(exp, __expf)
DAL__NATIVE(exp2, exp2f)
DAL__NATIVE(exp10, __exp10f)
DAL__NATIVE(log, __logf)
DAL__NATIVE(log2, __log2f)
DAL__NATIVE(log10, __log10f)
DAL__NATIVE(rsqrt, rsqrtf)
DAL__NATIVE(sin, __sinf)
DAL__NATIVE(sqrt, sqrtf)
DAL__NATIVE(tan, __tanf)
DAL__VALUE(float, native_divide, (float x, float y), __fdividef(x, y))
DAL__VALUE(float, native_recip, (float x), __fdividef(1.0f, x))
DAL__VALUE(float, native_powr, (float x, float y), __powf(x, y))

/* ---- atomic functions (6.12.11, and cl_khr_int64_*) ------------------------------------------
 */

/* Defines the atomic functions of T by CUDA's for type W. */
#define DAL__ATOMIC(prefix, T, W)                                                                  \
    DAL__VALUE(T, prefix##_add, (volatile T * at, T by), (T)atomicAdd((W *)at, (W)by))             \
    DAL__VALUE(T, prefix##_sub, (volatile T * at, T by), (T)atomicAdd((W *)at, (W)0 - (W)by))      \
    DAL__VALUE(T, prefix##_xchg, (volatile T * at, T to), (T)atomicExch((W *)at, (W)to))           \
    DAL__VALUE(T, prefix##_inc, (volatile T * at), (T)atomicAdd((W *)at, (W)1))                    \
    DAL__VALUE(T, prefix##_dec, (volatile T * at), (T)atomicAdd((W *)at, (W)0 - (W)1))             \
    DAL__VALUE(T, prefix##_cmpxchg, (volatile T * at, T from, T to),                               \
               (T)atomicCAS((W *)at, (W)from, (W)to))                                              \
    DAL__VALUE(T, prefix##_and, (volatile T * at, T with), (T)atomicAnd((W *)at, (W)with))         \
    DAL__VALUE(T, prefix##_or, (volatile T * at, T with), (T)atomicOr((W *)at, (W)with))           \
    DAL__VALUE(T, prefix##_xor, (volatile T * at, T with), (T)atomicXor((W *)at, (W)with))
/* Defines those that compare, by CUDA's for type S, which has T's sign. */
#define DAL__ATOMIC_ORDER(prefix, T, S)                                                            \
    DAL__VALUE(T, prefix##_min, (volatile T * at, T with), (T)atomicMin((S *)at, (S)with))         \
    DAL__VALUE(T, prefix##_max, (volatile T * at, T with), (T)atomicMax((S *)at, (S)with))
DAL__ATOMIC(atomic, int, unsigned)
DAL__ATOMIC(atomic, uint, unsigned)
DAL__ATOMIC_ORDER(atomic, int, int)
DAL__ATOMIC_ORDER(atomic, uint, unsigned)
DAL__ATOMIC(atom, int, unsigned)
DAL__ATOMIC(atom, uint, unsigned)
DAL__ATOMIC_ORDER(atom, int, int)
DAL__ATOMIC_ORDER(atom, uint, unsigned)
DAL__ATOMIC(atom, long, unsigned long long)
DAL__ATOMIC(atom, ulong, unsigned long long)
DAL__ATOMIC_ORDER(atom, long, long long)
DAL__ATOMIC_ORDER(atom, ulong, unsigned long long)
DAL__VALUE(float, atomic_xchg, (volatile float *at, float to),
           as_float(atomicExch((unsigned *)at, as_uint(to))))

#endif

/* ---- qualifiers ------------------------------------------------------------------------------
 */

/* CUDA's words are attributes whose names contain OpenCL's words, which would be replaced there.
 * The names in underscores mean the same. */
#ifdef __EDG__
#undef __global__
#undef __shared__
#undef __constant__
#define __global__   __attribute__((__global__))
#define __shared__   __attribute__((__shared__))
#define __constant__ __attribute__((__constant__))
#endif

#define DAL_LOCAL_VARIABLE    __shared__
#define DAL_CONSTANT_VARIABLE __constant__

/* A pointer to global memory can point to local memory as well. */
#define DAL_ONE_ADDRESS_SPACE

#define __kernel extern "C" __global__
#define __global
#define __local
#define __constant const
#define __private
#define __restrict __restrict__

/* A kernel for work-groups of one size may use all registers that this size allows. */
#ifdef __EDG__
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z))
#else
#define reqd_work_group_size(x, y, z) unused
#endif
#define work_group_size_hint(x, y, z) unused
#define vec_type_hint(type)           unused

/* Converts to any type of pointer by itself, as void * does in C. */
struct dal__pointer {
    void *to;
    template <typename type> __device__ operator type *() const
    {
        return (type *)to;
    }
};
#define DAL_POINTER          dal__pointer
#define DAL_POINTER_TO(what) (dal__pointer{what})

/* ---- names that mean something else in C++ or in CUDA ----------------------------------------
 */

#ifndef DAL_CUDA_SOURCE

#define kernel extern "C" __global__
#define global
#define local
#define constant const
#define private
#define restrict __restrict__

#define abs            dal__abs
#define min            dal__min
#define max            dal__max
#define isgreater      dal__isgreater
#define isgreaterequal dal__isgreaterequal
#define isless         dal__isless
#define islessequal    dal__islessequal
#define islessgreater  dal__islessgreater
#define isordered      dal__isordered
#define isunordered    dal__isunordered
#define isnan          dal__isnan
#define isinf          dal__isinf
#define isfinite       dal__isfinite
#define isnormal       dal__isnormal
#define signbit        dal__signbit

#define DAL__NO_VECTOR(type) struct dal_there_is_no_vector_type_##type##_in_CUDA
#define char2                DAL__NO_VECTOR(char2)
#define char3                DAL__NO_VECTOR(char3)
#define char4                DAL__NO_VECTOR(char4)
#define char8                DAL__NO_VECTOR(char8)
#define char16               DAL__NO_VECTOR(char16)
#define uchar2               DAL__NO_VECTOR(uchar2)
#define uchar3               DAL__NO_VECTOR(uchar3)
#define uchar4               DAL__NO_VECTOR(uchar4)
#define uchar8               DAL__NO_VECTOR(uchar8)
#define uchar16              DAL__NO_VECTOR(uchar16)
#define short2               DAL__NO_VECTOR(short2)
#define short3               DAL__NO_VECTOR(short3)
#define short4               DAL__NO_VECTOR(short4)
#define short8               DAL__NO_VECTOR(short8)
#define short16              DAL__NO_VECTOR(short16)
#define ushort2              DAL__NO_VECTOR(ushort2)
#define ushort3              DAL__NO_VECTOR(ushort3)
#define ushort4              DAL__NO_VECTOR(ushort4)
#define ushort8              DAL__NO_VECTOR(ushort8)
#define ushort16             DAL__NO_VECTOR(ushort16)
#define int2                 DAL__NO_VECTOR(int2)
#define int3                 DAL__NO_VECTOR(int3)
#define int4                 DAL__NO_VECTOR(int4)
#define int8                 DAL__NO_VECTOR(int8)
#define int16                DAL__NO_VECTOR(int16)
#define uint2                DAL__NO_VECTOR(uint2)
#define uint3                DAL__NO_VECTOR(uint3)
#define uint4                DAL__NO_VECTOR(uint4)
#define uint8                DAL__NO_VECTOR(uint8)
#define uint16               DAL__NO_VECTOR(uint16)
#define long2                DAL__NO_VECTOR(long2)
#define long3                DAL__NO_VECTOR(long3)
#define long4                DAL__NO_VECTOR(long4)
#define long8                DAL__NO_VECTOR(long8)
#define long16               DAL__NO_VECTOR(long16)
#define ulong2               DAL__NO_VECTOR(ulong2)
#define ulong3               DAL__NO_VECTOR(ulong3)
#define ulong4               DAL__NO_VECTOR(ulong4)
#define ulong8               DAL__NO_VECTOR(ulong8)
#define ulong16              DAL__NO_VECTOR(ulong16)
#define float2               DAL__NO_VECTOR(float2)
#define float3               DAL__NO_VECTOR(float3)
#define float4               DAL__NO_VECTOR(float4)
#define float8               DAL__NO_VECTOR(float8)
#define float16              DAL__NO_VECTOR(float16)
#define double2              DAL__NO_VECTOR(double2)
#define double3              DAL__NO_VECTOR(double3)
#define double4              DAL__NO_VECTOR(double4)
#define double8              DAL__NO_VECTOR(double8)
#define double16             DAL__NO_VECTOR(double16)

/* Words of C++ that are names in C. */
#define catch dal__name_catch
#define class dal__name_class
#define delete dal__name_delete
#define explicit dal__name_explicit
#define export dal__name_export
#define friend dal__name_friend
#define mutable dal__name_mutable
#define namespace dal__name_namespace
#define new dal__name_new
#define protected dal__name_protected
#define public dal__name_public
#define this dal__name_this
#define try dal__name_try
#define virtual dal__name_virtual

#endif
