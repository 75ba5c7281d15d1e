#include "spec/base/table.h"

#include "rt/base/error.h"

#include <stdarg.h>
#include <string.h>

/* Goes through all cells: measures the columns, or prints them in these widths. */
static void walk_cells(const char *at, size_t *width, FILE *out)
{
    size_t column = 0, length;
    for (; *at; at += length + 1) {
        length = strcspn(at, "\v\n");
        if (out && at[length] == '\v')
            fprintf(out, "%-*.*s  ", (int)width[column], (int)length, at);
        else if (out)
            fprintf(out, "%.*s\n", (int)length, at);
        else if (length > width[column])
            width[column] = length;
        column = at[length] == '\v' && column + 1 < DAL_TABLE_COLUMNS ? column + 1 : 0;
    }
}

int dal_table_print(struct dal_text *table, FILE *out)
{
    size_t width[DAL_TABLE_COLUMNS] = {0};
    int status = table->lost ? DAL_ERR_NOMEM : DAL_OK;
    walk_cells(dal_text_get(table), width, NULL);
    if (!status)
        walk_cells(dal_text_get(table), width, out);
    dal_text_finish(table);
    return status;
}

struct dal_cell dal_cell_format(const char *format, ...)
{
    struct dal_cell cell;
    va_list list;
    va_start(list, format);
    vsnprintf(cell.text, sizeof(cell.text), format, list);
    va_end(list);
    return cell;
}
