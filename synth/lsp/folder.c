#include "synth/lsp/folder.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* So many files of a folder are looked at, and files that are no larger. */
enum { MOST_FILES = 500, MOST_BYTES = 4 << 20 };

const char *dal_lsp_root(const char *text, size_t length, char root[64])
{
    struct dal_lsp_scan scan;
    *root = '\0';
    if (!dal_lsp_scan(&scan, text, length) && scan.count && scan.tags[0].name.length < 64)
        snprintf(root, 64, "%.*s", (int)scan.tags[0].name.length, text + scan.tags[0].name.at);
    dal_lsp_scan_finish(&scan);
    return root;
}

/* Is a file of this root element, and of this name? */
static int is_of(const char *path, const char *root, const char *name)
{
    struct dal_lsp_scan scan;
    char *text;
    const char *why;
    size_t length;
    int fits;
    if (dal_file_read(path, MOST_BYTES, &text, &length, &why))
        return 0;
    fits = !dal_lsp_scan(&scan, text, length) && scan.count && dal_lsp_is(&scan, 0, root) &&
           (!name || dal_lsp_says(&scan, dal_lsp_value(&scan, 0, "name"), name));
    dal_lsp_scan_finish(&scan);
    dal_free(text);
    return fits;
}

static int is_xml(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".xml") == 0;
}

char *dal_lsp_beside_next(const char *path, const char *root, const char *name, size_t *at)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? dal_format("%.*s/", (int)(slash - path), path) : NULL, *found = NULL;
    struct dirent **list = NULL;
    int count = folder ? scandir(folder, &list, is_xml, alphasort) : 0;
    for (; *at < MOST_FILES && (int)*at < count && !found; (*at)++) {
        char *file = dal_format("%s%s", folder, list[*at]->d_name);
        if (file && is_of(file, root, name))
            found = file;
        else
            dal_free(file);
    }
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    dal_free(folder);
    return found;
}

char *dal_lsp_beside(const char *path, const char *root, const char *name)
{
    size_t at = 0;
    return dal_lsp_beside_next(path, root, name, &at);
}

char *dal_lsp_of_mapping(const char *path, const struct dal_lsp_scan *mapping, const char *root)
{
    struct dal_lsp_part part = dal_lsp_value(mapping, 0, root); /* processnetwork="NAME" */
    char *name = part.length ? dal_format("%.*s", (int)part.length, mapping->text + part.at) : NULL;
    char *found = dal_lsp_beside(path, root, name);
    dal_free(name);
    return found;
}
