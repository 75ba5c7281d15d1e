/*
 * dal_collectives.h on cores and on a device, against the definition of its order: every operation
 * of every type, in work-groups of many sizes, over ranges of odd lengths; byte by byte.
 *
 * The device is the first one; without one, only cores are tested. DAL_TEST_SIZES="7 64" are other
 * sizes of work-groups, with which cores are left out. DAL_TEST_PAIRS=N takes every N-th operation
 * of a type with each size, from one on that DAL_TEST_FIRST chooses. DAL_TEST_OPTIONS goes to its
 * compiler.
 */
#include "include/dal_collectives.h"
#include "rt/devices/devices.h"
#include "test/collectives/input/own.h"
#include "test/device.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 256, MOST_VALUES = 5001, MOST_BYTES = 128, ROWS = 16, SUB_ITEMS = 32 };

static const struct dal_subject the_process = {"collectives", DAL_LOG_ERROR};
static const struct dal_backend *backend;
static struct dal_devices *devices;
static struct dal_device *device;
static dal_commands queue;
static const char source[] = "#ifdef BY_HAND\n"
                             "#include \"test/collectives/input/by_hand.cl\"\n"
                             "#endif\n"
                             "#include \"dal_collectives.h\"\n"
                             "#include \"test/collectives/input/own.h\"\n"
                             "%s;\n"
                             "DAL_COLLECTIVE_MOVES(%s);\n"
                             "#define T %s\n"
                             "#define OP _%s\n"
                             "#define NUMBER(n) %s\n"
                             "#include \"test/collectives/input/collectives.cl\"\n";

/* ---- the definition -------------------------------------------------------------------------- */

#define add_of(a, b)  ((a) + (b))
#define mul_of(a, b)  ((a) * (b))
#define min_of(a, b)  ((b) < (a) ? (b) : (a))
#define max_of(a, b)  ((a) < (b) ? (b) : (a))
#define and_of(a, b)  ((a) & (b))
#define or_of(a, b)   ((a) | (b))
#define xor_of(a, b)  ((a) ^ (b))
#define land_of(a, b) ((a) && (b))
#define lor_of(a, b)  ((a) || (b))

/* Signed integers wrap around, as unsigned ones do. */
typedef uint32_t wide_char, wide_uchar, wide_short, wide_ushort, wide_int, wide_uint;
typedef uint64_t wide_long, wide_ulong;
typedef float wide_float;
typedef double wide_double;

/* One value that land and lor make 0 or 1, and that all others leave as it is. */
#define is_logical(OP)           (#OP[0] == 'l')
#define is_common(OP)            (#OP[0] == 'c')
#define is_smaller_or_larger(OP) (#OP[0] == 'm' && #OP[1] != 'u')

/* How a result in any order is compared. */
enum any_order { SAME, NEAR, ANYTHING };

/* What is asked of each pair: the device's declaration, how it makes a number; of each element the
 * two operands combined, and n > 0 values combined; the functions of the header on a core. */
struct pair {
    const char *type, *op, *declared, *number_of;
    size_t bytes, elements, element_bytes;
    enum any_order any;
    void (*fill)(void *values, size_t count);
    void (*reduce)(const void *in, size_t n, void *out);
    void (*combine)(const void *a, const void *b, void *out);
    void (*number)(int value, void *out);
    void (*host)(const void *in, size_t n, const void *init, void *out);
};

static uint32_t random_state = 12345;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8 ^ random_state << 13;
}

#define VALUE_char(i)   ((int8_t)random_bits())
#define VALUE_uchar(i)  ((uint8_t)random_bits())
#define VALUE_short(i)  ((int16_t)random_bits())
#define VALUE_ushort(i) ((uint16_t)random_bits())
#define VALUE_int(i)    ((int32_t)random_bits())
#define VALUE_uint(i)   random_bits()
#define VALUE_long(i)   ((int64_t)((uint64_t)random_bits() << 32 | random_bits()))
#define VALUE_ulong(i)  ((uint64_t)random_bits() << 32 | random_bits())
/* Zeros of both signs tell which operand min and max have taken. Others are around 1, so that
 * products neither vanish nor overflow; every sum is rounded. */
#define VALUE_float(i)                                                                             \
    ((random_bits() % 5 ? 0.75f : -1.0f) * (1.0f + (float)(random_bits() % 65536) / 98304))
#define VALUE_double(i) (VALUE_float(i) + random_bits() / 1e13)

#define OF_ELEMENTS(T, OP)                                                                         \
    static dal_##T combine_##T##_##OP(dal_##T a, dal_##T b)                                        \
    {                                                                                              \
        return is_logical(OP) || is_smaller_or_larger(OP)                                          \
                   ? (dal_##T)OP##_of(a, b)                                                        \
                   : (dal_##T)OP##_of((wide_##T)a, (wide_##T)b);                                   \
    }                                                                                              \
    static dal_##T part_##T##_##OP(const dal_##T *in, size_t n)                                    \
    {                                                                                              \
        size_t half = 1;                                                                           \
        if (n == 1)                                                                                \
            return is_logical(OP) ? in[0] != 0 : in[0];                                            \
        while (2 * half < n)                                                                       \
            half *= 2;                                                                             \
        return combine_##T##_##OP(part_##T##_##OP(in, half),                                       \
                                  part_##T##_##OP(in + half, n - half));                           \
    }                                                                                              \
    static void fill_##T##_##OP(void *values, size_t count)                                        \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            ((dal_##T *)values)[i] = (dal_##T)VALUE_##T(i);                                        \
        for (size_t i = 0; is_smaller_or_larger(OP) && i < count; i++)                             \
            if (random_bits() % 8)                                                                 \
                ((dal_##T *)values)[i] = (dal_##T)(random_bits() % 2 ? 0.0 : -0.0);                \
        for (size_t i = 0; is_common(OP) && i < count; i++)                                        \
            ((dal_##T *)values)[i] = (dal_##T)(12 * (random_bits() % 1000));                       \
        for (size_t i = 0; is_logical(OP) && i < count; i++)                                       \
            ((dal_##T *)values)[i] = (dal_##T)(random_bits() % 40 ? 1 + (#OP[1] == 'o') * -1 : 2); \
    }                                                                                              \
    static void reduce_##T##_##OP(const void *in, size_t n, void *out)                             \
    {                                                                                              \
        *(dal_##T *)out = part_##T##_##OP(in, n);                                                  \
    }                                                                                              \
    static void combined_##T##_##OP(const void *a, const void *b, void *out)                       \
    {                                                                                              \
        *(dal_##T *)out = combine_##T##_##OP(*(const dal_##T *)a, *(const dal_##T *)b);            \
    }                                                                                              \
    static void number_##T##_##OP(int value, void *out)                                            \
    {                                                                                              \
        *(dal_##T *)out = (dal_##T)value;                                                          \
    }
#define ON_CORES(T, OP)                                                                            \
    static void host_##T##_##OP(const void *in, size_t n, const void *init, void *out)             \
    {                                                                                              \
        const dal_##T first = *(const dal_##T *)init;                                              \
        dal_##T *to = out;                                                                         \
        DAL_SCRATCH(s);                                                                            \
        dal_joint_inclusive_scan_##OP##_##T(in, to, n, s);                                         \
        dal_joint_exclusive_scan_##OP##_##T(in, to + n, n, first, s);                              \
        memcpy(to + 2 * n, in, n * sizeof(*to));                                                   \
        dal_joint_exclusive_scan_##OP##_##T(to + 2 * n, to + 2 * n, n, first, s);                  \
        to[3 * n] = dal_joint_reduce_##OP##_##T(in, n, first, s);                                  \
        to[3 * n + 1] = dal_joint_reduce_any_order_##OP##_##T(in, n, first, s);                    \
        to[3 * n + 2] = dal_joint_reduce_##OP##_##T(to + 2 * n, n, first, s);                      \
    }
#define PAIR_OF(T, E, N, OP, any, declared, number_of)                                             \
    {#T,                                                                                           \
     #OP,                                                                                          \
     declared,                                                                                     \
     number_of,                                                                                    \
     sizeof(dal_##T),                                                                              \
     N,                                                                                            \
     sizeof(dal_##E),                                                                              \
     any,                                                                                          \
     fill_##E##_##OP,                                                                              \
     reduce_##E##_##OP,                                                                            \
     combined_##E##_##OP,                                                                          \
     number_##E##_##OP,                                                                            \
     host_##T##_##OP},
#define PAIR(T, E, N, OP)                                                                          \
    PAIR_OF(T, E, N, OP, (dal_##E)0.5 == 0 ? SAME : NEAR, "DAL_COLLECTIVE(" #T ", " #OP ")",       \
            "(T)(n)")

/* clang-format off */
#define OF_INTEGERS(X, T) OF_ALL(X, T) X(T, and) X(T, or) X(T, xor)
#define OF_ALL(X, T)      X(T, add) X(T, mul) X(T, min) X(T, max) X(T, land) X(T, lor)
#define NUMBERS(X) OF_INTEGERS(X, int) OF_INTEGERS(X, uint) OF_INTEGERS(X, long) OF_INTEGERS(X, ulong) \
    OF_ALL(X, float) OF_ALL(X, double)
#define SMALL_NUMBERS(X) X(char, add) X(char, max) X(uchar, xor) X(uchar, min) X(short, mul) X(short, min) \
    X(ushort, mul) X(ushort, land)
#define VECTORS(X) X(char, 2, add) X(uchar, 16, min) X(short, 3, mul) X(ushort, 8, land) X(int, 4, add) \
    X(int, 3, max) X(uint, 2, xor) X(uint, 8, or) X(long, 2, mul) X(ulong, 4, min) X(float, 2, mul) \
    X(float, 3, add) X(float, 4, add) X(float, 4, min) X(float, 8, lor) X(float, 16, max) X(double, 2, add) \
    X(double, 3, max) X(double, 16, land)
#define PAIR_OF_ONE(T, OP)        PAIR(T, T, 1, OP)
#define PAIR_OF_VECTOR(T, N, OP)  PAIR(T##N, T, N, OP)
#define DECLARED(T, OP)           DAL_COLLECTIVE(T, OP); ON_CORES(T, OP)
#define DECLARED_VECTOR(T, N, OP) DECLARED(T##N, OP)
/* clang-format on */

NUMBERS(OF_ELEMENTS)
SMALL_NUMBERS(OF_ELEMENTS)
NUMBERS(DECLARED)
SMALL_NUMBERS(DECLARED)
VECTORS(DECLARED_VECTOR)

/* Operations of the test's own, each with a definition that is not theirs. */
#define common_of(a, b) common_by_steps(a, b)
static uint32_t common_by_steps(uint32_t a, uint32_t b)
{
    uint32_t twos = 0;
    if (a == 0 || b == 0)
        return a | b;
    for (; (a | b) % 2 == 0; twos++, a /= 2, b /= 2)
        ;
    while (a != b)
        if (a % 2 == 0 || (b % 2 && a > b))
            a = a % 2 ? a - b : a / 2;
        else
            b = b % 2 ? b - a : b / 2;
    return a << twos;
}
OF_ELEMENTS(uint, common)
DAL_COLLECTIVE_OF(uint, common, 0u);
ON_CORES(uint, common)

static void fill_line_after(void *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((line *)values)[i] = (line){random_bits(), random_bits()};
}
static void combined_line_after(const void *a, const void *b, void *out)
{
    const line *first = a, *second = b;
    *(line *)out = (line){.factor = first->factor * second->factor,
                          .added = second->factor * first->added + second->added};
}
/* From the back, to see that it is associative. */
static void reduce_line_after(const void *in, size_t n, void *out)
{
    const line *at = in;
    *(line *)out = at[n - 1];
    for (size_t i = n - 1; i > 0; i--)
        combined_line_after(&at[i - 1], out, out);
}
static void number_line_after(int value, void *out)
{
    *(line *)out = line_of(value);
}
DAL_COLLECTIVE_OF(line, after, line_of(1));
ON_CORES(line, after)

static const struct pair pairs[] = {
    NUMBERS(PAIR_OF_ONE) SMALL_NUMBERS(PAIR_OF_ONE) VECTORS(PAIR_OF_VECTOR)
        PAIR_OF(uint, uint, 1, common, SAME, "DAL_COLLECTIVE_OF(uint, common, 0u)", "(T)(n)")
            PAIR_OF(line, line, 1, after, ANYTHING, "DAL_COLLECTIVE_OF(line, after, line_of(1))",
                    "line_of(n)")};
static const size_t pair_count = sizeof(pairs) / sizeof(pairs[0]);

/* ---- what is expected ------------------------------------------------------------------------ */

static _Alignas(MOST_BYTES) unsigned char in[MOST_VALUES * MOST_BYTES];
static _Alignas(MOST_BYTES) unsigned char expected[4 * MOST_VALUES * MOST_BYTES];
static _Alignas(MOST_BYTES) unsigned char found[4 * MOST_VALUES * MOST_BYTES];

static void *at(void *base, const struct pair *p, size_t i)
{
    return (unsigned char *)base + i * p->bytes;
}

static void fill(const struct pair *p, void *values, size_t count)
{
    p->fill(values, count * (p->bytes / p->element_bytes));
}

static void reduce(const struct pair *p, const void *from, size_t n, void *out)
{
    static unsigned char of_one[MOST_VALUES * 8];
    const size_t bytes = p->element_bytes;
    if (p->elements == 1) {
        p->reduce(from, n, out);
        return;
    }
    for (size_t k = 0; k < p->elements; k++) {
        for (size_t i = 0; i < n; i++)
            memcpy(of_one + i * bytes, (const unsigned char *)from + i * p->bytes + k * bytes,
                   bytes);
        p->reduce(of_one, n, (unsigned char *)out + k * bytes);
    }
}

static void combine(const struct pair *p, const void *a, const void *b, void *out)
{
    for (size_t at = 0; at < p->elements * p->element_bytes; at += p->element_bytes)
        p->combine((const unsigned char *)a + at, (const unsigned char *)b + at,
                   (unsigned char *)out + at);
}

/* The fourth element of a vector of 3 may be anything. */
static void clear_padding(const struct pair *p, unsigned char *values, size_t count)
{
    const size_t used = p->elements * p->element_bytes;
    for (size_t i = 0; i < count; i++)
        memset(values + i * p->bytes + used, 0, p->bytes - used);
}

/* init and n values, which may be none. */
static void expect_from(const struct pair *p, const void *from, size_t n, const void *init,
                        void *out)
{
    _Alignas(MOST_BYTES) unsigned char sum[MOST_BYTES];
    memcpy(out, init, p->bytes);
    if (n) {
        reduce(p, from, n, sum);
        combine(p, init, sum, out);
    }
}

/* The first `count` sums, which are those of a core too, are expected of each of `items`. */
static void expect_joint(const struct pair *p, size_t n, const void *init, size_t items)
{
    for (size_t i = 0; i < n; i++) {
        reduce(p, in, i + 1, at(expected, p, i));
        expect_from(p, in, i, init, at(expected, p, n + i));
        memcpy(at(expected, p, 2 * n + i), at(expected, p, n + i), p->bytes);
    }
    for (size_t i = 0; i < items; i++) {
        expect_from(p, in, n, init, at(expected, p, 3 * n + i));
        memcpy(at(expected, p, 3 * n + items + i), at(expected, p, 3 * n + i), p->bytes);
        expect_from(p, at(expected, p, n), n, init, at(expected, p, 3 * n + 2 * items + i));
    }
}

/* One row of one work-item: what it has of `count` values from `front`, where it has number `k`. */
static void expect_value(const struct pair *p, int row, size_t front, size_t count, size_t k,
                         const void *init, void *out)
{
    const size_t from = row == 6 ? count / 2 : DAL__LESS(5, count - 1);
    const int marked = row < 13 ? 70 : 40;
    int is_marked = (size_t)marked >= front && (size_t)marked < front + count;
    if (row == 0 || row == 3)
        reduce(p, at(in, p, front), count, out);
    else if (row == 1 || row == 4)
        reduce(p, at(in, p, front), k + 1, out);
    else if (row == 2 || row == 5)
        expect_from(p, at(in, p, front), k, init, out);
    else if (row == 6 || row == 7)
        memcpy(out, at(in, p, front + from), p->bytes);
    else if (row == 8)
        memcpy(out, k >= 3 ? at(in, p, front + k - 3) : init, p->bytes);
    else if (row == 9)
        memcpy(out, k + 2 < count ? at(in, p, front + k + 2) : init, p->bytes);
    for (size_t k_of = 0; row >= 10 && k_of < p->elements; k_of++)
        p->number((row - 10) % 3 == 0 ? is_marked : !is_marked,
                  (unsigned char *)out + k_of * p->element_bytes);
}

static void expect_groups(const struct pair *p, size_t items, const void *init)
{
    static const char of_sub[ROWS] = {
        [3] = 1, [4] = 1, [5] = 1, [7] = 1, [9] = 1, [13] = 1, [14] = 1, [15] = 1};
    for (int row = 0; row < ROWS; row++)
        for (size_t i = 0; i < items; i++) {
            size_t front = of_sub[row] ? i - i % SUB_ITEMS : 0;
            size_t count = of_sub[row] ? DAL__LESS(SUB_ITEMS, items - front) : items;
            expect_value(p, row, front, count, i - front, init,
                         at(expected, p, (size_t)row * items + i));
        }
}

/* Is it the same, but for roundings? */
static int is_near(const struct pair *p, const unsigned char *a, const unsigned char *b)
{
    const int is_float = p->element_bytes == sizeof(float);
    const double bound = (is_float ? 1e-7 : 2e-16) * MOST_VALUES;
    for (size_t at = 0; at < p->elements * p->element_bytes; at += p->element_bytes) {
        double x = is_float ? (double)*(const float *)(a + at) : *(const double *)(a + at);
        double y = is_float ? (double)*(const float *)(b + at) : *(const double *)(b + at);
        if (!(x == y || fabs(x - y) <= bound * fmax(1, fabs(y))))
            return 0;
    }
    return 1;
}

/* Floating point in any order is near what is expected, and then taken to be right. */
static int is_as_expected(const struct pair *p, size_t count, size_t any_from, size_t any_count)
{
    for (size_t i = any_from; p->any != SAME && i < any_from + any_count; i++) {
        if (p->any == NEAR && !is_near(p, at(found, p, i), at(expected, p, i))) {
            fprintf(stderr, "%s %s: value %zu in any order is far off\n", p->op, p->type, i);
            return 0;
        }
        memcpy(at(found, p, i), at(expected, p, i), p->bytes);
    }
    clear_padding(p, found, count);
    clear_padding(p, expected, count);
    for (size_t i = 0; i < count; i++)
        if (memcmp(at(found, p, i), at(expected, p, i), p->bytes) != 0) {
            fprintf(stderr, "%s %s: value %zu of %zu differs\n", p->op, p->type, i, count);
            return 0;
        }
    return 1;
}

/* ---- on cores -------------------------------------------------------------------------------- */

static const size_t lengths[] = {0, 1, 2, 3, 31, 33, 63, 64, 65, 127, 191, 256, 1023, 1601};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static void test_core(void)
{
    _Alignas(MOST_BYTES) unsigned char init[MOST_BYTES];
    for (size_t k = 0; k < pair_count; k++) {
        const struct pair *p = &pairs[k];
        for (size_t i = 0; i < LENGTHS; i++) {
            fill(p, init, 1);
            fill(p, in, lengths[i]);
            p->host(in, lengths[i], init, found);
            expect_joint(p, lengths[i], init, 1);
            CU_ASSERT_FATAL(is_as_expected(p, 3 * lengths[i] + 3, 3 * lengths[i] + 1, 1));
        }
    }
}

/* ---- on a device ----------------------------------------------------------------------------- */

/* A pair's text and options, of which a program is built once. */
struct program {
    char text[1024], options[8192];
};

/* The scratch's type, where a value is larger than the usual one. */
static const char *scratch_for(size_t bytes)
{
    return bytes > 64   ? "-DDAL_SCRATCH_TYPE=ulong16"
           : bytes > 32 ? "-DDAL_SCRATCH_TYPE=ulong8"
           : bytes > 16 ? "-DDAL_SCRATCH_TYPE=float8"
           : bytes > 8  ? "-DDAL_SCRATCH_TYPE=float4"
                        : "";
}

static void write_program(struct program *program, const struct pair *p, size_t items)
{
    const char *more = getenv("DAL_TEST_OPTIONS"), *folder = getenv("DAL_SRCDIR");
    folder = folder ? folder : ".";
    snprintf(program->text, sizeof(program->text), source, p->declared, p->type, p->type, p->op,
             p->number_of);
    snprintf(program->options, sizeof(program->options),
             "-DDAL_GROUP_ITEMS=%zu -I%s -I%s/include %s %s", items, folder, folder,
             scratch_for(p->bytes), more ? more : "");
}

static int make_kernel(const struct program *program, const char *name, dal_function *kernel)
{
    const struct dal_function_source made = {
        .file = "collectives.cl", .text = program->text, .options = program->options, .name = name};
    return backend->function(device, &the_process, &made, kernel);
}

/* One work-group of this kernel, with its arguments; n only for one that takes it. */
static int run_kernel(dal_function kernel, const dal_memory *memory, const struct pair *p,
                      size_t items, const void *init, const uint64_t *n)
{
    const struct dal_launch one = {1, {items, 1, 1}, {items, 1, 1}};
    int status = backend->set_memory(kernel, &the_process, 0, memory[0]);
    if (status == DAL_OK)
        status = backend->set_memory(kernel, &the_process, 1, memory[1]);
    if (status == DAL_OK)
        status = backend->set_value(kernel, &the_process, 2, p->bytes, init);
    if (status == DAL_OK && n)
        status = backend->set_value(kernel, &the_process, 3, sizeof(*n), n);
    return status < 0 ? status : backend->launch(queue, &the_process, kernel, &one, NULL, 0, NULL);
}

/* Returns 0 where it does not run. */
static int launch(const struct pair *p, const struct program *program, const char *name,
                  size_t items, size_t values, const void *init, size_t results, const uint64_t *n)
{
    const size_t bytes[2] = {(values + 1) * p->bytes, (results + 1) * p->bytes};
    dal_memory memory[2] = {NULL, NULL};
    dal_function kernel = NULL;
    int i, status = make_kernel(program, name, &kernel);
    for (i = 0; i < 2 && status == DAL_OK; i++)
        status =
            backend->memory(device, &the_process, DAL_MEMORY_PLAIN, bytes[i], NULL, &memory[i]);
    if (status == DAL_OK)
        status = backend->write(queue, &the_process, memory[0], 0, in, bytes[0], 1, NULL);
    if (status == DAL_OK)
        status = run_kernel(kernel, memory, p, items, init, n);
    if (status == DAL_OK)
        status = suite_read(backend, queue, memory[1], found, results * p->bytes);
    for (i = 0; i < 2; i++)
        if (memory[i])
            backend->memory_free(device, memory[i]);
    if (kernel)
        backend->function_free(kernel);
    return status == DAL_OK;
}

static int check_groups(const struct pair *p, const struct program *program, size_t items)
{
    _Alignas(MOST_BYTES) unsigned char init[MOST_BYTES];
    fill(p, init, 1);
    fill(p, in, items);
    expect_groups(p, items, init);
    return launch(p, program, "groups", items, items, init, ROWS * items, NULL) &&
           is_as_expected(p, ROWS * items, 0, 0);
}

static int check_joint(const struct pair *p, const struct program *program, size_t items,
                       size_t length)
{
    const uint64_t n = length;
    _Alignas(MOST_BYTES) unsigned char init[MOST_BYTES];
    fill(p, init, 1);
    fill(p, in, length);
    expect_joint(p, length, init, items);
    return launch(p, program, "joint", items, length, init, 3 * length + 3 * items, &n) &&
           is_as_expected(p, 3 * length + 3 * items, 3 * length + items, items);
}

static int check_pair(const struct pair *p, size_t items)
{
    /* with an end within a tile, at one, and behind several; and all that warps read in rows */
    const size_t n[] = {0, 1, items, 4 * items - 1, 4 * items, 11 * items + 3, 1024};
    struct program program;
    int good;

    write_program(&program, p, items);
    good = check_groups(p, &program, items);
    for (size_t i = 0; i < sizeof(n) / sizeof(n[0]) && good; i++)
        good = check_joint(p, &program, items, n[i]);
    if (!good)
        fprintf(stderr, "%s of %s, %zu work-items\n", p->op, p->type, items);
    return good;
}

/* Whether the device has double: its compiler is asked. */
static int has_double(void)
{
    static const struct dal_subject attempt = {"collectives", DAL_LOG_NOTHING};
    static const struct dal_function_source source = {
        .file = "double.cl",
        .text = "#if __OPENCL_VERSION__ < 120\n"
                "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                "#endif\n"
                "__kernel void k(__global double *a) { a[0] = 1; }\n",
        .options = "",
        .name = "k"};
    dal_function kernel = NULL;
    if (backend->function(device, &attempt, &source, &kernel) < 0)
        return 0;
    backend->function_free(kernel);
    return 1;
}

/* ---- votes ----------------------------------------------------------------------------------- */

/* Of the first n values, from none to all: any, all and none of them marked. */
enum { VOTES = 3, VOTERS = 67 };

static void expect_votes(const dal_int *values, size_t items)
{
    dal_int *to = (dal_int *)expected;
    for (size_t n = 0; n <= VOTERS; n++) {
        size_t marked = 0;
        for (size_t i = 0; i < n; i++)
            marked += values[i] > 5;
        for (size_t i = 0; i < items; i++) {
            to[(VOTES * n + 0) * items + i] = marked > 0;
            to[(VOTES * n + 1) * items + i] = marked == n;
            to[(VOTES * n + 2) * items + i] = marked == 0;
        }
    }
}

static void vote_on_core(const dal_int *values)
{
    dal_int *to = (dal_int *)found;
    DAL_SCRATCH(s);
    for (size_t n = 0; n <= VOTERS; n++, to += VOTES) {
        to[0] = dal_joint_any_of_is_marked_int(values, n, s);
        to[1] = dal_joint_all_of_is_marked_int(values, n, s);
        to[2] = dal_joint_none_of_is_marked_int(values, n, s);
    }
}

static const size_t marks[][2] = {{0, 1}, {33, 34}, {66, 67}, {5, 5}, {0, 67}, {0, 66}, {1, 67}};
enum { MARKS = sizeof(marks) / sizeof(marks[0]) };

static void mark(dal_int *values, const size_t *range)
{
    for (size_t i = 0; i < VOTERS; i++)
        values[i] = i >= range[0] && i < range[1] ? 6 + (dal_int)i : 5 - (dal_int)i;
}

static void test_votes_on_core(void)
{
    dal_int values[VOTERS];
    for (size_t k = 0; k < MARKS; k++) {
        mark(values, marks[k]);
        expect_votes(values, 1);
        vote_on_core(values);
        CU_ASSERT_FATAL(memcmp(found, expected, VOTES * (VOTERS + 1) * sizeof(dal_int)) == 0);
    }
}

static void test_votes(void)
{
    static const struct pair of_int = {.type = "int",
                                       .op = "add",
                                       .declared = "DAL_COLLECTIVE(int, add)",
                                       .number_of = "(T)(n)",
                                       .bytes = sizeof(dal_int)};
    const char *sizes = getenv("DAL_TEST_SIZES");
    /* Where sizes are given, in a simulator, each size has one other mark: they take it long. */
    const size_t step = sizes ? MARKS : 1;
    const dal_int init = 0;
    size_t items, number = 0;
    if (!sizes)
        sizes = "1 3 32 33 64";
    for (char *end; (items = strtoul(sizes, &end, 10)); sizes = end, number++) {
        const size_t results = VOTES * (VOTERS + 1) * items;
        struct program program;
        write_program(&program, &of_int, items);
        for (size_t k = number % step; k < MARKS; k += step) {
            mark((dal_int *)in, marks[k]);
            expect_votes((dal_int *)in, items);
            CU_ASSERT_FATAL(
                launch(&of_int, &program, "votes", items, VOTERS, &init, results, NULL));
            CU_ASSERT_FATAL(memcmp(found, expected, results * sizeof(dal_int)) == 0);
        }
    }
}

/* ---- all pairs ------------------------------------------------------------------------------- */

/* Of each size some of the pairs, others than of the size before. DAL_TEST_PAIRS=1 takes them all.
 */
static void test_device(void)
{
    const char *sizes = getenv("DAL_TEST_SIZES");
    const long stride = suite_number("DAL_TEST_PAIRS", 19);
    const unsigned long first = suite_first() - 1;
    const int doubles = has_double();
    size_t items, number = 0;
    if (!sizes)
        sizes = "1 2 3 7 32 33 64 100 256";
    for (char *end; (items = strtoul(sizes, &end, 10)); sizes = end, number++)
        for (size_t k = 0; k < pair_count; k++)
            if ((k + 4 * number + first) % (size_t)stride == 0 &&
                (pairs[k].elements == 1 || strcmp(backend->name, "CUDA") != 0) &&
                (doubles || strncmp(pairs[k].type, "double", 6) != 0))
                CU_ASSERT_FATAL(check_pair(&pairs[k], items));
}

/* ---- all ------------------------------------------------------------------------------------- */

static int open_device(void)
{
    struct dal_device_list list;
    int status = DAL_ERR_NODEVICE;
    backend = suite_backend();
    if (!backend || backend->list(&list, DAL_LOG_ERROR) < 0)
        return -1;
    if (list.count)
        status = suite_open(&devices, list.info[0].identifier);
    backend->list_finish(&list);
    if (status < 0)
        return -1;
    device = dal_devices_get(devices, 0);
    printf("device: %s\n", device->info.name);
    return backend->commands(device, 0, &queue) < 0 ? -1 : 0;
}

static const struct test tests[] = {
    {"core", test_core},
    {"votes on a core", test_votes_on_core},
    {"device", test_device},
    {"votes", test_votes},
};
enum { TESTS = sizeof(tests) / sizeof(tests[0]), CORE_TESTS = 2 };

static void close_device(void)
{
    if (queue)
        backend->commands_free(device, queue);
    dal_devices_close(devices);
}

int main(void)
{
    const size_t end = open_device() ? CORE_TESTS : TESTS;
    const size_t begin = getenv("DAL_TEST_SIZES") ? CORE_TESTS : 0;
    int result = run_suite("collectives", tests + begin, end - begin);
    close_device();
    return result;
}
