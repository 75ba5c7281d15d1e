/* The files of libraries that a source is linked with. One thread. */
#pragma once

/* Calls `found` for each regular file that libs name, with the word that does: files among the
 * words, and -lNAME in a folder of a -L in front of it. The words of a file of options count as
 * well, and the file itself, with "@". Paths are seen from an absolute folder. Libraries that are
 * not there are left out. Returns DAL_OK, or DAL_ERR_NOMEM, or what `found` returns. */
int dal_libs_find(const char *libs, const char *folder,
                  int (*found)(void *of, const char *path, const char *word), void *of);
