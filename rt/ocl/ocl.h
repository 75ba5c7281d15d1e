/*
 * OpenCL, as far as the rest needs it: finding devices by identifier, one context a platform,
 * in-order queues, programs, and errors by name.
 *
 * Only rt/ocl and the OpenCL files of channels/ and rt/ include CL/cl.h; they get it from here.
 * Every call is checked with DAL_CL. Nothing is used on a device without a query for it: the
 * answers are in struct dal_ocl_info.
 */
#ifndef DAL_RT_OCL_OCL_H
#define DAL_RT_OCL_OCL_H

#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <stddef.h>
#include <stdint.h>

#include "rt/base/error.h"

/* What a device says of itself; all strings live as long as the list or device they belong to. */
struct dal_ocl_info {
    char *identifier; /* <CPU|GPU|ACC>_<vendor id>_<name without white space>_DEV<n>, n from 1,
                         counted among devices of the same type, vendor id and name over all
                         platforms in the loader's order */
    char *wildcard;   /* <CPU|GPU|ACC>_DEV<n>, n counted among all devices of the type */
    char *name, *vendor, *platform, *platform_version, *version, *driver;
    cl_device_type type; /* CPU, GPU or ACCELERATOR */
    cl_uint vendor_id;
    cl_uint compute_units;
    size_t max_work_group;    /* work-items */
    size_t max_work_items[3]; /* by dimension */
    size_t align_bytes;       /* CL_DEVICE_MEM_BASE_ADDR_ALIGN, in bytes */
    uint64_t local_bytes, global_bytes, max_alloc_bytes;
    int unified;                 /* CL_DEVICE_HOST_UNIFIED_MEMORY */
    int fine_svm;                /* OpenCL 2.0 or newer and CL_DEVICE_SVM_FINE_GRAIN_BUFFER */
    int rounds_division;         /* float division and sqrt can be correctly rounded:
                                    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT; kernels are built so then */
    int foreign_events;          /* commands may wait for another device's events: not on PoCL's
                                    single-threaded devices, which can lock up in the notification */
    cl_uint sub_devices;         /* most that clCreateSubDevices makes, 0 for none */
    enum dal_log_level failures; /* of calls that ask or open it, in messages */
    cl_platform_id platform_id;
    cl_device_id device_id;
};

/* All devices of all platforms: GPUs first, then accelerators, then CPUs, each in the loader's
 * order. A platform without devices is passed over. No platform at all is an empty list and no
 * error. Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_OPENCL, logged as `failures` says; the caller
 * finishes the list on DAL_OK.
 */
struct dal_ocl_list {
    struct dal_ocl_info *info;
    size_t count;
};
int dal_ocl_list_init(struct dal_ocl_list *list, enum dal_log_level failures);
void dal_ocl_list_finish(struct dal_ocl_list *list);

struct dal_ocl_context; /* one a platform */
struct dal_ocl_program; /* one a text and options */

struct dal_ocl_device {
    struct dal_ocl_info info; /* of the device itself when it is a sub-device */
    const char *processor;    /* name of the processor mapped to it, for messages */
    cl_device_id id;
    cl_device_id whole;               /* what a sub-device is a part of; else `id` */
    cl_context context;               /* shared by all open devices of the platform */
    int sub_device;                   /* m of _SUB<m>, 0 without */
    struct dal_ocl_program *programs; /* made so far */
    int built, loaded;                /* those that were compiled, and taken from the disk cache */
    int64_t ready_ns;                 /* what all of that took */
};

struct dal_ocl; /* all open devices */

/*
 * Opens devices by identifier (or wildcard), `_SUB<m>` making a sub-device of one compute unit,
 * the m-th. White space in an identifier does not count. A device that this machine does not have
 * is replaced, with a warning that names both and lists what there is, by the first device of the
 * list; with `strict`, or with no device at all, it is DAL_ERR_NODEVICE. Two identifiers that mean
 * the same device share one struct dal_ocl_device only when they are equal.
 * processors[i] is the name of the i-th for messages; `failures` says what these are. Main thread.
 * On success *ocl is destroyed by the caller after everything made from it.
 */
int dal_ocl_open(struct dal_ocl **ocl, const char *const *identifiers,
                 const char *const *processors, int count, int strict, enum dal_log_level failures);
void dal_ocl_destroy(struct dal_ocl *ocl); /* accepts NULL */

/* The i-th identifier's device; owned by ocl. */
struct dal_ocl_device *dal_ocl_device(struct dal_ocl *ocl, int i);

/* Do kernels of both reach one buffer where it is? They do in one context, as parts of one device
 * or in the host's memory. Between other devices a driver moves all of the buffer back and forth.
 */
int dal_ocl_share_memory(const struct dal_ocl_device *a, const struct dal_ocl_device *b);

/* An in-order queue, with profiling when asked for. The caller releases it. */
int dal_ocl_queue(struct dal_ocl_device *device, int profiling, cl_command_queue *queue);

/*
 * Makes a kernel for a device. Its program is built once for a text with the same options, and kept
 * as long as the device is open; its binary is kept on disk (rt/ocl/cache.h), and taken from there
 * at the next start. Float division and sqrt are correctly rounded where the device
 * can. A build failure logs the compiler's messages as `file:line: error: [kernel-build] message`
 * where the log has a place, and the raw log otherwise. It is DAL_ERR_BUILD when something is wrong
 * with the source or its options: that is an error where others are warnings, for nothing makes up
 * for it. DAL_ERR_LIMIT is a kernel that wants more than the device has, DAL_ERR_OPENCL a driver
 * that could not build, DAL_ERR_NOMEM memory. Main thread. The caller releases *kernel.
 */
int dal_ocl_kernel(struct dal_ocl_device *device, const struct dal_subject *process,
                   const char *file, const char *text, const char *options, const char *name,
                   cl_kernel *kernel);

/*
 * Whether a text that builds also does with -D`macro`=`limit`, for texts that then build only if
 * something is not above that limit. 1 when it does, also when the largest limit makes no
 * difference; 0 when it is above; DAL_ERR_OPENCL and DAL_ERR_NOMEM. Main thread.
 */
int dal_ocl_fits(struct dal_ocl_device *device, const struct dal_subject *process, const char *text,
                 const char *options, const char *macro, uint64_t limit);

/* Whether kernels that build show their compiler's warnings about the user's lines. Otherwise there
 * are warnings only of sources whose options ask for them. Before the first kernel. */
void dal_ocl_want_warnings(int wanted);

/* Name of an OpenCL error code, "CL_OUT_OF_RESOURCES"; never NULL. */
const char *dal_ocl_error(cl_int code);

/*
 * DAL_CL(object, clCall, (arguments)) evaluates to DAL_OK, or logs
 * "OBJECT: clCall: CL_NAME (code)" once and evaluates to DAL_ERR_OPENCL. `object` is a string
 * that names the process, channel or device concerned. DAL_CL_FOR(subject, clCall, (arguments))
 * takes a struct dal_subject pointer instead, which also says what the message is.
 * DAL_CL_NEW(subject, result, clCall, (arguments, &error)) is for calls that return an object and
 * write a code to a variable `cl_int error` that the macro declares.
 */
#define DAL_CL(object, call, arguments)                                                            \
    DAL_CL_FOR((&(const struct dal_subject){(object), DAL_LOG_ERROR}), call, arguments)
#define DAL_CL_FOR(subject, call, arguments)                                                       \
    __extension__({                                                                                \
        cl_int dal__code = dal_ocl_fault(#call);                                                   \
        dal_ocl_check((subject), #call, dal__code ? dal__code : call arguments);                   \
    })
#define DAL_CL_NEW(subject, result, call, arguments)                                               \
    __extension__({                                                                                \
        cl_int error = dal_ocl_fault(#call);                                                       \
        (result) = error ? NULL : call arguments;                                                  \
        dal_ocl_check((subject), #call, error);                                                    \
    })
int dal_ocl_check(const struct dal_subject *subject, const char *call, cl_int code);

/* Fault injection for tests: the n-th checked call from now on fails with a code; 0 turns it off.
 * With `forever`, so do all behind it: the device has disappeared. Before threads start. */
void dal_ocl_fail_with(unsigned long n, cl_int code, int forever);
void dal_ocl_fail_at(unsigned long n); /* CL_OUT_OF_RESOURCES, once */
/* What the call is to fail with, CL_SUCCESS to be made. `call` is for dal_ocl_failed(). */
cl_int dal_ocl_fault(const char *call);
/* The call that failed so last, NULL when none did since it was told to. */
const char *dal_ocl_failed(void);

#endif
