/*
 * Where threads are is what the mapping says. Variables that make OpenMP bind threads (OMP_PLACES
 * and the like) would move the main thread as soon as its library is loaded, so that the machine
 * seems to have one core; and a worker at its first parallel region. They are taken out of the
 * environment, before any library has seen them, where libdal is a shared library.
 */
#ifndef DAL_RT_APP_PLACES_H
#define DAL_RT_APP_PLACES_H

/* Tells, as a note, which variables were taken out; nothing where there were none. Main thread. */
void dal_places_tell(void);

#endif
