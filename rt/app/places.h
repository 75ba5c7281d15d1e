/*
 * The mapping alone says where threads run. Some variables make OpenMP bind threads (OMP_PLACES and
 * the like). They would move the main thread as soon as its library is loaded, so that the machine
 * seems to have one core. They would also move a worker at its first parallel region. If libdal is
 * a shared library, they are taken out of the environment before any library has seen them.
 */
#pragma once

/* Logs, as a note, which variables were taken out. Main thread. */
void dal_places_tell(void);
