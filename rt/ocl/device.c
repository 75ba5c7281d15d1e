/* Lists the devices, with the properties that they report. */
#include "rt/ocl/device.h"

#include "rt/backend/device.h"
#include "rt/base/alloc.h"
#include "rt/ocl/backend.h"

#include <CL/cl_ext.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int dal__ocl_major(const char *version)
{
    int major;
    return sscanf(version, "OpenCL %d.", &major) == 1 ? major : 0;
}

/* Returns the kind in a device's type bits (CL_DEVICE_TYPE_DEFAULT may be set beside it). */
static enum dal_device_type main_type(cl_device_type bits)
{
    return bits & CL_DEVICE_TYPE_GPU           ? DAL_DEVICE_GPU
           : bits & CL_DEVICE_TYPE_ACCELERATOR ? DAL_DEVICE_ACC
           : bits & CL_DEVICE_TYPE_CPU         ? DAL_DEVICE_CPU
                                               : DAL_DEVICE_NONE;
}

static void strip_ends(char *text)
{
    size_t bytes, first = strspn(text, " \t\r\n");
    for (bytes = strlen(text); bytes > first && isspace((unsigned char)text[bytes - 1]); bytes--)
        text[bytes - 1] = '\0';
    memmove(text, text + first, bytes - first + 1);
}

/* Gets a string of the platform; or of the device, without white space at both ends. */
static int get_text(const struct dal_device_info *info, int of_platform, cl_uint what, char **text)
{
    const struct dal_subject subject = {of_platform ? "OpenCL platform" : "OpenCL device",
                                        info->failures};
    cl_platform_id platform = dal__ocl_platform(info);
    size_t bytes = 0;
    int status = DAL_OK;
    for (int pass = 0; pass < 2 && status == DAL_OK; pass++) {
        *text = pass ? dal_calloc(bytes + 1, 1) : NULL;
        if (pass && !*text)
            return DAL_ERR_NOMEM;
        status = of_platform ? DAL_CL_FOR(&subject, clGetPlatformInfo,
                                          (platform, what, bytes, *text, &bytes))
                             : DAL_CL_FOR(&subject, clGetDeviceInfo,
                                          (dal__ocl_id(info), what, bytes, *text, &bytes));
    }
    if (status == DAL_OK && !of_platform)
        strip_ends(*text);
    return status;
}

static int get_texts(struct dal_device_info *info)
{
    const struct {
        int of_platform;
        cl_uint what;
        char **text;
    } wanted[] = {
        {0, CL_DEVICE_NAME, &info->name},       {0, CL_DEVICE_VENDOR, &info->vendor},
        {0, CL_DEVICE_VERSION, &info->version}, {0, CL_DRIVER_VERSION, &info->driver},
        {1, CL_PLATFORM_NAME, &info->platform}, {1, CL_PLATFORM_VERSION, &info->platform_version},
    };
    int error = DAL_OK;
    for (size_t i = 0; error == DAL_OK && i < sizeof(wanted) / sizeof(wanted[0]); i++)
        error = get_text(info, wanted[i].of_platform, wanted[i].what, wanted[i].text);
    return error;
}

static int get_device_info(const struct dal_device_info *info, cl_device_info what, size_t bytes,
                           void *value)
{
    const struct dal_subject subject = {"OpenCL device", info->failures};
    return DAL_CL_FOR(&subject, clGetDeviceInfo, (dal__ocl_id(info), what, bytes, value, NULL));
}

static int get_work_item_limit(struct dal_device_info *info)
{
    const struct dal_subject subject = {info->name, info->failures};
    size_t *sizes;
    size_t bytes = 0;
    int error;
    if (DAL_CL_FOR(&subject, clGetDeviceInfo,
                   (dal__ocl_id(info), CL_DEVICE_MAX_WORK_ITEM_SIZES, 0, NULL, &bytes)) < 0)
        return DAL_ERR_DEVICE;
    sizes = dal_calloc(1, bytes < sizeof(*sizes) ? sizeof(*sizes) : bytes);
    if (!sizes)
        return DAL_ERR_NOMEM;
    error = get_device_info(info, CL_DEVICE_MAX_WORK_ITEM_SIZES, bytes, sizes);
    for (size_t i = 0; i < 3; i++)
        info->limits.work_items[i] = i < bytes / sizeof(*sizes) ? sizes[i] : 1;
    dal_free(sizes);
    return error;
}

/* Are callbacks better than polling? Polling takes time from a device that is made of this
 * machine's cores, and none from others. And NVIDIA's driver (580) calls back up to 15 ms after the
 * command's end. When everything is released before the last callback, it sometimes waits for
 * itself for ever. */
static int calls_back(const struct dal_device_info *info)
{
    return info->type == DAL_DEVICE_CPU;
}

static int get_limits(struct dal_device_info *info)
{
    cl_uint align_bits = 0;
    cl_bool unified = CL_FALSE;
    cl_device_type type = 0;
    cl_ulong local = 0, global = 0, alloc = 0;
    if (get_device_info(info, CL_DEVICE_TYPE, sizeof(type), &type) < 0 ||
        get_device_info(info, CL_DEVICE_VENDOR_ID, sizeof(info->vendor_id), &info->vendor_id) < 0 ||
        get_device_info(info, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(info->compute_units),
                        &info->compute_units) < 0 ||
        get_device_info(info, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(info->limits.work_group),
                        &info->limits.work_group) < 0 ||
        get_device_info(info, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(align_bits), &align_bits) < 0 ||
        get_device_info(info, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(local), &local) < 0 ||
        get_device_info(info, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(global), &global) < 0 ||
        get_device_info(info, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(alloc), &alloc) < 0 ||
        get_device_info(info, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof(unified), &unified) < 0)
        return DAL_ERR_DEVICE;
    info->type = main_type(type);
    info->limits.align_bytes = align_bits / 8;
    info->limits.local_bytes = local;
    info->limits.global_bytes = global;
    info->limits.alloc_bytes = alloc;
    info->traits.unified = unified != CL_FALSE;
    info->traits.calls_back = calls_back(info);
    return get_work_item_limit(info);
}

/* Counts sub-devices of one compute unit each (CL_DEVICE_PARTITION_EQUALLY). */
static cl_uint count_sub_devices(cl_device_id id)
{
    cl_device_partition_property kinds[16] = {0};
    cl_uint most = 0;
    size_t bytes = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof(most), &most, NULL) !=
            CL_SUCCESS ||
        clGetDeviceInfo(id, CL_DEVICE_PARTITION_PROPERTIES, sizeof(kinds), kinds, &bytes) !=
            CL_SUCCESS)
        return 0;
    for (size_t i = 0; i < bytes / sizeof(kinds[0]); i++)
        if (kinds[i] == CL_DEVICE_PARTITION_EQUALLY)
            return most > 1 ? most : 0;
    return 0;
}

static int rounds_division(cl_device_id id)
{
    cl_device_fp_config config = 0;
    return clGetDeviceInfo(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(config), &config, NULL) ==
               CL_SUCCESS &&
           (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
}

/* PoCL's basic driver (3.1: "basic-CPU", later "cpu-minimal-CPU") runs a command that waited for
 * another device inside that device's notification and locks the same event twice. */
static int takes_foreign_events(const struct dal_device_info *info)
{
    static const char *const single_threaded[] = {"basic", "cpu-minimal"};
    for (size_t i = 0; i < sizeof(single_threaded) / sizeof(single_threaded[0]); i++)
        if (strncmp(info->name, single_threaded[i], strlen(single_threaded[i])) == 0)
            return 0;
    return 1;
}

/* Gets properties that older versions do not know. A device that does not answer does not have
 * them. */
static void get_optional(struct dal_device_info *info)
{
    cl_device_svm_capabilities svm = 0;
    int minor, major = 0;
    if (sscanf(info->version, "OpenCL %d.%d", &major, &minor) != 2)
        return;
    if (major > 1 || minor >= 2) {
        info->sub_devices = count_sub_devices(dal__ocl_id(info));
        info->traits.rounds_division = rounds_division(dal__ocl_id(info));
    }
    if (major >= 2 && clGetDeviceInfo(dal__ocl_id(info), CL_DEVICE_SVM_CAPABILITIES, sizeof(svm),
                                      &svm, NULL) == CL_SUCCESS)
        info->traits.fine_svm = (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0;
    info->traits.foreign_events = takes_foreign_events(info);
}

int dal__ocl_info_init(struct dal_device_info *info, cl_platform_id platform, cl_device_id id,
                       enum dal_log_level failures)
{
    int error;
    *info = (struct dal_device_info){
        .backend = &dal_backend_opencl, .native = {platform, id}, .failures = failures};
    error = get_texts(info);
    if (error == DAL_OK)
        error = get_limits(info);
    if (error == DAL_OK) {
        get_optional(info);
        error = dal_device_mask_answers(info);
    }
    if (error != DAL_OK)
        dal_device_info_finish(info);
    return error;
}

/* A list of devices while it is made. */
struct finder {
    struct dal_device_list *list;
    size_t room;
    enum dal_log_level failures;
};

/* Gets the devices of one platform that can be used now. *count is 0 when it has none, or when its
 * driver does not answer. */
static int platform_devices(const struct finder *finder, cl_platform_id platform,
                            cl_device_id **devices, cl_uint *count)
{
    const struct dal_subject subject = {"OpenCL platform", finder->failures};
    cl_int code;
    *devices = NULL;
    *count = 0;
    code = dal_backend_fault("clGetDeviceIDs");
    if (code == CL_SUCCESS)
        code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, count);
    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && *count == 0)) {
        *count = 0;
        return DAL_OK;
    }
    if (code != CL_SUCCESS) {
        *count = 0;
        dal_log(DAL_LOG_WARNING, "an OpenCL platform is passed over: clGetDeviceIDs: %s (%d)",
                dal_ocl_error(code), (int)code);
        return DAL_OK;
    }
    *devices = dal_calloc(*count, sizeof(**devices));
    if (!*devices)
        return DAL_ERR_NOMEM;
    return DAL_CL_FOR(&subject, clGetDeviceIDs,
                      (platform, CL_DEVICE_TYPE_ALL, *count, *devices, NULL));
}

static int add_device(struct finder *finder, cl_platform_id platform, cl_device_id id)
{
    const enum dal_log_level warnings = dal_device_warnings(finder->failures);
    const struct dal_device_info asked = {.native = {platform, id}, .failures = warnings};
    struct dal_device_list *list = finder->list;
    struct dal_device_info *info;
    cl_bool available = CL_FALSE;
    int error;
    if (get_device_info(&asked, CL_DEVICE_AVAILABLE, sizeof(available), &available) < 0)
        return DAL_ERR_DEVICE;
    if (!available)
        return DAL_OK;
    error = dal_grow(&list->info, list->count, &finder->room, sizeof(*list->info));
    if (error != DAL_OK)
        return error;
    info = &list->info[list->count];
    error = dal__ocl_info_init(info, platform, id, warnings);
    if (error != DAL_OK)
        return error;
    info->failures = finder->failures;
    if (info->type == DAL_DEVICE_NONE)
        dal_device_info_finish(info);
    else
        list->count++;
    return DAL_OK;
}

static int add_platform(struct finder *finder, cl_platform_id platform)
{
    cl_device_id *devices;
    cl_uint count;
    int error = platform_devices(finder, platform, &devices, &count);
    for (cl_uint i = 0; error == DAL_OK && i < count; i++)
        error = dal_device_listed("OpenCL", add_device(finder, platform, devices[i]),
                                  dal_device_warnings(finder->failures));
    dal_free(devices);
    return error;
}

/* Asks for the number of platforms, which loads the drivers. PoCL 5 then names itself in a variable
 * of the environment that the loader reads. A program that is started later would find no other
 * driver, so the variable gets its value back. */
static cl_int load_platforms(cl_uint *count)
{
    static const char loaded[] = "OCL_ICD_FILENAMES";
    const char *value = getenv(loaded);
    char *before = value ? dal_strdup(value) : NULL;
    cl_int code = clGetPlatformIDs(0, NULL, count);
    int failed = before ? setenv(loaded, before, 1) : !value && unsetenv(loaded);
    dal_free(before);
    return failed ? CL_OUT_OF_HOST_MEMORY : code;
}

static int add_platforms(struct finder *finder)
{
    const struct dal_subject subject = {"OpenCL", finder->failures};
    cl_platform_id *platforms;
    cl_uint count = 0;
    int error;
    cl_int code = dal_backend_fault("clGetPlatformIDs");
    if (code == CL_SUCCESS)
        code = load_platforms(&count);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0))
        return DAL_OK;
    if (dal_ocl_check(&subject, "clGetPlatformIDs", code) < 0)
        return DAL_ERR_DEVICE;
    platforms = dal_calloc(count, sizeof(*platforms));
    if (!platforms)
        return DAL_ERR_NOMEM;
    error = DAL_CL_FOR(&subject, clGetPlatformIDs, (count, platforms, NULL));
    for (cl_uint i = 0; error == DAL_OK && i < count; i++)
        error = add_platform(finder, platforms[i]);
    dal_free(platforms);
    return error;
}

int dal__ocl_list(struct dal_device_list *list, enum dal_log_level failures)
{
    struct finder finder = {.list = list, .failures = failures};
    int error;
    *list = (struct dal_device_list){0};
    error = add_platforms(&finder);
    if (error == DAL_OK)
        error = dal_devices_name(list);
    if (error != DAL_OK)
        dal_device_list_finish(list);
    return error;
}
