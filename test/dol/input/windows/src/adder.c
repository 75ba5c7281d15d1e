/* A wfifo can be read as a fifo, too. */
#include <dol.h>
#include <stdio.h>

typedef struct _local_states {
    int count;
    long sum;
} Adder_State;

int adder_fire(DOLProcess *p)
{
    int number, *window;
    if (p->local->count % 2) {
        DOL_read((void *)1, &number, sizeof(number), p);
    } else {
        DOL_capture((void *)1, &window, sizeof(number), p);
        number = *window;
        DOL_consume((void *)1, p);
    }
    p->local->sum += number;
    if (++p->local->count == 100)
        printf("%d numbers, together %ld\n", p->local->count, p->local->sum);
    return 0;
}
