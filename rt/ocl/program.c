/* Programs and their binaries: OpenCL's part of rt/backend/program.h. */
#include "rt/base/alloc.h"
#include "rt/ocl/device.h"

/* Makes an OpenCL call that may fail without a message. */
#define TRY(call, arguments)                                                                       \
    __extension__({                                                                                \
        cl_int dal__code = dal_backend_fault(#call);                                               \
        dal__code ? dal__code : call arguments;                                                    \
    })

/* Returns all options. Compilers within drivers print the number of warnings on standard error,
 * even if nobody reads their log. So -w turns warnings off where nobody wants them. */
static char *all_options(const struct dal_device *device, const char *options, int wants_warnings)
{
    return dal_format(
        "%s%s%s", options,
        device->info.traits.rounds_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
        wants_warnings ? "" : " -w");
}

static char *build_log(const struct dal_ocl_device *device, cl_program program)
{
    size_t bytes = 0;
    char *log;
    if (clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) !=
        CL_SUCCESS)
        return NULL;
    log = dal_calloc(bytes + 1, 1);
    if (log)
        clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, bytes, log, NULL);
    return log;
}

static int build_with(struct dal_ocl_device *device, cl_program program,
                      const struct dal_subject *process, const char *file, const char *text,
                      const char *options)
{
    cl_int code = TRY(clBuildProgram, (program, 1, &device->id, options, NULL, NULL));
    int failed, status = DAL_OK;
    char *log;
    failed = code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS;
    if (!failed && (code != CL_SUCCESS || dal_program_has_option(options, "-w")))
        return dal_ocl_check(process, "clBuildProgram", code);
    log = build_log(device, program);
    if (failed)
        status = dal_program_refuse_source(&device->device, process, file, text, log ? log : "");
    else if (log)
        dal_program_say_warnings(process, file, text, log);
    dal_free(log);
    return status;
}

static int build_program(struct dal_device *device, const struct dal_subject *process,
                         const char *file, const char *text, const char *options, void **program)
{
    struct dal_ocl_device *of = dal_ocl_device(device);
    cl_program made;
    int status =
        DAL_CL_NEW(process, made, clCreateProgramWithSource, (of->context, 1, &text, NULL, &error));
    *program = NULL;
    if (status == DAL_OK)
        status = build_with(of, made, process, file, text, options);
    if (status == DAL_OK)
        *program = made;
    else if (made)
        clReleaseProgram(made);
    return status;
}

static int builds(struct dal_device *device, const struct dal_subject *process, const char *text,
                  const char *options)
{
    struct dal_ocl_device *of = dal_ocl_device(device);
    cl_program program;
    cl_int code;
    if (DAL_CL_NEW(process, program, clCreateProgramWithSource,
                   (of->context, 1, &text, NULL, &error)) < 0)
        return DAL_ERR_DEVICE;
    code = TRY(clBuildProgram, (program, 1, &of->id, options, NULL, NULL));
    clReleaseProgram(program);
    if (code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE)
        return code == CL_SUCCESS;
    return dal_ocl_check(process, "clBuildProgram", code);
}

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

static void *load_binary(struct dal_device *device, const char *options,
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

static void get_program_binary(struct dal_device *device, void *program, size_t more_than,
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

/* ---- all of it ------------------------------------------------------------------------------- */

static void release_program(void *program)
{
    clReleaseProgram(program);
}

const struct dal_compiler dal__ocl_compiler = {
    .options = all_options,
    .build = build_program,
    .builds = builds,
    .load = load_binary,
    .binary = get_program_binary,
    .release = release_program,
};
