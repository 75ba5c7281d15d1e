/* The table of operations. */
#include "rt/ocl/backend.h"

#include "rt/backend/device.h"
#include "rt/ocl/device.h"

const struct dal_backend dal_backend_opencl = {
    .name = "OpenCL",
    .capability = "OPENCL",
    .list = dal__ocl_list,
    .list_finish = dal__device_list_finish,
    .open = dal__ocl_open,
    .close = dal__ocl_close,
    .share_memory = dal__ocl_share_memory,
    .memory = dal__ocl_memory,
    .memory_free = dal__ocl_memory_free,
    .shared_memory = dal__ocl_shared_memory,
    .shared_memory_free = dal__ocl_shared_memory_free,
    .pinned = dal__ocl_pinned,
    .pinned_free = dal__ocl_pinned_free,
    .map = dal__ocl_map,
    .unmap = dal__ocl_unmap,
    .commands = dal__ocl_commands,
    .commands_free = dal__ocl_commands_free,
    .flush = dal__ocl_flush,
    .finish = dal__ocl_finish,
    .marker = dal__ocl_marker,
    .barrier = dal__ocl_barrier,
    .write = dal__ocl_write,
    .read = dal__ocl_read,
    .copy = dal__ocl_copy,
    .state = dal__ocl_state,
    .times = dal__ocl_times,
    .retain = dal__ocl_retain,
    .release = dal__ocl_release,
    .call_back = dal__ocl_call_back,
    .function = dal__ocl_function,
    .function_free = dal__ocl_function_free,
    .function_limits = dal__ocl_function_limits,
    .fits = dal__ocl_fits,
    .set_memory = dal__ocl_set_memory,
    .set_value = dal__ocl_set_value,
    .launch = dal__ocl_launch,
};
