#include "synth/source/scan.h"

#include <ctype.h>
#include <string.h>

void dal_scan_init(struct dal_scanner *scanner, const char *text, size_t length)
{
    *scanner = (struct dal_scanner){.at = text, .end = text + length, .line = 1, .fresh = 1};
}

static int peek_byte(const struct dal_scanner *s, size_t ahead)
{
    return (size_t)(s->end - s->at) > ahead ? (unsigned char)s->at[ahead] : 0;
}

static void pass_byte(struct dal_scanner *s)
{
    if (*s->at++ == '\n')
        s->line++;
}

static void skip_block_comment(struct dal_scanner *s)
{
    s->at += 2;
    while (s->at < s->end && !(peek_byte(s, 0) == '*' && peek_byte(s, 1) == '/'))
        pass_byte(s);
    s->at += s->end - s->at < 2 ? s->end - s->at : 2;
}

/* To the end of the line, which is not passed; a backslash before it carries on. */
static void skip_line(struct dal_scanner *s)
{
    while (s->at < s->end && *s->at != '\n') {
        if (peek_byte(s, 0) == '\\' && peek_byte(s, 1))
            pass_byte(s);
        pass_byte(s);
    }
}

static void skip_string(struct dal_scanner *s)
{
    char quote = *s->at;

    pass_byte(s);
    while (s->at < s->end && *s->at != quote && *s->at != '\n') {
        if (peek_byte(s, 0) == '\\' && peek_byte(s, 1))
            pass_byte(s);
        pass_byte(s);
    }
    if (s->at < s->end && *s->at == quote)
        pass_byte(s);
}

static void skip_directive(struct dal_scanner *s)
{
    while (s->at < s->end && *s->at != '\n') {
        if (peek_byte(s, 0) == '/' && peek_byte(s, 1) == '*')
            skip_block_comment(s);
        else if (peek_byte(s, 0) == '/' && peek_byte(s, 1) == '/')
            skip_line(s);
        else if (peek_byte(s, 0) == '"' || peek_byte(s, 0) == '\'')
            skip_string(s);
        else {
            if (peek_byte(s, 0) == '\\' && peek_byte(s, 1))
                pass_byte(s);
            pass_byte(s);
        }
    }
}

static void skip_space(struct dal_scanner *s)
{
    while (s->at < s->end) {
        if (peek_byte(s, 0) == '/' && peek_byte(s, 1) == '*')
            skip_block_comment(s);
        else if (peek_byte(s, 0) == '/' && peek_byte(s, 1) == '/')
            skip_line(s);
        else if (peek_byte(s, 0) == '\\' && peek_byte(s, 1) == '\n') {
            pass_byte(s);
            pass_byte(s);
        } else if (isspace(peek_byte(s, 0))) {
            s->fresh |= peek_byte(s, 0) == '\n';
            pass_byte(s);
        } else
            break;
    }
}

static int in_word(int c)
{
    return isalnum(c) || c == '_' || c >= 0x80;
}

static enum dal_token_kind pass_token(struct dal_scanner *s)
{
    int c = peek_byte(s, 0);

    if (c == '#' && s->fresh) {
        skip_directive(s);
        return DAL_TOKEN_DIRECTIVE;
    }
    s->fresh = 0;
    if (c == '"' || c == '\'') {
        skip_string(s);
        return DAL_TOKEN_STRING;
    }
    if (in_word(c)) {
        while (in_word(peek_byte(s, 0)) || (isdigit(c) && peek_byte(s, 0) == '.'))
            pass_byte(s);
        return isdigit(c) ? DAL_TOKEN_NUMBER : DAL_TOKEN_NAME;
    }
    pass_byte(s);
    return DAL_TOKEN_MARK;
}

struct dal_token dal_scan_next(struct dal_scanner *scanner)
{
    struct dal_token token = {.kind = DAL_TOKEN_END};

    skip_space(scanner);
    token.start = scanner->at;
    token.line = scanner->line;
    if (scanner->at < scanner->end)
        token.kind = pass_token(scanner);
    token.length = (size_t)(scanner->at - token.start);
    return token;
}

struct dal_token dal_scan_code(struct dal_scanner *scanner)
{
    struct dal_token token;

    do
        token = dal_scan_next(scanner);
    while (token.kind == DAL_TOKEN_DIRECTIVE);
    return token;
}

int dal_token_is(const struct dal_token *token, const char *text)
{
    return token->length == strlen(text) && !memcmp(token->start, text, token->length);
}

int dal_token_is_mark(const struct dal_token *token, const char *marks)
{
    return token->kind == DAL_TOKEN_MARK && *token->start && strchr(marks, *token->start);
}

int dal_scan_close(struct dal_scanner *scanner)
{
    size_t depth = 1;

    while (depth) {
        struct dal_token token = dal_scan_code(scanner);
        if (token.kind == DAL_TOKEN_END)
            return 0;
        if (dal_token_is_mark(&token, "([{"))
            depth++;
        else if (dal_token_is_mark(&token, ")]}"))
            depth--;
    }
    return 1;
}

int dal_token_has_body(const struct dal_token *token)
{
    return dal_token_is(token, "struct") || dal_token_is(token, "union") ||
           dal_token_is(token, "enum");
}

int dal_scan_body(struct dal_scanner *scanner)
{
    struct dal_scanner ahead = *scanner;
    struct dal_token token = dal_scan_code(&ahead);

    while (dal_token_is(&token, "__attribute__")) {
        token = dal_scan_code(&ahead);
        if (!dal_token_is(&token, "(") || !dal_scan_close(&ahead))
            return 0;
        token = dal_scan_code(&ahead);
    }
    if (token.kind == DAL_TOKEN_NAME)
        token = dal_scan_code(&ahead);
    if (!dal_token_is(&token, "{") || !dal_scan_close(&ahead))
        return 0;
    *scanner = ahead;
    return 1;
}

int dal_scan_foreach(struct dal_scanner *scanner, struct dal_token *name,
                     struct dal_token *separator, struct dal_token *port)
{
    struct dal_token open = dal_scan_code(scanner), close;

    *name = dal_scan_code(scanner);
    *separator = dal_scan_code(scanner);
    *port = dal_scan_code(scanner);
    close = dal_scan_code(scanner);
    return dal_token_is(&open, "(") && name->kind == DAL_TOKEN_NAME &&
           (dal_token_is(separator, ":") || dal_token_is(separator, ",")) &&
           port->kind == DAL_TOKEN_NAME && dal_token_is(&close, ")");
}

int dal_scan_directive(const struct dal_token *directive, const char *word,
                       struct dal_scanner *rest)
{
    struct dal_token first;

    dal_scan_init(rest, directive->start + 1, directive->length - 1);
    rest->fresh = 0;
    first = dal_scan_next(rest);
    return dal_token_is(&first, word);
}

size_t dal_scan_include(const struct dal_token *directive, const char **name)
{
    struct dal_scanner s;
    struct dal_token file;

    if (!dal_scan_directive(directive, "include", &s))
        return 0;
    file = dal_scan_next(&s);
    if (file.kind != DAL_TOKEN_STRING || file.length < 3 || *file.start != '"' ||
        file.start[file.length - 1] != '"')
        return 0;
    *name = file.start + 1;
    return file.length - 2;
}
