/*
 * The OpenCL backend: dal_backend_opencl (backend.h), and declarations that its files
 * share. Other files include it, or CL/cl.h, only to test OpenCL itself or to compare with programs
 * written by hand for it.
 *
 * Every call is checked with DAL_CL. Nothing is used on a device without a query for it: the
 * answers are in struct dal_device_info.
 */
#pragma once

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include "rt/backend/backend.h"
#include "rt/backend/program.h"

/* An open device. */
struct dal_ocl_device {
    struct dal_device device; /* first member; its `context` and `id` are these */
    cl_device_id id;
    cl_context context; /* shared by all open devices of the platform */
    struct dal_programs programs;
};

static inline struct dal_ocl_device *dal_ocl_device(struct dal_device *device)
{
    return (struct dal_ocl_device *)device;
}

/* ---- things of a backend, which are OpenCL's ---------------------------------------------------
 */

static inline cl_mem dal_ocl_memory(dal_memory memory)
{
    return (cl_mem)memory;
}

static inline cl_command_queue dal_ocl_queue(dal_commands commands)
{
    return (cl_command_queue)commands;
}

static inline cl_event dal_ocl_event(dal_event event)
{
    return (cl_event)event;
}

static inline cl_kernel dal_ocl_kernel(dal_function function)
{
    return (cl_kernel)function;
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Returns the name of an OpenCL error code, "CL_OUT_OF_RESOURCES"; never NULL. */
const char *dal_ocl_error(cl_int code);

/*
 * DAL_CL(object, clCall, (arguments)) evaluates to DAL_OK, or logs "OBJECT: clCall: CL_NAME (code)"
 * once and evaluates to DAL_ERR_DEVICE. `object` is a string that names the process, channel or
 * device concerned. DAL_CL_FOR(subject, clCall, (arguments)) takes a struct dal_subject pointer
 * instead, which also has the message's level. DAL_CL_NEW(subject, result, clCall, (arguments,
 * &error)) is for calls that return an object and write a code to a variable `cl_int error` that
 * the macro declares.
 */
#define DAL_CL(object, call, arguments) DAL_CL_FOR(DAL_SUBJECT(object), call, arguments)
#define DAL_CL_FOR(subject, call, arguments)                                                       \
    __extension__({                                                                                \
        cl_int dal__code = dal_backend_fault(#call);                                               \
        dal_ocl_check((subject), #call, dal__code ? dal__code : call arguments);                   \
    })
#define DAL_CL_NEW(subject, result, call, arguments)                                               \
    __extension__({                                                                                \
        cl_int error = dal_backend_fault(#call);                                                   \
        (result) = error ? NULL : call arguments;                                                  \
        dal_ocl_check((subject), #call, error);                                                    \
    })
int dal_ocl_check(const struct dal_subject *subject, const char *call, cl_int code);

/* Makes the n-th checked call fail once, with CL_OUT_OF_RESOURCES. */
void dal_ocl_fail_at(unsigned long n);
