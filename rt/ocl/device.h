/* Declarations that the files of rt/ocl share; no other includes it. rt/backend/backend.h explains
 * the operations. */
#pragma once

#include "rt/ocl/ocl.h"

/* Returns the major version of "OpenCL <major>.<minor> ...", 0 for any other text. */
int dal__ocl_major(const char *version);

/*
 * Sets all properties that the device `id` reports; identifier and wildcard stay NULL. Returns
 * DAL_OK, DAL_ERR_NOMEM or DAL_ERR_DEVICE, or an error of dal_device_mask_answers(); an error
 * leaves nothing to free.
 */
int dal__ocl_info_init(struct dal_device_info *info, cl_platform_id platform, cl_device_id id,
                       enum dal_log_level failures);

static inline cl_platform_id dal__ocl_platform(const struct dal_device_info *info)
{
    return info->native[0];
}

static inline cl_device_id dal__ocl_id(const struct dal_device_info *info)
{
    return info->native[1];
}

extern const struct dal_compiler dal__ocl_compiler; /* program.c */

/* ---- operations that are not in operations.c ------------------------------------------------- */

/* device.c */
int dal__ocl_list(struct dal_device_list *list, enum dal_log_level failures);

/* context.c */
int dal__ocl_open(void **opened, const struct dal_device_list *list,
                  struct dal_device_request *requests, int count, enum dal_log_level failures);
void dal__ocl_close(void *opened);
