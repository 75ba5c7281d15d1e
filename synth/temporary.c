#include "synth/temporary.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdlib.h>

int dal_temporary_folder(char **name)
{
    const char *parent = getenv("TMPDIR");

    *name = dal_format("%s/dalsynth-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!*name)
        return DAL_ERR_NOMEM;
    return mkdtemp(*name) ? DAL_OK : DAL_ERR_SYSTEM;
}
