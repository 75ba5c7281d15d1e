#include "rt/observe/reports.h"

int dal__reports_have(const struct dal_reports *all, int section)
{
    for (int i = 0; i < all->count; i++)
        if (*all->list[i].texts[section])
            return 1;
    return 0;
}

void dal__reports_print(FILE *file, const struct dal_reports *all, int section, const char *between)
{
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        const char *text = all->list[i].texts[section];
        if (*text)
            fprintf(file, "%s%s", count++ ? between : "", text);
    }
}
