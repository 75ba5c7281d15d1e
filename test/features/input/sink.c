/* What came of a pair: how many tokens, and a sum in which their order counts. Of newest tokens
 * that is time's affair, so it is told apart, and beside it the last token alone. */
#include "dal.h"

#include <stdint.h>

struct _local_states {
    uint64_t sum, tokens, last;
};

int sink_fire(DALProcess *p)
{
    unsigned token;
#ifdef DYNAMIC
    int i, count = 1;
#elif defined(COUNTED)
    int i, count = (int)DAL_count(PORT_in, p);
#else
    int i, count = TOKEN_in_RATE;
#endif
    for (i = 0; i < count; i++) {
        DAL_read(PORT_in, &token, 4, p);
        p->local->sum = (p->local->sum ^ token) * 1099511628211u;
        p->local->tokens++;
        p->local->last = token;
    }
    return 0;
}

void sink_finish(DALProcess *p)
{
#ifdef LAST
    DAL_printf("%s, last %08llx\nread by ", DAL_getParameter("name", p),
               (unsigned long long)p->local->last);
#endif
    DAL_printf("%s %llu %016llx\n", DAL_getParameter("name", p),
               (unsigned long long)p->local->tokens, (unsigned long long)p->local->sum);
}
