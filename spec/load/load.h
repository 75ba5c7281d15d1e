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

/*
 * Loads what a mapping is searched for: like dal_spec_load(), but the mapping may leave processes
 * unbound, and `mapping_file` may be NULL; and variables may be left open. Then mapping.bindings
 * has fewer entries than there are processes, still in their order; mapping.file is NULL without a
 * file.
 */
struct dal_spec *dal_spec_load_open(struct dal_diags *diags, const char *network_file,
                                    const char *architecture_file, const char *mapping_file,
                                    const struct dal_spec_define *defines, size_t define_count);

/*
 * Loads what is to be analysed: like dal_spec_load(), but a process need not have a source nor a
 * source its file, and nothing is said of whether the network can run: sizes may be too small, and
 * consistency and liveness are not looked at. Sources keep the path that the file would have, and
 * process.repetitions is not set. Such a spec is no input for synth/.
 */
struct dal_spec *dal_spec_load_unchecked(struct dal_diags *diags, const char *network_file,
                                         const char *architecture_file, const char *mapping_file,
                                         const struct dal_spec_define *defines,
                                         size_t define_count);

/* As dal_spec_load_unchecked(), but variables may be left open: they are 1. Used for the names in
 * the files. */
struct dal_spec *dal_spec_load_names(struct dal_diags *diags, const char *network_file,
                                     const char *architecture_file,
                                     const struct dal_spec_define *defines, size_t define_count);

/* Loads the fourth specification, a finite state machine, as dal_spec_load() does. */
struct dal_spec_fsm *dal_fsm_load(struct dal_diags *diags, const char *file);
