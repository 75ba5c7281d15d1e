#include "rt/ocl/ocl.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/ocl/binary.h"
#include "rt/ocl/device.h"
#include "rt/ocl/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct dal_ocl_program {
    cl_program program;
    char *text, *options;
    struct dal_ocl_key key;
    int is_kept;       /* in the disk cache, from when its device is closed at the latest */
    size_t kept_bytes; /* of its binary there; 0 for none */
    struct dal_ocl_program *next;
};

static int wants_warnings;

void dal_ocl_want_warnings(int wanted)
{
    wants_warnings = wanted;
}

/* Whether a word of `options` begins so. */
static int has_option(const char *options, const char *start)
{
    for (; *options; options += strcspn(options, " \t\n")) {
        options += strspn(options, " \t\n");
        if (strncmp(options, start, strlen(start)) == 0)
            return 1;
    }
    return 0;
}

/* Compilers within drivers count warnings on standard error, whatever becomes of their log: where
 * nobody wants any, there are to be none. A source that asks for them (-Wall, -Werror) has them. */
static char *all_options(const struct dal_ocl_device *device, const char *options)
{
    return dal_format("%s%s%s", options,
                      device->info.rounds_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                      wants_warnings || has_option(options, "-W") ? "" : " -w");
}

static char *build_log(struct dal_ocl_device *device, cl_program program)
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

/* Takes them over; NULL for none. */
static void print_messages(const struct dal_subject *process, char *readable)
{
    if (readable && process->failures != DAL_LOG_NOTHING)
        fputs(readable, stderr);
    dal_free(readable);
}

/* What is wrong with a source is not made up for by another one; what a device lacks may be. */
static enum dal_log_level level_of_source(const struct dal_subject *process)
{
    return process->failures == DAL_LOG_NOTHING ? DAL_LOG_NOTHING : DAL_LOG_ERROR;
}

static int refuse_source(const struct dal_ocl_device *device, const char *log,
                         const struct dal_subject *process, const char *file, const char *text)
{
    int lacks = dal__ocl_log_lacks(log);
    print_messages(process, dal__ocl_log(log, file, text));
    dal_log(lacks ? process->failures : level_of_source(process), "process '%s': %s %s %s",
            process->name, file, lacks ? "asks for more than there is on" : "does not build for",
            device->info.identifier);
    return lacks ? DAL_ERR_LIMIT : DAL_ERR_BUILD;
}

static int build_with(struct dal_ocl_device *device, cl_program program,
                      const struct dal_subject *process, const char *file, const char *text,
                      const char *options)
{
    cl_int code = dal_ocl_fault("clBuildProgram");
    int failed, status = DAL_OK;
    char *log;
    if (code == CL_SUCCESS)
        code = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    failed = code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS;
    if (!failed && (code != CL_SUCCESS || has_option(options, "-w")))
        return dal_ocl_check(process, "clBuildProgram", code);
    log = build_log(device, program);
    if (failed)
        status = refuse_source(device, log ? log : "", process, file, text);
    else if (log)
        print_messages(process, dal__ocl_log_warnings(log, file, text));
    dal_free(log);
    return status;
}

static int make_kernel(cl_program program, const struct dal_subject *process, const char *file,
                       const char *name, cl_kernel *kernel)
{
    cl_int code = dal_ocl_fault("clCreateKernel");
    *kernel = code ? NULL : clCreateKernel(program, name, &code);
    if (code != CL_INVALID_KERNEL_NAME)
        return dal_ocl_check(process, "clCreateKernel", code);
    dal_log(level_of_source(process), "process '%s': %s has no kernel '%s'", process->name, file,
            name);
    return DAL_ERR_BUILD;
}

static struct dal_ocl_program *find_program(const struct dal_ocl_device *device, const char *text,
                                            const char *options)
{
    struct dal_ocl_program *made = device->programs;
    while (made && (strcmp(made->text, text) != 0 || strcmp(made->options, options) != 0))
        made = made->next;
    return made;
}

/* Does the binary say all that a build would? A build says what is to be heard of warnings, and
 * reads what the text includes. */
static int may_be_kept(const char *text, const char *all)
{
    const char *line = text;
    if (!dal__ocl_cache_wanted() || !has_option(all, "-w"))
        return 0;
    for (; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (*line == '#' && strncmp(line + 1 + strspn(line + 1, " \t"), "include", 7) == 0)
            return 0;
    }
    return 1;
}

static int build_from_source(struct dal_ocl_device *device, struct dal_ocl_program *made,
                             const struct dal_subject *process, const char *file, const char *all)
{
    const char *text = made->text;
    if (DAL_CL_NEW(process, made->program, clCreateProgramWithSource,
                   (device->context, 1, &text, NULL, &error)) < 0)
        return DAL_ERR_OPENCL;
    device->built++;
    return build_with(device, made->program, process, file, text, all);
}

static int load_or_build(struct dal_ocl_device *device, struct dal_ocl_program *made,
                         const struct dal_subject *process, const char *file, const char *all)
{
    int keeps = may_be_kept(made->text, all), status = 0;
    if (keeps) {
        dal__ocl_key(device, made->text, all, &made->key);
        status = dal__ocl_load(device, &made->key, all, &made->program, &made->kept_bytes);
    }
    if (status == 0)
        status = build_from_source(device, made, process, file, all);
    else if (status == 1)
        device->loaded++;
    made->is_kept = keeps && status >= 0;
    return status < 0 ? status : DAL_OK;
}

static int make_program(struct dal_ocl_device *device, struct dal_ocl_program *made,
                        const struct dal_subject *process, const char *file, const char *text,
                        const char *options)
{
    char *all = all_options(device, options);
    int status = DAL_ERR_NOMEM;
    made->text = dal_strdup(text);
    made->options = dal_strdup(options);
    if (made->text && made->options && all)
        status = load_or_build(device, made, process, file, all);
    dal_free(all);
    return status;
}

static void finish_program(struct dal_ocl_program *made)
{
    if (!made)
        return;
    if (made->program)
        clReleaseProgram(made->program);
    dal_free(made->text);
    dal_free(made->options);
    dal_free(made);
}

static int find_or_make(struct dal_ocl_device *device, const struct dal_subject *process,
                        const char *file, const char *text, const char *options,
                        cl_program *program)
{
    struct dal_ocl_program *made = find_program(device, text, options);
    int failed;
    if (!made) {
        made = dal_calloc(1, sizeof(*made));
        failed = made ? make_program(device, made, process, file, text, options) : DAL_ERR_NOMEM;
        if (failed) {
            finish_program(made);
            return failed;
        }
        made->next = device->programs;
        device->programs = made;
    }
    *program = made->program;
    return DAL_OK;
}

void dal__ocl_programs_finish(struct dal_ocl_device *device)
{
    while (device->programs) {
        struct dal_ocl_program *made = device->programs;
        device->programs = made->next;
        if (made->is_kept)
            dal__ocl_keep(device, &made->key, made->program, made->kept_bytes);
        finish_program(made);
    }
}

int dal_ocl_kernel(struct dal_ocl_device *device, const struct dal_subject *process,
                   const char *file, const char *text, const char *options, const char *name,
                   cl_kernel *kernel)
{
    int64_t begin_ns = dal_now_ns();
    cl_program program;
    int failed = find_or_make(device, process, file, text, options, &program);
    *kernel = NULL;
    if (!failed)
        failed = make_kernel(program, process, file, name, kernel);
    device->ready_ns += dal_now_ns() - begin_ns;
    return failed;
}

/* 1 when it builds, 0 when it does not, of which nothing is said. */
static int builds(struct dal_ocl_device *device, const struct dal_subject *process,
                  const char *text, const char *all)
{
    cl_program program;
    cl_int code;
    if (DAL_CL_NEW(process, program, clCreateProgramWithSource,
                   (device->context, 1, &text, NULL, &error)) < 0)
        return DAL_ERR_OPENCL;
    code = dal_ocl_fault("clBuildProgram");
    if (code == CL_SUCCESS)
        code = clBuildProgram(program, 1, &device->id, all, NULL, NULL);
    clReleaseProgram(program);
    if (code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE)
        return code == CL_SUCCESS;
    return dal_ocl_check(process, "clBuildProgram", code);
}

/* That a text builds is kept as an entry without a binary. */
static int builds_once(struct dal_ocl_device *device, const struct dal_subject *process,
                       const char *text, const char *all)
{
    const struct dal_ocl_binary none = {0};
    struct dal_ocl_binary found = {0};
    struct dal_ocl_key key;
    int result;
    if (!may_be_kept(text, all))
        return builds(device, process, text, all);
    dal__ocl_key(device, text, all, &key);
    result = dal__ocl_cache_read(&key, &found);
    dal_free(found.data);
    if (result)
        return result;
    result = builds(device, process, text, all);
    if (result == 1)
        dal__ocl_cache_write(&key, &none);
    return result;
}

static int builds_below(struct dal_ocl_device *device, const struct dal_subject *process,
                        const char *text, const char *options, const char *macro, uint64_t limit)
{
    char *more = dal_format("%s -D%s=%" PRIu64, options, macro, limit);
    char *all = more ? all_options(device, more) : NULL;
    int result = all ? builds_once(device, process, text, all) : DAL_ERR_NOMEM;
    dal_free(more);
    dal_free(all);
    return result;
}

int dal_ocl_fits(struct dal_ocl_device *device, const struct dal_subject *process, const char *text,
                 const char *options, const char *macro, uint64_t limit)
{
    int64_t begin_ns = dal_now_ns();
    int result = builds_below(device, process, text, options, macro, limit);
    if (result == 0) {
        int ever = builds_below(device, process, text, options, macro, INT64_MAX);
        result = ever < 0 ? ever : !ever;
    }
    device->ready_ns += dal_now_ns() - begin_ns;
    return result;
}
