/*
 * What must hold of every channel at any time, looked at in checking builds (configure
 * --enable-checking, which the project's own tests use): there is never less than nothing in it,
 * and never more than its capacity. What does not hold is reported, and the program aborts.
 */
#ifndef DAL_CHANNELS_CHECK_H
#define DAL_CHANNELS_CHECK_H

struct dal_end;

#ifdef DAL_CHECKING
enum { DAL_IS_CHECKING = 1 };
/* After an end has made something visible; the owner's thread. */
void dal__end_check(const struct dal_end *end);
#else
enum { DAL_IS_CHECKING = 0 };
static inline void dal__end_check(const struct dal_end *end)
{
    (void)end;
}
#endif

#endif
