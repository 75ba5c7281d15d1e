#ifndef GENERATOR_H
#define GENERATOR_H

#include <dal.h>
#include "global.h"

#define PORT_OUT "out"

typedef struct _local_states {
    int index;
    int len;
} Generator_State;

int generator_init(DALProcess *);
int generator_fire(DALProcess *);
int generator_finish(DALProcess *);

#endif
