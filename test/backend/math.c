/*
 * Functions of numbers against the host: equal for what is rounded correctly, and for integers;
 * within the errors that OpenCL C allows for the rest [OpenCL-C, relative error as ULPs].
 */
#include "test/backend/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 256 };

/* ---- floating point ----------------------------------------------------------------------------
 */

#define EXACT(name, expression)                                                                    \
    static float name(float a, float b, float c)                                                   \
    {                                                                                              \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        return expression;                                                                         \
    }
EXACT(add_of, a + b)
EXACT(sub_of, a - b)
EXACT(mul_of, a *b)
EXACT(div_of, a / b)
EXACT(sqrt_of, sqrtf(fabsf(a)))
EXACT(fma_of, fmaf(a, b, c))
EXACT(floor_of, floorf(a))
EXACT(ceil_of, ceilf(a))
EXACT(trunc_of, truncf(a))
EXACT(rint_of, rintf(a))
EXACT(round_of, roundf(a))
EXACT(fabs_of, fabsf(a))
EXACT(fmin_of, fminf(a, b))
EXACT(fmax_of, fmaxf(a, b))
EXACT(fmod_of, fmodf(a, b))
EXACT(copysign_of, copysignf(a, b))
EXACT(convert_of, (float)(int)a)

/* The host's own contraction is off: tests are compiled with -ffp-contract=off. */
static const struct exact {
    const char *expression; /* of a, b, c */
    float (*host)(float a, float b, float c);
    int divides;
} exacts[] = {
    {"a + b", add_of, 0},
    {"a - b", sub_of, 0},
    {"a * b", mul_of, 0},
    {"a / b", div_of, 1},
    {"sqrt(fabs(a))", sqrt_of, 1},
    {"fma(a, b, c)", fma_of, 0},
    {"floor(a)", floor_of, 0},
    {"ceil(a)", ceil_of, 0},
    {"trunc(a)", trunc_of, 0},
    {"rint(a)", rint_of, 0},
    {"round(a)", round_of, 0},
    {"fabs(a)", fabs_of, 0},
    {"fmin(a, b)", fmin_of, 0},
    {"fmax(a, b)", fmax_of, 0},
    {"fmod(a, b)", fmod_of, 0},
    {"copysign(a, b)", copysign_of, 0},
    {"(float)(int)a", convert_of, 0},
};

static const struct inexact {
    const char *expression; /* of a, which is between 0.01 and 30 */
    double (*host)(double a);
    double ulps;
} inexacts[] = {
    {"sin(a)", sin, 4},   {"cos(a)", cos, 4},     {"tan(a)", tan, 5},   {"exp(a)", exp, 3},
    {"exp2(a)", exp2, 3}, {"log(a)", log, 3},     {"log2(a)", log2, 3}, {"log10(a)", log10, 3},
    {"cbrt(a)", cbrt, 2}, {"atan(a)", atan, 5},   {"tanh(a)", tanh, 5}, {"expm1(a)", expm1, 3},
    {"erf(a)", erf, 16},  {"log1p(a)", log1p, 2}, {"sinh(a)", sinh, 4}, {"cosh(a)", cosh, 4},
};

/* One kernel with a statement a row: `to` has VALUES results of the first, then of the second. */
static char *text_of_rows(const char *start, const char *type, const char *(*row)(size_t i),
                          size_t count)
{
    char *text = calloc(1, 65536);
    size_t used;
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    used = (size_t)snprintf(text, 65536,
                            "#pragma OPENCL FP_CONTRACT OFF\n"
                            "__kernel void rows(__global %s *to, __global const %s *from)\n"
                            "{\n"
                            "    int i = (int)get_global_id(0);\n"
                            "    %s a = from[i], b = from[%d + i], c = from[%d + i];\n%s",
                            type, type, type, VALUES, 2 * VALUES, start);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, 65536 - used, "    to[%zu + i] = %s;\n", i * VALUES,
                                 row(i));
    snprintf(text + used, 65536 - used, "}\n");
    return text;
}

/* Values are of 4 bytes. */
static void run_rows(char *text, const void *from, void *to, size_t count)
{
    struct rig rig;
    dal_memory memory[2];
    dal_function function;
    rig_begin(&rig, 0);
    memory[0] = new_memory(&rig, count * VALUES * 4);
    memory[1] = new_memory(&rig, 3 * VALUES * 4);
    write_now(&rig, memory[1], 0, from, 3 * VALUES * 4);
    function = new_function(&rig, text, "rows");
    free(text);
    for (unsigned i = 0; i < 2; i++)
        CU_ASSERT(bench.backend->set_memory(function, &loud, i, memory[i]) == DAL_OK);
    launch_1(&rig, function, VALUES, 32);
    read_now(&rig, memory[0], 0, to, count * VALUES * 4);
    bench.backend->function_free(function);
    free_memory(&rig, memory[0]);
    free_memory(&rig, memory[1]);
    rig_end(&rig);
}

static unsigned next_number(void)
{
    static unsigned long long state = 12345;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 32);
}

/* Normal numbers of many magnitudes, the results of which are normal, too. */
static float some_float(void)
{
    float mantissa = (float)(1 + next_number() % 0xfffff) / 65536.0f;
    return ldexpf(next_number() % 2 ? mantissa : -mantissa, (int)(next_number() % 20) - 10);
}

static const char *exact_row(size_t i)
{
    return exacts[i].expression;
}

static int same_float(float a, float b)
{
    return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

static void test_exact(void)
{
    enum { ROWS = sizeof(exacts) / sizeof(exacts[0]) };
    static float from[3][VALUES], to[ROWS][VALUES];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < VALUES; i++)
            from[k][i] = some_float();
    run_rows(text_of_rows("", "float", exact_row, ROWS), from, to, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        int wrong = 0;
        for (int i = 0; i < VALUES; i++)
            wrong += !same_float(to[row][i], exacts[row].host(from[0][i], from[1][i], from[2][i]));
        if (exacts[row].divides && !bench.info->traits.rounds_division)
            continue;
        CU_ASSERT(wrong == 0);
        if (wrong)
            fprintf(stderr, "%s: %d of %d differ\n", exacts[row].expression, wrong, VALUES);
    }
}

static const char *inexact_row(size_t i)
{
    return inexacts[i].expression;
}

static double ulps_between(float got, double exact)
{
    int exponent;
    frexp(exact, &exponent);
    return fabs((double)got - exact) / ldexp(1, exponent - 24);
}

static void test_inexact(void)
{
    enum { ROWS = sizeof(inexacts) / sizeof(inexacts[0]) };
    static float from[3][VALUES], to[ROWS][VALUES];
    for (int i = 0; i < VALUES; i++)
        from[0][i] = 0.01f + (float)(next_number() % 30000) / 1000.0f;
    run_rows(text_of_rows("    (void)b; (void)c;\n", "float", inexact_row, ROWS), from, to, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        double most = 0;
        for (int i = 0; i < VALUES; i++)
            most = fmax(most, ulps_between(to[row][i], inexacts[row].host((double)from[0][i])));
        CU_ASSERT(most <= inexacts[row].ulps);
        if (most > inexacts[row].ulps)
            fprintf(stderr, "%s: %g ULP\n", inexacts[row].expression, most);
    }
}

/* ---- integers ----------------------------------------------------------------------------------
 */

#define INTEGER(name, expression)                                                                  \
    static unsigned name(unsigned a, unsigned b, unsigned c)                                       \
    {                                                                                              \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        return (unsigned)(expression);                                                             \
    }
INTEGER(uadd_of, a + b)
INTEGER(umul_of, a *b + c)
INTEGER(udiv_of, a / (b | 1))
INTEGER(umod_of, a % (b | 1))
INTEGER(sdiv_of, (int)(a | 1) / (int)(b >> 8 | 1))
INTEGER(smod_of, (int)(a | 1) % (int)(b >> 8 | 1))
INTEGER(left_of, a << b % 32)
INTEGER(right_of, a >> b % 32)
INTEGER(sright_of, (int)a >> b % 32)
INTEGER(mulhi_of, (unsigned long long)a *b >> 32)
INTEGER(clz_of, a >> b % 32 ? __builtin_clz(a >> b % 32) : 32)
INTEGER(popcount_of, __builtin_popcount(a))
INTEGER(rotate_of, a << b % 31 << 1 | a >> (31 - b % 31))
INTEGER(min_of, a < b ? a : b)
INTEGER(max_of, (int)a < (int)b ? b : a)
INTEGER(absdiff_of, a < b ? b - a : a - b)
INTEGER(clamp_of, a<1000 ? 1000 : a> 2000000000u ? 2000000000u : a)
INTEGER(long_of, (unsigned long long)a *b / (c | 1))
INTEGER(narrow_of, (signed char)a + (unsigned short)b)

static const struct integer {
    const char *expression; /* of a, b, c */
    unsigned (*host)(unsigned a, unsigned b, unsigned c);
} integers[] = {
    {"a + b", uadd_of},
    {"a * b + c", umul_of},
    {"a / (b | 1)", udiv_of},
    {"a % (b | 1)", umod_of},
    {"(uint)((int)(a | 1) / (int)(b >> 8 | 1))", sdiv_of},
    {"(uint)((int)(a | 1) % (int)(b >> 8 | 1))", smod_of},
    {"a << b % 32", left_of},
    {"a >> b % 32", right_of},
    {"(uint)((int)a >> b % 32)", sright_of},
    {"mul_hi(a, b)", mulhi_of},
    {"clz(a >> b % 32)", clz_of},
    {"popcount(a)", popcount_of},
    {"rotate(a, b % 31 + 1)", rotate_of},
    {"min(a, b)", min_of},
    {"(uint)max((int)a, (int)b)", max_of},
    {"abs_diff(a, b)", absdiff_of},
    {"clamp(a, 1000u, 2000000000u)", clamp_of},
    {"(uint)((ulong)a * b / (c | 1))", long_of},
    {"(uint)((char)a + (ushort)b)", narrow_of},
};

static const char *integer_row(size_t i)
{
    return integers[i].expression;
}

static void test_integers(void)
{
    enum { ROWS = sizeof(integers) / sizeof(integers[0]) };
    static unsigned from[3][VALUES], to[ROWS][VALUES];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < VALUES; i++)
            from[k][i] = next_number() >> (i % 4 ? 0 : next_number() % 32);
    run_rows(text_of_rows("", "uint", integer_row, ROWS), from, to, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        int wrong = 0;
        for (int i = 0; i < VALUES; i++)
            wrong += to[row][i] != integers[row].host(from[0][i], from[1][i], from[2][i]);
        CU_ASSERT(wrong == 0);
        if (wrong)
            fprintf(stderr, "%s: %d of %d differ\n", integers[row].expression, wrong, VALUES);
    }
}

const struct test math_tests[] = {
    {"math: rounded correctly", test_exact},
    {"math: within their errors", test_inexact},
    {"math: integers", test_integers},
    {0},
};
