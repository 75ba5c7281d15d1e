/* The OpenCL backend, as rt/devices knows it. */
#ifndef DAL_RT_OCL_BACKEND_H
#define DAL_RT_OCL_BACKEND_H

#include "rt/backend/backend.h"

extern const struct dal_backend dal_backend_opencl;

#endif
