/*
 * Programs to and from the disk cache. What an OpenCL call says here is no error: the program is
 * built from its source instead, or not kept. Main thread; for rt/ocl alone.
 */
#ifndef DAL_RT_OCL_BINARY_H
#define DAL_RT_OCL_BINARY_H

#include "rt/ocl/cache.h"
#include "rt/ocl/ocl.h"

/* The key of a text that is built with these options: a digest of both, and of what device, driver
 * and platform say of themselves. */
void dal__ocl_key(const struct dal_ocl_device *device, const char *text, const char *options,
                  struct dal_ocl_key *key);

/* 1 and a program that is ready for clCreateKernel, with the bytes of its binary; 0 where there is
 * none or the driver refuses it; DAL_ERR_NOMEM. The caller releases *program. */
int dal__ocl_load(const struct dal_ocl_device *device, const struct dal_ocl_key *key,
                  const char *options, cl_program *program, size_t *bytes);

/*
 * Keeps the binary of a built program, unless the cache has one of `kept_bytes` bytes that is as
 * large. It is best asked after the last launch: some drivers compile for a work-group's size at
 * the first launch, and add that to the binary.
 */
void dal__ocl_keep(const struct dal_ocl_device *device, const struct dal_ocl_key *key,
                   cl_program program, size_t kept_bytes);

#endif
