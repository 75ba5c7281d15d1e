/*
 * Parts that are installed with dal: source="dal:NAME.xml" is NAME/NAME.xml in the folder that the
 * variable DAL_PARTS of the environment names, or in share/dal/parts. One thread.
 */
#pragma once

#include "spec/base/diag.h"

/* Returns the folder of all parts; not owned. */
const char *dal__installed_folder(void);

/* Does a source name an installed part? */
int dal__is_installed(const char *source);

/* Returns the path of an installed part, which the caller frees. NULL after an error in diags, at
 * `place`. */
char *dal__installed_path(struct dal_diags *diags, struct dal_spec_place place, const char *source);

struct dal_text;
/* Adds the names of all installed parts, in alphabetical order, a line each. Returns NULL, or the
 * reason why the folder cannot be read (a static string, or strerror's). */
const char *dal__installed_names(struct dal_text *names);
