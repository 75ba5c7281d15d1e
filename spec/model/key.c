#include "spec/model/key.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sha256.h"
#include "spec/base/file.h"
#include "spec/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of a source with its includes: more than this is not looked at. */
enum { MOST_FILES = 1024, MOST_BYTES = 1 << 26 };

/* Folders in which a compiler looks for what is included, in its order: for "" alone, then those
 * of -I, -isystem and -idirafter. */
enum { QUOTED, PLAIN, SYSTEM, AFTER, PLACES };

struct reading {
    struct dal_text folders[PLACES];           /* a line each */
    const struct dal_spec_variable *variables; /* that the source sees */
    size_t variable_count;
    unsigned char *mentioned; /* variables, by number */
    char *files[MOST_FILES];  /* a file is read once; the first is the source */
    int count, lost;
    struct dal_sha256 sha;
};

static void add_text(struct dal_sha256 *sha, const char *text)
{
    dal_sha256_add(sha, text ? text : "", text ? strlen(text) + 1 : 1);
}

static void add_number(struct dal_sha256 *sha, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, number);
    add_text(sha, text);
}

/* ---- the text ------------------------------------------------------------------------------- */

/* Lists a file beside another one, if it is not listed yet. Owns the path from then on. */
static void list_file(struct reading *r, char *path)
{
    int i;
    r->lost |= !path;
    for (i = 0; path && i < r->count; i++)
        if (strcmp(r->files[i], path) == 0)
            break;
    if (path && i == r->count && i < MOST_FILES)
        r->files[r->count++] = path;
    else
        dal_free(path);
}

/* Lists a file if it is in this folder, "" or with a slash behind; returns whether it is. */
static int find_in(struct reading *r, const char *folder, int length, const char *name)
{
    char *path = *name == '/' ? dal_strdup(name) : dal_format("%.*s%s", length, folder, name);
    int is_there = path && !dal_file_fault(path);
    r->lost |= !path;
    if (is_there)
        list_file(r, path);
    else
        dal_free(path);
    return is_there;
}

/* Lists the file that a compiler takes, if there is one. */
static void find_included(struct reading *r, const char *name, const char *beside, int quoted)
{
    const char *slash = strrchr(beside, '/');
    if (quoted && find_in(r, beside, slash ? (int)(slash + 1 - beside) : 0, name))
        return;
    for (int place = quoted ? QUOTED : PLAIN; place < PLACES; place++)
        for (const char *at = dal_text_get(&r->folders[place]); *at; at += strcspn(at, "\n") + 1)
            if (find_in(r, at, (int)strcspn(at, "\n"), name))
                return;
}

/* Lists what a line includes, if it does. */
static void list_include(struct reading *r, const char *line, const char *path)
{
    const char *end;
    char *name;
    line += strspn(line, " \t");
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return;
    line += 7 + strspn(line + 7, " \t");
    end = *line == '"' || *line == '<' ? strpbrk(line + 1, *line == '"' ? "\"\n" : ">\n") : NULL;
    if (!end || *end == '\n')
        return;
    name = dal_format("%.*s", (int)(end - line - 1), line + 1);
    r->lost |= !name;
    if (name)
        find_included(r, name, path, *line == '"');
    dal_free(name);
}

/* Options with a folder, or of PLACES a file, as the next word or in the same one. */
static const struct {
    const char *option;
    int place;
} known[] = {{"-iquote", QUOTED},   {"-I", PLAIN},        {"-isystem", SYSTEM},
             {"-idirafter", AFTER}, {"-include", PLACES}, {"-imacros", PLACES}};
enum { KNOWN = sizeof(known) / sizeof(known[0]) };

/* Adds the folder of a file. */
static void add_folder_of(struct reading *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    dal_text_list_join(&r->folders[QUOTED], path, slash ? (size_t)(slash + 1 - path) : 0);
}

/* Takes a word of the options, whose paths are seen from the network's file. */
static void take_path(struct reading *r, int place, const char *word, const char *network)
{
    char *folder = place < PLACES ? dal_format("%s/", word) : NULL;
    char *path = folder ? dal__beside(network, folder) : NULL;
    r->lost |= place < PLACES && !path;
    if (path)
        dal_text_list_join(&r->folders[place], path, strlen(path));
    else if (place == PLACES)
        find_included(r, word, network, 1);
    dal_free_all(folder, path);
}

/* Returns which option begins a word, with the length of its name; KNOWN and 0 for none. */
static size_t find_option(const char *word, size_t *length)
{
    for (size_t i = 0; i < KNOWN; i++) {
        *length = strlen(known[i].option);
        if (strncmp(word, known[i].option, *length) == 0)
            return i;
    }
    *length = 0;
    return KNOWN;
}

/* Takes the options that say where a compiler finds files, or those with files that it includes in
 * front of all others. */
static void take_options(struct reading *r, const char *options, const char *network, int files)
{
    struct dal_text word = {0};
    size_t before = KNOWN; /* an option alone, whose path is the next word */
    while (dal_text_next_word(&options, &word) > 0) {
        const char *text = dal_text_get(&word);
        size_t length = 0, i = before < KNOWN ? before : find_option(text, &length);
        int is_alone = before == KNOWN && i < KNOWN && !text[length];
        if (i < KNOWN && !is_alone && files == (known[i].place == PLACES))
            take_path(r, known[i].place, text + length, network);
        before = is_alone ? i : KNOWN;
    }
    r->lost |= word.lost;
    dal_text_finish(&word);
}

static int is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Notes a variable, whose name is VAR_name there. */
static void note_name(struct reading *r, const char *name, size_t length)
{
    if (length < 4 || strncmp(name, "VAR_", 4) != 0)
        return;
    name += 4;
    length -= 4;
    for (size_t i = 0; i < r->variable_count; i++)
        if (strncmp(r->variables[i].name, name, length) == 0 && !r->variables[i].name[length])
            r->mentioned[i] = 1;
}

static void note_names(struct reading *r, const char *text)
{
    while (*text) {
        size_t length = 0;
        while (is_name(text[length]))
            length++;
        if (length)
            note_name(r, text, length);
        text += length ? length : 1;
    }
}

/* Returns whether it could be read. What is not there, or is no regular file, may be in a branch of
 * the preprocessor that is not taken. */
static int read_file(struct reading *r, const char *path)
{
    const char *why, *line;
    char *text;
    size_t length;
    int status = dal_file_read(path, MOST_BYTES, &text, &length, &why);
    r->lost |= status == DAL_ERR_NOMEM;
    if (status == DAL_OK) {
        add_number(&r->sha, length);
        dal_sha256_add(&r->sha, text, length);
        for (line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
            list_include(r, line, path);
        if (r->variable_count)
            note_names(r, text);
    }
    dal_free(text);
    return status == DAL_OK;
}

static void add_variables(struct reading *r)
{
    for (size_t i = 0; i < r->variable_count; i++)
        if (r->mentioned[i]) {
            add_text(&r->sha, r->variables[i].name);
            add_number(&r->sha, (uint64_t)r->variables[i].value);
            if (r->variables[i].text)
                add_text(&r->sha, r->variables[i].text);
        }
}

/* Lists the paths of all files of a source. */
static char *files_of(const struct dal_spec_source *source)
{
    char *paths = dal_strdup(source->path);
    for (size_t i = 0; paths && i < source->file_count; i++) {
        char *more = dal_format("%s\n%s", paths, source->files[i].path);
        dal_free(paths);
        paths = more;
    }
    return paths;
}

static int is_remembered(const struct dal_key_maker *maker, const struct dal_spec_network *network,
                         const struct dal_spec_process *process,
                         const struct dal_spec_source *source)
{
    char *paths;
    int same;
    if (maker->path &&
        (maker->network != network || !dal_text_same(maker->options, source->cflags) ||
         !dal_spec_same_variables(maker->process, process)))
        return 0;
    if (!maker->path || !source->file_count)
        return maker->path && strcmp(maker->path, source->path) == 0;
    paths = files_of(source);
    same = paths && strcmp(maker->path, paths) == 0;
    dal_free(paths);
    return same;
}

/* Lists the files of options, and takes these. */
static void list_options(struct reading *r, const char *options, const char *network)
{
    struct dal_text words = {0}, files = {0};
    dal_file_options(&words, options, network, &files);
    for (const char *at = dal_text_get(&files); *at; at += strcspn(at, "\n") + 1)
        list_file(r, dal_format("%.*s", (int)strcspn(at, "\n"), at));
    take_options(r, dal_text_get(&words), network, 0);
    take_options(r, dal_text_get(&words), network, 1);
    r->lost |= words.lost | files.lost;
    dal_text_finish(&words);
    dal_text_finish(&files);
}

/* Lists the files of a source, and where they find others. */
static void list_source(struct reading *r, const struct dal_spec_network *network,
                        const struct dal_spec_source *source)
{
    list_file(r, dal_strdup(source->path));
    add_folder_of(r, source->path);
    for (size_t k = 0; k < source->file_count && !r->lost; k++) {
        list_file(r, dal_strdup(source->files[k].path));
        add_folder_of(r, source->files[k].path);
    }
    if (source->cflags)
        list_options(r, source->cflags, network->file);
}

static void finish_key_reading(struct reading *r)
{
    for (int i = 0; i < r->count; i++)
        dal_free(r->files[i]);
    for (int place = 0; place < PLACES; place++) {
        r->lost |= r->folders[place].lost;
        dal_text_finish(&r->folders[place]);
    }
    dal_free(r->mentioned);
}

static int read_source(struct dal_key_maker *maker, const struct dal_spec_network *network,
                       const struct dal_spec_process *process, const struct dal_spec_source *source)
{
    struct reading r = {0};
    int status;
    dal_key_maker_finish(maker);
    maker->path = files_of(source);
    maker->network = network;
    maker->process = process;
    maker->options = source->cflags;
    r.variables = dal_spec_variables(network, process, &r.variable_count);
    r.mentioned = dal_calloc(r.variable_count + 1, 1);
    r.lost = !maker->path || !r.mentioned;
    dal_sha256_begin(&r.sha);
    if (!r.lost)
        list_source(&r, network, source);
    for (int i = 0; i < r.count && !r.lost; i++)
        if (read_file(&r, r.files[i]) && i == 0)
            maker->readable = 1;
    if (!r.lost)
        add_variables(&r);
    dal_sha256_end(&r.sha, maker->digest);
    finish_key_reading(&r);
    status = r.lost ? DAL_ERR_NOMEM : DAL_OK;
    if (status)
        dal_key_maker_finish(maker);
    return status;
}

/* ---- and the rest --------------------------------------------------------------------------- */

static void add_ports(struct dal_sha256 *sha, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        add_text(sha, port->name);
        add_number(sha, (uint64_t)(port->output != 0));
        add_number(sha, port->dynamic ? 0 : port->rate);
        for (size_t k = 0; k < port->phases.count; k++)
            add_number(sha, port->phases.of[k]);
        add_number(sha, port->blocks);
        add_number(sha, port->channel ? port->channel->token_bytes : 0);
        if (port->channel && port->channel->counted.most)
            add_number(sha, port->channel->counted.most);
    }
}

/* Adds options that the Makefile takes from the environment, and --guard; nothing without any. */
static void add_build(struct dal_sha256 *sha, const struct dal_key_maker *maker,
                      const struct dal_spec_source *source)
{
    static const char *const variables[] = {"CPPFLAGS", "CFLAGS", "CXXFLAGS"};
    size_t count = maker->of == DAL_KEY_OF_SOURCES                    ? 0
                   : !dal_spec_runs(DAL_PROCESSOR_CORE, source->type) ? 0
                   : dal_spec_has_cxx(source)                         ? 3
                                                                      : 2;
    for (size_t i = 0; i < count; i++) {
        const char *given = getenv(variables[i]);
        if (given && *given) {
            add_text(sha, variables[i]);
            add_text(sha, given);
        }
    }
    if (maker->of == DAL_KEY_OF_GUARDED)
        add_text(sha, "--guard");
}

int dal_key_make(struct dal_key_maker *maker, const struct dal_spec_network *network,
                 const struct dal_spec_process *process, const struct dal_spec_source *source,
                 char text[DAL_KEY_TEXT])
{
    unsigned char digest[DAL_SHA256_BYTES];
    struct dal_sha256 sha;
    int status = DAL_OK;
    *text = '\0';
    if (!source->path)
        return DAL_OK;
    if (!is_remembered(maker, network, process, source))
        status = read_source(maker, network, process, source);
    if (status || !maker->readable)
        return status;
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, maker->digest, sizeof(maker->digest));
    add_text(&sha, source->cflags);
    add_number(&sha, (uint64_t)(source->contraction != 0));
    add_ports(&sha, process);
    add_build(&sha, maker, source);
    dal_sha256_end(&sha, digest);
    dal_sha256_hex(digest, DAL_KEY_TEXT - 1, text);
    return DAL_OK;
}

void dal_key_maker_finish(struct dal_key_maker *maker)
{
    dal_free(maker->path);
    *maker = (struct dal_key_maker){.of = maker->of};
}
