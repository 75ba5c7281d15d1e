/* Process First: first.c, and the loop around its firing. Made by dalsynth from stripes.xml,
 * machine.xml and both.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "First.h"
#include <dal_unit.h>
#define DAL_UNIT_LOOP
#include "First.h"
#undef DAL_UNIT_LOOP
#undef DAL_UNIT_FRONT

#include "first.c"

dal__state dal__unit_state = {sizeof(struct _local_states), __alignof__(struct _local_states)};
