/* The stand-in for CUDA by itself: what it runs, how late, in which order, and what it refuses. */
#include "test/cuda/standin/standin.h"
#include "test/suite.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MEMBER(name, parameters) int(*name) parameters;
static struct {
    DAL_CUDA_DRIVER_CALLS(MEMBER)
} cuda;
static struct {
    DAL_CUDA_COMPILER_CALLS(MEMBER)
} compiler;
#undef MEMBER

static const char *(*left)(void);
static unsigned (*misused)(void);
static unsigned (*programs)(void);

static void *symbol(void *library, const char *name)
{
    void *address = dlsym(library, name);
    if (!address) {
        fprintf(stderr, "%s is missing\n", name);
        exit(1);
    }
    return address;
}

static void *open_library(const char *name)
{
    char path[4096];
    void *library;
    snprintf(path, sizeof(path), "%s/test/cuda/standin/.libs/%s", getenv("DAL_BUILDDIR"), name);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return library;
}

#define LOAD(pointer, library, name)                                                               \
    do {                                                                                           \
        void *address = symbol(library, name);                                                     \
        memcpy(&(pointer), &address, sizeof(address));                                             \
    } while (0)
#define LOAD_DRIVER(name, parameters)   LOAD(cuda.name, driver, #name);
#define LOAD_COMPILER(name, parameters) LOAD(compiler.name, nvrtc, #name);

static void load(void)
{
    void *driver = open_library("libstandin_cuda.so"), *nvrtc = open_library("libstandin_nvrtc.so");
    DAL_CUDA_DRIVER_CALLS(LOAD_DRIVER)
    DAL_CUDA_COMPILER_CALLS(LOAD_COMPILER)
    LOAD(left, driver, "dal_standin_left");
    LOAD(misused, driver, "dal_standin_misused");
    LOAD(programs, nvrtc, "dal_standin_programs");
}

/* ---- what each test has ------------------------------------------------------------------------
 */

static const char text[] =
    "extern \"C\" {\n"
    "__global__ void add(int *a, int n, signed char c)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] += 1 + c; }\n"
    "__global__ void __launch_bounds__(64) turn(int *a, int rounds)\n"
    "{\n"
    "    __shared__ int s[64];\n"
    "    int t = threadIdx.x, n = blockDim.x;\n"
    "    for (int r = 0; r < rounds; r++) {\n"
    "        s[t] = a[blockIdx.x * n + t];\n"
    "        __syncthreads();\n"
    "        a[blockIdx.x * n + t] = s[(t + 1) % n];\n"
    "        __syncthreads();\n"
    "    }\n"
    "}\n"
    "__global__ void sum(int *a)\n"
    "{\n"
    "    int v = a[threadIdx.x];\n"
    "    for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(0xffffffffu, v, by);\n"
    "    a[threadIdx.x] = v;\n"
    "}\n"
    "__global__ void hang(int *a) { if (threadIdx.x) __syncthreads(); else __syncwarp(3); }\n"
    "__global__ void peek(int *a, const int *b) { a[0] = b[0]; }\n"
    "}\n";

static struct {
    CUcontext contexts[2];
    CUmodule modules[2];
    CUstream streams[2];
    CUdeviceptr memory[2];
    int numbers[64];
} it;

static char *cubin_of(const char *source, int *result, char *log, size_t most)
{
    static const char *const options[] = {"--gpu-architecture=sm_90"};
    nvrtcProgram program;
    char *cubin = NULL;
    size_t bytes = 0;
    CU_ASSERT_FATAL(compiler.nvrtcCreateProgram(&program, source, "t.cu", 0, NULL, NULL) == 0);
    *result = compiler.nvrtcCompileProgram(program, 1, options);
    compiler.nvrtcGetProgramLogSize(program, &bytes);
    CU_ASSERT_FATAL(bytes <= most);
    compiler.nvrtcGetProgramLog(program, log);
    if (*result == 0 && compiler.nvrtcGetCUBINSize(program, &bytes) == 0) {
        cubin = malloc(bytes);
        compiler.nvrtcGetCUBIN(program, cubin);
    }
    compiler.nvrtcDestroyProgram(&program);
    CU_ASSERT(programs() == 0);
    return cubin;
}

static void begin_with(int peers)
{
    static char *cubin;
    char log[4096];
    int result;
    CU_ASSERT_FATAL(cuda.cuInit(0) == 0);
    if (!cubin)
        cubin = cubin_of(text, &result, log, sizeof(log));
    CU_ASSERT_PTR_NOT_NULL_FATAL(cubin);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_FATAL(cuda.cuDevicePrimaryCtxRetain(&it.contexts[i], i) == 0);
        cuda.cuCtxSetCurrent(it.contexts[i]);
        CU_ASSERT_FATAL(cuda.cuModuleLoadData(&it.modules[i], cubin) == 0);
        CU_ASSERT_FATAL(cuda.cuStreamCreate(&it.streams[i], CU_STREAM_NON_BLOCKING) == 0);
        CU_ASSERT_FATAL(cuda.cuMemAlloc_v2(&it.memory[i], sizeof(it.numbers)) == 0);
    }
    for (int i = 0; peers && i < 2; i++) {
        cuda.cuCtxSetCurrent(it.contexts[i]);
        CU_ASSERT(cuda.cuCtxEnablePeerAccess(it.contexts[1 - i], 0) == 0);
    }
    cuda.cuCtxSetCurrent(it.contexts[0]);
    for (int i = 0; i < 64; i++)
        it.numbers[i] = i;
}

static int wait_for_stream(CUstream stream)
{
    CUevent event;
    int result;
    cuda.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    cuda.cuEventRecord(event, stream);
    result = cuda.cuEventSynchronize(event);
    cuda.cuEventDestroy_v2(event);
    return result;
}

static void end_all(void)
{
    for (int i = 0; i < 2; i++) {
        cuda.cuCtxSetCurrent(it.contexts[i]);
        cuda.cuStreamDestroy_v2(it.streams[i]);
        cuda.cuMemFree_v2(it.memory[i]);
        cuda.cuModuleUnload(it.modules[i]);
    }
    cuda.cuCtxSetCurrent(NULL);
    for (int i = 0; i < 2; i++)
        CU_ASSERT(cuda.cuDevicePrimaryCtxRelease_v2(i) == 0);
    CU_ASSERT_STRING_EQUAL(left(), "");
}

static int launch(int device, const char *name, unsigned grid, unsigned block, void **arguments)
{
    CUfunction function;
    cuda.cuCtxSetCurrent(it.contexts[device]);
    CU_ASSERT_FATAL(cuda.cuModuleGetFunction(&function, it.modules[device], name) == 0);
    return cuda.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, it.streams[device], arguments,
                               NULL);
}

static void upload(void)
{
    CU_ASSERT(cuda.cuMemcpyHtoDAsync_v2(it.memory[0], it.numbers, sizeof(it.numbers),
                                        it.streams[0]) == 0);
}

static void download(void)
{
    CU_ASSERT(cuda.cuMemcpyDtoHAsync_v2(it.numbers, it.memory[0], sizeof(it.numbers),
                                        it.streams[0]) == 0);
    CU_ASSERT(wait_for_stream(it.streams[0]) == 0);
}

/* ---- what it does ------------------------------------------------------------------------------
 */

static void test_kernels(void)
{
    int n = 60, rounds = 3, wrong = 0;
    signed char c = 6;
    begin_with(0);
    upload();
    CU_ASSERT(launch(0, "add", 2, 32, (void *[]){&it.memory[0], &n, &c}) == 0);
    CU_ASSERT(launch(0, "turn", 4, 16, (void *[]){&it.memory[0], &rounds}) == 0);
    download();
    for (int i = 0; i < 64; i++) {
        int from = i / 16 * 16 + (i + rounds) % 16;
        wrong += it.numbers[i] != from + (from < n ? 7 : 0);
    }
    CU_ASSERT(wrong == 0);
    end_all();
}

static void test_lanes(void)
{
    begin_with(0);
    upload();
    CU_ASSERT(launch(0, "sum", 1, 32, (void *[]){&it.memory[0]}) == 0);
    download();
    CU_ASSERT(it.numbers[0] == 31 * 16 && it.numbers[31] == 31 * 16 && it.numbers[32] == 32);
    end_all();
}

/* Nothing is done before somebody asks. */
static void test_lazy(void)
{
    CUevent event;
    int steps = 0;
    begin_with(0);
    cuda.cuEventCreate(&event, 0);
    upload();
    it.numbers[0] = 77; /* a driver may look at pageable memory late */
    cuda.cuEventRecord(event, it.streams[0]);
    while (cuda.cuEventQuery(event) == CUDA_ERROR_NOT_READY && steps < 100)
        steps++;
    CU_ASSERT(steps < 100);
    it.numbers[0] = 0;
    download();
    CU_ASSERT(it.numbers[0] == 77);
    cuda.cuEventDestroy_v2(event);
    end_all();
}

/* A missing wait is seen with some seeds, one that is there never fails. */
static int crossing(int with_wait)
{
    CUevent event;
    begin_with(1);
    upload();
    cuda.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    cuda.cuEventRecord(event, it.streams[0]);
    cuda.cuCtxSetCurrent(it.contexts[1]);
    if (with_wait)
        CU_ASSERT(cuda.cuStreamWaitEvent(it.streams[1], event, 0) == 0);
    CU_ASSERT(launch(1, "peek", 1, 1, (void *[]){&it.memory[1], &it.memory[0]}) == 0);
    it.numbers[0] = 5;
    CU_ASSERT(cuda.cuMemcpyDtoHAsync_v2(&it.numbers[1], it.memory[1], sizeof(int), it.streams[1]) ==
              0);
    CU_ASSERT(wait_for_stream(it.streams[1]) == 0);
    cuda.cuCtxSetCurrent(it.contexts[0]);
    wait_for_stream(it.streams[0]);
    cuda.cuEventDestroy_v2(event);
    end_all();
    return it.numbers[1] == 5;
}

static void test_order(void)
{
    int right = 0;
    for (int i = 0; i < 20; i++) {
        CU_ASSERT(crossing(1));
        right += crossing(0);
    }
    CU_ASSERT(right > 0 && right < 20);
}

static void test_graph(void)
{
    CUgraph graph;
    CUgraphExec executable;
    CUevent fork, join;
    int n = 64;
    signed char c = 1;
    begin_with(0);
    upload();
    cuda.cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING);
    cuda.cuEventCreate(&join, CU_EVENT_DISABLE_TIMING);
    CU_ASSERT(cuda.cuStreamBeginCapture_v2(it.streams[0], CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) ==
              0);
    CU_ASSERT(launch(0, "add", 1, 64, (void *[]){&it.memory[0], &n, &c}) == 0);
    CU_ASSERT(launch(0, "turn", 1, 64, (void *[]){&it.memory[0], &(int){1}}) == 0);
    CU_ASSERT(cuda.cuStreamEndCapture(it.streams[0], &graph) == 0);
    CU_ASSERT(cuda.cuGraphInstantiateWithFlags(&executable, graph, 0) == 0);
    cuda.cuGraphDestroy(graph);
    for (int i = 0; i < 3; i++)
        CU_ASSERT(cuda.cuGraphLaunch(executable, it.streams[0]) == 0);
    cuda.cuGraphExecDestroy(executable);
    download();
    CU_ASSERT(it.numbers[0] == 3 + 6 && it.numbers[63] == 2 + 6);
    cuda.cuEventDestroy_v2(fork);
    cuda.cuEventDestroy_v2(join);
    end_all();
}

static void note_call(CUstream stream, int status, void *data)
{
    (void)stream;
    __atomic_store_n((int *)data, status == 0 ? 1 : -1, __ATOMIC_RELEASE);
}

/* Nobody asks, and yet it comes. */
static void test_callback(void)
{
    int called = 0;
    begin_with(0);
    upload();
    CU_ASSERT(cuda.cuStreamAddCallback(it.streams[0], note_call, &called, 0) == 0);
    while (__atomic_load_n(&called, __ATOMIC_ACQUIRE) == 0)
        ;
    CU_ASSERT(called == 1);
    CU_ASSERT(wait_for_stream(it.streams[0]) == 0);
    end_all();
}

/* ---- what it refuses ---------------------------------------------------------------------------
 */

/* Each is one misuse, or more. */
static void misuse_handle(void)
{
    CU_ASSERT(cuda.cuStreamDestroy_v2((CUstream)it.memory) == CUDA_ERROR_INVALID_HANDLE);
}

static void misuse_twice(void)
{
    CUevent event;
    cuda.cuEventCreate(&event, 0);
    CU_ASSERT(cuda.cuEventDestroy_v2(event) == 0);
    CU_ASSERT(cuda.cuEventDestroy_v2(event) == CUDA_ERROR_INVALID_HANDLE);
}

static void misuse_host(void)
{
    CU_ASSERT(cuda.cuMemcpyHtoDAsync_v2(it.memory[0], (void *)(uintptr_t)it.memory[1], 4,
                                        it.streams[0]) != 0);
}

static void misuse_bounds(void)
{
    CU_ASSERT(cuda.cuMemcpyHtoDAsync_v2(it.memory[0] + 1, it.numbers, sizeof(it.numbers),
                                        it.streams[0]) != 0);
}

static void misuse_freed(void)
{
    CUdeviceptr memory;
    cuda.cuMemAlloc_v2(&memory, 100);
    cuda.cuMemFree_v2(memory);
    CU_ASSERT(cuda.cuMemcpyHtoDAsync_v2(memory, it.numbers, 4, it.streams[0]) != 0);
}

static void misuse_pending(void)
{
    CUdeviceptr memory;
    cuda.cuMemAlloc_v2(&memory, 100);
    CU_ASSERT(launch(0, "peek", 1, 1, (void *[]){&it.memory[0], &memory}) == 0);
    cuda.cuMemFree_v2(memory);
    CU_ASSERT(wait_for_stream(it.streams[0]) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void misuse_unloaded(void)
{
    CU_ASSERT(launch(0, "peek", 1, 1, (void *[]){&it.memory[0], &it.memory[0]}) == 0);
    cuda.cuModuleUnload(it.modules[0]);
    CU_ASSERT(wait_for_stream(it.streams[0]) == CUDA_ERROR_LAUNCH_FAILED);
}

static void misuse_context(void)
{
    CUfunction function;
    cuda.cuModuleGetFunction(&function, it.modules[0], "peek");
    CU_ASSERT(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, it.streams[1],
                                  (void *[]){&it.memory[0], &it.memory[0]},
                                  NULL) == CUDA_ERROR_INVALID_HANDLE);
}

/* From here on the context is broken, as after a kernel that failed. */
static void misuse_foreign(void)
{
    CU_ASSERT(launch(0, "peek", 1, 1, (void *[]){&it.memory[0], &it.memory[1]}) == 0);
    CU_ASSERT(wait_for_stream(it.streams[0]) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CU_ASSERT(cuda.cuMemcpyHtoDAsync_v2(it.memory[0], it.numbers, 4, it.streams[0]) ==
              CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void misuse_beside(void)
{
    int n = 65, rounds = 1;
    signed char c = 0;
    (void)rounds;
    CU_ASSERT(launch(0, "add", 1, 128, (void *[]){&it.memory[0], &n, &c}) == 0);
    CU_ASSERT(wait_for_stream(it.streams[0]) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void misuse_barrier(void)
{
    CU_ASSERT(launch(0, "hang", 1, 2, (void *[]){&it.memory[0]}) == 0);
    CU_ASSERT(wait_for_stream(it.streams[0]) != 0);
}

static void test_misuse(void)
{
    static const struct {
        const char *name;
        void (*run)(void);
        int breaks;
    } rows[] = {
        {"a handle of nothing", misuse_handle, 0},
        {"destroyed twice", misuse_twice, 0},
        {"memory of a device", misuse_host, 0},
        {"behind the end", misuse_bounds, 0},
        {"freed", misuse_freed, 0},
        {"freed below a kernel", misuse_pending, 1},
        {"unloaded below a kernel", misuse_unloaded, 1},
        {"another's stream", misuse_context, 0},
        {"no peer's", misuse_foreign, 1},
        {"a kernel behind the end", misuse_beside, 1},
        {"a barrier for some", misuse_barrier, 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned before = misused();
        begin_with(0);
        rows[i].run();
        if (misused() == before)
            fprintf(stderr, "not found: %s\n", rows[i].name);
        CU_ASSERT(misused() > before);
        for (int device = 0; !rows[i].breaks && device < 2; device++) {
            cuda.cuCtxSetCurrent(it.contexts[device]);
            wait_for_stream(it.streams[device]);
        }
        end_all();
    }
}

static void test_log(void)
{
    char log[4096];
    int result;
    char *cubin =
        cubin_of("\n__global__ void k(int *a)\n{\n    a[0] = b;\n}\n", &result, log, sizeof(log));
    CU_ASSERT(result == NVRTC_ERROR_COMPILATION);
    CU_ASSERT_PTR_NULL(cubin);
    CU_ASSERT_PTR_NOT_NULL(strstr(log, "t.cu(4): error: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(log, "1 error detected in the compilation of \"t.cu\"."));
    cubin = cubin_of("extern \"C\" __global__ void k(int *a)\n{ __shared__ int s[20000];\n"
                     "s[a[1]] = 1; __syncthreads(); a[0] = s[3]; }\n",
                     &result, log, sizeof(log));
    CU_ASSERT(result == NVRTC_ERROR_COMPILATION);
    CU_ASSERT_PTR_NOT_NULL(strstr(log, "uses too much shared data"));
    free(cubin);
}

int main(void)
{
    static const struct test tests[] = {
        {"kernels", test_kernels}, {"lanes", test_lanes},
        {"late", test_lazy},       {"order", test_order},
        {"graphs", test_graph},    {"callbacks", test_callback},
        {"misuse", test_misuse},   {"messages of the compiler", test_log},
    };
    if (system("command -v g++ clang++ c++ >/dev/null 2>&1") != 0 && !getenv("DAL_STANDIN_CXX")) {
        printf("a compiler of C++ is missing\n");
        return 77;
    }
    load();
    return run_suite("stand-in for CUDA", tests, sizeof(tests) / sizeof(tests[0]));
}
