#include "synth/emit/emit.h"

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
#include <strings.h>
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
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (file->spare ? O_EXCL : O_TRUNC);
    int fd = openat(directory, file->name, flags, 0666);
    int error, saved;

    if (fd < 0)
        return file->spare && errno == EEXIST ? DAL_OK : DAL_ERR_IO;
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

/* With a target of the Makefile, or with a file that is written or that make would read. */
static int clashes(const char *name)
{
    size_t length = strlen(name);

    return !length || *name == '.' || *name == '-' || !strcmp(name, "all") ||
           !strcmp(name, "clean") || !strcmp(name, "always") || !strcasecmp(name, "Makefile") ||
           !strcasecmp(name, "GNUmakefile") || strchr(name, '.');
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

char *dal__emit_folder(const char *file)
{
    const char *base = dal_path_base(file);
    char *folder = base == file ? dal_strdup(".") : dal_format("%.*s", (int)(base - file), file);
    char real[PATH_MAX];
    char *found = folder && realpath(folder, real) ? dal_strdup(real) : NULL;

    dal_free(folder);
    return found;
}

const char *dal__emit_below(const struct dal_emit *emit, const char *folder)
{
    size_t length = strlen(emit->source_dir);

    if (!strcmp(emit->source_dir, "/"))
        return folder + 1;
    if (strncmp(folder, emit->source_dir, length) || (folder[length] && folder[length] != '/'))
        return NULL;
    return folder + length + (folder[length] == '/');
}

const struct dal_plan *dal__emit_plan(const struct dal_emit *emit, const struct dal_plan_unit *unit)
{
    const struct dal_plan *plan;
    size_t i;

    for (i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        if (unit >= plan->units && unit < plan->units + plan->unit_count)
            return plan;
    return emit->plan;
}

static int check_folder(struct dal_diags *diags, const char *file, const char *folder)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, file)};

    if (!folder || dal_text_is_plain(folder))
        return DAL_OK;
    dal_error(diags, place, "control-character",
              "the path of its folder has a newline or another control character");
    return DAL_ERR_INVALID;
}

/* Of the networks and of the sources. */
int dal_emit_check(struct dal_diags *diags, const struct dal_emit *emit)
{
    int error = check_folder(diags, emit->first_file, emit->source_dir);
    const struct dal_plan_unit *unit;
    size_t i;

    if (!error)
        error = check_folder(diags, emit->output_dir, emit->output_dir);
    for (i = 0; (unit = dal_plan_any_unit(emit->plan, i)) && !error; i++) {
        const char *files[] = {unit->source->path, dal__emit_plan(emit, unit)->spec->network.file};
        size_t k;
        for (k = 0; k < 2 && !error; k++) {
            char *folder = dal__emit_folder(files[k]);
            error = check_folder(diags, files[k], folder);
            dal_free(folder);
        }
    }
    return error;
}

static int has_file(const struct dal_tree *tree, const char *name)
{
    size_t i;

    for (i = 0; i < tree->count; i++)
        if (!strcmp(tree->files[i]->name, name))
            return 1;
    return 0;
}

/* A source may include the header of its process by the process's name, where that header has had
 * to take another one. */
static void emit_spare_header(const struct dal_plan *plan, struct dal_tree *tree,
                              const struct dal_plan_unit *unit)
{
    char *name = dal_format("%s.h", unit->process->base);
    struct dal_text *text;

    tree->lost |= !name;
    if (name && unit->asks_header && !has_file(tree, name)) {
        text = dal__tree_add(tree, "%s", name);
        dal__emit_banner(plan, text,
                         "Constants of process %s: those that it is compiled with stand in %s, "
                         "which has been included.",
                         unit->process->base, unit->header);
        if (tree->count && &tree->files[tree->count - 1]->text == text)
            tree->files[tree->count - 1]->spare = 1;
    }
    dal_free(name);
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
    const struct dal_plan_unit *unit;
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
    for (i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->type == DAL_SOURCE_C)
            emit_spare_header(dal__emit_plan(emit, unit), tree, unit);
    dal__emit_make(emit, tree);
    dal__emit_commands(emit, tree);
    for (i = 0; i < tree->count; i++)
        tree->lost |= tree->files[i]->text.lost;
    return tree->lost ? DAL_ERR_NOMEM : DAL_OK;
}
