/*
 * The header for the files that make the kernel of a group. group.c says which processes can be in
 * it, group_text.c writes it, with what function.c makes of their kernels.
 */
#pragma once

#include "synth/plan/plan.h"

/* A unit whose kernel is a function in a group: of a firing, or of one word (words.c). */
struct dal__part {
    const struct dal_plan_unit *unit;
    int of_word;
};

/* A group that is made; its parts are the units of its processes, each once in each form. */
struct dal__maker {
    struct dal_plan *plan; /* NULL for a process by itself, in a group of its own */
    struct dal_plan_group *group;
    struct dal__part *parts; /* room for one a member */
    size_t part_count;
    struct dal_text *text;
    struct dal_plan_process *culprit; /* the process that cannot be in it */
    char *reason;
};

/* Finds whether another kernel can call a unit's kernel. DAL_OK, DAL_ERR_NOMEM, or
 * DAL_ERR_UNSUPPORTED with the reason, which the caller frees. */
int dal__group_obstacle(const struct dal_plan_unit *unit, char **reason);

/* Makes unit.text of a kernel of OpenCL C with phases: a kernel that calls it once for each firing
 * of a cycle. Returns as dal__group_text(). */
int dal__phases_text(struct dal_plan_unit *unit);

/* Fills in maker.parts and maker.text. DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_UNSUPPORTED where a source
 * is not as its facts say. */
int dal__group_text(struct dal__maker *maker);

/* ---- calls (group_call.c) -------------------------------------------------------------------- */

/* Returns the number of the part that a member calls; how many there are without one. */
size_t dal__find_part(const struct dal__maker *m, const struct dal_plan_process *p);
/* Is the port an argument of the kernel? By itself, a process has nothing inside. */
int dal__is_argument(const struct dal__maker *m, const struct dal_spec_port *port);
/* Returns the number of a port among those that are arguments; how many those are for NULL. */
size_t dal__number_port(const struct dal__maker *m, const struct dal_spec_port *wanted);
/* Returns what a process is called: several may have the kernel of one by itself. */
const char *dal__name_of(const struct dal__maker *m, const struct dal_plan_process *p);
/* Adds the place of a port's tokens of the round's firing `k`. */
void dal__add_window(struct dal__maker *m, const struct dal_plan_process *p,
                     const struct dal_spec_port *port, const char *k);
/* Adds a call of one firing; `k` says which of the round. In a run, it is of one word. */
void dal__add_call(struct dal__maker *m, size_t member, const char *k, uint64_t phase);
/* Adds the loop of a run for the round's firing `k`. */
void dal__add_run(struct dal__maker *m, size_t member, const char *k);

/* ---- words in registers (words.c) ------------------------------------------------------------ */

/* Finds the runs of a group, says which channels are in_registers, and places its tokens anew.
 * DAL_OK, DAL_ERR_NOMEM or DAL_ERR_LIMIT. */
int dal__words_find(const struct dal_plan *plan, struct dal_plan_group *group);
/* Checks that all that a member needs in registers comes so. DAL_ERR_UNSUPPORTED with a reason for
 * the caller to free, or DAL_ERR_NOMEM. Without `strict`, what stands between the ends of a channel
 * is no reason: it may go. */
int dal__words_check(const struct dal_plan *plan, const struct dal_plan_process *p, int strict,
                     char **reason);
