#include "synth/program/libraries.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/base/text.h"
#include "spec/model/libs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LIBRARIES = 64, NM_SECONDS = 20, NM_BYTES = 64 << 20 };

struct library {
    const struct dal_plan_unit *unit; /* the first that is linked with it */
    char *word;                       /* as its libs say it */
    char *path;                       /* real */
    char *said;                       /* by nm; the names point into it */
    const char **names;               /* sorted */
    size_t name_count;
};

struct libraries {
    struct library list[MOST_LIBRARIES];
    size_t count;
    const struct dal_plan_unit *unit; /* whose libraries come now */
};

/* ---- which there are ------------------------------------------------------------------------- */

static int has_path(const struct libraries *l, const char *path)
{
    return DAL_NAMED(l->list, l->count, path, path) != NULL;
}

static int add_library(void *of, const char *path, const char *word)
{
    struct libraries *l = of;
    struct library *library = &l->list[l->count];
    char real[PATH_MAX];
    if (*word == '@' || !realpath(path, real) || has_path(l, real) || l->count == MOST_LIBRARIES)
        return DAL_OK;
    *library =
        (struct library){.unit = l->unit, .word = dal_strdup(word), .path = dal_strdup(real)};
    l->count++;
    return library->word && library->path ? DAL_OK : DAL_ERR_NOMEM;
}

/* ---- what they define ------------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Takes the names from lines "NAME TYPE ...", with "ARCHIVE[MEMBER]:" between them. Strong names
 * have such a type. */
static int take_names(struct library *library)
{
    size_t lines = 0;
    char *at, *next;
    for (at = library->said; *at; at++)
        lines += *at == '\n';
    library->names = dal_calloc(lines + 1, sizeof(*library->names));
    for (at = library->said; library->names && *at; at = next) {
        char *space = at + strcspn(at, " \n");
        next = at + strcspn(at, "\n");
        next += *next != '\0';
        if (*space != ' ' || !strchr("TDBRCGS", space[1]))
            continue;
        *space = '\0';
        library->names[library->name_count++] = at;
    }
    if (library->names)
        qsort(library->names, library->name_count, sizeof(*library->names), compare_names);
    return library->names ? DAL_OK : DAL_ERR_NOMEM;
}

static int ask_nm(struct library *library)
{
    const char *nm = getenv("NM"), *ending = strrchr(library->path, '.');
    int is_shared = (ending && strcmp(ending, ".so") == 0) || strstr(library->path, ".so.");
    const char *const argv[] = {nm && *nm ? nm : "nm",   "-P", "-g",          "--defined-only",
                                is_shared ? "-D" : "-g", "--", library->path, NULL};
    const struct dal_child child = {.argv = argv,
                                    .errors = "/dev/null",
                                    .limit_ns = NM_SECONDS * INT64_C(1000000000),
                                    .most = NM_BYTES};
    int status = dal_child_run(&child, &library->said);
    if (status == DAL_ERR_NOMEM || status == DAL_ERR_INTERRUPTED)
        return status;
    return status == 0 ? take_names(library) : DAL_OK;
}

/* ---- what both define ------------------------------------------------------------------------ */

static size_t count_common(const struct library *a, const struct library *b, const char **first)
{
    size_t i = 0, k = 0, count = 0;
    while (i < a->name_count && k < b->name_count) {
        int order = strcmp(a->names[i], b->names[k]);
        if (order == 0 && count++ == 0)
            *first = a->names[i];
        i += order <= 0;
        k += order >= 0;
    }
    return count;
}

static void compare(struct dal_diags *diags, const struct library *a, const struct library *b)
{
    const char *name = "";
    size_t count = a->unit->source == b->unit->source ? 0 : count_common(a, b, &name);
    char more[48] = "";
    if (count == 0)
        return;
    if (count > 1)
        snprintf(more, sizeof(more), " and %zu more", count - 1);
    dal_warning(diags, b->unit->source->place, "same-names",
                "source '%s': library '%s' defines '%s'%s, and so does '%s' of source '%s'; a "
                "program has one of each name, and both sources get that",
                b->unit->source->location, b->word, name, more, a->word, a->unit->source->location);
    dal_note(diags, a->unit->source->place, "library '%s' is given here", a->word);
}

static void finish(struct libraries *l)
{
    for (size_t i = 0; i < l->count; i++) {
        dal_free_all(l->list[i].word, l->list[i].path, l->list[i].said, l->list[i].names);
    }
}

/* Lists the libraries of a network. Their paths are seen from its file, those of a part as well. */
static int list_libraries(struct libraries *l, const struct dal_plan *plan)
{
    char *folder = dal_path_folder(plan->spec->network.file);
    int status = folder ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->unit_count && !status; i++) {
        l->unit = &plan->units[i];
        if (l->unit->type == DAL_SOURCE_C && l->unit->source->libs)
            status = dal_libs_find(l->unit->source->libs, folder, add_library, l);
    }
    dal_free(folder);
    return status;
}

int dal_libraries_check(struct dal_diags *diags, const struct dal_plan *plan)
{
    struct libraries l = {0};
    const struct dal_plan *peer;
    int status = DAL_OK;
    for (size_t i = 0; !status && (peer = dal_plan_peer(plan, i)); i++)
        status = list_libraries(&l, peer);
    for (size_t i = 0; i < l.count && l.count > 1 && !status; i++)
        status = ask_nm(&l.list[i]);
    for (size_t i = 0; i < l.count && !status; i++)
        for (size_t k = 0; k < i; k++)
            compare(diags, &l.list[k], &l.list[i]);
    finish(&l);
    return status;
}
