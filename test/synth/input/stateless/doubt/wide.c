/* 10 takes bytes for pointers, or pointers for bytes */
#include "dal.h"
struct token {
    int *at;
};
int wide_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += *((struct token *)(void *)&x)->at;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
