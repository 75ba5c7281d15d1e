#include <dol.h>

typedef struct _local_states {
    int row, column;
} Cell_State;

void cell_init(DOLProcess *p)
{
    p->local->row = GETINDEX(0);
    p->local->column = GETINDEX(1);
}

int cell_fire(DOLProcess *p)
{
    int seed, west = 0, sum;
    DOL_read((void *)"seed", &seed, sizeof(seed), p);
    if (p->local->column > 0) {
        CREATEPORTVAR(port);
        CREATEPORT(port, "west", 0, 0);
        DOL_read((void *)port, &west, sizeof(west), p);
    }
    sum = west + seed * (p->local->row + 1);
    DOL_write((void *)"east", &sum, sizeof(sum), p);
    return 0;
}
