#define _GNU_SOURCE
#include "rt/base/plugin.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <dlfcn.h>
#include <string.h>

void *dal_plugin_find(const char *library, const char *name, const char *what, const char *why)
{
    static const char here = 0;
    Dl_info info;
    const char *own = dladdr(&here, &info) ? info.dli_fname : "";
    const char *slash = strrchr(own, '/');
    char *path = dal_format("%.*s%s", slash ? (int)(slash + 1 - own) : 0, own, library);
    void *loaded = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *found = loaded ? dlsym(loaded, name) : NULL;
    if (!path)
        dal_no_memory();
    else if (!found)
        dal_log(DAL_LOG_ERROR, "%s wants %s%s: %s", what, library, why, dlerror());
    dal_free(path);
    return found;
}
