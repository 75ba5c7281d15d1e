/*
 * Networks as text, in their long form and in their short one (spec/dialects/short/short.h).
 * Comments and order stay, but for connections, which stand behind their channel then. One thread.
 */
#ifndef DAL_SPEC_WRITE_SHORT_H
#define DAL_SPEC_WRITE_SHORT_H

#include "spec/base/diag.h"

/* The network in a file with every element in its long form; *text is for dal_free(). Returns
 * DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problems of its form in diags: what the
 * network means is not looked at. */
int dal_network_expand(struct dal_diags *diags, const char *file, char **text);

/* The same with every element in its short form that has one. What dal_network_expand() makes of
 * that is what it makes of the file. */
int dal_network_shorten(struct dal_diags *diags, const char *file, char **text);

#endif
