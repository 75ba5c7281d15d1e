/* Kernel of process Stripe, from the portable stripe.c. */
#define PORT_in            "in"
#define TOKEN_in_SIZE      4
#define TOKEN_in_RATE      8
#define BLOCK_in_SIZE      8
#define BLOCK_in_COUNT     1
#define DAL_BLOCKS_PORT_in BLOCK_in_COUNT

typedef struct {
    unsigned char bytes[4];
} TOKEN_in_t;

#define PORT_out            "out"
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
#define DAL_WINDOW __global
#define DAL_read_begin(port, token_bytes, rate, p)                                                 \
    ((p)->held_##port = (token_bytes) * (rate), (__global void *)(p)->at_##port)
#define DAL_read_end(port, buf, p) ((void)((p)->at_##port += (p)->held_##port))
#define DAL_write_begin(port, token_bytes, rate, block_tokens, block, p)                           \
    ((__global void *)((p)->at_##port + (size_t)(token_bytes) * (block_tokens) * (block)))
#define DAL_write_end(port, buf, p) ((void)(buf))
#define DAL_foreach(blk, port)                                                                     \
    for (int blk = (barrier(CLK_GLOBAL_MEM_FENCE), (int)get_local_id(0));                          \
         blk < DAL_BLOCKS_##port; blk += (int)get_local_size(0))

typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define INT8_MAX   CHAR_MAX
#define INT8_MIN   CHAR_MIN
#define UINT8_MAX  UCHAR_MAX
#define INT16_MAX  SHRT_MAX
#define INT16_MIN  SHRT_MIN
#define UINT16_MAX USHRT_MAX
#define INT32_MAX  INT_MAX
#define INT32_MIN  INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX  LONG_MAX
#define INT64_MIN  LONG_MIN
#define UINT64_MAX ULONG_MAX

static inline int dal__abs(int x)
{
    return (int)abs(x);
}
#undef abs
#define abs(x) dal__abs(x)

#define fabsf fabs
#define acosf acos
#define asinf asin
#define atanf atan
#define atan2f atan2
#define cbrtf cbrt
#define ceilf ceil
#define copysignf copysign
#define cosf cos
#define coshf cosh
#define expf exp
#define exp2f exp2
#define expm1f expm1
#define floorf floor
#define fmaf fma
#define fmaxf fmax
#define fminf fmin
#define fmodf fmod
#define hypotf hypot
#define logf log
#define log10f log10
#define log1pf log1p
#define log2f log2
#define powf pow
#define rintf rint
#define roundf round
#define sinf sin
#define sinhf sinh
#define sqrtf sqrt
#define tanf tan
#define tanhf tanh
#define truncf trunc
#define erff erf
#define ldexpf ldexp
#define tgammaf tgamma
#define fdimf fdim
#define nextafterf nextafter

typedef struct {
    __global uchar *at_PORT_in;
    size_t held_PORT_in;
    __global uchar *at_PORT_out;
    size_t held_PORT_out;
} DALProcess;

#line 1 "stripe.c"
/* Smooths a row of VAR_width numbers, two in a block. The rows' mean is kept. */






#line 1 "stripe.h"
/* Helpers of stripe.c: a constant, a function that reads a window, one that does not. */
#ifndef STRIPE_H
#define STRIPE_H

__constant const int weights[3] = {1, GAIN, 1};

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
#line 1 "Stripe.cl"
__kernel __attribute__((reqd_work_group_size(3, 1, 1))) void Stripe_kernel(__global uchar *dal_base_in, ulong dal_offset_in, __global uchar *dal_base_out, ulong dal_offset_out)
{
    DALProcess process;
    process.at_PORT_in = dal_base_in + dal_offset_in +
        get_group_id(0) * (size_t)TOKEN_in_SIZE * TOKEN_in_RATE;
    process.held_PORT_in = 0;
    process.at_PORT_out = dal_base_out + dal_offset_out +
        get_group_id(0) * (size_t)TOKEN_out_SIZE * TOKEN_out_RATE;
    process.held_PORT_out = 0;
    (void)Stripe_fire(&process);
}
