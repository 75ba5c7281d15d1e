#include "rt/observe/told.h"

int dal__told_print(FILE *file, const struct dal_told *told, int section, const char *between)
{
    int i, count = 0;
    for (i = 0; i < told->count; i++) {
        const char *text = told->reports[i].texts[section];
        if (*text)
            fprintf(file, "%s%s", count++ ? between : "", text);
    }
    return count;
}
