#include "dal.h"

static int (*Middle_fire)(DALProcess *p);
