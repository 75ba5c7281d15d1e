/*
 * Turns the short form of a network's elements into the long one, in the tree of the document,
 * before anything is read from it.
 *
 * <process name="A[i]" source="a.c portable:b.c" cflags="-O2" cflags.portable=""> gets an <append
 * function="i"/>, and a <source> for each word. The type of a source stands in front of its word,
 * or the ending of its name tells it. The source gets the process's attributes for sources: one for
 * its type (cflags.portable) goes before one for all types. An empty value leaves the attribute
 * out. The words of `files` become <file> elements of sources in C and C++.
 *
 * <channel from="A[i].out" to="B.in[i]" name="c[i]" tokensize="4" blocks="8"/> becomes an
 * <sw_channel>, its two connections, and the ports of A and B unless these have them. The default
 * name is "A.out-B.in" with the variables of the iterators around it. `type` is the `tokentype`.
 * `ports` and `connections` have two names each: of the sw_channel's ports ("in out"), and of its
 * connections ("A_c c_B").
 *
 * <network name="Eq" source="eq.xml" Band_0.gain="2"/> gets a <parameter name="Band_0.gain"
 * value="2"/>.
 *
 * All elements made from a short element have its line. One thread.
 */
#pragma once

#include "spec/xml/node.h"

/* The name of an <origin> or <target> that is a port of the network itself. */
#define DAL__SHORT_OWN "."

/* Makes a tree long, which fits the schema. Returns DAL_OK; DAL_ERR_INVALID after errors in diags:
 * sources, connections, and elements with names, that were refused are not in the tree then; or
 * DAL_ERR_NOMEM, with the tree fit for nothing but xmlFreeDoc(). */
int dal__short_expand(struct dal_diags *diags, xmlNode *root);

/* Returns "Dec[i]", the name with its indices as they are written, for dal_free(); NULL without
 * memory. Counts the indices. */
char *dal__short_written_name(const xmlNode *element, int *indices);

/* ---- sources (short_sources.c). Types and attributes of sources go by numbers. ---- */

enum { DAL__SOURCE_TYPES = 6, DAL__SOURCE_ATTRIBUTES = 7 };
enum { DAL__SOURCE_FILES = 0 }; /* the attribute that becomes <file> elements */

/* Returns "c", "c++", "opencl", "portable", "cuda" or "python". */
const char *dal__short_type(int type);
/* Returns the type of that name; -1 for another name. */
int dal__short_find_type(const char *name, size_t length);
/* Returns the type of a source by the ending of its name; -1 if that does not tell. */
int dal__short_type_of(const char *location);
/* Returns an attribute that a process has for its sources, and whether sources of a type have
 * it. */
const char *dal__short_attribute(int attribute);
int dal__short_fits(int attribute, int type);
/* Writes the attribute for sources of one type alone, such as "cflags.opencl", into `name`. */
const char *dal__short_of_type(int attribute, int type, char name[64]);
