/*
 * Tap: stands in a channel, passes tokens on and keeps a copy of the stream in a file.
 *
 * Parameters: `file`; `delay`, the longest pause before a firing in microseconds; `fault`, for
 * tests of the test, damages the third firing: "swap" exchanges its first two tokens, "drop" loses
 * the first and repeats the last.
 */
#include "dal.h"

#include <stdlib.h>
#include <unistd.h>

struct _local_states {
    FILE *file;
    long delay;
    unsigned dice;
    int fault, firing;
};

enum { NO_FAULT, SWAP, DROP };

void tap_init(DALProcess *p)
{
    const char *fault = DAL_getParameter("fault", p);

    p->local->file = fopen(DAL_getParameter("file", p), "wb");
    if (!p->local->file)
        DAL_fail(p, "no file");
    DAL_getParameterInt("delay", &p->local->delay, p);
    p->local->dice = 12345;
    p->local->fault = !strcmp(fault, "swap") ? SWAP : !strcmp(fault, "drop") ? DROP : NO_FAULT;
}

static void damage(unsigned char *window, int fault)
{
    unsigned char first[TOKEN_in_SIZE];

    if (TOKEN_in_RATE < 2)
        return;
    memcpy(first, window, TOKEN_in_SIZE);
    if (fault == SWAP) {
        memcpy(window, window + TOKEN_in_SIZE, TOKEN_in_SIZE);
        memcpy(window + TOKEN_in_SIZE, first, TOKEN_in_SIZE);
    } else {
        memmove(window, window + TOKEN_in_SIZE, (size_t)TOKEN_in_SIZE * (TOKEN_in_RATE - 1));
    }
}

int tap_fire(DALProcess *p)
{
    size_t bytes = (size_t)TOKEN_in_SIZE * TOKEN_in_RATE;
    unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    unsigned char *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!in || !out)
        return 1;
    p->local->dice = p->local->dice * 1664525u + 1013904223u;
    if (p->local->delay > 0 && p->local->dice >> 29 == 0)
        usleep((useconds_t)(p->local->dice >> 8) % (useconds_t)p->local->delay);
    memcpy(out, in, bytes);
    if (p->local->fault && p->local->firing++ == 2)
        damage(out, p->local->fault);
    fwrite(out, 1, bytes, p->local->file);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void tap_finish(DALProcess *p)
{
    if (p->local->file && fclose(p->local->file))
        DAL_fail(p, "the file is not whole");
}
