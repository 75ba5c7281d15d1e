/* What the stand-in driver and the code that its compiler makes share; read as C and as C++. */
#pragma once

struct standin_index {
    unsigned x, y, z;
};

/* How threads of a block meet; called by the thread that runs. */
struct standin_hooks {
    /* All threads of the block that have not ended. Returns how many had a predicate that is not 0.
     */
    int (*barrier)(int predicate);
    /* Those lanes of the warp. Returns the value of lane `from`, its own when that is none of them.
     */
    unsigned long long (*exchange)(unsigned mask, unsigned long long value, unsigned from);
    /* Those lanes; the mask of those that had a predicate that is not 0. */
    unsigned (*ballot)(unsigned mask, int predicate);
    /* Formats text to standard output. */
    int (*print)(const char *format, ...);
};

struct standin_item {
    struct standin_index thread, block, block_size, grid;
    unsigned lane;
    char *shared; /* dynamic */
    const struct standin_hooks *hooks;
};
