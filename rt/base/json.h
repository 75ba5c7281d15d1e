/*
 * Prints JSON (RFC 8259). Control characters are escaped, and bytes that are no UTF-8 become
 * U+FFFD. Any thread; errors are those of the stream.
 */
#pragma once

#include <stdio.h>

/* Prints a text in quotation marks; NULL as an empty one. */
void dal_json_print(FILE *out, const char *text);

/* Prints it without quotation marks, for a string of several parts. */
void dal_json_print_text(FILE *out, const char *text);

/* Prints as fprintf() does, but %s is dal_json_print(), and %-s a text as it is. Of all others it
 * has %d and %u, with l, ll or z, and %.Nf with one digit N. */
void dal_json_format(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Pairs of texts, [["name","value"],...], within brackets of the caller's. */
struct dal_json_pairs {
    FILE *out;
    int count;
};

/* Prints a pair; its value is made as by dal_json_format(), but all of it is one string. */
void dal_json_pair(struct dal_json_pairs *pairs, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { DAL_JSON_MOST = 8 };

/* Escapes the first character of a text that is not empty, and moves the text behind it. Returns
 * the bytes in `to`. */
size_t dal_json_escape(const char **text, char to[DAL_JSON_MOST]);
