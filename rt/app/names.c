#include "rt/app/names.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

const char *dal_program_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *dal_program_on(const char *path, const char *node)
{
    char *name = dal_format("%s[%s]", dal_program_base(path), node);
    if (name)
        dal_log_program(name);
    return name;
}
