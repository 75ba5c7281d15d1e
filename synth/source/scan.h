/*
 * Tokens of a C or OpenCL C source, for finding functions in it without a compiler.
 *
 * Comments and white space are passed over; a preprocessor line with its continuations is one
 * token. Nothing is expanded: a kernel's source comes from the preprocessor (dal_preprocess), a
 * portable one as it is, and both branches of an #if are seen. A scanner is a plain value: copy it
 * to look ahead. The text must stay valid and is not changed.
 */
#ifndef DAL_SYNTH_SOURCE_SCAN_H
#define DAL_SYNTH_SOURCE_SCAN_H

#include <stddef.h>

enum dal_token_kind {
    DAL_TOKEN_END,
    DAL_TOKEN_NAME,
    DAL_TOKEN_NUMBER,
    DAL_TOKEN_STRING, /* string or character constant */
    DAL_TOKEN_MARK,   /* one character of punctuation */
    DAL_TOKEN_DIRECTIVE,
};

struct dal_token {
    enum dal_token_kind kind;
    const char *start;
    size_t length;
    int line; /* from 1 */
};

struct dal_scanner {
    const char *at, *end;
    int line;
    int fresh; /* nothing but white space so far on this line */
};

void dal_scan_init(struct dal_scanner *scanner, const char *text, size_t length);
struct dal_token dal_scan_next(struct dal_scanner *scanner);
/* The same, with directives passed over. */
struct dal_token dal_scan_code(struct dal_scanner *scanner);

/* 1 when the token is exactly this text; when it is one of these characters of punctuation. */
int dal_token_is(const struct dal_token *token, const char *text);
int dal_token_is_mark(const struct dal_token *token, const char *marks);

/* Behind an opening bracket: moves past the closing one. Returns 0 at the end of the text. */
int dal_scan_close(struct dal_scanner *scanner);

/* "struct", "union" or "enum"; and behind it: moves past a tag and "{...}". Returns 0, with the
 * scanner where it was, when there is no body. */
int dal_token_has_body(const struct dal_token *token);
int dal_scan_body(struct dal_scanner *scanner);

/* Behind "DAL_foreach": its parts, with the colon or comma between them. 1 when they are there; the
 * scanner is then behind its ")". */
int dal_scan_foreach(struct dal_scanner *scanner, struct dal_token *name,
                     struct dal_token *separator, struct dal_token *port);

/* 1 when the directive is "#word"; *rest then has what is behind the word. */
int dal_scan_directive(const struct dal_token *directive, const char *word,
                       struct dal_scanner *rest);

/* The name in a directive #include "name": its length, and its start in *name; 0 for any other. */
size_t dal_scan_include(const struct dal_token *directive, const char **name);

#endif
