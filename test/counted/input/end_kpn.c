/* End, of which packets are none of its business: it reads tokens by ones, in threes, and in
 * pieces. */
#include "dal.h"

#include "end.h"

int End_fire(DALProcess *p)
{
    unsigned pair[2];

    DAL_read(PORT_in, pair, sizeof(pair), p);
    add_pair(p->local, pair);
    if (p->local->tokens % 7 == 0 && !DAL_at_end(PORT_in, p)) {
        const unsigned *one = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
        add_pair(p->local, one);
        DAL_read_end(PORT_in, one, p);
    }
    if (p->local->tokens % 101 == 5) {
        const unsigned *some = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 50, p);
        for (int i = 0; i < 50; i++)
            add_pair(p->local, &some[2 * i]);
        DAL_read_end(PORT_in, some, p);
    }
    while (p->local->tokens % 5 == 0 && DAL_rtest(PORT_in, 8, p) == 0)
        ;
    return 0;
}

void End_finish(DALProcess *p)
{
    DAL_printf("%llu tokens, checksum %016llx\n", (unsigned long long)p->local->tokens,
               (unsigned long long)p->local->checksum);
}
