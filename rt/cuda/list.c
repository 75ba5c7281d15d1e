/* Lists the devices of CUDA that this machine has. */
#include "rt/backend/device.h"
#include "rt/base/alloc.h"
#include "rt/cuda/backend.h"
#include "rt/cuda/device.h"

#include <stdio.h>

enum { NVIDIA = 4318, NAME_BYTES = 256 };

/* Least alignment of cuMemAlloc()'s memory. */
enum { ALIGN_BYTES = 256 };

static const struct dal_subject *subject_of(enum dal_log_level failures,
                                            struct dal_subject *subject)
{
    *subject = (struct dal_subject){"CUDA", failures};
    return subject;
}

static int ask_attribute(CUdevice device, const struct dal_subject *subject, int attribute,
                         int *value)
{
    return DAL_CU(subject, cuDeviceGetAttribute, (value, attribute, device));
}

int dal__cuda_architecture(CUdevice device, const struct dal_subject *subject, int *architecture)
{
    int major = 0, minor = 0, status;
    status = ask_attribute(device, subject, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major);
    if (status == DAL_OK)
        status =
            ask_attribute(device, subject, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor);
    *architecture = 10 * major + minor;
    return status;
}

static int ask_numbers(struct dal_device_info *info, CUdevice device,
                       const struct dal_subject *subject)
{
    int units = 0, threads = 0, sides[3] = {0}, shared = 0;
    const struct {
        int attribute, *value;
    } questions[] = {
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &units},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &threads},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &sides[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &sides[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &sides[2]},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &shared},
    };
    size_t bytes = 0;
    int status = DAL_CU(subject, cuDeviceTotalMem_v2, (&bytes, device));
    for (size_t i = 0; status == DAL_OK && i < sizeof(questions) / sizeof(questions[0]); i++)
        status = ask_attribute(device, subject, questions[i].attribute, questions[i].value);
    info->compute_units = (unsigned)units;
    info->limits.work_group = (size_t)threads;
    for (int i = 0; i < 3; i++)
        info->limits.work_items[i] = (size_t)sides[i];
    info->limits.local_bytes = (uint64_t)shared;
    info->limits.global_bytes = info->limits.alloc_bytes = bytes;
    return status;
}

/* Gets the device's texts. `version` tells what the device can do, as OpenCL's does; the driver's
 * version is that of CUDA. */
static int ask_texts(struct dal_device_info *info, CUdevice device,
                     const struct dal_subject *subject)
{
    char name[NAME_BYTES] = "";
    int version = 0, architecture = 0, status;
    status = DAL_CU(subject, cuDeviceGetName, (name, NAME_BYTES - 1, device));
    if (status == DAL_OK)
        status = DAL_CU(subject, cuDriverGetVersion, (&version));
    if (status == DAL_OK)
        status = dal__cuda_architecture(device, subject, &architecture);
    if (status < 0)
        return status;
    info->name = dal_strdup(name);
    info->vendor = dal_strdup("NVIDIA Corporation");
    info->platform = dal_strdup("NVIDIA CUDA");
    info->platform_version = dal_format("CUDA %d.%d", version / 1000, version % 1000 / 10);
    info->version = dal_format("compute capability %d.%d", architecture / 10, architecture % 10);
    info->driver = dal_format("CUDA %d.%d", version / 1000, version % 1000 / 10);
    return info->name && info->vendor && info->platform && info->platform_version &&
                   info->version && info->driver
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

int dal__cuda_info_init(struct dal_device_info *info, int ordinal, enum dal_log_level failures)
{
    struct dal_subject subject;
    CUdevice device = ordinal;
    int status;
    *info = (struct dal_device_info){
        .backend = &dal_backend_cuda,
        .type = DAL_DEVICE_GPU,
        .vendor_id = NVIDIA,
        .limits = {.align_bytes = ALIGN_BYTES},
        .traits = {.rounds_division = 1, .foreign_events = 1, .calls_back = 1},
        .failures = failures,
        .native = {(void *)(intptr_t)ordinal},
    };
    subject_of(failures, &subject);
    status = DAL_CU(&subject, cuDeviceGet, (&device, ordinal));
    if (status == DAL_OK)
        status = ask_numbers(info, device, &subject);
    if (status == DAL_OK)
        status = ask_texts(info, device, &subject);
    if (status == DAL_OK)
        status = dal_device_mask_answers(info);
    if (status < 0)
        dal_device_info_finish(info);
    return status;
}

/* Counts the devices. There are 0 without a driver, and where nothing could be compiled. */
static int count_devices(const struct dal_subject *subject, int *count)
{
    static int said;
    int code, status;
    *count = 0;
    if (!dal_cuda_driver())
        return DAL_OK;
    code = DAL_CU_TRY(cuInit, (0));
    if (code == CUDA_ERROR_NO_DEVICE || code == CUDA_ERROR_STUB_LIBRARY)
        return DAL_OK;
    status = dal__cuda_check(subject, "cuInit", code);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuDeviceGetCount, (count));
    if (status < 0 || *count == 0 || dal_cuda_compiler())
        return status;
    if (!said++)
        dal_log(DAL_LOG_NOTE, "devices of CUDA are not used: there is no compiler for them, "
                              "libnvrtc.so of the CUDA toolkit (DAL_CUDA_COMPILER names the file)");
    *count = 0;
    return DAL_OK;
}

int dal__cuda_list(struct dal_device_list *list, enum dal_log_level failures)
{
    const enum dal_log_level warnings = dal_device_warnings(failures);
    struct dal_subject subject;
    int count, status;
    *list = (struct dal_device_list){0};
    status = count_devices(subject_of(failures, &subject), &count);
    if (status < 0 || count == 0)
        return status;
    list->info = dal_calloc((size_t)count, sizeof(*list->info));
    if (!list->info)
        return DAL_ERR_NOMEM;
    for (int i = 0; status == DAL_OK && i < count; i++) {
        struct dal_device_info *info = &list->info[list->count];
        status = dal__cuda_info_init(info, i, warnings);
        info->failures = failures;
        list->count += status == DAL_OK;
        status = dal_device_listed("CUDA", status, warnings);
    }
    if (status == DAL_OK)
        status = dal_devices_name(list);
    if (status < 0)
        dal_device_list_finish(list);
    return status;
}
