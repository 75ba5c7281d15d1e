/* numbers.h: lists of numbers, from the text of a parameter or from a file. */
#ifndef PARTS_NUMBERS_H
#define PARTS_NUMBERS_H

#include "dal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NUMBERS_BYTES = 64, /* more bytes a number than anybody writes */ NUMBERS_WHY = 1000 };

#define NUMBERS_GAPS " ,\t\r\n"

/* The least number that is infinite as a float or a double. */
#define NUMBERS_BELOW(type) (sizeof(type) == sizeof(float) ? 0x1.ffffffp127 : (double)INFINITY)

/* Reads `count` numbers that spaces, commas or new lines part. Their amounts are less than `below`,
 * as NUMBERS_BELOW has it. Returns whether they are there; if not, `why` tells what is wrong. */
static inline int numbers_read(double *list, int count, double below, const char *text,
                               char why[NUMBERS_WHY])
{
    int found = 0;

    for (text += strspn(text, NUMBERS_GAPS); *text; text += strspn(text, NUMBERS_GAPS), found++) {
        char *end;
        double number = strtod(text, &end);
        int is_number = end > text && isfinite(number) && (!*end || strchr(NUMBERS_GAPS, *end));
        if (!is_number || fabs(number) >= below) {
            snprintf(why, NUMBERS_WHY, "'%.*s' is %s", (int)strcspn(text, NUMBERS_GAPS), text,
                     is_number ? "too large for a float" : "no number");
            return 0;
        }
        if (found < count)
            list[found] = number;
        text = end;
    }
    if (found != count)
        snprintf(why, NUMBERS_WHY, "there are %d numbers, not %d", found, count);
    return found == count;
}

/* Of a live parameter whose numbers cannot be used: the first ones end the program, and later ones
 * change nothing. Returns whether the program goes on. */
static inline int numbers_refuse(const char *part, const char *name, const char *why, int is_first,
                                 DALProcess *p)
{
    if (is_first)
        DAL_fail(p, "%s: %s", name, why);
    else
        fprintf(stderr, "%s: %s are not used: %s\n", part, name, why);
    return !is_first;
}

/* The same as numbers_read(), but what is wrong is an error that ends the program; `where` begins
 * its message. */
static inline int numbers_parse(double *list, int count, double below, const char *text,
                                const char *where, DALProcess *p)
{
    char why[NUMBERS_WHY];
    int is_good = numbers_read(list, count, below, text, why);

    if (!is_good)
        DAL_fail(p, "%s: %s", where, why);
    return is_good;
}

/* Reads a file of at most `most` bytes as text. Returns NULL after an error that ends the
 * program; the caller frees it. */
static inline char *numbers_load(const char *name, size_t most, DALProcess *p)
{
    struct stat info;
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = stat(name, &info) == 0 && S_ISREG(info.st_mode) ? fopen(name, "r") : NULL;

    if (file)
        text = malloc(most + 2);
    if (text)
        bytes = fread(text, 1, most + 1, file);
    if (!text || ferror(file) || bytes > most || memchr(text, 0, bytes)) {
        DAL_fail(p, "%s: %s", name,
                 !file ? "this file cannot be read" : "this is no file of so many numbers");
        free(text);
        text = NULL;
    } else {
        text[bytes] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

/* Reads `count` numbers from the parameter `name`, or from the file that the parameter `file`
 * names if that one is not empty. Returns as numbers_parse(). */
static inline int numbers_get(double *list, int count, double below, const char *name,
                              DALProcess *p)
{
    const char *file = DAL_getParameter("file", p), *text = DAL_getParameter(name, p);
    char *loaded;
    int is_good;

    if (!file || !*file)
        return numbers_parse(list, count, below, text ? text : "", name, p);
    loaded = numbers_load(file, (size_t)count * NUMBERS_BYTES, p);
    is_good = loaded && numbers_parse(list, count, below, loaded, file, p);
    free(loaded);
    return is_good;
}

#endif
