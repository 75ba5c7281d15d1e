#include "rt/app/places.h"

#include "rt/base/error.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY",
                                    "KMP_AFFINITY"};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

static int taken[NAMES];

/* Returns the number of a variable, or NAMES for any other. */
static size_t find_name(const char *variable)
{
    size_t i, length = strcspn(variable, "=");
    for (i = 0; i < NAMES; i++)
        if (strlen(names[i]) == length && strncmp(variable, names[i], length) == 0)
            break;
    return i;
}

#ifdef __GLIBC__ /* glibc hands the environment to constructors */
/* Takes the variables out of the environment. As the first of all constructors (rt/local.mk) it
 * runs before the C library knows the environment, so it changes the list itself. */
static void __attribute__((constructor)) take_places(int argc, char **argv, char **variables)
{
    char **to = variables;
    (void)argc;
    (void)argv;
    for (; *variables; variables++) {
        size_t i = find_name(*variables);
        if (i < NAMES)
            taken[i] = 1;
        else
            *to++ = *variables;
    }
    *to = NULL;
}
#endif

void dal_places_tell(void)
{
    for (size_t i = 0; i < NAMES; i++)
        if (taken[i])
            dal_log(DAL_LOG_NOTE, "%s means nothing here: threads are where the mapping has them",
                    names[i]);
}
