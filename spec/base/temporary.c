#include "spec/base/temporary.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdlib.h>

/* Returns the pattern of a name, in which mkdtemp() and mkstemp() replace the X; NULL without
 * memory. */
static char *make_pattern(void)
{
    const char *parent = getenv("TMPDIR");
    return dal_format("%s/dalsynth-XXXXXX", parent && *parent ? parent : "/tmp");
}

int dal_temporary_folder(char **name)
{
    *name = make_pattern();
    if (!*name)
        return DAL_ERR_NOMEM;
    return mkdtemp(*name) ? DAL_OK : DAL_ERR_SYSTEM;
}

int dal_temporary_file(char **name)
{
    int file;
    *name = make_pattern();
    if (!*name)
        return DAL_ERR_NOMEM;
    file = mkstemp(*name);
    return file >= 0 ? file : DAL_ERR_SYSTEM;
}
