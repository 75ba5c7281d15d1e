/* Finds the process functions and the state of a C source among the reader's facts. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"
#include "synth/codegen/clang/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int dal_unit_read(struct dal_diags *diags, const struct dal_spec_source *source, const char *path,
                  char **data, size_t *length)
{
    const char *why;
    int error = dal_file_read(path, DAL_UNIT_MAX_BYTES, data, length, &why);

    if (error == DAL_ERR_IO)
        dal_error(diags, source->place, "missing-source-file", "source '%s': cannot read %s: %s",
                  source->location, path, why);
    else if (error == DAL_ERR_LIMIT)
        dal_error(diags, source->place, "missing-source-file",
                  "source '%s': %s is larger than %u MiB", source->location, path,
                  DAL_UNIT_MAX_BYTES >> 20);
    return error && error != DAL_ERR_NOMEM ? DAL_ERR_INVALID : error;
}

int dal__unit_unread(struct dal_diags *diags, const struct dal_spec_source *source)
{
    dal_error(diags, source->place, "unread-source",
              "source '%s' cannot be read: what reads it has ended, or takes longer than %d "
              "seconds",
              source->location, DAL_READER_SECONDS);
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

char *dal_unit_include_path(const char *path, const char *name, size_t length)
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
    int error = DAL_OK;

    while (*text && !error) {
        const char *name;
        size_t length = find_include(text, &name);
        char *file = length ? dal_unit_include_path(path, name, length) : NULL;
        if (length && !file)
            error = DAL_ERR_NOMEM;
        if (file && access(file, R_OK) == 0)
            dal_text_list_join(files, file, strlen(file));
        dal_free(file);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return error || files->lost ? DAL_ERR_NOMEM : DAL_OK;
}

int dal__unit_files(struct dal_diags *diags, const struct dal_spec_source *source,
                    struct dal_text *list)
{
    struct dal_text files = {0};
    size_t at = 0, length;
    int error = DAL_OK;

    dal_text_list_add(&files, source->path, strlen(source->path));
    while (!error && at < files.length) {
        size_t end = strcspn(files.data + at, "\n");
        char *path = dal_format("%.*s", (int)end, files.data + at), *data;
        error = path ? dal_unit_read(diags, source, path, &data, &length) : DAL_ERR_NOMEM;
        if (!error) {
            error = list_files(&files, path, data);
            dal_free(data);
        }
        dal_free(path);
        at += end + 1;
    }
    if (list)
        *list = files;
    else
        dal_text_finish(&files);
    return error;
}

/* ---- reading --------------------------------------------------------------------------------- */

int dal__unit_is_alike(const struct dal_plan_unit *a, const struct dal_plan_unit *b)
{
    return a->source->type == b->source->type && a->source->cxx == b->source->cxx &&
           a->openmp == b->openmp && strcmp(a->source->path, b->source->path) == 0 &&
           strcmp(a->front, b->front) == 0 && dal_text_same(a->source->cflags, b->source->cflags);
}

const struct dal_plan_unit *dal__unit_alike(const struct dal_plan *plan,
                                            const struct dal_plan_unit *unit)
{
    const struct dal_plan_unit *other;
    size_t i;

    for (i = 0; (other = dal_plan_any_unit(plan, i)); i++)
        if (other != unit && (other->facts || other->variants) && dal__unit_is_alike(other, unit))
            return other;
    return NULL;
}

int dal__unit_front(const struct dal_plan *plan, struct dal_plan_unit *unit)
{
    struct dal_text front = {0};

    if (unit->front)
        return DAL_OK;
    dal_source_constants(&front, plan, unit,
                         dal_spec_runs(DAL_CAPABILITY_POSIX, unit->source->type) ? DAL_PORTS_NAMED
                                                                                 : DAL_PORTS_NONE);
    unit->front = dal_text_take(&front);
    return unit->front ? DAL_OK : DAL_ERR_NOMEM;
}

/* Adds the lines that are not there; returns how many those were. */
static size_t join_lists(struct dal_text *list, const struct dal_text *more)
{
    const char *at = dal_text_get(more);
    size_t added = 0;

    for (; *at; at += strcspn(at, "\n") + 1)
        added += (size_t)dal_text_list_join(list, at, strcspn(at, "\n"));
    return added;
}

/* Reads again as long as a reading changes what stands in front. */
static int read_rounds(const struct dal_plan *plan, struct dal_plan_unit *unit,
                       struct dal_reading *reading)
{
    enum { ROUNDS = 3 };
    struct dal_facts *facts = unit->facts;
    int round = 0, error;
    size_t changes;

    do {
        struct dal_text front = {0};
        dal_facts_finish(facts);
        dal_source_constants(&front, plan, unit, DAL_PORTS_NAMED);
        reading->front = dal_text_get(&front);
        reading->set_aside = &unit->aside;
        error = front.lost ? DAL_ERR_NOMEM : dal_read_source(reading, facts);
        dal_text_finish(&front);
        changes = join_lists(&unit->own, &facts->own) + join_lists(&unit->aside, &facts->aside);
        if (unit->own.lost || unit->aside.lost)
            error = DAL_ERR_NOMEM;
    } while (!error && changes && ++round < ROUNDS);
    return error;
}

static int read_unit(struct dal_diags *diags, const struct dal_plan *plan,
                     struct dal_plan_unit *unit, const char *text)
{
    char *folder = dal_plan_folder(plan);
    struct dal_reading reading = {
        .path = unit->source->path,
        .text = text,
        .folder = folder,
        .options = unit->source->cflags,
        .is_cxx = unit->source->cxx,
        .openmp = unit->openmp,
        .said = unit->said,
    };
    int error = DAL_OK;

    unit->said = NULL;
    unit->facts = dal_calloc(1, sizeof(*unit->facts));
    if (!folder || !unit->facts)
        error = DAL_ERR_NOMEM;
    else if (!reading.said)
        error = dal__unit_files(diags, unit->source, NULL);
    if (!error)
        error = read_rounds(plan, unit, &reading);
    if (error && unit->facts) { /* no other unit is to take them for its own */
        dal_facts_finish(unit->facts);
        dal_free(unit->facts);
        unit->facts = NULL;
    }
    dal_free(reading.said);
    dal_free(folder);
    return error == DAL_ERR_SYSTEM ? dal__unit_unread(diags, unit->source) : error;
}

/* Finds the facts, which another unit may have found already. */
static int find_facts(struct dal_diags *diags, const struct dal_plan *plan,
                      struct dal_plan_unit *unit, const char *text)
{
    const struct dal_plan_unit *alike;

    if (dal__unit_front(plan, unit))
        return DAL_ERR_NOMEM;
    alike = dal__unit_alike(plan, unit);
    if (!alike)
        return read_unit(diags, plan, unit, text);
    unit->facts = alike->facts;
    unit->shares_facts = 1;
    join_lists(&unit->own, &alike->own);
    join_lists(&unit->aside, &alike->aside);
    return unit->own.lost || unit->aside.lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Refuses what is legal C, but not in a process. */
static int check_refused(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = dal_fact_next(unit->facts, DAL_FACT_REFUSED, NULL);

    if (!fact)
        return DAL_OK;
    dal_error(diags, dal__unit_place(diags, unit->source, fact), "source-build", "%s", fact->name);
    return DAL_ERR_INVALID;
}

static int check_state(struct dal_diags *diags, const struct dal_plan_unit *unit)
{
    const struct dal_fact *fact = dal_fact_next(unit->facts, DAL_FACT_FLEXIBLE, NULL);

    if (!fact)
        return DAL_OK;
    dal_error(diags, dal__unit_place(diags, unit->source, fact), "flexible-state",
              "process '%s': '%s' at the end of struct _local_states has no size, so there is no "
              "memory for it; give it one, or make it a pointer",
              unit->process->name, fact->name);
    return DAL_ERR_INVALID;
}

int dal_unit_scan_c(struct dal_diags *diags, const struct dal_plan *plan,
                    struct dal_plan_unit *unit)
{
    char *header = dal_format("%s.h", unit->process->base);
    struct dal_text text = {0};
    int error;

    error = header ? dal_unit_rewrite_foreach(diags, unit, &text) : DAL_ERR_NOMEM;
    if (!error)
        error = find_facts(diags, plan, unit, text.length ? dal_text_get(&text) : NULL);
    if (!error)
        error = dal__unit_functions(diags, plan, unit);
    if (!error) {
        unit->asks_header = dal_text_list_has(&unit->facts->missing, header);
        error = check_refused(diags, unit);
    }
    if (!error)
        error = check_state(diags, unit);
    if (!error && unit->type == DAL_SOURCE_C) {
        unit->text = text;
        text = (struct dal_text){0};
    }
    dal_text_finish(&text);
    dal_free(header);
    return error;
}
