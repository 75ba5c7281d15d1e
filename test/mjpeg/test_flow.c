/*
 * Opticalflow's equations on a device, which are solved in float where that is enough: sizes of
 * motion against integers, at and next to the half-way points where rounding is decided.
 */
#include "rt/devices/devices.h"
#include "test/device.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct dal_subject the_process = {"test", DAL_LOG_ERROR};

enum { LANES = 16, SUMS = 5, LAUNCHED = 4096, ROUNDS = 4, LARGEST = 25 * 255 * 255 };

static int64_t sums[LAUNCHED][SUMS][LANES];
static float sizes[LAUNCHED][LANES];
static uint64_t seed = 1;

static const char program[] =
    "#define VAR_width 16\n"
    "#define VAR_height 16\n"
    "#define TOKEN_in_SIZE 320\n"
    "#define TOKEN_previous_SIZE 320\n"
    "#define TOKEN_out_SIZE 320\n"
    "#include \"opticalflow.cl\"\n"
    "__kernel void Solve(__global const long16 *sums, __global float16 *sizes)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    sums += 5 * i;\n"
    "    sizes[i] = solve(EXACT(sums[0]), EXACT(sums[1]), EXACT(sums[2]), EXACT(sums[3]),\n"
    "                     EXACT(sums[4]));\n"
    "}\n";

static int64_t below(int64_t limit)
{
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return (int64_t)((seed >> 33) % (uint64_t)limit);
}

/* A sum s for which 32 s / a is half-way between two integers, or as close as sums can be. */
static int64_t near_half(int64_t a)
{
    return (2 * below(140) - 139) * a / 64 + below(3) - 1;
}

/* Without b, du = -32 s / a and dv = -32 t / c, whatever their sizes; with it, anything. */
static void make_sums(int64_t (*group)[LANES], int lane)
{
    int64_t most = (int64_t)64 << below(15), a, c;
    most = most < LARGEST ? most : LARGEST;
    a = below(4) ? 1 + below(most) : (1 + below(most / 64)) * 64;
    c = 1 + below(most);
    group[0][lane] = a;
    group[1][lane] = below(2) ? 0 : below(2 * most) - most;
    group[2][lane] = c;
    group[3][lane] = near_half(a);
    group[4][lane] = below(2) ? 0 : near_half(c);
}

static int64_t part(int64_t numerator, int64_t det)
{
    int64_t quotient = 32 * numerator / det, rest = 32 * numerator % det;
    if (rest < 0) {
        rest += det;
        quotient--;
    }
    if (2 * rest > det || (2 * rest == det && quotient % 2 != 0))
        quotient++;
    return quotient < -128 ? -128 : quotient > 127 ? 127 : quotient;
}

static int expected(int64_t (*group)[LANES], int lane)
{
    int64_t a = group[0][lane], b = group[1][lane], c = group[2][lane];
    int64_t s = group[3][lane], t = group[4][lane], det = a * c - b * b, du, dv;
    if (det < 1000)
        return 0;
    du = part(b * t - c * s, det);
    dv = part(b * s - a * t, det);
    return (int)(sqrt((double)(du * du + dv * dv)) + 0.5);
}

static int count_wrong(void)
{
    int wrong = 0;
    for (int i = 0; i < LAUNCHED; i++)
        for (int lane = 0; lane < LANES; lane++)
            wrong += (int)sizes[i][lane] != expected(sums[i], lane);
    return wrong;
}

static int run_round(const struct dal_backend *backend, dal_commands queue, dal_function kernel,
                     const dal_memory *buffers)
{
    static const struct dal_launch launch = {1, {LAUNCHED, 1, 1}, {1, 1, 1}};
    for (int i = 0; i < LAUNCHED; i++)
        for (int lane = 0; lane < LANES; lane++)
            make_sums(sums[i], lane);
    if (backend->write(queue, &the_process, buffers[0], 0, sums, sizeof(sums), 1, NULL) < 0 ||
        backend->launch(queue, &the_process, kernel, &launch, NULL, 0, NULL) < 0 ||
        suite_read(backend, queue, buffers[1], sizes, sizeof(sizes)) < 0)
        return -1;
    return count_wrong();
}

static int run_flow(struct dal_device *device, dal_commands queue, dal_function kernel)
{
    const struct dal_backend *backend = device->backend;
    const size_t bytes[2] = {sizeof(sums), sizeof(sizes)};
    dal_memory buffers[2] = {NULL, NULL};
    int failed = 0, wrong = 0;
    for (unsigned i = 0; i < 2 && !failed; i++)
        failed = backend->memory(device, &the_process, DAL_MEMORY_PLAIN, bytes[i], NULL,
                                 &buffers[i]) < 0 ||
                 backend->set_memory(kernel, &the_process, i, buffers[i]) < 0;
    for (int i = 0; i < ROUNDS && !failed; i++) {
        int round = run_round(backend, queue, kernel, buffers);
        failed = round < 0;
        wrong += round;
    }
    for (int i = 0; i < 2; i++)
        if (buffers[i])
            backend->memory_free(device, buffers[i]);
    return failed ? -1 : wrong;
}

static void check_device(const char *identifier, const char *definition)
{
    const struct dal_backend *backend = suite_backend();
    struct dal_devices *devices;
    struct dal_device *device;
    dal_commands queue;
    dal_function kernel;
    char options[4096];
    const struct dal_function_source source = {
        .file = "flow.cl", .text = program, .options = options, .name = "Solve"};
    snprintf(options, sizeof(options), "-I %s/apps/mjpeg %s", getenv("DAL_SRCDIR"), definition);
    CU_ASSERT_FATAL(suite_open(&devices, identifier) == DAL_OK);
    device = dal_devices_get(devices, 0);
    CU_ASSERT_FATAL(backend->function(device, &the_process, &source, &kernel) == DAL_OK);
    CU_ASSERT_FATAL(backend->commands(device, 0, &queue) == DAL_OK);
    CU_ASSERT(run_flow(device, queue, kernel) == 0);
    backend->commands_free(device, queue);
    backend->function_free(kernel);
    dal_devices_close(devices);
}

static void check_devices(const char *definition)
{
    struct dal_device_list list;
    CU_ASSERT_FATAL(suite_backend()->list(&list, DAL_LOG_ERROR) == DAL_OK);
    CU_ASSERT(list.count > 0);
    for (size_t i = 0; i < list.count; i++)
        check_device(list.info[i].identifier, definition);
    suite_backend()->list_finish(&list);
}

static void test_double(void)
{
    check_devices("");
}

static void test_integers(void)
{
    check_devices("-D FLOW_INTEGERS");
}

int main(void)
{
    static const struct test tests[] = {
        {"equations in double", test_double},
        {"equations in integers", test_integers},
    };
    return run_suite("flow", tests, sizeof(tests) / sizeof(tests[0]));
}
