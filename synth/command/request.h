/*
 * The request of a command line: a verb, its files, and the values of its options. Texts point into
 * the command line. One thread.
 */
#pragma once

#include "spec/base/report.h"
#include "synth/tune/map/map.h"

/* Files; each may be NULL. `fsm` stands in the place of network and mapping. */
struct dal_files {
    const char *network, *architecture, *mapping, *fsm;
    const char *times;  /* --times */
    const char *output; /* -o: a file or a folder */
};

/* -D NAME=INTEGER; the list is the request's. */
struct dal_defines {
    struct dal_spec_define *list;
    size_t count, room;
};

/* Texts of an option that may be given several times, in an order; the list is the request's. */
struct dal_texts {
    const char **list;
    size_t count, room;
};

/* Programs that are built. */
struct dal_build_options {
    int is_fsm, check, emit_only, explain, strict, guards;
    const char *verify;   /* the program, or NULL */
    const char *library;  /* its name, "" for the network's; or NULL */
    const char *depends;  /* the file of dependencies, or NULL */
    const char *dump;     /* a pass, or NULL */
    enum dal_report form; /* of messages of the check */
    double profile;       /* seconds, or 0 */
    char **arguments;     /* of the program that is run, up to NULL; or NULL */
    int signal;           /* the signal that has interrupted the work, or 0 */
};

struct dal_explain_options {
    int json; /* instead of tables */
    int advises;
    const char *advice_file; /* or NULL */
};

/* An analysis, also of a graph of SDF3. */
struct dal_analyze_options {
    int json;   /* instead of a table */
    int pareto; /* all trade-offs */
    int burn;
    const char *sizes;     /* the point whose capacities a mapping gets, or NULL */
    const char *processor; /* of a graph of SDF3, or NULL (spec/dialects/sdf3/sdf3.h) */
};

/* A search for a mapping; common values are those of the request. */
struct dal_map_options {
    struct dal_map map; /* whole where `tunes` is set; else what options say alone */
    int tunes;          /* only the network is given: of this machine, by runs */
    int front;          /* --objective=front */
    uint64_t most;      /* most points of the front, or 0 */
    uint64_t leave;     /* cores of each node that stay free */
    uint64_t run;       /* mappings to build and run */
    int is_one_core;    /* no pools */
    struct dal_search_pin *pins;
    size_t pin_room;
};

struct dal_command_table;
struct dal_verb;

struct dal_request {
    const struct dal_command_table *table;
    const struct dal_verb *verb;
    int (*run)(struct dal_request *request); /* instead of what the verb has; or NULL */
    const char *said;                        /* the name in messages: "dalmap", "dal build" */
    int is_classic;                          /* an option may choose the verb: dalsynth */
    uint64_t given;                          /* options, a bit for each row of the table */
    struct dal_files files;
    char *own_mapping; /* that the network names, where it is taken; or NULL */
    struct dal_defines defines;
    struct dal_texts parameters; /* PROCESS.NAME=VALUE of a program that is run */
    struct dal_texts measured, traces;
    double seconds;   /* --time-limit, or 0 */
    const char *list; /* names of what, or NULL */
    const char *maps; /* --maps: the first of two mappings, or NULL */
    const char *fold; /* of parts in a picture: their names as a pattern, or NULL */
    struct dal_build_options build;
    struct dal_explain_options explain;
    struct dal_analyze_options analyze;
    struct dal_map_options map;
};
