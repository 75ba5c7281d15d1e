/* Kernel of process Stripe, from the portable stripe.c. */
#undef GAIN
#define GAIN 2

#define PORT_in            0
#define TOKEN_in_SIZE      4
#define TOKEN_in_RATE      8
#define BLOCK_in_SIZE      8
#define BLOCK_in_COUNT     1
#define DAL_BLOCKS_PORT_in BLOCK_in_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_in_t;

#define PORT_out            1
#define TOKEN_out_SIZE      4
#define TOKEN_out_RATE      8
#define BLOCK_out_SIZE      2
#define BLOCK_out_COUNT     4
#define DAL_BLOCKS_PORT_out BLOCK_out_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_out_t;

#define VAR_width 8

#pragma OPENCL FP_CONTRACT OFF
#define DAL__PORTS 2
#define DAL__ITEM get_local_id(0)
#define DAL__ITEMS get_local_size(0)

#ifndef DAL_LOCAL_VARIABLE
#define DAL_LOCAL_VARIABLE    __local
#define DAL_CONSTANT_VARIABLE __constant
#endif
#ifndef DAL_POINTER
#ifdef __cplusplus
#pragma push_macro("class")
#undef class
struct dal__pointer {
    void *to;
    template <class type> operator type *() const { return (type *)to; }
};
#pragma pop_macro("class")
#define __builtin_offsetof(type, member) ((size_t)&((type *)0)->member)
#define DAL_POINTER          dal__pointer
#define DAL_POINTER_TO(what) (dal__pointer{what})
#else
#define DAL_POINTER          __global void *
#define DAL_POINTER_TO(what) (what)
#endif
#endif
/* dal.h for a device. Ports go by their numbers. What DAL_read_begin() gives moves on with every
 * DAL_read_end(), as in dal.h; a block's place follows from its number. */
#define DAL_WINDOW __global

typedef struct dal__process {
    struct _local_states *dal__user_local; /* there is none */
    __global uchar *dal__at[DAL__PORTS];
    size_t dal__held[DAL__PORTS];
#ifdef DAL_PHASES
    int dal__phase;
#endif
#ifdef DAL__COUNTED
    uint dal__count[DAL__PORTS];
    __global uint *dal__packet[DAL__PORTS];
#endif
#ifdef DAL_GROUP_ITEMS
    __local ulong *dal__scratch;
#endif
#ifdef DAL__CONSTANTS
    __global const uchar *dal__constant[DAL__CONSTANTS];
#endif
} DALProcess;

#define DAL_CONSTANT(x, p) ((__global const CONSTANT_##x##_t *)(p)->dal__constant[CONSTANT_##x])

#ifdef DAL_PHASES
#define DAL_getPhase(p) ((p)->dal__phase)
#else
#define DAL_getPhase(p) 0
#endif
#define DAL_PHASE DAL_getPhase(p)

static inline DAL_POINTER dal__read_begin(int dal__port, size_t dal__bytes, size_t dal__rate,
                                          DALProcess *dal__p)
{
    dal__p->dal__held[dal__port] = dal__bytes * dal__rate;
    return DAL_POINTER_TO(dal__p->dal__at[dal__port]);
}

static inline void dal__read_end(int dal__port, DALProcess *dal__p)
{
    dal__p->dal__at[dal__port] += dal__p->dal__held[dal__port];
}

static inline DAL_POINTER dal__write_begin(int dal__port, size_t dal__bytes, size_t dal__tokens,
                                           size_t dal__block, DALProcess *dal__p)
{
    return DAL_POINTER_TO(dal__p->dal__at[dal__port] + dal__bytes * dal__tokens * dal__block);
}

static inline void dal__write_end(int dal__port, DALProcess *dal__p)
{
}

#ifdef DAL__COUNTED
static inline size_t dal__read_count(int dal__port, DALProcess *dal__p)
{
    return dal__p->dal__count[dal__port];
}

static inline void dal__write_count(int dal__port, size_t dal__count, DALProcess *dal__p)
{
    const uint dal__most = 0xffffffffu;

    if (DAL__ITEM == 0)
        *dal__p->dal__packet[dal__port] = dal__count > dal__most ? dal__most : (uint)dal__count;
}

#define DAL_count(port, p)            dal__read_count(port, p)
#define DAL_set_count(port, count, p) dal__write_count(port, count, p)
#endif

#define DAL_read_begin(port, bytes, rate, p) dal__read_begin(port, bytes, rate, p)
#define DAL_read_end(port, window, p)        dal__read_end(port, p)
#define DAL_write_begin(port, bytes, rate, tokens, block, p)                                       \
    dal__write_begin(port, bytes, tokens, block, p)
#define DAL_write_end(port, window, p) dal__write_end(port, p)
#define DAL_READ_TOKENS(type, x, rate, p)                                                          \
    ((__global type *)DAL_read_begin(PORT_##x, sizeof(type), rate, p))
#define DAL_WRITE_TOKENS(type, x, rate, tokens, block, p)                                          \
    ((__global type *)DAL_write_begin(PORT_##x, sizeof(type), rate, tokens, block, p))

/* What the DAL_foreach before has written is there in the next. */
static inline int dal__first_block(int dal__port)
{
    barrier(CLK_GLOBAL_MEM_FENCE);
    return (int)DAL__ITEM;
}

static inline int dal__step(void)
{
    return (int)DAL__ITEMS;
}

#define DAL_foreach(blk, port)                                                                     \
    for (int blk = dal__first_block(port); blk < DAL_BLOCKS_##port; blk += dal__step())

/* Of C's headers. */
typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
typedef long intmax_t;
typedef ulong uintmax_t;
typedef char int_least8_t, int_fast8_t;
typedef uchar uint_least8_t, uint_fast8_t;
typedef short int_least16_t;
typedef ushort uint_least16_t;
typedef int int_least32_t;
typedef uint uint_least32_t;
typedef long int_least64_t, int_fast16_t, int_fast32_t, int_fast64_t;
typedef ulong uint_least64_t, uint_fast16_t, uint_fast32_t, uint_fast64_t;
#define INT8_MAX     CHAR_MAX
#define INT8_MIN     CHAR_MIN
#define UINT8_MAX    UCHAR_MAX
#define INT16_MAX    SHRT_MAX
#define INT16_MIN    SHRT_MIN
#define UINT16_MAX   USHRT_MAX
#define INT32_MAX    INT_MAX
#define INT32_MIN    INT_MIN
#define UINT32_MAX   UINT_MAX
#define INT64_MAX    LONG_MAX
#define INT64_MIN    LONG_MIN
#define UINT64_MAX   ULONG_MAX
#define LLONG_MAX    LONG_MAX
#define LLONG_MIN    LONG_MIN
#define ULLONG_MAX   ULONG_MAX
#define INT_LEAST8_MAX INT8_MAX
#define INT_LEAST8_MIN INT8_MIN
#define INT_FAST8_MAX INT8_MAX
#define INT_FAST8_MIN INT8_MIN
#define INT_LEAST16_MAX INT16_MAX
#define INT_LEAST16_MIN INT16_MIN
#define INT_FAST16_MAX INT64_MAX
#define INT_FAST16_MIN INT64_MIN
#define INT_LEAST32_MAX INT32_MAX
#define INT_LEAST32_MIN INT32_MIN
#define INT_FAST32_MAX INT64_MAX
#define INT_FAST32_MIN INT64_MIN
#define INT_LEAST64_MAX INT64_MAX
#define INT_LEAST64_MIN INT64_MIN
#define INT_FAST64_MAX INT64_MAX
#define INT_FAST64_MIN INT64_MIN
#define UINT_LEAST8_MAX UINT8_MAX
#define UINT_FAST8_MAX UINT8_MAX
#define UINT_LEAST16_MAX UINT16_MAX
#define UINT_FAST16_MAX UINT64_MAX
#define UINT_LEAST32_MAX UINT32_MAX
#define UINT_FAST32_MAX UINT64_MAX
#define UINT_LEAST64_MAX UINT64_MAX
#define UINT_FAST64_MAX UINT64_MAX
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#define INTPTR_MAX INT64_MAX
#define INTPTR_MIN INT64_MIN
#define UINTPTR_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define SIZE_MAX UINT64_MAX
#define INT8_C(x)    x
#define UINT8_C(x)   x
#define INT16_C(x)   x
#define UINT16_C(x)  x
#define INT32_C(x)   x
#define UINT32_C(x)  x##U
#define INT64_C(x)   x##L
#define UINT64_C(x)  x##UL
#define INTMAX_C(x)  x##L
#define UINTMAX_C(x) x##UL
#define EXIT_SUCCESS 0
#ifndef __cplusplus
#undef true
#undef false
#define true 1
#define false 0
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

static inline int dal__int_abs(int dal__x)
{
    return (int)abs(dal__x);
}

static inline long dal__long_abs(long dal__x)
{
    return (long)abs(dal__x);
}

#undef abs
#define abs(x)   dal__int_abs(x)
#define labs(x)  dal__long_abs(x)
#define llabs(x) dal__long_abs(x)

/* A function that is not static would have no body. */
#define inline
#define __builtin_expect(x, is) (x)
int Stripe_fire(DALProcess *);

__kernel __attribute__((reqd_work_group_size(3, 1, 1))) void Stripe_kernel(__global uchar *dal__base_0, ulong dal__offset_0, __global uchar *dal__base_1, ulong dal__offset_1)
{
    DALProcess dal__p;
    dal__p.dal__at[0] = dal__base_0 + dal__offset_0 + get_group_id(0) * (size_t)32;
    dal__p.dal__held[0] = 0;
    dal__p.dal__at[1] = dal__base_1 + dal__offset_1 + get_group_id(0) * (size_t)32;
    dal__p.dal__held[1] = 0;
    (void)Stripe_fire(&dal__p);
}

static float dal__float_floor(float dal__0) { return floor(dal__0); }
#undef floorf
#define floorf dal__float_floor
#line 1 "stripe.c"
/* Smooths a row of VAR_width numbers, two in a block. The rows' mean is kept. */






#line 1 "stripe.h"
/* Helpers of stripe.c: a constant, a function that reads a window, one that does not. */
#ifndef STRIPE_H
#define STRIPE_H

static DAL_CONSTANT_VARIABLE const int weights[3] = {1, GAIN, 1};

static inline int within(int k)
{
    return k < 0 ? 0 : k < VAR_width ? k : VAR_width - 1;
}

static inline int weigh(DAL_WINDOW const int *row, int k)
{
    int sum = 0;

    for (int i = 0; i < 3; i++)
        sum += weights[i] * row[within(k + i - 1)];
    return sum;
}

#endif
#line 9 "stripe.c"

int Stripe_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int least = in[0], k;

    for (k = 1; k < VAR_width; k++)
        if (in[k] < least)
            least = in[k];
    DAL_foreach (blk , PORT_out) {
        DAL_WINDOW int32_t *out =
            DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, BLOCK_out_SIZE, blk, p);
        for (int i = 0; i < BLOCK_out_SIZE; i++) {
            float mean = (float)abs(weigh(in, BLOCK_out_SIZE * blk + i) - 4 * least) / 4.0f;
            out[i] = least + (int)floorf(mean);
        }
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
