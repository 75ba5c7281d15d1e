#include "spec/read/range.h"

#include "rt/base/error.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Longest expression in a loop. */
enum { MOST_PART = 400 };

struct loop {
    const struct dal_expr_scope *scope;
    struct dal_expr_fault *fault;
    const char *at, *variable;
};

/* Takes this text, and the space around it. */
static int takes(struct loop *loop, const char *text)
{
    size_t length = strlen(text);
    loop->at += strspn(loop->at, " \t\r\n");
    if (strncmp(loop->at, text, length) != 0)
        return 0;
    loop->at += length;
    loop->at += strspn(loop->at, " \t\r\n");
    return 1;
}

/* As takes(), but for a word: it must end there. */
static int takes_word(struct loop *loop, const char *word)
{
    const char *before = loop->at;
    if (takes(loop, word) && !(isalnum((unsigned char)*loop->at) || *loop->at == '_'))
        return 1;
    if (loop->at > before && isspace((unsigned char)loop->at[-1]))
        return 1;
    loop->at = before;
    return 0;
}

/* Takes an expression of so many characters. */
static int takes_value(struct loop *loop, size_t length, int64_t *value)
{
    char part[MOST_PART + 1];
    if (length > MOST_PART)
        return 0;
    snprintf(part, sizeof(part), "%.*s", (int)length, loop->at);
    loop->at += length;
    return dal_expr_eval(loop->scope, part, value, loop->fault) == DAL_OK;
}

static int takes_part(struct loop *loop, int64_t *value)
{
    return takes_value(loop, strcspn(loop->at, ";"), value) && takes(loop, ";");
}

/* Takes i++, ++i or i += 2, and the parenthesis that ends the text. */
static int takes_step(struct loop *loop, int64_t *step)
{
    const char *last = strrchr(loop->at, ')');
    *step = 1;
    if (takes(loop, "++"))
        return takes_word(loop, loop->variable) && takes(loop, ")") && !*loop->at;
    if (!last || !takes_word(loop, loop->variable))
        return 0;
    if (takes(loop, "++"))
        return takes(loop, ")") && !*loop->at;
    return takes(loop, "+=") && loop->at < last &&
           takes_value(loop, (size_t)(last - loop->at), step) && takes(loop, ")") && !*loop->at;
}

/* Counts the values from `first` on; returns -1 on overflow. */
static int64_t count_values(int64_t first, int64_t limit, int64_t step, int including)
{
    int64_t length;
    if (__builtin_sub_overflow(limit, first, &length) ||
        __builtin_add_overflow(length, including, &length) ||
        __builtin_add_overflow(length, step - 1, &length))
        return -1;
    return length < step ? 0 : length / step;
}

static int takes_loop(struct loop *loop, struct dal__range *range)
{
    int64_t limit;
    int including;
    if (!takes_word(loop, "for") || !takes(loop, "("))
        return 0;
    takes_word(loop, "int");
    if (!takes_word(loop, loop->variable) || !takes(loop, "=") ||
        !takes_part(loop, &range->first) || !takes_word(loop, loop->variable) || !takes(loop, "<"))
        return 0;
    including = takes(loop, "=");
    if (!takes_part(loop, &limit) || !takes_step(loop, &range->step) || range->first < 0 ||
        range->step < 1)
        return 0;
    range->count = count_values(range->first, limit, range->step, including);
    return range->count >= 0;
}

int dal__range_is_loop(const char *text)
{
    text += strspn(text, " \t\r\n");
    return strncmp(text, "for", 3) == 0 && text[3 + strspn(text + 3, " \t\r\n")] == '(';
}

int dal__range_read(const struct dal_expr_scope *scope, const char *text, const char *variable,
                    struct dal__range *range, struct dal_expr_fault *fault)
{
    struct loop loop = {.scope = scope, .fault = fault, .at = text, .variable = variable};
    *fault = (struct dal_expr_fault){0};
    if (takes_loop(&loop, range))
        return DAL_OK;
    if (!fault->code) {
        fault->code = "iterator-range";
        snprintf(
            fault->text, sizeof(fault->text),
            "of Java, a loop 'for (int i = A; i < B; i++)' of the iterator's variable is taken, "
            "A not negative, also with <= and +=; not '%.60s'",
            text);
    }
    return DAL_ERR_INVALID;
}
