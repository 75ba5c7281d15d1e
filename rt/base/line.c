#include "rt/base/line.h"

#include "rt/base/error.h"

#include <stddef.h>

void dal_line_add(struct dal_line *line, const char *words)
{
    while (*words && line->used + 1 < sizeof(line->text))
        line->text[line->used++] = *words++;
    line->text[line->used] = 0;
}

void dal_line_add_number(struct dal_line *line, uint64_t number, unsigned base)
{
    char digits[24], *at = digits + sizeof(digits) - 1;
    *at = 0;
    do
        *--at = "0123456789abcdef"[number % base];
    while ((number /= base) > 0);
    dal_line_add(line, base == 16 ? "0x" : "");
    dal_line_add(line, at);
}

void dal_line_tell_at(struct dal_line *line, const char *file, int number)
{
    dal_line_add(line, " (");
    dal_line_add(line, file);
    dal_line_add(line, ":");
    dal_line_add_number(line, (uint64_t)number, 10);
    dal_line_add(line, ")");
    dal_log_now((const char *const[]){line->text, NULL});
}
