/*
 * A document in memory, every element with its line (spec/xml/node.h). One thread.
 */
#pragma once

#include "spec/base/diag.h"

#include <libxml/tree.h>

/* Loads the text of a file of at most 64 MiB, for dal_free(). It may be UTF-16, with zeros in it.
 * Returns DAL_OK, or an error, which is in diags. */
int dal__xml_load(struct dal_diags *diags, const char *file, char **text, size_t *bytes);
/* Parses a text that stands for a file's: well-formed and without a document type, but otherwise as
 * it was written. Bounds the memory and the time that it takes. The caller frees it with
 * xmlFreeDoc(); NULL with the reasons in diags. */
xmlDoc *dal__xml_parse(struct dal_diags *diags, const char *file, const char *text, size_t bytes);
