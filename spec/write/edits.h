/* Edits that give elements of a network in its long form their short one. One thread. */
#pragma once

#include <libxml/tree.h>
#include <stddef.h>

/* Makes the edits that are wanted, in the order of the document, kind by kind, and counts all that
 * there are: fewer than the document has bytes. DAL_OK or DAL_ERR_NOMEM. */
int dal__edits_make(xmlNode *root, const unsigned char *wanted, size_t *count);
