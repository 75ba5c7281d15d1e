/* Files by URI, as programs give them to each other (RFC 3986, RFC 8089). One thread. */
#pragma once

#include "spec/base/text.h"

/* Adds "file:///folder/name" for an absolute path, and a relative reference for another one. */
void dal_uri_add(struct dal_text *text, const char *path);

/* Returns the path of a URI of a file on this machine, for dal_free(). NULL for any other URI, for
 * one that is broken, and without memory. */
char *dal_uri_path(const char *uri);
