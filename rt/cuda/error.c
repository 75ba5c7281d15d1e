/* Checks the calls of CUDA's driver, and logs those that fail. */
#include "rt/cuda/device.h"

#include <stddef.h>

/* Returns the name of a code, never NULL. */
static const char *name_of(int code)
{
    const char *name = NULL;
    if (dal_cuda_driver()->cuGetErrorName(code, &name) != CUDA_SUCCESS || !name)
        return "unknown CUDA error";
    return name;
}

int dal__cuda_check(const struct dal_subject *subject, const char *call, int code)
{
    if (code == CUDA_SUCCESS)
        return DAL_OK;
    dal_log(subject->failures, "%s: %s: %s (%d)", subject->name, call, name_of(code), code);
    return DAL_ERR_DEVICE;
}
