/*
 * Reads files that a user names: specifications, sources, initial tokens. Only regular files are
 * read. So nothing waits for a named pipe or a terminal, and no endless file fills the memory.
 */
#pragma once

#include <stddef.h>

/* Reads a whole file, with a NUL behind it, to be freed by the caller; *data is NULL on failure.
 * Returns DAL_OK, DAL_ERR_IO with the reason in *why (a static string, or strerror's),
 * DAL_ERR_LIMIT when it has more than `most` bytes, or DAL_ERR_NOMEM. */
int dal_file_read(const char *path, size_t most, char **data, size_t *length, const char **why);

struct dal_text;
/* From here on, dal_file_read() adds the path of each file that it has read to a text, a line each,
 * perhaps several times. NULL ends that. */
void dal_files_note(struct dal_text *paths);

/* From here on, dal_file_read() asks first whether a text stands for that of the file: `text` gives
 * it, with its length, or NULL. The text stays the caller's. NULL ends that. */
void dal_files_replace(const char *(*text)(const char *path, size_t *length));
/* Returns that text of a path, or NULL. */
const char *dal_file_replaced(const char *path, size_t *length);

/* Returns NULL when there is a regular file that can be read; otherwise why it cannot, as above. */
const char *dal_file_fault(const char *path);

/* As dal_file_fault(), for a folder in which files can be found. */
const char *dal_folder_fault(const char *path);

/* Returns `location` as seen from the folder of `file`; NULL without memory. */
char *dal__beside(const char *file, const char *location);

/* Adds the words of options, for dal_text_next_word(), with those of a file in place of @FILE. Such
 * a file is seen from the folder of `file`, and read once; `files` is a list of their paths. */
void dal_file_options(struct dal_text *words, const char *options, const char *file,
                      struct dal_text *files);
