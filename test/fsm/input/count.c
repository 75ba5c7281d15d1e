#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int clBuildProgram(void *program, unsigned count, void *devices, const char *options, void *notify,
                   void *data)
{
    int (*build)(void *, unsigned, void *, const char *, void *, void *) =
        (int (*)(void *, unsigned, void *, const char *, void *, void *))dlsym(RTLD_NEXT, __func__);
    return write(2, "built\n", 6) == 6 ? build(program, count, devices, options, notify, data) : -1;
}
