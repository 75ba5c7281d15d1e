/*
 * The static part of a network: what has fixed rates and can be analysed beforehand. A process with
 * a dynamic port (a KPN process) and the channels at it are left out; the rest falls into static
 * islands, each a synchronous dataflow network of its own (DESIGN section 6).
 */
#ifndef DAL_SPEC_SDF_STATIC_H
#define DAL_SPEC_SDF_STATIC_H

#include "spec/diag.h"
#include "spec/model.h"

struct dal_sdf_static {
    /* What the analysis works on: the network itself where all of it is static, else a copy of its
     * static part, densely numbered; names, places and sources stay the network's. */
    struct dal_spec_network *network;
    size_t *processes, *channels; /* numbers in the whole network; NULL: the same ones */
    size_t left_out;              /* KPN processes */
    struct dal_spec_network copy;
    struct dal_spec_port *ports;
};

/* Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes it in any case. The network outlives it. */
int dal_sdf_static_init(struct dal_sdf_static *part, struct dal_spec_network *network);
void dal_sdf_static_finish(struct dal_sdf_static *part);

/* Numbers in the whole network of a process and a channel of the part. */
size_t dal_sdf_static_process(const struct dal_sdf_static *part, size_t number);
size_t dal_sdf_static_channel(const struct dal_sdf_static *part, size_t number);

/* Values by channel number of the whole network, for the channels of the part. NULL without
 * memory; the caller frees it. */
uint64_t *dal_sdf_static_pick(const struct dal_sdf_static *part, const uint64_t *by_channel);

/* dal_sdf_repetitions() of the static part, with 0 for KPN processes. */
int dal_sdf_static_repetitions(struct dal_diags *diags, struct dal_spec_network *network);

/* dal_sdf_live() of the static part; `capacity` goes by channel number of the whole network. */
int dal_sdf_static_live(struct dal_diags *diags, const struct dal_spec_network *network,
                        const uint64_t *capacity);

#endif
