/* The page of dalview, around the JSON object of a picture (doc/inside.md, "Pictures"). */
#ifndef DAL_VIEW_PAGE_PAGE_H
#define DAL_VIEW_PAGE_PAGE_H

#include <stdio.h>

/* A page that needs nothing but itself; and, of a running network, who serves it. Any thread;
 * errors are those of the stream. */
void dal_page_write(FILE *file, const char *json);

#endif
