/*
 * Networks as text, in their long form and in their short one (spec/dialects/short/short.h).
 * Comments and order stay, but for connections, which stand behind their channel then. One thread.
 */
#pragma once

#include "spec/base/diag.h"

struct dal_spec_define;

/* Gives the network in a file with every element in its long form; *text is for dal_free(). Returns
 * DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problems of its form in diags. The meaning of
 * the network is not checked. */
int dal_network_expand(struct dal_diags *diags, const char *file, char **text);

/* Gives the flat network of a network with others within it: all processes and channels, with the
 * names that they have for mappings. Variables have the values of `defines`. Expressions are
 * numbers, iterators are gone, and so are remarks; each source gets its variables by cflags. *text
 * is NULL if there are neither networks within nor defines, or if the network has ports itself,
 * which takes no defines. Returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problems in
 * diags: the network is read for that, and its files must be there. */
int dal_network_flatten(struct dal_diags *diags, const char *file,
                        const struct dal_spec_define *defines, size_t define_count, char **text);

/* As dal_network_expand(), but gives each element its short form, if it has one. The long form of
 * this text is the same as that of the file. */
int dal_network_shorten(struct dal_diags *diags, const char *file, char **text);
