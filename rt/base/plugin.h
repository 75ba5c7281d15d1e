/* Libraries of dal that a program wants only for what is asked of it: they lie where libdal does.
 */
#ifndef DAL_RT_BASE_PLUGIN_H
#define DAL_RT_BASE_PLUGIN_H

/* What a library has under a name. NULL, logged, with `what` wants it and `why` it may not be
 * there. It is not unloaded: the next run may want it, too. Any thread. */
void *dal__beside_find(const char *library, const char *name, const char *what, const char *why);

#endif
