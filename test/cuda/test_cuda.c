/* rt/cuda, as far as it is CUDA's own: options, logs, peers, graphs, what is refused. What all
 * backends have in common is in test/backend. On the stand-in. */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/cuda/backend.h"
#include "rt/cuda/build.h"
#include "rt/cuda/graph.h"
#include "rt/devices/devices.h"
#include "test/capture.h"
#include "test/suite.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct dal_subject the_process = {"P", DAL_LOG_ERROR};
static const struct dal_backend *const cuda = &dal_backend_cuda;

/* ---- options ----------------------------------------------------------------------------------
 */

/* All words behind the first three, with a space in front of each. */
static const char *translate(const char *options)
{
    static char text[1000];
    struct dal_cuda_options words;
    char *refused = NULL;
    int status = dal__cuda_options_init(&words, options, "sm_90", &refused);
    *text = '\0';
    for (int i = 3; status == DAL_OK && i < words.count; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s", words.words[i]);
    if (status == DAL_ERR_BUILD)
        snprintf(text, sizeof(text), "%s", refused);
    dal_free(refused);
    dal__cuda_options_finish(&words);
    return text;
}

#define EXACT " --fmad=false --ftz=false --prec-div=true --prec-sqrt=true"

static void test_options(void)
{
    static const struct {
        const char *options, *words;
    } rows[] = {
        {"", EXACT},
        {"-cl-std=CL1.2 -w -Wall -g -cl-finite-math-only", EXACT},
        {"-DA=1  -D B='2 3' -I here -UC", " -DA=1 -DB=2 3 -Ihere -UC" EXACT},
        {"-cl-mad-enable", " --fmad=true --ftz=false --prec-div=true --prec-sqrt=true"},
        {"-cl-denorms-are-zero", " --fmad=false --ftz=true --prec-div=true --prec-sqrt=true"},
        {"-cl-fast-relaxed-math", " --fmad=true --ftz=true --prec-div=false --prec-sqrt=false "
                                  "-D__FAST_RELAXED_MATH__=1"},
        {"-cl-single-precision-constant", "error: option '-cl-single-precision-constant' has no "
                                          "meaning for CUDA's compiler\n"},
        {"-DA --whatever", "error: option '--whatever' has no meaning for CUDA's compiler\n"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CU_ASSERT_STRING_EQUAL(translate(rows[i].options), rows[i].words);
}

/* ---- logs -------------------------------------------------------------------------------------
 */

static void test_log(void)
{
    static const char log[] =
        "a(1).cl(3): error: identifier \"x\" is undefined\n"
        "      x = 1;\n"
        "      ^\n"
        "\n"
        "b.cl(11): warning #161-D: unrecognized #pragma\n"
        "  #pragma OPENCL FP_CONTRACT OFF\n"
        "          ^\n"
        "\n"
        "b.cl(12): warning #177-D: variable \"y\" was declared but never referenced\n"
        "  int y;\n"
        "      ^\n"
        "          detected during instantiation of \"f\"\n"
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
        "ptxas error   : Entry function 'k' uses too much shared data (0x13880 bytes, 0xc000 max)\n"
        "1 error detected in the compilation of \"<kernel>\".\n";
    char *readable = dal__cuda_log(log);
    CU_ASSERT_PTR_NOT_NULL_FATAL(readable);
    CU_ASSERT_STRING_EQUAL(readable,
                           "a(1).cl:3: error: identifier \"x\" is undefined\n"
                           "b.cl:12: warning: variable \"y\" was declared but never referenced\n"
                           "          detected during instantiation of \"f\"\n"
                           "ptxas error   : Entry function 'k' uses too much shared data (0x13880 "
                           "bytes, 0xc000 max)\n");
    dal_free(readable);
}

/* ---- devices ----------------------------------------------------------------------------------
 */

/* An open stand-in with a queue, a buffer and a kernel. */
struct bench {
    struct dal_devices *devices;
    struct dal_device *device;
    dal_commands commands;
    dal_memory memory;
    dal_function function;
};

enum { ITEMS = 4 };

/* Not commutative, so that the order shows. */
static const char text[] =
    "#line 1 \"step.cl\"\n"
    "kernel void step(global uint *at, ulong offset, uint by)\n"
    "{\n"
    "    at[offset + get_global_id(0)] = 3 * at[offset + get_global_id(0)] + by;\n"
    "}\n";

static int make_function(const struct bench *bench, const char *source, const char *options,
                         const char *name, dal_function *function)
{
    const struct dal_function_source from = {"step.cl", source, options, name};
    return cuda->function(bench->device, &the_process, &from, function);
}

static int open_bench(struct bench *bench, int timed)
{
    const struct dal_device_wish wish = {cuda, "GPU_DEV1", "test"};
    uint32_t zeros[2 * ITEMS] = {0};
    int status = dal_devices_open(&bench->devices, &wish, 1, 1, DAL_LOG_ERROR);
    if (status < 0)
        return status;
    bench->device = dal_devices_get(bench->devices, 0);
    status = cuda->commands(bench->device, timed, &bench->commands);
    if (status == DAL_OK)
        status = cuda->memory(bench->device, &the_process, DAL_MEMORY_PLAIN, sizeof(zeros), NULL,
                              &bench->memory);
    if (status == DAL_OK)
        status = cuda->write(bench->commands, &the_process, bench->memory, 0, zeros, sizeof(zeros),
                             1, NULL);
    if (status == DAL_OK)
        status = make_function(bench, text, "", "step", &bench->function);
    if (status == DAL_OK)
        status = cuda->set_memory(bench->function, &the_process, 0, bench->memory);
    return status;
}

static void close_bench(struct bench *bench)
{
    cuda->function_free(bench->function);
    cuda->memory_free(bench->device, bench->memory);
    cuda->commands_free(bench->device, bench->commands);
    dal_devices_close(bench->devices);
}

static int launch_one(const struct bench *bench, uint64_t offset, uint32_t by, dal_event *done)
{
    const struct dal_launch launch = {.dimensions = 1, .global = {ITEMS}, .local = {2}};
    int status = cuda->set_value(bench->function, &the_process, 1, sizeof(offset), &offset);
    if (status == DAL_OK)
        status = cuda->set_value(bench->function, &the_process, 2, sizeof(by), &by);
    if (status == DAL_OK)
        status =
            cuda->launch(bench->commands, &the_process, bench->function, &launch, NULL, 0, done);
    return status;
}

/* `count` launches and a copy between them, which `salt` makes a run of its own. */
static int enqueue_run(const struct bench *bench, int count, uint32_t salt, uint32_t *expected)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < count; i++) {
        status = launch_one(bench, 0, (uint32_t)i + salt, NULL);
        *expected = 3 * *expected + (uint32_t)i + salt;
    }
    if (status == DAL_OK)
        status = cuda->copy(bench->commands, &the_process, bench->memory, 0, bench->memory,
                            ITEMS * sizeof(uint32_t), ITEMS * sizeof(uint32_t), NULL);
    return status < 0 ? status : cuda->flush(bench->commands, &the_process);
}

static void check_values(const struct bench *bench, uint32_t expected)
{
    uint32_t values[2 * ITEMS];
    CU_ASSERT(cuda->read(bench->commands, &the_process, bench->memory, 0, values, sizeof(values),
                         NULL, 0, NULL) == DAL_OK);
    CU_ASSERT(cuda->finish(bench->commands, &the_process) == DAL_OK);
    for (int i = 0; i < 2 * ITEMS; i++)
        CU_ASSERT_EQUAL(values[i], expected);
}

/* ---- contexts ----------------------------------------------------------------------------------
 */

static CUcontext current_context(void)
{
    CUcontext current = NULL;
    CU_ASSERT(dal_cuda_driver()->cuCtxGetCurrent(&current) == CUDA_SUCCESS);
    return current;
}

/* A thread that has a context of its own has it again when devices are open, and closed. */
static void test_own_context(void)
{
    struct bench bench = {0};
    uint32_t expected = 0;
    CUcontext own = NULL;
    CU_ASSERT_FATAL(dal_cuda_driver()->cuInit(0) == CUDA_SUCCESS);
    CU_ASSERT_FATAL(dal_cuda_driver()->cuDevicePrimaryCtxRetain(&own, 1) == CUDA_SUCCESS);
    for (int i = 0; i < 2; i++) {
        CUcontext before = i ? own : NULL;
        CU_ASSERT(dal_cuda_driver()->cuCtxSetCurrent(before) == CUDA_SUCCESS);
        CU_ASSERT_FATAL(open_bench(&bench, 0) == DAL_OK);
        dal_devices_leave(bench.devices);
        CU_ASSERT_PTR_EQUAL(current_context(), before);
        expected = 0;
        CU_ASSERT(enqueue_run(&bench, 1, 0, &expected) == DAL_OK);
        check_values(&bench, expected);
        close_bench(&bench);
        CU_ASSERT_PTR_EQUAL(current_context(), before);
    }
    CU_ASSERT(dal_cuda_driver()->cuCtxSetCurrent(NULL) == CUDA_SUCCESS);
    CU_ASSERT(dal_cuda_driver()->cuDevicePrimaryCtxRelease_v2(1) == CUDA_SUCCESS);
}

/* ---- graphs -----------------------------------------------------------------------------------
 */

/* Runs a number of runs of so many kinds in turn; how many graphs that made and launched. */
static void run_kinds(int rounds, int kinds, int launches, unsigned long *made,
                      unsigned long *launched)
{
    struct bench bench = {0};
    uint32_t expected = 0;
    *made = dal_cuda_graphs_made();
    *launched = dal_cuda_graphs_launched();
    CU_ASSERT_FATAL(open_bench(&bench, 0) == DAL_OK);
    for (int i = 0; i < rounds; i++)
        CU_ASSERT_FATAL(enqueue_run(&bench, launches, (uint32_t)(i % kinds), &expected) == DAL_OK);
    check_values(&bench, expected);
    close_bench(&bench);
    *made = dal_cuda_graphs_made() - *made;
    *launched = dal_cuda_graphs_launched() - *launched;
}

static void test_graphs(void)
{
    static const struct {
        int rounds, kinds, launches;
        unsigned long made, launched;
    } rows[] = {
        {5, 1, DAL_CUDA_RUN_LEAST - 1, 1, 4}, /* with the copy just long enough */
        {5, 1, DAL_CUDA_RUN_LEAST - 2, 0, 0}, /* too short */
        {5, 5, DAL_CUDA_RUN_LEAST, 0, 0},     /* none comes again */
        {9, 3, DAL_CUDA_RUN_LEAST, 3, 6},     /* each the second and third time */
        {3 * DAL_CUDA_RUNS, DAL_CUDA_RUNS, DAL_CUDA_RUN_LEAST, DAL_CUDA_RUNS, 2 * DAL_CUDA_RUNS},
        {3 * DAL_CUDA_RUNS + 3, DAL_CUDA_RUNS + 1, DAL_CUDA_RUN_LEAST, 0, 0}, /* gone before */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned long made, launched;
        run_kinds(rows[i].rounds, rows[i].kinds, rows[i].launches, &made, &launched);
        CU_ASSERT_EQUAL(made, rows[i].made);
        CU_ASSERT_EQUAL(launched, rows[i].launched);
    }
}

/* More launches than a run has room for. */
static void test_long_run(void)
{
    enum { MANY = 1000 };
    unsigned long made, launched;
    run_kinds(2, 1, MANY, &made, &launched);
    CU_ASSERT(made > 1);
    CU_ASSERT_EQUAL(made, launched);
}

static void test_no_graphs(void)
{
    unsigned long made, launched;
    setenv("DAL_CUDA_GRAPHS", "0", 1);
    run_kinds(5, 1, 2 * DAL_CUDA_RUN_LEAST, &made, &launched);
    unsetenv("DAL_CUDA_GRAPHS");
    CU_ASSERT_EQUAL(made, 0);
    CU_ASSERT_EQUAL(launched, 0);
}

/* A driver that does not capture, or makes no graph, is one without graphs. A launch that fails
 * within a capture has failed. */
static void test_failing_graphs(void)
{
    int failed = 0, fell_back = 0;
    for (unsigned long n = 1; n < 60; n++) {
        struct bench bench = {0};
        uint32_t expected = 0;
        struct capture capture;
        const char *said;
        int status;
        CU_ASSERT_FATAL(open_bench(&bench, 0) == DAL_OK);
        CU_ASSERT_FATAL(enqueue_run(&bench, DAL_CUDA_RUN_LEAST, 0, &expected) == DAL_OK);
        capture_begin(&capture);
        dal_backend_fail_with(n, CUDA_ERROR_UNKNOWN, 0);
        status = enqueue_run(&bench, DAL_CUDA_RUN_LEAST, 0, &expected);
        said = capture_end(&capture);
        CU_ASSERT(status < 0 ? strstr(said, "CUDA_ERROR_UNKNOWN (999)") != NULL : *said == '\0');
        capture_finish(&capture);
        failed += status < 0;
        if (status == DAL_OK && dal_backend_failed()) {
            fell_back++;
            CU_ASSERT(strncmp(dal_backend_failed(), "cuStreamBeginCapture", 20) == 0 ||
                      strncmp(dal_backend_failed(), "cuGraphInstantiate", 18) == 0);
        }
        dal_backend_fail_with(0, 0, 0);
        if (status == DAL_OK)
            check_values(&bench, expected);
        close_bench(&bench);
    }
    CU_ASSERT(failed > DAL_CUDA_RUN_LEAST);
    CU_ASSERT_EQUAL(fell_back, 2);
}

/* An event in the midst of it ends a run. */
static void test_events(void)
{
    struct bench bench = {0};
    dal_event first = NULL, second = NULL;
    enum dal_event_state state = DAL_EVENT_PENDING;
    unsigned long launched = dal_cuda_graphs_launched();
    CU_ASSERT_FATAL(open_bench(&bench, 0) == DAL_OK);
    for (int i = 0; i < 3 * DAL_CUDA_RUN_LEAST; i++) {
        CU_ASSERT(launch_one(&bench, 0, 1, i % 2 ? NULL : &first) == DAL_OK);
        if (i % 2 == 0)
            cuda->release(first);
    }
    CU_ASSERT(cuda->marker(bench.commands, &the_process, &second) == DAL_OK);
    while (state == DAL_EVENT_PENDING)
        CU_ASSERT_FATAL(cuda->state(second, &the_process, &state) == DAL_OK);
    cuda->release(second);
    CU_ASSERT_EQUAL(dal_cuda_graphs_launched(), launched);
    close_bench(&bench);
}

/* ---- times ------------------------------------------------------------------------------------
 */

static void test_times(void)
{
    struct bench bench = {0};
    struct dal_event_times before = {0};
    CU_ASSERT_FATAL(open_bench(&bench, 1) == DAL_OK);
    for (int i = 0; i < 10; i++) {
        struct dal_event_times times;
        dal_event done = NULL;
        CU_ASSERT_FATAL(launch_one(&bench, 0, 1, &done) == DAL_OK);
        CU_ASSERT(cuda->finish(bench.commands, &the_process) == DAL_OK);
        CU_ASSERT(cuda->times(done, &times) == DAL_OK);
        CU_ASSERT(times.end >= times.begin && times.begin >= before.end);
        CU_ASSERT(times.queued >= before.queued);
        before = times;
        cuda->release(done);
    }
    close_bench(&bench);
}

/* ---- what is refused --------------------------------------------------------------------------
 */

static const char *said_of(const struct bench *bench, const char *source, const char *options,
                           int expected)
{
    static char said[4000];
    struct capture capture;
    dal_function function = NULL;
    int status;
    capture_begin(&capture);
    status = make_function(bench, source, options, "k", &function);
    snprintf(said, sizeof(said), "%s", capture_end(&capture));
    capture_finish(&capture);
    CU_ASSERT_EQUAL(status, expected);
    cuda->function_free(function);
    return said;
}

#define LINE "#line 7 \"bad.cl\"\n"

static void test_refused_texts(void)
{
    struct bench bench = {0};
    CU_ASSERT_FATAL(open_bench(&bench, 0) == DAL_OK);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(said_of(&bench, LINE "kernel void k(global int *a) { a[0] = missing; }\n", "",
                       DAL_ERR_BUILD),
               "bad.cl:7: error: [kernel-build] "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(said_of(&bench,
                       LINE "kernel void k(global float *a) { a[0] = ((float4)(1, 2, 3, 4)).x; }\n",
                       "", DAL_ERR_BUILD),
               "dal_there_is_no_vector_type_float4_in_CUDA"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        said_of(&bench, LINE "kernel void other() { }\n", "", DAL_ERR_BUILD), "has no kernel 'k'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said_of(&bench, LINE "kernel void k() { }\n",
                                          "-cl-single-precision-constant", DAL_ERR_BUILD),
                                  "option '-cl-single-precision-constant'"));
    CU_ASSERT_STRING_EQUAL(said_of(&bench, LINE "kernel void k() { int unused; }\n", "", DAL_OK),
                           "");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(said_of(&bench, LINE "kernel void k() { int unused; }\n", "-Wall", DAL_OK),
               "bad.cl:7: warning: [kernel-build] "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(said_of(&bench, LINE "kernel void k() { int unused; }\n", "-Werror", DAL_ERR_BUILD),
               "bad.cl:7: warning: [kernel-build] "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(said_of(&bench,
                       LINE "kernel void k(global int *a) { DAL_LOCAL_VARIABLE int s[20000];\n"
                            "s[a[0]] = 1; barrier(CLK_LOCAL_MEM_FENCE); a[1] = s[a[2]]; }\n",
                       "", DAL_ERR_LIMIT),
               "variables of a kernel in local memory have"));
    close_bench(&bench);
}

static void test_refused_uses(void)
{
    struct bench bench = {0};
    const struct dal_launch ragged = {.dimensions = 1, .global = {5}, .local = {2}};
    struct capture capture;
    dal_memory memory = NULL;
    void *host = NULL;
    const char *said;
    CU_ASSERT_FATAL(open_bench(&bench, 0) == DAL_OK);
    capture_begin(&capture);
    CU_ASSERT(cuda->shared_memory(bench.device, &the_process, 64, &host, &memory) ==
              DAL_ERR_UNSUPPORTED);
    CU_ASSERT(cuda->memory(bench.device, &the_process, DAL_MEMORY_OVER_HOST, 64, &bench, &memory) ==
              DAL_ERR_UNSUPPORTED);
    CU_ASSERT(cuda->map(bench.commands, &the_process, bench.memory, 4, DAL_MAP_READ_WRITE, 1,
                        &host) == DAL_ERR_UNSUPPORTED);
    CU_ASSERT(cuda->launch(bench.commands, &the_process, bench.function, &ragged, NULL, 0, NULL) ==
              DAL_ERR_DEVICE);
    cuda->function_free(bench.function);
    CU_ASSERT_FATAL(make_function(&bench, text, "", "step", &bench.function) == DAL_OK);
    CU_ASSERT(launch_one(&bench, 0, 1, NULL) == DAL_ERR_DEVICE);
    CU_ASSERT(cuda->set_value(bench.function, &the_process, 1, 4, &ragged) == DAL_ERR_DEVICE);
    said = capture_end(&capture);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "P: devices of CUDA have memory of their own"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "P: argument 0 of the kernel: it was never set"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "P: argument 1 of the kernel: a value of another size"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "P: 5 work-items are not work-groups of 2"));
    capture_finish(&capture);
    close_bench(&bench);
}

/* ---- peers, and drivers that are not there ----------------------------------------------------
 */

/* In a process of its own, as drivers are loaded once; the variable is set before. */
static int in_child(const char *name, const char *value, int (*run)(void))
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        setenv(name, value, 1);
        _exit(run());
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int share_memory(void)
{
    static const struct dal_device_wish wishes[] = {{cuda, "GPU_DEV1", "one"},
                                                    {cuda, "GPU_DEV2", "two"}};
    struct dal_devices *devices;
    struct dal_device *one, *two;
    int shared;
    if (dal_devices_open(&devices, wishes, 2, 1, DAL_LOG_ERROR) < 0)
        return 99;
    one = dal_devices_get(devices, 0);
    two = dal_devices_get(devices, 1);
    shared = dal_device_share_memory(one, one) + 10 * dal_device_share_memory(one, two) +
             20 * (one->context == two->context);
    dal_devices_close(devices);
    return shared;
}

static int count_devices(void)
{
    struct dal_device_list list;
    int count;
    if (cuda->list(&list, DAL_LOG_ERROR) < 0)
        return 99;
    count = (int)list.count;
    cuda->list_finish(&list);
    return count;
}

static void test_machines(void)
{
    struct capture capture;
    CU_ASSERT_EQUAL(in_child("DAL_STANDIN_PEERS", "1", share_memory), 31);
    CU_ASSERT_EQUAL(in_child("DAL_STANDIN_PEERS", "0", share_memory), 21);
    CU_ASSERT_EQUAL(in_child("DAL_STANDIN_DEVICES", "3", count_devices), 3);
    capture_begin(&capture);
    CU_ASSERT_EQUAL(in_child("DAL_STANDIN_DEVICES", "0", count_devices), 0);
    CU_ASSERT_EQUAL(in_child("DAL_CUDA_DRIVER", "off", count_devices), 0);
    CU_ASSERT_STRING_EQUAL(capture_end(&capture), "");
    capture_finish(&capture);
    capture_begin(&capture);
    CU_ASSERT_EQUAL(in_child("DAL_CUDA_DRIVER", "/nowhere/libcuda.so.1", count_devices), 0);
    CU_ASSERT_EQUAL(in_child("DAL_CUDA_COMPILER", "off", count_devices), 0);
    CU_ASSERT_EQUAL(in_child("DAL_CUDA_DRIVER", getenv("DAL_CUDA_COMPILER"), count_devices), 0);
    capture_end(&capture);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(capture.text,
               "note: devices of CUDA are not used: DAL_CUDA_DRIVER: /nowhere/libcuda.so.1"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(capture.text, "note: devices of CUDA are not used: there is no compiler"));
    CU_ASSERT_PTR_NOT_NULL(strstr(capture.text, "has no function cuInit"));
    capture_finish(&capture);
}

/* ---- the suite --------------------------------------------------------------------------------
 */

static void name_library(const char *variable, const char *name)
{
    char *path = dal_format("%s/test/cuda/standin/.libs/%s", getenv("DAL_BUILDDIR"), name);
    setenv(variable, path ? path : "", 1);
    dal_free(path);
}

int main(void)
{
    static const struct test tests[] = {
        {"options", test_options},
        {"logs", test_log},
        {"machines", test_machines}, /* before the driver is loaded here */
        {"a context of one's own", test_own_context},
        {"graphs", test_graphs},
        {"long runs", test_long_run},
        {"without graphs", test_no_graphs},
        {"graphs that fail", test_failing_graphs},
        {"events", test_events},
        {"times", test_times},
        {"texts that are refused", test_refused_texts},
        {"uses that are refused", test_refused_uses},
    };
    if (system("command -v g++ clang++ c++ >/dev/null 2>&1") != 0 && !getenv("DAL_STANDIN_CXX")) {
        printf("a compiler of C++ is missing\n");
        return 77;
    }
    name_library("DAL_CUDA_DRIVER", "libstandin_cuda.so");
    name_library("DAL_CUDA_COMPILER", "libstandin_nvrtc.so");
    return run_suite("CUDA", tests, sizeof(tests) / sizeof(tests[0]));
}
