/* Reads what a source is built with beside its own text: more files, include folders, packages. */
#include "spec/read/libraries.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/names.h"
#include "spec/base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 256, MAX_PACKAGES = 64 };
static const int64_t PACKAGE_LIMIT_NS = INT64_C(30000000000);

/* ---- more files ------------------------------------------------------------------------------ */

/* The languages of files, by what their names end in. */
static const struct ending {
    const char *ending;
    int cxx;
} endings[] = {{".c", 0}, {".cc", 1}, {".cpp", 1}, {".cxx", 1}, {".C", 1}};

int dal__is_cxx(const char *location)
{
    const struct ending *found = DAL_NAMED_IN(endings, ending, strrchr(location, '.'));
    return found && found->cxx;
}

static int find_language(struct dal__reader *reader, struct dal_spec_file *file)
{
    const struct ending *found = DAL_NAMED_IN(endings, ending, strrchr(file->location, '.'));
    if (found) {
        file->cxx = found->cxx;
        return 1;
    }
    dal_error(reader->diags, file->place, "source-file",
              "file '%s': its name must end in .c, or for C++ in .cc, .cpp, .cxx or .C",
              file->location);
    return 0;
}

static int check_file(struct dal__reader *reader, const struct dal__network_state *state,
                      struct dal_spec_file *file)
{
    const char *why;
    if (!dal__xml_plain(reader->diags, file->place, "location", file->location) ||
        !find_language(reader, file))
        return DAL_OK;
    if (strpbrk(file->location, "\"\\")) {
        dal_error(reader->diags, file->place, "source-file",
                  "file '%s': no #include can name it, because of a quote or a backslash",
                  file->location);
        return DAL_OK;
    }
    file->path = dal__source_path(state, file->location);
    if (!file->path)
        return dal__lost(reader->diags);
    why = state->raw->unchecked ? NULL : dal_file_fault(file->path);
    if (why)
        dal_error(reader->diags, file->place, "missing-source-file", "'%s': %s", file->path, why);
    return DAL_OK;
}

static int read_file(struct dal__reader *reader, const struct dal__network_state *state,
                     const xmlNode *element, struct dal_spec_source *source)
{
    const struct dal__limit limit = {
        .most = MAX_FILES, .things = "files", .of = "source", .name = source->location};
    int status;
    struct dal_spec_file *file =
        DAL__ADD(reader, element, &limit, source->files, source->file_count, &status);
    if (!file)
        return status;
    file->place = dal__xml_place(element);
    if (dal__xml_text(reader, element, "location", &file->location))
        return DAL_ERR_NOMEM;
    return check_file(reader, state, file);
}

static int read_files(struct dal__reader *reader, const struct dal__network_state *state,
                      const xmlNode *element, struct dal_spec_source *source)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "file"))
            status = read_file(reader, state, child, source);
    }
    if ((source->type != DAL_SOURCE_C || source->python) && source->file_count)
        dal_error(reader->diags, source->files[0].place, "source-file",
                  "source '%s': only a source in C or C++ can have more files", source->location);
    return status;
}

/* ---- options --------------------------------------------------------------------------------- */

/* Puts words in front of options, or behind them. Takes nothing over but *options. */
static int join_options(struct dal__reader *reader, char **options, const char *words, int in_front)
{
    const char *old = *options ? *options : "", *joint = *options && *words ? " " : "";
    char *joined;
    if (!*words)
        return DAL_OK;
    joined = in_front ? dal_format("%s%s%s", words, joint, old)
                      : dal_format("%s%s%s", old, joint, words);
    if (!joined)
        return dal__lost(reader->diags);
    dal_free(*options);
    *options = joined;
    return DAL_OK;
}

/* Adds a word of a part's options, in which `lead` bytes stand in front of a path; -1: there is
 * none. */
static void add_word(struct dal_text *options, const struct dal__network_state *state,
                     const char *word, int lead)
{
    char *path = lead < 0 ? NULL : dal__from_network(state, word + lead);
    char *placed = lead < 0 ? dal_strdup(word) : dal_format("%.*s%s", lead, word, path ? path : "");
    options->lost |= !placed || (lead >= 0 && !path);
    dal_text_add(options, options->length ? " " : "");
    dal_text_add_shell(options, placed ? placed : "");
    dal_free_all(path, placed);
}

int dal__place_options(struct dal__reader *reader, const struct dal__network_state *state,
                       char **options, int files)
{
    struct dal_text placed = {0}, word = {0};
    const char *at = *options;
    int behind = 0, found = 0;
    if (!at || !state->part)
        return DAL_OK;
    while ((found = dal_text_next_word(&at, &word)) > 0) {
        add_word(&placed, state, dal_text_get(&word),
                 dal_text_find_path(dal_text_get(&word), files, &behind));
        placed.lost |= word.lost;
    }
    dal_text_finish(&word);
    if (found < 0 || !placed.length) { /* synth/codegen/kernel/options.c tells what is wrong */
        dal_text_finish(&placed);
        return DAL_OK;
    }
    dal_free(*options);
    *options = dal_text_take(&placed);
    return *options ? DAL_OK : dal__lost(reader->diags);
}

/* Checks a folder. It is seen from the network's file, where the compiler runs. */
static int check_folder(struct dal__reader *reader, const struct dal__network_state *state,
                        const struct dal_spec_source *source, const char *folder)
{
    char *path = dal__beside(state->file, folder);
    const char *why;
    if (!path)
        return dal__lost(reader->diags);
    why = state->raw->unchecked ? NULL : dal_folder_fault(path);
    if (why)
        dal_error(reader->diags, source->place, "include-folder",
                  "source '%s': include folder '%s': %s", source->location, path, why);
    dal_free(path);
    return DAL_OK;
}

/* Adds "inc" as "-Iinc" behind the options. */
static int add_folder(struct dal__reader *reader, const struct dal__network_state *state,
                      const struct dal_spec_source *source, const char *folder, char **options)
{
    char *option = dal_format("-I%s", folder);
    int status = option ? dal__place_options(reader, state, &option, 0) : dal__lost(reader->diags);
    if (!status)
        status = join_options(reader, options, option, 0);
    dal_free(option);
    return status ? status : check_folder(reader, state, source, folder);
}

/* Reads "inc other" as "-Iinc -Iother". */
static int read_folders(struct dal__reader *reader, const struct dal__network_state *state,
                        const xmlNode *element, struct dal_spec_source *source)
{
    char *text, *options = NULL;
    int status = dal__xml_text(reader, element, "include", &text);
    if (status || !text || !dal__xml_plain(reader->diags, source->place, "include", text)) {
        dal_free(text);
        return status;
    }
    for (char *rest, *at = strtok_r(text, " ", &rest); !status && at;
         at = strtok_r(NULL, " ", &rest))
        status = add_folder(reader, state, source, at, &options);
    if (!status && options)
        status = join_options(reader, &source->cflags, options, 1);
    dal_free_all(options, text);
    return status;
}

/* ---- packages -------------------------------------------------------------------------------- */

/* Parts the names in place; returns how many words there are with pkg-config's own. */
static size_t part_names(char *names, const char *argv[], size_t count)
{
    char *rest = names;
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        if (count < MAX_PACKAGES)
            argv[count++] = name;
    argv[count] = NULL;
    return count;
}

/* Turns newlines into spaces, and drops the last ones. */
static void make_one_line(char *text)
{
    size_t length = strlen(text);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20)
            *at = ' ';
    while (length && text[length - 1] == ' ')
        text[--length] = '\0';
}

/* Who asks for packages: a source, or what a network needs. */
struct asker {
    const struct dal_spec_source *source;
    const xmlNode *needs;
};

static void refuse_needs(struct dal__reader *reader, const xmlNode *needs, const char *names,
                         const char *program, const char *answer)
{
    const char *debian = dal__xml_get(needs, "debian");
    struct dal_spec_place place = dal__xml_place(needs);
    if (debian)
        dal_error(reader->diags, place, "packages",
                  "needs: '%s' is not there; %s is in Debian's package %s", names, names, debian);
    else
        dal_error(reader->diags, place, "packages", "needs: '%s' is not there", names);
    if (!answer)
        dal_note(reader->diags, place,
                 "'%s' cannot be run; install pkg-config, or say where it is in the variable "
                 "PKG_CONFIG",
                 program);
    else
        dal_note(reader->diags, place, "%s says: %s", program, *answer ? answer : "nothing");
}

static void refuse_packages(struct dal__reader *reader, const struct dal_spec_source *source,
                            const char *names, const char *program, const char *answer)
{
    if (!answer)
        dal_error(
            reader->diags, source->place, "packages",
            "source '%s': pkgs=\"%s\": '%s' cannot be run; install pkg-config, or say where it "
            "is in the variable PKG_CONFIG",
            source->location, names, program);
    else
        dal_error(reader->diags, source->place, "packages", "source '%s': pkgs=\"%s\": %s says: %s",
                  source->location, names, program, *answer ? answer : "nothing, but fails");
    if (source->python)
        dal_note(reader->diags, source->place,
                 "a process in Python needs the interpreter's headers (Debian: python3-dev)");
}

/* Asks pkg-config; *answer is NULL where it fails, which is an error unless the network is only
 * analysed. */
static int ask_packages(struct dal__reader *reader, const struct dal__network_state *state,
                        struct asker asker, const char *what, char **answer)
{
    const char *packages = state->packages.names;
    const char *program = getenv("PKG_CONFIG"), *argv[MAX_PACKAGES + 1], *said;
    struct dal_child child = {.argv = argv, .limit_ns = PACKAGE_LIMIT_NS};
    char *names = dal_strdup(packages);
    int status;
    *answer = NULL;
    if (!names)
        return dal__lost(reader->diags);
    argv[0] = program && *program ? program : "pkg-config";
    argv[1] = "--print-errors";
    argv[2] = what;
    part_names(names, argv, 3);
    status = dal_child_run(&child, answer);
    if (status >= 0)
        make_one_line(*answer);
    if (status == DAL_ERR_NOMEM)
        dal__lost(reader->diags);
    said = status < 0 || status == 127 ? NULL : *answer;
    if (status && status != DAL_ERR_NOMEM && !state->raw->unchecked) {
        if (asker.needs)
            refuse_needs(reader, asker.needs, packages, argv[0], said);
        else
            refuse_packages(reader, asker.source, packages, argv[0], said);
    }
    if (status) {
        dal_free(*answer);
        *answer = NULL;
    }
    dal_free(names);
    return status == DAL_ERR_NOMEM ? status : DAL_OK;
}

/* Remembers the last answer: the processes of an iterator name the same packages, and what is
 * needed is that of a source. */
static int find_packages(struct dal__reader *reader, struct dal__network_state *state,
                         struct asker asker, const char *names)
{
    struct dal__packages *packages = &state->packages;
    int status;
    if (packages->names && strcmp(packages->names, names) == 0)
        return DAL_OK;
    dal__packages_finish(packages);
    packages->names = dal_strdup(names);
    if (!packages->names)
        return dal__lost(reader->diags);
    status = ask_packages(reader, state, asker, "--cflags", &packages->cflags);
    if (!status && packages->cflags)
        status = ask_packages(reader, state, asker, "--libs", &packages->libs);
    return status;
}

/* Python has no attributes that are of C or of kernels. */
static int refuse_python(struct dal__reader *reader, const xmlNode *element,
                         const struct dal_spec_source *source)
{
    static const char *const names[] = {"cflags",  "libs",        "pkgs",
                                        "include", "contraction", "dataparallelism"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (dal__xml_get(element, names[i]))
            return dal_error(reader->diags, source->place, "python-process",
                             "source '%s': %s is of C and of kernels; this source is Python",
                             source->location, names[i]);
    if (strpbrk(source->location, "\"\\"))
        return dal_error(reader->diags, source->place, "source-file",
                         "source '%s': no C can name it, because of a quote or a backslash",
                         source->location);
    return DAL_OK;
}

static int read_names(struct dal__reader *reader, const xmlNode *element,
                      const struct dal_spec_source *source, char **names)
{
    if (!source->python)
        return dal__xml_text(reader, element, "pkgs", names);
    *names = dal_strdup("python3-embed");
    return *names ? DAL_OK : dal__lost(reader->diags);
}

static int read_packages(struct dal__reader *reader, struct dal__network_state *state,
                         const xmlNode *element, struct dal_spec_source *source)
{
    struct dal__packages *found = &state->packages;
    char *names;
    int status = read_names(reader, element, source, &names);
    if (status || !names)
        return status;
    if (source->type != DAL_SOURCE_C)
        dal_error(reader->diags, source->place, "packages",
                  "source '%s': only a source in C or C++ can have pkgs: a kernel is linked with "
                  "nothing",
                  source->location);
    else
        status = find_packages(reader, state, (struct asker){.source = source}, names);
    if (!status && found->cflags && found->libs && source->type == DAL_SOURCE_C) {
        status = join_options(reader, &source->cflags, found->cflags, 1);
        if (!status)
            status = join_options(reader, &source->libs, found->libs, 0);
    }
    dal_free(names);
    return status;
}

int dal__read_needs(struct dal__reader *reader, struct dal__network_state *state,
                    const xmlNode *root)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, root)
    {
        if (!status && dal__xml_is(child, "needs"))
            status = find_packages(reader, state, (struct asker){.needs = child},
                                   dal__xml_get(child, "pkg"));
    }
    return status;
}

void dal__packages_finish(struct dal__packages *packages)
{
    dal_free_all(packages->names, packages->cflags, packages->libs);
    *packages = (struct dal__packages){0};
}

int dal__read_libraries(struct dal__reader *reader, struct dal__network_state *state,
                        const xmlNode *element, struct dal_spec_source *source)
{
    int status;
    if (source->python && refuse_python(reader, element, source))
        return DAL_OK;
    status = read_packages(reader, state, element, source);
    if (!status)
        status = read_folders(reader, state, element, source);
    if (!status)
        status = read_files(reader, state, element, source);
    return status;
}
