/*
 * Text that grows: everything dalsynth writes is made in memory first.
 *
 * A failed allocation is remembered in `lost` and checked once, at the end; until then all calls
 * stay harmless. One thread.
 */
#ifndef DAL_SPEC_BASE_TEXT_H
#define DAL_SPEC_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Starts zeroed. */
struct dal_text {
    char *data; /* NUL-terminated once something was added, NULL before */
    size_t length, room;
    int lost;
};

void dal_text_finish(struct dal_text *text);

/* What was written so far, "" when nothing was; owned by text. */
const char *dal_text_get(const struct dal_text *text);

void dal_text_add(struct dal_text *text, const char *string);
void dal_text_add_bytes(struct dal_text *text, const char *bytes, size_t count);
void dal_text_printf(struct dal_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text as a list of lines, for few of them: adds one; adds one that is not there, and returns
 * whether it was not; whether it has one. */
void dal_text_list_add(struct dal_text *list, const char *line, size_t length);
int dal_text_list_join(struct dal_text *list, const char *line, size_t length);
int dal_text_list_has(const struct dal_text *list, const char *line);
/* Adds each line of a list, or of none for NULL, by a format for its length and itself ("%.*s"). */
void dal_text_add_each(struct dal_text *text, const struct dal_text *list, const char *format);

/* Adds `string` as a C string literal, quotes and all; never makes a trigraph. */
void dal_text_add_literal(struct dal_text *text, const char *string);
void dal_text_add_literal_bytes(struct dal_text *text, const char *bytes, size_t count);

/*
 * What users name goes into generated text through one of these (and those above, in C), so that it
 * comes out again as it was. Control characters are refused before: dal_text_is_plain().
 *
 * Adds the value of a variable of make, which make reads as `string`.
 */
void dal_text_add_make(struct dal_text *text, const char *string);
/* Adds what a shell reads as one word, `word`; as it is where nothing in it means anything. */
void dal_text_add_shell(struct dal_text *text, const char *word);
/* Adds a JSON string, quotes and all. A byte that is not of UTF-8 becomes U+FFFD. */
void dal_text_add_json(struct dal_text *text, const char *string);

/* What an identifier consists of, for strspn(). */
#define DAL_IDENTIFIER "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

/* Whether two strings are equal; NULL is as "". */
int dal_text_same(const char *a, const char *b);

/* Whether a string is without control characters. */
int dal_text_is_plain(const char *string);

/* The next word of options that are parted by blanks: quotes and backslashes are taken as a shell
 * does, nothing is expanded. Returns 1 with the word in *word, which is emptied before, 0 at the
 * end, or DAL_ERR_INVALID where a quote is not closed. Moves *at. */
int dal_text_next_word(const char **at, struct dal_text *word);

/* Is a word -D, -U or -I, with its argument or without? */
int dal_text_is_define(const char *option);
/* As dal_text_next_word(), of the preprocessor's options alone: -D, -U and -I, with an argument
 * that stands in the next word joined to its option. Options of NULL have none. */
int dal_text_next_define(const char **at, struct dal_text *option);

/* Adds a comment of whole lines, wrapped at 100 columns: "INDENT / * words * /". */
void dal_text_add_comment(struct dal_text *text, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Hands the string over to the caller, who frees it with dal_free(); NULL when lost. */
char *dal_text_take(struct dal_text *text);

/* A file of this text, whole or not at all; `what` stands before its name in messages, which are
 * logged (rt/base/output.h). DAL_OK, DAL_ERR_IO or DAL_ERR_NOMEM. */
int dal_text_write(const char *text, const char *what, const char *name);

/* A new string like `name` with all that cannot stand in a C identifier made '_'; NULL when memory
 * is exhausted. May begin with a digit: it is meant to stand behind a prefix. */
char *dal_text_identifier(const char *name);

/* The part of a path behind its last '/'; points into path. */
const char *dal_path_base(const char *path);
/* The folder of a file, absolute and without links. The caller frees it; NULL when the folder is
 * not there or memory is exhausted. */
char *dal_path_folder(const char *path);

#endif
