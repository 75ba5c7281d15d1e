/* What a C source defines: its process functions and its state. */
#include "synth/source/source.h"
#include "synth/source/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/file.h"
#include "synth/source/keeps.h"
#include "synth/source/scan.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_FILES = 256, ROLES = 3 };

static const char *const roles[ROLES] = {"fire", "init", "finish"};

/* Functions NAME_fire, NAME_init, NAME_finish. */
struct functions {
    char *name;
    int found[ROLES];
    int is_static; /* its fire function */
};

struct search {
    struct functions *functions;
    size_t count, room;
    int has_state;
    char *header;                            /* PROCESS.h */
    int asks_header;                         /* that is included, and no file beside */
    struct dal_source_file files[MAX_FILES]; /* read, or to be read */
    size_t file_count;
    int has_more;                    /* than these */
    struct dal_text *own, *includes; /* the unit's */
};

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

char *dal_unit_include_path(const char *path, const char *name, size_t length)
{
    if (*name == '/')
        return dal_format("%.*s", (int)length, name);
    return dal_format("%.*s%.*s", (int)(dal_path_base(path) - path), path, (int)length, name);
}

/* The role that a name ends with, -1 for none. */
static int role_of(const struct dal_token *token)
{
    int r;

    for (r = 0; r < ROLES; r++) {
        size_t length = strlen(roles[r]);
        if (token->length > length + 1 && token->start[token->length - length - 1] == '_' &&
            !memcmp(token->start + token->length - length, roles[r], length))
            return r;
    }
    return -1;
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
    struct dal_token name;

    if (!dal_scan_directive(directive, "define", &s))
        return;
    name = dal_scan_next(&s);
    if (is_constant(&name))
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

    search->has_more |= length && search->file_count == MAX_FILES;
    if (!length || search->has_more)
        return DAL_OK;
    file = dal_unit_include_path(path, name, length);
    if (!file)
        return DAL_ERR_NOMEM;
    for (i = 0; i < search->file_count; i++)
        if (!strcmp(search->files[i].path, file))
            break;
    if (access(file, R_OK))
        search->asks_header |=
            length == strlen(search->header) && !memcmp(name, search->header, length);
    else if (i == search->file_count) {
        dal_text_list_add(search->includes, name, length);
        search->files[search->file_count++].path = file;
        file = NULL;
    }
    dal_free(file);
    return DAL_OK;
}

/* The functions of this name, made when there are none. */
static struct functions *functions_of(struct search *search, const char *name, size_t length)
{
    struct functions *f;
    size_t i;

    for (i = 0; i < search->count; i++)
        if (strlen(search->functions[i].name) == length &&
            !memcmp(search->functions[i].name, name, length))
            return &search->functions[i];
    if (dal_grow(&search->functions, search->count, &search->room, sizeof(*search->functions)))
        return NULL;
    f = &search->functions[search->count];
    *f = (struct functions){.name = dal_format("%.*s", (int)length, name)};
    return f->name ? (search->count++, f) : NULL;
}

static int take_function(struct search *search, const struct dal_token *token, int role,
                         int is_static)
{
    struct functions *f =
        functions_of(search, token->start, token->length - strlen(roles[role]) - 1);

    if (!f)
        return DAL_ERR_NOMEM;
    f->found[role] = 1;
    f->is_static |= is_static && !role;
    return DAL_OK;
}

static int look_at_word(struct search *search, const struct dal_token *token,
                        const struct dal_scanner *behind, int is_static)
{
    int role = role_of(token);

    if (dal_token_is(token, "struct") && defines_state(*behind))
        search->has_state = 1;
    if (defines_type(token, *behind))
        dal_text_list_add(search->own, token->start, token->length);
    if (role < 0 || !defines_function(*behind))
        return DAL_OK;
    return take_function(search, token, role, is_static);
}

static int search_text(struct search *search, const struct dal_source_file *file)
{
    struct dal_scanner s;
    struct dal_token token;
    int error = DAL_OK, is_static = 0;

    dal_scan_init(&s, file->data, file->length);
    do {
        token = dal_scan_next(&s);
        if (dal_token_is(&token, "static"))
            is_static = 1;
        else if (dal_token_is_mark(&token, ";{}"))
            is_static = 0;
        if (token.kind == DAL_TOKEN_DIRECTIVE) {
            look_at_define(search, &token);
            error = add_include(search, file->path, &token);
        } else if (token.kind == DAL_TOKEN_NAME)
            error = look_at_word(search, &token, &s, is_static);
    } while (token.kind != DAL_TOKEN_END && !error);
    return error;
}

/* Reads the source and what it includes; the texts stay until finish_search(). */
static int search_files(struct dal_diags *diags, struct search *search,
                        const struct dal_spec_source *source)
{
    size_t i;
    int error = DAL_OK;

    search->files[0].path = dal_strdup(source->path);
    if (!search->files[0].path)
        return DAL_ERR_NOMEM;
    search->file_count = 1;
    for (i = 0; i < search->file_count && !error; i++) {
        struct dal_source_file *file = &search->files[i];
        error = dal_unit_read(diags, source, file->path, &file->data, &file->length);
        if (!error)
            error = search_text(search, file);
    }
    return !error && (search->own->lost || search->includes->lost) ? DAL_ERR_NOMEM : error;
}

/* Which functions are meant, by what they are called after. */
enum rank { RANK_PROCESS, RANK_FILE, RANK_OTHER, RANKS };

/* Another process of the same source has this name, or the file but for its case. */
static int is_other_name(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                         const char *stem, const char *name)
{
    const struct dal_plan *peer;
    size_t i, k;

    if (!strcasecmp(stem, name))
        return 1;
    for (k = 0; (peer = dal_plan_peer(plan, k)); k++)
        for (i = 0; i < peer->process_count; i++) {
            const struct dal_plan_process *p = &peer->processes[i];
            if (!strcmp(p->process->base, name) &&
                (!strcmp(p->source->path, unit->source->path) ||
                 (p->fallback && !strcmp(p->fallback->source->path, unit->source->path))))
                return 1;
        }
    return 0;
}

static enum rank rank_of(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                         const char *stem, const struct functions *f)
{
    if (!f->found[0])
        return RANKS;
    if (!strcmp(f->name, unit->process->base))
        return RANK_PROCESS;
    if (!strcmp(f->name, stem))
        return RANK_FILE;
    return is_other_name(plan, unit, stem, f->name) ? RANK_OTHER : RANKS;
}

/* The functions of the first rank that has any, counted in *count. */
static const struct functions *choose_functions(const struct dal_plan *plan,
                                                const struct search *search,
                                                const struct dal_plan_unit *unit, const char *stem,
                                                size_t *count)
{
    const struct functions *best = NULL;
    enum rank least = RANKS;
    size_t i;

    *count = 0;
    for (i = 0; i < search->count; i++) {
        enum rank rank = rank_of(plan, unit, stem, &search->functions[i]);
        if (rank < least) {
            least = rank;
            best = &search->functions[i];
            *count = 0;
        }
        *count += rank == least && rank < RANKS;
    }
    return best;
}

static void refuse_functions(struct dal_diags *diags, const struct search *search,
                             const struct dal_plan_unit *unit, const char *stem, size_t count)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, unit->source->path), .line = 1};
    const char *base = unit->process->base;
    size_t i;

    if (count)
        dal_error(diags, place, "no-fire",
                  "process '%s': this source defines no function 'int %s_fire(DALProcess *p)', and "
                  "%zu others that may be meant; add that one, or name one '%s_fire' after the "
                  "file",
                  unit->process->name, base, count, stem);
    else
        dal_error(diags, place, "no-fire",
                  "process '%s': this source defines no function 'int %s_fire(DALProcess *p)'",
                  unit->process->name, base);
    if (!count && strcmp(base, stem))
        dal_note(diags, place, "'%s_fire', after the file, would do as well", stem);
    for (i = 0; i < search->count; i++)
        if (search->functions[i].found[0])
            dal_note(diags, place, "there is '%s_fire'", search->functions[i].name);
    dal_note(diags, unit->source->place, "the source is named here");
}

static int take_result(struct dal_diags *diags, const struct dal_plan *plan,
                       const struct search *search, struct dal_plan_unit *unit, const char *stem)
{
    size_t count;
    const struct functions *f = choose_functions(plan, search, unit, stem, &count);

    if (count != 1) {
        refuse_functions(diags, search, unit, stem, count);
        return DAL_ERR_INVALID;
    }
    unit->function = dal_strdup(f->name);
    unit->has_init = f->found[1];
    unit->has_finish = f->found[2];
    unit->is_static = f->is_static;
    unit->has_state = search->has_state;
    unit->asks_header = search->asks_header;
    unit->keeps_p = search->has_more || dal_keeps_p(search->files, search->file_count);
    return unit->function ? DAL_OK : DAL_ERR_NOMEM;
}

static void finish_search(struct search *search)
{
    while (search->file_count) {
        dal_free(search->files[--search->file_count].path);
        dal_free(search->files[search->file_count].data);
    }
    while (search->count)
        dal_free(search->functions[--search->count].name);
    dal_free(search->functions);
    dal_free(search->header);
}

int dal_source_keeps_state(const struct dal_spec_source *source)
{
    struct dal_text own = {0}, includes = {0};
    struct search search = {.header = dal_strdup(""), .own = &own, .includes = &includes};
    struct dal_diags unsaid;
    int error = DAL_ERR_NOMEM;

    dal_diags_init(&unsaid);
    if (search.header)
        error = search_files(&unsaid, &search, source);
    finish_search(&search);
    dal_text_finish(&own);
    dal_text_finish(&includes);
    dal_diags_finish(&unsaid);
    return error ? error : search.has_state;
}

int dal_unit_scan_c(struct dal_diags *diags, const struct dal_plan *plan,
                    struct dal_plan_unit *unit)
{
    const char *base = dal_path_base(unit->source->path);
    char *stem = dal_format("%.*s", (int)strcspn(base, "."), base);
    struct search search = {.header = dal_format("%s.h", unit->process->base),
                            .own = &unit->own,
                            .includes = &unit->includes};
    int error = DAL_ERR_NOMEM;

    if (stem && search.header)
        error = search_files(diags, &search, unit->source);
    if (!error)
        error = take_result(diags, plan, &search, unit, stem);
    finish_search(&search);
    dal_free(stem);
    return error;
}
