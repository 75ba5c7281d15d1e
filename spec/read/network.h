/*
 * Functions and state that the readers of a network file share. network.c reads the file, variables
 * and connections, process.c the processes, channel.c the channels, duration.c the times. One
 * thread, one file at a time.
 */
#pragma once

#include "spec/read/raw.h"
#include "spec/read/xml.h"

/* The last answers of pkg-config; NULL where it was not asked, or failed. */
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

/* As dal__beside(), for a file of a source: DOL may keep it in src. */
char *dal__source_path(const struct dal__network_state *state, const char *location);

/* Read one element into the model; return DAL_OK or what ends the reading. */
int dal__read_process(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element);
int dal__read_channel(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element);
/* Reads the initial tokens of a channel, once the size of its tokens is known. If their type is
 * from a header, that is after the whole file has been read (sizes.h). */
int dal__fill_initial(struct dal__reader *reader, struct dal__network_state *state,
                      struct dal_spec_channel *channel);
int dal__read_latency(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element);

/* Reads when a process is released. Whether the attributes fit the process is checked later
 * (spec/check/time.c). */
void dal__read_period(struct dal__reader *reader, const xmlNode *element,
                      struct dal_spec_process *process);
