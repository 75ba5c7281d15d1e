/* Modules, which are shared objects of the host, and launches of their kernels. */
#define _GNU_SOURCE
#include "test/cuda/standin/image.h"
#include "test/cuda/standin/standin.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- images -----------------------------------------------------------------------------------
 */

/* The section headers are an object's last part. */
static size_t bytes_of_object(const unsigned char *image)
{
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof(header));
    return header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The object in an image; NULL when it is none, with *result set. The caller frees it. */
static unsigned char *object_in(const void *image, size_t *bytes, int *result)
{
    const char *text = image;
    unsigned char *object = NULL;
    if (memcmp(image, ELFMAG, SELFMAG) == 0) {
        *bytes = bytes_of_object(image);
        object = malloc(*bytes);
        memcpy(object, image, *bytes);
    } else if (strncmp(text, STANDIN_PTX, strlen(STANDIN_PTX)) == 0) {
        text += strlen(STANDIN_PTX);
        *bytes = strlen(text) / 2;
        object = malloc(*bytes + 1);
        for (size_t i = 0; i < *bytes; i++)
            object[i] = (unsigned char)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    } else {
        *result = CUDA_ERROR_INVALID_IMAGE;
    }
    return object;
}

/* A file of its own for each module, so that each has variables of its own. */
static int load_object(struct standin_module *module, const unsigned char *object, size_t bytes)
{
    const struct {
        const char *name;
        void **address;
    } symbols[] = {{"dal_standin_item", (void **)&module->item},
                   {"__start_" STANDIN_SHARED, (void **)&module->shared}};
    char path[64];
    unsigned char *end;
    module->file = memfd_create("module", MFD_CLOEXEC);
    if (module->file < 0 || write(module->file, object, bytes) != (ssize_t)bytes)
        return CUDA_ERROR_UNKNOWN;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", module->file);
    module->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module->library) {
        standin_misuse("%s", dlerror());
        return CUDA_ERROR_INVALID_IMAGE;
    }
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
        *symbols[i].address = dlsym(module->library, symbols[i].name);
    end = dlsym(module->library, "__stop_" STANDIN_SHARED);
    module->shared_bytes = module->shared && end ? (size_t)(end - module->shared) : 0;
    return module->item ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

static void end_module(struct standin_module *module)
{
    struct standin_function *function;
    for (unsigned n = 0; (function = standin_at(STANDIN_FUNCTION, n)); n++)
        if (function->module == module)
            standin_kill(function);
    if (module->library)
        dlclose(module->library);
    if (module->file >= 0)
        close(module->file);
    standin_kill(module);
}

int cuModuleLoadData(CUmodule *handle, const void *image)
{
    int result = standin_enter();
    struct standin_module *module = NULL;
    unsigned char *object = NULL;
    size_t bytes = 0;
    *handle = NULL;
    if (result == CUDA_SUCCESS)
        object = object_in(image, &bytes, &result);
    if (object) {
        module = standin_new(STANDIN_MODULE, standin_current()->object.device, sizeof(*module));
        result = load_object(module, object, bytes);
    }
    if (object && result != CUDA_SUCCESS)
        end_module(module);
    else if (object)
        *handle = standin_handle(module);
    free(object);
    return standin_leave(result, __func__, "module=%d", module ? (int)module->object.number : -1);
}

int cuModuleUnload(CUmodule handle)
{
    int result = standin_enter();
    struct standin_module *module = standin_get(STANDIN_MODULE, handle);
    if (!module) {
        result = CUDA_ERROR_INVALID_HANDLE;
    } else {
        if (standin_module_in_use(module))
            standin_misuse("module %u is unloaded while commands use it", module->object.number);
        end_module(module);
    }
    return standin_leave(result, __func__, "module=%d", module ? (int)module->object.number : -1);
}

static void *symbol_of(const struct standin_module *module, const char *prefix, const char *name)
{
    char symbol[512];
    snprintf(symbol, sizeof(symbol), "%s%s", prefix, name);
    return dlsym(module->library, symbol);
}

static struct standin_function *new_function(struct standin_module *module, const char *name)
{
    struct standin_function *function;
    void *call = symbol_of(module, STANDIN_CALL, name),
         *sizes = symbol_of(module, STANDIN_SIZES, name);
    const unsigned *most = symbol_of(module, STANDIN_THREADS_OF, name);
    const size_t *(*sizes_of)(void);
    if (!call || !sizes)
        return NULL;
    function = standin_new(STANDIN_FUNCTION, module->object.device, sizeof(*function));
    snprintf(function->name, sizeof(function->name), "%s", name);
    function->module = module;
    memcpy(&function->call, &call, sizeof(call));
    memcpy(&sizes_of, &sizes, sizeof(sizes));
    for (size_t i = 0; i + 1 < STANDIN_ARGUMENTS && sizes_of()[i]; i++)
        function->sizes[i] = sizes_of()[i];
    function->most_threads = most && *most ? *most : STANDIN_THREADS;
    return function;
}

int cuModuleGetFunction(CUfunction *handle, CUmodule module_handle, const char *name)
{
    int result = standin_enter();
    struct standin_module *module = standin_get(STANDIN_MODULE, module_handle);
    struct standin_function *function = NULL;
    *handle = NULL;
    if (!module)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS) {
        function = new_function(module, name);
        if (function)
            *handle = standin_handle(function);
        else
            result = CUDA_ERROR_NOT_FOUND;
    }
    return standin_leave(result, __func__, "name=%s", name);
}

/* Shared bytes are those of all kernels of the module. */
int cuFuncGetAttribute(int *value, int attribute, CUfunction handle)
{
    int result = standin_enter();
    struct standin_function *function = standin_get(STANDIN_FUNCTION, handle);
    *value = 0;
    if (!function)
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
        *value = (int)function->most_threads;
    else if (attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
        *value = (int)function->module->shared_bytes;
    else
        result = CUDA_ERROR_INVALID_VALUE;
    return standin_leave(result, __func__, "name=%s attribute=%d value=%d",
                         function ? function->name : "", attribute, *value);
}

/* Offsets without alignment; behind the last argument there is none. */
int cuFuncGetParamInfo(CUfunction handle, size_t number, size_t *offset, size_t *bytes)
{
    int result = standin_enter();
    struct standin_function *function = standin_get(STANDIN_FUNCTION, handle);
    size_t at = 0, i = 0;
    if (!function)
        result = CUDA_ERROR_INVALID_HANDLE;
    for (; result == CUDA_SUCCESS && i < number && function->sizes[i]; i++)
        at += function->sizes[i];
    if (result == CUDA_SUCCESS && (i < number || !function->sizes[i]))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        *offset = at;
        *bytes = function->sizes[i];
    }
    return standin_leave(result, __func__, "name=%s number=%zu", function ? function->name : "",
                         number);
}

/* ---- launches ---------------------------------------------------------------------------------
 */

static void **copy_arguments(const size_t *sizes, void **arguments)
{
    size_t count = 0, bytes = 0;
    void **copies;
    unsigned char *at;
    for (; sizes[count]; count++)
        bytes += (sizes[count] + 15) / 16 * 16;
    copies = calloc(count + 1, sizeof(*copies));
    at = aligned_alloc(16, bytes + 16);
    if (!copies || !at)
        abort();
    copies[0] = at;
    for (size_t i = 0; i < count; i++) {
        copies[i] = at;
        memcpy(at, arguments[i], sizes[i]);
        at += (sizes[i] + 15) / 16 * 16;
    }
    return copies;
}

/* What the function's device can do of it. */
static int check_launch(const struct standin_launch *launch)
{
    static const unsigned most_blocks[3] = {0x7fffffffu, 65535, 65535};
    size_t threads = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
    for (int i = 0; i < 3; i++)
        if (launch->grid[i] == 0 || launch->grid[i] > most_blocks[i])
            return CUDA_ERROR_INVALID_VALUE;
    if (threads == 0 || threads > STANDIN_THREADS || launch->block[2] > 64 ||
        launch->function->module->shared_bytes + launch->shared_bytes > standin_limits.shared_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    return threads > launch->function->most_threads ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
                                                    : CUDA_SUCCESS;
}

static void enqueue_launch(struct standin_stream *stream, const struct standin_launch *launch,
                           void **arguments)
{
    struct standin_command *command = standin_command(ACTION_KERNEL);
    command->launch = *launch;
    command->launch.arguments = copy_arguments(launch->function->sizes, arguments);
    standin_enqueue(stream, command);
}

int cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   CUstream stream_handle, void **arguments, void **extra)
{
    int result = standin_enter();
    struct standin_launch launch = {.function = standin_get(STANDIN_FUNCTION, handle),
                                    .grid = {grid_x, grid_y, grid_z},
                                    .block = {block_x, block_y, block_z},
                                    .shared_bytes = shared_bytes};
    struct standin_stream *stream = standin_get(STANDIN_STREAM, stream_handle);
    if (!launch.function || !stream) {
        result = CUDA_ERROR_INVALID_HANDLE;
    } else if (result == CUDA_SUCCESS &&
               (stream->object.device != launch.function->object.device ||
                standin_current()->object.device != stream->object.device)) {
        standin_misuse("kernel %s is launched in a stream or context of another device",
                       launch.function->name);
        result = CUDA_ERROR_INVALID_HANDLE;
    } else if (result == CUDA_SUCCESS) {
        result = extra ? CUDA_ERROR_INVALID_VALUE : check_launch(&launch);
    }
    if (result == CUDA_SUCCESS)
        enqueue_launch(stream, &launch, arguments);
    return standin_leave(
        result, __func__, "stream=%d device=%d name=%s grid=%u,%u,%u block=%u,%u,%u",
        stream ? (int)stream->object.number : -1, stream ? stream->object.device : -1,
        launch.function ? launch.function->name : "", grid_x, grid_y, grid_z, block_x, block_y,
        block_z);
}
