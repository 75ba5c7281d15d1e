#ifndef SCATTER_H
#define SCATTER_H

#include <dal.h>

#define PORT_IN  "in"
#define PORT_OUT "out"
#define N        3

typedef struct _local_states {
    int round;
} Scatter_State;

void scatter_init(DALProcess *);
int scatter_fire(DALProcess *);
void scatter_finish(DALProcess *);

#endif
