/* Devices and their contexts: the primary ones alone. */
#include "test/cuda/standin/standin.h"

#include <stdio.h>
#include <string.h>

static struct standin_context *contexts[STANDIN_MOST_DEVICES];
static _Thread_local struct standin_context *current;
static int initialised;

struct standin_context *standin_current(void)
{
    return current && current->retained > 0 ? current : NULL;
}

struct standin_context *standin_context(int device)
{
    return contexts[device];
}

static int known_device(CUdevice device)
{
    if (!initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    return device >= 0 && device < standin_limits.devices ? CUDA_SUCCESS
                                                          : CUDA_ERROR_INVALID_DEVICE;
}

int cuInit(unsigned flags)
{
    int result = standin_enter_any();
    if (flags)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (standin_limits.devices <= 0)
        result = CUDA_ERROR_NO_DEVICE;
    initialised = result == CUDA_SUCCESS;
    return standin_leave(result, __func__, "flags=%u", flags);
}

int cuDriverGetVersion(int *version)
{
    int result = standin_enter_any();
    *version = 12040;
    return standin_leave(result, __func__, "version=%d", *version);
}

int cuGetErrorName(int error, const char **name)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {
#define ROW(name) {name, #name}
        ROW(CUDA_SUCCESS),
        ROW(CUDA_ERROR_INVALID_VALUE),
        ROW(CUDA_ERROR_OUT_OF_MEMORY),
        ROW(CUDA_ERROR_NOT_INITIALIZED),
        ROW(CUDA_ERROR_NO_DEVICE),
        ROW(CUDA_ERROR_INVALID_DEVICE),
        ROW(CUDA_ERROR_INVALID_IMAGE),
        ROW(CUDA_ERROR_INVALID_CONTEXT),
        ROW(CUDA_ERROR_NO_BINARY_FOR_GPU),
        ROW(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED),
        ROW(CUDA_ERROR_INVALID_PTX),
        ROW(CUDA_ERROR_INVALID_SOURCE),
        ROW(CUDA_ERROR_INVALID_HANDLE),
        ROW(CUDA_ERROR_NOT_FOUND),
        ROW(CUDA_ERROR_NOT_READY),
        ROW(CUDA_ERROR_ILLEGAL_ADDRESS),
        ROW(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
        ROW(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
        ROW(CUDA_ERROR_LAUNCH_FAILED),
        ROW(CUDA_ERROR_NOT_PERMITTED),
        ROW(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
        ROW(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
        ROW(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
        ROW(CUDA_ERROR_STREAM_CAPTURE_ISOLATION),
        ROW(CUDA_ERROR_CAPTURED_EVENT),
        ROW(CUDA_ERROR_UNKNOWN),
#undef ROW
    };
    *name = NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].error == error)
            *name = names[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

int cuDeviceGetCount(int *count)
{
    int result = standin_enter_any();
    *count = standin_limits.devices;
    return standin_leave(initialised ? result : CUDA_ERROR_NOT_INITIALIZED, __func__, "count=%d",
                         *count);
}

int cuDeviceGet(CUdevice *device, int ordinal)
{
    int result = standin_enter_any();
    *device = ordinal;
    result = known_device(ordinal);
    return standin_leave(result, __func__, "ordinal=%d", ordinal);
}

int cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    int result = standin_enter_any();
    result = known_device(device);
    if (bytes > 0)
        snprintf(name, (size_t)bytes, "Stand-in for CUDA");
    return standin_leave(result, __func__, "device=%d", device);
}

static int attribute_of(int attribute, int *value)
{
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
        *value = STANDIN_THREADS;
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
        *value = 64;
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
        *value = (int)standin_limits.shared_bytes;
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = 2;
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = STANDIN_ARCHITECTURE / 10;
        return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = STANDIN_ARCHITECTURE % 10;
        return CUDA_SUCCESS;
    default:
        standin_misuse("attribute %d of devices is not known here", attribute);
        return CUDA_ERROR_INVALID_VALUE;
    }
}

int cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    int result = standin_enter_any();
    *value = 0;
    result = known_device(device);
    if (result == CUDA_SUCCESS)
        result = attribute_of(attribute, value);
    return standin_leave(result, __func__, "device=%d attribute=%d value=%d", device, attribute,
                         *value);
}

int cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    int result = standin_enter_any();
    result = known_device(device);
    *bytes = standin_limits.memory_bytes;
    return standin_leave(result, __func__, "device=%d bytes=%zu", device, *bytes);
}

int cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    int result = standin_enter_any();
    result = known_device(device);
    if (result == CUDA_SUCCESS)
        result = known_device(peer);
    *can = device != peer && standin_limits.peers;
    return standin_leave(result, __func__, "device=%d peer=%d can=%d", device, peer, *can);
}

int cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    int result = standin_enter_any();
    *context = NULL;
    result = known_device(device);
    if (result == CUDA_SUCCESS) {
        if (!contexts[device] || contexts[device]->object.dead)
            contexts[device] = standin_new(STANDIN_CONTEXT, device, sizeof(struct standin_context));
        contexts[device]->retained++;
        *context = standin_handle(contexts[device]);
    }
    return standin_leave(result, __func__, "device=%d", device);
}

/* What belongs to a context ends with it; it should have been given back before. */
static void end_context(struct standin_context *context)
{
    static const struct {
        enum standin_kind sort;
        const char *name;
    } owned[] = {{STANDIN_MEMORY, "memory"},
                 {STANDIN_STREAM, "a stream"},
                 {STANDIN_EVENT, "an event"},
                 {STANDIN_MODULE, "a module"}};
    struct standin_object *object;
    for (size_t i = 0; i < sizeof(owned) / sizeof(owned[0]); i++)
        for (unsigned n = 0; (object = standin_at(owned[i].sort, n)); n++)
            if (!object->dead && object->device == context->object.device)
                standin_misuse("device %d is closed with %s, number %u", object->device,
                               owned[i].name, n);
    standin_kill(context);
}

int cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    int result = standin_enter_any();
    struct standin_context *context;
    result = known_device(device);
    context = result == CUDA_SUCCESS ? contexts[device] : NULL;
    if (!context || context->retained == 0)
        result = CUDA_ERROR_INVALID_CONTEXT;
    else if (--context->retained == 0)
        end_context(context);
    return standin_leave(result, __func__, "device=%d", device);
}

int cuCtxSetCurrent(CUcontext context)
{
    int result = standin_enter_any();
    struct standin_context *wanted = context ? standin_get(STANDIN_CONTEXT, context) : NULL;
    if (context && !wanted)
        result = CUDA_ERROR_INVALID_CONTEXT;
    else
        current = wanted;
    return standin_leave(result, __func__, "device=%d", wanted ? wanted->object.device : -1);
}

int cuCtxGetCurrent(CUcontext *context)
{
    int result = standin_enter_any();
    *context = current ? standin_handle(current) : NULL;
    return standin_leave(result, __func__, "device=%d", current ? current->object.device : -1);
}

int cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    int result = standin_enter();
    struct standin_context *other = standin_get(STANDIN_CONTEXT, peer), *own = standin_current();
    unsigned bit = other ? 1u << other->object.device : 0;
    if (result != CUDA_SUCCESS)
        ;
    else if (!other || other == own)
        result = CUDA_ERROR_INVALID_CONTEXT;
    else if (flags)
        result = CUDA_ERROR_INVALID_VALUE;
    else if (!standin_limits.peers)
        result = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    else if (own->peers & bit)
        result = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    else
        own->peers |= bit;
    return standin_leave(result, __func__, "device=%d peer=%d", own ? own->object.device : -1,
                         other ? other->object.device : -1);
}
