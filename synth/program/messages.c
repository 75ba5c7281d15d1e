#include "synth/program/messages.h"

#include "rt/base/alloc.h"
#include "spec/base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line of gcc: FILE:LINE:COLUMN: LEVEL: TEXT; the linker has neither column nor level. */
struct message {
    char file[PATH_MAX];
    int line, column;
    enum dal_diag_level level;
    const char *text;
    int length;
};

static const struct {
    const char *word;
    enum dal_diag_level level;
} levels[] = {
    {"error: ", DAL_DIAG_ERROR},
    {"fatal error: ", DAL_DIAG_ERROR},
    {"warning: ", DAL_DIAG_WARNING},
    {"note: ", DAL_DIAG_NOTE},
};

/* Passes gcc's column "12:", or the place that newer linkers add, "(.text+0xa):". */
static const char *take_column(const char *at, int *column)
{
    char *end;
    long number = strtol(at, &end, 10);
    *column = 0;
    if (end > at && *end == ':') {
        *column = number > 0 && number < INT_MAX ? (int)number : 0;
        return end + 1;
    }
    end = *at == '(' ? strstr(at, "): ") : NULL;
    return end ? end + 2 : at;
}

static int take_level(const char *at, struct message *m)
{
    at = take_column(at, &m->column);
    at += *at == ' ';
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        size_t length = strlen(levels[i].word);
        if (strncmp(at, levels[i].word, length) == 0) {
            m->level = levels[i].level;
            m->text = at + length;
            return 1;
        }
    }
    m->level = DAL_DIAG_ERROR;
    m->text = at;
    return strncmp(at, "undefined reference", 19) == 0 ||
           strncmp(at, "multiple definition", 19) == 0;
}

/* `end` is the line's end. */
static int parse_message(const char *line, const char *end, struct message *m)
{
    const char *linker = strstr(line, "ld: "), *colon;
    char *behind;
    if (linker && linker < end && linker[4] == '/')
        line = linker + 4;
    for (colon = memchr(line, ':', (size_t)(end - line)); colon;
         colon = memchr(colon + 1, ':', (size_t)(end - colon - 1))) {
        long number = strtol(colon + 1, &behind, 10);
        if (behind == colon + 1 || *behind != ':' || behind >= end || number <= 0)
            continue;
        if ((size_t)(colon - line) >= sizeof(m->file))
            return 0;
        if (!take_level(behind + 1, m))
            continue;
        memcpy(m->file, line, (size_t)(colon - line));
        m->file[colon - line] = '\0';
        m->line = (int)number;
        m->length = (int)(end - m->text);
        return m->length >= 0;
    }
    return 0;
}

/* If a source's text stands in its unit, instead of being included there, gcc gives its base
 * name. */
static const char *pasted_path(const struct dal_plan *plan, const char *path)
{
    const struct dal_plan_unit *unit;
    for (size_t i = 0; (unit = dal_plan_any_unit(plan, i)); i++)
        if (unit->type == DAL_SOURCE_C && unit->text.length &&
            strcmp(dal_path_base(unit->source->path), path) == 0)
            return unit->source->path;
    return NULL;
}

/* A path as seen from the folder of a file; the name lives as long as diags. */
static const char *path_beside(struct dal_diags *diags, const char *file, const char *path)
{
    char *name = dal_format("%.*s%s", (int)(dal_path_base(file) - file), file, path);
    const char *found = name ? dal_diag_file(diags, name) : NULL;
    dal_free(name);
    return found;
}

/* Compilers run in the network's folder. */
static const char *relative_path(struct dal_diags *diags, const struct dal_emit *emit,
                                 const char *path)
{
    const struct dal_plan *plan;
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++) {
        const char *name = path_beside(diags, plan->spec->network.file, path);
        if (name && !access(name, R_OK))
            return name;
    }
    return NULL;
}

static int is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int is_in(const char *folder, const char *name)
{
    char *path = dal_format("%s/%s", folder, name);
    int is = !path || access(path, F_OK) == 0;
    dal_free(path);
    return is;
}

/* Returns the user's name of a path. A file that is not there has the name that a #line of its
 * source gives. An absolute path under the first file's folder gets a name like that of the first
 * file. NULL is for files of ours, in the folder `made`. A compiler's cache may have put "./" in
 * front. */
static const char *user_path(struct dal_diags *diags, const struct dal_emit *emit, const char *made,
                             const char *path)
{
    const char *found;
    path += strncmp(path, "./", 2) ? 0 : 2;
    found = pasted_path(emit->plan, path);
    if (found)
        return dal_diag_file(diags, found);
    if (*path != '/') {
        found = relative_path(diags, emit, path);
        return found || is_in(made, path) ? found : dal_diag_file(diags, path);
    }
    if (is_below(path, made))
        return NULL;
    if (is_below(path, emit->source_dir))
        return path_beside(diags, emit->first_file, path + strlen(emit->source_dir) + 1);
    return dal_diag_file(diags, path);
}

/* An assertion of ours, in the file made for a unit, is about its source as a whole. */
static const char *take_assertion(struct dal_diags *diags, const struct dal_emit *emit,
                                  struct message *m)
{
    static const char failed[] = "static assertion failed: ";
    const struct dal_plan_unit *unit;
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++) {
        if (!unit->file || strcmp(unit->file, dal_path_base(m->file)) ||
            strncmp(m->text, failed, strlen(failed)))
            continue;
        m->line = m->column = 0;
        return dal_diag_file(diags, unit->source->path);
    }
    return NULL;
}

static void add_message(struct dal_diags *diags, struct dal_spec_place place,
                        const struct message *m)
{
    if (m->level == DAL_DIAG_ERROR)
        dal_error(diags, place, "source-build", "%.*s", m->length, m->text);
    else if (m->level == DAL_DIAG_WARNING)
        dal_warning(diags, place, "source-build", "%.*s", m->length, m->text);
    else
        dal_note(diags, place, "%.*s", m->length, m->text);
}

/* gcc puts these words in front of an error in one of our inline functions. The text behind them
 * names the call. */
static const char attribute[] = "declared with attribute error: ";

static int is_our_header(const char *path)
{
    const char *base = dal_path_base(path);
    return strcmp(base, "dal.h") == 0 || strcmp(base, "dol.h") == 0;
}

/* Takes the call from "inlined from 'FUNCTION' at FILE:LINE:COLUMN" in front of an error. It is the
 * first place in a user's file. */
static void take_inlined(struct dal_diags *diags, const struct dal_emit *emit, const char *made,
                         const char *line, const char *end, struct dal_spec_place *call)
{
    const char *at = strstr(line, "inlined from "),
               *from = at && at < end ? strstr(at, " at ") : NULL;
    char path[PATH_MAX], *behind;
    const char *colon;
    if (!from || from >= end || call->file)
        return;
    from += strlen(" at ");
    for (colon = from; colon < end && !(*colon == ':' && atoi(colon + 1) > 0);)
        colon++;
    if (colon == end || (size_t)(colon - from) >= sizeof(path))
        return;
    memcpy(path, from, (size_t)(colon - from));
    path[colon - from] = '\0';
    if (is_our_header(path))
        return;
    *call = (struct dal_spec_place){.file = user_path(diags, emit, made, path),
                                    .line = (int)strtol(colon + 1, &behind, 10)};
    if (*behind == ':')
        call->column = atoi(behind + 1);
}

/* gcc repeats a message for every function that a call is inlined into; one is enough. */
static int is_said(const struct dal_diags *diags, struct dal_spec_place place,
                   const struct message *m)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->list[i].place.file == place.file && diags->list[i].place.line == place.line &&
            strncmp(diags->list[i].message, m->text, (size_t)m->length) == 0)
            return 1;
    return 0;
}

static int is_here(const struct dal_diag *diag, struct dal_spec_place place)
{
    return diag->place.file == place.file && diag->place.line == place.line &&
           diag->place.column == place.column;
}

/* After an unknown name, the compiler complains again at its use in a macro. The column is the
 * same, since gcc gives the call of a system header's macro as the place. */
static int follows_unknown(const struct dal_diags *diags, struct dal_spec_place place)
{
    for (size_t i = 0; i < diags->count; i++)
        if (is_here(&diags->list[i], place) && strstr(diags->list[i].message, "declared"))
            return 1;
    return 0;
}

/* Finds the user's call of a macro of ours: the first place outside our headers in the notes behind
 * a message. It has no file if there is none. */
static struct dal_spec_place find_expansion(struct dal_diags *diags, const struct dal_emit *emit,
                                            const char *made, const char *behind)
{
    static const char expansion[] = "in expansion of macro ";
    const char *line, *end;
    struct message m;
    for (line = behind; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        if (!parse_message(line, end, &m))
            continue;
        if (m.level != DAL_DIAG_NOTE || strncmp(m.text, expansion, strlen(expansion)))
            break;
        if (!is_our_header(m.file))
            return (struct dal_spec_place){
                .file = user_path(diags, emit, made, m.file), .line = m.line, .column = m.column};
    }
    return (struct dal_spec_place){0};
}

/* The assertion of dal.h about the type of a token; the error behind it shows the type's size. */
static const char token[] = "a token of port ", type_shown[] = "char (*)[";

/* Notes the channel of the port that an assertion is about. */
static void note_channel(struct dal_diags *diags, const struct dal_emit *emit,
                         struct dal_spec_place call, const char *name)
{
    size_t length = strcspn(name, " ");
    unsigned long long bytes;
    const struct dal_spec_port *port = NULL;
    if (sscanf(name + length, " has %llu", &bytes) == 1)
        port = dal_messages_port(emit, call.file, name, length, bytes);
    if (port)
        dal_note(diags, port->channel->place, "the channel of port '%s' is here", port->name);
}

/* Tells the rest of an assertion about a token; returns 0 if the message is no error behind one. */
static int add_type_shown(struct dal_diags *diags, struct dal_spec_place call,
                          const struct message *m)
{
    const char *shown = strstr(m->text, type_shown);
    if (!shown || shown >= m->text + m->length)
        return 0;
    for (size_t i = 0; i < diags->count; i++)
        if (is_here(&diags->list[i], call) && strstr(diags->list[i].message, token)) {
            int bytes = atoi(shown + strlen(type_shown));
            dal_note(diags, call, "this type has %d byte%s", bytes, bytes == 1 ? "" : "s");
            return 1;
        }
    return 0;
}

/* Adds an error or a warning; returns 0 if it only follows from one that was told. */
static int add_new(struct dal_diags *diags, const struct dal_emit *emit,
                   struct dal_spec_place place, const struct message *m)
{
    const char *port = strstr(m->text, token);
    if (follows_unknown(diags, place) || add_type_shown(diags, place, m))
        return 0;
    add_message(diags, place, m);
    if (port && port < m->text + m->length)
        note_channel(diags, emit, place, port + strlen(token));
    if (m->level == DAL_DIAG_ERROR)
        dal_messages_blocks(diags, emit, place, m->text, m->length);
    return 1;
}

/* Moves a message about a macro of ours to the user's call; returns 0 if it is no such message. */
static int add_expanded(struct dal_diags *diags, const struct dal_emit *emit, const char *made,
                        const char *behind, const struct message *m)
{
    struct dal_spec_place call = {0};
    if (m->level != DAL_DIAG_NOTE && is_our_header(m->file))
        call = find_expansion(diags, emit, made, behind);
    if (!call.file)
        return 0;
    if (!is_said(diags, call, m))
        add_new(diags, emit, call, m);
    return 1;
}

static int has_warning(const struct dal_diags *diags, struct dal_spec_place place)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->list[i].level == DAL_DIAG_WARNING && is_here(&diags->list[i], place))
            return 1;
    return 0;
}

/* Moves an error or a warning of one of our inline functions to the user's call; returns 0 if it is
 * no such message. gcc warns of each way through the function; one warning is enough. */
static int add_inlined(struct dal_diags *diags, struct dal_spec_place call, struct message *m)
{
    const char *text = strstr(m->text, attribute);
    int has_text = text && text < m->text + m->length;
    int warns = m->level == DAL_DIAG_WARNING && is_our_header(m->file);
    if (!call.file || (!has_text && !warns))
        return 0;
    if (has_text) {
        text += strlen(attribute);
        m->length -= (int)(text - m->text);
        m->text = text;
    }
    if (!is_said(diags, call, m) && !(warns && has_warning(diags, call)))
        add_message(diags, call, m);
    return 1;
}

/* Begins one of these options at `at`, which is in a line of a compiler? */
static int begins_option(const char *options, const char *at)
{
    struct dal_text word = {0};
    int found = 0;
    while (options && !found && dal_text_next_word(&options, &word) > 0)
        found = word.length && strncmp(at, dal_text_get(&word), word.length) == 0 &&
                strchr("':\n", at[word.length]);
    dal_text_finish(&word);
    return found;
}

/* Tells what a compiler says of an option to all sources that have it. */
static void add_option(struct dal_diags *diags, const struct dal_emit *emit, const char *option,
                       const struct message *m)
{
    const struct dal_plan_unit *unit;
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++) {
        const struct dal_spec_source *source = unit->source;
        if ((begins_option(source->cflags, option) || begins_option(source->libs, option)) &&
            !is_said(diags, source->place, m))
            add_message(diags, source->place, m);
    }
}

/* An option that a compiler does not know, or a library that a linker does not find, is about the
 * sources that have it. */
static void take_option(struct dal_diags *diags, const struct dal_emit *emit, const char *line,
                        const char *end)
{
    static const struct {
        const char *words;
        int skipped; /* bytes that are not told */
    } phrases[] = {
        {"cannot find ", 0},
        {"unable to find library ", 0},
        {"unrecognized command-line option '", 0},
        {"unknown argument: '", 0},
        {"no such file or directory: '", 0},
        {": error: ", 9},
    };
    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        const char *at = strstr(line, phrases[i].words);
        struct message m = {.level = DAL_DIAG_ERROR};
        if (!at || at >= end)
            continue;
        m.text = at + phrases[i].skipped;
        m.length = (int)(end - m.text);
        add_option(diags, emit, at + strlen(phrases[i].words), &m);
    }
}

void dal_messages_compiler(struct dal_diags *diags, const struct dal_emit *emit,
                           const char *directory, const char *output, int failed)
{
    size_t before = diags->errors;
    int attached = 0; /* a note may follow */
    const char *line, *end;
    char made[PATH_MAX] = "";
    struct dal_spec_place call = {0};
    struct message m;
    if (!realpath(directory, made))
        made[0] = '\0';
    for (line = output; *line; line = *end ? end + 1 : end) {
        struct dal_spec_place at = {0};
        end = line + strcspn(line, "\n");
        if (!parse_message(line, end, &m)) {
            take_inlined(diags, emit, made, line, end, &call);
            take_option(diags, emit, line, end);
            continue;
        }
        if (add_inlined(diags, call, &m) || add_expanded(diags, emit, made, end, &m)) {
            call = (struct dal_spec_place){0};
            attached = 0;
            continue;
        }
        call = (struct dal_spec_place){0};
        at.file = take_assertion(diags, emit, &m);
        if (!at.file)
            at.file = user_path(diags, emit, made, m.file);
        at.line = m.line;
        at.column = m.column;
        if (m.level != DAL_DIAG_NOTE)
            attached = at.file && add_new(diags, emit, at, &m);
        else if (at.file && attached)
            add_message(diags, at, &m);
    }
    if (failed && diags->errors == before)
        dal_messages_unknown(diags, emit, output);
}

static const char *kernel_path(const struct dal_plan *plan, const char *line, size_t *length)
{
    const struct dal_plan_unit *unit;
    for (size_t i = 0; (unit = dal_plan_any_unit(plan, i)); i++) {
        const char *path = unit->source->path, *base = dal_path_base(path);
        *length = strlen(base);
        if (unit->type == DAL_SOURCE_OPENCL && strncmp(line, base, *length) == 0 &&
            line[*length] == ':')
            return path;
    }
    *length = 0;
    return "";
}

/* Is it a line such as "22 warnings generated.", of a compiler within a driver? */
static int counts_warnings(const char *line)
{
    char word[16];
    int end = 0;
    return sscanf(line, "%*d %15[a-z] generated.%n", word, &end) == 1 && end > 0 &&
           strchr("\n", line[end]) && strncmp(word, "warning", 7) == 0;
}

void dal_messages_program(const struct dal_emit *emit, const char *output, FILE *out)
{
    while (*output) {
        size_t skip, length = strcspn(output, "\n");
        if (!counts_warnings(output)) {
            fputs(kernel_path(emit->plan, output, &skip), out);
            fprintf(out, "%.*s\n", (int)(length - skip), output + skip);
        }
        output += length + (output[length] == '\n');
    }
}
