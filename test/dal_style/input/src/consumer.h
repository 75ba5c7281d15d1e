#ifndef CONSUMER_H
#define CONSUMER_H

#include <dal.h>

#define PORT_IN "in"

typedef struct _local_states {
    char name[10];
    int count;
    float sum;
} Consumer_State;

void consumer_init(DALProcess *);
int consumer_fire(DALProcess *);
void consumer_finish(DALProcess *);

#endif
