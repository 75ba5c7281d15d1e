#ifndef BROKEN_H
#define BROKEN_H
int broken(;
#endif
