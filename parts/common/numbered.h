/* Names of numbered files: "pic_%04d.png" is pic_0000.png, pic_0001.png and so on; a name without %
 * is one file. */
#ifndef NUMBERED_H
#define NUMBERED_H

#include "dal.h"

#include <limits.h>

/* How many digits may a name ask for with %0Nd? */
enum { MOST_DIGITS = 9 };

/* How long is "%d" or "%04d" at the beginning of a text, and how many digits has it? Returns 0 if
 * it is neither. */
static inline int number_directive(const char *text, int *digits)
{
    *digits = 1;
    if (text[0] == '%' && text[1] == 'd')
        return 2;
    if (text[0] != '%' || text[1] != '0' || text[2] < '1' || text[2] > '0' + MOST_DIGITS ||
        text[3] != 'd')
        return 0;
    *digits = text[2] - '0';
    return 4;
}

/* Writes the name of a file. Returns 1 if the pattern has a number, 0 if it has none, -1 after
 * DAL_fail(). */
static inline int number_name(const char *pattern, long number, char name[PATH_MAX], DALProcess *p)
{
    const char *percent = pattern ? strchr(pattern, '%') : NULL;
    int digits, length = percent ? number_directive(percent, &digits) : 0, written;

    if (!pattern || !*pattern)
        DAL_fail(p, "it has no name of files");
    else if (percent && (!length || strchr(percent + length, '%')))
        DAL_fail(p, "%s: a name may have one number, %%d or %%04d, and no other %%", pattern);
    else {
        written = percent ? snprintf(name, PATH_MAX, "%.*s%0*ld%s", (int)(percent - pattern),
                                     pattern, digits, number, percent + length)
                          : snprintf(name, PATH_MAX, "%s", pattern);
        if (written < PATH_MAX)
            return percent != NULL;
        DAL_fail(p, "%.100s...: the name is too long", pattern);
    }
    return -1;
}

#endif
