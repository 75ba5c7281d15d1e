/*
 * The short form of a network's elements, made the long one in the tree of the document, before
 * anything is read of it.
 *
 * A <process name="A[i]" source="a.c portable:b.c" cflags="-O2" cflags.portable=""> gets an <append
 * function="i"/>, and a <source> for each word, of the type in front of it or that its ending
 * tells, with the attributes of the process that are of sources: those of the type, else those of
 * all; an empty one is none. The words of `files` become <file> elements of sources in C and C++.
 *
 * Of a <channel from="A[i].out" to="B.in[i]" name="c[i]" tokensize="4" blocks="8"/> there become an
 * <sw_channel>, its two connections, and the ports of A and B unless these have them. Left out, its
 * name is "A.out-B.in" with the variables of the iterators around it. `type` is the `tokentype`.
 * `ports` and `connections` have two names each: of the sw_channel's ports ("in out"), and of its
 * connections ("A_c c_B").
 *
 * What comes of a short element has its line. One thread.
 */
#ifndef DAL_SPEC_DIALECTS_SHORT_SHORT_H
#define DAL_SPEC_DIALECTS_SHORT_SHORT_H

#include "spec/read/xml.h"

/* Makes a tree long, which fits the schema. Returns DAL_OK; DAL_ERR_INVALID after errors in diags,
 * with the tree fit for nothing but xmlFreeDoc(); or DAL_ERR_NOMEM. */
int dal__short_expand(struct dal_diags *diags, xmlNode *root);

/* ---- sources (short_sources.c). Types and attributes of sources go by numbers. ---- */

enum { DAL__SOURCE_TYPES = 5, DAL__SOURCE_ATTRIBUTES = 7 };
enum { DAL__SOURCE_FILES = 0 }; /* the attribute that becomes <file> elements */

/* "c", "c++", "opencl", "portable". */
const char *dal__short_type(int type);
/* A type by that name; -1 for another. */
int dal__short_find_type(const char *name, size_t length);
/* The type of a source by what its name ends in; -1 where that says nothing. */
int dal__short_type_of(const char *location);
/* An attribute that a process has for its sources, and whether one of a type has it. */
const char *dal__short_attribute(int attribute);
int dal__short_fits(int attribute, int type);
/* The same for those of one type alone, "cflags.opencl", in `name`. */
const char *dal__short_of_type(int attribute, int type, char name[64]);

/* Marks of elements that short.c has made, in xmlNode.extra. */
enum { DAL__SHORT_MADE = 1 };

#endif
