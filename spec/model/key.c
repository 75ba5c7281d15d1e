#include "spec/model/key.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sha256.h"
#include "spec/base/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Limits of a source with its includes: more than this is not looked at. */
enum { MOST_FILES = 256, MOST_BYTES = 1 << 26 };

struct reading {
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

/* Lists what a line includes, if it does; paths are relative to the file that it stands in. */
static void list_include(struct reading *r, const char *line, const char *path)
{
    const char *slash = strrchr(path, '/'), *end;
    int folder = slash ? (int)(slash + 1 - path) : 0;
    line += strspn(line, " \t");
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return;
    line += 7 + strspn(line + 7, " \t");
    end = *line == '"' ? strpbrk(line + 1, "\"\n") : NULL;
    if (end && *end == '"')
        list_file(r, *++line == '/'
                         ? dal_format("%.*s", (int)(end - line), line)
                         : dal_format("%.*s%.*s", folder, path, (int)(end - line), line));
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

static int is_remembered(const struct dal_key_maker *maker, const struct dal_spec_process *process,
                         const struct dal_spec_source *source)
{
    char *paths;
    int same;
    if (maker->path && !dal_spec_same_variables(maker->process, process))
        return 0;
    if (!maker->path || !source->file_count)
        return maker->path && strcmp(maker->path, source->path) == 0;
    paths = files_of(source);
    same = paths && strcmp(maker->path, paths) == 0;
    dal_free(paths);
    return same;
}

static int read_source(struct dal_key_maker *maker, const struct dal_spec_network *network,
                       const struct dal_spec_process *process, const struct dal_spec_source *source)
{
    struct reading r = {0};
    int status;
    dal_key_maker_finish(maker);
    maker->path = files_of(source);
    maker->process = process;
    r.variables = dal_spec_variables(network, process, &r.variable_count);
    r.mentioned = dal_calloc(r.variable_count + 1, 1);
    r.lost = !maker->path || !r.mentioned;
    dal_sha256_begin(&r.sha);
    if (!r.lost)
        list_file(&r, dal_strdup(source->path));
    for (size_t k = 0; k < source->file_count && !r.lost; k++)
        list_file(&r, dal_strdup(source->files[k].path));
    for (int i = 0; i < r.count && !r.lost; i++)
        if (read_file(&r, r.files[i]) && i == 0)
            maker->readable = 1;
    if (!r.lost)
        add_variables(&r);
    dal_sha256_end(&r.sha, maker->digest);
    for (int i = 0; i < r.count; i++)
        dal_free(r.files[i]);
    dal_free(r.mentioned);
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
    if (!is_remembered(maker, process, source))
        status = read_source(maker, network, process, source);
    if (status || !maker->readable)
        return status;
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, maker->digest, sizeof(maker->digest));
    add_text(&sha, source->cflags);
    add_number(&sha, (uint64_t)(source->contraction != 0));
    add_ports(&sha, process);
    dal_sha256_end(&sha, digest);
    dal_sha256_hex(digest, DAL_KEY_TEXT - 1, text);
    return DAL_OK;
}

void dal_key_maker_finish(struct dal_key_maker *maker)
{
    dal_free(maker->path);
    *maker = (struct dal_key_maker){0};
}
