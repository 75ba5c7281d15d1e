/*
 * Declarations that CUDA's compiler has by itself, as far as they matter to a reader of sources.
 * libclang reads them as C++ of an NVIDIA device. The kernels' words are annotations that the
 * reader finds.
 */
#pragma once

#define __CUDACC__    1
#define __CUDA_ARCH__ 900
#define __global__    __attribute__((annotate("kernel")))
#define __shared__    __attribute__((annotate("local")))
#define __constant__  __attribute__((annotate("constant")))
#define __device__
#define __host__
#define __managed__
#define __forceinline__        inline __attribute__((always_inline))
#define __noinline__           __attribute__((noinline))
#define __align__(n)           __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((annotate("bounds")))
#define __grid_constant__
/* Words of other compilers. */
#define __typeof__ typeof_is_not_in_CUDA
#define __typeof typeof_is_not_in_CUDA

using size_t = unsigned long;
using ptrdiff_t = long;

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

extern "C" int printf(const char *, ...);
extern "C" void *memcpy(void *, const void *, size_t);
extern "C" void *memset(void *, int, size_t);

void __syncthreads();
void __syncwarp(unsigned = ~0u);
int __syncthreads_count(int);
int __syncthreads_and(int);
int __syncthreads_or(int);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned);
void __trap();
unsigned __activemask();
unsigned __ballot_sync(unsigned, int);
int __all_sync(unsigned, int);
int __any_sync(unsigned, int);
long long clock64();
template <typename T> T __shfl_sync(unsigned, T, int, int = 32);
template <typename T> T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <typename T> T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <typename T> T __shfl_xor_sync(unsigned, T, int, int = 32);
template <typename T> T __ldg(const T *);
template <typename T> T __ldcs(const T *);
template <typename T> void __stcs(T *, T);

template <typename T> struct dal__same {
    typedef T type;
};
#define DAL__ATOMIC(name) template <typename T> T name(T *, typename dal__same<T>::type);
DAL__ATOMIC(atomicAdd)
DAL__ATOMIC(atomicSub)
DAL__ATOMIC(atomicExch)
DAL__ATOMIC(atomicMin)
DAL__ATOMIC(atomicMax)
DAL__ATOMIC(atomicInc)
DAL__ATOMIC(atomicDec)
DAL__ATOMIC(atomicAnd)
DAL__ATOMIC(atomicOr)
DAL__ATOMIC(atomicXor)
#undef DAL__ATOMIC
template <typename T> T atomicCAS(T *, typename dal__same<T>::type, typename dal__same<T>::type);

int __float_as_int(float);
unsigned __float_as_uint(float);
float __int_as_float(int);
float __uint_as_float(unsigned);
long long __double_as_longlong(double);
double __longlong_as_double(long long);
int __double2hiint(double);
int __double2loint(double);
double __hiloint2double(int, int);
int __clz(int);
int __clzll(long long);
int __popc(unsigned);
int __popcll(unsigned long long);
int __ffs(int);
int __ffsll(long long);
unsigned __brev(unsigned);
unsigned long long __brevll(unsigned long long);
int __mulhi(int, int);
unsigned __umulhi(unsigned, unsigned);
long long __mul64hi(long long, long long);
unsigned long long __umul64hi(unsigned long long, unsigned long long);
int __mul24(int, int);
unsigned __umul24(unsigned, unsigned);
int __hadd(int, int);
int __rhadd(int, int);
unsigned __uhadd(unsigned, unsigned);
unsigned __urhadd(unsigned, unsigned);
unsigned __sad(int, int, unsigned);
unsigned __usad(unsigned, unsigned, unsigned);
unsigned __byte_perm(unsigned, unsigned, unsigned);
unsigned __funnelshift_l(unsigned, unsigned, unsigned);
unsigned __funnelshift_r(unsigned, unsigned, unsigned);
float __saturatef(float);

/* In float and in double. */
#define DAL__MATH1(name)                                                                           \
    float name(float);                                                                             \
    double name(double);                                                                           \
    extern "C" float name##f(float);
#define DAL__MATH2(name)                                                                           \
    float name(float, float);                                                                      \
    double name(double, double);                                                                   \
    extern "C" float name##f(float, float);
DAL__MATH1(acos)
DAL__MATH1(acosh)
DAL__MATH1(asin)
DAL__MATH1(asinh)
DAL__MATH1(atan)
DAL__MATH1(atanh)
DAL__MATH1(cbrt)
DAL__MATH1(ceil)
DAL__MATH1(cos)
DAL__MATH1(cosh)
DAL__MATH1(cospi)
DAL__MATH1(erf)
DAL__MATH1(erfc)
DAL__MATH1(exp)
DAL__MATH1(exp10)
DAL__MATH1(exp2)
DAL__MATH1(expm1)
DAL__MATH1(fabs)
DAL__MATH1(floor)
DAL__MATH1(lgamma)
DAL__MATH1(log)
DAL__MATH1(log10)
DAL__MATH1(log1p)
DAL__MATH1(log2)
DAL__MATH1(logb)
DAL__MATH1(nearbyint)
DAL__MATH1(rint)
DAL__MATH1(round)
DAL__MATH1(rsqrt)
DAL__MATH1(sin)
DAL__MATH1(sinh)
DAL__MATH1(sinpi)
DAL__MATH1(sqrt)
DAL__MATH1(tan)
DAL__MATH1(tanh)
DAL__MATH1(tgamma)
DAL__MATH1(trunc)
DAL__MATH2(atan2)
DAL__MATH2(copysign)
DAL__MATH2(fdim)
DAL__MATH2(fmax)
DAL__MATH2(fmin)
DAL__MATH2(fmod)
DAL__MATH2(hypot)
DAL__MATH2(nextafter)
DAL__MATH2(pow)
DAL__MATH2(remainder)
#undef DAL__MATH1
#undef DAL__MATH2
float fma(float, float, float);
double fma(double, double, double);
extern "C" float fmaf(float, float, float);
extern "C" int abs(int);
extern "C" long labs(long);
extern "C" long long llabs(long long);
long abs(long);
long long abs(long long);
float abs(float);
double abs(double);
float ldexp(float, int);
double ldexp(double, int);
extern "C" float ldexpf(float, int);
float frexp(float, int *);
double frexp(double, int *);
extern "C" float frexpf(float, int *);
float modf(float, float *);
double modf(double, double *);
extern "C" float modff(float, float *);
float remquo(float, float, int *);
double remquo(double, double, int *);
extern "C" float remquof(float, float, int *);
int ilogb(float);
int ilogb(double);
void sincos(float, float *, float *);
void sincos(double, double *, double *);
extern "C" void sincosf(float, float *, float *);
extern "C" float nanf(const char *);
extern "C" double nan(const char *);
bool isnan(float);
bool isnan(double);
bool isinf(float);
bool isinf(double);
bool isfinite(float);
bool isfinite(double);
bool signbit(float);
bool signbit(double);

/* Arithmetic with a given rounding, or as the hardware has it. */
#define DAL__ROUNDED(name, of)                                                                     \
    of name##_rn of##_;                                                                            \
    of name##_rz of##_;                                                                            \
    of name##_ru of##_;                                                                            \
    of name##_rd of##_;
#define float_  (float, float)
#define double_ (double, double)
DAL__ROUNDED(__fadd, float)
DAL__ROUNDED(__fsub, float)
DAL__ROUNDED(__fmul, float)
DAL__ROUNDED(__fdiv, float)
DAL__ROUNDED(__dadd, double)
DAL__ROUNDED(__dsub, double)
DAL__ROUNDED(__dmul, double)
DAL__ROUNDED(__ddiv, double)
#undef float_
#undef double_
#define float_  (float, float, float)
#define double_ (double, double, double)
DAL__ROUNDED(__fmaf, float)
DAL__ROUNDED(__fma, double)
#undef float_
#undef double_
#define float_  (float)
#define double_ (double)
DAL__ROUNDED(__fsqrt, float)
DAL__ROUNDED(__frcp, float)
DAL__ROUNDED(__dsqrt, double)
DAL__ROUNDED(__drcp, double)
#undef float_
#undef double_
#undef DAL__ROUNDED
float __frsqrt_rn(float);
#define DAL__CONVERSION(to, from, name)                                                            \
    to name##_rn(from);                                                                            \
    to name##_rz(from);                                                                            \
    to name##_ru(from);                                                                            \
    to name##_rd(from);
DAL__CONVERSION(int, float, __float2int)
DAL__CONVERSION(unsigned, float, __float2uint)
DAL__CONVERSION(long long, float, __float2ll)
DAL__CONVERSION(unsigned long long, float, __float2ull)
DAL__CONVERSION(float, int, __int2float)
DAL__CONVERSION(float, unsigned, __uint2float)
DAL__CONVERSION(float, long long, __ll2float)
DAL__CONVERSION(float, unsigned long long, __ull2float)
DAL__CONVERSION(int, double, __double2int)
DAL__CONVERSION(unsigned, double, __double2uint)
DAL__CONVERSION(long long, double, __double2ll)
DAL__CONVERSION(unsigned long long, double, __double2ull)
DAL__CONVERSION(float, double, __double2float)
DAL__CONVERSION(double, long long, __ll2double)
DAL__CONVERSION(double, unsigned long long, __ull2double)
#undef DAL__CONVERSION
float __expf(float);
float __exp10f(float);
float __logf(float);
float __log2f(float);
float __log10f(float);
float __sinf(float);
float __cosf(float);
float __tanf(float);
float __powf(float, float);
float __fdividef(float, float);
void __sincosf(float, float *, float *);

#define DAL__PAIR(name)                                                                            \
    int name(int, int);                                                                            \
    unsigned name(unsigned, unsigned);                                                             \
    unsigned name(unsigned, int);                                                                  \
    unsigned name(int, unsigned);                                                                  \
    long name(long, long);                                                                         \
    unsigned long name(unsigned long, unsigned long);                                              \
    long long name(long long, long long);                                                          \
    unsigned long long name(unsigned long long, unsigned long long);                               \
    float name(float, float);                                                                      \
    double name(double, double);                                                                   \
    double name(float, double);                                                                    \
    double name(double, float);
DAL__PAIR(min)
DAL__PAIR(max)
#undef DAL__PAIR
