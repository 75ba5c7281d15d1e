/* Keeps the last messages of the whole program for its pages (DAL_VIEW, DAL_REPORT). Any thread. */
#ifndef DAL_RT_OBSERVE_LOG_TAIL_H
#define DAL_RT_OBSERVE_LOG_TAIL_H

#include <stdio.h>

/* Keeps messages from now on. */
void dal__log_tail_keep(void);

/* Prints [[number, "level", "text"], ...], the oldest first. */
void dal__log_tail_print(FILE *file);

#endif
