/* Programs and kernels: CUDA's part of rt/backend/program.h. */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/cuda/build.h"

#include <string.h>

struct cuda_program {
    struct dal_cuda_device *device;
    CUmodule module;
    unsigned char *image; /* for the disk cache */
    size_t bytes;
};

static const struct dal_subject nobody = {"", DAL_LOG_NOTHING};

/* ---- programs ---------------------------------------------------------------------------------
 */

static void release_program(void *program)
{
    struct cuda_program *made = program;
    if (made->module) {
        dal__cuda_enter_quietly(made->device);
        DAL_CU_FREE(cuModuleUnload, (made->module));
    }
    dal_free(made->image);
    dal_free(made);
}

/* Makes a program of an image, which it takes over, also on an error. */
static int make_program(struct dal_cuda_device *device, const struct dal_subject *process,
                        unsigned char *image, size_t bytes, struct cuda_program **program)
{
    struct cuda_program *made = dal_calloc(1, sizeof(*made));
    int status = DAL_ERR_NOMEM;
    *program = NULL;
    if (!made) {
        dal_free(image);
        return status;
    }
    *made = (struct cuda_program){.device = device, .image = image, .bytes = bytes};
    status = dal__cuda_enter_anew(device, process);
    if (status == DAL_OK)
        status = DAL_CU(process, cuModuleLoadData, (&made->module, image));
    if (status < 0) {
        made->module = NULL;
        release_program(made);
    } else
        *program = made;
    return status;
}

/* Logs that the compiler refuses the source text. Where it asks for more local memory than the
 * device has, a note tells what to do. Returns the code of the failure. */
static int refuse_text(struct dal_device *device, const struct dal_subject *process,
                       const char *file, const char *text, const char *log)
{
    int status = dal_program_refuse_source(device, process, file, text, log ? log : "");
    if (status == DAL_ERR_LIMIT)
        dal_log(process->failures == DAL_LOG_NOTHING ? DAL_LOG_NOTHING : DAL_LOG_NOTE,
                "process '%s': variables of a kernel in local memory have %llu bytes at most; "
                "divide them among more work-groups, or have some in global memory",
                process->name, (unsigned long long)device->info.local_bytes);
    return status;
}

static int build_program(struct dal_device *device, const struct dal_subject *process,
                         const char *file, const char *text, const char *options, void **program)
{
    struct dal_cuda_device *of = dal__cuda_device(device);
    struct cuda_program *made = NULL;
    struct dal_cuda_built built;
    int status = dal__cuda_build(of, process, text, options, &built);
    if (status == DAL_ERR_BUILD)
        status = refuse_text(device, process, file, text, built.log);
    else if (status == DAL_OK && built.log && !dal_program_has_option(options, "-w"))
        dal_program_say_warnings(process, file, text, built.log);
    if (status == DAL_OK) {
        status = make_program(of, process, built.image, built.bytes, &made);
        built.image = NULL;
    }
    dal__cuda_built_finish(&built);
    *program = made;
    return status;
}

static int builds(struct dal_device *device, const struct dal_subject *process, const char *text,
                  const char *options)
{
    struct dal_cuda_built built;
    int status = dal__cuda_build(dal__cuda_device(device), process, text, options, &built);
    dal__cuda_built_finish(&built);
    if (status == DAL_ERR_BUILD)
        return 0;
    return status < 0 ? status : 1;
}

/* Loads a program of a binary. A zero is put behind any binary, since PTX ends with one. */
static void *load_program(struct dal_device *device, const char *options,
                          const struct dal_cache_binary *binary)
{
    struct cuda_program *made = NULL;
    unsigned char *image = dal_calloc(binary->bytes + 1, 1);
    (void)options;
    if (!image)
        return NULL;
    memcpy(image, binary->data, binary->bytes);
    make_program(dal__cuda_device(device), &nobody, image, binary->bytes, &made);
    return made;
}

static void binary_of(struct dal_device *device, void *program, size_t more_than,
                      struct dal_cache_binary *binary)
{
    const struct cuda_program *made = program;
    (void)device;
    *binary = (struct dal_cache_binary){0};
    if (made->bytes <= more_than)
        return;
    binary->data = dal_alloc(made->bytes);
    if (!binary->data)
        return;
    memcpy(binary->data, made->image, made->bytes);
    binary->bytes = made->bytes;
}

const struct dal_compiler dal__cuda_compiler = {
    .options = dal__cuda_all_options,
    .build = build_program,
    .builds = builds,
    .load = load_program,
    .binary = binary_of,
    .release = release_program,
};

/* ---- kernels ----------------------------------------------------------------------------------
 */

/* Gets the number of arguments and their sizes, where the driver can tell. */
static int ask_arguments(struct dal__function *function, const struct dal_subject *process)
{
    size_t at = 0, bytes = 0;
    if (!dal_cuda_driver()->cuFuncGetParamInfo)
        return DAL_OK;
    function->known = 1;
    while (dal_cuda_driver()->cuFuncGetParamInfo(function->function, function->count, &at,
                                                 &bytes) == CUDA_SUCCESS) {
        struct dal_cuda_argument *argument = &function->arguments[function->count];
        if (function->count == DAL_CUDA_MOST_ARGUMENTS ||
            function->used_bytes + bytes > DAL_CUDA_MOST_ARGUMENT_BYTES) {
            dal_log(process->failures, "%s: more arguments than %d, or than %d bytes of them",
                    process->name, DAL_CUDA_MOST_ARGUMENTS, DAL_CUDA_MOST_ARGUMENT_BYTES);
            return DAL_ERR_LIMIT;
        }
        argument->at = (unsigned short)function->used_bytes;
        argument->bytes = (unsigned short)bytes;
        function->used_bytes += ((unsigned)bytes + 7) & ~7u;
        function->count++;
    }
    return DAL_OK;
}

static int find_function(const struct cuda_program *program, const struct dal_subject *process,
                         const struct dal_function_source *source, struct dal__function *made)
{
    int code, status = dal__cuda_enter_anew(program->device, process);
    if (status < 0)
        return status;
    made->device = program->device;
    code = DAL_CU_TRY(cuModuleGetFunction, (&made->function, program->module, source->name));
    if (code == CUDA_ERROR_NOT_FOUND)
        return dal_program_refuse_name(process, source->file, source->name);
    status = dal__cuda_check(process, "cuModuleGetFunction", code);
    return status < 0 ? status : ask_arguments(made, process);
}

int dal__cuda_function(struct dal_device *device, const struct dal_subject *process,
                       const struct dal_function_source *source, dal_function *function)
{
    struct dal__function *made;
    void *program;
    int status = dal_programs_get(&dal__cuda_device(device)->programs, device, process,
                                  source->file, source->text, source->options, &program);
    *function = NULL;
    if (status < 0)
        return status;
    made = dal_calloc(1, sizeof(*made));
    status = made ? find_function(program, process, source, made) : DAL_ERR_NOMEM;
    if (status < 0)
        dal_free(made);
    else
        *function = made;
    return status;
}

void dal__cuda_function_free(dal_function function)
{
    dal_free(function);
}

int dal__cuda_function_limits(struct dal_device *device, const struct dal_subject *process,
                              dal_function function, size_t *work_items, uint64_t *local_bytes)
{
    int threads = 0, bytes = 0, status = dal__cuda_enter_anew(dal__cuda_device(device), process);
    if (status == DAL_OK)
        status = DAL_CU(process, cuFuncGetAttribute,
                        (&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function->function));
    if (status == DAL_OK)
        status = DAL_CU(process, cuFuncGetAttribute,
                        (&bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function->function));
    *work_items = (size_t)threads;
    *local_bytes = (uint64_t)bytes;
    return status;
}

int dal__cuda_fits(struct dal_device *device, const struct dal_subject *process, const char *text,
                   const char *options, const char *macro, uint64_t limit)
{
    return dal_programs_fit(&dal__cuda_device(device)->programs, device, process, text, options,
                            macro, limit);
}
