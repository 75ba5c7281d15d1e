/*
 * The steps in which a kernel is written, whatever its source is. A process by itself has its
 * kernel in the place of the user's (place.c); in a group, or with phases, the kernel calls the
 * user's as a function (function.c, group_text.c); that of a portable source calls its fire
 * (portable.c).
 */
#pragma once

#include "synth/plan/plan.h"

/* The words that CUDA C++ and OpenCL C write differently. */
struct dal__words {
    const char *kernel, *global;
    const char *uchar, *uint, *ulong;
};

int dal__is_cuda(const struct dal_plan_unit *unit);
const struct dal__words *dal__words_of(const struct dal_plan_unit *unit);

/* Adds what tells a compiler the number of work-items. */
void dal__add_size(struct dal_text *text, const struct dal_plan_unit *unit);
/* Adds a kernel's head up to its arguments: "__kernel ... void NAME(". */
void dal__add_head(struct dal_text *text, const struct dal_plan_unit *unit);
/* Adds the two arguments of a port. A window reaches a kernel as a buffer and an offset. */
void dal__add_base(struct dal_text *text, const struct dal_plan_unit *unit, const char *qualifiers,
                   const char *name);

/* Adds "#ifdef DAL_LOCAL_BYTES": then the text builds only if a variable in local memory has at
 * most so many. */
void dal__add_local_check(struct dal_text *text, const char *variable);

/* Adds the texts of all variants under their conditions, each by `add`. Returns what that returns,
 * and ends where that is not DAL_OK. */
int dal__add_variants(struct dal_text *text, const struct dal_variants *variants,
                      int (*add)(void *data, struct dal_text *text, size_t variant), void *data);

/* The bytes of a port's window. */
uint64_t dal__window_bytes(const struct dal_spec_port *port);
