/* Process Last: last.c, and the loop around its firing. Made by dalsynth from chain.xml,
 * rack.xml and solo.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "right_Last.h"
#include <dal_unit.h>
#define DAL_UNIT_LOOP
#include "right_Last.h"
#undef DAL_UNIT_LOOP
#undef DAL_UNIT_FRONT

#include "last.c"
