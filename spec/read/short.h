/*
 * The short form of a network's elements, made the long one in the tree of the document, before
 * anything is read of it.
 *
 * A <process name="A[i]" source="a.c a.cl" cflags="-O2"> gets an <append function="i"/>, and a
 * <source> for each word, of the type that its ending tells, with the attributes of the process
 * that are of sources.
 *
 * Of a <channel from="A[i].out" to="B.in[i]" name="c[i]" tokensize="4" blocks="8"/> there become an
 * <sw_channel>, its two connections, and the ports of A and B unless these have them. Left out, its
 * name is "A.out-B.in" with the variables of the iterators around it. `type` is the `tokentype`.
 * `ports` and `connections` have two names each: of the sw_channel's ports ("in out"), and of its
 * connections ("A_c c_B").
 *
 * What comes of a short element has its line. One thread.
 */
#ifndef DAL_SPEC_READ_SHORT_H
#define DAL_SPEC_READ_SHORT_H

#include "spec/read/xml.h"

/* Makes a tree long, which fits the schema. Returns DAL_OK; DAL_ERR_INVALID after errors in diags,
 * with the tree fit for nothing but xmlFreeDoc(); or DAL_ERR_NOMEM. */
int dal__short_expand(struct dal_diags *diags, xmlNode *root);

/* Whether an attribute of a process with the attribute `source` goes to its sources. */
int dal__short_is_of_source(const char *attribute);

/* The type of a source by what its name ends in; NULL where that says nothing. */
const char *dal__short_source_type(const char *location);

/* Marks of elements that short.c has made, in xmlNode.extra. */
enum { DAL__SHORT_MADE = 1 };

#endif
