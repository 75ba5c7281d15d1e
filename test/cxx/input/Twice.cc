#define STEP 100
#include "dal.h"
#include "inc/step.hpp"

extern "C" int helper(int value);
int table(int value);

struct _local_states {
    Filter *filter;
};

extern "C" {

void Twice_init(DALProcess *p)
{
    p->local->filter = new Filter;
}

int Twice_fire(DALProcess *p)
{
    int value;
    if (DAL_READ_TOKEN(in, &value, p) < 0)
        return 1;
    value = helper(value) + table(value) + p->local->filter->next();
    return DAL_WRITE_TOKEN(out, &value, p) < 0;
}

void Twice_finish(DALProcess *p)
{
    delete p->local->filter;
}

}
