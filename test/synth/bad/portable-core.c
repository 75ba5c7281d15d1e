#include "dal.h"
#include <time.h>

struct _local_states {
    int count;
};

void Middle_init(DALProcess *p)
{
    p->local->count = 1;
}

int Middle_fire(DALProcess *p)
{
    static int calls;
    int token;

    DAL_read(PORT_in, &token, sizeof(token), p);
    if (calls++ > 3)
        goto end;
    printf("%d\n", token);
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 0;
end:
    return 1;
}
