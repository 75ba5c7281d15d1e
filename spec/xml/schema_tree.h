/*
 * A schema as a tree, for what reads it (schema.h). Remarks are gone from it, and groups of
 * attributes stand where they are referred to. One thread.
 */
#pragma once

#include <libxml/tree.h>

/* In the trees, _private of a declaration leads to its type, of a pattern to what was compiled of
 * it. */
struct dal__schema {
    xmlDoc *documents[2]; /* the root's own file, and the types of all */
    int lost;             /* memory was exhausted */
};

/* Returns an attribute of a node of the tree, or NULL. */
const char *dal__schema_get(const xmlNode *node, const char *name);
/* Returns the definition of this name; the length stands for words within a list. */
xmlNode *dal__schema_find(const struct dal__schema *schema, const char *kind, const char *name,
                          size_t length);
/* Returns the type of an element or attribute: the one that is named, or the one within. NULL for a
 * type of XML Schema itself. */
const xmlNode *dal__schema_type(const struct dal__schema *schema, xmlNode *declaration,
                                const char *kind);

/* Returns the next attribute of a type, at or behind a declaration; NULL at the end. */
xmlNode *dal__schema_attribute(xmlNode *declaration);
#define DAL__SCHEMA_EACH(declaration, type)                                                        \
    for (xmlNode *declaration = dal__schema_attribute((type)->children); declaration;              \
         declaration = dal__schema_attribute(declaration->next))

/* The problem of a value or a content, in words. */
struct dal__fault {
    char text[600];
};

/* Does a value fit the type of an attribute? Otherwise the fault tells why not. With `any_names`,
 * names are as in DOL's dialect. */
int dal__schema_fits(struct dal__schema *schema, xmlNode *declaration, int any_names,
                     const char *value, struct dal__fault *fault);
