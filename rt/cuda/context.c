/* Open devices: their contexts, and which can reach each other's memory. */
#include "rt/backend/device.h"
#include "rt/base/alloc.h"
#include "rt/cuda/backend.h"
#include "rt/cuda/device.h"
#include "rt/cuda/graph.h"

/* ---- the context of a thread ------------------------------------------------------------------
 */

/* The next context may have the address of one that has ended, so each opening has a number. */
static atomic_ulong openings;

static _Thread_local struct {
    CUcontext context;
    unsigned long opening;
    CUcontext before; /* the thread's own, while `is_kept` */
    int is_kept;
} entered;

static void set_context(CUcontext context)
{
    DAL_CU_FREE(cuCtxSetCurrent, (context));
    entered.context = NULL;
}

static void keep_own_context(void)
{
    if (!entered.is_kept)
        DAL_CU_FREE(cuCtxGetCurrent, (&entered.before));
    entered.is_kept = 1;
}

int dal__cuda_enter_anew(const struct dal_cuda_device *device, const struct dal_subject *subject)
{
    int status;
    keep_own_context();
    status = DAL_CU(subject, cuCtxSetCurrent, (device->context));
    entered.context = status < 0 ? NULL : device->context;
    entered.opening = atomic_load_explicit(&openings, memory_order_relaxed);
    return status;
}

int dal__cuda_enter(const struct dal_cuda_device *device, const struct dal_subject *subject)
{
    if (entered.context == device->context &&
        entered.opening == atomic_load_explicit(&openings, memory_order_relaxed))
        return DAL_OK;
    return dal__cuda_enter_anew(device, subject);
}

void dal__cuda_enter_quietly(const struct dal_cuda_device *device)
{
    keep_own_context();
    set_context(device->context);
}

void dal__cuda_leave(void)
{
    if (entered.is_kept)
        set_context(entered.before);
    entered.before = NULL;
    entered.is_kept = 0;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static int open_device(struct dal_cuda_device *device, const struct dal_device_info *from,
                       const char *processor, enum dal_log_level failures)
{
    struct dal_subject subject;
    int ordinal = (int)(intptr_t)from->native[0], status;
    /* The driver knows its devices by ordinals, so these tell them apart. */
    device->device.id = device->device.whole = (const void *)(intptr_t)(ordinal + 1);
    device->device.backend = &dal_backend_cuda;
    device->device.processor = processor;
    device->device.context = device->opened;
    device->ordinal = ordinal;
    device->programs.compiler = &dal__cuda_compiler;
    status = dal__cuda_info_init(&device->device.info, ordinal, failures);
    if (status == DAL_OK)
        status = dal_device_name_open(&device->device.info, from, 0);
    if (status < 0)
        return status;
    subject = (struct dal_subject){device->device.info.identifier, failures};
    status = dal__cuda_architecture(ordinal, &subject, &device->architecture);
    if (status == DAL_OK)
        status = DAL_CU(&subject, cuDevicePrimaryCtxRetain, (&device->context, ordinal));
    return status;
}

/* Lets one device reach the other's memory, one way. An earlier opening may have done so already.
 * Where the driver refuses, as it may for a ninth peer, channels go through the host. */
static int enable_peer(const struct dal_cuda_device *from, const struct dal_cuda_device *to,
                       unsigned char *reaches)
{
    const struct dal_subject subject = {from->device.info.identifier, from->device.info.failures};
    const struct dal_subject said = {subject.name, DAL_LOG_NOTE};
    int code, status = dal__cuda_enter_anew(from, &subject);
    if (status < 0)
        return status;
    code = DAL_CU_TRY(cuCtxEnablePeerAccess, (to->context, 0));
    *reaches = code == CUDA_SUCCESS || code == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    if (!*reaches)
        (void)dal__cuda_check(&said, "cuCtxEnablePeerAccess", code);
    return DAL_OK;
}

static int find_peer(struct dal_cuda_opened *opened, int from, int to)
{
    const struct dal_cuda_device *a = &opened->devices[from], *b = &opened->devices[to];
    const struct dal_subject subject = {a->device.info.identifier, a->device.info.failures};
    unsigned char *reaches = &opened->reaches[from * opened->count + to];
    int can = 0, status;
    *reaches = a->ordinal == b->ordinal;
    if (*reaches)
        return DAL_OK;
    status = DAL_CU(&subject, cuDeviceCanAccessPeer, (&can, a->ordinal, b->ordinal));
    return status < 0 || !can ? status : enable_peer(a, b, reaches);
}

static int find_peers(struct dal_cuda_opened *opened)
{
    int status = DAL_OK;
    for (int from = 0; from < opened->count; from++)
        for (int to = 0; status == DAL_OK && to < opened->count; to++)
            status = find_peer(opened, from, to);
    return status;
}

static struct dal_cuda_opened *make_opened(int count)
{
    size_t n = count > 0 ? (size_t)count : 1;
    struct dal_cuda_opened *opened = dal_calloc(1, sizeof(*opened));
    if (!opened)
        return NULL;
    pthread_mutex_init(&opened->lock, NULL);
    opened->devices = dal_calloc(n, sizeof(*opened->devices));
    opened->reaches = dal_calloc(n, n);
    if (opened->devices && opened->reaches)
        return opened;
    dal__cuda_close(opened);
    return NULL;
}

int dal__cuda_open(void **opened, const struct dal_device_list *list,
                   struct dal_device_request *requests, int count, enum dal_log_level failures)
{
    struct dal_cuda_opened *made = make_opened(count);
    int status = made ? DAL_OK : DAL_ERR_NOMEM;
    *opened = NULL;
    atomic_fetch_add_explicit(&openings, 1, memory_order_relaxed);
    for (int i = 0; status == DAL_OK && i < count; i++) {
        struct dal_cuda_device *device = &made->devices[made->count++];
        device->opened = made;
        device->number = i;
        pthread_mutex_init(&device->lock, NULL);
        status = open_device(device, &list->info[requests[i].number], requests[i].processor,
                             failures); /* no device has sub-devices */
        requests[i].device = &device->device;
    }
    if (status == DAL_OK)
        status = find_peers(made);
    if (status < 0)
        dal__cuda_close(made);
    else
        *opened = made;
    return status;
}

static void close_device(struct dal_cuda_device *device)
{
    if (device->context) {
        dal__cuda_enter_quietly(device);
        dal_programs_finish(&device->programs, &device->device);
        dal__cuda_events_finish(device);
        set_context(NULL);
        DAL_CU_FREE(cuDevicePrimaryCtxRelease_v2, (device->ordinal));
    }
    pthread_mutex_destroy(&device->lock);
    dal_device_info_finish(&device->device.info);
}

void dal__cuda_close(void *opened)
{
    struct dal_cuda_opened *made = opened;
    if (!made)
        return;
    for (int i = 0; i < made->count; i++)
        close_device(&made->devices[i]);
    dal__cuda_leave();
    if (made->count > 0)
        dal__cuda_say_graphs();
    pthread_mutex_destroy(&made->lock);
    dal_free(made->devices);
    dal_free(made->reaches);
    dal_free(made);
}

/* Asks both ways: either device may have the buffer. */
int dal__cuda_share_memory(const struct dal_device *a, const struct dal_device *b)
{
    const struct dal_cuda_device *one = dal__cuda_device(a), *other = dal__cuda_device(b);
    const struct dal_cuda_opened *opened = one->opened;
    if (one->ordinal == other->ordinal)
        return 1;
    return opened == other->opened &&
           opened->reaches[one->number * opened->count + other->number] &&
           opened->reaches[other->number * opened->count + one->number];
}
