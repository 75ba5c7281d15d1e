/* The files of libraries that a source is linked with. One thread. */
#pragma once

/* Calls `found` for each regular file that libs name, with the word that does: files among the
 * words, and -lNAME or -l:FILE in a folder of a -L. Words behind -Wl and -Xlinker count as well,
 * and those of a file of options, and that file itself, with "@". Paths are seen from an absolute
 * folder. Libraries that are not there are left out. Returns DAL_OK, or DAL_ERR_NOMEM, or what
 * `found` returns. */
int dal_libs_find(const char *libs, const char *folder,
                  int (*found)(void *of, const char *path, const char *word), void *of);
