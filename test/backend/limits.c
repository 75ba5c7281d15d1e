/* What is refused, and programs that are built once. */
#include "test/backend/bench.h"
#include "test/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char small[] = "__kernel void one(__global int *a) { a[get_global_id(0)] = 1; }\n"
                            "__kernel void two(__global int *a) { a[get_global_id(0)] = 2; }\n";

static int launch_of(struct rig *rig, dal_function function, const struct dal_launch *launch)
{
    int status = bench.backend->launch(rig->commands, &quiet, function, launch, NULL, 0, NULL);
    int end = bench.backend->finish(rig->commands, &quiet);
    return status < 0 ? status : end;
}

/* As many work-items as there may be do, in each dimension; one more does not. */
static void test_work_items(void)
{
    struct dal_launch launch = {1, {1, 1, 1}, {1, 1, 1}};
    struct rig rig;
    dal_memory memory;
    dal_function function;
    size_t most = 0;
    uint64_t local = 1;
    rig_begin(&rig, 0);
    function = new_function(&rig, small, "one");
    CU_ASSERT(bench.backend->function_limits(rig.device, &loud, function, &most, &local) == DAL_OK);
    CU_ASSERT_FATAL(most >= 1 && most <= bench.info->limits.work_group);
    CU_ASSERT(local < 64);
    memory = new_memory(&rig, (most + 1) * sizeof(int));
    CU_ASSERT(bench.backend->set_memory(function, &loud, 0, memory) == DAL_OK);
    launch.global[0] = launch.local[0] = most;
    CU_ASSERT(launch_of(&rig, function, &launch) == DAL_OK);
    launch.global[0] = launch.local[0] = bench.info->limits.work_group + 1;
    CU_ASSERT(launch_of(&rig, function, &launch) < 0);
    launch.global[0] = launch.local[0] = 1;
    CU_ASSERT(launch_of(&rig, function, &launch) == DAL_OK);
    bench.backend->function_free(function);
    free_memory(&rig, memory);
    rig_end(&rig);
}

static char *local_text(uint64_t bytes)
{
    char text[512];
    snprintf(text, sizeof(text),
             "__kernel void much(__global int *a)\n"
             "{ DAL_LOCAL_VARIABLE char s[%llu]; int i = (int)get_local_id(0);\n"
             "  s[i] = (char)i; s[%llu - i] = (char)(2 * i);\n"
             "  barrier(CLK_LOCAL_MEM_FENCE); a[i] = s[(i + 1) %% 8] + s[%llu - i]; }\n",
             (unsigned long long)bytes, (unsigned long long)bytes - 1,
             (unsigned long long)bytes - 1);
    return kernel_text(text);
}

/* Made and run with so many bytes of local memory: the first error of it. One that has too many is
 * not launched, also where the driver does not know: PoCL 5 aborts then. */
static int run_with_local(struct rig *rig, dal_memory memory, uint64_t bytes)
{
    const struct dal_launch launch = {1, {8, 1, 1}, {8, 1, 1}};
    char *text = local_text(bytes);
    const struct dal_function_source source = {"conformance.cl", text, "", "much"};
    dal_function function = NULL;
    size_t most;
    uint64_t local = 0;
    int status = bench.backend->function(rig->device, &quiet, &source, &function);
    free(text);
    if (status < 0)
        return status;
    CU_ASSERT(bench.backend->function_limits(rig->device, &quiet, function, &most, &local) ==
              DAL_OK);
    CU_ASSERT(local == 0 || local >= bytes);
    bench.backend->set_memory(function, &quiet, 0, memory);
    status = bytes > rig->device->info.limits.local_bytes ? DAL_ERR_LIMIT
                                                          : launch_of(rig, function, &launch);
    bench.backend->function_free(function);
    return status;
}

static void test_local_memory(void)
{
    int in[8];
    struct rig rig;
    dal_memory memory;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, sizeof(in));
    CU_ASSERT(run_with_local(&rig, memory, rig.device->info.limits.local_bytes / 2) == DAL_OK);
    read_now(&rig, memory, 0, in, sizeof(in));
    for (int i = 0; i < 8; i++)
        CU_ASSERT(in[i] == (i + 1) % 8 + 2 * i);
    CU_ASSERT(run_with_local(&rig, memory, rig.device->info.limits.local_bytes * 2) < 0);
    free_memory(&rig, memory);
    rig_end(&rig);
}

/* Exactly one message of this kind, about this line. */
static void check_refused(const char *text, const char *name, const char *message)
{
    struct capture capture;
    struct rig rig;
    char *whole = kernel_text(text);
    const struct dal_function_source source = {"conformance.cl", whole, "", name};
    dal_function function = NULL;
    const char *said;
    int status;
    rig_begin(&rig, 0);
    CU_ASSERT_FATAL(capture_begin(&capture) == 0);
    status = bench.backend->function(rig.device, &loud, &source, &function);
    said = capture_end(&capture);
    CU_ASSERT(status == DAL_ERR_BUILD);
    CU_ASSERT_PTR_NULL(function);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, message));
    if (!strstr(said, message))
        fprintf(stderr, "not \"%s\", but: %s\n", message, said);
    capture_finish(&capture);
    free(whole);
    rig_end(&rig);
}

static void test_build_error(void)
{
    check_refused("__kernel void k(__global int *a)\n{\n    a[0] = unknown;\n}\n", "k",
                  "conformance.cl:3: error: [kernel-build] ");
    check_refused("#line 70 \"other.cl\"\n__kernel void k(__global int *a)\n{\n    a[0] = 1\n}\n",
                  "k", "other.cl:7");
}

static void test_unknown_name(void)
{
    check_refused(small, "three", "three");
}

static void test_fits(void)
{
    static const char text[] = "struct token { int numbers[5]; };\n"
                               "#ifdef MOST\n"
                               "typedef char fits[sizeof(struct token) <= MOST ? 1 : -1];\n"
                               "#endif\n"
                               "__kernel void k(__global struct token *a) { a->numbers[0] = 1; }\n";
    char *whole = kernel_text(text);
    struct rig rig;
    rig_begin(&rig, 0);
    CU_ASSERT(bench.backend->fits(rig.device, &loud, whole, "", "MOST", 20) == 1);
    CU_ASSERT(bench.backend->fits(rig.device, &loud, whole, "", "MOST", 19) == 0);
    CU_ASSERT(bench.backend->fits(rig.device, &loud, whole, "", "MOST", 4000) == 1);
    CU_ASSERT(bench.backend->fits(rig.device, &loud, whole, "", "OTHER", 1) == 1);
    free(whole);
    rig_end(&rig);
}

/* Opens the device, runs both kernels of a text, with options; how many were built, and loaded. */
static void build_two(const char *text, const char *options, int *built, int *loaded)
{
    static const char *const kernels[] = {"one", "two"};
    struct rig rig;
    dal_memory memory;
    rig_begin(&rig, 0);
    memory = new_memory(&rig, 8 * sizeof(int));
    for (int i = 0; i < 2; i++) {
        const struct dal_function_source source = {"conformance.cl", text, options, kernels[i]};
        dal_function function;
        int in[8] = {0};
        CU_ASSERT_FATAL(bench.backend->function(rig.device, &loud, &source, &function) == DAL_OK);
        CU_ASSERT(bench.backend->set_memory(function, &loud, 0, memory) == DAL_OK);
        launch_1(&rig, function, 8, 8);
        read_now(&rig, memory, 0, in, sizeof(in));
        CU_ASSERT(in[0] == i + 1 && in[7] == i + 1);
        bench.backend->function_free(function);
    }
    *built = rig.device->built;
    *loaded = rig.device->loaded;
    free_memory(&rig, memory);
    rig_end(&rig);
}

static void test_built_once(void)
{
    char folder[] = "/tmp/dal-conformance-XXXXXX", command[128], *text = kernel_text(small);
    const char *before = getenv("DAL_KERNEL_CACHE");
    char *kept = before ? strdup(before) : NULL;
    int built, loaded;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    setenv("DAL_KERNEL_CACHE", folder, 1);
    build_two(text, "", &built, &loaded);
    CU_ASSERT(built == 1 && loaded == 0);
    build_two(text, "", &built, &loaded);
    CU_ASSERT(built == 0 && loaded == 1);
    build_two(text, "-DOTHER=1", &built, &loaded);
    CU_ASSERT(built == 1 && loaded == 0);
    setenv("DAL_KERNEL_CACHE", "off", 1);
    build_two(text, "", &built, &loaded);
    CU_ASSERT(built == 1 && loaded == 0);
    if (kept)
        setenv("DAL_KERNEL_CACHE", kept, 1);
    else
        unsetenv("DAL_KERNEL_CACHE");
    free(kept);
    free(text);
    snprintf(command, sizeof(command), "rm -r %s", folder);
    CU_ASSERT(system(command) == 0);
}

const struct test limit_tests[] = {
    {"limits: work-items", test_work_items},
    {"limits: local memory", test_local_memory},
    {"programs: an error", test_build_error},
    {"programs: an unknown kernel", test_unknown_name},
    {"programs: what fits", test_fits},
    {"programs: built once", test_built_once},
    {0},
};
