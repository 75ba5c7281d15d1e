/*
 * Networks within a network: their files, each read once, and their elements. A part's processes,
 * channels and connections are read as those of the network around it, with the part's name in
 * front of theirs. Its ports are joined afterwards (join.h). One thread.
 */
#pragma once

#include "spec/read/network.h"

enum { DAL_MOST_NESTED_PARTS = 16 };

/* A file of a part; `root` is NULL if it cannot be read, which has been reported. */
struct dal__part_file {
    char *path, *real; /* as it is written, and without links and dots, for free() */
    char *name;
    int is_read;
    xmlNode *root; /* in the long form */
    unsigned char digest[DAL_SHA256_BYTES];
};

struct dal__parts {
    struct dal__part_file *files;
    size_t count;
};

void dal__parts_finish(struct dal__parts *parts);

/* Read one element, as those of network.h. */
int dal__read_part(struct dal__reader *reader, struct dal__network_state *state, xmlNode *element);
int dal__read_network_port(struct dal__reader *reader, struct dal__network_state *state,
                           xmlNode *element);
