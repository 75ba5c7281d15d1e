/* Writes the tree of a network's document as text, always in one layout. One thread. */
#pragma once

#include "spec/xml/node.h"
#include "spec/xml/schema.h"

/* Drops the white space of a tree as it was parsed, but remembers one empty line in front of
 * elements and comments. */
void dal__tidy_space(xmlDoc *document);

/* Writes out what a long form may leave out (id of a source, type of an sw_channel), and puts
 * connections behind their channels. DAL_OK or DAL_ERR_NOMEM. */
int dal__tidy_network(xmlNode *root);

/* Returns the first or the second connection of an sw_channel: the element that leads to it, or
 * from it. It must be the next element or the one behind that; else NULL. */
xmlNode *dal__tidy_connection(xmlNode *channel, int number);

/* Returns the document as text, for dal_free(), with attributes in the order of the schema of
 * networks; NULL without memory. */
char *dal__tidy_text(const struct dal__schema *schema, xmlDoc *document);
