/*
 * The files that belong together: a mapping names its network, and its machine is in its folder.
 * One thread.
 */
#pragma once

#include "synth/lsp/documents.h"
#include "synth/lsp/scan.h"

/* Returns the name of the root element of a text, or "". */
const char *dal_lsp_root(const char *text, size_t length, char root[64]);

/* Returns the path of the first file of XML in the folder of `path` with this root element, and
 * with this name where that is not NULL, for dal_free(). Documents stand for files. NULL without
 * one. */
char *dal_lsp_beside(const char *path, const char *root, const char *name);
/* The same, from the *at-th file on; *at is then behind what was found. */
char *dal_lsp_beside_next(const char *path, const char *root, const char *name, size_t *at);
/* The same for what belongs to a mapping at `path`: the network that it names, or an architecture.
 */
char *dal_lsp_of_mapping(const char *path, const struct dal_lsp_scan *mapping, const char *root);
