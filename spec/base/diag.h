/*
 * Diagnostics: everything a user is told about a specification, in gcc's form
 *
 *     file:line: error: [code] message
 *     file:line:column: error: [code] message
 *
 * They are collected. So all problems of a run are reported, in the order of file and line, and
 * tests can look at them. Codes are stable and never reused. HACKING.md's rule is that a new one
 * goes at the end of the list. One thread.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* A place in a specification. `file` is the name the user gave, owned by the struct dal_diags
 * (dal_diag_file). Line 0 means the file as a whole, column 0 the line. */
struct dal_spec_place {
    const char *file;
    int line, column;
};

enum dal_diag_level { DAL_DIAG_ERROR, DAL_DIAG_WARNING, DAL_DIAG_NOTE };

struct dal_diag {
    enum dal_diag_level level;
    struct dal_spec_place place;
    const char
        *code; /* a name of spec/base/codes.h, NULL for a note that belongs to the one before */
    char *message;
};

struct dal_diags {
    struct dal_diag *list;
    size_t count, room;
    size_t errors;
    int lost;             /* an allocation failed: counts as an error */
    char **files, **ways; /* the way to the file, where that is of a part; else NULL */
    size_t file_count, file_room, way_room;
};

void dal_diags_init(struct dal_diags *diags);
void dal_diags_finish(struct dal_diags *diags);

/* Returns a copy of `file` that lives as long as diags; NULL when memory is exhausted. */
const char *dal_diag_file(struct dal_diags *diags, const char *file);

/* As dal_diag_file(), for a file that is read as a part of another one. Messages of it end with the
 * way, "in Left.Eq of stereo.xml:4". Each call makes a name of its own. */
const char *dal_diag_part(struct dal_diags *diags, const char *file, const char *way);

/* Are no more entries kept? Errors are still counted. */
int dal_diags_are_full(const struct dal_diags *diags);

/* Is there an error of this line? */
int dal_diags_tell(const struct dal_diags *diags, struct dal_spec_place place);

/* Adds an error, a warning, or a note that explains the entry before it. The first returns
 * DAL_ERR_INVALID. */
int dal_error(struct dal_diags *diags, struct dal_spec_place place, const char *code,
              const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same, for functions that have such a list themselves. */
int dal_error_list(struct dal_diags *diags, struct dal_spec_place place, const char *code,
                   const char *format, va_list list) __attribute__((format(printf, 4, 0)));
void dal_warning(struct dal_diags *diags, struct dal_spec_place place, const char *code,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
void dal_note(struct dal_diags *diags, struct dal_spec_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a note that stands by itself. */
void dal_remark(struct dal_diags *diags, struct dal_spec_place place, const char *code,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Calls a function for each entry, ordered by file (in order of first mention) and line, notes
 * behind the entry they explain. One that was there already, with the same notes, is left out, as
 * of a file that two applications read. `way` leads to a part's file, NULL for others. */
void dal_diags_each(const struct dal_diags *diags,
                    void (*see)(const struct dal_diag *entry, const char *way, void *to), void *to);
/* Returns how many errors are counted, but not kept. */
size_t dal_diags_left_out(const struct dal_diags *diags);

/* Returns "error", "warning" or "note". */
const char *dal_diag_level_name(enum dal_diag_level level);

/* Prints all entries, in that order. Returns the number of errors, at least 1 when `lost`. */
size_t dal_diags_print(const struct dal_diags *diags, FILE *out);

/* Records that memory is exhausted; returns DAL_ERR_NOMEM. */
int dal__lost(struct dal_diags *diags);
