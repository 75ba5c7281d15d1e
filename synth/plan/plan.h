/*
 * The plan: everything that dalsynth decides, between the model (spec/model/model.h) and the text
 * that is emitted. It is made pass by pass. First, dal_plan_create() takes over what the mapping
 * says. dal_plan_place(), dal_plan_choose(), dal_plan_order(), dal_plan_groups(),
 * dal_plan_capacities() and dal_source_units() (synth/codegen) each fill in their part.
 * dal_plan_copies() looks at what they have made. The plan points into the spec, which has to
 * outlive it. One thread.
 */
#pragma once

#include "include/kinds.h"
#include "spec/base/text.h"
#include "spec/model/model.h"
#include "synth/plan/facts.h"

/* Bytes of windows that one activation of a C process may touch: half of a usual first-level cache
 * (doc/explanation/memory.md). The second is the most firings in one activation. */
#define DAL_PLAN_BLOCK_BYTES   16384u
#define DAL_PLAN_BLOCK_FIRINGS 4096u
/* Bytes of windows of one activation of a shadow copy: some tens of microseconds of work on them.
 * The second is the bytes in a channel for each copy, of DAL_PACE_ACTIVATIONS if that is less. */
#define DAL_PLAN_COPY_BYTES 131072u
#define DAL_PLAN_COPY_ROOM  262144u
/* Bytes that the channels within one core may keep busy together, so that a chain of processes
 * finds its tokens in that cache. The second is what one of many channels may have all the same. */
#define DAL_PLAN_CORE_BYTES    32768u
#define DAL_PLAN_CHANNEL_BYTES 2048u
#define DAL_PLAN_QUEUE_DEPTH   256
/* Limits of a launch of a group, in this order. Bytes that it should move in and out; rounds that
 * it should have even so; bytes that it may move then. Bytes of memory, if each round has a
 * work-group; the most rounds; firings of one process in a row within a round. */
#define DAL_PLAN_GROUP_BYTES   262144u
#define DAL_PLAN_GROUP_ROUNDS  16u
#define DAL_PLAN_GROUP_LIMIT   16777216u
#define DAL_PLAN_SLOTS_LIMIT   16777216u
#define DAL_PLAN_MOST_ROUNDS   65536u
#define DAL_PLAN_ROUND_FIRINGS 64u
/* Phases of a process on a device. */
#define DAL_PLAN_KERNEL_PHASES 64u
/* Rounds, at least, until tokens that a group keeps are moved. */
#define DAL_PLAN_KEPT_ROUNDS 8u
/* Bytes that a KPN process may be ahead in a channel without a size; it grows when that is not
 * enough to go on. */
#define DAL_PLAN_KPN_BYTES 4096u
/* The same of an open port, whose thread reads or writes a file or pipe: as much as a pipe holds.
 */
#define DAL_PLAN_OPEN_BYTES 65536u

/* A processor in one of its capabilities. Only those that are used are in the plan, in the order
 * of the architecture; one that is used as a core and as a device is there twice. */
struct dal_plan_processor {
    const struct dal_spec_processor *processor;
    const struct dal_spec_capability *capability;
    char *symbol;    /* enumerator in the emitted tables */
    size_t channels; /* channels with both ends on it, when it is a core */
};

/* Says whether the number of work-items is given. If it is unsaid, the kernel says it, or has one.
 * If it is "auto", the kernel must be right for any number. */
enum dal_items_open { DAL_ITEMS_GIVEN, DAL_ITEMS_UNSAID, DAL_ITEMS_AUTO };

/* Memory of an argument that is a constant. A parameter's value is in none. */
enum dal_plan_where { DAL_PLAN_VALUE, DAL_PLAN_GLOBAL, DAL_PLAN_CONSTANT };

/* Tells whether a kernel takes a parameter or a constant, and as which type. */
struct dal_plan_value {
    int is_taken;
    enum dal_plan_where memory;
    enum dal_value_type type; /* of a parameter */
};

/* One translation unit: a source for one set of ports (and, for a kernel, work-items). */
struct dal_plan_unit {
    enum dal_spec_source_type type; /* as it is compiled: C or OPENCL; OPEN: libdal has it */
    const struct dal_spec_source *source;
    const struct dal_spec_process *process; /* the first that uses it; its ports are the unit's */
    char *name;                             /* unique among units of its type; an identifier */
    char *file;                             /* name of the C file emitted for it */
    char *header;                           /* C: name of the file with its constants */
    int openmp;                             /* C: it has threads, and is compiled for that */
    uint32_t work_items;                    /* OPENCL; a wish until its kernel is read, while */
    enum dal_items_open items_open;         /* this is not GIVEN */
    uint32_t work_shape[DAL_DIMENSIONS];    /* OPENCL: zeros where it has one dimension */
    const char *items_reason;               /* why the kernel has this number, or NULL */
    int is_group; /* OPENCL: of a group; source and process are those of its first process */
    /* C: functions are called FUNCTION_fire, ... */
    char *function;
    const struct dal_function *roles[DAL_ROLES]; /* NULL where the source has none */
    int keeps_p; /* true if fire may keep its p (synth/plan/facts.h) */
    int has_state;
    const struct dal_fact *state_type; /* type of the state, if not struct _local_states */
    int asks_header;                   /* it includes PROCESS.h, which is not its own */
    struct dal_text own;       /* constants of ports that the source defines itself: a list */
    struct dal_text undefined; /* macros of its options that the prologue undefines: a list */
    /* The reader's findings for the source behind its prologue: facts of C, variants of OpenCL
     * C. */
    struct dal_facts *facts;
    struct dal_variants *variants;
    int shares_facts; /* true when another unit owns the facts */
    char *prologue;   /* the text in front of it: constants of its ports */
    /* A portable source's text for a device, in one of the units that read the same; empty where it
     * cannot be for one. */
    char *portable;
    /* A portable source for a device as one of OpenCL C, where it stands in a group. */
    struct dal_variants *in_group;
    char *output; /* of the reader, until it is facts; or NULL */
    /* OPENCL */
    char *kernel;     /* name of the kernel function */
    int counts_local; /* it has variables in local memory (include/net.h) */
    /* One for each parameter of the process: whether the kernel takes it, and of which type. */
    struct dal_plan_value *values;
    /* OPENCL: the program as the device's compiler gets it. C: the source where it is not simply
     * included, since a DAL_foreach in it is rewritten; else empty. */
    struct dal_text text;
};

struct dal_plan_group;

struct dal_plan_process {
    const struct dal_spec_process *process;
    const struct dal_spec_binding *binding;
    const struct dal_spec_source *source;
    int device; /* runs as a kernel, not as C */
    struct dal_plan_processor **processors;
    size_t processor_count;
    uint32_t shadow_copies; /* S: most firings in one launch; of C, most activations at once */
    uint32_t work_items;    /* I; 1 for C */
    uint32_t work_shape[DAL_DIMENSIONS]; /* I by dimension; zeros where it has one */
    int copies_open;                     /* S is left to dal_plan_choose() */
    enum dal_items_open items_open;
    char *copies_reason, *items_reason; /* on a device; C has only the first, or NULL */
    int priority;
    /* C with OpenMP: cores of its team beside its own, one a thread; owned. Fewer than
     * binding.threads - 1 where the node has no more. Without threads, NULL. */
    const struct dal_spec_processor **team;
    size_t team_count;
    uint64_t block; /* C: most firings in one activation */
    char *block_reason;
    char *symbol;
    const struct dal_plan_unit *unit;
    struct dal_plan_group *group; /* the group, on a device, with others; or NULL */
    uint64_t round;               /* firings in one round of its group; 1 without */
    size_t run;                   /* a number, of members that pass words in registers, or 0 */
    char *apart;                  /* why it is not in its producers' group, or NULL */
    int stays_apart; /* true when the sources or the capacities have shown that it must */
    /* This process as C on a core, for when its kernel cannot be had on the device. NULL
     * without. Owned; has no symbol of its own. */
    struct dal_plan_process *fallback;
};

struct dal_plan_channel {
    const struct dal_spec_channel *channel;
    const struct dal_spec_override *wish; /* of the mapping for the kind, NULL without */
    const struct dal_spec_override *size; /* of the mapping for the capacity, NULL without */
    enum dal_channel_kind kind, placed;   /* as it is, and without a group */
    char *reason;
    uint64_t capacity; /* tokens */
    uint64_t message;  /* between nodes: most tokens of one message; 0 where nothing is known */
    uint64_t fastest;  /* least for the least period; 0 when that has not been searched for */
    uint64_t extra;    /* tokens that the ends move at once, beyond that */
    /* The channel of the same port whose capacity this one was given, or NULL. */
    const struct dal_plan_channel *larger;
    char *capacity_reason;
    int inside;       /* in a group: the consumer reads tokens made in the same round */
    uint64_t slot;    /* GROUP: bytes from the beginning of a work-group's own memory */
    int in_registers; /* inside: the consumer is in the producer's run */
    int kept;         /* inside: it has initial tokens, and keeps as many from round to round */
    uint64_t kept_at, kept_rounds; /* their place, as `slot`; rounds until they return there */
    char *symbol;
};

/* Processes of one device, or of the same several, that are launched as one (include/net.h). */
struct dal_plan_group {
    struct dal_plan_process **members; /* in the plan's order; the first reads from outside */
    size_t member_count;
    uint32_t work_items;
    uint64_t rounds; /* most in one launch */
    char *rounds_reason;
    int one_round;              /* each round has a work-group; known with the sources */
    int in_order;               /* one work-group does all rounds, since channels keep tokens */
    uint64_t slot_bytes;        /* memory of a work-group */
    char *words;                /* a line for each channel inside: are its words in registers? */
    char *symbol;               /* unique among groups; an identifier */
    struct dal_plan_unit *unit; /* with its kernel */
};

/* Results of one plan that other plans of the same network need again (fastest.c). */
struct dal_plan_memory;

struct dal_plan {
    const struct dal_spec *spec;
    /* Several applications in one folder; NULL, NULL and 0 for one network alone. Set behind
     * dal_plan_create(), and not owned. */
    const char *application;             /* name */
    const struct dal_plan *const *group; /* the plans of all, this one too */
    size_t group_count;
    struct dal_plan_processor *processors;
    size_t processor_count;
    struct dal_plan_process *processes; /* by process.number */
    size_t process_count;
    struct dal_plan_channel *channels; /* by channel.number */
    size_t channel_count;
    size_t *order;                        /* process numbers, producers first */
    struct dal_plan_group *device_groups; /* groups of two or more processes */
    size_t device_group_count;
    struct dal_plan_unit *units;
    size_t unit_count;
    /* Units without names, of processes that were asked whether they keep nothing (synth/codegen).
     */
    struct dal_plan_unit *proofs;
    size_t proof_count;
    char *file;      /* C file of the tables; set with the units */
    int queue_depth; /* most launches in flight on a command queue */
    const char *policy;
    /* Limits that keep latencies (synth/tune/predict/promise.h), where the specification leaves
     * them open; set before dal_plan_choose(). most_firings: firings of a process at once, and
     * rounds of a group; 0: no limit. sizes: capacities by channel number, 0 where they are
     * computed; owned, or NULL. */
    uint64_t most_firings, *sizes;
    double seconds; /* for the search of capacities; 0: as many as are usual */
    int guards;     /* windows are watched (net.h), so kernels are launched one by one */
    /* Kernels of several work-items may be a group that nobody asks for, where all that is between
     * them passes in registers. Set once sources tell that. */
    int tries_registers;
    /* Set for a search among mappings, else NULL. Capacities then have a limit of work in place of
     * one of time. Set behind dal_plan_create(), and not owned. */
    struct dal_plan_memory *memory;
};

/* Returns NULL when memory is exhausted, which is logged. The caller destroys the result. */
struct dal_plan *dal_plan_create(const struct dal_spec *spec);
/* Accepts NULL and half-made plans. */
void dal_plan_destroy(struct dal_plan *plan);

/* Part of dal_plan_create(): chooses the cores of the teams of processes with threads. Cores that a
 * binding names come first, then cores of the node on which nothing runs, from the process's own
 * on. No team has a worker's core. Two teams share a core only for processes of one core, which
 * fire in turn. DAL_OK or DAL_ERR_NOMEM. */
int dal__plan_teams(struct dal_plan *plan);
/* Has a process threads of OpenMP, even if only one? */
int dal_plan_has_team(const struct dal_plan_process *process);
/* Has any process of a plan threads of OpenMP? */
int dal_plan_has_teams(const struct dal_plan *plan);
/* Warns of teams that are smaller than what is asked for. */
void dal_plan_check_teams(struct dal_diags *diags, const struct dal_plan *plan);

/* Each returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problems in diags. */

/* Sets the kinds of channels, from the two ends and the mapping's wishes
 * (doc/explanation/memory.md). */
int dal_plan_place(struct dal_diags *diags, struct dal_plan *plan);
/* Part of dal_plan_place(): adds to the reasons which channels of a port share a ring. */
int dal_plan_share_rings(struct dal_plan *plan);
/* Chooses shadow copies and work-items that were left out (choose.h). Warns of given ones that
 * leave a device idle. Needs process.repetitions. */
int dal_plan_choose(struct dal_diags *diags, struct dal_plan *plan);
/* Groups processes of a device that are launched as one, and sets the kinds of the channels inside.
 * Called again when a process has been found to stay apart. Needs process.repetitions and the
 * order. */
int dal_plan_groups(struct dal_plan *plan);
/* dal_plan_choose(), dal_plan_order(), dal_plan_groups() and dal_plan_priorities(). */
int dal_plan_arrange(struct dal_diags *diags, struct dal_plan *plan);
void dal__plan_groups_finish(struct dal_plan *plan);
void dal__plan_unit_finish(struct dal_plan_unit *unit);
void dal__plan_proofs_finish(struct dal_plan *plan);
/* Notes why a process is in no group with what it reads from; takes the reason over, which is NULL
 * without memory. */
int dal_plan_stay_apart(struct dal_plan_process *process, char *reason);
/* Keeps all processes apart that stay apart in another plan of the network. DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_plan_keep_apart(const struct dal_plan *other, struct dal_plan *plan);
/* May a process be in a group with one that it reads from only if that passes in registers? Both
 * have several work-items then, and not both are asked to be in a group. */
int dal_plan_needs_registers(const struct dal_plan_process *from, const struct dal_plan_process *p);
/* Are both bound to the same processors? */
int dal_plan_is_bound_alike(const struct dal_plan_process *a, const struct dal_plan_process *b);
/* Have both work-items of the same dimensions? */
int dal_plan_is_shaped_alike(const struct dal_plan_process *a, const struct dal_plan_process *b);
/* Places the tokens of a group, again where members have got their runs: what is in registers alone
 * needs no memory. DAL_OK, DAL_ERR_NOMEM or DAL_ERR_LIMIT. */
int dal_plan_place_tokens(const struct dal_plan *plan, struct dal_plan_group *group);
/* Takes no more rounds than there is memory for with a work-group each. For a group of `one_round`,
 * behind its tokens' places. Channels outside keep the room of more. DAL_OK or DAL_ERR_NOMEM. */
int dal_plan_limit_rounds(struct dal_plan_group *group);
/* Returns the member behind the run that a member is in; without one, behind the member. */
size_t dal_plan_run_end(const struct dal_plan_group *group, size_t member);
/* Part of dal_plan_capacities(): takes groups apart that could not make a round. */
int dal_plan_check_groups(struct dal_plan *plan);
/* Sets capacities that were left out, then checks liveness, then sets the blocks of C processes.
 * Changes only the plan; needs process.repetitions. */
int dal_plan_capacities(struct dal_diags *diags, struct dal_plan *plan);
/* Parts of dal_plan_capacities(). The first sets `fastest` of the channels without a size, when all
 * processes have execution times. The second makes room beside a longer way from a channel's
 * producer to its consumer. */
int dal_plan_fastest(struct dal_diags *diags, struct dal_plan *plan);
/* Plans that share a memory are of one network, with the same sizes. NULL without memory. */
struct dal_plan_memory *dal_plan_memory_create(void);
void dal_plan_memory_destroy(struct dal_plan_memory *memory); /* accepts NULL */
/* Part of it: the first gives a channel between nodes room for the tokens on the links. The second
 * tells what the links carry with a given size. DAL_OK or DAL_ERR_NOMEM. */
int dal_plan_add_link(const struct dal_plan *plan, struct dal_plan_channel *ch);
int dal_plan_judge_link(const struct dal_plan *plan, struct dal_plan_channel *ch);
int dal_plan_balance(struct dal_plan *plan);
/* Gives the channels of one port with several readers the largest capacity of them. Once that is
 * settled, the reasons say so. */
void dal_plan_share_capacities(struct dal_plan *plan);
int dal_plan_explain_capacities(struct dal_plan *plan);
/* Orders the processes along the channels that cannot feed a whole iteration of their consumer from
 * initial tokens; otherwise as in the network. */
int dal_plan_order(struct dal_plan *plan);
/* Gives processes on devices the priorities that the policies `deadline` and `level` make of the
 * graph; otherwise they keep their own. In the end of dal_plan_arrange(): needs the order. DAL_OK
 * or DAL_ERR_NOMEM. */
int dal_plan_priorities(struct dal_plan *plan);
/* Checks that C processes with shadow copies have no state. Copies that nobody asked for are taken
 * back where there is one. After dal_source_units(). */
int dal_plan_copies(struct dal_diags *diags, struct dal_plan *plan);

/* Processes that fire in turn as one (rt/base/turns.h), unless one leaves its device. */
struct dal_plan_turn {
    const struct dal_plan_process *first, *last;
    int count;                          /* processes */
    uint64_t block;                     /* firings of each in a row */
    int channel_count;                  /* between them */
    uint64_t overlay_bytes, ring_bytes; /* bytes that these channels share; of their rings */
};
/* Sets groups[i] to the number of the group of the i-th process in the order, or to -1 on a device.
 * Returns the count of groups, or DAL_ERR_NOMEM. Call it when the plan is complete. */
int dal_plan_turns(const struct dal_plan *plan, int *groups);
/* Finds the facts of one group of several processes. DAL_OK or DAL_ERR_NOMEM. */
int dal_plan_turn(const struct dal_plan *plan, const int *groups, int group,
                  struct dal_plan_turn *turn);

/* The i-th plan of the folder, NULL behind the last. */
const struct dal_plan *dal_plan_peer(const struct dal_plan *plan, size_t i);

/* The folder where paths in options of the plan's sources begin. The caller frees it; NULL when
 * memory is exhausted. */
char *dal_plan_folder(const struct dal_plan *plan);
/* The generated file that has in it file `number` of a C unit's source, where the unit's own is
 * `file`. The caller frees it; NULL when memory is exhausted. */
char *dal_plan_part_file(const struct dal_plan_unit *unit, const char *file, size_t number);
/* Does a device work in the host's memory? */
int dal_plan_is_unified(const struct dal_spec_capability *capability);
/* The length of a device's identifier without its _SUB<m>. */
size_t dal_plan_whole_length(const char *identifier);
/* What a kernel may take of a process beside its ports: its parameters, then its constants. Their
 * number, and the name of one. */
size_t dal_plan_most_values(const struct dal_spec_process *process);
const char *dal_plan_value_name(const struct dal_spec_process *process, size_t value);
/* Returns the type of an argument in OpenCL C. */
const char *dal_plan_value_type(const struct dal_plan_value *value);
/* Those that a unit's kernel takes. */
int dal_plan_count_values(const struct dal_plan_unit *unit);
/* The i-th unit of the folder, over all its plans, NULL behind the last. */
const struct dal_plan_unit *dal_plan_any_unit(const struct dal_plan *plan, size_t i);
/* Is this the name of a user's source, of any plan of the folder, in whatever case? */
int dal_plan_is_source(const struct dal_plan *plan, const char *file);

/* Fills in *symbols[i], owned by the caller, with an identifier for names[i], each another one.
 * Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_plan_name_symbols(char **const *symbols, const char *const *names, size_t count);

/* Returns the shadow copies that the mapping gives, else those of the network; 0: none. */
static inline uint32_t dal_plan_given_copies(const struct dal_spec_binding *binding)
{
    return binding->shadow_copies ? binding->shadow_copies : binding->process->shadow_copies;
}

/* Returns the most firings of a process at once where a binding puts it. A C process that is not
 * stateless has one, others no more than there are cores. On a device, 0 where that is left to the
 * plan. */
uint32_t dal_plan_shadow_copies(const struct dal_spec_binding *binding);
/* Returns the first channel of a process's ports that keeps the newest token alone, or NULL. */
const struct dal_spec_channel *dal_plan_newest(const struct dal_spec_process *process);
/* May a process on cores fire several times at once, if it keeps nothing? */
int dal_plan_may_have_copies(const struct dal_spec_process *process);
/* Is it bound to several cores, and has one firing at a time since its source is in doubt? */
int dal_plan_has_doubt(const struct dal_plan_process *process);

/* The process at this place of the plan's order. */
static inline struct dal_plan_process *dal_plan_in_order(const struct dal_plan *plan, size_t place)
{
    return &plan->processes[plan->order[place]];
}

/* The processes at a channel's ends. */
struct dal_plan_process *dal_plan_producer(const struct dal_plan *plan,
                                           const struct dal_spec_channel *channel);
struct dal_plan_process *dal_plan_consumer(const struct dal_plan *plan,
                                           const struct dal_spec_channel *channel);
/* The group that keeps a channel's tokens from one round to the next; NULL: none does. */
const struct dal_plan_group *dal_plan_keeper(const struct dal_plan *plan,
                                             const struct dal_plan_channel *channel);
int dal_plan_on_device(const struct dal_plan_process *process);

/* Returns the name of the function that fires it, in two pieces; an open port has "-". */
static inline const char *dal_plan_function(const struct dal_plan_process *p)
{
    return dal_plan_on_device(p) ? p->unit->kernel : p->unit->function ? p->unit->function : "-";
}
static inline const char *dal_plan_function_end(const struct dal_plan_process *p)
{
    return dal_plan_on_device(p) || !p->unit->function ? "" : "_fire";
}
/* Is a process bound to that processor, in that capability? */
static inline int dal_plan_runs_on(const struct dal_plan_process *process,
                                   const struct dal_plan_processor *processor)
{
    for (size_t i = 0; i < process->processor_count; i++)
        if (process->processors[i] == processor)
            return 1;
    return 0;
}
/* Most firings in one launch. */
uint64_t dal_plan_launch_firings(const struct dal_plan_process *process);
/* Does a port take tokens into a group, or out of it? */
int dal_plan_is_outside(const struct dal_plan *plan, const struct dal_spec_port *port);
/* Is a channel's capacity left to the plan? */
int dal_plan_is_open(const struct dal_plan_channel *channel);

/* The time of one firing where a process is bound: its source's own, else the process's, which may
 * not be given. */
const struct dal_spec_execution_time *dal_plan_time(const struct dal_plan_process *process);

/* Returns the firings of a cycle; 1 for a process that is not cyclo-static, whose cycle is a
 * firing. In a plan and in the tables a firing is a cycle; only sources know of phases. */
static inline uint64_t dal_plan_phases(const struct dal_spec_process *process)
{
    return process->phases > 1 ? process->phases : 1;
}
/* Tokens of a port in one phase. */
static inline uint64_t dal_plan_phase_rate(const struct dal_spec_process *process,
                                           const struct dal_spec_port *port, uint64_t phase)
{
    return port->phases.count ? port->phases.of[phase % port->phases.count]
                              : port->rate / dal_plan_phases(process);
}

/* Bytes of the windows of one firing, over all ports; saturates. */
uint64_t dal_plan_window_bytes(const struct dal_spec_process *process);
