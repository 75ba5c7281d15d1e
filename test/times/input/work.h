/* A loop of so many steps that no compiler leaves out. */
#ifndef WORK_H
#define WORK_H

static inline unsigned work(unsigned value, int steps)
{
    volatile unsigned x = value;
    int i;
    for (i = 0; i < steps; i++)
        x = 1664525 * x + 1013904223;
    return x;
}

#endif
