/* Process Lane: forward.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Lane.h"
#include <dal_unit.h>
#define DAL_UNIT_LOOP
#include "Lane.h"
#undef DAL_UNIT_LOOP
#undef DAL_UNIT_FRONT

#include "forward.c"
