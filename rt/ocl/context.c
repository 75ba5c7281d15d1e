/* Opens devices: their sub-devices, and one context for each platform. */
#include "rt/ocl/backend.h"
#include "rt/ocl/device.h"

#include "rt/backend/device.h"
#include "rt/base/alloc.h"

/* All devices that were opened at once. */
struct opened {
    struct dal_ocl_device *devices;
    int device_count;
    cl_context *contexts; /* one a platform */
    int context_count;
};

/* Sub-devices made so far, which the next opener uses again. Each is kept until the program ends.
 * For PoCL 3.1's workers look at one for a moment after its last event has completed and everything
 * made from it has been released. Main thread. */
struct kept_sub_device {
    cl_device_id parent, id;
    int number;
    struct kept_sub_device *next;
};
static struct kept_sub_device *kept_sub_devices;

/* Makes the m-th of the sub-devices of one compute unit, and releases the others. */
static int make_sub_device(const struct dal_device_info *parent, int m, cl_device_id *id)
{
    const struct dal_subject subject = {parent->identifier, parent->failures};
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id *made;
    cl_uint count = 0;
    int error;
    *id = NULL;
    if (DAL_CL_FOR(&subject, clCreateSubDevices, (dal__ocl_id(parent), equally, 0, NULL, &count)) <
        0)
        return DAL_ERR_DEVICE;
    made = dal_calloc(count, sizeof(*made));
    if (!made)
        return DAL_ERR_NOMEM;
    error =
        DAL_CL_FOR(&subject, clCreateSubDevices, (dal__ocl_id(parent), equally, count, made, NULL));
    for (cl_uint i = 0; error == DAL_OK && i < count; i++) {
        if (i + 1 == (cl_uint)m)
            *id = made[i];
        else
            clReleaseDevice(made[i]);
    }
    dal_free(made);
    if (error == DAL_OK && !*id) {
        dal_log(parent->failures, "%s: no sub-device %d of %u", parent->identifier, m,
                (unsigned)count);
        return DAL_ERR_NODEVICE;
    }
    return error;
}

/* Gets a sub-device: the same one for the same parent and number. */
static int take_sub_device(const struct dal_device_info *parent, int m, cl_device_id *id)
{
    struct kept_sub_device *kept;
    int error;
    for (kept = kept_sub_devices; kept; kept = kept->next)
        if (kept->parent == dal__ocl_id(parent) && kept->number == m) {
            *id = kept->id;
            return DAL_OK;
        }
    kept = dal_calloc(1, sizeof(*kept));
    if (!kept)
        return DAL_ERR_NOMEM;
    error = make_sub_device(parent, m, id);
    if (error != DAL_OK) {
        dal_free(kept);
        return error;
    }
    *kept = (struct kept_sub_device){
        .parent = dal__ocl_id(parent), .id = *id, .number = m, .next = kept_sub_devices};
    kept_sub_devices = kept;
    return DAL_OK;
}

/* Sets up a device. Its context comes later, when all devices of the platform are known. */
static int device_init(struct dal_ocl_device *opened, const struct dal_device_info *from,
                       const char *processor, int sub)
{
    struct dal_device *device = &opened->device;
    int error = DAL_OK;
    device->backend = &dal_backend_opencl;
    device->processor = processor;
    opened->programs.compiler = &dal__ocl_compiler;
    opened->id = dal__ocl_id(from);
    if (sub)
        error = take_sub_device(from, sub, &opened->id);
    device->id = opened->id;
    device->whole = dal__ocl_id(from);
    if (error == DAL_OK)
        error =
            dal__ocl_info_init(&device->info, dal__ocl_platform(from), opened->id, from->failures);
    if (error == DAL_OK)
        error = dal_device_name_open(&device->info, from, sub);
    return error;
}

static void device_finish(struct dal_ocl_device *opened)
{
    dal_programs_finish(&opened->programs, &opened->device);
    dal_device_info_finish(&opened->device.info);
}

static cl_platform_id platform_of(const struct opened *opened, int i)
{
    return dal__ocl_platform(&opened->devices[i].device.info);
}

/* Makes one context of all open devices of devices[first]'s platform, each once. */
static int open_context(struct opened *opened, int first)
{
    cl_platform_id platform = platform_of(opened, first);
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context *context = &opened->contexts[opened->context_count];
    const struct dal_device_info *info = &opened->devices[first].device.info;
    const struct dal_subject subject = {info->platform, info->failures};
    cl_device_id *ids = dal_calloc((size_t)opened->device_count, sizeof(*ids));
    cl_uint count = 0;
    int error;
    if (!ids)
        return DAL_ERR_NOMEM;
    for (int i = first; i < opened->device_count; i++) {
        cl_uint same = 0;
        while (same < count && ids[same] != opened->devices[i].id)
            same++;
        if (platform_of(opened, i) == platform && same == count)
            ids[count++] = opened->devices[i].id;
    }
    error = DAL_CL_NEW(&subject, *context, clCreateContext,
                       (properties, count, ids, NULL, NULL, &error));
    dal_free(ids);
    if (error != DAL_OK)
        return error;
    opened->context_count++;
    for (int i = first; i < opened->device_count; i++)
        if (platform_of(opened, i) == platform)
            opened->devices[i].device.context = opened->devices[i].context = *context;
    return DAL_OK;
}

static struct opened *make_opened(int count)
{
    size_t n = count > 0 ? (size_t)count : 1;
    struct opened *opened = dal_calloc(1, sizeof(*opened));
    if (!opened)
        return NULL;
    opened->devices = dal_calloc(n, sizeof(*opened->devices));
    opened->contexts = dal_calloc(n, sizeof(*opened->contexts));
    if (opened->devices && opened->contexts)
        return opened;
    dal__ocl_close(opened);
    return NULL;
}

int dal__ocl_open(void **result, const struct dal_device_list *list,
                  struct dal_device_request *requests, int count, enum dal_log_level failures)
{
    struct opened *opened = make_opened(count);
    int error = opened ? DAL_OK : DAL_ERR_NOMEM;
    (void)failures; /* the list has them */
    *result = NULL;
    for (int i = 0; error == DAL_OK && i < count; i++) {
        requests[i].device = &opened->devices[opened->device_count++].device;
        error = device_init(&opened->devices[i], &list->info[requests[i].number],
                            requests[i].processor, requests[i].sub);
    }
    for (int i = 0; error == DAL_OK && i < count; i++)
        if (!opened->devices[i].context)
            error = open_context(opened, i);
    if (error == DAL_OK)
        *result = opened;
    else
        dal__ocl_close(opened);
    return error;
}

void dal__ocl_close(void *data)
{
    struct opened *opened = data;
    if (!opened)
        return;
    for (int i = 0; i < opened->context_count; i++)
        clReleaseContext(opened->contexts[i]);
    for (int i = 0; i < opened->device_count; i++)
        device_finish(&opened->devices[i]);
    dal_free(opened->devices);
    dal_free(opened->contexts);
    dal_free(opened);
}
