#pragma once
#pragma GCC system_header
static inline int parity(int x)
{
    static int n;
    return x + n++;
}
extern int prefetch(int x);
