/* Devices and kernels for suites, in few words; DAL_TEST_BACKEND=CAPABILITY: of that backend. */
#pragma once

#include "rt/devices/devices.h"

#include <stdlib.h>

/* OpenCL without a word of another; NULL for one that this build does not have. */
static inline const struct dal_backend *suite_backend(void)
{
    const char *capability = getenv("DAL_TEST_BACKEND");
    return dal_backend_of(capability ? capability : "OPENCL");
}

/* Opens a device, strictly, for a processor "test". */
static inline int suite_open(struct dal_devices **devices, const char *identifier)
{
    const struct dal_device_wish wish = {suite_backend(), identifier, "test"};
    return dal_devices_open(devices, &wish, 1, 1, DAL_LOG_ERROR);
}

/* Waits for what it reads, also where a call fails: `host` may go then. */
static inline int suite_read(const struct dal_backend *backend, dal_commands commands,
                             dal_memory memory, void *host, size_t bytes)
{
    int status =
        backend->read(commands, DAL_SUBJECT("test"), memory, 0, host, bytes, NULL, 0, NULL);
    if (status == DAL_OK)
        status = backend->finish(commands, DAL_SUBJECT("test"));
    if (status < 0)
        backend->finish(commands, NULL);
    return status;
}
