/* Kernels: arguments, work sizes, local and constant memory, atomics. */
#include "test/backend/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arguments ---------------------------------------------------------------------------------
 */

/* Types of value arguments; their bytes are those of OpenCL C. */
static const struct {
    const char *type;
    size_t bytes;
    int optional; /* not on every device */
} types[] = {{"char", 1, 0}, {"uchar", 1, 0}, {"short", 2, 0}, {"ushort", 2, 0}, {"int", 4, 0},
             {"uint", 4, 0}, {"long", 8, 0},  {"ulong", 8, 0}, {"float", 4, 0},  {"double", 8, 1}};

/* A value between others, so that a wrong size or alignment moves it. */
static const char value_text[] =
    "%s__kernel void values(__global %s *to, char a, %s value, short b, %s again, char c, int d)\n"
    "{\n"
    "    if (a == 1 && b == 2 && c == 3 && d == 4) { to[1] = again; to[0] = value; }\n"
    "}\n";

static void set_values(dal_function function, size_t bytes, const unsigned char *value)
{
    const char a = 1, c = 3;
    const short b = 2;
    const int d = 4;
    const struct {
        size_t bytes;
        const void *value;
    } values[] = {{1, &a}, {bytes, value}, {2, &b}, {bytes, value + bytes}, {1, &c}, {4, &d}};
    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        CU_ASSERT(bench.backend->set_value(function, &loud, i + 1, values[i].bytes,
                                           values[i].value) == DAL_OK);
}

static dal_function value_function(struct rig *rig, const char *type, int optional)
{
    char text[1024], *whole;
    struct dal_function_source source = {"conformance.cl", NULL, "", "values"};
    dal_function function = NULL;
    int status;
    snprintf(text, sizeof(text), value_text,
             strcmp(type, "double") == 0 ? "#ifdef cl_khr_fp64\n"
                                           "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                                           "#endif\n"
                                         : "",
             type, type, type);
    source.text = whole = kernel_text(text);
    status = bench.backend->function(rig->device, optional ? &quiet : &loud, &source, &function);
    free(whole);
    CU_ASSERT(status == DAL_OK || (optional && status == DAL_ERR_BUILD));
    return function;
}

static void test_values(void)
{
    struct rig rig;
    dal_memory memory;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, 16);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        dal_function function = value_function(&rig, types[i].type, types[i].optional);
        unsigned char out[16], in[16] = {0};
        size_t bytes = types[i].bytes;
        if (!function)
            continue;
        fill(out, sizeof(out), (unsigned)i);
        CU_ASSERT(bench.backend->set_memory(function, &loud, 0, memory) == DAL_OK);
        set_values(function, bytes, out);
        launch_1(&rig, function, 1, 1);
        read_now(&rig, memory, 0, in, 2 * bytes);
        CU_ASSERT(memcmp(in, out, 2 * bytes) == 0);
        if (memcmp(in, out, 2 * bytes) != 0)
            fprintf(stderr, "wrong: an argument of type %s\n", types[i].type);
        bench.backend->function_free(function);
    }
    free_memory(&rig, memory);
    rig_end(&rig);
}

/* A window reaches a kernel as a buffer and an offset in bytes, of any alignment of its type. */
static void test_offsets(void)
{
    static const char text[] =
        "__kernel void move(__global uchar *to, ulong to_at, __global const uchar *from,\n"
        "                   ulong from_at)\n"
        "{\n"
        "    __global ushort *a = (__global ushort *)(to + to_at);\n"
        "    __global const ushort *b = (__global const ushort *)(from + from_at);\n"
        "    a[get_global_id(0)] = b[get_global_id(0)];\n"
        "}\n";
    static const uint64_t places[][2] = {{0, 0}, {2, 0}, {34, 6}, {6, 400}, {258, 130}};
    unsigned char out[1000], in[1000], expected[1000] = {0};
    struct rig rig;
    dal_memory to, from;
    dal_function function;
    rig_begin(&rig, 0);
    to = new_memory(&rig, sizeof(in));
    from = new_memory(&rig, sizeof(out));
    function = new_function(&rig, text, "move");
    fill(out, sizeof(out), 9);
    write_now(&rig, from, 0, out, sizeof(out));
    write_now(&rig, to, 0, expected, sizeof(expected));
    CU_ASSERT(bench.backend->set_memory(function, &loud, 0, to) == DAL_OK);
    CU_ASSERT(bench.backend->set_memory(function, &loud, 2, from) == DAL_OK);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        CU_ASSERT(bench.backend->set_value(function, &loud, 1, 8, &places[i][0]) == DAL_OK);
        CU_ASSERT(bench.backend->set_value(function, &loud, 3, 8, &places[i][1]) == DAL_OK);
        launch_1(&rig, function, 60, 20);
        memcpy(expected + places[i][0], out + places[i][1], 120);
    }
    read_now(&rig, to, 0, in, sizeof(in));
    CU_ASSERT(memcmp(in, expected, sizeof(in)) == 0);
    bench.backend->function_free(function);
    free_memory(&rig, to);
    free_memory(&rig, from);
    rig_end(&rig);
}

/* ---- work sizes --------------------------------------------------------------------------------
 */

static const char index_text[] =
    "__kernel void indices(__global int *seen, __global int *wrong, int dimensions,\n"
    "                      int x, int y, int z)\n"
    "{\n"
    "    size_t id[3], at;\n"
    "    int bad = (int)get_work_dim() != dimensions;\n"
    "    for (uint d = 0; d < 3; d++) {\n"
    "        id[d] = get_group_id(d) * get_local_size(d) + get_local_id(d);\n"
    "        bad |= id[d] != get_global_id(d) || get_global_offset(d) != 0;\n"
    "        bad |= get_global_size(d) != get_local_size(d) * get_num_groups(d);\n"
    "        bad |= get_local_id(d) >= get_local_size(d) || id[d] >= get_global_size(d);\n"
    "    }\n"
    "    bad |= (int)get_global_size(0) != x || (int)get_global_size(1) != y;\n"
    "    bad |= (int)get_global_size(2) != z;\n"
    "    at = (id[2] * (size_t)y + id[1]) * (size_t)x + id[0];\n"
    "    atomic_inc(&seen[at]);\n"
    "    if (bad) atomic_inc(wrong);\n"
    "}\n";

static const struct dal_launch shapes[] = {
    {1, {1, 1, 1}, {1, 1, 1}},   {1, {7, 1, 1}, {7, 1, 1}},    {1, {7, 1, 1}, {1, 1, 1}},
    {1, {33, 1, 1}, {11, 1, 1}}, {1, {640, 1, 1}, {64, 1, 1}}, {1, {4096, 1, 1}, {128, 1, 1}},
    {2, {6, 10, 1}, {3, 5, 1}},  {2, {1, 17, 1}, {1, 17, 1}},  {2, {64, 9, 1}, {16, 3, 1}},
    {3, {2, 3, 5}, {2, 3, 5}},   {3, {4, 6, 10}, {2, 3, 5}},   {3, {9, 1, 7}, {3, 1, 7}},
    {3, {16, 8, 4}, {4, 4, 4}},
};

enum { MOST_INDICES = 4096 };

static void check_shape(struct rig *rig, dal_function function, const struct dal_launch *shape,
                        dal_memory seen, dal_memory wrong)
{
    static int zeros[MOST_INDICES], in[MOST_INDICES];
    size_t count = shape->global[0] * shape->global[1] * shape->global[2];
    const int numbers[4] = {(int)shape->dimensions, (int)shape->global[0], (int)shape->global[1],
                            (int)shape->global[2]};
    int bad = 0, off = 0;
    write_now(rig, seen, 0, zeros, sizeof(zeros));
    write_now(rig, wrong, 0, zeros, sizeof(int));
    for (unsigned i = 0; i < 4; i++)
        CU_ASSERT(bench.backend->set_value(function, &loud, 2 + i, sizeof(int), &numbers[i]) ==
                  DAL_OK);
    CU_ASSERT(bench.backend->launch(rig->commands, &loud, function, shape, NULL, 0, NULL) ==
              DAL_OK);
    read_now(rig, seen, 0, in, sizeof(in));
    read_now(rig, wrong, 0, &bad, sizeof(bad));
    for (size_t i = 0; i < MOST_INDICES; i++)
        off += in[i] != (i < count);
    CU_ASSERT(bad == 0 && off == 0);
}

static void test_shapes(void)
{
    struct rig rig;
    dal_memory seen, wrong;
    dal_function function;
    rig_begin(&rig, 0);
    seen = new_memory(&rig, MOST_INDICES * sizeof(int));
    wrong = new_memory(&rig, sizeof(int));
    function = new_function(&rig, index_text, "indices");
    CU_ASSERT(bench.backend->set_memory(function, &loud, 0, seen) == DAL_OK);
    CU_ASSERT(bench.backend->set_memory(function, &loud, 1, wrong) == DAL_OK);
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        check_shape(&rig, function, &shapes[i], seen, wrong);
    bench.backend->function_free(function);
    free_memory(&rig, seen);
    free_memory(&rig, wrong);
    rig_end(&rig);
}

/* ---- memory within a kernel --------------------------------------------------------------------
 */

enum { GROUP = 32, GROUPS = 5, ITEMS = GROUP * GROUPS };

/* Runs a kernel (global int *) over numbers 0, 1, ...; what comes of them is in `in`. */
static void run_on_numbers(const char *text, const char *name, int *in)
{
    struct rig rig;
    dal_memory memory;
    dal_function function;
    for (int i = 0; i < ITEMS; i++)
        in[i] = i;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, ITEMS * sizeof(int));
    write_now(&rig, memory, 0, in, ITEMS * sizeof(int));
    function = new_function(&rig, text, name);
    CU_ASSERT(bench.backend->set_memory(function, &loud, 0, memory) == DAL_OK);
    launch_1(&rig, function, ITEMS, GROUP);
    read_now(&rig, memory, 0, in, ITEMS * sizeof(int));
    bench.backend->function_free(function);
    free_memory(&rig, memory);
    rig_end(&rig);
}

static void test_local(void)
{
    static const char text[] =
        "__kernel void turn(__global int *a)\n"
        "{\n"
        "    DAL_LOCAL_VARIABLE int s[32];\n"
        "    DAL_LOCAL_VARIABLE long t[32];\n"
        "    int i = (int)get_local_id(0), n = (int)get_local_size(0);\n"
        "    for (int r = 0; r < 19; r++) {\n"
        "        s[i] = a[get_global_id(0)];\n"
        "        t[i] = 1000 * s[i];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        a[get_global_id(0)] = s[(i + 1) % n] + (int)(t[(i + 2) % n] / 1000 -\n"
        "                                                     s[(i + 2) % n]);\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    }\n"
        "}\n";
    int in[ITEMS], wrong = 0;
    run_on_numbers(text, "turn", in);
    for (int i = 0; i < ITEMS; i++)
        wrong += in[i] != i / GROUP * GROUP + (i + 19) % GROUP;
    CU_ASSERT(wrong == 0);
}

/* What one work-item wrote to global memory, others of its group read behind the barrier. */
static void test_global_barrier(void)
{
    static const char text[] =
        "__kernel void turn(__global volatile int *a)\n"
        "{\n"
        "    int i = (int)get_local_id(0), n = (int)get_local_size(0), v;\n"
        "    __global volatile int *own = a + get_group_id(0) * get_local_size(0);\n"
        "    for (int r = 0; r < 5; r++) {\n"
        "        v = own[(i + 1) % n];\n"
        "        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);\n"
        "        own[i] = v;\n"
        "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "    }\n"
        "}\n";
    int in[ITEMS], wrong = 0;
    run_on_numbers(text, "turn", in);
    for (int i = 0; i < ITEMS; i++)
        wrong += in[i] != i / GROUP * GROUP + (i + 5) % GROUP;
    CU_ASSERT(wrong == 0);
}

static void test_constants(void)
{
    static const char text[] =
        "DAL_CONSTANT_VARIABLE int table[8] = {2, 3, 5, 7, 11, 13, 17, 19};\n"
        "DAL_CONSTANT_VARIABLE float weights[2][2] = {{1.5f, 2.5f}, {4.0f, 8.0f}};\n"
        "__kernel void look(__global int *a)\n"
        "{\n"
        "    int i = a[get_global_id(0)];\n"
        "    a[get_global_id(0)] = table[i % 8] * 1000 + (int)(weights[i % 2][i / 2 % 2] * 2.0f);\n"
        "}\n";
    static const int table[8] = {2, 3, 5, 7, 11, 13, 17, 19}, twice[2][2] = {{3, 5}, {8, 16}};
    int in[ITEMS], wrong = 0;
    run_on_numbers(text, "look", in);
    for (int i = 0; i < ITEMS; i++)
        wrong += in[i] != table[i % 8] * 1000 + twice[i % 2][i / 2 % 2];
    CU_ASSERT(wrong == 0);
}

/* Begins with the numbers; all work-items act on the first of them, and on local memory. */
static void test_atomics(void)
{
    static const char text[] =
        "__kernel void atomics(__global int *a)\n"
        "{\n"
        "    DAL_LOCAL_VARIABLE int count;\n"
        "    int v = (int)get_global_id(0);\n"
        "    count = 0;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    atomic_add(&count, v);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) atomic_add(&a[0], count);\n"
        "    atomic_sub(&a[1], v);\n"
        "    atomic_inc(&a[2]);\n"
        "    atomic_dec(&a[3]);\n"
        "    atomic_min(&a[4], -v);\n"
        "    atomic_max(&a[5], v);\n"
        "    atomic_and(&a[6], v % 2 ? ~4 : ~0);\n"
        "    atomic_or(&a[7], 1 << v % 16);\n"
        "    atomic_xor(&a[8], 1 << v % 3);\n"
        "    atomic_max((__global volatile uint *)&a[9], 0x80000000u + (uint)v);\n"
        "    { int old = a[10]; while (1) { int seen = atomic_cmpxchg(&a[10], old, old + 2);\n"
        "        if (seen == old) break; old = seen; } }\n"
        "    if (atomic_xchg(&a[11], -1) == 11) atomic_add(&a[12], 100);\n"
        "}\n";
    const int sum = ITEMS * (ITEMS - 1) / 2,
              expected[] = {0 + sum,
                            1 - sum,
                            2 + ITEMS,
                            3 - ITEMS,
                            -(ITEMS - 1),
                            ITEMS - 1,
                            6 & ~4,
                            0xffff,
                            8 ^ (54 % 2 * 1) ^ (53 % 2 * 2) ^ (53 % 2 * 4),
                            (int)(0x80000000u + ITEMS - 1),
                            10 + 2 * ITEMS,
                            -1,
                            112};
    int in[ITEMS];
    run_on_numbers(text, "atomics", in);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        CU_ASSERT(in[i] == expected[i]);
        if (in[i] != expected[i])
            fprintf(stderr, "atomic %zu: %d, not %d\n", i, in[i], expected[i]);
    }
}

const struct test kernel_tests[] = {
    {"kernels: values", test_values},
    {"kernels: offsets", test_offsets},
    {"kernels: work sizes", test_shapes},
    {"kernels: local memory", test_local},
    {"kernels: barriers for global memory", test_global_barrier},
    {"kernels: constants", test_constants},
    {"kernels: atomics", test_atomics},
    {0},
};
