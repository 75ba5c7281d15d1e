#ifndef SCALE_H
#define SCALE_H

#include <dal.h>

#define PORT_in "in"
typedef float TOKEN_in_t;
#define TOKEN_in_RATE  (2)
#define BLOCK_in_SIZE  1
#define BLOCK_in_COUNT 2

#define PORT_out        "out"
#define TOKEN_out_t     float
#define TOKEN_out_RATE  (2)
#define BLOCK_out_SIZE  (1)
#define BLOCK_out_COUNT (2)

typedef struct _local_states {
    float factor;
} Local_States;

void scale_init(DALProcess *);
int scale_fire(DALProcess *);
void scale_finish(DALProcess *);

#endif
