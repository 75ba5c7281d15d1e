/* What all have: a firing, counted from 0, in which a bit of the token is wrong. */
#pragma once

#include "dal.h"

struct wrong {
    long firing, now;
};

static void be_wrong(struct wrong *wrong, void *token, DALProcess *p)
{
    if (wrong->now == 0)
        DAL_getParameterInt("wrong", &wrong->firing, p);
    if (wrong->now++ == wrong->firing)
        *(unsigned char *)token ^= 1;
}
