/*
 * The schemas of the four files (spec/schemas): which elements there are in which, which attributes
 * each has and in which order they are written, and what their values may be. They are read as they
 * are installed; nothing about elements and attributes stands anywhere else. Of XML Schema they use
 * sequences and choices of elements, required attributes, named and unnamed types, unions,
 * enumerations, patterns and lengths of strings, and xs:boolean. One thread.
 */
#pragma once

#include "spec/base/diag.h"

#include <libxml/tree.h>

struct dal__schema;

/* Returns whether there is a schema for files with this root element. */
int dal__schema_is_for(const char *root);
/* Opens it, for dal__schema_close(); NULL without memory. */
struct dal__schema *dal__schema_open(const char *root);
void dal__schema_close(struct dal__schema *schema);

/*
 * Checks a document against its schema. What is wrong is in diags: of each line the first fault,
 * with the name that was perhaps meant. Elements that are not foreseen are passed over with all
 * that is in them. With `any_names`, names may be any text, as for DOL. Returns DAL_OK,
 * DAL_ERR_INVALID or DAL_ERR_NOMEM.
 */
int dal__schema_check(struct dal__schema *schema, struct dal_diags *diags, const xmlNode *root,
                      int any_names);

/* Returns the type of the elements of this name, which lives as long as the schema; NULL for
 * unknown ones. */
const xmlNode *dal__schema_element(const struct dal__schema *schema, const char *name);
/* Returns where an attribute of such elements stands when it is written: it is 0 for the first, and
 * more than all others for one that the schema does not know. */
int dal__schema_rank(const xmlNode *type, const char *attribute);
