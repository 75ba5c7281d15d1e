/*
 * Fields of the tables of C that are emitted, one a line behind `indent` spaces, and entries of
 * arrays that are indexed by name.
 */
#pragma once

#include "spec/base/diag.h"
#include "spec/base/text.h"

void dal__field_string(struct dal_text *text, int indent, const char *field, const char *value);
void dal__field_number(struct dal_text *text, int indent, const char *field, uint64_t value);
/* Adds a number that is not 0. */
void dal__field_given(struct dal_text *text, int indent, const char *field, uint64_t value);
void dal__field_symbol(struct dal_text *text, int indent, const char *field, const char *prefix,
                       const char *symbol);
/* Adds "work_shape", unless it is of one dimension. */
void dal__field_shape(struct dal_text *text, int indent, const uint32_t *shape);
/* The file is told as seen from the folder of `beside`; without folders where it is elsewhere. */
void dal__field_origin(struct dal_text *text, int indent, struct dal_spec_place place,
                       const char *beside);

void dal__entry_open(struct dal_text *text, const char *prefix, const char *symbol);
void dal__entry_close(struct dal_text *text);
