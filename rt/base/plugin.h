/* Loads libraries of dal that a program needs only for some requests. They lie beside libdal. */
#pragma once

/* Returns the symbol `name` of a library, or NULL. The log then says that `what` wants it, and
 * `why` it may be missing. The library stays loaded, since the next run may want it. Any thread. */
void *dal_plugin_find(const char *library, const char *name, const char *what, const char *why);
