/*
 * DOL's dialect of the files (Thiele et al. 2007), of which DAL's is what became: what makes a
 * document one of it, and what in it means nothing here. Internal to spec/read. One thread.
 *
 * A document is DOL's when its root element is in a namespace of DOL's schemas, ~shapes. A network
 * is also DOL's when a channel of it is a wfifo, or when one of its sources, or a file beside it
 * that it includes, includes dol.h; and an architecture, when it has memories or buses. In such a
 * document a name may be any text.
 *
 * In a network of DOL's in which no channel says a rate, each end blocks: it reads or writes any
 * number of bytes (network.c).
 */
#ifndef DAL_SPEC_DIALECTS_DOL_DIALECT_H
#define DAL_SPEC_DIALECTS_DOL_DIALECT_H

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

/* Where a network of DOL's keeps a source: in src beside `file`, or else beside it. The caller
 * frees it; NULL without memory. */
char *dal__dialect_source(const char *file, const char *location);

#endif
