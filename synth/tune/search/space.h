/*
 * The space of a search for mappings: where each process may run, how long a firing takes there,
 * and which cores are alike. One thread.
 *
 * A mapping is a list of places, one a process, by process number. A place is a processor in one
 * capability, or a pool. A pool is all cores of a node, of which any may fire the process. Pools
 * stand behind all other places. A process may have a place when it has a source and a measured
 * time there. The source is the first that dalsynth would take. Open ports stand behind all
 * processes, and have no place: they are bound to the cores that the others use.
 */
#pragma once

#include "synth/plan/plan.h"
#include "synth/tune/predict/predict.h"

#include <stdint.h>

/* Most processes times places. */
#define DAL_SEARCH_MOST_CHOICES ((size_t)1 << 20)

/* --pin: processes that fit a name or a pattern run on a processor that fits another. */
struct dal_search_pin {
    const char *process, *processor;
};

struct dal_search_wishes {
    const struct dal_search_pin *pins;
    size_t pin_count;
    size_t leave; /* cores of each node that no process gets */
    int pools;    /* processes may be on all cores of a node */
};

struct dal_search_place {
    struct dal_spec_processor *processor; /* of a pool, the first */
    struct dal_spec_processor **pool;     /* all of them, or NULL */
    size_t pool_count;                    /* 0: it is none */
    enum dal_processor_kind kind;
    size_t first_alike; /* the first place that this one can be exchanged with: itself, perhaps */
    size_t node;        /* places of one node have the same number, which is below place_count */
};

struct dal_search_choice {
    struct dal_spec_source *source; /* NULL: the process cannot be there */
    struct dal_spec_execution_time time;
    double load_ns; /* of its firings in an iteration; those of several copies in a pool overlap */
};

struct dal_search_space {
    struct dal_spec *spec; /* not owned; its mapping and its times are changed */
    struct dal_search_place *places;
    size_t place_count, process_count; /* without the open ports */
    struct dal_search_choice *choices; /* by process.number * place_count + place */
    /* By process number. kept: its binding is the user's and stays. spread: that binding has
     * several processors, and its place here is the first of them. */
    unsigned char *kept, *spread;
    unsigned char *apart; /* by process number: on a device it is launched by itself */
    size_t *most_cores;   /* by node: that may be used */
    double least_ns;      /* no period can be less */
    /* Mappings are planned with at most so many firings of a process at once, if that is open; 0:
     * the plan chooses. With is_sized, the prediction is that of a mapping with the plan's
     * capacities as sizes. */
    uint64_t most_firings;
    int is_sized;
    struct dal_plan_memory *memory;
};

/*
 * Makes the space of a spec from dal_spec_load_open(). Gives the spec a whole mapping, in which its
 * own bindings stay. Reads the times; without a file, only finds out whether times would help.
 * Returns DAL_OK; DAL_ERR_INVALID with the problems in diags, such as a process that nobody has
 * measured; or DAL_ERR_NOMEM. Call dal_search_space_finish() after all of these.
 */
int dal_search_space_make(struct dal_diags *diags, struct dal_search_space *space,
                          struct dal_spec *spec, const char *times_file,
                          const struct dal_search_wishes *wishes);
void dal_search_space_finish(struct dal_search_space *space);

static inline const struct dal_search_choice *
dal_search_choice_of(const struct dal_search_space *space, size_t process, size_t place)
{
    return &space->choices[process * space->place_count + place];
}

/* Returns the first place that a process may have; place_count without one. */
static inline size_t dal_search_first_place(const struct dal_search_space *space, size_t process)
{
    size_t k = 0;
    while (k < space->place_count && !dal_search_choice_of(space, process, k)->source)
        k++;
    return k;
}

/* Returns the load of a process in its fastest place: ns of its firings in an iteration. */
double dal_search_least_load(const struct dal_search_space *space, size_t process);

/* Returns the load that a process adds to a place that is one processor; 0 if it is on several. */
double dal_search_load_at(const struct dal_search_space *space, size_t process, size_t place);

/* Is a processor the place, or in the pool? */
int dal_search_has(const struct dal_search_place *place,
                   const struct dal_spec_processor *processor);

/* Are few enough cores used? `used` has a byte for each place, and gets 1 for those in use. */
int dal_search_is_allowed(const struct dal_search_space *space, const uint16_t *places,
                          unsigned char *used);

/* Makes the spec's mapping this one. */
void dal_search_bind(const struct dal_search_space *space, const uint16_t *places);

/* The predicted value of a mapping. */
struct dal_search_value {
    double period_ns;  /* INFINITY: it cannot run */
    double latency_ns; /* the longest of an iteration on any way; INFINITY where none has ended */
    double late;       /* more than 1: how much of a promised latency it needs; 0: all are kept */
    uint64_t bytes;    /* of channels: capacity times token size, those of a port once */
    size_t processors; /* places in use */
    uint64_t most_firings; /* the space's */
    int simple;            /* true if it is one of the simple mappings (search.h) */
    double goal_ns;        /* the search's goal (search.h); 0 without a search */
};

/* Fills in the value of a plan with its capacities and its prediction. */
void dal_search_judge(const struct dal_plan *plan, const struct dal_prediction *prediction,
                      struct dal_search_value *value);

/* Plans and predicts a mapping, without reading files. If it cannot run, the reason is in diags,
 * which may be NULL. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_search_evaluate(struct dal_diags *diags, const struct dal_search_space *space,
                        const uint16_t *places, struct dal_search_value *value);

/* Gives the spec with a mapping that has its plan's capacities as sizes, where sizes are open. It
 * is a shallow copy; the caller frees mapping.overrides. Returns DAL_OK, or what planning
 * returns. */
int dal_search_give_sizes(struct dal_diags *diags, const struct dal_search_space *space,
                          const uint16_t *places, struct dal_spec *sized);
