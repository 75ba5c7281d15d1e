#ifndef INCLUDED_H
#define INCLUDED_H
int help(void)
{
    return nowhere;
}
#endif
