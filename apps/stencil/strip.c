/*
 * Strip: some rows of the field. The first firing makes them; each other one is a step, in which a
 * place gets an eighth of each neighbour's heat and keeps a half of its own. Heat is counted in
 * integers: what a place gives, its neighbours get, and what is left over it keeps. So none is
 * lost.
 */
#include "dal.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

enum { ROWS = VAR_rows, COLUMNS = VAR_columns, ROW_BYTES = COLUMNS * 8 };

struct _local_states {
    uint64_t now[ROWS + 2][COLUMNS], next[ROWS][COLUMNS]; /* with a neighbour's row at both ends */
    long number, steps, pause, fired;
};

void Strip_init(DALProcess *p)
{
    DAL_getParameterInt("number", &p->local->number, p);
    DAL_getParameterInt("steps", &p->local->steps, p);
    DAL_getParameterInt("pause", &p->local->pause, p);
}

/* Cold, with a hot place in each 37th. */
static void make_field(DALProcess *p)
{
    uint64_t place = (uint64_t)p->local->number * ROWS * COLUMNS;
    int r, c;
    for (r = 0; r < ROWS; r++)
        for (c = 0; c < COLUMNS; c++, place++)
            p->local->now[r + 1][c] = place % 37 == 0 ? (place + 1) * 1000003 : 0;
}

static void make_step(DALProcess *p)
{
    int r, c;
    for (r = 1; r <= ROWS; r++) {
        const uint64_t *above = p->local->now[r - 1], *here = p->local->now[r];
        const uint64_t *below = p->local->now[r + 1];
        for (c = 0; c < COLUMNS; c++) {
            int left = (c + COLUMNS - 1) % COLUMNS, right = (c + 1) % COLUMNS;
            p->local->next[r - 1][c] = here[c] - 4 * (here[c] / 8) + above[c] / 8 + below[c] / 8 +
                                       here[left] / 8 + here[right] / 8;
        }
    }
    memcpy(p->local->now[1], p->local->next, sizeof(p->local->next));
}

/* As if a step took so many microseconds more, on a core of its own. */
static void do_nothing(long microseconds)
{
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    if (microseconds > 0)
        nanosleep(&time, NULL);
}

static uint64_t sum_heat(DALProcess *p)
{
    uint64_t heat = 0;
    int r, c;
    for (r = 1; r <= ROWS; r++)
        for (c = 0; c < COLUMNS; c++)
            heat += p->local->now[r][c];
    return heat;
}

int Strip_fire(DALProcess *p)
{
    uint64_t heat;

    DAL_read("from_above", p->local->now[0], ROW_BYTES, p);
    DAL_read("from_below", p->local->now[ROWS + 1], ROW_BYTES, p);
    if (p->local->fired == 0)
        make_field(p);
    else
        make_step(p);
    do_nothing(p->local->pause);
    heat = sum_heat(p);
    DAL_write("to_above", p->local->now[1], ROW_BYTES, p);
    DAL_write("to_below", p->local->now[ROWS], ROW_BYTES, p);
    DAL_write("heat", &heat, sizeof(heat), p);
    return ++p->local->fired > p->local->steps;
}
