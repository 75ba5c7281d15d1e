/*
 * The model: what the three specifications say, checked and resolved. Plain data; XML stays in
 * spec/read. Made by dal_spec_load(), read by synth/ and by what makes a graph of it
 * (spec/analyse/graph.h).
 *
 * Ownership: everything hangs off struct dal_spec and is freed by dal_spec_destroy(). Strings are
 * never NULL unless said so. Rates, sizes and counts are in tokens unless named _bytes. Pointers
 * between tables point into the same struct dal_spec. Nothing here is changed while another thread
 * reads.
 */
#pragma once

#include "include/kinds.h"
#include "rt/base/sha256.h"
#include "spec/base/diag.h"
#include "spec/base/limits.h"
#include "spec/model/costs.h"
#include "spec/model/execution.h"
#include "spec/model/traits.h"
#include "spec/model/variables.h"

#include <stdint.h>

struct dal_spec_channel;

/* Shadow copies or work-items that are left to dalsynth: "auto". */
#define DAL_SPEC_AUTO UINT32_MAX

static inline int dal_spec_is_number(uint32_t count)
{
    return count != 0 && count != DAL_SPEC_AUTO;
}

/* Rates (or times) of the firings of a cyclo-static process, one after the other and round again.
 * `count` divides the phases of the process. It is 1 for a port that has one rate, and 0 for all
 * ports of a process that is not cyclo-static. */
struct dal_spec_phases {
    uint64_t *of;
    size_t count;
};

struct dal_spec_port {
    char *name;
    int output;                       /* 1 output, 0 input */
    struct dal_spec_channel *channel; /* connected here; of an output, the first of them */
    uint64_t rate; /* tokens per firing, or per cycle (cyclo-static), > 0; 1 when dynamic */
    struct dal_spec_phases phases; /* at least 1 where the process is cyclo-static */
    uint64_t blocks;               /* of a window, for DAL_foreach; 1 without it */
    int dynamic;                   /* any number of tokens: its process is a KPN process */
    struct dal_spec_place place;
};

/* A further file of a C source. It has no function of the process itself. */
struct dal_spec_file {
    char *location; /* as written */
    char *path;     /* resolved; it exists */
    int cxx;
    struct dal_spec_place place;
};

struct dal_spec_source {
    int id;
    enum dal_spec_source_type type;
    int cxx;             /* of type C: it is C++ */
    int python;          /* of type C: it is Python, called by dal_python.h */
    char *location;      /* as written */
    char *path;          /* location resolved against the network file's folder; it exists */
    uint32_t work_items; /* dataparallelism: I, or DAL_SPEC_AUTO; 0 without it */
    uint32_t work_shape[DAL_DIMENSIONS]; /* I by dimension, as "16x16" has it; zeros for a number */
    /* More options for its compiler (cc or the device's), and, of C, more to link with ("-ljpeg");
     * those of its include folders and packages among them. NULL without any. */
    char *cflags, *libs;
    struct dal_spec_file *files; /* C: more files, compiled and linked with it */
    size_t file_count;
    int contraction;   /* a*b+c may be rounded once instead of twice */
    int keeps_nothing; /* C: it is shown to keep nothing from one firing to the next */
    int has_state;     /* C: it has a state at p->local */
    char *doubt;       /* why that is not shown, or NULL; all set by synth/codegen if it matters */
    struct dal_spec_execution_time execution_time;
    struct dal_spec_phases times; /* execution_time by phase, where the file has a sequence */
    struct dal_spec_place place;
};

/* Says whether a process keeps something from one firing to the next. UNSAID: its sources tell. */
enum dal_spec_stateless { DAL_STATELESS_UNSAID, DAL_STATELESS_NO, DAL_STATELESS_YES };

/* Rules for firing a cyclo-static process. CYCLE: it begins a cycle when all tokens and space are
 * there. PHASE: where a cycle lacks some, it begins a phase. UNSAID: it is PHASE if the network
 * deadlocks otherwise. */
enum dal_spec_firing { DAL_FIRING_UNSAID, DAL_FIRING_CYCLE, DAL_FIRING_PHASE };

/* Releases of a periodic process, in nanoseconds. */
struct dal_spec_period {
    uint64_t period_ns;             /* 0: it is not periodic */
    uint64_t phase_ns, deadline_ns; /* after the start of the network; after each release */
    uint64_t repetitions;           /* firings of a release */
    enum dal_overrun overrun;
};

/* What an open port is that stands for a tap, a recording or what is not there (spec/read/tap.h).
 */
struct dal_spec_tap {
    enum dal_tap kind;  /* NONE: it is the user's */
    char *of;           /* the output port whose tokens they are, "Gauss.out" */
    const char *folder; /* of the recording, the command line's; or NULL */
    uint64_t order;
};

struct dal_spec_process {
    char *name;                       /* base and iterator indices: Dec_1 */
    char *base;                       /* Dec, of Left.Eq.Dec_1 as well */
    const struct dal_spec_part *part; /* that it is in; or NULL */
    int *index;                       /* iterator indices */
    size_t index_count;
    int io;                            /* type="io" */
    uint32_t shadow_copies;            /* S; 0 for "auto" and without it */
    enum dal_spec_stateless stateless; /* as the file says */
    uint64_t phases;                   /* firings of a cycle, > 1: it is cyclo-static; else 1 */
    enum dal_spec_firing firing;       /* as the file says */
    int by_phase; /* cyclo-static, and fired phase by phase: set by dal_spec_choose_phases() */
    int kpn;      /* it has a dynamic port: no firing rule, it blocks where it reads */
    int priority;
    struct dal_spec_source *sources;
    size_t source_count;
    struct dal_spec_port *ports;
    size_t port_count;
    struct dal_spec_parameter *parameters;
    size_t parameter_count;
    struct dal_spec_constant *constants;
    size_t constant_count;
    struct dal_spec_execution_time execution_time; /* for sources without their own */
    struct dal_spec_phases times;                  /* likewise */
    uint64_t state_bits; /* bits of state from firing to firing, for SDF3; 0: the file gives none */
    struct dal_spec_period periodic;
    uint64_t repetitions; /* set by the analysis: entry of the repetition vector, of a cyclo-static
                           * process in cycles; 0 of a KPN one */
    size_t number;        /* own index in network.processes */
    struct dal_spec_tap tap;
    struct dal_spec_place place;
};

/* Is each of its sources in Python? Then it has one firing at a time. */
int dal_spec_is_python(const struct dal_spec_process *process);
/* Does no firing of a process by this source depend on an earlier one, but through channels? */
int dal_spec_is_stateless(const struct dal_spec_process *process,
                          const struct dal_spec_source *source);

/* Returns the nanoseconds of an iteration, of so many firings, by the releases of a process; 0 if
 * it is not periodic. */
double dal_spec_released_ns(const struct dal_spec_period *periodic, uint64_t firings);
double dal_spec_iteration_ns(const struct dal_spec_process *process);

/* A counted channel carries packets: a header with a count, and room for the tokens of a firing. To
 * all but the sources at its ends it is a channel of rate 1 whose tokens are the packets. */
struct dal_spec_counted {
    uint64_t most;         /* tokens of a packet, at most; 0: the channel is not counted */
    uint64_t token_bytes;  /* of one of them */
    uint64_t header_bytes; /* in front of the tokens (include/counted.h) */
};

struct dal_spec_channel {
    char *name;
    uint64_t capacity;                /* tokens; 0 when `size` was left out */
    struct dal_spec_place size_place; /* of the size, perhaps at another channel of the port */
    uint64_t token_bytes;             /* of a counted channel those of a packet */
    struct dal_spec_counted counted;
    char *token_type; /* the type of C of a token's elements, or NULL */
    char token_kind;  /* of those, if the type is C's own: 'i', 'u' integers, 'f' real; else 0 */
    uint64_t token_count; /* of those in a token; 1 without a type */
    char *header;         /* has the type: seen from the network's folder; or NULL */
    uint64_t rate_in;     /* tokens per firing (or cycle) of the producer; 1 when dynamic */
    uint64_t rate_out;    /* tokens per firing (or cycle) of the consumer; 1 when dynamic */
    int dynamic_in, dynamic_out;
    int unsaid_in, unsaid_out; /* the file leaves the rate out, so it is 1 */
    int unsaid_bytes;          /* the file leaves tokensize out, so it is 1 */
    uint64_t initial_tokens;
    int64_t begun_tokens;        /* of these, what the initial phases of an SDF3 graph have added */
    unsigned char *initial_data; /* initial_tokens * token_bytes bytes, NULL for zero bytes */
    int inplace; /* of a process to itself: a firing changes its tokens where they are. The capacity
                  * of all channels of the port is its initial tokens */
    struct dal_spec_newest newest;
    char *through; /* ports of parts on its way, in order: "Left.samples\n"; NULL without any */
    struct dal_spec_process *producer, *consumer;
    struct dal_spec_port *producer_port, *consumer_port;
    size_t number; /* own index in network.channels */
    /* The next channel that producer_port feeds, in the order of network.channels. All of them have
     * the same token_bytes, rate_in and capacity; of their initial tokens, the last are the same.
     */
    struct dal_spec_channel *next_of_port;
    struct dal_spec_place place;
};

/* Do the rates of a channel tie its two processes to each other? */
int dal_spec_is_static(const struct dal_spec_channel *channel);

/* Does a port feed several channels? */
static inline int dal_spec_is_several(const struct dal_spec_port *port)
{
    return port->output && port->channel && port->channel->next_of_port;
}

/* Returns the bytes of a token as the sources see it; on a counted channel that is no packet. */
static inline uint64_t dal_spec_token_bytes(const struct dal_spec_channel *channel)
{
    return channel->counted.most ? channel->counted.token_bytes : channel->token_bytes;
}

/* Returns the type of a token, as a network has it: "float", or "float[2]". The channel has one.
 * The caller frees it; NULL without memory. */
char *dal_spec_token_name(const struct dal_spec_channel *channel);

/* Returns the channel of a port that is changed in place; NULL without one. */
const struct dal_spec_channel *dal_spec_inplace(const struct dal_spec_port *port);

/* Has a process ports of counted channels? Outputs, or inputs. */
int dal_spec_has_counted(const struct dal_spec_process *process, int output);

/* Does a process stand for an open port of the network? */
static inline int dal_spec_is_open(const struct dal_spec_process *process)
{
    return process->source_count && process->sources->type == DAL_SOURCE_OPEN;
}

/* Does it stand for one that the user sees? */
static inline int dal_spec_is_port(const struct dal_spec_process *process)
{
    return dal_spec_is_open(process) && !process->tap.kind;
}

/* Returns how often an open port fires in an iteration; 0: what is inside differs in that. */
uint64_t dal_spec_open_firings(const struct dal_spec_process *port);

/* Does the producer of a channel not go on for its reader's sake? */
static inline int dal_spec_is_tapped(const struct dal_spec_channel *channel)
{
    enum dal_tap kind = channel->consumer->tap.kind;
    return kind == DAL_TAP_RECORD || kind == DAL_TAP_DROP;
}

/* Is any file of a C source C++, so that it is linked as such? */
int dal_spec_has_cxx(const struct dal_spec_source *source);

/* Returns the index of a constant of a name, or -1. */
int dal_spec_find_constant(const struct dal_spec_process *process, const char *name);

/* Do two sources have the same files beside their first? */
int dal_spec_same_files(const struct dal_spec_source *a, const struct dal_spec_source *b);

/* Returns the process's first source that a capability can run; NULL without one. */
struct dal_spec_source *dal_spec_source_for(const struct dal_spec_process *process,
                                            enum dal_processor_kind kind);

/* Returns the next channel of a port, NULL at the end. A walk begins with port->channel. */
static inline struct dal_spec_channel *dal_port_next(const struct dal_spec_port *port,
                                                     const struct dal_spec_channel *channel)
{
    return port->output ? channel->next_of_port : NULL;
}

/* The longest that an iteration may take (include/net.h). No KPN process is on the way. */
struct dal_spec_latency {
    struct dal_spec_process *from, *to;
    uint64_t max_ns;   /* > 0 */
    uint32_t late_ppm; /* of a million iterations, so many may; below a million */
    struct dal_spec_place place;
};

struct dal_spec_network {
    char *name;
    int is_dol; /* of DOL's dialect: names are any text */
    const char *file;
    unsigned char digest[DAL_SHA256_BYTES]; /* of the file and its parts', as they were when read */
    struct dal_spec_variable *variables;
    size_t variable_count;
    struct dal_spec_part **parts; /* in the order of the files */
    size_t part_count;
    struct dal_spec_process *processes;
    size_t process_count;
    struct dal_spec_channel *channels;
    size_t channel_count;
    struct dal_spec_data *data; /* of constants */
    size_t data_count;
    struct dal_spec_latency *latencies;
    size_t latency_count;
    double throughput;  /* iterations a time unit that are asked for; 0 without */
    int dead_by_cycles; /* true when it deadlocks if all processes are fired by cycles */
    int phases_open;    /* true when the work did not suffice to find out whether phases help */
    struct dal_spec_place place;
};

/* The variables that a process sees: the network's, or its part's. */
static inline const struct dal_spec_variable *
dal_spec_variables(const struct dal_spec_network *network, const struct dal_spec_process *process,
                   size_t *count)
{
    *count = process->part ? process->part->variable_count : network->variable_count;
    return process->part ? process->part->variables : network->variables;
}

/* Do two processes see the same values of the same variables? */
int dal_spec_same_variables(const struct dal_spec_process *a, const struct dal_spec_process *b);

/* Memory of a device, from an architecture file that dalinfo writes. UNIFIED and MAPPED memory is
 * the host's. Host and kernels use a UNIFIED buffer at the same time, a MAPPED one in turns. */
enum dal_spec_memory { DAL_MEMORY_UNKNOWN, DAL_MEMORY_UNIFIED, DAL_MEMORY_MAPPED, DAL_MEMORY_OWN };

struct dal_spec_capability {
    enum dal_processor_kind kind;
    char *identifier;            /* white space removed */
    int core;                    /* POSIX: the core number */
    char *platform;              /* of a device: its name as dalinfo writes it, or NULL */
    enum dal_spec_memory memory; /* of a device; UNKNOWN resolved by type: CPU is UNIFIED, others
                                    OWN */
    /* Facts about a device, 0 where the file does not say: compute units, most work-items of a
     * work-group, bytes of the largest buffer. */
    uint64_t compute_units, work_group, buffer_bytes;
    const char *of_device; /* POSIX: an attribute that is given, and of devices; or NULL */
    struct dal_spec_place place;
};

struct dal_spec_processor {
    char *name;
    char *type;                               /* RISC, GPU, ACC, ... */
    struct dal_spec_capability *capabilities; /* at most one of each kind */
    size_t capability_count;
    char *node;       /* name of the <shared> that it is linked to, of several the first; or NULL */
    char *other_node; /* another one that it is linked to; no mapping may use it then */
    struct dal_spec_place node_place, other_place; /* of these links */
    size_t node_number;                            /* of two nodes, the lesser stands first */
    size_t number;
    struct dal_spec_place place;
};

/* A link between two nodes, with its latency and bandwidth. Links whose values are not known are
 * left out. */
struct dal_spec_link {
    char *name;
    size_t ends[2];      /* node numbers, as of processors; one without processors is a switch */
    uint64_t latency_ns; /* one way */
    uint64_t bandwidth;  /* bytes a second each way, > 0 */
    struct dal_spec_place place;
};

/* A measured cost. */
struct dal_spec_cost {
    enum dal_cost_kind kind;
    const struct dal_spec_processor *from, *to; /* the same one for a kind of one */
    double latency_ns;                          /* the median, > 0; 0 of a kind that has none */
    double spread_ns;        /* half of what lies between p10 and p90; 0 where it is not said */
    double bytes_per_second; /* > 0; 0 of a kind that has none */
    struct dal_spec_place place;
};

/* Measurements of a machine, and their time. */
struct dal_spec_measured {
    int is_given;                /* true when the file has it; else all other members are 0 */
    char *at;                    /* as written */
    int64_t at_s;                /* `at` in seconds since 1970 */
    char *by;                    /* the program */
    char *cores, *devices;       /* digests of what it was measured on (rt/base/cores.h) */
    struct dal_spec_cost *costs; /* by kind, then from, then to; for dal_spec_cost() */
    size_t cost_count;
    struct dal_spec_place place;
};

struct dal_spec_architecture {
    char *name;
    const char *file;
    unsigned char digest[DAL_SHA256_BYTES]; /* of the file, as it was when it was read */
    struct dal_spec_processor *processors;
    size_t processor_count;
    struct dal_spec_link *links;
    size_t link_count;
    size_t node_limit; /* node numbers are below it */
    struct dal_spec_measured measured;
    struct dal_spec_place place;
};

/* Is a process on a device launched as one with the processes that it reads from? */
enum dal_spec_grouping {
    DAL_GROUP_IF_POSSIBLE,
    DAL_GROUP_YES, /* the mapping wants it: a warning where it cannot be */
    DAL_GROUP_NO,  /* neither with that nor with what reads from it */
};

/* One process on its processors. A C process may name several cores (or a pattern, "core_*"): any
 * of their workers may fire it, one at a time. With threads, only the first core's worker fires it,
 * and the other cores are for the team. */
struct dal_spec_binding {
    char *name;
    struct dal_spec_process *process;
    struct dal_spec_source *source;
    enum dal_processor_kind capability; /* of its processors, which runs the source */
    struct dal_spec_processor **processors;
    size_t processor_count;
    uint32_t shadow_copies; /* overrides, or DAL_SPEC_AUTO; 0 when not given */
    uint32_t work_items;
    uint32_t work_shape[DAL_DIMENSIONS];
    int priority;
    int has_priority;
    uint32_t threads; /* of C: its team for OpenMP; 0 when not given */
    enum dal_spec_grouping group;
    /* Fallback of a process on a device: the source and the core for when it cannot run there; NULL
     * without. */
    struct dal_spec_source *fallback;
    struct dal_spec_processor *fallback_processor; /* has POSIX */
    struct dal_spec_place place;
};

/* Returns the priority of a process where a binding puts it. */
static inline int dal_spec_priority(const struct dal_spec_binding *binding)
{
    return binding->has_priority ? binding->priority : binding->process->priority;
}

/* <channel name kind size> of a mapping: overrides for one channel, or a pattern of names. */
enum dal_spec_kind_wish {
    DAL_WISH_NONE,
    DAL_WISH_STAGED,
    DAL_WISH_NAIVE,
};

struct dal_spec_override {
    struct dal_spec_channel *channel;
    enum dal_spec_kind_wish kind;
    uint64_t capacity; /* 0 when not given */
    struct dal_spec_place place;
};

struct dal_spec_mapping {
    char *name;
    const char *file;
    unsigned char digest[DAL_SHA256_BYTES]; /* of the file, as it was when it was read */
    struct dal_spec_binding *bindings;      /* one a process, in the order of network.processes */
    size_t binding_count;
    struct dal_spec_override *overrides;
    size_t override_count;
    int queue_depth; /* 0 when not given */
    char *policy;    /* "fcfs" when not given */
    int realtime;    /* priority of threads that fire; 0: the usual one */
    /* Nodes of processors in use, by name, in the architecture's order; none without links. */
    const char **nodes;
    size_t node_count;
    struct dal_spec_place place;
};

struct dal_spec {
    struct dal_spec_network network;
    struct dal_spec_architecture architecture;
    struct dal_spec_mapping mapping;
    struct dal_spec_curve *curves; /* of all files of times that were read */
    int has_begun;                 /* a graph of SDF3, in the state behind its initial phases */
};

/* Returns the index of a process's port or parameter, -1 without one of that name. */
int dal_spec_find_port(const struct dal_spec_process *process, const char *name);
int dal_spec_find_parameter(const struct dal_spec_process *process, const char *name);
/* Returns the first parameter that may be changed while the network runs, or NULL. */
const struct dal_spec_parameter *dal_spec_live_parameter(const struct dal_spec_process *process);

/* Gives a shallow copy of a spec capacities as sizes, by channel number; 0 is none. Each stands
 * behind the mapping's entries for the channel. mapping.overrides is the caller's to free then.
 * DAL_OK, or DAL_ERR_NOMEM with NULL there. */
int dal_spec_give_sizes(struct dal_spec *copy, const uint64_t *capacities);

/* Returns the processor's capability of a kind: the core, or the device, that it is; or NULL. */
const struct dal_spec_capability *dal_spec_capability(const struct dal_spec_processor *processor,
                                                      enum dal_processor_kind kind);
/* Returns the first capability that is a device, whatever its kind; NULL without. */
const struct dal_spec_capability *dal_spec_device(const struct dal_spec_processor *processor);
/* Returns the capability that runs a source of this type: the core if it can, else the first that
 * can. NULL without. */
const struct dal_spec_capability *dal_spec_runner(const struct dal_spec_processor *processor,
                                                  enum dal_spec_source_type type);

/*
 * Returns the cost of a kind on a processor (`from` and `to` are the same), or from one to another.
 * If only the opposite way was measured, it is that one. If neither was, and both are cores of one
 * node, it is the worst of that kind measured on cores of that node. NULL without one: for a kind
 * of two, `from` and `to` must differ; for a kind of one, they must not. Any thread.
 */
const struct dal_spec_cost *dal_spec_cost(const struct dal_spec *spec, enum dal_cost_kind kind,
                                          const struct dal_spec_processor *from,
                                          const struct dal_spec_processor *to);

/* Free what they have, and not themselves. */
void dal_spec_finish_process(struct dal_spec_process *process);
void dal_spec_finish_channel(struct dal_spec_channel *channel);

/* Accepts NULL and half-made specs. */
void dal_spec_destroy(struct dal_spec *spec);
