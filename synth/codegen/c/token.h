/* Checks the tokens of a type against what a device makes of them. One thread. */
#pragma once

#include "spec/base/diag.h"
#include "spec/model/model.h"
#include "synth/plan/facts.h"

/* A type on a device that is compared with the types of a port's channels. */
struct dal__device_type {
    const struct dal_facts *facts; /* LAYOUT and MEMBER, behind those of others */
    const struct dal_fact *from;   /* the first of them that counts, or NULL for all */
    const char *of;                /* the text of these facts */
    const char *what;              /* in words: "kernel 'Scale': argument 'in'" */
    struct dal_spec_place place;
};

/* Returns the bytes of what a kernel's argument points to; 0 where that is not known. */
uint64_t dal__layout_bytes(const struct dal_facts *facts, const struct dal_fact *arg);
/* Is a window of a firing a whole number of elements of a kernel's argument (a PARAMETER among
 * the facts)? An element may be several tokens, or a part of one, and nothing else. A float3 of
 * OpenCL C has the size of a float4. Are the windows aligned for it, too, where that does not
 * depend on a capacity? */
int dal__fits_window(const struct dal_facts *facts, const struct dal_fact *from,
                     const struct dal_spec_port *port);

/*
 * Checks the tokens of each channel of a port that has a type. Nothing in them may be of another
 * size or meaning on a device (pointers, size_t, bool, bit-fields). Their members must lie where
 * those of the device's type lie, if that has a layout among the facts. Bytes may be read as
 * anything, and anything as bytes. dal__fits_window() must hold, too; elements that begin within
 * tokens are a warning, but for vectors of three. `folder` is the network's.
 * Returns DAL_OK, DAL_ERR_INVALID with the problem in diags, DAL_ERR_NOMEM or DAL_ERR_INTERRUPTED.
 */
int dal__check_tokens(struct dal_diags *diags, const char *folder, const struct dal_spec_port *port,
                      const struct dal__device_type *device);

/* Adds what a token of a channel is in NumPy, as Python writes it: a type and a shape,
 * "('f4', (3,))". A token without a type is bytes. Returns DAL_OK, DAL_ERR_NOMEM or
 * DAL_ERR_INTERRUPTED. */
int dal__token_numpy(struct dal_text *text, const struct dal_spec_channel *channel,
                     const char *folder);
