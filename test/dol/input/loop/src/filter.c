#include <dol.h>

typedef struct _local_states {
    int fired;
} Filter_State;

int filter_fire(DOLProcess *p)
{
    float a, b = 0;
    if (!p->local->fired++)
        DOL_write((void *)"outB", &b, sizeof(b), p);
    DOL_read((void *)"inA", &a, sizeof(a), p);
    DOL_read((void *)"inB", &b, sizeof(b), p);
    a += b / 2;
    DOL_write((void *)"outA", &a, sizeof(a), p);
    DOL_write((void *)"outB", &a, sizeof(a), p);
    return 0;
}
