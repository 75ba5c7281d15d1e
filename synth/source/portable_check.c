/*
 * What a portable source cannot do, found in its tokens: what only a core has, and what would come
 * out otherwise once the blocks of a DAL_foreach are shared among work-items. Not a compiler: what
 * is done behind a pointer or in another function is not seen.
 */
#include "synth/source/expand.h"
#include "synth/source/scan.h"
#include "synth/source/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_STATEMENT = 512, MAX_LEVELS = 64 };

/* A variable of fire. */
struct variable {
    struct dal_token name;
    int is_array, is_window;
};

struct check {
    struct dal_diags *diags;
    const struct dal_plan_unit *unit;
    const struct dal_expanded *source;
    struct dal_token last, before; /* the tokens in front */
    int depth;                     /* of braces */
    int found_fire;
    /* in fire */
    struct variable *variables;
    size_t variable_count, variable_room;
    size_t outer_count; /* of them those declared outside of the DAL_foreach we are in */
    int in_block;
    struct dal_token statement[MAX_STATEMENT];
    size_t length;
    int initialiser;      /* braces open in one */
    int resumes;          /* that of a declaration, which goes on behind it */
    int nest;             /* parentheses open */
    int parens;           /* open since the statement began */
    int loop[MAX_LEVELS]; /* in a DAL_foreach, by level: a loop or switch stands open */
    int level;
    int errors, lost;
};

static void refuse_token(struct check *c, const struct dal_token *token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void refuse_token(struct check *c, const struct dal_token *token, const char *format, ...)
{
    char why[300];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    dal_error(c->diags, dal_expand_place(c->diags, c->source, token->line), "not-portable",
              "process '%s': %s", c->unit->process->base, why);
    c->errors++;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const struct {
    const char *words, *why;
} refused[] = {
    {" DAL_read DAL_write ",
     "copies; use DAL_read_begin or DAL_write_begin and work in the window"},
    {" DAL_printf printf fprintf puts putchar sprintf snprintf DAL_fail perror ",
     "writes text, which a device cannot"},
    {" DAL_getParameter DAL_getParameterInt DAL_getIndex GETINDEX ",
     "asks for what is known on a core only; use a variable of the network (VAR_name)"},
    {" DAL_send_event DAL_port_index CREATEPORT CREATEPORTVAR ", "is there on a core only"},
    {" malloc calloc realloc free alloca ", "takes memory, of which a device has none to give"},
    {" memcpy memmove memset memcmp strlen strcpy strcmp ",
     "is not there on a device; write the loop"},
    {" fopen fclose fread fwrite fputs fgets fflush ", "uses files, which a device cannot"},
    {" rand srand time clock exit abort assert errno qsort bsearch setjmp longjmp ",
     "is not there on a device"},
    {" goto ", "may leave a DAL_foreach; it is refused"},
    {" asm __asm__ __builtin_expect ", "is of another compiler"},
};

static int in_list(const char *words, const struct dal_token *token)
{
    const char *at = words;

    while ((at = strstr(at, " ")) && at[1]) {
        size_t length = strcspn(++at, " ");
        if (length == token->length && !memcmp(at, token->start, length))
            return 1;
    }
    return 0;
}

static int is_role(const struct check *c, const struct dal_token *token, const char *role)
{
    size_t length = strlen(c->unit->function);

    return token->length == length + strlen(role) &&
           !memcmp(token->start, c->unit->function, length) &&
           !memcmp(token->start + length, role, strlen(role));
}

static void check_word(struct check *c, const struct dal_token *token)
{
    int n = (int)token->length;
    size_t i;

    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (in_list(refused[i].words, token))
            refuse_token(c, token, "'%.*s' %s", n, token->start, refused[i].why);
    if (dal_token_is(token, "_local_states") ||
        (dal_token_is(token, "local") && dal_token_is(&c->last, ">") &&
         dal_token_is(&c->before, "-")))
        refuse_token(c, token, "a portable source has no state; keep it in a channel to itself");
    if (is_role(c, token, "_init") || is_role(c, token, "_finish"))
        refuse_token(c, token, "a portable source has no '%.*s', only fire", n, token->start);
    if (dal_token_is(token, "static") && c->depth > 0)
        refuse_token(c, token,
                     "a static variable in a function; constants stand outside, and state in a "
                     "channel to itself");
}

static void check_include(struct check *c, const struct dal_token *token)
{
    static const char *const known[] = {"dal.h",     "math.h",   "stddef.h", "stdint.h",
                                        "stdbool.h", "stdlib.h", "float.h",  "limits.h"};
    struct dal_scanner s;
    struct dal_token open;
    const char *name;
    size_t i, length;

    if (!dal_scan_directive(token, "include", &s))
        return;
    open = dal_scan_next(&s);
    name = open.start + 1;
    length = dal_token_is(&open, "<") ? strcspn(name, ">\n")
             : open.length > 2        ? open.length - 2
                                      : 0;
    for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (length == strlen(known[i]) && !memcmp(name, known[i], length))
            return;
    refuse_token(c, token, "#include of '%.*s', which a device does not have", (int)length, name);
}

/* ---- statements ------------------------------------------------------------------------------ */

/* Token of the statement, counted from its end; an empty one in front of its first. */
static const struct dal_token *from_end(const struct check *c, size_t back)
{
    static const struct dal_token none = {.kind = DAL_TOKEN_END, .start = ""};

    return back < c->length ? &c->statement[c->length - 1 - back] : &none;
}

static int is_declaration(const struct check *c)
{
    static const char words[] = " return else case goto sizeof do break continue ";

    return c->length >= 2 && c->statement[0].kind == DAL_TOKEN_NAME &&
           !in_list(words, &c->statement[0]) &&
           (c->statement[1].kind == DAL_TOKEN_NAME || dal_token_is(&c->statement[1], "*"));
}

static const struct variable *find_variable(const struct check *c, const struct dal_token *name)
{
    size_t i;

    for (i = c->variable_count; i > 0; i--)
        if (c->variables[i - 1].name.length == name->length &&
            !memcmp(c->variables[i - 1].name.start, name->start, name->length))
            return &c->variables[i - 1];
    return NULL;
}

static int in_statement(const struct check *c, const char *word)
{
    size_t i;

    for (i = 0; i < c->length; i++)
        if (dal_token_is(&c->statement[i], word))
            return 1;
    return 0;
}

static void add_variable(struct check *c, const struct dal_token *name, int is_array)
{
    if (dal_grow(&c->variables, c->variable_count, &c->variable_room, sizeof(*c->variables))) {
        c->lost = 1;
        return;
    }
    c->variables[c->variable_count++] = (struct variable){
        .name = *name,
        .is_array = is_array,
        .is_window = in_statement(c, "DAL_WINDOW"),
    };
}

/* A name in front of `next` that is declared by the statement; not the tag of a type. */
static void note_declared(struct check *c, const struct dal_token *next)
{
    const struct dal_token *name = from_end(c, 0), *front = from_end(c, 1);

    if (c->parens || dal_token_has_body(front) || name->kind != DAL_TOKEN_NAME ||
        !strchr("=;,[", *next->start) || !is_declaration(c))
        return;
    if (front->kind == DAL_TOKEN_NAME || dal_token_is(front, "*") || dal_token_is(front, ","))
        add_variable(c, name, dal_token_is(next, "["));
}

/* How many tokens from the statement's end on are "[...]", more than one included. */
static size_t pass_index(const struct check *c, size_t back)
{
    while (dal_token_is(from_end(c, back), "]")) {
        int depth = 0;
        do {
            depth += dal_token_is(from_end(c, back), "]");
            depth -= dal_token_is(from_end(c, back), "[");
            back++;
        } while (depth && back < c->length);
    }
    return back;
}

static void check_plain(struct check *c, const struct dal_token *name)
{
    const struct variable *v = find_variable(c, name);

    if (!c->in_block || (v && v >= c->variables + c->outer_count))
        return;
    refuse_token(
        c, name,
        "'%.*s' is set in DAL_foreach but declared outside: every work-item would have its own",
        (int)name->length, name->start);
}

static void check_indexed(struct check *c, const struct dal_token *name)
{
    const struct variable *v = name->kind == DAL_TOKEN_NAME ? find_variable(c, name) : NULL;

    if (c->in_block && v && v->is_array && v < c->variables + c->outer_count)
        check_plain(c, name);
    if (!c->in_block && !(v && v->is_array))
        refuse_token(
            c, name,
            "memory behind '%.*s' is written outside of DAL_foreach: every work-item would",
            (int)name->length, name->start);
}

/* What is assigned to ends `back` tokens before the statement's end. */
static void check_assigned(struct check *c, size_t back)
{
    size_t first = pass_index(c, back);
    const struct dal_token *name = from_end(c, first), *front = from_end(c, first + 1);
    int indexed = first > back;

    while (dal_token_is(front, ".") && first + 2 < c->length) {
        first = pass_index(c, first + 2);
        name = from_end(c, first);
        front = from_end(c, first + 1);
    }
    if (dal_token_is(front, ".") || name->kind == DAL_TOKEN_END)
        return; /* in an initialiser */
    if (dal_token_is(front, ">") && dal_token_is(from_end(c, first + 2), "-"))
        check_indexed(c, from_end(c, first + 3));
    else if (indexed || dal_token_is(name, ")"))
        check_indexed(c, name);
    else if (dal_token_is(front, "*")) {
        const struct dal_token *type = from_end(c, first + 2);
        if (!is_declaration(c) || (type->kind != DAL_TOKEN_NAME && !strchr("*,", *type->start)))
            check_indexed(c, name);
    } else if (name->kind == DAL_TOKEN_NAME && front->kind != DAL_TOKEN_NAME &&
               !(dal_token_is(front, ",") && is_declaration(c)))
        check_plain(c, name);
}

/* An "=" has come: is it one that assigns? What it assigns to ends where? */
static void take_equals(struct check *c, const struct dal_token *token)
{
    const struct dal_token *op = from_end(c, 0), *more = from_end(c, 1);
    int joined = op->kind == DAL_TOKEN_MARK && op->start + 1 == token->start;

    if (token->start[1] == '=' || (joined && strchr("=!", *op->start)))
        return;
    if (joined && strchr("<>", *op->start)) {
        if (more->start + 1 == op->start && *more->start == *op->start)
            check_assigned(c, 2);
    } else if (joined && strchr("+-*/%&|^", *op->start))
        check_assigned(c, 1);
    else
        check_assigned(c, 0);
}

/* The second of "++" or "--" has come: behind what it changes, or in front of it. */
static void take_step(struct check *c, const struct dal_token *token)
{
    const struct dal_token *first = from_end(c, 0), *changed = from_end(c, 1);
    struct dal_scanner s;

    if (first->start + 1 != token->start || *first->start != *token->start)
        return;
    if (changed->kind == DAL_TOKEN_NAME || dal_token_is(changed, "]")) {
        check_assigned(c, 1);
        return;
    }
    dal_scan_init(&s, token->start + 1,
                  (size_t)(c->source->text.data + c->source->text.length - token->start - 1));
    if (c->length < MAX_STATEMENT) {
        struct dal_token next = dal_scan_code(&s), behind = dal_scan_code(&s);
        next.line = token->line;
        if (next.kind == DAL_TOKEN_NAME && dal_token_is(&behind, "["))
            check_indexed(c, &next);
        else if (next.kind == DAL_TOKEN_NAME)
            check_plain(c, &next);
    }
}

/* ---- the body of fire ------------------------------------------------------------------------ */

static void check_return(struct check *c, const struct dal_token *token, struct dal_scanner behind)
{
    struct dal_token value = dal_scan_code(&behind), end = dal_scan_code(&behind);

    if (c->in_block)
        refuse_token(c, token, "return in DAL_foreach: the other blocks would be left undone");
    else if (!dal_token_is(&value, "0") || !dal_token_is(&end, ";"))
        refuse_token(c, token,
                     "fire of a portable source returns 0: a device cannot end a process");
}

/* In a pointer's declaration, or to one declared before: it must be one to a window. */
static void check_begin(struct check *c, const struct dal_token *token)
{
    const struct variable *v;
    size_t back = 0;

    if (c->in_block && dal_token_is(token, "DAL_read_begin"))
        refuse_token(c, token, "DAL_read_begin in DAL_foreach; begin the window in front of it");
    if (!in_statement(c, "="))
        return;
    while (!dal_token_is(from_end(c, back), "="))
        back++;
    v = find_variable(c, from_end(c, back + 1));
    if (v && !v->is_window)
        refuse_token(c, token, "'%.*s' points to a window: write DAL_WINDOW in front of its type",
                     (int)v->name.length, v->name.start);
}

static void check_jump(struct check *c, const struct dal_token *token)
{
    int i;

    for (i = 0; i <= c->level && i < MAX_LEVELS; i++)
        if (c->loop[i])
            return;
    refuse_token(c, token, "break out of DAL_foreach: the other blocks would be left undone");
}

static void check_call(struct check *c, const struct dal_token *token, struct dal_scanner behind)
{
    if (dal_token_is(token, "return"))
        check_return(c, token, behind);
    else if (dal_token_is(token, "DAL_read_begin") || dal_token_is(token, "DAL_write_begin"))
        check_begin(c, token);
    else if (!c->in_block)
        return;
    else if (dal_token_is(token, "DAL_read_end"))
        refuse_token(c, token, "DAL_read_end in DAL_foreach; end the window behind it");
    else if (dal_token_is(token, "break"))
        check_jump(c, token);
    else if (in_list(" for while do switch ", token) && c->level < MAX_LEVELS)
        c->loop[c->level] = 1;
}

static void track_level(struct check *c, const struct dal_token *token)
{
    if (dal_token_is(token, "{") && ++c->level < MAX_LEVELS)
        c->loop[c->level] = 0;
    if (dal_token_is(token, "}"))
        c->level--;
    if ((dal_token_is(token, "}") || (dal_token_is(token, ";") && !c->nest)) && c->level >= 0 &&
        c->level < MAX_LEVELS)
        c->loop[c->level] = 0;
}

static void begin_statement(struct check *c)
{
    c->length = 0;
    c->parens = 0;
}

static void take_mark(struct check *c, const struct dal_token *token)
{
    note_declared(c, token);
    if (dal_token_is(token, "="))
        take_equals(c, token);
    else if (dal_token_is(token, "+") || dal_token_is(token, "-"))
        take_step(c, token);
    c->parens += dal_token_is(token, "(");
    c->parens -= dal_token_is(token, ")");
    c->nest += dal_token_is(token, "(");
    c->nest -= dal_token_is(token, ")");
}

/* Stands for a type, or for what a declaration began with. */
static void add_placeholder(struct check *c)
{
    static const struct dal_token type = {.kind = DAL_TOKEN_NAME, .start = "{}", .length = 2};

    if (c->length < MAX_STATEMENT)
        c->statement[c->length++] = type;
}

/* In front of a brace. */
static void enter_initialiser(struct check *c, const struct dal_token *token)
{
    if (!dal_token_is(token, "{"))
        return;
    if (!c->initialiser && dal_token_is(from_end(c, 0), "="))
        c->resumes = is_declaration(c);
    else if (!c->initialiser)
        return;
    c->initialiser++;
}

/* Behind it. */
static void leave_initialiser(struct check *c, const struct dal_token *token)
{
    if (!dal_token_is(token, "}") || !c->initialiser || --c->initialiser || !c->resumes)
        return;
    add_placeholder(c);
    add_placeholder(c);
}

static void take_in_fire(struct check *c, const struct dal_token *token,
                         const struct dal_scanner *behind)
{
    int opens_for = dal_token_is(token, "(") && dal_token_is(from_end(c, 0), "for");

    if (token->kind == DAL_TOKEN_NAME)
        check_call(c, token, *behind);
    else if (token->kind == DAL_TOKEN_MARK)
        take_mark(c, token);
    track_level(c, token);
    enter_initialiser(c, token);
    if (strchr(";{}", *token->start) || opens_for || c->parens < 0 || dal_token_is(token, "else") ||
        dal_token_is(token, "do"))
        begin_statement(c);
    else if (c->length < MAX_STATEMENT)
        c->statement[c->length++] = *token;
    leave_initialiser(c, token);
}

static int pass_operand(struct dal_scanner *s, const struct dal_token *word)
{
    struct dal_scanner ahead = *s;
    struct dal_token open = dal_scan_code(&ahead);

    if (!in_list(" typeof __typeof__ __typeof _Alignas __attribute__ _Atomic ", word) ||
        !dal_token_is(&open, "(") || !dal_scan_close(&ahead))
        return 0;
    *s = ahead;
    return 1;
}

/* A type whose body or operand stands in the statement: it is passed over, so that the rest reads
 * as with a name for it. */
static int pass_type(struct check *c, struct dal_scanner *s, struct dal_token *token)
{
    if (dal_token_has_body(token) ? !dal_scan_body(s) : !pass_operand(s, token))
        return 0;
    if (!in_list(" _Alignas __attribute__ ", token))
        add_placeholder(c);
    return 1;
}

static int is_port(const struct check *c, const struct dal_token *name)
{
    const struct dal_spec_process *process = c->unit->process;
    size_t i;

    for (i = 0; i < process->port_count; i++)
        if (name->length == strlen(process->ports[i].name) + 5 &&
            !strncmp(name->start, "PORT_", 5) &&
            !memcmp(name->start + 5, process->ports[i].name, name->length - 5))
            return process->ports[i].output ? 2 : 1;
    return 0;
}

/* At a call of a window: its port is one of that direction. */
static void check_direction(struct check *c, const struct dal_token *token,
                            struct dal_scanner behind)
{
    int is_read = in_list(" DAL_read_begin DAL_read_end ", token), kind;
    struct dal_token open, port;

    if (!is_read && !in_list(" DAL_write_begin DAL_write_end ", token))
        return;
    open = dal_scan_code(&behind);
    port = dal_scan_code(&behind);
    kind = dal_token_is(&open, "(") ? is_port(c, &port) : 0;
    if (kind == (is_read ? 2 : 1))
        refuse_token(c, token, "%.*s on port %.*s, which is an %s port", (int)token->length,
                     token->start, (int)port.length - 5, port.start + 5,
                     is_read ? "output" : "input");
}

static void walk_tokens(struct check *c, struct dal_scanner *s, int in_block);

/* Behind "DAL_foreach": the head, then what it does, a block or one statement. */
static void take_block(struct check *c, struct dal_scanner *s, const struct dal_token *token)
{
    struct dal_token name, separator, port;

    if (c->in_block)
        refuse_token(c, token, "a DAL_foreach in another");
    if (c->in_block || !dal_scan_foreach(s, &name, &separator, &port)) {
        if (!c->in_block)
            refuse_token(c, token, "DAL_foreach is written DAL_foreach (NAME : PORT_port)");
        return;
    }
    if (is_port(c, &port) != 2)
        refuse_token(c, &port, "DAL_foreach over '%.*s', which is no output port of the process",
                     (int)port.length, port.start);
    c->outer_count = c->variable_count;
    walk_tokens(c, s, 1);
    c->variable_count = c->outer_count;
}

/* One block or statement of fire, up to its end. It is entered for fire's body and once more for
 * each DAL_foreach in it, never deeper. */
static void walk_tokens(struct check *c, struct dal_scanner *s, int in_block)
{
    int braces = 0;

    c->in_block = in_block;
    c->level = 0;
    c->nest = 0;
    c->initialiser = 0;
    c->loop[0] = 0;
    begin_statement(c);
    for (;;) {
        struct dal_token token = dal_scan_next(s);
        int closes = 0;
        if (token.kind == DAL_TOKEN_END)
            break;
        if (token.kind == DAL_TOKEN_DIRECTIVE) {
            check_include(c, &token);
            continue;
        }
        if (token.kind == DAL_TOKEN_NAME) {
            check_word(c, &token);
            check_direction(c, &token, *s);
        }
        c->before = c->last;
        c->last = token;
        if (pass_type(c, s, &token))
            continue;
        if (dal_token_is(&token, "DAL_foreach")) {
            take_block(c, s, &token);
            c->in_block = in_block;
            begin_statement(c);
            continue;
        }
        braces += dal_token_is(&token, "{");
        closes = dal_token_is(&token, "}") || (dal_token_is(&token, ";") && !c->nest);
        braces -= dal_token_is(&token, "}");
        take_in_fire(c, &token, s);
        if (closes && braces == 0)
            break;
    }
}

/* ---- the whole source ------------------------------------------------------------------------ */

/* Behind a function's name: past "(...)", when "{" follows. */
static int pass_arguments(struct dal_scanner *s)
{
    struct dal_token open = dal_scan_code(s);
    struct dal_scanner ahead;

    if (!dal_token_is(&open, "(") || !dal_scan_close(s))
        return 0;
    ahead = *s;
    open = dal_scan_code(&ahead);
    return dal_token_is(&open, "{");
}

static void take_token(struct check *c, struct dal_scanner *s, const struct dal_token *token)
{
    struct dal_scanner behind = *s;

    if (token->kind == DAL_TOKEN_DIRECTIVE)
        check_include(c, token);
    if (token->kind == DAL_TOKEN_NAME) {
        check_word(c, token);
        check_direction(c, token, *s);
    }
    if (c->depth == 0 && is_role(c, token, "_fire") && pass_arguments(&behind)) {
        *s = behind;
        c->depth++;
        walk_tokens(c, s, 0);
        c->depth--;
    } else if (dal_token_is(token, "DAL_foreach"))
        refuse_token(c, token, "DAL_foreach outside of %s_fire", c->unit->function);
    c->depth += dal_token_is(token, "{");
    c->depth -= dal_token_is(token, "}");
}

int dal__portable_check(struct dal_diags *diags, const struct dal_plan_unit *unit,
                        const struct dal_expanded *source)
{
    struct check *c = dal_calloc(1, sizeof(*c));
    struct dal_scanner s;
    struct dal_token token;
    int error;

    if (!c)
        return DAL_ERR_NOMEM;
    *c = (struct check){.diags = diags, .unit = unit, .source = source};
    dal_scan_init(&s, dal_text_get(&source->text), source->text.length);
    do {
        token = dal_scan_next(&s);
        take_token(c, &s, &token);
        if (token.kind != DAL_TOKEN_DIRECTIVE) {
            c->before = c->last;
            c->last = token;
        }
    } while (token.kind != DAL_TOKEN_END);
    error = c->lost ? DAL_ERR_NOMEM : c->errors ? DAL_ERR_INVALID : DAL_OK;
    if (c->errors)
        dal_note(diags, unit->source->place, "the source is named here");
    dal_free(c->variables);
    dal_free(c);
    return error;
}
