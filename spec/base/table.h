/*
 * A table of text with aligned columns. One thread.
 */
#pragma once

#include "spec/base/text.h"

#include <stdio.h>

enum { DAL_TABLE_COLUMNS = 10 };

/* Prints and frees a text as a table. A cell ends with "\v", the last of each row with "\n"; there
 * are at most DAL_TABLE_COLUMNS in a row. Returns DAL_OK, or DAL_ERR_NOMEM for a text that is
 * lost. */
int dal_table_print(struct dal_text *table, FILE *out);

/* What a short cell says, by value. It is cut where it is longer. */
struct dal_cell {
    char text[80];
};
struct dal_cell dal_cell_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
