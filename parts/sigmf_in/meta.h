/* What a meta file of SigMF says about its samples. */
#ifndef META_H
#define META_H

#include <stddef.h>
#include <stdint.h>

struct meta {
    char type[16];   /* core:datatype */
    double rate;     /* core:sample_rate; 0: it does not say */
    uint64_t offset; /* core:offset: of its first sample, in a recording that has been split */
    uint64_t reach;  /* samples behind that, that its captures and annotations speak of */
    char why[300];   /* of a refusal */
};

/* Reads a meta file's text. Returns 0; or -1, with the reason. */
int dal_part_read_meta(struct meta *meta, const char *text, size_t bytes);

#endif
