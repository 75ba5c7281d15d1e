/* The same token, again and again. */
#include "dal.h"

struct _local_states {
    unsigned token;
};

int latest_fire(DALProcess *p)
{
    p->local->token = 2654435769u;
    DAL_write(PORT_latest, &p->local->token, 4, p);
    return 0;
}
