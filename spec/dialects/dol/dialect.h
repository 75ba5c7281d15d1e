/*
 * DOL's dialect of the files (Thiele et al. 2007), from which DAL's grew: recognises a document of
 * it, and removes what has no meaning here. Internal to spec/read. One thread.
 *
 * A document is DOL's when its root element is in ~shapes, a namespace of DOL's schemas. A network
 * is also DOL's when a channel of it is a wfifo, or when a source includes dol.h. The source may do
 * so itself, or in a file beside it that it includes. An architecture is also DOL's when it has
 * memories or buses. In such a document a name may be any text.
 *
 * In a network of DOL's in which no channel has a rate, both ends of each channel block: they read
 * or write any number of bytes (network.c).
 */
#pragma once

#include "spec/base/diag.h"

#include <libxml/tree.h>

/* Is the document, which was read from `file`, of DOL's dialect? Before its namespaces are gone.
 * Without memory, diags are lost. */
int dal__dialect_is_dol(struct dal_diags *diags, xmlNode *root, const char *file);

/* Is its root element in DAL's own namespace, ~euretile? Names are any text there as well: what
 * writes such networks counts their ports from 0. */
int dal__dialect_any_names(const xmlNode *root);

/*
 * Takes out of any document what only DOL's tools know: settings (configuration), Java (function),
 * bindings of channels, schedules, memories, buses and paths. A warning a kind says what is gone. A
 * wfifo becomes a fifo, since both are the same here.
 */
void dal__dialect_prune(struct dal_diags *diags, xmlNode *root);

/* Undoes, at one element, what DOL's tools do when they flatten a file: basename and range of it
 * are gone, and a process is named as it was, with its indices. An error in diags where they
 * contradict each other. */
void dal__flattened_fold(struct dal_diags *diags, xmlNode *element);

/* Finds a source of a network of DOL's: the file in src beside `file`, or else the one beside
 * `file`. The caller frees the path; NULL without memory. */
char *dal__dialect_source(const char *file, const char *location);
