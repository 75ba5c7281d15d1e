#include "dal.h"
#include "kinds.h"

int Move_fire(DALProcess *p)
{
    struct place place;
    DAL_READ_TOKEN(in, &place, p);
    place.x += place.number;
    DAL_WRITE_TOKEN(out, &place, p);
    return 0;
}
