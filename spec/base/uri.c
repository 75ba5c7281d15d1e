#include "spec/base/uri.h"

#include "rt/base/alloc.h"

#include <ctype.h>
#include <string.h>

static const char scheme[] = "file://";

/* A colon is escaped, too: in front of a slash it would end the name of a scheme. */
void dal_uri_add(struct dal_text *text, const char *path)
{
    if (*path == '/')
        dal_text_add(text, scheme);
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
            dal_text_add_bytes(text, path, 1);
        else
            dal_text_printf(text, "%%%02X", (unsigned char)*path);
}

static int hex(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return at ? (int)(at - digits) : -1;
}

char *dal_uri_path(const char *uri)
{
    char *path, *to;
    if (strncmp(uri, scheme, strlen(scheme)) != 0)
        return NULL;
    uri += strlen(scheme);
    uri += strncmp(uri, "localhost/", 10) == 0 ? 9 : 0;
    path = to = *uri == '/' ? dal_strdup(uri) : NULL;
    while (path && *uri) {
        int byte = (unsigned char)*uri;
        if (byte == '%')
            byte = hex(uri[1]) < 0 || hex(uri[2]) < 0 ? 0 : 16 * hex(uri[1]) + hex(uri[2]);
        if (!byte) {
            dal_free(path);
            return NULL;
        }
        uri += *uri == '%' ? 3 : 1;
        *to++ = (char)byte;
    }
    if (path)
        *to = '\0';
    return path;
}
