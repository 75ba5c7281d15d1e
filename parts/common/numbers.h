/* numbers.h: lists of numbers, from the text of a parameter or from a file. */
#ifndef PARTS_NUMBERS_H
#define PARTS_NUMBERS_H

#include "dal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NUMBERS_BYTES = 64 }; /* more bytes a number than anybody writes */

/* Reads `count` numbers, which spaces, commas or new lines part. Other text is an error that ends
 * the program; `where` begins its message. Returns whether they are there. */
static inline int numbers_parse(double *list, int count, const char *text, const char *where,
                                DALProcess *p)
{
    int found = 0;

    for (text += strspn(text, " ,\t\r\n"); *text; text += strspn(text, " ,\t\r\n"), found++) {
        char *end;
        double number = strtod(text, &end);
        if (end == text || !isfinite(number) || (*end && !strchr(" ,\t\r\n", *end))) {
            DAL_fail(p, "%s: '%.*s' is no number", where, (int)strcspn(text, " ,\t\r\n"), text);
            return 0;
        }
        if (found < count)
            list[found] = number;
        text = end;
    }
    if (found != count)
        DAL_fail(p, "%s: there are %d numbers, not %d", where, found, count);
    return found == count;
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
static inline int numbers_get(double *list, int count, const char *name, DALProcess *p)
{
    const char *file = DAL_getParameter("file", p), *text = DAL_getParameter(name, p);
    char *loaded;
    int is_good;

    if (!file || !*file)
        return numbers_parse(list, count, text ? text : "", name, p);
    loaded = numbers_load(file, (size_t)count * NUMBERS_BYTES, p);
    is_good = loaded && numbers_parse(list, count, loaded, file, p);
    free(loaded);
    return is_good;
}

#endif
