#include "spec/base/table.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

void dal_table_add(struct dal_table *t, char *text)
{
    if (!text || dal_grow(&t->cells, t->count, &t->room, sizeof(char *))) {
        dal_free(text);
        t->lost = 1;
        return;
    }
    t->cells[t->count++] = text;
}

void dal_table_titles(struct dal_table *t, const char *const *titles, size_t count)
{
    t->columns = count;
    for (size_t i = 0; i < count; i++)
        dal_table_add(t, dal_strdup(titles[i]));
}

static void measure_columns(const struct dal_table *t, size_t *width)
{
    for (size_t i = 0; i < t->count; i++) {
        size_t length = strlen(t->cells[i]), column = i % t->columns;
        if (length > width[column])
            width[column] = length;
    }
}

int dal_table_print(struct dal_table *t, FILE *out)
{
    size_t i, width[DAL_TABLE_COLUMNS] = {0};
    int error = t->lost ? DAL_ERR_NOMEM : DAL_OK;
    measure_columns(t, width);
    for (i = 0; i < t->count; i++) {
        size_t column = i % t->columns;
        if (!error && column + 1 < t->columns)
            fprintf(out, "%-*s  ", (int)width[column], t->cells[i]);
        else if (!error)
            fprintf(out, "%s\n", t->cells[i]);
        dal_free(t->cells[i]);
    }
    dal_free(t->cells);
    return error;
}
