/* rt/backend with rt/ocl: devices by identifier, errors by name, build logs, queues. */
#include "rt/backend/device.h"
#include "rt/backend/log.h"
#include "rt/base/alloc.h"
#include "rt/devices/devices.h"
#include "rt/ocl/backend.h"
#include "rt/ocl/device.h"
#include "test/capture.h"
#include "test/suite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct dal_subject the_process = {"B", DAL_LOG_ERROR},
                                made_up_for = {"B", DAL_LOG_WARNING};

enum { SAID = 2048 };

static const char *const nobody[] = {"p", "q", "r"};

/* The device that is tested: the last of the list, by its wildcard; so too with sub-devices. */
static char device_name[64], spaced_name[64], sub_names[4][64];

/* Devices of OpenCL by their identifiers. */
static int open_devices(struct dal_devices **devices, const char *const *identifiers,
                        const char *const *processors, int count, int strict)
{
    struct dal_device_wish wishes[3];
    for (int i = 0; i < count; i++)
        wishes[i] = (struct dal_device_wish){&dal_backend_opencl, identifiers[i], processors[i]};
    return dal_devices_open(devices, wishes, count, strict, DAL_LOG_ERROR);
}

static int make_kernel(struct dal_device *device, const struct dal_subject *process,
                       const char *file, const char *text, const char *options, const char *name,
                       dal_function *kernel)
{
    const struct dal_function_source source = {
        .file = file, .text = text, .options = options, .name = name};
    return device->backend->function(device, process, &source, kernel);
}

static int name_devices(void)
{
    struct dal_device_list list;
    const char *wildcard;
    if (dal_backend_opencl.list(&list, DAL_LOG_ERROR) != DAL_OK)
        return -1;
    if (list.count == 0) {
        fprintf(stderr, "there is no OpenCL device to test\n");
        dal_backend_opencl.list_finish(&list);
        return -1;
    }
    wildcard = list.info[list.count - 1].wildcard;
    snprintf(device_name, sizeof(device_name), "%s", wildcard);
    snprintf(spaced_name, sizeof(spaced_name), "%.3s \n%s ", wildcard, wildcard + 3);
    for (int i = 0; i < 3; i++)
        snprintf(sub_names[i], sizeof(sub_names[i]), "%s_SUB%d", wildcard, i);
    snprintf(sub_names[3], sizeof(sub_names[3]), "%s_SUB10000", wildcard);
    dal_backend_opencl.list_finish(&list);
    return 0;
}

static void test_error_names(void)
{
    CU_ASSERT_STRING_EQUAL(dal_ocl_error(0), "CL_SUCCESS");
    CU_ASSERT_STRING_EQUAL(dal_ocl_error(-5), "CL_OUT_OF_RESOURCES");
    CU_ASSERT_STRING_EQUAL(dal_ocl_error(CL_INVALID_KERNEL_ARGS), "CL_INVALID_KERNEL_ARGS");
    CU_ASSERT_STRING_EQUAL(dal_ocl_error(-72), "CL_MAX_SIZE_RESTRICTION_EXCEEDED");
    CU_ASSERT_STRING_EQUAL(dal_ocl_error(-1001), "CL_PLATFORM_NOT_FOUND_KHR");
    CU_ASSERT_STRING_EQUAL(dal_ocl_error(-21), "unknown OpenCL error");
}

static void test_check(void)
{
    const struct dal_subject attempt = {"B", DAL_LOG_NOTHING};
    struct capture capture;
    const char *text;
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    CU_ASSERT(dal_ocl_check(&the_process, "clSetKernelArg", 0) == DAL_OK);
    CU_ASSERT(dal_ocl_check(&the_process, "clSetKernelArg", -49) == DAL_ERR_DEVICE);
    CU_ASSERT(dal_ocl_check(&made_up_for, "clSetKernelArg", -50) == DAL_ERR_DEVICE);
    CU_ASSERT(dal_ocl_check(&attempt, "clSetKernelArg", -51) == DAL_ERR_DEVICE);
    text = capture_end(&capture);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "error: B: clSetKernelArg: CL_INVALID_ARG_INDEX (-49)\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "warning: B: clSetKernelArg: CL_INVALID_ARG_VALUE (-50)\n"));
    CU_ASSERT_PTR_NULL(strstr(text, "-51"));
    capture_finish(&capture);
}

static void check_identifier(const char *text, const char *device, int sub)
{
    char *found;
    int number;
    CU_ASSERT_FATAL(dal_device_split_identifier(text, &found, &number) == DAL_OK);
    CU_ASSERT_STRING_EQUAL(found, device);
    CU_ASSERT(number == sub);
    dal_free(found);
}

static void test_identifier(void)
{
    check_identifier("GPU_4098_Capeverde_DEV1", "GPU_4098_Capeverde_DEV1", 0);
    check_identifier("CPU_32902_Intel(R)Core(TM)i7\n      -2600KCPU@3.40GHz_DEV1_SUB2",
                     "CPU_32902_Intel(R)Core(TM)i7-2600KCPU@3.40GHz_DEV1", 2);
    check_identifier("CPU_DEV1_SUB12", "CPU_DEV1", 12);
    check_identifier(" CPU_DEV1 _SUB 3", "CPU_DEV1", 3);
    check_identifier("CPU_1_a_SUB2b_DEV1", "CPU_1_a_SUB2b_DEV1", 0);
    check_identifier("CPU_1_a_SUB2_DEV1_SUB3", "CPU_1_a_SUB2_DEV1", 3);
    check_identifier("CPU_DEV1_SUB0", "CPU_DEV1_SUB0", 0);
    check_identifier("CPU_DEV1_SUB99999999999999999999", "CPU_DEV1_SUB99999999999999999999", 0);
    check_identifier("CPU_DEV1_SUB", "CPU_DEV1_SUB", 0);
    check_identifier("CPU_DEV1_SUB1x", "CPU_DEV1_SUB1x", 0);
    check_identifier("", "", 0);
}

static int has_white_space(const char *text)
{
    for (; *text; text++)
        if (isspace((unsigned char)*text))
            return 1;
    return 0;
}

static void test_list(void)
{
    struct dal_device_list list;
    CU_ASSERT_FATAL(dal_backend_opencl.list(&list, DAL_LOG_ERROR) == DAL_OK);
    CU_ASSERT(list.count >= 1);
    for (size_t i = 0; i < list.count; i++) {
        const struct dal_device_info *info = &list.info[i];
        CU_ASSERT(!has_white_space(info->identifier));
        CU_ASSERT(dal_device_find(&list, info->identifier) == (int)i);
        CU_ASSERT(dal_device_find(&list, info->wildcard) == (int)i);
        CU_ASSERT(info->compute_units > 0 && info->limits.work_group > 0 &&
                  info->limits.work_items[2] > 0);
        CU_ASSERT(info->limits.align_bytes > 0 && info->limits.alloc_bytes > 0);
        CU_ASSERT(strlen(info->name) > 0 && strlen(info->platform) > 0);
        CU_ASSERT(dal__ocl_major(info->version) >= 1);
        CU_ASSERT(info->sub_devices != 1);
        CU_ASSERT(info->type == DAL_DEVICE_CPU || i == 0 ||
                  list.info[i - 1].type != DAL_DEVICE_CPU);
    }
    CU_ASSERT(dal_device_find(&list, "CPU_DEV99") == -1);
    CU_ASSERT(dal_device_find(&list, "") == -1);
    dal_backend_opencl.list_finish(&list);
}

static void test_mask(void)
{
    struct dal_device_list list;
#ifndef DAL_CHECKING
    printf("needs configure --enable-checking; ");
    return;
#endif
    setenv("DAL_TEST_MASK", "foreign_events, unified", 1);
    CU_ASSERT_FATAL(dal_backend_opencl.list(&list, DAL_LOG_ERROR) == DAL_OK);
    for (size_t i = 0; i < list.count; i++)
        CU_ASSERT(!list.info[i].traits.unified && !list.info[i].traits.foreign_events);
    dal_backend_opencl.list_finish(&list);
    setenv("DAL_TEST_MASK", "unified unifie", 1);
    CU_ASSERT(dal_backend_opencl.list(&list, DAL_LOG_ERROR) == DAL_ERR_INVALID);
    unsetenv("DAL_TEST_MASK");
}

static void test_open(void)
{
    const char *const same[] = {device_name, spaced_name, device_name};
    struct dal_devices *ocl;
    CU_ASSERT_FATAL(open_devices(&ocl, same, nobody, 3, 1) == DAL_OK);
    CU_ASSERT(dal_devices_get(ocl, 0) == dal_devices_get(ocl, 1));
    CU_ASSERT(dal_devices_get(ocl, 0) == dal_devices_get(ocl, 2));
    CU_ASSERT_STRING_EQUAL(dal_devices_get(ocl, 0)->info.wildcard, device_name);
    CU_ASSERT_STRING_EQUAL(dal_devices_get(ocl, 0)->processor, "p");
    CU_ASSERT_PTR_NOT_NULL(dal_devices_get(ocl, 0)->context);
    dal_devices_close(ocl);
    dal_devices_close(NULL);
}

/* By identifier and by wildcard: two devices here, one context. */
static void test_open_two_names(void)
{
    struct dal_device_list list;
    struct dal_devices *ocl;
    const char *names[2];
    CU_ASSERT_FATAL(dal_backend_opencl.list(&list, DAL_LOG_ERROR) == DAL_OK && list.count > 0);
    names[0] = list.info[0].identifier;
    names[1] = list.info[0].wildcard;
    CU_ASSERT_FATAL(open_devices(&ocl, names, nobody, 2, 1) == DAL_OK);
    CU_ASSERT(dal_devices_get(ocl, 0) != dal_devices_get(ocl, 1));
    CU_ASSERT(dal_devices_get(ocl, 0)->id == dal_devices_get(ocl, 1)->id);
    CU_ASSERT(dal_devices_get(ocl, 0)->context == dal_devices_get(ocl, 1)->context);
    CU_ASSERT_STRING_EQUAL(dal_devices_get(ocl, 1)->info.identifier, names[0]);
    dal_devices_close(ocl);
    dal_backend_opencl.list_finish(&list);
}

static void test_substitute(void)
{
    const char *const foreign[] = {"GPU_1_Nobody's_DEV1"};
    const char *const processor[] = {"gpu_0"};
    struct capture capture;
    struct dal_devices *ocl;
    const char *text;
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    CU_ASSERT(open_devices(&ocl, foreign, processor, 1, 0) == DAL_OK);
    text = capture_end(&capture);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "warning"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "gpu_0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, foreign[0]));
    CU_ASSERT_FATAL(ocl != NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, dal_devices_get(ocl, 0)->info.identifier));
    dal_devices_close(ocl);
    capture_finish(&capture);
}

static void check_refused(const char *identifier)
{
    const char *const identifiers[] = {identifier};
    struct capture capture;
    struct dal_devices *ocl;
    const char *text;
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    CU_ASSERT(open_devices(&ocl, identifiers, nobody, 1, 1) == DAL_ERR_NODEVICE);
    text = capture_end(&capture);
    CU_ASSERT_PTR_NULL(ocl);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "error: processor 'p'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "DEV"));
    capture_finish(&capture);
}

static void test_strict(void)
{
    check_refused("GPU_4098_Capeverde_DEV1");
    check_refused("CPU_DEV99");
    check_refused(sub_names[3]);
    check_refused("nonsense");
    check_refused(sub_names[0]);
}

static void test_log_pocl(void)
{
    char *text = dal__build_log("error: my/user.cl:9:12: use of undeclared identifier 'foo'\n"
                                "warning: my/user.cl:11:10: unused\n"
                                "Device x failed to build the program\n",
                                "my/user.cl", "");
    CU_ASSERT_STRING_EQUAL(text, "my/user.cl:9: error: [kernel-build] use of undeclared identifier "
                                 "'foo'\n"
                                 "my/user.cl:11: warning: [kernel-build] unused\n"
                                 "Device x failed to build the program\n");
    dal_free(text);
}

static void test_log_nvidia(void)
{
    char *text = dal__build_log("my/user.cl:9:12: error: use of undeclared identifier 'foo'\n"
                                "    a[0] = foo;\n"
                                "           ^\n"
                                "<kernel>:2:1: fatal error: too bad: really\n",
                                "my/user.cl", "a\nb\n#line 1 \"my/user.cl\"\n");
    CU_ASSERT_STRING_EQUAL(text, "my/user.cl:9: error: [kernel-build] use of undeclared "
                                 "identifier 'foo'\n"
                                 "    a[0] = foo;\n"
                                 "           ^\n"
                                 "my/user.cl:2: error: [kernel-build] too bad: really\n");
    dal_free(text);
}

/* Oclgrind does not heed #line: the place is looked up in the program. */
static void test_log_oclgrind(void)
{
    static const char program[] = "#define A\n"
                                  "#line 20 \"one.cl\"\n"
                                  "int a;\n"
                                  "int b\n"
                                  "# line 7 \"two words.cl\"\n"
                                  "c\n";
    char *text = dal__build_log("input.cl:1:1: error: x\n"
                                "input.cl:3:1: error: y\n"
                                "input.cl:4:1: note: z\n"
                                "input.cl:6:1: error: w\n"
                                "input.cl:9999:1: error: v\n",
                                "u.cl", program);
    CU_ASSERT_STRING_EQUAL(text, "u.cl:1: error: [kernel-build] x\n"
                                 "one.cl:20: error: [kernel-build] y\n"
                                 "one.cl:21: note: [kernel-build] z\n"
                                 "two words.cl:7: error: [kernel-build] w\n"
                                 "two words.cl:9: error: [kernel-build] v\n");
    dal_free(text);
}

static void test_log_odd(void)
{
    static const char *const lines[] = {
        ":",     "a:",      "a:b:",          "a:1:",
        "a:1: ", "error: ", "a:0: error: x", "ptxas error : out of registers"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char *text = dal__build_log(lines[i], "f", "");
        CU_ASSERT_FATAL(text != NULL);
        CU_ASSERT(strncmp(text, lines[i], strlen(lines[i])) == 0);
        CU_ASSERT_STRING_EQUAL(text + strlen(lines[i]), "\n");
        dal_free(text);
    }
}

/* Warnings about the user's lines, each once, with their notes. Line 2 is generated. */
static void check_warnings(const char *log, const char *expected)
{
    static const char program[] = "#define A\n"
                                  "#define B\n"
                                  "#line 20 \"user.cl\"\n"
                                  "int a;\n"
                                  "int b;\n";
    char *text = dal__build_log_warnings(log, "user.cl", program);
    CU_ASSERT_STRING_EQUAL(text, expected);
    dal_free(text);
}

static void test_log_warnings(void)
{
    check_warnings("warning: user.cl:21:5: one\n"
                   "warning: /tmp/tempfile_x.cl:2:1: generated\n"
                   "warning: user.cl:20:5: two\n"
                   "warning: user.cl:21:5: one\n"
                   "warning: other.cl:21:5: three\n",
                   "user.cl:21: warning: [kernel-build] one\n"
                   "user.cl:20: warning: [kernel-build] two\n");
    check_warnings("input.cl:2:1: warning: generated\n"
                   "input.cl:4:1: note: of it\n"
                   "input.cl:4:1: warning: user's\n"
                   "int a;\n"
                   "  ^\n"
                   "input.cl:5:1: note: see here\n"
                   "input.cl:1:1: note: and there\n",
                   "user.cl:20: warning: [kernel-build] user's\n"
                   "user.cl:21: note: [kernel-build] see here\n");
    check_warnings("done\nDevice x built the program\n", "");
    check_warnings("", "");
}

/* What a device lacks, and what is wrong with a source. */
static void test_log_lacks(void)
{
    CU_ASSERT(dal__build_log_lacks("ptxas info : x\n"
                                   "ptxas error   : Entry function 'k' uses too much shared data "
                                   "(0x61a7c bytes, 0xc000 max)\n"));
    CU_ASSERT(dal__build_log_lacks(
        "error: <unknown>:0:0: local memory (400000) exceeds limit (65536) in function 'k'\n"));
    CU_ASSERT(!dal__build_log_lacks("<kernel>:2:1: error: use of undeclared identifier 'local'\n"));
    CU_ASSERT(!dal__build_log_lacks(""));
}

static struct dal_devices *open_first(void)
{
    const char *const first[] = {device_name};
    struct dal_devices *ocl = NULL;
    open_devices(&ocl, first, nobody, 1, 0);
    return ocl;
}

static void test_build_error(void)
{
    static const char program[] = "#line 30 \"dir/user.cl\"\n"
                                  "__kernel void k(__global int *a)\n"
                                  "{\n"
                                  "    a[0] = missing_name;\n"
                                  "}\n";
    struct dal_devices *ocl = open_first();
    struct capture capture;
    dal_function kernel;
    const char *text;
    CU_ASSERT_FATAL(ocl != NULL);
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    CU_ASSERT(make_kernel(dal_devices_get(ocl, 0), &the_process, "dir/user.cl", program, "", "k",
                          &kernel) == DAL_ERR_BUILD);
    text = capture_end(&capture);
    CU_ASSERT_PTR_NULL(kernel);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "dir/user.cl:32: error: [kernel-build] "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "missing_name"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "error: process 'B': dir/user.cl does not build for "));
    capture_finish(&capture);
    dal_devices_close(ocl);
}

static const char twice[] = "__kernel void twice(__global int *a)\n"
                            "{\n"
                            "    a[get_global_id(0)] *= 2;\n"
                            "}\n";

static void test_kernel_name(void)
{
    struct dal_devices *ocl = open_first();
    struct capture capture;
    dal_function kernel;
    CU_ASSERT_FATAL(ocl != NULL);
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    CU_ASSERT(make_kernel(dal_devices_get(ocl, 0), &the_process, "t.cl", twice, "", "thrice",
                          &kernel) == DAL_ERR_BUILD);
    CU_ASSERT_PTR_NOT_NULL(strstr(capture_end(&capture), "t.cl has no kernel 'thrice'"));
    CU_ASSERT_PTR_NULL(kernel);
    capture_finish(&capture);
    dal_devices_close(ocl);
}

/* Builds a kernel with two warnings, one of them in the user's lines; what stood on standard error
 * goes to `said`. */
static int build_doubtful(struct dal_devices *ocl, const char *options, char *said,
                          dal_function *kernel)
{
    static const char program[] = "int generated(__global int *a) { __global float *q = a; }\n"
                                  "#line 30 \"user.cl\"\n"
                                  "__kernel void k(__global int *a)\n"
                                  "{\n"
                                  "    __global float *q = a;\n"
                                  "    q[0] = 1;\n"
                                  "}\n";
    struct capture capture;
    int status = -1;
    if (capture_begin(&capture) == 0)
        status = make_kernel(dal_devices_get(ocl, 0), &the_process, "user.cl", program, options,
                             "k", kernel);
    snprintf(said, SAID, "%s", capture_end(&capture));
    capture_finish(&capture);
    return status;
}

/* Whether `option` is among those that the kernel was built with. */
static int is_built_with(struct dal_devices *ocl, const char *options, const char *option,
                         char *said)
{
    char built[1024] = "";
    cl_program program;
    dal_function kernel;
    CU_ASSERT_FATAL(build_doubtful(ocl, options, said, &kernel) == DAL_OK);
    clGetKernelInfo(dal_ocl_kernel(kernel), CL_KERNEL_PROGRAM, sizeof(program), &program, NULL);
    clGetProgramBuildInfo(program, dal_ocl_device(dal_devices_get(ocl, 0))->id,
                          CL_PROGRAM_BUILD_OPTIONS, sizeof(built) - 1, built, NULL);
    dal_backend_opencl.function_free(kernel);
    return strstr(built, option) != NULL;
}

/* What a driver's compiler has to say is heard when somebody asks for it. Oclgrind does not take
 * its options to heart, and counts. */
static void test_warnings(void)
{
    static const char warning[] = "user.cl:32: warning: [kernel-build] ";
    struct dal_devices *ocl = open_first();
    dal_function kernel;
    int counts;
    char said[SAID];
    CU_ASSERT_FATAL(ocl != NULL);
    counts = strstr(dal_devices_get(ocl, 0)->info.name, "Oclgrind") != NULL;
    CU_ASSERT(is_built_with(ocl, "", " -w", said));
    CU_ASSERT(counts || !*said);
    CU_ASSERT(counts || build_doubtful(ocl, "-Werror", said, &kernel) == DAL_ERR_BUILD);
    dal_backend_want_warnings(1);
    CU_ASSERT(!is_built_with(ocl, "-DY", " -w", said));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, warning));
    CU_ASSERT_PTR_NULL(strstr(said, ":1: warning"));
    dal_backend_want_warnings(0);
    dal_devices_close(ocl);
}

/* The option is an error on a device that cannot do it. */
static void test_division(void)
{
    static const char option[] = "-cl-fp32-correctly-rounded-divide-sqrt";
    struct dal_devices *ocl = open_first();
    struct dal_device *device;
    cl_device_fp_config config = 0;
    char said[SAID];
    CU_ASSERT_FATAL(ocl != NULL);
    device = dal_devices_get(ocl, 0);
    clGetDeviceInfo(dal_ocl_device(device)->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(config), &config,
                    NULL);
    CU_ASSERT(device->info.traits.rounds_division ==
              ((config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0));
    CU_ASSERT(is_built_with(ocl, "", option, said) == device->info.traits.rounds_division);
    device->info.traits.rounds_division = 0;
    CU_ASSERT(!is_built_with(ocl, "-DZ", option, said));
    dal_devices_close(ocl);
}

/* Options that are none are wrong with the source, whatever code the driver gives them. */
static void test_bad_options(void)
{
    struct dal_devices *ocl = open_first();
    struct capture capture;
    const char *text;
    dal_function kernel;
    CU_ASSERT_FATAL(ocl != NULL);
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    CU_ASSERT(make_kernel(dal_devices_get(ocl, 0), &made_up_for, "t.cl", twice, "-no-such-option",
                          "twice", &kernel) == DAL_ERR_BUILD);
    text = capture_end(&capture);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "error: process 'B': t.cl does not build "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "-no-such-option"));
    capture_finish(&capture);
    dal_devices_close(ocl);
}

/* The first call that fails tells whether anything is built. */
static void expect_next_call(struct dal_devices *ocl, const char *options, const char *call)
{
    dal_function kernel;
    dal_ocl_fail_at(1);
    CU_ASSERT(make_kernel(dal_devices_get(ocl, 0), &the_process, "t.cl", twice, options, "twice",
                          &kernel) == DAL_ERR_DEVICE);
    CU_ASSERT_STRING_EQUAL(dal_backend_failed(), call);
    dal_ocl_fail_at(0);
}

static void test_built_once(void)
{
    struct dal_devices *ocl = open_first();
    struct capture capture;
    dal_function kernel;
    CU_ASSERT_FATAL(ocl != NULL);
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    expect_next_call(ocl, "", "clCreateProgramWithSource");
    CU_ASSERT_FATAL(make_kernel(dal_devices_get(ocl, 0), &the_process, "t.cl", twice, "", "twice",
                                &kernel) == DAL_OK);
    expect_next_call(ocl, "", "clCreateKernel");
    expect_next_call(ocl, "-DX", "clCreateProgramWithSource");
    dal_backend_opencl.function_free(kernel);
    capture_end(&capture);
    capture_finish(&capture);
    dal_devices_close(ocl);
}

/* Two launches of `twice` over `count` numbers, in order. 0 when the numbers are right. */
static int run_twice(struct dal_device *device, dal_commands queue, dal_function kernel)
{
    enum { count = 1000 };
    static const struct dal_launch launch = {1, {count, 1, 1}, {10, 1, 1}};
    const struct dal_backend *backend = device->backend;
    int32_t numbers[count];
    dal_memory buffer = NULL;
    int wrong = 0, failed;

    for (int i = 0; i < count; i++)
        numbers[i] = i;
    failed =
        backend->memory(device, &the_process, DAL_MEMORY_PLAIN, sizeof(numbers), NULL, &buffer) <
            0 ||
        backend->write(queue, &the_process, buffer, 0, numbers, sizeof(numbers), 0, NULL) < 0 ||
        backend->set_memory(kernel, &the_process, 0, buffer) < 0;
    for (int i = 0; i < 2 && !failed; i++)
        failed = backend->launch(queue, &the_process, kernel, &launch, NULL, 0, NULL) < 0;
    if (!failed)
        failed =
            backend->read(queue, &the_process, buffer, 0, numbers, sizeof(numbers), NULL, 0, NULL);
    failed |= backend->finish(queue, &the_process);
    for (int i = 0; i < count; i++)
        wrong += numbers[i] != 4 * i;
    if (buffer)
        backend->memory_free(device, buffer);
    return failed ? -1 : wrong;
}

static void check_runs(const char *identifier)
{
    const char *const identifiers[] = {identifier};
    const struct dal_backend *backend = &dal_backend_opencl;
    struct dal_devices *ocl = NULL;
    struct dal_device *device;
    dal_commands queue;
    dal_function kernel;
    CU_ASSERT_FATAL(open_devices(&ocl, identifiers, nobody, 1, 1) == DAL_OK);
    device = dal_devices_get(ocl, 0);
    CU_ASSERT_FATAL(make_kernel(device, &the_process, "t.cl", twice, "", "twice", &kernel) ==
                    DAL_OK);
    for (int timed = 0; timed < 2; timed++) {
        CU_ASSERT_FATAL(backend->commands(device, timed, &queue) == DAL_OK);
        CU_ASSERT(run_twice(device, queue, kernel) == 0);
        backend->commands_free(device, queue);
    }
    backend->function_free(kernel);
    dal_devices_close(ocl);
}

static void test_every_device(void)
{
    struct dal_device_list list;
    CU_ASSERT_FATAL(dal_backend_opencl.list(&list, DAL_LOG_ERROR) == DAL_OK);
    for (size_t i = 0; i < list.count; i++)
        check_runs(list.info[i].identifier);
    dal_backend_opencl.list_finish(&list);
}

static void test_sub_devices(void)
{
    const char *const parts[] = {sub_names[1], sub_names[2], device_name};
    struct dal_device_list list;
    struct dal_devices *ocl;
    int number;
    CU_ASSERT_FATAL(dal_backend_opencl.list(&list, DAL_LOG_ERROR) == DAL_OK);
    number = dal_device_find(&list, device_name);
    CU_ASSERT_FATAL(number >= 0);
    if (list.info[number].sub_devices < 2) {
        printf("(the device has no sub-devices) ");
        check_refused(parts[0]);
        dal_backend_opencl.list_finish(&list);
        return;
    }
    CU_ASSERT_FATAL(open_devices(&ocl, parts, nobody, 3, 1) == DAL_OK);
    CU_ASSERT_STRING_EQUAL(dal_devices_get(ocl, 0)->info.wildcard, sub_names[1]);
    CU_ASSERT_STRING_EQUAL(dal_devices_get(ocl, 1)->info.wildcard, sub_names[2]);
    CU_ASSERT_STRING_EQUAL(dal_devices_get(ocl, 2)->info.wildcard, device_name);
    CU_ASSERT(dal_devices_get(ocl, 0)->info.compute_units == 1);
    CU_ASSERT(dal_devices_get(ocl, 2)->info.compute_units == list.info[number].compute_units);
    CU_ASSERT(dal_devices_get(ocl, 0)->id != dal_devices_get(ocl, 1)->id);
    CU_ASSERT(dal_devices_get(ocl, 0)->context == dal_devices_get(ocl, 2)->context);
    dal_devices_close(ocl);
    check_runs(parts[0]);
    check_runs(parts[1]);
    dal_backend_opencl.list_finish(&list);
}

/* One walk through everything; the first error ends it. */
static int walk(void)
{
    const char *const parts[] = {device_name, sub_names[2]};
    struct dal_device_list list;
    struct dal_devices *ocl = NULL;
    struct dal_device *device = NULL;
    dal_commands queue = NULL;
    dal_function kernel = NULL;
    int error = dal_backend_opencl.list(&list, DAL_LOG_ERROR), first, count;
    if (error != DAL_OK)
        return error;
    first = dal_device_find(&list, parts[0]);
    count = first >= 0 && list.info[first].sub_devices >= 2 ? 2 : 1;
    error = list.count ? DAL_OK : DAL_ERR_NODEVICE;
    dal_backend_opencl.list_finish(&list);
    if (error == DAL_OK)
        error = open_devices(&ocl, parts, nobody, count, 1);
    if (error == DAL_OK) {
        device = dal_devices_get(ocl, 0);
        error = dal_backend_opencl.commands(device, 0, &queue);
    }
    if (error == DAL_OK)
        error = make_kernel(device, &the_process, "t.cl", twice, "", "twice", &kernel);
    if (kernel)
        dal_backend_opencl.function_free(kernel);
    if (queue)
        dal_backend_opencl.commands_free(device, queue);
    dal_devices_close(ocl);
    return error;
}

/* Uses up the rest of a failure that has not come yet: 1 when there was one. */
static int alloc_left(unsigned long n)
{
    int failed = 0;
    for (unsigned long i = 0; i < n && !failed; i++) {
        void *memory = dal_alloc(1);
        failed = memory == NULL;
        dal_free(memory);
    }
    return failed;
}

static int ocl_left(unsigned long n)
{
    int failed = 0;
    for (unsigned long i = 0; i < n && !failed; i++)
        failed = dal_backend_fault("none") != CL_SUCCESS;
    return failed;
}

struct injection {
    void (*fail_at)(unsigned long n);
    int (*left)(unsigned long n);
    int expected;
    int passed_over; /* what else may come, when the failure took a platform away */
};

/* Fails the n-th call, for n from 1 until there is none left to fail: the number of failures, or
 * -1 when one had a wrong error code. */
static int sweep(const struct injection *injection)
{
    struct capture capture;
    int failures = 0, wrong = 0;
    if (capture_begin(&capture) != 0)
        return -1;
    for (unsigned long n = 1; n < 10000; n++) {
        int error;
        injection->fail_at(n);
        error = walk();
        if (injection->left(n)) {
            wrong |= error != DAL_OK;
            break;
        }
        failures++;
        wrong |= error != injection->expected &&
                 !(injection->passed_over && (error == DAL_ERR_NODEVICE || error == DAL_OK));
    }
    capture_end(&capture);
    capture_finish(&capture);
    return wrong ? -1 : failures;
}

static void test_no_memory(void)
{
    static const struct injection injection = {
        .fail_at = dal_alloc_fail_at, .left = alloc_left, .expected = DAL_ERR_NOMEM};
    CU_ASSERT(sweep(&injection) > 20);
}

/* A platform whose driver cannot list its devices is passed over. */
static void test_opencl_fails(void)
{
    static const struct injection injection = {
        .fail_at = dal_ocl_fail_at, .left = ocl_left, .expected = DAL_ERR_DEVICE, .passed_over = 1};
    CU_ASSERT(sweep(&injection) > 20);
}

int main(void)
{
    static const struct test tests[] = {
        {"names of errors", test_error_names},
        {"a checked call", test_check},
        {"identifiers", test_identifier},
        {"list of devices", test_list},
        {"answers that are masked", test_mask},
        {"open a device", test_open},
        {"one device by two names", test_open_two_names},
        {"a device of another machine", test_substitute},
        {"strict", test_strict},
        {"build log of PoCL", test_log_pocl},
        {"build log of NVIDIA", test_log_nvidia},
        {"build log of Oclgrind", test_log_oclgrind},
        {"build log without places", test_log_odd},
        {"warnings of a build log", test_log_warnings},
        {"build log of a device that lacks something", test_log_lacks},
        {"build error at the user's line", test_build_error},
        {"no kernel of that name", test_kernel_name},
        {"warnings when they are asked for", test_warnings},
        {"division as the device can", test_division},
        {"options that are none", test_bad_options},
        {"a program is built once", test_built_once},
        {"a queue on every device", test_every_device},
        {"sub-devices", test_sub_devices},
        {"every allocation fails once", test_no_memory},
        {"every OpenCL call fails once", test_opencl_fails},
    };
    setenv("DAL_KERNEL_CACHE", "off", 1); /* it is the subject of test_cache.c */
    if (name_devices() != 0)
        return 1;
    return run_suite("ocl", tests, sizeof(tests) / sizeof(tests[0]));
}
