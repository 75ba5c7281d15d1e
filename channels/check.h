/*
 * Checks a channel after each change of its fill, in builds with --enable-checking, which the
 * project's own tests use. The fill is never below 0, and never above the capacity. If it is, the
 * check reports that and aborts the program.
 */
#pragma once

struct dal_end;

#ifdef DAL_CHECKING
enum { DAL_IS_CHECKING = 1 };
/* Called after an end has made something visible. The owner's thread. */
void dal__end_check(const struct dal_end *end);
#else
enum { DAL_IS_CHECKING = 0 };
static inline void dal__end_check(const struct dal_end *end)
{
    (void)end;
}
#endif
