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

struct dal__parts;

/* A network that is being read, or a part of it. */
struct dal__network_state {
    struct dal_spec_network *network;
    struct dal__raw *raw;
    const char *file;                        /* that is being read */
    const char *real;                        /* the same without links and dots, or NULL */
    const char *prefix;                      /* of names in it: "", or "Left.Eq." */
    const struct dal_spec_part *part;        /* that is being read; NULL: the network itself */
    int depth;                               /* of parts around what is read */
    const struct dal__network_state *around; /* of a part: where it is used */
    struct dal_spec_place use; /* of a part: the element of the network itself that leads to it */
    size_t raw_part;           /* its number in raw->network.parts, plus 1; 0: it has none yet */
    struct dal__parts *parts;  /* files of parts (part.h) */
    dal__xml_visit *read_item; /* reads an element that is within the root or an iterator of it */
    const struct dal_spec_define *defines;
    size_t define_count;
    uint64_t data_bytes; /* initial tokens so far */
    struct dal__packages packages;
};

/* As dal__beside(), for a file of a source: DOL may keep it in src. */
char *dal__source_path(const struct dal__network_state *state, const char *location);

/* Returns a path that is written in the file that is read, as seen from the network's folder; NULL
 * without memory. */
char *dal__from_network(const struct dal__network_state *state, const char *location);
/* Makes a path such a one. NULL stays. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__place(struct dal__reader *reader, const struct dal__network_state *state, char **path);

/* Puts the prefix in front of a name. Returns DAL_OK; DAL_ERR_INVALID after an error in diags, if
 * the name is too long then; or DAL_ERR_NOMEM. NULL stays as it is. */
int dal__qualify(struct dal__reader *reader, const struct dal__network_state *state,
                 const xmlNode *element, char **name);

/* Read one element into the model; return DAL_OK or what ends the reading. */
/* Checks the value of a parameter that has a type; an error is at `place`. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal__check_parameter(struct dal__reader *reader, struct dal_spec_place place,
                         const struct dal_spec_process *process,
                         const struct dal_spec_parameter *parameter);
/* Reads a constant of a process (constant.c). */
int dal__read_constant(struct dal__reader *reader, struct dal__network_state *state,
                       const xmlNode *element, struct dal_spec_process *process);
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

/* Returns the rule for a time that is not 0. */
struct dal__quantity dal__duration(const char *attribute);

/* Reads when a process is released. Whether the attributes fit the process is checked later
 * (spec/check/time.c). */
void dal__read_period(struct dal__reader *reader, const xmlNode *element,
                      struct dal_spec_process *process);
