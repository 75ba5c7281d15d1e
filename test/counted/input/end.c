#include "dal.h"

#include "end.h"

int End_fire(DALProcess *p)
{
    size_t count = DAL_count(PORT_in, p);
    const unsigned *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, count, p);

    for (size_t i = 0; i < count; i++)
        add_pair(p->local, &in[2 * i]);
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void End_finish(DALProcess *p)
{
    DAL_printf("%llu tokens, checksum %016llx\n", (unsigned long long)p->local->tokens,
               (unsigned long long)p->local->checksum);
}
