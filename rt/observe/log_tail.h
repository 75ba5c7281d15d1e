/* Keeps the last messages of the whole program for its pages (DAL_VIEW, DAL_REPORT). Any thread. */
#pragma once

#include <stdio.h>

/* Keeps messages from now on. */
void dal__log_tail_keep(void);

/* Prints [[number, "level", "text"], ...], the oldest first. */
void dal__log_tail_print(FILE *file);
