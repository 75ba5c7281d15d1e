/*
 * What the readers of a network file share: network.c has the file, variables and connections,
 * process.c the processes, channel.c the channels, duration.c what the network says of time. One
 * thread, one file at a time.
 */
#ifndef DAL_SPEC_READ_NETWORK_H
#define DAL_SPEC_READ_NETWORK_H

#include "spec/read/raw.h"
#include "spec/read/xml.h"

/* What pkg-config said last; NULL where it was not asked, or failed. */
struct dal__packages {
    char *names, *cflags, *libs;
};

/* A network that is being read. */
struct dal__network_state {
    struct dal_spec_network *network;
    struct dal__raw *raw;
    const struct dal_spec_define *defines;
    size_t define_count;
    uint64_t data_bytes; /* initial tokens so far */
    struct dal__packages packages;
};

/* An error that has been reported does not end the reading; exhausted memory and limits do. */
int dal__fatal(int status);

/* What an element may have at most, in words: "process 'x' has more than 64 sources". */
struct dal__limit {
    const char *element, *name, *things;
    size_t most;
};

/* Room for one more of `count` things that are listed in it, as dal__extend() makes it: DAL_OK, or
 * DAL_ERR_LIMIT or DAL_ERR_NOMEM after an error in diags, told of `place`. */
int dal__one_more(struct dal__reader *reader, const xmlNode *place, const struct dal__limit *limit,
                  void *array, size_t count, size_t bytes);

/* `location` as seen from the folder of `file`; NULL without memory. */
char *dal__beside(const char *file, const char *location);

/* The same for a file of a source, which for DOL may be in src. */
char *dal__source_path(const struct dal__network_state *state, const char *location);

/* One element into the model; return DAL_OK or what ends the reading. */
int dal__read_process(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element);
int dal__read_channel(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element);
/* The initial tokens of a channel whose size of a token is known. Of one with a header, that is
 * when all has been read (sizes.h). */
int dal__fill_initial(struct dal__reader *reader, struct dal__network_state *state,
                      struct dal_spec_channel *channel);
int dal__read_latency(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element);

/* When a process is released; it may be that its attributes do not fit (spec/check/time.c). */
int dal__read_period(struct dal__reader *reader, const xmlNode *element,
                     struct dal_spec_process *process);

#endif
