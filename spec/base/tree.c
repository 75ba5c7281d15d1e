#include "spec/base/tree.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static struct dal_text nowhere; /* takes nothing: lost from the start */

/* NULL when memory is exhausted (tree.lost). */
static struct dal_tree_file *add_file(struct dal_tree *tree, const char *format, va_list list)
{
    struct dal_tree_file *file = dal_calloc(1, sizeof(*file));
    char buffer[PATH_MAX];
    vsnprintf(buffer, sizeof(buffer), format, list);
    if (file)
        file->name = dal_strdup(buffer);
    if (!file || !file->name ||
        dal_grow(&tree->files, tree->count, &tree->room, sizeof(*tree->files))) {
        if (file)
            dal_free(file->name);
        dal_free(file);
        tree->lost = nowhere.lost = 1;
        return NULL;
    }
    tree->files[tree->count++] = file;
    return file;
}

struct dal_text *dal_tree_add(struct dal_tree *tree, const char *format, ...)
{
    struct dal_tree_file *file;
    va_list list;
    va_start(list, format);
    file = add_file(tree, format, list);
    va_end(list);
    return file ? &file->text : &nowhere;
}

void dal_tree_add_bytes(struct dal_tree *tree, const void *bytes, size_t count, const char *format,
                        ...)
{
    struct dal_tree_file *file;
    va_list list;
    va_start(list, format);
    file = add_file(tree, format, list);
    va_end(list);
    if (file) {
        file->bytes = bytes;
        file->count = count;
    }
}

void dal_tree_finish(struct dal_tree *tree)
{
    while (tree->count) {
        struct dal_tree_file *file = tree->files[--tree->count];
        dal_free(file->name);
        dal_text_finish(&file->text);
        dal_free(file);
    }
    dal_free(tree->files);
    *tree = (struct dal_tree){0};
}

static int write_file(const struct dal_tree_file *file, int directory)
{
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (file->spare ? O_EXCL : O_TRUNC);
    int fd = openat(directory, file->name, flags, 0666);
    int error, saved;
    if (fd < 0)
        return file->spare && errno == EEXIST ? DAL_OK : DAL_ERR_IO;
    error = file->bytes ? dal_write_all(fd, file->bytes, file->count)
                        : dal_write_all(fd, dal_text_get(&file->text), file->text.length);
    saved = errno;
    if (close(fd) && !error)
        return DAL_ERR_IO;
    errno = saved;
    return error;
}

int dal_tree_write(const struct dal_tree *tree, int directory, const char **name)
{
    for (size_t i = 0; i < tree->count; i++)
        if (write_file(tree->files[i], directory)) {
            *name = tree->files[i]->name;
            return DAL_ERR_IO;
        }
    return DAL_OK;
}
