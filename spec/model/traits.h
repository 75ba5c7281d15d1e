/* Types of sources and kinds of capabilities, and what all of one share. Any thread. */
#pragma once

#include "include/kinds.h"

/* PORTABLE: C that can be made a kernel (include/dal.h), for a core or a device. OPENCL is for all
 * devices, CUDA for those of that capability. OPEN: what is outside of an open port of the network
 * (spec/read/open.h); it has no text, and its path is the network's file. */
enum dal_spec_source_type {
    DAL_SOURCE_C,
    DAL_SOURCE_OPENCL,
    DAL_SOURCE_PORTABLE,
    DAL_SOURCE_CUDA,
    DAL_SOURCE_OPEN,
    DAL_SOURCES,
};

/* A channel that keeps the newest token alone (channels/newest.h). */
struct dal_spec_newest {
    int is_given;
    int repeat;      /* a firing may read what an earlier one has read */
    uint64_t age_ns; /* the oldest that may be read; 0: any */
};

/* Traits that all capabilities of a kind share. */
struct dal_spec_capability_traits {
    const char *times;   /* "opencl", the type of its entries in a file of times */
    const char *backend; /* "OpenCL", in messages; NULL of cores, and so are those below */
    const char *form;    /* of identifiers */
    int is_device;
    const char *types; /* beginnings of identifiers, parted by spaces */
    int has_parts;     /* sub-devices */
    int shares_memory; /* the host's memory may be the device's, too */
};

const struct dal_spec_capability_traits *dal_spec_capability_traits(enum dal_processor_kind kind);
int dal_spec_is_device(enum dal_processor_kind kind);
/* Returns an enum dal_processor_kind by its name, in any case, or by the type of its entries;
 * -1 without one. */
int dal_spec_find_capability(const char *name);
int dal_spec_find_times(const char *type);

/* Traits that all sources of a type share. */
struct dal_spec_source_traits {
    const char *name;      /* "opencl", in a network */
    const char *language;  /* "OpenCL C", for people */
    const char *needs;     /* the capabilities that run it, in words */
    unsigned capabilities; /* the same as bits: 1 << an enum dal_processor_kind */
};

const struct dal_spec_source_traits *dal_spec_source_traits(enum dal_spec_source_type type);
/* Returns what a network may call its type: "c++" and "python", too, which count as C. */
struct dal_spec_source;
const char *dal_spec_source_kind(const struct dal_spec_source *source);
/* Returns an enum dal_spec_source_type by its name; -1 without one. */
int dal_spec_find_source(const char *name);
/* Can a capability run a source of this type? */
int dal_spec_runs(enum dal_processor_kind kind, enum dal_spec_source_type type);
/* Can a source of this type be a KPN process's, which blocks where it reads? */
int dal_spec_blocks(enum dal_spec_source_type type);
