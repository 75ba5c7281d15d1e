/*
 * Collectives of dal_collectives.h beside forms by hand, on the first OpenCL device, or on number
 * N:
 *
 *     tools/collectives_bench [N]
 *
 * Prints thousand million values a second for each size of work-group; the medians of rounds in
 * which all forms take turns. A sum of all results is compared, to within the rounding of floats.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/ocl/ocl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 1 << 22, PART = 1 << 14, ROUNDS = 9, DEVICES = 16 };

/* Of one kind: by the header, then by hand. A joint form has PART values a work-group. */
static const struct kind {
    const char *title, *names[3], *labels[3];
    int is_joint;
} kinds[] = {
    {"reduce", {"reduce", "reduce_naive", "reduce_one"}, {"dal", "tree", "one item"}, 0},
    {"scan", {"scan", "scan_naive", "scan_one"}, {"dal", "Hillis-Steele", "one item"}, 0},
    {"joint reduce", {"joint", "joint_naive", "joint_one"}, {"dal", "strides+tree", "one item"}, 1},
    {"joint, any order",
     {"joint_any", "joint_naive", "joint_one"},
     {"dal", "strides+tree", "one item"},
     1},
    {"joint scan", {"joint_scan", "joint_scan_one", NULL}, {"dal", "one item", NULL}, 1},
};
static const size_t sizes[] = {32, 64, 128, 256, 512, 1024};

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_mem from, to;

static void give_up(const char *what)
{
    fprintf(stderr, "collectives_bench: %s\n", what);
    exit(1);
}

static void open_device(int wanted)
{
    cl_platform_id platforms[DEVICES];
    cl_device_id found[DEVICES];
    cl_uint platform_count = 0, count;
    char name[256] = "";

    clGetPlatformIDs(DEVICES, platforms, &platform_count);
    for (cl_uint i = 0; i < platform_count && i < DEVICES && !device; i++) {
        count = 0;
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, DEVICES, found, &count);
        if (wanted < (int)count)
            device = found[wanted];
        wanted -= (int)count;
    }
    if (!device)
        give_up("there is no such OpenCL device");
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name) - 1, name, NULL);
    printf("%s; 10^9 values/s\n", name);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
}

static void make_buffers(void)
{
    float *values = dal_alloc(VALUES * sizeof(*values));

    for (int i = 0; values && i < VALUES; i++)
        values[i] = (float)(i * 37 % 101) / 64;
    from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, VALUES * sizeof(*values), values, NULL);
    to = clCreateBuffer(context, CL_MEM_READ_WRITE, VALUES * sizeof(*values), NULL, NULL);
    dal_free(values);
    if (!queue || !from || !to)
        give_up("no memory on the device");
}

static cl_program build_kernels(size_t items, const char *folder)
{
    const char *text = "#include \"tools/collectives_bench.cl\"\n";
    char options[4096], log[8192] = "";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);

    snprintf(options, sizeof(options), "-DDAL_GROUP_ITEMS=%zu -I%s -I%s/include", items, folder,
             folder);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    give_up(log);
    return NULL;
}

static double run_kernel(cl_kernel kernel, size_t items, int is_joint)
{
    const size_t global = is_joint ? VALUES / PART * items : VALUES;
    int64_t start = dal_now_ns();

    if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &items, 0, NULL, NULL) ||
        clFinish(queue))
        give_up("a kernel does not run");
    return VALUES / (double)(dal_now_ns() - start);
}

static double sum_results(size_t count)
{
    float *values = dal_alloc(VALUES * sizeof(*values));
    double sum = 0;

    if (!values ||
        clEnqueueReadBuffer(queue, to, CL_TRUE, 0, count * sizeof(*values), values, 0, NULL, NULL))
        give_up("no results");
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    dal_free(values);
    return sum;
}

static cl_kernel make_kernel(cl_program program, const char *name)
{
    const cl_ulong n = PART;
    cl_kernel kernel = clCreateKernel(program, name, NULL);

    if (!kernel || clSetKernelArg(kernel, 0, sizeof(from), &from) ||
        clSetKernelArg(kernel, 1, sizeof(to), &to) || clSetKernelArg(kernel, 2, sizeof(n), &n))
        give_up(name);
    return kernel;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void measure_kind(const struct kind *kind, cl_program program, size_t items)
{
    const size_t results = !kind->is_joint || strstr(kind->title, "scan") ? VALUES : VALUES / PART;
    double rates[3][ROUNDS], sums[3] = {0};
    cl_kernel kernels[3] = {NULL};

    for (int i = 0; i < 3 && kind->names[i]; i++) {
        kernels[i] = make_kernel(program, kind->names[i]);
        run_kernel(kernels[i], items, kind->is_joint);
        sums[i] = sum_results(results);
        if (fabs(sums[i] / sums[0] - 1) > 1e-3)
            give_up("another sum");
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 3 && kernels[i]; i++)
            rates[i][round] = run_kernel(kernels[i], items, kind->is_joint);
    printf("%-17s %5zu", kind->title, items);
    for (int i = 0; i < 3 && kernels[i]; i++) {
        qsort(rates[i], ROUNDS, sizeof(rates[i][0]), by_value);
        printf("   %s %.3f", kind->labels[i], rates[i][ROUNDS / 2]);
        if (i)
            printf(" (x%.2f)", rates[0][ROUNDS / 2] / rates[i][ROUNDS / 2]);
        clReleaseKernel(kernels[i]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    const char *folder = getenv("DAL_SRCDIR");
    size_t most = 0;

    open_device(argc > 1 ? atoi(argv[1]) : 0);
    make_buffers();
    clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(most), &most, NULL);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && sizes[i] <= most; i++) {
        cl_program program = build_kernels(sizes[i], folder ? folder : DAL_SOURCES);
        for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
            measure_kind(&kinds[k], program, sizes[i]);
        clReleaseProgram(program);
    }
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
