/*
 * References by name, as the files write them; the model does not keep them. The readers fill them
 * in beside the struct dal_spec itself, and the checks (spec/check) resolve them.
 *
 * The struct dal__raw owns all its strings. They may be NULL only where a comment says so.
 */
#pragma once

#include "spec/base/names.h"
#include "spec/model/fsm.h"
#include "spec/model/model.h"
#include "spec/read/expr.h"

/* One side of a connection or a link: the names of a thing and of its port. */
struct dal__raw_end {
    char *name; /* of a port of the network itself or of a part: the part's, "" of the network's */
    char *port;
    int is_own; /* it is a port of the network that the connection stands in */
};

struct dal__raw_connection {
    char *name;
    struct dal__raw_end origin, target;
    struct dal_spec_place place;
};

/* The value of an open variable, in a mapping. */
struct dal__raw_value {
    char *name;
    int64_t value;
    int line; /* in the mapping's file */
};

/* Stands beside network.channels, entry by entry. */
struct dal__raw_channel {
    char *input, *output;           /* port names; NULL when missing */
    int depth;                      /* of the parts that it is in */
    int broken;                     /* a number has been reported; its sizes mean nothing */
    int is_sized;                   /* tokensize is given */
    int has_rates;                  /* a rate is given that a counted channel cannot have */
    char *value, *data;             /* the initial tokens, as written; or NULL */
    int waits;                      /* they are made when the size of a token is known */
    struct dal_spec_phases in, out; /* rates that are sequences; the channel's are the sums */
};

/* A port of the network or of a part of it. */
struct dal__raw_port {
    char *name;
    int output;
    int is_used;                    /* of the network's own: a channel leads to it, or from it */
    struct dal_spec_channel tokens; /* what its tokens are; the rest is not set */
    struct dal_spec_place place;
};

/* The network, or a part of it, as its channels see it. */
struct dal__raw_part {
    char *name; /* "", or "Left.Eq" */
    struct dal__raw_port *ports;
    size_t port_count;
    struct dal_spec_place place; /* of its element */
};

struct dal__raw_latency {
    char *from, *to; /* processes */
    uint64_t max_ns;
    uint32_t late_ppm;
    struct dal_spec_place place;
};

/* A <shared> or a <processor> with its ports. */
struct dal__raw_node {
    char *name;
    char **ports;
    size_t port_count;
    struct dal_spec_place place;
};

struct dal__raw_link {
    char *name;
    struct dal__raw_end ends[2];
    int has_latency, has_bandwidth;
    uint64_t latency_ns, bandwidth; /* bytes a second */
    struct dal_spec_place place;
};

struct dal__raw_cost {
    enum dal_cost_kind kind;
    char *on, *from, *to; /* names; NULL where not given */
    int has_latency, has_spread, has_bandwidth;
    uint64_t latency_ps, spread_ps, bandwidth; /* bytes a second */
    struct dal_spec_place place;
};

struct dal__raw_reference {
    char *name; /* may be a pattern */
    struct dal_spec_place place;
};

struct dal__raw_fallback {
    int is_given;
    int has_source, source;
    char *processor; /* or NULL */
    struct dal_spec_place place;
};

struct dal__raw_binding {
    char *name;
    struct dal__raw_reference process;
    struct dal__raw_reference *processors;
    size_t processor_count;
    int has_source, source;
    uint32_t shadow_copies, work_items; /* 0 when not given */
    uint32_t work_shape[DAL_DIMENSIONS];
    int priority, has_priority;
    uint32_t threads;                    /* 0 when not given */
    int has_both_copies, has_both_items; /* given by <opencl> too, which is ignored */
    enum dal_spec_grouping group;
    struct dal__raw_fallback fallback;
    struct dal_spec_place place;
};

struct dal__raw_override {
    struct dal__raw_reference channel;
    enum dal_spec_kind_wish kind;
    uint64_t capacity; /* 0 when not given */
};

struct dal__raw_network {
    struct dal__raw_connection *connections;
    size_t connection_count;
    struct dal__raw_channel *channels;
    size_t channel_count;
    struct dal__raw_latency *latencies;
    size_t latency_count;
    struct dal__raw_part *parts; /* those with ports; of the network itself, too */
    size_t part_count;
    char *mapping; /* that the root names, as written; or NULL */
    /* Names that only parts' own mappings may have: of ports, and channels that are joined there.
     */
    char **inner;
    size_t inner_count;
};

struct dal__raw_architecture {
    struct dal__raw_node *nodes;
    size_t node_count;
    struct dal__raw_link *links;
    size_t link_count;
    struct dal__raw_cost *costs;
    size_t cost_count;
};

/* Bindings and overrides of a file stand together: those of the outer mapping, then those of each
 * part's own, a part in front of those within it. What stands in front decides. */
struct dal__raw_mapping {
    struct dal__raw_binding *bindings;
    size_t binding_count;
    struct dal__raw_override *overrides;
    size_t override_count;
    struct dal__raw_value *values;
    size_t value_count;
    size_t *chosen;              /* bindings of the processes, or DAL_NAMES_NONE; by the checks */
    struct dal_spec_place queue; /* of its <queue>; line 0 without */
    int queue_says;              /* true if it gives a depth or a policy */
    int queue_fires;             /* true if it says whether threads fire in real-time mode */
};

/* The names in the three files; the checks fill them in. */
struct dal__raw_names {
    struct dal_names processes, channels, processors;
};

struct dal__raw {
    int unchecked;               /* for dal_spec_load_unchecked() */
    int open;                    /* for dal_spec_load_open() */
    int made;                    /* for dal_spec_load_made() */
    struct dal_expr_scope scope; /* the network's variables; names owned by the network */
    struct dal__raw_network network;
    struct dal__raw_architecture architecture;
    struct dal__raw_mapping mapping;
    struct dal__raw_names names;
    int has_network, has_architecture, has_mapping; /* were read, perhaps with errors */
    int has_gaps; /* the network was read, but for what the short form has refused of it */
    /* Processes and channels that --replay and --only leave out (tap.h): a mapping may name them.
     */
    char **gone;
    size_t gone_count;
};

void dal__raw_finish(struct dal__raw *raw);
/* Free what a channel or a connection has. */
void dal__raw_finish_channel(struct dal__raw_channel *channel);
void dal__raw_finish_connection(struct dal__raw_connection *connection);

/*
 * The readers each parse and validate one file and collect what it says. They return DAL_OK when
 * the file was read and fits its schema, or else a negative code. Wrong values in such a file are
 * in diags; the reader still returns DAL_OK.
 */
int dal__read_network(struct dal_diags *diags, const char *file,
                      const struct dal_spec_define *defines, size_t define_count,
                      struct dal_spec_network *network, struct dal__raw *raw);
int dal__read_architecture(struct dal_diags *diags, const char *file,
                           struct dal_spec_architecture *architecture, struct dal__raw *raw);
/* Reads only the values of variables from a mapping, before the network is read. Errors in the file
 * are reported when dal__read_mapping() reads it. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__read_values(const char *file, struct dal__raw *raw);
/* `network` is NULL if it could not be read. */
int dal__read_mapping(struct dal_diags *diags, const char *file,
                      const struct dal_spec_network *network, struct dal_spec_mapping *mapping,
                      struct dal__raw *raw);
/* Reads the mappings that parts name for themselves, as far as they place processes and channels.
 * They add to the digest of `mapping`. If one cannot be read, raw->has_mapping ends. */
void dal__read_own_mappings(struct dal_diags *diags, const struct dal_spec_network *network,
                            struct dal_spec_mapping *mapping, struct dal__raw *raw);
int dal__read_fsm(struct dal_diags *diags, const char *file, struct dal_spec_fsm *fsm);
