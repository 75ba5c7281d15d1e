#include "dal.h"

void Middle_fire(int *p)
{
    *p = 0;
}
