#define _GNU_SOURCE
#include "rt/cuda/driver.h"

#include "rt/base/error.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* A function of a library, and the place of its pointer in the table. */
struct symbol {
    const char *name;
    size_t offset;
    int optional;
};

#define DRIVER_SYMBOL(name, parameters) {#name, offsetof(struct dal_cuda_driver, name), 0},
#define DRIVER_EXTRA(name, parameters)  {#name, offsetof(struct dal_cuda_driver, name), 1},
static const struct symbol driver_symbols[] = {
    DAL_CUDA_DRIVER_CALLS(DRIVER_SYMBOL) DAL_CUDA_DRIVER_EXTRAS(DRIVER_EXTRA){NULL, 0, 0}};

#define COMPILER_SYMBOL(name, parameters) {#name, offsetof(struct dal_cuda_compiler, name), 0},
static const struct symbol compiler_symbols[] = {
    DAL_CUDA_COMPILER_CALLS(COMPILER_SYMBOL){NULL, 0, 0}};

/* The usual names, of which the first that can be loaded is taken. Distributions have NVRTC under
 * such names; NVIDIA's own packages leave it in a folder that the loader does not know. */
static const char *const driver_names[] = {"libcuda.so.1", NULL};
static const char *const compiler_names[] = {"libnvrtc.so.13",
                                             "libnvrtc.so.12",
                                             "libnvrtc.so.11.2",
                                             "libnvrtc.so.11.3",
                                             "libnvrtc.so",
                                             "/usr/local/cuda/lib64/libnvrtc.so",
                                             NULL};

/* Opens a library that the user names, and reports it if it is not there. */
static void *open_given(const char *variable, const char *given)
{
    void *library = dlopen(given, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        dal_log(DAL_LOG_NOTE, "devices of CUDA are not used: %s: %s", variable, dlerror());
    return library;
}

static void *open_library(const char *variable, const char *const *names)
{
    const char *given = secure_getenv(variable);
    void *library = NULL;
    if (given && *given)
        return strcmp(given, "off") == 0 ? NULL : open_given(variable, given);
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* Fills a table of functions. Returns 1 if all that are needed were found. */
static int find_symbols(void *library, const struct symbol *symbols, void *table, const char *what)
{
    for (; symbols->name; symbols++) {
        void *found = dlsym(library, symbols->name);
        memcpy((char *)table + symbols->offset, &found, sizeof(found));
        if (found || symbols->optional)
            continue;
        dal_log(DAL_LOG_NOTE, "devices of CUDA are not used: %s has no function %s", what,
                symbols->name);
        return 0;
    }
    return 1;
}

const struct dal_cuda_driver *dal_cuda_driver(void)
{
    static struct dal_cuda_driver table;
    static int tried, found;
    void *library = tried ? NULL : open_library("DAL_CUDA_DRIVER", driver_names);
    if (!tried)
        tried = 1;
    if (library)
        found = find_symbols(library, driver_symbols, &table, "the driver (libcuda.so.1)");
    return found ? &table : NULL;
}

const struct dal_cuda_compiler *dal_cuda_compiler(void)
{
    static struct dal_cuda_compiler table;
    static int tried, found;
    void *library = tried ? NULL : open_library("DAL_CUDA_COMPILER", compiler_names);
    if (!tried)
        tried = 1;
    if (library)
        found = find_symbols(library, compiler_symbols, &table, "the compiler (libnvrtc.so)");
    return found ? &table : NULL;
}
