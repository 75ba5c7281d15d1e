/*
 * Keys tell whether a measured time is of this source. A key is a digest of the source's text, its
 * other files, its compiler's options and the process's ports. It also covers the files that these
 * include from their own folders and those in the options, and the network's variables that any of
 * them mentions. A key stays the same when anything else of the network changes: names, capacities,
 * parameters, mappings. Files of the system, and those whose names are macros, are not covered. One
 * thread.
 */
#pragma once

#include "spec/model/model.h"

enum { DAL_KEY_TEXT = 33 }; /* hexadecimal digits, and a zero */

/* What a key is of. The sources of a program's cores also have what is in CPPFLAGS, CFLAGS and
 * CXXFLAGS of the environment; a program may have --guard. */
enum dal_key_of { DAL_KEY_OF_PROGRAM, DAL_KEY_OF_GUARDED, DAL_KEY_OF_SOURCES };

/* Remembers the last source, since processes of one source are often in a row. Zeroed at first. */
struct dal_key_maker {
    enum dal_key_of of; /* the caller's: stays */
    char *path;         /* of each of its files, a line each */
    const struct dal_spec_network *network;
    const struct dal_spec_process *process; /* whose variables the source saw */
    const char *options;                    /* the source's */
    int readable;
    unsigned char digest[32]; /* of the text and what it includes */
};

/* Makes the key of a process that runs a source of its own; it is empty when the source cannot be
 * read. DAL_OK or DAL_ERR_NOMEM. */
int dal_key_make(struct dal_key_maker *maker, const struct dal_spec_network *network,
                 const struct dal_spec_process *process, const struct dal_spec_source *source,
                 char text[DAL_KEY_TEXT]);
void dal_key_maker_finish(struct dal_key_maker *maker);
