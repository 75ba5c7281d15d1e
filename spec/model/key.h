/*
 * Keys: whether a time that was measured is one of this source. A key is a digest of the source's
 * text, of its other files, of the files that these include by "" from their own folder and below,
 * of the network's variables that any of these mentions, of its compiler's options, and of the
 * process's ports. It stays as it is whatever else of the network changes: names, capacities,
 * parameters, mappings. What comes from a folder of the compiler's options is not seen. One thread.
 */
#ifndef DAL_SPEC_MODEL_KEY_H
#define DAL_SPEC_MODEL_KEY_H

#include "spec/model/model.h"

enum { DAL_KEY_TEXT = 33 }; /* hexadecimal digits, and a zero */

/* Remembers the last source, since processes of one source are often in a row. Zeroed at first. */
struct dal_key_maker {
    char *path; /* of each of its files, a line each */
    int readable;
    unsigned char digest[32]; /* of the text and what it includes */
};

/* The key of a process that runs a source of its own; empty when the source cannot be read. DAL_OK
 * or DAL_ERR_NOMEM. */
int dal_key_make(struct dal_key_maker *maker, const struct dal_spec_network *network,
                 const struct dal_spec_process *process, const struct dal_spec_source *source,
                 char text[DAL_KEY_TEXT]);
void dal_key_maker_finish(struct dal_key_maker *maker);

#endif
