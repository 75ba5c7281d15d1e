/* Elements of a document that is in memory. Internal to spec. One thread. */
#pragma once

#include "spec/base/diag.h"

#include <libxml/tree.h>

/* Returns the file and line at which an element of such a document starts, or a text that is more
 * than white space. */
struct dal_spec_place dal__xml_place(const xmlNode *element);

/* Is it an element of this name? */
int dal__xml_is(const xmlNode *node, const char *name);

/* Returns the next element at or behind `node`, NULL at the end. */
xmlNode *dal__xml_element(xmlNode *node);

/* Returns the next node in the order of the document, below `root`; NULL at the end. Of a node that
 * is no element it skips what is within. */
xmlNode *dal__xml_next(const xmlNode *root, xmlNode *node);

/* Does a node below `root` stand in it directly, or in iterators alone? */
int dal__xml_is_of(const xmlNode *node, const xmlNode *root);

/* Returns the next element of a kind at or behind `node`, NULL without one. */
xmlNode *dal__xml_find(xmlNode *node, const char *kind);
/* Returns the first element of a kind within another, NULL without one. */
xmlNode *dal__xml_child(const xmlNode *parent, const char *kind);

/* Puts a node behind one of an element's, or in front of all of them if `behind` is NULL. */
void dal__xml_put_behind(xmlNode *parent, xmlNode *behind, xmlNode *node);
/* Takes a node out of its document, and frees it. */
void dal__xml_remove(xmlNode *node);

#define DAL__XML_EACH(child, parent)                                                               \
    for (xmlNode *child = dal__xml_element((parent)->children); child;                             \
         child = dal__xml_element(child->next))

/* Returns the text of an attribute without a namespace, which lives as long as that; NULL without.
 */
const char *dal__xml_get(const xmlNode *element, const char *attribute);

/* Returns whether an attribute is there and has this value. */
int dal__xml_has(const xmlNode *element, const char *attribute, const char *value);

/* Returns whether `text` is a true xs:boolean, which may have white space around it. NULL is not.
 */
int dal__xml_is_true(const char *text);
