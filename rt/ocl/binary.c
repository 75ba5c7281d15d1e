/* Turns programs into binaries, and binaries into programs. */
#include "rt/base/alloc.h"
#include "rt/ocl/device.h"

/* Makes an OpenCL call that may fail without a message. */
#define TRY(call, arguments)                                                                       \
    __extension__({                                                                                \
        cl_int dal__code = dal_backend_fault(#call);                                               \
        dal__code ? dal__code : call arguments;                                                    \
    })

/* ---- from the cache -------------------------------------------------------------------------- */

/* Builds a program of a binary, and asks for a kernel in it: a driver may accept bytes that mean
 * nothing to it. */
static int is_usable(const struct dal_ocl_device *device, cl_program program, const char *options)
{
    size_t kernels = 0;
    return TRY(clBuildProgram, (program, 1, &device->id, options, NULL, NULL)) == CL_SUCCESS &&
           TRY(clGetProgramInfo,
               (program, CL_PROGRAM_NUM_KERNELS, sizeof(kernels), &kernels, NULL)) == CL_SUCCESS &&
           kernels > 0;
}

static cl_program make_program(const struct dal_ocl_device *device,
                               const struct dal_cache_binary *binary)
{
    const unsigned char *data = binary->data;
    cl_int code = dal_backend_fault("clCreateProgramWithBinary"), status = CL_SUCCESS;
    cl_program program = NULL;
    if (code == CL_SUCCESS)
        program = clCreateProgramWithBinary(device->context, 1, &device->id, &binary->bytes, &data,
                                            &status, &code);
    if (code == CL_SUCCESS && status == CL_SUCCESS)
        return program;
    if (program)
        clReleaseProgram(program);
    return NULL;
}

void *dal__ocl_load(struct dal_device *device, const char *options,
                    const struct dal_cache_binary *binary)
{
    const struct dal_ocl_device *of = dal_ocl_device(device);
    cl_program program = make_program(of, binary);
    if (program && !is_usable(of, program, options)) {
        clReleaseProgram(program);
        program = NULL;
    }
    return program;
}

/* ---- to the cache ---------------------------------------------------------------------------- */

/* Gets one property of a program for each device of its context; NULL without an answer. */
static void *ask_each(cl_program program, cl_program_info what, size_t each, cl_uint *count)
{
    void *answer = NULL;
    if (TRY(clGetProgramInfo, (program, CL_PROGRAM_NUM_DEVICES, sizeof(*count), count, NULL)) ==
        CL_SUCCESS)
        answer = dal_calloc(*count, each);
    if (answer &&
        TRY(clGetProgramInfo, (program, what, *count * each, answer, NULL)) != CL_SUCCESS) {
        dal_free(answer);
        answer = NULL;
    }
    return answer;
}

/* Returns the device's number among those of the program, or -1. */
static int find_device(const struct dal_ocl_device *device, cl_program program)
{
    cl_uint count = 0, i = 0;
    cl_device_id *ids = ask_each(program, CL_PROGRAM_DEVICES, sizeof(*ids), &count);
    while (ids && i < count && ids[i] != device->id)
        i++;
    dal_free(ids);
    return ids && i < count ? (int)i : -1;
}

static size_t binary_bytes(cl_program program, int number)
{
    cl_uint count = 0;
    size_t *sizes = ask_each(program, CL_PROGRAM_BINARY_SIZES, sizeof(*sizes), &count);
    size_t bytes = sizes ? sizes[number] : 0;
    dal_free(sizes);
    return bytes;
}

/* Gets the binary of one device, and of no other. */
static int get_binary(cl_program program, int number, unsigned char *data)
{
    cl_uint count = 0;
    unsigned char **all;
    int good;
    if (TRY(clGetProgramInfo, (program, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL)) !=
        CL_SUCCESS)
        return 0;
    all = dal_calloc(count, sizeof(*all));
    if (!all)
        return 0;
    all[number] = data;
    good = TRY(clGetProgramInfo, (program, CL_PROGRAM_BINARIES, count * sizeof(*all), all, NULL)) ==
           CL_SUCCESS;
    dal_free(all);
    return good;
}

void dal__ocl_binary(struct dal_device *device, void *program, size_t more_than,
                     struct dal_cache_binary *binary)
{
    int number = find_device(dal_ocl_device(device), program);
    size_t bytes = number >= 0 ? binary_bytes(program, number) : 0;
    *binary = (struct dal_cache_binary){0};
    if (bytes <= more_than)
        return;
    binary->data = dal_alloc(bytes);
    if (binary->data && get_binary(program, number, binary->data)) {
        binary->bytes = bytes;
        return;
    }
    dal_free(binary->data);
    binary->data = NULL;
}
