#include "synth/emit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

struct dal_text *dal__tree_add(struct dal_tree *tree, const char *format, ...)
{
    struct dal_tree_file *file;
    va_list list;

    va_start(list, format);
    file = add_file(tree, format, list);
    va_end(list);
    return file ? &file->text : &nowhere;
}

void dal__tree_add_bytes(struct dal_tree *tree, const void *bytes, size_t count, const char *format,
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

static int write_all(int fd, const char *data, size_t length)
{
    while (length) {
        ssize_t done = write(fd, data, length);
        if (done < 0 && errno != EINTR)
            return DAL_ERR_IO;
        if (done > 0) {
            data += done;
            length -= (size_t)done;
        }
    }
    return DAL_OK;
}

static int write_file(const struct dal_tree_file *file, int directory)
{
    int fd = openat(directory, file->name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int error, saved;

    if (fd < 0)
        return DAL_ERR_IO;
    error = file->bytes ? write_all(fd, file->bytes, file->count)
                        : write_all(fd, dal_text_get(&file->text), file->text.length);
    saved = errno;
    if (close(fd) && !error)
        return DAL_ERR_IO;
    errno = saved;
    return error;
}

int dal_tree_write(const struct dal_tree *tree, int directory, const char **name)
{
    size_t i;

    for (i = 0; i < tree->count; i++)
        if (write_file(tree->files[i], directory)) {
            *name = tree->files[i]->name;
            return DAL_ERR_IO;
        }
    return DAL_OK;
}

void dal__emit_banner(const struct dal_plan *plan, struct dal_text *text, const char *format, ...)
{
    struct dal_text words;
    char buffer[1024];
    va_list list;

    va_start(list, format);
    vsnprintf(buffer, sizeof(buffer), format, list);
    va_end(list);
    dal_text_init(&words);
    dal_text_printf(&words, "%s Made by dalsynth from %s, %s and %s.", buffer,
                    dal_path_base(plan->spec->network.file),
                    dal_path_base(plan->spec->architecture.file),
                    dal_path_base(plan->spec->mapping.file));
    dal_text_add_comment(text, 0, dal_text_get(&words));
    text->lost |= words.lost;
    dal_text_finish(&words);
}

/* Ends in something that neither a target of the Makefile nor a file has. */
static int clashes(const char *name)
{
    size_t length = strlen(name);

    return !length || *name == '.' || *name == '-' || !strcmp(name, "all") ||
           !strcmp(name, "clean") || !strcmp(name, "Makefile") ||
           !strcmp(name, "compile_commands.json") || strchr(name, '.');
}

char *dal_emit_program(const char *given)
{
    char *name = dal_strdup(given), *c, *longer;

    if (!name)
        return NULL;
    for (c = name; *c; c++)
        if (!isascii((unsigned char)*c) || !(isalnum((unsigned char)*c) || strchr("_.+-", *c)))
            *c = '_';
    if (!clashes(name))
        return name;
    longer = dal_format("network_%s", name);
    dal_free(name);
    for (c = longer; c && *c; c++)
        if (*c == '.')
            *c = '_';
    return longer;
}

char *dal__emit_folder(const struct dal_emit *emit, const struct dal_plan_unit *unit, int *relative)
{
    const char *path = unit->source->path, *base = dal_path_base(path);
    size_t length = strlen(emit->source_dir);
    char real[PATH_MAX];
    char *folder = base == path ? dal_strdup(".") : dal_format("%.*s", (int)(base - path), path);
    int found = folder && realpath(folder, real);

    *relative = 0;
    dal_free(folder);
    if (!found)
        return NULL;
    if (!strcmp(emit->source_dir, "/") || strncmp(real, emit->source_dir, length) ||
        (real[length] && real[length] != '/'))
        return dal_strdup(real);
    *relative = 1;
    return dal_strdup(real[length] ? real + length + 1 : "");
}

static void emit_plan(const struct dal_plan *plan, struct dal_tree *tree)
{
    size_t i;

    dal__emit_net(plan, tree);
    dal__emit_data(plan, tree);
    for (i = 0; i < plan->unit_count; i++) {
        if (plan->units[i].type == DAL_SOURCE_C)
            dal__emit_code(plan, tree, &plan->units[i]);
        else
            dal__emit_kernel(plan, tree, &plan->units[i]);
    }
}

int dal_emit(const struct dal_emit *emit, struct dal_tree *tree)
{
    const struct dal_plan *plan;
    struct dal_text *marker;
    size_t i;

    *tree = (struct dal_tree){0};
    marker = dal__tree_add(tree, ".dalsynth");
    dal_text_add(marker, "Made by dalsynth, which replaces a folder that has this file in it.\n");
    if (emit->fsm)
        dal__emit_fsm(emit, tree);
    for (i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        emit_plan(plan, tree);
    dal__emit_make(emit, tree);
    dal__emit_commands(emit, tree);
    for (i = 0; i < tree->count; i++)
        tree->lost |= tree->files[i]->text.lost;
    return tree->lost ? DAL_ERR_NOMEM : DAL_OK;
}
