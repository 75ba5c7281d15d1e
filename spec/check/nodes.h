/* The nodes of an architecture, and of mappings on it. One thread. */
#pragma once

#include "spec/base/names.h"
#include "spec/model/model.h"

struct dal__raw;

/*
 * The mappings of one program, on one architecture: each one's nodes become those that any of them
 * uses, so that all have the same ranks. Names stay those of the mapping that they come from.
 * DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with errors of processes that are on no node.
 */
int dal_spec_share_nodes(struct dal_diags *diags, struct dal_spec_mapping *const *mappings,
                         size_t count);

/* Internal to spec/check; `names` are those of raw->architecture.nodes. */

/* Fills in processor.node. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__name_nodes(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                    const struct dal__raw *raw, const struct dal_names *names);
/* Fills in mapping.nodes, and refuses a process on more than one of them. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal__check_nodes(struct dal_diags *diags, struct dal_spec_mapping *mapping);
/* Lists the links between nodes whose latency and bandwidth are known. DAL_OK or DAL_ERR_NOMEM. */
int dal__check_links(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                     const struct dal__raw *raw, const struct dal_names *names);
/* May a process on one of two processors be on the other as well? Accepts NULL. */
int dal__same_node(const struct dal_spec_processor *a, const struct dal_spec_processor *b);
