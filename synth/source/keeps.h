/*
 * Does a C source keep the p of its fire where later calls could find it: in a variable, in a
 * structure, or through a function that is not its own? If not, fire can be compiled with a p of
 * its own for every firing (include/net.h, dal_unit_run).
 *
 * Found in the tokens, so the answer is "perhaps" wherever a p is not just p->local, compared, or
 * an argument, where it is a DALProcess * again, of a function that is defined here, or of one of
 * dal.h.
 */
#ifndef DAL_SYNTH_SOURCE_KEEPS_H
#define DAL_SYNTH_SOURCE_KEEPS_H

#include <stddef.h>

/* A file of a source: its text, which need not end in a zero. */
struct dal_source_file {
    char *path, *data;
    size_t length;
};

/* The answer for a source and the files that it includes with quotes: 0, or 1 for "perhaps", also
 * when memory is exhausted. The files are not changed. Any thread. */
int dal_keeps_p(const struct dal_source_file *files, size_t count);

#endif
