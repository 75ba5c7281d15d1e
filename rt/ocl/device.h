/* Shared by the files of rt/ocl; nobody else includes it. Main thread. */
#ifndef DAL_RT_OCL_DEVICE_H
#define DAL_RT_OCL_DEVICE_H

#include "rt/ocl/ocl.h"

/* Major version of "OpenCL <major>.<minor> ...", 0 when the text is no such thing. */
int dal__ocl_major(const char *version);

/*
 * Fills in everything that the device `id` answers; identifier and wildcard stay NULL. Returns
 * DAL_OK, DAL_ERR_NOMEM or DAL_ERR_OPENCL, or as dal__ocl_mask(); on an error nothing is kept.
 */
int dal__ocl_info_init(struct dal_ocl_info *info, cl_platform_id platform, cl_device_id id,
                       enum dal_log_level failures);
void dal__ocl_info_finish(struct dal_ocl_info *info);

/*
 * Checking builds alone: what the variable DAL_TEST_MASK lists ("unified fine_svm"), a device says
 * no to, so that tests have the devices that a machine lacks. DAL_OK, or DAL_ERR_INVALID, logged,
 * for a word that is no such answer.
 */
#ifdef DAL_CHECKING
int dal__ocl_mask(struct dal_ocl_info *info);
#else
static inline int dal__ocl_mask(struct dal_ocl_info *info)
{
    (void)info;
    return DAL_OK;
}
#endif

/*
 * Splits an identifier: white space out, `_SUB<m>` off. *device is new and the caller's; *sub is m
 * or 0. DAL_OK or DAL_ERR_NOMEM.
 */
int dal__ocl_identifier(const char *text, char **device, int *sub);

/* Index of the device with this identifier or wildcard, -1 without one. */
int dal__ocl_find(const struct dal_ocl_list *list, const char *device);

/* Gives back a device's programs. What is new of them goes into the disk cache. */
void dal__ocl_programs_finish(struct dal_ocl_device *device);

#endif
