/* The files of a source, and places in them as the user knows them. */
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int dal_unit_read(struct dal_diags *diags, const struct dal_spec_source *source, const char *path,
                  char **data, size_t *length)
{
    const char *why;
    int status = dal_file_read(path, DAL_UNIT_MAX_BYTES, data, length, &why);
    if (status == DAL_ERR_IO)
        dal_error(diags, source->place, "missing-source-file", "source '%s': cannot read %s: %s",
                  source->location, path, why);
    else if (status == DAL_ERR_LIMIT)
        dal_error(diags, source->place, "missing-source-file",
                  "source '%s': %s is larger than %u MiB", source->location, path,
                  DAL_UNIT_MAX_BYTES >> 20);
    return status && status != DAL_ERR_NOMEM ? DAL_ERR_INVALID : status;
}

/* Takes an option for a processor, at which libclang ends if it does not know the processor. */
static int take_processor(const struct dal_spec_source *source, struct dal_text *option)
{
    const char *at = source->cflags;
    while (at && dal_text_next_word(&at, option) > 0)
        if (strncmp(dal_text_get(option), "-m", 2) == 0 && strchr(dal_text_get(option), '='))
            return 1;
    return 0;
}

int dal__unit_unread(struct dal_diags *diags, const struct dal_spec_source *source)
{
    struct dal_text option = {0};
    int has_one = take_processor(source, &option);
    dal_error(diags, source->place, "unread-source",
              "source '%s' cannot be read: what reads it has ended, or takes longer than %d "
              "seconds",
              source->location, DAL_READER_SECONDS);
    if (has_one)
        dal_note(diags, source->place,
                 "its cflags have %s: libclang, which reads it, ends at a processor that it does "
                 "not know",
                 dal_text_get(&option));
    dal_text_finish(&option);
    return DAL_ERR_INVALID;
}

char *dal__user_path(const struct dal_spec_source *source, const char *path)
{
    const char *given = source->path;
    char real[PATH_MAX];
    size_t folder;
    if (!realpath(given, real))
        return dal_strdup(path);
    folder = (size_t)(dal_path_base(real) - real);
    if (strncmp(path, real, folder) != 0)
        return dal_strdup(path);
    return dal_format("%.*s%s", (int)(dal_path_base(given) - given), given, path + folder);
}

/* Returns the path of a file included with quotes from `path`; NULL when memory is exhausted. */
static char *include_path(const char *path, const char *name, size_t length)
{
    if (*name == '/')
        return dal_format("%.*s", (int)length, name);
    return dal_format("%.*s%.*s", (int)(dal_path_base(path) - path), path, (int)length, name);
}

struct dal_spec_place dal__unit_place(struct dal_diags *diags, const struct dal_spec_source *source,
                                      const struct dal_fact *fact)
{
    struct dal_spec_place place = {.line = fact->line, .column = fact->column};
    char *path = dal__user_path(source, *fact->file ? fact->file : source->path);
    place.file = path ? dal_diag_file(diags, path) : NULL;
    dal_free(path);
    return place;
}

struct dal_spec_place dal__place_in_unit(struct dal_diags *diags, const struct dal_plan_unit *unit,
                                         const struct dal_fact *fact)
{
    struct dal_spec_place place = {.line = fact->line};
    const char *at = unit->variants ? dal_text_get(&unit->variants->files) : "";
    char *path = NULL;
    for (; *at && !place.file; at += strcspn(at, "\n") + 1) {
        path = dal_format("%.*s", (int)strcspn(at, "\n"), at);
        if (path && strcmp(dal_path_base(path), fact->file) == 0)
            place.file = dal_diag_file(diags, path);
        dal_free(path);
    }
    if (!place.file)
        place.file = dal_diag_file(diags, unit->source->path);
    return place;
}

size_t dal__unit_errors(struct dal_diags *diags, const struct dal_spec_source *source,
                        const char *code, const struct dal_facts *facts)
{
    const struct dal_fact *fact = NULL;
    size_t count = 0;
    while ((fact = dal_fact_next(facts, DAL_FACT_ERROR, fact))) {
        dal_error(diags, dal__unit_place(diags, source, fact), code, "%s", fact->name);
        count++;
    }
    return count;
}

/* ---- files beside ---------------------------------------------------------------------------- */

/* Finds NAME in a line "#include "NAME"", also where no compiler would look. Returns its length;
 * else 0. */
static size_t find_include(const char *line, const char **name)
{
    static const char word[] = "include";
    line += strspn(line, " \t");
    if (*line++ != '#')
        return 0;
    line += strspn(line, " \t");
    if (strncmp(line, word, strlen(word)) != 0)
        return 0;
    line += strlen(word);
    line += strspn(line, " \t");
    *name = line + 1;
    return *line == '"' && line[1 + strcspn(line + 1, "\"\n")] == '"' ? strcspn(line + 1, "\"") : 0;
}

static int list_files(struct dal_text *files, const char *path, const char *text)
{
    int status = DAL_OK;
    while (*text && !status) {
        const char *name;
        size_t length = find_include(text, &name);
        char *file = length ? include_path(path, name, length) : NULL;
        if (length && !file)
            status = DAL_ERR_NOMEM;
        if (file && access(file, R_OK) == 0)
            dal_text_list_join(files, file, strlen(file));
        dal_free(file);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return status || files->lost ? DAL_ERR_NOMEM : DAL_OK;
}

int dal__unit_files(struct dal_diags *diags, const struct dal_spec_source *source,
                    struct dal_text *list)
{
    struct dal_text files = {0};
    size_t at = 0, length;
    int status = DAL_OK;
    dal_text_list_add(&files, source->path, strlen(source->path));
    while (!status && at < files.length) {
        size_t end = strcspn(files.data + at, "\n");
        char *path = dal_format("%.*s", (int)end, files.data + at), *data;
        status = path ? dal_unit_read(diags, source, path, &data, &length) : DAL_ERR_NOMEM;
        if (!status) {
            status = list_files(&files, path, data);
            dal_free(data);
        }
        dal_free(path);
        at += end + 1;
    }
    if (list)
        *list = files;
    else
        dal_text_finish(&files);
    return status;
}
