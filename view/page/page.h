/* Writes the page of dalview around the JSON object of a picture (doc/explanation/observing.md,
 * "Pictures"). */
#pragma once

#include <stdio.h>

/* Writes a page that needs nothing but itself, or, for a running network, its server. Any thread;
 * errors show in the stream. */
void dal_page_write(FILE *file, const char *json);
