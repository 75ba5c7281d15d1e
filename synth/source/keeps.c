#include "synth/source/keeps.h"

#include "synth/source/scan.h"
#include "synth/text.h"

#include <stdio.h>
#include <string.h>

enum { MOST_OPEN = 64, MOST_NAME = 200 };

struct keeps {
    struct dal_text names;   /* of parameters of type DALProcess * */
    struct dal_text takes;   /* "function:position" of such parameters of functions defined here */
    struct dal_text gives;   /* "function:position" where one of the names is an argument */
    struct dal_text defines; /* all words in preprocessor lines */
    int perhaps;
};

/* A bracket that is open: the name in front of it, and the commas in it so far. */
struct open {
    struct dal_token function;
    int position;
};

struct walk {
    struct dal_scanner s;
    struct dal_token last[3]; /* the token at hand, and the two in front of it */
    struct open open[MOST_OPEN];
    int depth;
    struct keeps *keeps;
};

static int is_in(const struct dal_text *list, const struct dal_token *token)
{
    char name[MOST_NAME];

    if (token->kind != DAL_TOKEN_NAME)
        return 0;
    snprintf(name, sizeof(name), "%.*s", (int)token->length, token->start);
    return dal_text_list_has(list, name);
}

/* Adds the innermost open bracket as "function:position". */
static void add_place(struct walk *w, struct dal_text *list)
{
    const struct open *open = &w->open[w->depth - 1];
    char place[MOST_NAME];
    int length = snprintf(place, sizeof(place), "%.*s:%d", (int)open->function.length,
                          open->function.start, open->position);

    if (open->function.kind != DAL_TOKEN_NAME || length >= (int)sizeof(place))
        w->keeps->perhaps = 1;
    else if (!dal_text_list_has(list, place))
        dal_text_list_add(list, place, (size_t)length);
}

/* Moves to the next token; 0 at the end. */
static int next_token(struct walk *w)
{
    struct dal_token token = dal_scan_code(&w->s);

    w->last[2] = w->last[1];
    w->last[1] = w->last[0];
    w->last[0] = token;
    if (dal_token_is_mark(&token, "([{")) {
        if (w->depth == MOST_OPEN) {
            w->keeps->perhaps = 1;
            return 0;
        }
        w->open[w->depth++] = (struct open){0};
        if (*token.start == '(')
            w->open[w->depth - 1].function = w->last[1];
    } else if (dal_token_is_mark(&token, ")]}") && w->depth > 0) {
        w->depth--;
    } else if (dal_token_is(&token, ",") && w->depth > 0) {
        w->open[w->depth - 1].position++;
    }
    return token.kind != DAL_TOKEN_END;
}

static struct walk begin_walk(struct keeps *keeps, const struct dal_source_file *file)
{
    struct walk w = {.keeps = keeps};

    dal_scan_init(&w.s, file->data, file->length);
    return w;
}

static int is_comma_or_close(const struct dal_token *token)
{
    return dal_token_is(token, ",") || dal_token_is(token, ")");
}

/* Whether the function whose parameters these are has its body here. By value: a look ahead. */
static int is_definition(struct dal_scanner s)
{
    struct dal_token next;

    if (!dal_scan_close(&s))
        return 0;
    next = dal_scan_code(&s);
    return dal_token_is(&next, "{");
}

/* Behind the name of the type. A parameter, named or not, is all that there should be of it. */
static void learn_parameter(struct walk *w)
{
    struct dal_scanner ahead = w->s, behind;
    struct dal_token star = dal_scan_code(&ahead), name = dal_scan_code(&ahead), end;

    behind = ahead;
    end = dal_scan_code(&ahead);
    if (w->depth > 0 && dal_token_is(&star, "*") && is_comma_or_close(&name))
        return;
    if (w->depth == 0 || !dal_token_is(&star, "*") || name.kind != DAL_TOKEN_NAME ||
        !is_comma_or_close(&end)) {
        w->keeps->perhaps = 1;
        return;
    }
    if (!is_in(&w->keeps->names, &name))
        dal_text_list_add(&w->keeps->names, name.start, name.length);
    if (is_definition(behind))
        add_place(w, &w->keeps->takes);
}

static void learn_defines(struct keeps *keeps, const struct dal_source_file *file)
{
    struct dal_scanner s, line;
    struct dal_token token, word;

    dal_scan_init(&s, file->data, file->length);
    for (token = dal_scan_next(&s); token.kind != DAL_TOKEN_END; token = dal_scan_next(&s)) {
        if (token.kind != DAL_TOKEN_DIRECTIVE)
            continue;
        dal_scan_init(&line, token.start + 1, token.length - 1);
        line.fresh = 0;
        for (word = dal_scan_next(&line); word.kind != DAL_TOKEN_END; word = dal_scan_next(&line))
            if (word.kind == DAL_TOKEN_NAME)
                dal_text_list_add(&keeps->defines, word.start, word.length);
    }
}

static int is_type(const struct dal_token *token)
{
    return dal_token_is(token, "DALProcess") || dal_token_is(token, "_process");
}

static void learn_names(struct keeps *keeps, const struct dal_source_file *file)
{
    struct walk w = begin_walk(keeps, file);

    while (next_token(&w))
        if (is_type(&w.last[0]))
            learn_parameter(&w);
    learn_defines(keeps, file);
}

static int is_of_dal(const struct dal_token *function)
{
    return function->kind == DAL_TOKEN_NAME && function->length > 4 &&
           !memcmp(function->start, "DAL_", 4);
}

static int is_state(struct dal_scanner s)
{
    struct dal_token minus = dal_scan_code(&s), more = dal_scan_code(&s),
                     member = dal_scan_code(&s);

    return dal_token_is(&minus, "-") && dal_token_is(&more, ">") && dal_token_is(&member, "local");
}

static int is_compared(struct dal_scanner s)
{
    struct dal_token first = dal_scan_code(&s), second = dal_scan_code(&s);

    return (dal_token_is(&first, "=") || dal_token_is(&first, "!")) && dal_token_is(&second, "=");
}

/* At one of the names. */
static void look_at_use(struct walk *w)
{
    struct dal_scanner ahead = w->s;
    struct dal_token next = dal_scan_code(&ahead);
    const struct dal_token *before = &w->last[1];
    int is_argument = (dal_token_is(before, "(") || dal_token_is(before, ",")) &&
                      is_comma_or_close(&next) && w->depth > 0;
    const struct dal_token *function = is_argument ? &w->open[w->depth - 1].function : NULL;

    if (is_state(w->s) || is_compared(w->s))
        return;
    if (dal_token_is(before, "*") && is_type(&w->last[2]) && is_comma_or_close(&next))
        return;
    if (dal_token_is(before, ")") && dal_token_is(&w->last[2], "void") && dal_token_is(&next, ";"))
        return;
    if (!function || (!is_of_dal(function) && is_in(&w->keeps->defines, function)))
        w->keeps->perhaps = 1;
    else if (!is_of_dal(function))
        add_place(w, &w->keeps->gives);
}

static void look_at_uses(struct keeps *keeps, const struct dal_source_file *file)
{
    struct walk w = begin_walk(keeps, file);

    while (!keeps->perhaps && next_token(&w))
        if (is_in(&keeps->names, &w.last[0]))
            look_at_use(&w);
}

/* Is a line of one list in the other? */
static size_t count_in(const struct dal_text *lines, const struct dal_text *list, size_t *all)
{
    const char *at = dal_text_get(lines);
    size_t found = 0;

    for (*all = 0; *at; ++*all) {
        size_t length = strcspn(at, "\n");
        char line[MOST_NAME + 16];
        snprintf(line, sizeof(line), "%.*s", (int)length, at);
        found += (size_t)dal_text_list_has(list, line);
        at += length + (at[length] == '\n');
    }
    return found;
}

static int may_keep(const struct keeps *keeps)
{
    size_t all;

    if (keeps->perhaps || keeps->names.lost || keeps->takes.lost || keeps->gives.lost ||
        keeps->defines.lost || dal_text_list_has(&keeps->defines, "DALProcess") ||
        count_in(&keeps->names, &keeps->defines, &all))
        return 1;
    return count_in(&keeps->gives, &keeps->takes, &all) < all;
}

/* All files are read for the names before any is read for what is done with them. */
int dal_keeps_p(const struct dal_source_file *files, size_t count)
{
    struct keeps keeps = {0};
    size_t i;
    int answer;

    for (i = 0; i < count; i++)
        learn_names(&keeps, &files[i]);
    for (i = 0; i < count; i++)
        look_at_uses(&keeps, &files[i]);
    answer = may_keep(&keeps);
    dal_text_finish(&keeps.names);
    dal_text_finish(&keeps.takes);
    dal_text_finish(&keeps.gives);
    dal_text_finish(&keeps.defines);
    return answer;
}
