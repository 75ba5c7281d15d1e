/* Prints that numbers come, and at the end how many they were and a checksum of their sequence. */
#include <dal.h>
#include <stdio.h>

#include "print.h"

typedef struct _local_states {
    unsigned long count;
    uint64_t sum;
} Print_State;

int print_fire(DALProcess *p)
{
    uint32_t value;
    DAL_read(PORT_in, &value, sizeof(value), p);
    if (p->local->count++ == 0) {
        DAL_printf("the first number has come\n");
        fflush(stdout);
    }
    p->local->sum = p->local->sum * 31 + value;
    return 0;
}

void print_finish(DALProcess *p)
{
    DAL_printf("%lu numbers, checksum %016llx\n", p->local->count,
               (unsigned long long)p->local->sum);
}
