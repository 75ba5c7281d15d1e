/* The table of operations. */
#include "rt/cuda/backend.h"

#include "rt/backend/device.h"
#include "rt/cuda/device.h"

const struct dal_backend dal_backend_cuda = {
    .name = "CUDA",
    .capability = "CUDA",
    .list = dal__cuda_list,
    .list_finish = dal_device_list_finish,
    .open = dal__cuda_open,
    .close = dal__cuda_close,
    .share_memory = dal__cuda_share_memory,
    .memory = dal__cuda_memory,
    .memory_free = dal__cuda_memory_free,
    .shared_memory = dal__cuda_shared_memory,
    .shared_memory_free = dal__cuda_shared_memory_free,
    .pinned = dal__cuda_pinned,
    .pinned_free = dal__cuda_pinned_free,
    .map = dal__cuda_map,
    .unmap = dal__cuda_unmap,
    .commands = dal__cuda_commands,
    .commands_free = dal__cuda_commands_free,
    .flush = dal__cuda_flush,
    .finish = dal__cuda_finish,
    .marker = dal__cuda_marker,
    .barrier = dal__cuda_barrier,
    .write = dal__cuda_write,
    .read = dal__cuda_read,
    .copy = dal__cuda_copy,
    .state = dal__cuda_state,
    .times = dal__cuda_times,
    .retain = dal__cuda_retain,
    .release = dal__cuda_release,
    .call_back = dal__cuda_call_back,
    .function = dal__cuda_function,
    .function_free = dal__cuda_function_free,
    .function_limits = dal__cuda_function_limits,
    .fits = dal__cuda_fits,
    .set_memory = dal__cuda_set_memory,
    .set_value = dal__cuda_set_value,
    .launch = dal__cuda_launch,
};
