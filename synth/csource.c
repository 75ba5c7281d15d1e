/* What a C source defines: its process functions and its state. */
#include "synth/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/file.h"
#include "synth/scan.h"

#include <string.h>
#include <unistd.h>

enum { MAX_FILES = 256, NAMES = 2, ROLES = 3 };

static const char *const roles[ROLES] = {"fire", "init", "finish"};

struct search {
    const char *names[NAMES]; /* the process's, the file's */
    int found[NAMES][ROLES];
    int is_static[NAMES]; /* its fire function */
    int has_state;
    char *files[MAX_FILES]; /* paths read or to be read */
    size_t file_count;
    struct dal_text *own, *includes; /* the unit's */
};

int dal_unit_read(struct dal_diags *diags, const struct dal_source *source, const char *path,
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

char *dal_unit_include_path(const char *path, const char *name, size_t length)
{
    if (*name == '/')
        return dal_format("%.*s", (int)length, name);
    return dal_format("%.*s%.*s", (int)(dal_path_base(path) - path), path, (int)length, name);
}

static int is_word(const struct dal_token *token, const char *name, const char *role)
{
    size_t length = strlen(name);

    return token->kind == DAL_TOKEN_NAME && token->length == length + 1 + strlen(role) &&
           !memcmp(token->start, name, length) && token->start[length] == '_' &&
           !memcmp(token->start + length + 1, role, strlen(role));
}

/* Behind a name: whether "(...) {" follows, attributes allowed between. By value: a look ahead. */
static int defines_function(struct dal_scanner s)
{
    struct dal_token token = dal_scan_code(&s);

    if (!dal_token_is(&token, "(") || !dal_scan_close(&s))
        return 0;
    for (token = dal_scan_code(&s); dal_token_is(&token, "__attribute__");
         token = dal_scan_code(&s)) {
        token = dal_scan_code(&s);
        if (!dal_token_is(&token, "(") || !dal_scan_close(&s))
            return 0;
    }
    return dal_token_is(&token, "{");
}

static int defines_state(struct dal_scanner s)
{
    struct dal_token name = dal_scan_code(&s), brace = dal_scan_code(&s);

    return dal_token_is(&name, "_local_states") && dal_token_is(&brace, "{");
}

/* A constant of a port as DAL's generators name them: PORT_x, TOKEN_x_t, BLOCK_x_SIZE, ... */
static int is_constant(const struct dal_token *token)
{
    static const char *const prefixes[] = {"PORT_", "TOKEN_", "BLOCK_"};
    size_t i;

    for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (token->kind == DAL_TOKEN_NAME && token->length > strlen(prefixes[i]) &&
            !memcmp(token->start, prefixes[i], strlen(prefixes[i])))
            return 1;
    return 0;
}

static void look_at_define(struct search *search, const struct dal_token *directive)
{
    struct dal_scanner s;
    struct dal_token word, name;

    dal_scan_init(&s, directive->start + 1, directive->length - 1);
    s.fresh = 0;
    word = dal_scan_next(&s);
    name = dal_scan_next(&s);
    if (dal_token_is(&word, "define") && is_constant(&name))
        dal_text_list_add(search->own, name.start, name.length);
}

/* "typedef ... TOKEN_x_t;": the name ends a declaration, which no use of it does. */
static int defines_type(const struct dal_token *token, struct dal_scanner s)
{
    struct dal_token next;

    if (!is_constant(token) || token->length < 3 ||
        memcmp(token->start + token->length - 2, "_t", 2) != 0)
        return 0;
    next = dal_scan_code(&s);
    return dal_token_is(&next, ";") || dal_token_is(&next, "[");
}

static int add_include(struct search *search, const char *path, const struct dal_token *directive)
{
    const char *name;
    size_t i, length = dal_scan_include(directive, &name);
    char *file;

    if (!length || search->file_count == MAX_FILES)
        return DAL_OK;
    file = dal_unit_include_path(path, name, length);
    if (!file)
        return DAL_ERR_NOMEM;
    for (i = 0; i < search->file_count; i++)
        if (!strcmp(search->files[i], file))
            break;
    if (i == search->file_count && !access(file, R_OK)) {
        dal_text_list_add(search->includes, name, length);
        search->files[search->file_count++] = file;
        file = NULL;
    }
    dal_free(file);
    return DAL_OK;
}

static void look_at(struct search *search, const struct dal_token *token,
                    const struct dal_scanner *behind, int is_static)
{
    int n, r;

    if (dal_token_is(token, "struct") && defines_state(*behind))
        search->has_state = 1;
    if (defines_type(token, *behind))
        dal_text_list_add(search->own, token->start, token->length);
    for (n = 0; n < NAMES; n++)
        for (r = 0; r < ROLES; r++)
            if (is_word(token, search->names[n], roles[r]) && defines_function(*behind)) {
                search->found[n][r] = 1;
                search->is_static[n] |= is_static && !r;
            }
}

static int search_text(struct search *search, const char *path, const char *data, size_t length)
{
    struct dal_scanner s;
    struct dal_token token;
    int error = DAL_OK, is_static = 0;

    dal_scan_init(&s, data, length);
    do {
        token = dal_scan_next(&s);
        if (dal_token_is(&token, "static"))
            is_static = 1;
        else if (token.kind == DAL_TOKEN_MARK && strchr(";{}", *token.start))
            is_static = 0;
        if (token.kind == DAL_TOKEN_DIRECTIVE) {
            look_at_define(search, &token);
            error = add_include(search, path, &token);
        } else if (token.kind == DAL_TOKEN_NAME)
            look_at(search, &token, &s, is_static);
    } while (token.kind != DAL_TOKEN_END && !error);
    return error;
}

static int search_files(struct dal_diags *diags, struct search *search,
                        const struct dal_source *source)
{
    size_t i;
    int error = DAL_OK;

    for (i = 0; i < search->file_count && !error; i++) {
        char *data;
        size_t length;
        error = dal_unit_read(diags, source, search->files[i], &data, &length);
        if (error)
            break;
        error = search_text(search, search->files[i], data, length);
        dal_free(data);
    }
    return error;
}

static int take_result(struct dal_diags *diags, const struct search *search,
                       struct dal_plan_unit *unit)
{
    int n = search->found[0][0] ? 0 : 1;

    if (!search->found[n][0]) {
        struct dal_place place = {.file = dal_diag_file(diags, unit->source->path), .line = 1};
        dal_error(diags, place, "no-fire",
                  "process '%s': this source defines no function 'int %s_fire(DALProcess *p)'",
                  unit->process->name, search->names[0]);
        if (strcmp(search->names[0], search->names[1]))
            dal_note(diags, place, "'%s_fire', after the file, would do as well", search->names[1]);
        dal_note(diags, unit->source->place, "the source is named here");
        return DAL_ERR_INVALID;
    }
    unit->function = dal_strdup(search->names[n]);
    unit->has_init = search->found[n][1];
    unit->has_finish = search->found[n][2];
    unit->is_static = search->is_static[n];
    unit->has_state = search->has_state;
    return unit->function ? DAL_OK : DAL_ERR_NOMEM;
}

static void search_finish(struct search *search)
{
    while (search->file_count)
        dal_free(search->files[--search->file_count]);
}

int dal_unit_keeps_state(const struct dal_source *source)
{
    struct dal_text own = {0}, includes = {0};
    struct search search = {.names = {"", ""}, .own = &own, .includes = &includes};
    struct dal_diags unsaid;
    int error = DAL_ERR_NOMEM;

    dal_diags_init(&unsaid);
    if ((search.files[0] = dal_strdup(source->path))) {
        search.file_count = 1;
        error = search_files(&unsaid, &search, source);
    }
    if (!error && (own.lost || includes.lost))
        error = DAL_ERR_NOMEM;
    search_finish(&search);
    dal_text_finish(&own);
    dal_text_finish(&includes);
    dal_diags_finish(&unsaid);
    return error ? error : search.has_state;
}

int dal_unit_scan_c(struct dal_diags *diags, struct dal_plan_unit *unit)
{
    const char *base = dal_path_base(unit->source->path);
    char *stem = dal_format("%.*s", (int)strcspn(base, "."), base);
    struct search search = {
        .names = {unit->process->base, stem}, .own = &unit->own, .includes = &unit->includes};
    int error = DAL_ERR_NOMEM;

    if (stem && (search.files[0] = dal_strdup(unit->source->path))) {
        search.file_count = 1;
        error = search_files(diags, &search, unit->source);
        if (!error)
            error = take_result(diags, &search, unit);
        if (!error && (unit->own.lost || unit->includes.lost))
            error = DAL_ERR_NOMEM;
    }
    search_finish(&search);
    dal_free(stem);
    return error;
}
