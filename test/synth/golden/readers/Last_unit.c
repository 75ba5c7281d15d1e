/* Process Last: gather.c, and the loop around its firing. Made by dalsynth from fan.xml,
 * rack.xml and readers.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Last.h"
#include <dal_unit.h>
#define DAL_UNIT_LOOP
#include "Last.h"
#undef DAL_UNIT_LOOP
#undef DAL_UNIT_FRONT

#include "gather.c"
