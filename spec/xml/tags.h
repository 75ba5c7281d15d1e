/*
 * Looks at the tags of a text of XML before libxml reads it. libxml compares each attribute of an
 * element with all before it, so its time grows with the square of their number. One thread.
 */
#pragma once

#include <stddef.h>

/* Returns the line, from 1, of the first tag with more than `most` attributes; 0 without one. The
 * text may be UTF-16, and need not be well-formed. */
int dal__tags_crowded(const char *text, size_t bytes, int most);
