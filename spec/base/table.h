/*
 * A table of text with aligned columns. One thread.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

enum { DAL_TABLE_COLUMNS = 10 };

/* Cells row by row. It starts zeroed. */
struct dal_table {
    char **cells;
    size_t count, room;
    size_t columns;
    int lost; /* memory was exhausted */
};

/* Sets the first row, and with it how many columns there are, at most DAL_TABLE_COLUMNS. */
void dal_table_titles(struct dal_table *t, const char *const *titles, size_t count);
/* Adds the next cell; the table owns `text` from then on. NULL stands for exhausted memory. */
void dal_table_add(struct dal_table *t, char *text);
/* Prints and frees the table. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_table_print(struct dal_table *t, FILE *out);
