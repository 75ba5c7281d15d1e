#include "synth/command/found.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/table.h"
#include "synth/command/here.h"
#include "synth/command/tune.h"
#include "synth/program/build.h"
#include "synth/program/profile.h"
#include "synth/program/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a file that was found, at most. */
enum { MOST_BYTES = 64 << 20 };

struct finding {
    struct dal_diags *diags;
    const struct dal_request *request;
    struct dal_files *files;
    struct dal_found *found;
};

/* Keeps the warnings of missing times, which only the search gives. All others come again when the
 * specification is read once more. */
static void keep_warnings(struct dal_diags *diags, const struct dal_diags *said)
{
    for (size_t i = 0; i < said->count; i++) {
        struct dal_spec_place place = said->list[i].place;
        if (!dal_text_same(said->list[i].code, "unmeasured"))
            continue;
        place.file = dal_diag_file(diags, place.file);
        dal_warning(diags, place, "unmeasured", "%s", said->list[i].message);
    }
}

/* Returns the defines of variables alone: a mapping is the same with taps, which are bound by
 * themselves. NULL without memory. */
static struct dal_spec_define *list_variables(const struct dal_defines *defines, size_t *count)
{
    struct dal_spec_define *list = dal_calloc(defines->count + 1, sizeof(*list));
    *count = 0;
    for (size_t i = 0; list && i < defines->count; i++)
        if (!defines->list[i].kind)
            list[(*count)++] = defines->list[i];
    return list;
}

static int search_mapping(const struct finding *f, struct dal_diags *said)
{
    size_t count;
    struct dal_spec_define *defines = list_variables(&f->request->defines, &count);
    struct dal_map map = {.network_file = f->files->network,
                          .architecture_file = f->files->architecture,
                          .times_file = f->files->times,
                          .defines = defines,
                          .define_count = count,
                          .most_exact = DAL_SEARCH_EXACT,
                          .wishes = {.pools = 1},
                          .seconds = f->request->seconds};
    int status = defines ? dal_map(said, &map, &f->found->mapped) : DAL_ERR_NOMEM;
    dal_free(defines);
    return status;
}

/* Searches, or tunes where only the network is given. */
static int find_mapping(struct finding *f)
{
    struct dal_diags said;
    int status;
    dal_diags_init(&said);
    status = f->request->map.tunes
                 ? dal_tune(&said, f->request, f->found->folder, &f->found->mapped)
                 : search_mapping(f, &said);
    if (status == DAL_ERR_INVALID) { /* nothing has been said before, and nothing comes behind it */
        struct dal_diags before = *f->diags;
        *f->diags = said;
        said = before;
    } else {
        keep_warnings(f->diags, &said);
    }
    dal_diags_finish(&said);
    return status;
}

/* Without architecture and mapping, everything runs on the cores of this machine. */
static int map_here(struct finding *f)
{
    struct dal_text cores = {0}, mapping = {0};
    int status;
    f->found->is_here = !f->files->mapping;
    status = dal_here_write(&cores, &mapping);
    if (!status && (cores.lost || mapping.lost))
        status = DAL_ERR_NOMEM;
    if (!status && !f->files->mapping)
        status = dal_text_write(dal_text_get(&mapping), "", f->found->mapping);
    if (!status)
        status = dal_text_write(dal_text_get(&cores), "", f->found->architecture);
    f->files->architecture = f->found->architecture;
    if (!f->files->mapping)
        f->files->mapping = f->found->mapping;
    dal_text_finish(&cores);
    dal_text_finish(&mapping);
    return status;
}

static int map_by_search(struct finding *f)
{
    int status = find_mapping(f);
    if (!status)
        status = dal_text_write(f->found->mapped.text, "", f->found->mapping);
    if (status)
        return status;
    f->files->mapping = f->found->mapping;
    dal_log(DAL_LOG_NOTE, "no mapping is given: %s%s", f->found->mapped.summary,
            f->found->mapped.interrupted   ? "; the search was interrupted"
            : f->found->mapped.out_of_time ? "; the time limit ended the search"
                                           : "");
    return DAL_OK;
}

/* A signal has come before a mapping was known: what needs no search is left, unless the request
 * forbids that. */
static int map_unsearched(struct finding *f)
{
    const struct dal_map *map = &f->request->map.map;
    const struct dal_search_wishes *wishes = &map->wishes;
    if (map->keep_file || wishes->pin_count || wishes->leave || !wishes->pools) {
        dal_log(DAL_LOG_ERROR, "interrupted before a mapping was found that keeps what is asked "
                               "for: nothing is written");
        return DAL_ERR_BUILD;
    }
    dal_log(DAL_LOG_NOTE, "interrupted before a mapping was found: everything is on all cores");
    unlink(f->found->times);
    return map_here(f);
}

static int map_by_tuning(struct finding *f)
{
    struct dal_text table = {0};
    int status = dal_program_check(f->diags, f->files->output);
    if (!status)
        status = find_mapping(f);
    if (status == DAL_ERR_INTERRUPTED && !f->found->mapped.text)
        return map_unsearched(f);
    if (status)
        return status;
    printf("%s\n\n", f->found->mapped.summary);
    dal_text_add(&table, f->found->mapped.told);
    status = dal_table_print(&table, stdout);
    f->files->architecture = f->found->architecture;
    f->files->mapping = f->found->mapping;
    if (!f->files->times)
        f->files->times = f->found->times;
    return status;
}

/* Makes the folder of the files that are found, to read them as if the user had written them. */
static int make_folder(struct dal_found *found)
{
    found->folder = dal_profile_folder();
    if (!found->folder)
        return DAL_ERR_SYSTEM;
    found->mapping = dal_format("%s/" DAL_TUNE_MAPPING, found->folder);
    found->architecture = dal_format("%s/" DAL_TUNE_ARCHITECTURE, found->folder);
    found->times = dal_format("%s/" DAL_TUNE_TIMES, found->folder);
    return found->mapping && found->architecture && found->times ? DAL_OK : DAL_ERR_NOMEM;
}

int dal_found_make(struct dal_diags *diags, const struct dal_request *request,
                   struct dal_files *files, struct dal_found *found)
{
    struct finding f = {.diags = diags, .request = request, .files = files, .found = found};
    int status = make_folder(found);
    if (status)
        return status;
    if (request->map.tunes)
        return map_by_tuning(&f);
    return files->architecture ? map_by_search(&f) : map_here(&f);
}

int dal_found_add(const struct dal_found *found, struct dal_tree *tree)
{
    static const char *const names[] = {DAL_TUNE_MAPPING, DAL_TUNE_ARCHITECTURE, DAL_TUNE_TIMES,
                                        DAL_TUNE_PAGE};
    int status = DAL_OK;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && found->folder && !status; i++) {
        char *path = dal_format("%s/%s", found->folder, names[i]), *text;
        const char *why;
        size_t length;
        if (!path)
            return DAL_ERR_NOMEM;
        if (!dal_file_fault(path)) {
            status = dal_file_read(path, MOST_BYTES, &text, &length, &why);
            if (!status)
                dal_text_add(dal_tree_add(tree, "%s", names[i]), text);
            dal_free(text);
        }
        dal_free(path);
    }
    return status;
}

void dal_found_rename(const struct dal_found *found, struct dal_diags *diags, const char *network)
{
    size_t length = found->folder ? strlen(found->folder) : 0;
    for (size_t i = 0; length && i < diags->count; i++) {
        const char *file = diags->list[i].place.file;
        if (file && strncmp(file, found->folder, length) == 0 && file[length] == '/')
            diags->list[i].place = (struct dal_spec_place){.file = dal_diag_file(diags, network)};
    }
}

void dal_found_finish(struct dal_found *found)
{
    dal_mapped_finish(&found->mapped);
    if (found->folder)
        dal_build_remove(found->folder);
    dal_free_all(found->folder, found->mapping, found->architecture, found->times);
}
