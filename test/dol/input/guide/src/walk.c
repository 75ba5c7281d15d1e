#include <dol.h>
#include <math.h>
#include <stdio.h>

#define PORT_IN   1
#define PORT_BACK 2
#define PORT_LOOP 3
#define PORT_OUT  4

struct Walk_State {
    int first, sum;
};

/* Reads the first number before any firing, and puts one into its own loop. */
void walk_init(DOLProcess *p)
{
    struct Walk_State *state = (struct Walk_State *)p->local;
    int zero = 0;
    DOL_read((void *)PORT_IN, &state->first, sizeof(state->first), p);
    DOL_write((void *)PORT_LOOP, &zero, sizeof(zero), p);
    printf("walk begins with %d\n", state->first);
}

int walk_fire(DOLProcess *p)
{
    int number, sum;
    double root;
    DOL_read((void *)PORT_IN, &number, sizeof(number), p);
    DOL_read((void *)PORT_BACK, &sum, sizeof(sum), p);
    sum += number * number;
    root = sqrt((double)sum);
    DOL_write((void *)PORT_LOOP, &sum, sizeof(sum), p);
    DOL_write((void *)PORT_OUT, &root, sizeof(root), p);
    return 0;
}
