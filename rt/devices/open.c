/* Opens the devices that a network wants, chosen by identifier, through their backends. */
#include "rt/devices/devices.h"

#include "rt/backend/device.h"
#include "rt/base/alloc.h"

#include <stdio.h>
#include <string.h>

/* A distinct device: a backend and an identifier, white space removed. */
struct chosen {
    const struct dal_backend *backend;
    char *identifier;
    struct dal_device_request request;
};

struct dal_devices {
    struct chosen *chosen;
    int chosen_count;
    int *chosen_of; /* the number in chosen[] of the i-th wish */
    /* The devices that each backend has opened, all at once. */
    struct {
        const struct dal_backend *backend;
        void *opened;
    } * opened;
    int opened_count;
    int strict;
    enum dal_log_level failures; /* of opening it */
};

/* Writes "A, B, C", cut when there are very many; "none" without a device. */
static void list_identifiers(const struct dal_device_list *list, char *text, size_t bytes)
{
    size_t used = 0;
    snprintf(text, bytes, "none");
    for (size_t i = 0; i < list->count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i ? ", " : "",
                                 list->info[i].identifier);
}

/* Reports a missing device for which no other may stand in. */
static int refuse_device(const struct dal_device_list *list, const struct chosen *chosen,
                         const char *device, int found, enum dal_log_level failures)
{
    char known[1024];
    list_identifiers(list, known, sizeof(known));
    if (found < 0)
        dal_log(failures, "processor '%s': this machine has no %s device '%s'; it has: %s",
                chosen->request.processor, chosen->backend->name, device, known);
    else
        dal_log(failures, "processor '%s': %s device '%s' has no sub-device %d, only %u",
                chosen->request.processor, chosen->backend->name, device, chosen->request.sub,
                list->info[found].sub_devices);
    return DAL_ERR_NODEVICE;
}

/* Finds the device of an identifier, or one that stands in for it. chosen->request.sub is the
 * sub-device asked for. */
static int choose_device(const struct dal_devices *devices, const struct dal_device_list *list,
                         struct chosen *chosen, const char *device)
{
    char known[1024];
    int found = dal_device_find(list, device);
    chosen->request.number = found;
    if (found >= 0 && (unsigned)chosen->request.sub <= list->info[found].sub_devices)
        return DAL_OK;
    if (devices->strict || list->count == 0)
        return refuse_device(list, chosen, device, found, devices->failures);
    list_identifiers(list, known, sizeof(known));
    dal_log(DAL_LOG_WARNING,
            "processor '%s': this machine has no %s device '%s%s'; '%s' is used instead; "
            "it has: %s",
            chosen->request.processor, chosen->backend->name, device,
            found >= 0 ? " with that sub-device" : "", list->info[0].identifier, known);
    chosen->request.number = 0;
    chosen->request.sub = 0;
    return DAL_OK;
}

/* Returns the number in chosen[] of an identifier that was wished for before, -1 for a new one. */
static int chosen_before(const struct dal_devices *devices, const struct dal_backend *backend,
                         const char *identifier)
{
    for (int i = 0; i < devices->chosen_count; i++)
        if (devices->chosen[i].backend == backend &&
            strcmp(devices->chosen[i].identifier, identifier) == 0)
            return i;
    return -1;
}

/* Chooses the device of `wish`, which is the i-th. */
static int take_wish(struct dal_devices *devices, const struct dal_device_list *list,
                     const struct dal_device_wish *wish, int i)
{
    struct chosen *chosen = &devices->chosen[devices->chosen_count];
    char *device = NULL, *whole = NULL;
    int sub, before = -1, error = dal_device_split_identifier(wish->identifier, &device, &sub);
    if (error != DAL_OK)
        return error;
    whole = sub ? dal_format("%s_SUB%d", device, sub) : dal_strdup(device);
    error = whole ? DAL_OK : DAL_ERR_NOMEM;
    if (whole)
        before = chosen_before(devices, wish->backend, whole);
    if (before < 0 && error == DAL_OK) {
        before = devices->chosen_count++;
        *chosen = (struct chosen){.backend = wish->backend,
                                  .identifier = whole,
                                  .request = {.sub = sub, .processor = wish->processor}};
        whole = NULL;
        error = choose_device(devices, list, chosen, device);
    }
    devices->chosen_of[i] = before;
    dal_free(device);
    dal_free(whole);
    return error;
}

/* Opens all devices that were chosen of a backend. */
static int open_chosen(struct dal_devices *devices, const struct dal_backend *backend,
                       const struct dal_device_list *list)
{
    struct dal_device_request *requests =
        dal_calloc((size_t)devices->chosen_count, sizeof(*requests));
    int k, count = 0, error = requests ? DAL_OK : DAL_ERR_NOMEM;
    void *opened = NULL;
    for (int i = 0; requests && i < devices->chosen_count; i++)
        if (devices->chosen[i].backend == backend)
            requests[count++] = devices->chosen[i].request;
    if (error == DAL_OK)
        error = backend->open(&opened, list, requests, count, devices->failures);
    if (error == DAL_OK) {
        devices->opened[devices->opened_count].backend = backend;
        devices->opened[devices->opened_count++].opened = opened;
        for (int i = k = 0; i < devices->chosen_count; i++)
            if (devices->chosen[i].backend == backend)
                devices->chosen[i].request = requests[k++];
    }
    dal_free(requests);
    return error;
}

static int open_backend(struct dal_devices *devices, const struct dal_backend *backend,
                        const struct dal_device_wish *wishes, int count)
{
    struct dal_device_list list;
    int error = backend->list(&list, devices->failures);
    if (error != DAL_OK)
        return error;
    for (int i = 0; error == DAL_OK && i < count; i++)
        if (wishes[i].backend == backend)
            error = take_wish(devices, &list, &wishes[i], i);
    if (error == DAL_OK)
        error = open_chosen(devices, backend, &list);
    backend->list_finish(&list);
    return error;
}

static int is_opened(const struct dal_devices *devices, const struct dal_backend *backend)
{
    for (int i = 0; i < devices->opened_count; i++)
        if (devices->opened[i].backend == backend)
            return 1;
    return 0;
}

static struct dal_devices *make_devices(int count, int strict, enum dal_log_level failures)
{
    size_t n = count > 0 ? (size_t)count : 1;
    struct dal_devices *devices = dal_calloc(1, sizeof(*devices));
    if (!devices)
        return NULL;
    devices->strict = strict;
    devices->failures = failures;
    devices->chosen = dal_calloc(n, sizeof(*devices->chosen));
    devices->chosen_of = dal_calloc(n, sizeof(*devices->chosen_of));
    devices->opened = dal_calloc(n, sizeof(*devices->opened));
    if (devices->chosen && devices->chosen_of && devices->opened)
        return devices;
    dal_devices_close(devices);
    return NULL;
}

int dal_devices_open(struct dal_devices **devices, const struct dal_device_wish *wishes, int count,
                     int strict, enum dal_log_level failures)
{
    struct dal_devices *made = make_devices(count, strict, failures);
    int error = made ? DAL_OK : DAL_ERR_NOMEM;
    *devices = NULL;
    for (int i = 0; error == DAL_OK && i < count; i++)
        if (!is_opened(made, wishes[i].backend))
            error = open_backend(made, wishes[i].backend, wishes, count);
    if (error != DAL_OK) {
        dal_devices_close(made);
        return error;
    }
    *devices = made;
    return DAL_OK;
}

void dal_devices_close(struct dal_devices *devices)
{
    if (!devices)
        return;
    for (int i = 0; i < devices->opened_count; i++)
        devices->opened[i].backend->close(devices->opened[i].opened);
    for (int i = 0; i < devices->chosen_count; i++)
        dal_free(devices->chosen[i].identifier);
    dal_free(devices->chosen);
    dal_free(devices->chosen_of);
    dal_free(devices->opened);
    dal_free(devices);
}

void dal_devices_leave(const struct dal_devices *devices)
{
    for (int i = 0; devices && i < devices->opened_count; i++)
        if (devices->opened[i].backend->leave)
            devices->opened[i].backend->leave();
}

struct dal_device *dal_devices_get(struct dal_devices *devices, int i)
{
    return devices->chosen[devices->chosen_of[i]].request.device;
}
