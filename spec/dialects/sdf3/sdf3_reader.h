/*
 * Functions and state that the files that read SDF3's graphs share. Internal to spec/read. One
 * thread.
 */
#pragma once

#include "spec/base/names.h"
#include "spec/read/raw.h"
#include "spec/read/xml.h"

/* A sequence "3;1,2": phases that come once, and those of a cycle behind them. */
struct dal__sdf3_sequence {
    struct dal_spec_phases initial, cycle;
};

/* The initial phases of a process: of its times, and by port. */
struct dal__sdf3_initial {
    struct dal_spec_phases times, *ports;
};

struct dal__sdf3 {
    struct dal_diags *diags;
    struct dal_spec_network *network;
    const char *processor; /* whose times are wanted; NULL for each actor's default one */
    size_t without;        /* actors that have no such processor */
    struct dal_names actors, channels;
    struct dal__sdf3_initial *initial; /* by process */
    int begun;                         /* initial phases have been fired */
    int lost;                          /* memory is exhausted */
};

/* The longest name that is read. */
enum { DAL__SDF3_MOST_NAME = 90 };

/* Returns a name, as the file has it: actors, ports and channels have these until all is read. NULL
 * after an error. */
const char *dal__sdf3_text(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute);
/* Makes identifiers of all names. Where several would be equal, they get numbers: a_b, a_b_2.
 * Actors and channels share theirs here; in SDF3 they need not. */
void dal__sdf3_identify(struct dal__sdf3 *reader);
/* Reads a decimal number, `absent` when the attribute is not there. */
uint64_t dal__sdf3_number(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute,
                          uint64_t least, uint64_t most, uint64_t absent);
/* Reads a number, or a sequence such as "1,0,2" or "3*1,2", and returns the sum of its cycle.
 * `*read` has the entries of a sequence, for the caller to free; a number has none. Each entry is
 * from 0 to `most`, the sum of the cycle from `least` to `most`. */
uint64_t dal__sdf3_sequence(struct dal__sdf3 *reader, const xmlNode *element, const char *attribute,
                            uint64_t least, uint64_t most, struct dal__sdf3_sequence *read);

/* Reads <sdfProperties> or <csdfProperties>: times, token sizes, buffers, a throughput. */
void dal__sdf3_properties(struct dal__sdf3 *reader, const xmlNode *properties);

/*
 * Fires all initial phases, and of the others those that they need, within the sizes given. Tokens
 * and sequences are then those of the state behind them: from there on the graph has cycles alone.
 * Its period is the same: it does not depend on the finite part in front of it. Sizes that
 * suffice there may be too small for the initial phases. Returns whether there were any.
 * What cannot be executed is an error. Rates are not those of cycles yet.
 */
int dal__sdf3_begin(struct dal__sdf3 *reader);
void dal__sdf3_initial_finish(struct dal__sdf3 *reader);
