/*
 * Any text, as it stands in a string of JSON (RFC 8259, 7). What is no ASCII stays as it is. Any
 * thread; errors are those of the stream.
 */
#ifndef DAL_RT_BASE_JSON_H
#define DAL_RT_BASE_JSON_H

#include <stdio.h>

/* In quotation marks. */
void dal_json_print(FILE *out, const char *text);

/* Without, for a string of several parts. */
void dal_json_print_text(FILE *out, const char *text);

#endif
