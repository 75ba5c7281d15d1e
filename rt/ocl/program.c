/* Programs: OpenCL's part of rt/backend/program.h. */
#include "rt/base/alloc.h"
#include "rt/ocl/device.h"

/* Returns all options. Compilers within drivers print the number of warnings on standard error,
 * even if nobody reads their log. So -w turns warnings off where nobody wants them. */
static char *all_options(const struct dal_device *device, const char *options)
{
    return dal_format("%s%s%s", options,
                      device->info.rounds_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                      dal__wants_warnings_of(options) ? "" : " -w");
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
    cl_int code = dal_backend_fault("clBuildProgram");
    int failed, status = DAL_OK;
    char *log;
    if (code == CL_SUCCESS)
        code = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    failed = code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS;
    if (!failed && (code != CL_SUCCESS || dal__has_option(options, "-w")))
        return dal_ocl_check(process, "clBuildProgram", code);
    log = build_log(device, program);
    if (failed)
        status = dal__refuse_source(&device->device, process, file, text, log ? log : "");
    else if (log)
        dal__say_warnings(process, file, text, log);
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
    code = dal_backend_fault("clBuildProgram");
    if (code == CL_SUCCESS)
        code = clBuildProgram(program, 1, &of->id, options, NULL, NULL);
    clReleaseProgram(program);
    if (code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE)
        return code == CL_SUCCESS;
    return dal_ocl_check(process, "clBuildProgram", code);
}

static void release_program(void *program)
{
    clReleaseProgram(program);
}

const struct dal_compiler dal__ocl_compiler = {
    .options = all_options,
    .build = build_program,
    .builds = builds,
    .load = dal__ocl_load,
    .binary = dal__ocl_binary,
    .release = release_program,
};
