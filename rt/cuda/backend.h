/* The CUDA backend, as rt/devices knows it. */
#pragma once

#include "rt/backend/backend.h"

extern const struct dal_backend dal_backend_cuda;
