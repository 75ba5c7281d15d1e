#include "rt/ocl/device.h"

#include "rt/base/alloc.h"

#include <stdio.h>
#include <string.h>

struct dal_ocl_context {
    cl_platform_id platform;
    cl_context context;
};

struct dal_ocl {
    struct dal_ocl_device *devices; /* one for every different identifier */
    char **identifiers;             /* of devices[], white space removed */
    int device_count;
    int *device_of; /* index into devices[] for the i-th identifier of dal_ocl_open() */
    int count;
    struct dal_ocl_context *contexts;
    int context_count;
    enum dal_log_level failures; /* of opening it */
};

/* "A, B, C", cut when there are very many; "none" without a device. */
static void list_identifiers(const struct dal_ocl_list *list, char *text, size_t bytes)
{
    size_t used = 0;
    snprintf(text, bytes, "none");
    for (size_t i = 0; i < list->count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i ? ", " : "",
                                 list->info[i].identifier);
}

static int refuse_identifier(const struct dal_ocl_list *list, const struct dal_subject *processor,
                             const char *identifier)
{
    char known[1024];
    list_identifiers(list, known, sizeof(known));
    dal_log(processor->failures,
            "processor '%s': this machine has no OpenCL device '%s'; it has: %s", processor->name,
            identifier, known);
    return DAL_ERR_NODEVICE;
}

/* Finds the device of an identifier, or what stands in for it. */
static int choose_device(const struct dal_ocl_list *list, const struct dal_subject *processor,
                         const char *device, int strict, int *number, int *sub)
{
    char known[1024];
    int found = dal__ocl_find(list, device);
    *number = found;
    if (found >= 0 && *sub >= 0 && (cl_uint)*sub <= list->info[found].sub_devices)
        return DAL_OK;
    if (strict || list->count == 0) {
        if (found < 0)
            return refuse_identifier(list, processor, device);
        dal_log(processor->failures,
                "processor '%s': OpenCL device '%s' has no sub-device %d, only %u", processor->name,
                device, *sub, (unsigned)list->info[found].sub_devices);
        return DAL_ERR_NODEVICE;
    }
    list_identifiers(list, known, sizeof(known));
    dal_log(DAL_LOG_WARNING,
            "processor '%s': this machine has no OpenCL device '%s%s'; '%s' is used instead; "
            "it has: %s",
            processor->name, device, found >= 0 ? " with that sub-device" : "",
            list->info[0].identifier, known);
    *number = 0;
    *sub = 0;
    return DAL_OK;
}

/* Sub-devices made so far. Each is kept until the program ends, for whoever opens it next: PoCL
 * 3.1's workers still look at one for a moment after the last event on it has completed and
 * everything made from it has been released. Main thread. */
struct kept_sub_device {
    cl_device_id parent, id;
    int number;
    struct kept_sub_device *next;
};
static struct kept_sub_device *kept_sub_devices;

/* The m-th of the sub-devices of one compute unit; the others are given back. */
static int make_sub_device(const struct dal_ocl_info *parent, int m, cl_device_id *id)
{
    const struct dal_subject subject = {parent->identifier, parent->failures};
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id *made;
    cl_uint count = 0;
    int error;

    *id = NULL;
    if (DAL_CL_FOR(&subject, clCreateSubDevices, (parent->device_id, equally, 0, NULL, &count)) < 0)
        return DAL_ERR_OPENCL;
    made = dal_calloc(count, sizeof(*made));
    if (!made)
        return DAL_ERR_NOMEM;
    error =
        DAL_CL_FOR(&subject, clCreateSubDevices, (parent->device_id, equally, count, made, NULL));
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

/* The same one for the same parent and number. */
static int take_sub_device(const struct dal_ocl_info *parent, int m, cl_device_id *id)
{
    struct kept_sub_device *kept;
    int error;
    for (kept = kept_sub_devices; kept; kept = kept->next)
        if (kept->parent == parent->device_id && kept->number == m) {
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
        .parent = parent->device_id, .id = *id, .number = m, .next = kept_sub_devices};
    kept_sub_devices = kept;
    return DAL_OK;
}

static int copy_names(struct dal_ocl_info *info, const struct dal_ocl_info *from, int sub)
{
    info->identifier =
        sub ? dal_format("%s_SUB%d", from->identifier, sub) : dal_strdup(from->identifier);
    info->wildcard = sub ? dal_format("%s_SUB%d", from->wildcard, sub) : dal_strdup(from->wildcard);
    return info->identifier && info->wildcard ? DAL_OK : DAL_ERR_NOMEM;
}

/* Fills in a device; its context comes later, when all devices of the platform are known. */
static int device_init(struct dal_ocl_device *device, const struct dal_ocl_info *from,
                       const char *processor, int sub)
{
    int error = DAL_OK;
    device->processor = processor;
    device->id = device->whole = from->device_id;
    if (sub)
        error = take_sub_device(from, sub, &device->id);
    if (error == DAL_OK)
        device->sub_device = sub;
    if (error == DAL_OK)
        error = dal__ocl_info_init(&device->info, from->platform_id, device->id, from->failures);
    if (error == DAL_OK)
        error = copy_names(&device->info, from, sub);
    return error;
}

static void device_finish(struct dal_ocl_device *device)
{
    dal__ocl_programs_finish(device);
    dal__ocl_info_finish(&device->info);
    *device = (struct dal_ocl_device){0};
}

/* The number in devices[] of an identifier opened before, -1 for a new one. */
static int opened_before(const struct dal_ocl *ocl, const char *identifier)
{
    for (int i = 0; i < ocl->device_count; i++)
        if (strcmp(ocl->identifiers[i], identifier) == 0)
            return i;
    return -1;
}

static int open_one(struct dal_ocl *ocl, const struct dal_ocl_list *list, const char *identifier,
                    const struct dal_subject *processor, int strict)
{
    char *device = NULL, *whole = NULL;
    int error, number, sub, before;

    error = dal__ocl_identifier(identifier, &device, &sub);
    if (error != DAL_OK)
        return error;
    whole = sub ? dal_format("%s_SUB%d", device, sub) : dal_strdup(device);
    error = whole ? DAL_OK : DAL_ERR_NOMEM;
    before = whole ? opened_before(ocl, whole) : -1;
    if (before < 0 && error == DAL_OK)
        error = choose_device(list, processor, device, strict, &number, &sub);
    if (before < 0 && error == DAL_OK) {
        before = ocl->device_count++;
        ocl->identifiers[before] = whole;
        whole = NULL;
        error = device_init(&ocl->devices[before], &list->info[number], processor->name, sub);
    }
    if (error == DAL_OK)
        ocl->device_of[ocl->count++] = before;
    dal_free(device);
    dal_free(whole);
    return error;
}

/* One context of all open devices of devices[first]'s platform, each once. */
static int open_context(struct dal_ocl *ocl, int first)
{
    cl_platform_id platform = ocl->devices[first].info.platform_id;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    struct dal_ocl_context *context = &ocl->contexts[ocl->context_count];
    const struct dal_ocl_info *info = &ocl->devices[first].info;
    const struct dal_subject subject = {info->platform, info->failures};
    cl_device_id *ids = dal_calloc((size_t)ocl->device_count, sizeof(*ids));
    cl_uint count = 0;
    int error;

    if (!ids)
        return DAL_ERR_NOMEM;
    for (int i = first; i < ocl->device_count; i++) {
        cl_uint same = 0;
        while (same < count && ids[same] != ocl->devices[i].id)
            same++;
        if (ocl->devices[i].info.platform_id == platform && same == count)
            ids[count++] = ocl->devices[i].id;
    }
    error = DAL_CL_NEW(&subject, context->context, clCreateContext,
                       (properties, count, ids, NULL, NULL, &error));
    dal_free(ids);
    if (error != DAL_OK)
        return error;
    ocl->context_count++;
    for (int i = first; i < ocl->device_count; i++)
        if (ocl->devices[i].info.platform_id == platform)
            ocl->devices[i].context = context->context;
    return DAL_OK;
}

static int open_all(struct dal_ocl *ocl, const struct dal_ocl_list *list,
                    const char *const *identifiers, const char *const *processors, int count,
                    int strict)
{
    int error = DAL_OK;
    for (int i = 0; error == DAL_OK && i < count; i++) {
        const struct dal_subject processor = {processors[i], ocl->failures};
        error = open_one(ocl, list, identifiers[i], &processor, strict);
    }
    for (int i = 0; error == DAL_OK && i < ocl->device_count; i++)
        if (!ocl->devices[i].context)
            error = open_context(ocl, i);
    return error;
}

static struct dal_ocl *make_ocl(int count, enum dal_log_level failures)
{
    size_t n = count > 0 ? (size_t)count : 1;
    struct dal_ocl *ocl = dal_calloc(1, sizeof(*ocl));
    if (!ocl)
        return NULL;
    ocl->failures = failures;
    ocl->devices = dal_calloc(n, sizeof(*ocl->devices));
    ocl->identifiers = dal_calloc(n, sizeof(*ocl->identifiers));
    ocl->device_of = dal_calloc(n, sizeof(*ocl->device_of));
    ocl->contexts = dal_calloc(n, sizeof(*ocl->contexts));
    if (ocl->devices && ocl->identifiers && ocl->device_of && ocl->contexts)
        return ocl;
    dal_ocl_destroy(ocl);
    return NULL;
}

int dal_ocl_open(struct dal_ocl **ocl, const char *const *identifiers,
                 const char *const *processors, int count, int strict, enum dal_log_level failures)
{
    struct dal_ocl_list list;
    struct dal_ocl *made;
    int error;

    *ocl = NULL;
    error = dal_ocl_list_init(&list, failures);
    if (error != DAL_OK)
        return error;
    made = make_ocl(count, failures);
    error = made ? open_all(made, &list, identifiers, processors, count, strict) : DAL_ERR_NOMEM;
    dal_ocl_list_finish(&list);
    if (error != DAL_OK) {
        dal_ocl_destroy(made);
        return error;
    }
    *ocl = made;
    return DAL_OK;
}

void dal_ocl_destroy(struct dal_ocl *ocl)
{
    if (!ocl)
        return;
    for (int i = 0; i < ocl->context_count; i++)
        clReleaseContext(ocl->contexts[i].context);
    for (int i = 0; i < ocl->device_count; i++) {
        device_finish(&ocl->devices[i]);
        dal_free(ocl->identifiers[i]);
    }
    dal_free(ocl->devices);
    dal_free(ocl->identifiers);
    dal_free(ocl->device_of);
    dal_free(ocl->contexts);
    dal_free(ocl);
}

struct dal_ocl_device *dal_ocl_device(struct dal_ocl *ocl, int i)
{
    return &ocl->devices[ocl->device_of[i]];
}

int dal_ocl_share_memory(const struct dal_ocl_device *a, const struct dal_ocl_device *b)
{
    return a->context == b->context &&
           (a->whole == b->whole || (a->info.unified && b->info.unified));
}
