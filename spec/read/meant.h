/*
 * Guesses which element or attribute was meant by one that a schema does not know in its place.
 */
#ifndef DAL_SPEC_READ_MEANT_H
#define DAL_SPEC_READ_MEANT_H

#include <stddef.h>

struct dal__hint;

/*
 * Puts "; did you mean 'NAME'?" into the hint, or "" where nothing is like it. `schema` is the text
 * of a schema, of so many bytes. `attribute` is looked for among the attributes that the schema has
 * for `element`. Without `attribute` (NULL), `element` is looked for among all elements. Returns
 * DAL_OK or DAL_ERR_NOMEM.
 */
int dal__xml_meant(struct dal__hint *hint, const char *schema, size_t bytes, const char *element,
                   const char *attribute);

#endif
