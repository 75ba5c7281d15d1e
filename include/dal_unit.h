/*
 * dal_unit.h: the text in front of a C source in its translation unit, with dal.h. It has the loop
 * around fire, and the table by which the runtime finds it. It includes no header of the C library,
 * since the source may ask for features of that first.
 */
#ifndef DAL_DAL_UNIT_H
#define DAL_DAL_UNIT_H

#include "dal.h"

#ifdef __GNUC__ /* as in dal.h, and behind it: its users depend on it, and a system's are left out \
                 */
#pragma GCC system_header
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a process, `struct _local_states`. Only the part of a unit behind the source uses
 * it. */
struct dal_state {
    size_t bytes, alignment;
};
/* A name for it that no macro of a source can have taken. */
typedef const struct dal_state dal__state;

/* The properties of a port that are constants in a translation unit. */
struct dal_unit_port {
    size_t bytes; /* of one firing */
    size_t must;  /* least bytes to write: all for an output, 0 for an input */
    size_t from;  /* of a phase: bytes before it in the window of its cycle */
};

/* A C source, compiled for one set of ports. Several processes may share it.
 *
 * The runtime sees a cyclo-static process as one whose firing is a cycle. So a firing in struct
 * dal_activation, at ends and in the tables is a cycle. Only the caller of fire goes through its
 * phases. */
struct dal_code {
    const struct dal_state *state; /* NULL without one */
    void (*init)(DALProcess *p);   /* may be NULL */
    ProcessFire fire;
    void (*finish)(DALProcess *p); /* may be NULL */
    /* Fires a->firings times, at least once, or until a firing returns non-zero or fails. NULL for
     * a KPN process, and where fire may keep its p. Then the runtime calls fire itself, with a p
     * that no other process gets as long as this one exists (rt/host/firing.h). */
    void (*run)(DALProcess *p, struct dal_activation *a);
    const struct dal_unit_port *phase_ports; /* a row for each phase, a column for each port */
    int phases;                              /* 0: it is not cyclo-static */
    /* Fires phase a->phase, in the windows of its cycle, and sets a->fired to 1 if it succeeds. It
     * is for a process that is fired phase by phase where a cycle lacks tokens. NULL for others,
     * and where `run` is. */
    void (*run_phase)(DALProcess *p, struct dal_activation *a);
};

/* Has a firing written all that it must, each byte once? An input has nothing to write: yes. */
static __inline__ int dal_window_is_whole(const struct dal_window *window, size_t must)
{
    return must == 0 || (window->done == must && window->astray == 0);
}

/*
 * The monitor can ask an activation to end early (a->enough). The loop below looks at that after
 * every firing, unless firings are small: up to DAL_UNIT_BYTES at all ports together. A look would
 * keep the compiler from vectorising them. So DAL_UNIT_FIRINGS small firings are done without one.
 */
enum { DAL_UNIT_BYTES = 256, DAL_UNIT_FIRINGS = 16 };

static __inline__ __attribute__((always_inline)) int
dal_unit_is_small(const struct dal_unit_port *ports, int count)
{
    size_t bytes = 0;
    int k;
    for (k = 0; k < count; k++)
        bytes += ports[k].bytes;
    return bytes <= DAL_UNIT_BYTES;
}

/* Opens a window, member by member: gcc keeps a structure in memory that is stored as a whole. */
static __inline__ __attribute__((always_inline)) void
dal_unit_open(struct dal_window *window, unsigned char *firing, const struct dal_unit_port *port)
{
    window->firing = firing;
    window->bytes = port->bytes;
    window->must = port->must;
    window->done = window->held = window->from = 0;
    window->astray = 0;
    window->begun = window->waits = window->said = 0;
    window->token = window->reach = 0;
}

/* Does phase `phase` of firing number `number`, with these ports; `cycle` has those of a firing,
 * the same where there are no phases. Everything that the phase can touch is made anew. Returns 1
 * if fire returned 0, did not fail, and wrote all of its outputs; otherwise 0. */
static __inline__ __attribute__((always_inline)) int
dal_unit_fire(const DALProcess *process, struct dal_activation *a, ProcessFire fire,
              const struct dal_unit_port *cycle, const struct dal_unit_port *ports, int count,
              struct dal_window *windows, unsigned char *const *first, uint64_t number, int phase)
{
    struct dal_activation firing = {.firings = 1,
                                    .own = 1,
                                    .phase = phase,
                                    .windows = windows,
                                    .process = a->process,
                                    .constants = a->constants};
    DALProcess inner = *process;
    int k, whole = 1;
    inner.wptr = &firing;
    for (k = 0; k < count; k++)
        dal_unit_open(&windows[k], first[k] + number * cycle[k].bytes + ports[k].from, &ports[k]);
    a->phase = phase;
    a->status = fire(&inner) | firing.detached;
    a->failed |= firing.failed;
    for (k = 0; k < count; k++)
        whole &= dal_window_is_whole(&windows[k], ports[k].must);
    return a->status == 0 && !firing.failed && whole;
}

/* Most phases that each have code of their own. */
enum { DAL_UNIT_PHASES = 8 };

/* Does firing number `number`: all of its phases, or those up to one that does not succeed. */
static __inline__ __attribute__((always_inline)) int
dal_unit_cycle(const DALProcess *process, struct dal_activation *a, ProcessFire fire,
               const struct dal_unit_port *cycle, const struct dal_unit_port *phase_ports,
               int phases, int count, struct dal_window *windows, unsigned char *const *first,
               uint64_t number)
{
#define DAL_UNIT_PHASE(phase)                                                                      \
    dal_unit_fire(process, a, fire, cycle, &phase_ports[(phase)*count], count, windows, first,     \
                  number, phase)
#define DAL_UNIT_NEXT(phase) (phases <= (phase) || DAL_UNIT_PHASE(phase))
    int phase = 0;
    if (phases <= DAL_UNIT_PHASES)
        return DAL_UNIT_PHASE(0) && DAL_UNIT_NEXT(1) && DAL_UNIT_NEXT(2) && DAL_UNIT_NEXT(3) &&
               DAL_UNIT_NEXT(4) && DAL_UNIT_NEXT(5) && DAL_UNIT_NEXT(6) && DAL_UNIT_NEXT(7);
    while (DAL_UNIT_PHASE(phase))
        if (++phase == phases)
            return 1;
    return 0;
#undef DAL_UNIT_NEXT
#undef DAL_UNIT_PHASE
}

/*
 * The body of dal_code.run, for 1 or more firings. It is inlined into the process's own unit, where
 * `fire`, `ports`, `phases` and `count` are constants. So checks fold away, the windows live in
 * registers, and small firings become vectorised loops. That needs one thing: everything that a
 * firing can touch is made anew in every round, and the compiler sees it.
 *
 * `windows` and `first` have room for `count` ports. The loop stops after a firing that returns
 * non-zero, fails, or leaves an output unfinished. a->fired does not count that firing, and
 * a->windows and a->phase tell what it has done. The loop also stops between two firings when it
 * finds a->enough set: then it clears a->enough and sets a->early.
 */
static __inline__ __attribute__((always_inline)) void
dal_unit_run_phases(DALProcess *p, struct dal_activation *a, ProcessFire fire,
                    const struct dal_unit_port *ports, const struct dal_unit_port *phase_ports,
                    int phases, int count, struct dal_window *windows, unsigned char **first)
{
    const DALProcess process = *p;
    const uint64_t firings = a->firings;
    struct dal_activation last = {.process = a->process, .constants = a->constants};
    const int small = dal_unit_is_small(ports, count);
    int k, through, enough;
    uint64_t fired = 0;
    for (k = 0; k < count; k++)
        first[k] = a->windows[k].firing;
    __atomic_store_n(&a->fired, 0, __ATOMIC_RELAXED); /* for who asks after a crash */
    do {
        uint64_t number = 0;
        if (small && firings - fired >= DAL_UNIT_FIRINGS)
            do
                through = dal_unit_cycle(&process, &last, fire, ports, phase_ports, phases, count,
                                         windows, first, fired + number);
            while (through && ++number < DAL_UNIT_FIRINGS);
        else
            number = (uint64_t)(through = dal_unit_cycle(&process, &last, fire, ports, phase_ports,
                                                         phases, count, windows, first, fired));
        fired += number;
        __atomic_store_n(&a->fired, fired, __ATOMIC_RELAXED);
        enough = __atomic_load_n(&a->enough, __ATOMIC_RELAXED);
    } while (through && fired < firings && !enough);
    a->status = last.status;
    a->phase = last.phase;
    a->failed |= last.failed;
    a->early = through && fired < firings;
    if (enough)
        __atomic_store_n(&a->enough, 0, __ATOMIC_RELAXED);
    for (k = 0; !through && k < count; k++) {
        a->windows[k].done = windows[k].done;
        a->windows[k].astray = windows[k].astray;
    }
}

/* The body of dal_code.run_phase. The phase is a constant wherever fire is called. */
static __inline__ __attribute__((always_inline)) void
dal_unit_run_phase(DALProcess *p, struct dal_activation *a, ProcessFire fire,
                   const struct dal_unit_port *ports, const struct dal_unit_port *phase_ports,
                   int phases, int count, struct dal_window *windows, unsigned char **first)
{
#define DAL_UNIT_PHASE(phase)                                                                      \
    dal_unit_fire(&process, &last, fire, ports, &phase_ports[(phase)*count], count, windows,       \
                  first, 0, phase)
#define DAL_UNIT_AT(phase) phases > (phase) && at == (phase) ? DAL_UNIT_PHASE(phase)
    const DALProcess process = *p;
    struct dal_activation last = {.process = a->process, .constants = a->constants};
    const int at = a->phase;
    int k;
    for (k = 0; k < count; k++)
        first[k] = a->windows[k].firing;
    a->fired = (uint64_t)(phases > DAL_UNIT_PHASES ? DAL_UNIT_PHASE(at) : DAL_UNIT_AT(0)
                          : DAL_UNIT_AT(1)
                          : DAL_UNIT_AT(2)
                          : DAL_UNIT_AT(3)
                          : DAL_UNIT_AT(4)
                          : DAL_UNIT_AT(5)
                          : DAL_UNIT_AT(6)
                          : DAL_UNIT_AT(7) : 0);
    a->status = last.status;
    a->failed |= last.failed;
    a->early = 0;
    for (k = 0; a->fired == 0 && k < count; k++) {
        a->windows[k].done = windows[k].done;
        a->windows[k].astray = windows[k].astray;
    }
#undef DAL_UNIT_AT
#undef DAL_UNIT_PHASE
}

/* The body of dal_code.run for a process that is not cyclo-static. */
static __inline__ __attribute__((always_inline)) void
dal_unit_run(DALProcess *p, struct dal_activation *a, ProcessFire fire,
             const struct dal_unit_port *ports, int count, struct dal_window *windows,
             unsigned char **first)
{
    dal_unit_run_phases(p, a, fire, ports, ports, 1, count, windows, first);
}

/* For dal_python.h. The first returns the name of a parameter, by its number, or NULL behind the
 * last. The second finds the number that a process in C gets, and returns what it has set: 'd' for
 * a long, 'u' for an unsigned one, 'g' for a double, 's' where it is none. The third calls a
 * function while no other thread of the program is in such a call. */
const char *dal_python_parameter(int number, DALProcess *p);
char dal_python_number(int number, unsigned long *integer, double *real, DALProcess *p);
void dal_python_alone(void (*function)(void *data), void *data);

#ifdef __cplusplus
}
#endif
#endif
