/* Compiles kernels with NVRTC. */
#include "rt/base/alloc.h"
#include "rt/cuda/build.h"

#include <stdio.h>
#include <string.h>

/* The text in front of a kernel. Messages about it belong to no file of the user; #line directives
 * place those about the kernel. */
static const char front[] = __extension__ "#line 1 \"dal/opencl_c.h\"\n"
#include "rt/cuda/opencl_c.inc"
                                          "#line 1 \"<kernel>\"\n";

enum { HEX_DIGITS = 16 };

/* ---- calls ------------------------------------------------------------------------------------
 */

static const struct {
    int code;
    const char *name;
} errors[] = {
#define ENTRY(name)                                                                                \
    {                                                                                              \
        name, #name                                                                                \
    }
    ENTRY(NVRTC_ERROR_OUT_OF_MEMORY),
    ENTRY(NVRTC_ERROR_INVALID_INPUT),
    ENTRY(NVRTC_ERROR_INVALID_OPTION),
    ENTRY(NVRTC_ERROR_COMPILATION),
#undef ENTRY
};

static const char *name_error(int code)
{
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
        if (errors[i].code == code)
            return errors[i].name;
    return "unknown NVRTC error";
}

static int check_call(const struct dal_subject *subject, const char *call, int code)
{
    if (code == NVRTC_SUCCESS)
        return DAL_OK;
    dal_log(subject->failures, "%s: %s: %s (%d)", subject->name, call, name_error(code), code);
    return DAL_ERR_DEVICE;
}

#define TRY(call, arguments)                                                                       \
    __extension__({                                                                                \
        int dal__code = dal_backend_fault(#call);                                                  \
        dal__code ? dal__code : dal_cuda_compiler()->call arguments;                               \
    })
#define CHECK(subject, call, arguments) check_call((subject), #call, TRY(call, arguments))

/* ---- for which device -------------------------------------------------------------------------
 */

/* Chooses the newest architecture that the compiler knows and the device can run; 0 for none. */
static int choose_architecture(const struct dal_cuda_device *device,
                               const struct dal_subject *process, int *chosen)
{
    int count = 0, *all, status = CHECK(process, nvrtcGetNumSupportedArchs, (&count));
    *chosen = 0;
    if (status < 0)
        return status;
    all = dal_calloc((size_t)count + 1, sizeof(*all));
    if (!all)
        return DAL_ERR_NOMEM;
    status = CHECK(process, nvrtcGetSupportedArchs, (all));
    for (int i = 0; status == DAL_OK && i < count; i++)
        if (all[i] <= device->architecture && all[i] > *chosen)
            *chosen = all[i];
    dal_free(all);
    if (status == DAL_OK && *chosen == 0) {
        dal_log(process->failures,
                "process '%s': the installed compiler of CUDA (NVRTC) makes nothing for %s, which "
                "has %s; an older one does",
                process->name, device->device.info.name, device->device.info.version);
        return DAL_ERR_DEVICE;
    }
    return status;
}

/* ---- building ---------------------------------------------------------------------------------
 */

static int take_log(const struct dal_subject *process, nvrtcProgram program, char **log)
{
    size_t bytes = 0;
    char *raw;
    int status = CHECK(process, nvrtcGetProgramLogSize, (program, &bytes));
    if (status < 0)
        return status;
    raw = dal_calloc(bytes + 1, 1);
    if (!raw)
        return DAL_ERR_NOMEM;
    status = CHECK(process, nvrtcGetProgramLog, (program, raw));
    if (status == DAL_OK) {
        *log = dal__cuda_log(raw);
        status = *log ? DAL_OK : DAL_ERR_NOMEM;
    }
    dal_free(raw);
    return status;
}

static int take_image(const struct dal_subject *process, nvrtcProgram program, int is_ptx,
                      struct dal_cuda_built *built)
{
    int status = is_ptx ? CHECK(process, nvrtcGetPTXSize, (program, &built->bytes))
                        : CHECK(process, nvrtcGetCUBINSize, (program, &built->bytes));
    if (status < 0)
        return status;
    built->image = dal_calloc(built->bytes + 1, 1);
    if (!built->image)
        return DAL_ERR_NOMEM;
    return is_ptx ? CHECK(process, nvrtcGetPTX, (program, (char *)built->image))
                  : CHECK(process, nvrtcGetCUBIN, (program, (char *)built->image));
}

static int has_warnings(const char *log)
{
    return strstr(log, ": warning: ") != NULL;
}

static int compile_program(const struct dal_subject *process, nvrtcProgram program,
                           const struct dal_cuda_options *options, int is_ptx,
                           struct dal_cuda_built *built)
{
    int code = TRY(nvrtcCompileProgram,
                   (program, options->count, (const char *const *)options->words)),
        status = DAL_OK;
    int refused = code == NVRTC_ERROR_COMPILATION || code == NVRTC_ERROR_INVALID_OPTION;
    if (!refused)
        status = check_call(process, "nvrtcCompileProgram", code);
    if (status == DAL_OK)
        status = take_log(process, program, &built->log);
    if (status == DAL_OK && (refused || (options->warnings_are_errors && has_warnings(built->log))))
        status = DAL_ERR_BUILD;
    return status < 0 ? status : take_image(process, program, is_ptx, built);
}

static int build_with(const struct dal_subject *process, const char *text,
                      const struct dal_cuda_options *options, int is_ptx,
                      struct dal_cuda_built *built)
{
    nvrtcProgram program = NULL;
    char *whole = dal_format("%s%s", front, text);
    int status =
        whole ? CHECK(process, nvrtcCreateProgram, (&program, whole, "<kernel>", 0, NULL, NULL))
              : DAL_ERR_NOMEM;
    if (status == DAL_OK)
        status = compile_program(process, program, options, is_ptx, built);
    if (program)
        dal_cuda_compiler()->nvrtcDestroyProgram(&program);
    dal_free(whole);
    return status;
}

int dal__cuda_build(const struct dal_cuda_device *device, const struct dal_subject *process,
                    const char *text, const char *options, struct dal_cuda_built *built)
{
    struct dal_cuda_options words = {0};
    char architecture[32];
    int chosen, is_ptx, status = choose_architecture(device, process, &chosen);
    *built = (struct dal_cuda_built){0};
    if (status < 0)
        return status;
    is_ptx = chosen != device->architecture;
    snprintf(architecture, sizeof(architecture), "%s_%d", is_ptx ? "compute" : "sm", chosen);
    status = dal__cuda_options_init(&words, options, architecture, &built->log);
    if (status == DAL_OK)
        status = build_with(process, text, &words, is_ptx, built);
    dal__cuda_options_finish(&words);
    return status;
}

void dal__cuda_built_finish(struct dal_cuda_built *built)
{
    dal_free(built->image);
    dal_free(built->log);
    *built = (struct dal_cuda_built){0};
}

/* Returns a word for all that a binary depends on beside text and options. */
static const char *compiler_word(void)
{
    static char word[64];
    struct dal_sha256 sha;
    unsigned char digest[DAL_SHA256_BYTES];
    char digits[HEX_DIGITS + 1];
    int major = 0, minor = 0;
    if (*word)
        return word;
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, front, sizeof(front));
    dal_sha256_end(&sha, digest);
    dal_sha256_hex(digest, HEX_DIGITS, digits);
    dal_cuda_compiler()->nvrtcVersion(&major, &minor);
    snprintf(word, sizeof(word), "--dal-compiler=%d.%d,%s", major, minor, digits);
    return word;
}

char *dal__cuda_all_options(const struct dal_device *device, const char *options,
                            int wants_warnings)
{
    (void)device;
    return dal_format("%s %s%s", options, compiler_word(), wants_warnings ? "" : " -w");
}
