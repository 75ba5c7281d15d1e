#include "dal.h"

struct _local_states {
    unsigned sent;
};

int source_fire(DALProcess *p)
{
    unsigned number = p->local->sent++;
    DAL_WRITE_TOKEN(out, &number, p);
    return p->local->sent == VAR_tokens;
}
