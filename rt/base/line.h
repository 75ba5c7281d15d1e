/*
 * A message that is put together by calls that a signal's handler may make. What has no room is
 * left out.
 */
#pragma once

#include <stdint.h>

struct dal_line {
    char text[800];
    unsigned used;
};

void dal_line_add(struct dal_line *line, const char *words);
/* In base 10, or in base 16 with "0x" in front. */
void dal_line_add_number(struct dal_line *line, uint64_t number, unsigned base);

/* Adds where something stands in a file, and logs it all as an error (dal_log_now()). */
void dal_line_tell_at(struct dal_line *line, const char *file, int number);
