/*
 * The parts of the CUDA driver and of its run-time compiler, NVRTC, that are used: types, constants
 * and functions. They are declared here, so nothing of CUDA is needed to build. Both are libraries
 * that are loaded when they are wanted (driver.c). Names, numbers and layouts are those of the CUDA
 * driver API [CUDA-driver] and of NVRTC [NVRTC], the same in all versions from CUDA 11.2 on.
 *
 * The functions are lists, DAL_CUDA_DRIVER_CALLS(X) and DAL_CUDA_COMPILER_CALLS(X), of X(name,
 * (parameters)); all return an int, 0 for success. The tables of pointers and the names to look up
 * come from them, as do the prototypes of a stand-in for tests.
 */
#pragma once

#include <stddef.h>

/* ---- the driver, libcuda.so.1 ------------------------------------------------------------------
 */

typedef int CUdevice; /* an ordinal */
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef void (*CUstreamCallback)(CUstream stream, int status, void *data);

/* Results. The driver knows the names of all. */
enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_INVALID_SOURCE = 300,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_UNKNOWN = 999,
};

/* Attributes for cuDeviceGetAttribute(). */
enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8, /* without asking for more */
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
};

/* Attributes for cuFuncGetAttribute(). */
enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1, /* static */
};

enum { CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2 };
enum { CU_MEMHOSTALLOC_PORTABLE = 1 };
enum { CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1 };

/* Functions of the driver, with the suffix of the version that has these parameters. */
#define DAL_CUDA_DRIVER_CALLS(X)                                                                   \
    X(cuInit, (unsigned flags))                                                                    \
    X(cuDriverGetVersion, (int *version)) /* 1000 * major + 10 * minor, of CUDA */                 \
    X(cuGetErrorName, (int error, const char **name))                                              \
    X(cuDeviceGetCount, (int *count))                                                              \
    X(cuDeviceGet, (CUdevice * device, int ordinal))                                               \
    X(cuDeviceGetName, (char *name, int bytes, CUdevice device))                                   \
    X(cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))                          \
    X(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                                      \
    X(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))                           \
    X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                            \
    X(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                             \
    X(cuCtxGetCurrent, (CUcontext * context))                                                      \
    X(cuCtxSetCurrent, (CUcontext context))                                                        \
    X(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags)) /* from the current one */          \
    X(cuMemAlloc_v2, (CUdeviceptr * memory, size_t bytes))                                         \
    X(cuMemFree_v2, (CUdeviceptr memory))                                                          \
    X(cuMemHostAlloc, (void **host, size_t bytes, unsigned flags))                                 \
    X(cuMemFreeHost, (void *host))                                                                 \
    X(cuMemsetD8Async, (CUdeviceptr memory, unsigned char value, size_t bytes, CUstream stream))   \
    X(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))     \
    X(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))           \
    X(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))     \
    X(cuStreamCreate, (CUstream * stream, unsigned flags))                                         \
    X(cuStreamDestroy_v2, (CUstream stream))                                                       \
    X(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                         \
    X(cuStreamAddCallback,                                                                         \
      (CUstream stream, CUstreamCallback callback, void *data, unsigned flags))                    \
    X(cuEventCreate, (CUevent * event, unsigned flags))                                            \
    X(cuEventDestroy_v2, (CUevent event))                                                          \
    X(cuEventRecord, (CUevent event, CUstream stream))                                             \
    X(cuEventQuery, (CUevent event))                                                               \
    X(cuEventSynchronize, (CUevent event))                                                         \
    X(cuEventElapsedTime, (float *milliseconds, CUevent begin, CUevent end))                       \
    X(cuModuleLoadData, (CUmodule * module, const void *image)) /* cubin, or PTX ended by 0 */     \
    X(cuModuleUnload, (CUmodule module))                                                           \
    X(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))             \
    X(cuFuncGetAttribute, (int *value, int attribute, CUfunction function))                        \
    X(cuLaunchKernel, (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,     \
                       unsigned block_x, unsigned block_y, unsigned block_z,                       \
                       unsigned shared_bytes, CUstream stream, void **arguments, void **extra))    \
    X(cuStreamBeginCapture_v2, (CUstream stream, int mode))                                        \
    X(cuStreamEndCapture, (CUstream stream, CUgraph * graph))                                      \
    X(cuGraphInstantiateWithFlags,                                                                 \
      (CUgraphExec * executable, CUgraph graph, unsigned long long flags))                         \
    X(cuGraphLaunch, (CUgraphExec executable, CUstream stream))                                    \
    X(cuGraphExecDestroy, (CUgraphExec executable))                                                \
    X(cuGraphDestroy, (CUgraph graph))

/* Functions that older drivers lack: their pointers are NULL then. */
#define DAL_CUDA_DRIVER_EXTRAS(X)                                                                  \
    X(cuFuncGetParamInfo, (CUfunction function, size_t number, size_t * offset, size_t * bytes))

/* ---- NVRTC, libnvrtc.so ------------------------------------------------------------------------
 */

typedef struct _nvrtcProgram *nvrtcProgram;

enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
};

#define DAL_CUDA_COMPILER_CALLS(X)                                                                 \
    X(nvrtcVersion, (int *major, int *minor))                                                      \
    X(nvrtcGetNumSupportedArchs, (int *count))                                                     \
    X(nvrtcGetSupportedArchs, (int *architectures)) /* 90 for compute_90 */                        \
    X(nvrtcCreateProgram, (nvrtcProgram * program, const char *text, const char *name,             \
                           int headers, const char *const *texts, const char *const *names))       \
    X(nvrtcDestroyProgram, (nvrtcProgram * program))                                               \
    X(nvrtcCompileProgram, (nvrtcProgram program, int count, const char *const *options))          \
    X(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t * bytes)) /* with the 0 at its end */  \
    X(nvrtcGetProgramLog, (nvrtcProgram program, char *log))                                       \
    X(nvrtcGetCUBINSize, (nvrtcProgram program, size_t * bytes)) /* 0 when it made PTX alone */    \
    X(nvrtcGetCUBIN, (nvrtcProgram program, char *cubin))                                          \
    X(nvrtcGetPTXSize, (nvrtcProgram program, size_t * bytes)) /* with the 0 at its end */         \
    X(nvrtcGetPTX, (nvrtcProgram program, char *ptx))

/* ---- loading -----------------------------------------------------------------------------------
 */

#define DAL__CUDA_POINTER(name, parameters) int(*name) parameters;
struct dal_cuda_driver {
    DAL_CUDA_DRIVER_CALLS(DAL__CUDA_POINTER)
    DAL_CUDA_DRIVER_EXTRAS(DAL__CUDA_POINTER)
};
struct dal_cuda_compiler {
    DAL_CUDA_COMPILER_CALLS(DAL__CUDA_POINTER)
};
#undef DAL__CUDA_POINTER

/*
 * Return the loaded libraries; NULL where there is none. The first call loads them, and they stay,
 * since a driver may have threads. The environment variables DAL_CUDA_DRIVER and DAL_CUDA_COMPILER
 * name other files; "off" is none. A note tells that a library which was named is not there. A note
 * also names a needed function that a library lacks. Main thread.
 */
const struct dal_cuda_driver *dal_cuda_driver(void);
const struct dal_cuda_compiler *dal_cuda_compiler(void);
