/*
 * Wake and sleep in short, for models of what stands on it: as wake.pml has shown it to be. Thread
 * t sleeps at s. A model says SLEEPERS, beside what memory.pml wants.
 */
#include "rt/base/memory.pml"

bit waiting[SLEEPERS], woken[SLEEPERS];

/* With the fence: all that its thread has stored is in the memory. */
inline prepare(thread, s)
{
    atomic { stores[thread].count == 0; woken[s] = 0; waiting[s] = 1 }
}

inline cancel(s)
{
    waiting[s] = 0
}

inline sleep(s)
{
    atomic { woken[s]; waiting[s] = 0 }
}

/* `was`: did it wait? */
inline signal(thread, s, was)
{
    atomic {
        stores[thread].strict == 0;
        was = waiting[s];
        waiting[s] = 0;
        woken[s] = woken[s] | was
    }
}
