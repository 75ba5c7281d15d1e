/*
 * filter.h: the windows of a filter, for C and portable sources: what a firing reads, what it reads
 * in front of that once more, and what it writes. Include dal.h first.
 */
#ifndef RADIO_FILTER_H
#define RADIO_FILTER_H

struct filter {
    DAL_WINDOW const void *before, *in;
    DAL_WINDOW float *out;
};

static inline struct filter filter_begin(DALProcess *p)
{
    struct filter f;

    f.before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    f.in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    f.out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    return f;
}

static inline void filter_end(struct filter f, DALProcess *p)
{
    DAL_read_end(PORT_before, f.before, p);
    DAL_read_end(PORT_in, f.in, p);
    DAL_write_end(PORT_out, f.out, p);
}

#endif
