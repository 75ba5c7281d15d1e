/* Process Join: join.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Join.h"
#include <dal_unit.h>
#define DAL_UNIT_LOOP
#include "Join.h"
#undef DAL_UNIT_LOOP
#undef DAL_UNIT_FRONT

#include "join.c"
