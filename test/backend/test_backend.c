/*
 * The conformance suite: what rt/backend/backend.h says, tried on every device of every backend of
 * this build, one suite of tests a device. A new backend is a row of dal_backends[], and of
 * fault_codes[] here.
 *
 * DAL_TEST_DEVICE=TEXT: only devices with that in their capability or identifier. The driver of
 * CUDA is the stand-in (test/cuda/standin) unless DAL_CUDA_DRIVER names another.
 */
#include "rt/devices/devices.h"
#include "test/backend/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a call of a backend fails with where nothing was wrong. */
static const struct {
    const char *capability;
    int code;
} fault_codes[] = {{"OPENCL", -5 /* CL_OUT_OF_RESOURCES */},
                   {"CUDA", 701 /* CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES */}};

static const struct test *const parts[] = {device_tests, memory_tests, queue_tests, kernel_tests,
                                           math_tests,   limit_tests,  pair_tests,  fault_tests};

enum { MOST_TESTS = 128 };

static size_t gather(struct test *tests)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        for (const struct test *test = parts[i]; test->name && count < MOST_TESTS; test++)
            tests[count++] = *test;
    return count;
}

static int wanted(const struct dal_backend *backend, const struct dal_device_info *info)
{
    const char *text = getenv("DAL_TEST_DEVICE");
    return !text || strstr(backend->capability, text) || strstr(info->identifier, text);
}

/* -1 when something failed, else how many devices were tried. */
static int try_backend(const struct dal_backend *backend, const struct test *tests, size_t count)
{
    struct dal_device_list list;
    char name[256];
    int tried = 0, failed = 0;
    bench = (struct bench){.backend = backend, .list = &list};
    for (size_t i = 0; i < sizeof(fault_codes) / sizeof(fault_codes[0]); i++)
        if (strcmp(fault_codes[i].capability, backend->capability) == 0)
            bench.fault = fault_codes[i].code;
    if (backend->list(&list, DAL_LOG_ERROR) != DAL_OK)
        return -1;
    for (size_t i = 0; i < list.count; i++) {
        if (!wanted(backend, &list.info[i]))
            continue;
        bench.number = (int)i;
        bench.info = &list.info[i];
        snprintf(name, sizeof(name), "%s %s", backend->capability, list.info[i].identifier);
        failed |= run_suite(name, tests, count);
        tried++;
    }
    backend->list_finish(&list);
    return failed ? -1 : tried;
}

/* The stand-in, where it was built and can compile; tests of a real driver name that. */
static void choose_driver(void)
{
    const char *build = getenv("DAL_BUILDDIR"), *sanitizer = getenv("DAL_SANITIZER");
    char driver[4096], compiler[4096];
    if (getenv("DAL_CUDA_DRIVER"))
        return;
    if (sanitizer && strstr(sanitizer, "thread")) {
        printf("kernels of the stand-in for CUDA are not for ThreadSanitizer\n");
        setenv("DAL_CUDA_DRIVER", "off", 1);
        return;
    }
    snprintf(driver, sizeof(driver), "%s/test/cuda/standin/.libs/libstandin_cuda.so",
             build ? build : ".");
    snprintf(compiler, sizeof(compiler), "%s/test/cuda/standin/.libs/libstandin_nvrtc.so",
             build ? build : ".");
    if (access(driver, R_OK) != 0 || access(compiler, R_OK) != 0 ||
        system("command -v g++ clang++ c++ >/dev/null 2>&1") != 0) {
        printf("the stand-in for CUDA is missing, or a compiler of C++ for it\n");
        setenv("DAL_CUDA_DRIVER", "off", 1);
        return;
    }
    setenv("DAL_CUDA_DRIVER", driver, 1);
    setenv("DAL_CUDA_COMPILER", compiler, 1);
}

int main(void)
{
    static struct test tests[MOST_TESTS];
    size_t count = gather(tests);
    int tried = 0, failed = 0;
    choose_driver();
    for (int i = 0; dal_backends[i]; i++) {
        int n = try_backend(dal_backends[i], tests, count);
        failed |= n < 0;
        tried += n > 0 ? n : 0;
        if (n == 0)
            printf("%s: no device was tried\n", dal_backends[i]->capability);
    }
    if (!failed && tried == 0) {
        printf("there is no device to try\n");
        return 77;
    }
    return failed;
}
