#include "rt/observe/reports.h"

int dal__reports_print(FILE *file, const struct dal_reports *all, int section, const char *between)
{
    int i, count = 0;
    for (i = 0; i < all->count; i++) {
        const char *text = all->list[i].texts[section];
        if (*text)
            fprintf(file, "%s%s", count++ ? between : "", text);
    }
    return count;
}
