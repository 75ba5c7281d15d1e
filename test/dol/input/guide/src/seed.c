#include <dol.h>
#include <stdio.h>

#define PORT_OUT 1

/* Longer than one number would be, so that too little memory for it shows. */
typedef struct {
    int count;
    char far_away[4000];
} Seed_State;

/* More than the channel holds: the others go on meanwhile. */
void seed_init(DOLProcess *p)
{
    Seed_State *state = (Seed_State *)p->local;
    int i;
    printf("seed begins\n");
    state->far_away[3999] = 1;
    for (i = 1; i <= 3; i++)
        DOL_write((void *)PORT_OUT, &i, sizeof(i), p);
    state->count = 3;
}

int seed_fire(DOLProcess *p)
{
    Seed_State *state = (Seed_State *)p->local;
    int number = ++state->count;
    DOL_write((void *)PORT_OUT, &number, sizeof(number), p);
    if (state->count == 5 && state->far_away[3999] == 1)
        DOL_detach(p);
    return 0;
}
