/* Loads the specifications into the model. One thread. */
#pragma once

#include "spec/model/fsm.h"
#include "spec/model/model.h"

/*
 * Loads, validates (XSD, then meaning) and resolves. `architecture_file` and `mapping_file` may
 * both be NULL: then only the network is loaded. All problems are added to diags; on any error
 * NULL is returned and nothing is kept. The caller destroys the result.
 */
struct dal_spec *dal_spec_load(struct dal_diags *diags, const char *network_file,
                               const char *architecture_file, const char *mapping_file,
                               const struct dal_spec_define *defines, size_t define_count);

/* As dal_spec_load(), with an architecture and a mapping to the cores that are made for the
 * network, which the user has not seen: errors are told where the network has them. */
struct dal_spec *dal_spec_load_made(struct dal_diags *diags, const char *network_file,
                                    const char *architecture_file, const char *mapping_file,
                                    const struct dal_spec_define *defines, size_t define_count);

/*
 * Loads the input of a search for a mapping. In contrast to dal_spec_load(), the mapping may leave
 * processes unbound, `mapping_file` may be NULL, and variables may be open. mapping.bindings then
 * has fewer entries than there are processes, in the same order. mapping.file is NULL without a
 * file.
 */
struct dal_spec *dal_spec_load_open(struct dal_diags *diags, const char *network_file,
                                    const char *architecture_file, const char *mapping_file,
                                    const struct dal_spec_define *defines, size_t define_count);

/*
 * Loads the input of an analysis. In contrast to dal_spec_load(), sources and their files may be
 * missing, and nobody checks whether the network can run: neither sizes, nor consistency, nor
 * liveness. Sources keep the path that the file would have. process.repetitions is not set. Such a
 * spec is no input for synth/.
 */
struct dal_spec *dal_spec_load_unchecked(struct dal_diags *diags, const char *network_file,
                                         const char *architecture_file, const char *mapping_file,
                                         const struct dal_spec_define *defines,
                                         size_t define_count);

/* As dal_spec_load_unchecked(), but open variables are allowed, and are 1. For callers that need
 * only the names in the files. */
struct dal_spec *dal_spec_load_names(struct dal_diags *diags, const char *network_file,
                                     const char *architecture_file,
                                     const struct dal_spec_define *defines, size_t define_count);

/* Loads the fourth specification, a finite state machine, as dal_spec_load() does. */
struct dal_spec_fsm *dal_fsm_load(struct dal_diags *diags, const char *file);
