/* Process Source: source.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and cores.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Source.h"
#include <dal_unit.h>
#define DAL_UNIT_LOOP
#include "Source.h"
#undef DAL_UNIT_LOOP
#undef DAL_UNIT_FRONT

#include "source.c"

dal__state dal__unit_state = {sizeof(struct _local_states), __alignof__(struct _local_states)};
