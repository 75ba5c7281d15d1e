/*
 * Prints any text as a string of JSON (RFC 8259, 7). Bytes that are no ASCII stay as they are. Any
 * thread; errors are those of the stream.
 */
#pragma once

#include <stdio.h>

/* Prints the text in quotation marks. */
void dal_json_print(FILE *out, const char *text);

/* Prints it without quotation marks, for a string of several parts. */
void dal_json_print_text(FILE *out, const char *text);
