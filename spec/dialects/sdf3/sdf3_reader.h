/*
 * Functions and state that the files that read SDF3's graphs share. Internal to spec/read. One
 * thread.
 */
#pragma once

#include "spec/base/names.h"
#include "spec/read/raw.h"
#include "spec/read/xml.h"

struct dal__sdf3 {
    struct dal_diags *diags;
    struct dal_spec_network *network;
    const char *processor; /* whose times are wanted; NULL for each actor's default one */
    size_t without;        /* actors that have no such processor */
    struct dal_names actors, channels;
    int lost; /* memory is exhausted */
};

/* Makes a name of ours from an attribute; NULL after an error. The caller frees it. */
char *dal__sdf3_name(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute);
/* Reads a decimal number, `absent` when the attribute is not there. */
uint64_t dal__sdf3_number(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute,
                          uint64_t least, uint64_t most, uint64_t absent);
/* Reads a number, or a sequence such as "1,0,2" or "3*1,2", and returns its sum. `*phases` are the
 * entries of a sequence, for the caller to free; a number has none, and so has an error. Each entry
 * is from 0 to `most`, the sum from `least` to `most`. */
uint64_t dal__sdf3_sequence(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute,
                            uint64_t least, uint64_t most, struct dal_spec_phases *phases);

/* Reads <sdfProperties> or <csdfProperties>: times, token sizes, buffers, a throughput. */
void dal__sdf3_properties(struct dal__sdf3 *reader, const xmlNode *properties);
