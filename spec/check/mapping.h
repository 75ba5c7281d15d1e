/* Shared by the files that check a mapping. Internal to spec/check. One thread. */
#pragma once

#include "spec/check/check.h"

/* Cores and devices in one binding (cores.c). What stands first decides. */
enum dal__mix {
    DAL__NOT_MIXED,
    DAL__MIX_CUDA,      /* beside a device that has not OpenCL */
    DAL__MIX_NODES,     /* cores of several nodes */
    DAL__MIX_SOME,      /* not all cores of the node */
    DAL__MIX_JOINED,    /* all cores: the binding has their device in place of them */
    DAL__MIX_TWICE,     /* their device is in the binding already */
    DAL__MIX_NO_DEVICE, /* the architecture has no device of the cores */
};

/* The processors that a raw binding names, in the order of the architecture. */
struct dal__choice {
    struct dal_spec_processor **processors;
    size_t count;
    enum dal__mix mix;
    /* Of a mix: its first core; and the device of the cores, or what stands in the way, or NULL. */
    const struct dal_spec_processor *core, *blamed;
    int told;  /* true if a remark was made on it */
    int taken; /* true if a process has it */
};

/* If a binding has cores and devices, finds the device that all cores stand for, and marks it in
 * their place. `marked` goes by the number of a processor. */
void dal__join_cores(const struct dal_spec_architecture *architecture, unsigned char *marked,
                     struct dal__choice *choice);
/* Reports a mix that cannot be, or not for this process. Returns whether it did. `source` is the
 * one that the binding names, or NULL. */
int dal__refuse_mix(struct dal_diags *diags, const struct dal__raw_binding *binding,
                    const struct dal_spec_process *process, const struct dal_spec_source *source,
                    const struct dal__choice *choice);
/* Tells once which device the cores are. */
void dal__remark_mix(struct dal_diags *diags, const struct dal__raw_binding *binding,
                     struct dal__choice *choice);

/* About choices (choice.c). */

/* Chooses the capability that runs the source. Cores go first, since a portable source is C there.
 * Then comes the first in the processors' lists that all processors have, then the first that any
 * has. */
enum dal_processor_kind dal__choose_capability(const struct dal__choice *choice,
                                               enum dal_spec_source_type type);
/* Have all processors the capability? */
int dal__all_have(const struct dal__choice *choice, enum dal_processor_kind kind);
/* Returns the source of that id; NULL without one. */
struct dal_spec_source *dal__find_source(const struct dal_spec_process *process, int id);

/* Reports a processor that the architecture has not; the others note what there is. */
void dal__unknown_processor(struct dal_diags *diags,
                            const struct dal_spec_architecture *architecture,
                            const struct dal__raw *raw, const struct dal__raw_binding *binding,
                            const struct dal__raw_reference *reference);
void dal__note_capabilities(struct dal_diags *diags, const struct dal_spec_processor *processor);
void dal__note_sources(struct dal_diags *diags, const struct dal_spec_process *process);

/* Checks that a process may run where it is bound (bound.c). Problems are in diags. */
void dal__check_bound(struct dal_diags *diags, const struct dal__raw_binding *binding,
                      const struct dal_spec_process *process, const struct dal_spec_source *source,
                      const struct dal__choice *choice);

/* Chooses the fallback of a binding; and then, after all bindings are known, the cores that the
 * mapping leaves open (fallback.c). */
void dal__choose_fallback(struct dal_diags *diags, struct dal_spec *spec,
                          const struct dal__raw *raw, const struct dal__raw_binding *from,
                          struct dal_spec_binding *binding);
void dal__choose_fallback_cores(struct dal_spec *spec);

/* Checks what the mapping says of channels (override.c). Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__check_overrides(struct dal_diags *diags, struct dal_spec *spec,
                         const struct dal__raw *raw);
