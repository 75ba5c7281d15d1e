/* Temporary files and folders. */
#pragma once

/*
 * Makes an empty folder that nobody else may use, in $TMPDIR, else in /tmp. The caller removes it,
 * and frees *name. DAL_OK; DAL_ERR_SYSTEM with errno set, when *name is what was tried; or
 * DAL_ERR_NOMEM, when it is NULL. Any thread.
 */
int dal_temporary_folder(char **name);

/* As above, for an empty file. Returns its descriptor, to be closed, or a code. */
int dal_temporary_file(char **name);
