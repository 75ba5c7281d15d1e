/* Three firings, each with a number of its own, and a packet: of two numbers, but for the last
 * firing. What that does with its packet depends on `last`. */
#include "dal.h"

enum { SAYS_0, SAYS_1, SAYS_NONE, SAYS_ONLY, TAKES_BACK, DOES_NOTHING };

struct _local_states {
    int number;
    long last;
};

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("last", &p->local->last, p);
}

static void write_window(int number, DALProcess *p)
{
    int *found = DAL_WRITE_TOKENS(int, found, TOKEN_found_RATE, TOKEN_found_RATE, 0, p);
    for (int i = 0; i < TOKEN_found_RATE; i++)
        found[i] = 10 * number + i;
    DAL_write_end(PORT_found, found, p);
}

static void write_last(int number, long last, DALProcess *p)
{
    if (last == TAKES_BACK)
        DAL_write(PORT_found, &number, sizeof(number), p);
    else if (last <= SAYS_NONE)
        write_window(number, p);
    if (last != SAYS_NONE && last != DOES_NOTHING)
        DAL_set_count(PORT_found, last == SAYS_1, p);
}

int Source_fire(DALProcess *p)
{
    int number = ++p->local->number;
    DAL_write(PORT_number, &number, sizeof(number), p);
    if (number == 3) {
        write_last(number, p->local->last, p);
        return 1;
    }
    write_window(number, p);
    DAL_set_count(PORT_found, 2, p);
    return 0;
}
