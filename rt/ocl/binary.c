#include "rt/ocl/binary.h"

#include "rt/base/alloc.h"

#include <stdint.h>
#include <string.h>

/* An OpenCL call that may fail without a word. */
#define TRY(call, arguments)                                                                       \
    __extension__({                                                                                \
        cl_int dal__code = dal_ocl_fault(#call);                                                   \
        dal__code ? dal__code : call arguments;                                                    \
    })

/* ---- keys ------------------------------------------------------------------------------------ */

/* With its length, so that no two lists of texts are the same bytes. */
static void add_text(struct dal_sha256 *sha, const char *text)
{
    uint64_t bytes = strlen(text);
    dal_sha256_add(sha, &bytes, sizeof(bytes));
    dal_sha256_add(sha, text, (size_t)bytes);
}

void dal__ocl_key(const struct dal_ocl_device *device, const char *text, const char *options,
                  struct dal_ocl_key *key)
{
    const struct dal_ocl_info *info = &device->info;
    const char *const texts[] = {
        text,          options,      info->name,     info->vendor,
        info->version, info->driver, info->platform, info->platform_version};
    const uint64_t numbers[] = {info->vendor_id,         info->compute_units, info->max_work_group,
                                info->max_work_items[0], info->local_bytes,   sizeof(void *)};
    struct dal_sha256 sha;
    dal_sha256_begin(&sha);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        add_text(&sha, texts[i]);
    dal_sha256_add(&sha, numbers, sizeof(numbers));
    dal_sha256_end(&sha, key->digest);
}

/* ---- from the cache -------------------------------------------------------------------------- */

/* Builds it, and asks whether there is a kernel in it: a driver may take bytes that mean nothing
 * to it. */
static int is_usable(const struct dal_ocl_device *device, cl_program program, const char *options)
{
    size_t kernels = 0;
    return TRY(clBuildProgram, (program, 1, &device->id, options, NULL, NULL)) == CL_SUCCESS &&
           TRY(clGetProgramInfo,
               (program, CL_PROGRAM_NUM_KERNELS, sizeof(kernels), &kernels, NULL)) == CL_SUCCESS &&
           kernels > 0;
}

static cl_program make_program(const struct dal_ocl_device *device,
                               const struct dal_ocl_binary *binary)
{
    const unsigned char *data = binary->data;
    cl_int code = dal_ocl_fault("clCreateProgramWithBinary"), status = CL_SUCCESS;
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

int dal__ocl_load(const struct dal_ocl_device *device, const struct dal_ocl_key *key,
                  const char *options, cl_program *program, size_t *bytes)
{
    struct dal_ocl_binary binary;
    int found = dal__ocl_cache_read(key, &binary);
    *program = NULL;
    *bytes = 0;
    if (found < 0)
        return found;
    if (binary.bytes > 0)
        *program = make_program(device, &binary);
    dal_free(binary.data);
    if (*program && !is_usable(device, *program, options)) {
        clReleaseProgram(*program);
        *program = NULL;
    }
    if (*program)
        *bytes = binary.bytes;
    return *program != NULL;
}

/* ---- to the cache ---------------------------------------------------------------------------- */

/* One of the things that a program has for each device of its context; NULL without an answer. */
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

/* The device's number among those of the program, or -1. */
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

/* Fills in the binary of one device; of the others, none is asked. */
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

void dal__ocl_keep(const struct dal_ocl_device *device, const struct dal_ocl_key *key,
                   cl_program program, size_t kept_bytes)
{
    struct dal_ocl_binary binary = {0};
    int number = find_device(device, program);
    if (number >= 0)
        binary.bytes = binary_bytes(program, number);
    if (binary.bytes <= kept_bytes)
        return;
    binary.data = dal_alloc(binary.bytes);
    if (binary.data && get_binary(program, number, binary.data))
        dal__ocl_cache_write(key, &binary);
    dal_free(binary.data);
}
