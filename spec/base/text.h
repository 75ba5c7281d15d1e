/*
 * Text that grows: everything dalsynth writes is made in memory first.
 *
 * A failed allocation is remembered in `lost` and checked once, at the end; until then all calls
 * stay harmless. One thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Starts zeroed. */
struct dal_text {
    char *data; /* NUL-terminated once something was added, NULL before */
    size_t length, room;
    int lost;
};

void dal_text_finish(struct dal_text *text);

/* Returns the text written so far, "" if it is empty; owned by text. */
const char *dal_text_get(const struct dal_text *text);

void dal_text_add(struct dal_text *text, const char *string);
void dal_text_add_bytes(struct dal_text *text, const char *bytes, size_t count);
void dal_text_printf(struct dal_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text can be a list of a few lines. dal_text_list_add() adds a line. dal_text_list_join() adds a
 * line unless it is there, and returns whether it was added. dal_text_list_has() returns whether it
 * is there. */
void dal_text_list_add(struct dal_text *list, const char *line, size_t length);
int dal_text_list_join(struct dal_text *list, const char *line, size_t length);
int dal_text_list_has(const struct dal_text *list, const char *line);
/* Adds each line of a list, or of none for NULL, by a format for its length and itself ("%.*s"). */
void dal_text_add_each(struct dal_text *text, const struct dal_text *list, const char *format);

/* Adds `string` as a C string literal, quotes and all; never makes a trigraph. */
void dal_text_add_literal(struct dal_text *text, const char *string);
void dal_text_add_literal_bytes(struct dal_text *text, const char *bytes, size_t count);

/*
 * Names that users give go into generated text through one of these, or those above for C. So they
 * come out again as they were. Control characters are refused before: dal_text_is_plain().
 *
 * Adds the value of a variable of make, which make reads as `string`.
 */
void dal_text_add_make(struct dal_text *text, const char *string);
/* Adds a word that a shell reads as `word`; it is quoted if a character in it is special. */
void dal_text_add_shell(struct dal_text *text, const char *word);
/* Adds a JSON string, quotes and all. A byte that is not of UTF-8 becomes U+FFFD. */
void dal_text_add_json(struct dal_text *text, const char *string);

/* Characters of an identifier, for strspn(). */
#define DAL_IDENTIFIER "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

/* Returns whether two strings are equal; NULL is as "". */
int dal_text_same(const char *a, const char *b);

/* Returns whether a string has no control characters. */
int dal_text_is_plain(const char *string);

/* Takes the next word of options that are parted by blanks. Quotes and backslashes are as in a
 * shell, but nothing is expanded. Returns 1 with the word in *word, which is emptied before, 0 at
 * the end, or DAL_ERR_INVALID if a quote is not closed. Moves *at. */
int dal_text_next_word(const char **at, struct dal_text *word);

/* Returns how many bytes of a word of options stand in front of a path: 2 of -Iinc, 1 of @options;
 * -1 of a word without a path. With `files`, words without a dash are paths. *behind starts as 0.
 * It is set behind an option whose path is the next word, as -include. */
int dal_text_find_path(const char *word, int files, int *behind);

/* Is a word -D, -U or -I, with its argument or without? */
int dal_text_is_define(const char *option);
/* Has a word nothing but macros, in words of the driver: -Wp,-DNAME,-UNAME, --define-macro=NAME or
 * --undefine-macro=NAME? */
int dal_text_is_wrapped_define(const char *option);
/* As dal_text_next_word(), but takes only options of the preprocessor: -D, -U and -I. An argument
 * in the next word is joined to its option. Options of NULL have none. */
int dal_text_next_define(const char **at, struct dal_text *option);

/* Adds a comment of whole lines, wrapped at 100 columns: "INDENT / * words * /". */
void dal_text_add_comment(struct dal_text *text, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Hands the string over to the caller, who frees it with dal_free(); NULL when lost. */
char *dal_text_take(struct dal_text *text);

/* Writes a file with this text, whole or not at all. `what` stands before its name in messages,
 * which are logged (rt/base/output.h). Returns DAL_OK, DAL_ERR_IO or DAL_ERR_NOMEM. */
int dal_text_write(const char *text, const char *what, const char *name);

/* Returns a new string like `name`, with '_' for all that an identifier in C cannot have; NULL when
 * memory is exhausted. It may begin with a digit: it is meant to stand behind a prefix. */
char *dal_text_identifier(const char *name);

/* Returns the part of a path behind its last '/'; points into path. */
const char *dal_path_base(const char *path);
/* Returns the part of a path below the folder of a file; of a path elsewhere, that without folders.
 */
const char *dal_path_below(const char *path, const char *file);
/* Returns the folder of a file, absolute and without links. The caller frees it; NULL when the
 * folder is not there or memory is exhausted. */
char *dal_path_folder(const char *path);
