#define _GNU_SOURCE
#include "rt/base/setting.h"

#include "rt/base/alloc.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static char **taken; /* as environ; kept until the program ends */
static int start_folder = -1;

void dal_settings_take(void)
{
    size_t count = 0;
    start_folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (environ[count])
        count++;
    taken = dal_calloc(count + 1, sizeof(*taken));
    for (size_t i = 0; taken && i < count; i++) {
        taken[i] = dal_strdup(environ[i]);
        if (!taken[i])
            taken = NULL;
    }
}

char *const *dal_settings_all(void)
{
    return taken ? taken : environ;
}

const char *dal_setting(const char *name)
{
    size_t length = strlen(name);
    char **at;
    if (!taken)
        return getenv(name);
    for (at = taken; *at; at++)
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    return NULL;
}

const char *dal_setting_wanted(const char *name)
{
    const char *value = dal_setting(name);
    return value && *value && strcmp(value, "0") != 0 ? value : NULL;
}

const char *dal_setting_secure(const char *name)
{
    const char *value = getauxval(AT_SECURE) ? NULL : dal_setting(name);
    return value && *value ? value : NULL;
}

void dal_start_folder_return(void)
{
    if (start_folder >= 0)
        (void)!fchdir(start_folder);
}
