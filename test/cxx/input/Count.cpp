#define STEP 1
#include "dal.h"
#include <step.hpp>

#include <stdexcept>

struct _local_states {
    Filter *filter;
    long limit, sent;
};

void Count_init(DALProcess *p)
{
    p->local->filter = new Filter;
    DAL_getParameterInt("limit", &p->local->limit, p);
}

int Count_fire(DALProcess *p)
{
    LocalState s = p->local;
    try {
        if (s->sent++ == s->limit)
            throw std::runtime_error("the end");
    } catch (const std::exception &) {
        return 1;
    }
    auto *out = static_cast<int *>(
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p));
    if (!out)
        return 1;
    *out = s->filter->next();
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Count_finish(DALProcess *p)
{
    delete p->local->filter;
}
