/*
 * The header for the files of this room: the parts of the emitted folder, each in a file of its
 * own, and what they share. emit.c calls the parts; none of them calls back.
 */
#pragma once

#include "synth/codegen/emit/emit.h"

/*
 * Initial tokens of more bytes than DAL_EMIT_DATA_BYTES would take the compiler fifty times as much
 * memory as C text. They are files of their own, NET.CHANNEL.bin, which NET.data.s puts into the
 * program: read-only, at a multiple of 64 bytes. No unit and no program has a dot in its name, and
 * no C function in its symbol.
 */
#define DAL_EMIT_DATA_BYTES 4096
int dal__emit_is_file(const struct dal_spec_channel *channel);
/* Has a plan any such file? */
int dal__emit_has_data(const struct dal_plan *plan);
/* "NET.WHAT", NET being the plan's file without its ending. These are the files above without their
 * endings and, with "dal." in front, the symbols of channels. The caller frees it; NULL when memory
 * is exhausted. */
char *dal__emit_data_name(const struct dal_plan *plan, const char *what);

/* The compiler's option for each C file: a*b+c is rounded twice, as on a processor that cannot do
 * otherwise. A source's own cflags stand behind it. */
#define DAL_EMIT_FLOAT "-ffp-contract=off"
/* Options for C++, instead of -std=gnu11. */
#define DAL_EMIT_CXX "-std=gnu++17 -Wno-missing-field-initializers"
/* The option for a source that allows contraction. */
#define DAL_EMIT_CONTRACTION "-ffp-contract=fast"

/* The parts, each adding its files to the tree. */
/* The network may be alone, or one in a state machine. */
void dal__emit_net(const struct dal_emit *emit, const struct dal_plan *plan, struct dal_tree *tree);
void dal__emit_data(const struct dal_plan *plan, struct dal_tree *tree);
void dal__emit_fsm(const struct dal_emit *emit, struct dal_tree *tree);
void dal__emit_code(const struct dal_plan *plan, struct dal_tree *tree,
                    const struct dal_plan_unit *unit);
void dal__emit_ports(struct dal_text *text,
                     const struct dal_spec_process *process); /* in a header */
/* A struct dal_counted of a counted channel, in braces. */
void dal__emit_counted(struct dal_text *text, const struct dal_spec_channel *channel);
void dal__emit_kernel(const struct dal_plan *plan, struct dal_tree *tree,
                      const struct dal_plan_unit *unit);
/* The file of the runtime's calls of OpenMP, emitted where processes have threads. No unit has a
 * dot in its name. */
#define DAL_EMIT_OPENMP "net.openmp"
int dal__emit_has_openmp(const struct dal_emit *emit);
void dal__emit_openmp(const struct dal_emit *emit, struct dal_tree *tree);
/* The files of a library (DAL_OK, DAL_ERR_NOMEM or DAL_ERR_INTERRUPTED), its rules in the Makefile,
 * and the name of its symbols: an identifier, which the caller frees; NULL when memory is
 * exhausted. */
int dal__emit_library(const struct dal_emit *emit, struct dal_tree *tree);
void dal__emit_library_rules(const struct dal_emit *emit, struct dal_text *text, int is_cxx);
char *dal__emit_symbol(const struct dal_emit *emit);
void dal__emit_make(const struct dal_emit *emit, struct dal_tree *tree);
void dal__emit_commands(const struct dal_emit *emit, struct dal_tree *tree);

/* The table of the nodes that a mapping is for, and the fields that name it; nothing for one node.
 */
void dal__emit_node_names(const struct dal_spec_mapping *mapping, struct dal_text *text);
void dal__emit_nodes(const struct dal_spec_mapping *mapping, struct dal_text *text);

/* The table of what the program is made from, and the fields that name it. Where main() is. */
void dal__emit_made(const struct dal_emit *emit, struct dal_text *text);
void dal__emit_made_fields(struct dal_text *text);

/* Does a unit include headers that channels name? They are seen from the network's folder. */
int dal__emit_has_types(const struct dal_plan_unit *unit);

/* First lines of every C file: what it is and what it was made from. */
void dal__emit_banner(const struct dal_plan *plan, struct dal_text *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* C file of the state machine's tables. The caller frees it; NULL when memory is exhausted. */
char *dal__emit_fsm_file(const struct dal_emit *emit);
/* Returns the part of a folder's path below source_dir, which points into folder: "" for source_dir
 * itself, NULL for a folder elsewhere. */
const char *dal__emit_below(const struct dal_emit *emit, const char *folder);
/* The plan that has this unit. */
const struct dal_plan *dal__emit_plan(const struct dal_emit *emit,
                                      const struct dal_plan_unit *unit);
