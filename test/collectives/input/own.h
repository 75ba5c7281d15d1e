/*
 * What a source of its own could have for dal_collectives.h, in C and in OpenCL C: an operation
 * that is a function, one of a type of its own whose operands may not change places, and what is
 * voted on.
 */

#ifndef OWN_H
#define OWN_H

static inline dal_uint common(dal_uint a, dal_uint b)
{
    while (b > 0) {
        dal_uint rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Multiplies by a factor, then adds. One line after another is a line, too. */
typedef struct {
    dal_uint factor, added;
} line;
DAL_COLLECTIVE_TYPE(line);

static inline line line_of(int factor)
{
    line new;
    new.factor = (dal_uint)factor;
    new.added = 0;
    return new;
}

static inline line after(line a, line b)
{
    line both;
    both.factor = b.factor * a.factor;
    both.added = b.factor * a.added + b.added;
    return both;
}

#define is_marked(x) ((x) > 5)
DAL_COLLECTIVE_VOTE(int, is_marked);

#endif
