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
