/* The verb dal diff: the first token in which two folders of recordings differ. */
#pragma once

#include "synth/command/request.h"

/* Exit statuses, as those of diff. */
enum { DAL_DIFF_SAME, DAL_DIFF_DIFFERENT, DAL_DIFF_TROUBLE };

/* Returns one of them; trouble, that the recordings cannot be compared, is told. */
int dal_verb_diff(struct dal_request *request);

/* Compares two folders, which have these names in what is printed. */
int dal_diff(struct dal_request *request, const char *const folders[2], const char *const names[2]);
