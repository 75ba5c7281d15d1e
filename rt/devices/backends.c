/* The backends of this build: a new one is a line here. */
#include "rt/devices/devices.h"

#include "rt/cuda/backend.h"
#include "rt/ocl/backend.h"

#include <string.h>

const struct dal_backend *const dal_backends[] = {
    &dal_backend_opencl,
    &dal_backend_cuda,
    NULL,
};

const struct dal_backend *dal_backend_of(const char *capability)
{
    int i = 0;
    while (dal_backends[i] && strcmp(dal_backends[i]->capability, capability) != 0)
        i++;
    return dal_backends[i];
}
