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

enum { NM_SECONDS = 20, NM_BYTES = 64 << 20, MOST_PAIRS = 1000 };

struct library {
    char *path;         /* real */
    char *said;         /* by nm; the names point into it */
    const char **names; /* sorted */
    size_t name_count;
};

/* A source that is linked with a library. Those of one source stand together, in its order. */
struct use {
    const struct dal_plan_unit *unit; /* the first of the source */
    char *word;                       /* as its libs say it */
    size_t library;
};

struct libraries {
    struct library *list;
    struct use *uses;
    size_t count, room, use_count, use_room;
    const struct dal_plan_unit *unit; /* whose libraries come now */
};

/* ---- which there are ------------------------------------------------------------------------- */

/* Returns which library has this path, after adding it if none has. */
static int find_library(struct libraries *l, const char *path, size_t *library)
{
    const struct library *known = DAL_NAMED(l->list, l->count, path, path);
    *library = known ? (size_t)(known - l->list) : l->count;
    if (known)
        return DAL_OK;
    if (dal_grow(&l->list, l->count, &l->room, sizeof(*l->list)))
        return DAL_ERR_NOMEM;
    l->list[l->count] = (struct library){.path = dal_strdup(path)};
    return l->list[l->count++].path ? DAL_OK : DAL_ERR_NOMEM;
}

static int has_use(const struct libraries *l, size_t library)
{
    for (size_t i = 0; i < l->use_count; i++)
        if (l->uses[i].library == library && l->uses[i].unit->source == l->unit->source)
            return 1;
    return 0;
}

static int add_use(void *of, const char *path, const char *word)
{
    struct libraries *l = of;
    char real[PATH_MAX];
    size_t library;
    if (*word == '@' || !realpath(path, real))
        return DAL_OK;
    if (find_library(l, real, &library))
        return DAL_ERR_NOMEM;
    if (has_use(l, library))
        return DAL_OK;
    if (dal_grow(&l->uses, l->use_count, &l->use_room, sizeof(*l->uses)))
        return DAL_ERR_NOMEM;
    l->uses[l->use_count] =
        (struct use){.unit = l->unit, .word = dal_strdup(word), .library = library};
    return l->uses[l->use_count++].word ? DAL_OK : DAL_ERR_NOMEM;
}

/* ---- what they define ------------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Does a name count, of this type? Each object may have its own of what a compiler makes weak: in
 * C++, whose names begin with _, and what has a dot in its name. */
static int does_count(const char *name, char type)
{
    return strchr("TDBRCGSi", type) ||
           (strchr("WV", type) && *name != '_' && strspn(name, DAL_IDENTIFIER) == strlen(name));
}

/* Takes the names from lines "NAME TYPE ...", with "ARCHIVE[MEMBER]:" between them. */
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
        if (*space != ' ')
            continue;
        *space = '\0';
        if (does_count(at, space[1]))
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

/* Returns the next name that two libraries have, or NULL; `at` starts as zeros. */
static const char *next_common(const struct library *a, const struct library *b, size_t at[2])
{
    while (at[0] < a->name_count && at[1] < b->name_count) {
        const char *name = a->names[at[0]];
        int order = strcmp(name, b->names[at[1]]);
        at[0] += order <= 0;
        at[1] += order >= 0;
        if (order == 0)
            return name;
    }
    return NULL;
}

/* Has a library in front, of the same source, this name, too? Then the source alone gets that. */
static int is_hidden(const struct libraries *l, size_t use, const char *name)
{
    for (size_t i = use; i-- > 0 && l->uses[i].unit == l->uses[use].unit;) {
        const struct library *front = &l->list[l->uses[i].library];
        if (front->name_count &&
            bsearch(&name, front->names, front->name_count, sizeof(name), compare_names))
            return 1;
    }
    return 0;
}

/* Counts the names of which each of two sources alone would get its own. */
static size_t count_common(const struct libraries *l, size_t a, size_t b, const char **first)
{
    const char *name;
    size_t at[2] = {0}, count = 0;
    while ((name = next_common(&l->list[l->uses[a].library], &l->list[l->uses[b].library], at)))
        if (!is_hidden(l, a, name) && !is_hidden(l, b, name) && count++ == 0)
            *first = name;
    return count;
}

/* Returns whether it has told something. */
static int compare_uses(struct dal_diags *diags, const struct libraries *l, size_t first,
                        size_t second)
{
    const struct use *a = &l->uses[first], *b = &l->uses[second];
    const char *name = "";
    size_t count = a->unit->source == b->unit->source ? 0 : count_common(l, first, second, &name);
    char more[48] = "";
    if (count == 0)
        return 0;
    if (count > 1)
        snprintf(more, sizeof(more), " and %zu more", count - 1);
    dal_warning(diags, b->unit->source->place, "same-names",
                "source '%s': library '%s' defines '%s'%s, and so does '%s' of source '%s'; a "
                "program has one of each name, and both sources get that",
                b->unit->source->location, b->word, name, more, a->word, a->unit->source->location);
    dal_note(diags, a->unit->source->place, "library '%s' is given here", a->word);
    return 1;
}

/* Two libraries are told once, however many sources use them. Many sources that all have both have
 * nothing to tell. */
static void compare_libraries(struct dal_diags *diags, const struct libraries *l, size_t a,
                              size_t b)
{
    size_t pairs = 0;
    if (!next_common(&l->list[a], &l->list[b], (size_t[2]){0}))
        return;
    for (size_t i = 0; i < l->use_count; i++)
        for (size_t k = 0; k < i && pairs < MOST_PAIRS; k++)
            if (((l->uses[k].library == a && l->uses[i].library == b) ||
                 (l->uses[k].library == b && l->uses[i].library == a)) &&
                pairs++ < MOST_PAIRS && compare_uses(diags, l, k, i))
                return;
}

static void finish(struct libraries *l)
{
    for (size_t i = 0; i < l->count; i++) {
        dal_free_all(l->list[i].path, l->list[i].said, l->list[i].names);
    }
    for (size_t i = 0; i < l->use_count; i++)
        dal_free(l->uses[i].word);
    dal_free_all(l->list, l->uses);
}

/* Lists the libraries of a network. Their paths are seen from its file, those of a part as well. */
static int list_libraries(struct libraries *l, const struct dal_plan *plan)
{
    char *folder = dal_path_folder(plan->spec->network.file);
    int status = folder ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->unit_count && !status; i++) {
        l->unit = &plan->units[i];
        if (l->unit->type == DAL_SOURCE_C && l->unit->source->libs)
            status = dal_libs_find(l->unit->source->libs, folder, add_use, l);
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
            compare_libraries(diags, &l, k, i);
    finish(&l);
    return status;
}
