/*
 * From the plan to the text of the emitted folder. Nothing is written to disk here, so that what
 * cannot be made whole is not begun. The same input gives the same bytes.
 */
#ifndef DAL_SYNTH_EMIT_EMIT_H
#define DAL_SYNTH_EMIT_EMIT_H

#include "spec/fsm.h"
#include "synth/plan/plan.h"
#include "synth/text.h"

struct dal_tree_file {
    char *name;
    struct dal_text text;
    const void *bytes; /* instead of the text: owned by the specification */
    size_t count;
    int spare; /* only where there is none of this name, in whatever case */
};

/* The files of the folder, in the order in which they were added. */
struct dal_tree {
    struct dal_tree_file **files;
    size_t count, room;
    int lost;
};

struct dal_emit {
    const struct dal_plan *plan;    /* the first of its group: dal_plan_peer() has the others */
    const struct dal_spec_fsm *fsm; /* over several applications, or NULL */
    const char *first_file;         /* as given: the network's, or the state machine's */
    const char *program;            /* name of the binary: dal_emit_program() */
    const char *source_dir;         /* dal__emit_folder() of the first file */
    const char *output_dir;         /* absolute: where the folder will be */
    const char *dal_cflags; /* options that find the runtime's headers, for compile_commands.json */
};

/* A file name after the network's or the state machine's, one that no target or file of the folder
 * has. The caller frees it; NULL when memory is exhausted. */
char *dal_emit_program(const char *name);

/* Refuses what no generated file may have in it, in names of folders. Returns DAL_OK, or
 * DAL_ERR_INVALID with the problem in diags. */
int dal_emit_check(struct dal_diags *diags, const struct dal_emit *emit);

/* Makes the whole tree. Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes tree either way. */
int dal_emit(const struct dal_emit *emit, struct dal_tree *tree);

void dal_tree_finish(struct dal_tree *tree);
/* Writes the files into a folder that exists. Returns DAL_OK, or DAL_ERR_IO with errno set and the
 * file's name in *name. */
int dal_tree_write(const struct dal_tree *tree, int directory, const char **name);

/*
 * Initial tokens of more bytes than DAL_EMIT_DATA_BYTES would take the compiler fifty times as much
 * memory as C text. They are files of their own, NET.CHANNEL.bin, which NET.data.s puts into the
 * program: read-only, at a multiple of 64 bytes. No unit and no program has a dot in its name, and
 * no C function in its symbol.
 */
#define DAL_EMIT_DATA_BYTES 4096
int dal__emit_is_file(const struct dal_spec_channel *channel);
/* Whether a plan has any. */
int dal__emit_has_data(const struct dal_plan *plan);
/* "NET.WHAT", NET being the plan's file without its ending: the files above without theirs, and
 * with "dal." before it a channel's symbol. The caller frees it; NULL when memory is exhausted. */
char *dal__emit_data_name(const struct dal_plan *plan, const char *what);

/* How every C file is compiled: a*b+c is rounded twice, as on a processor that cannot do otherwise.
 * A source's own cflags stand behind it. */
#define DAL_EMIT_FLOAT "-ffp-contract=off"
/* Of a source that allows contraction. */
#define DAL_EMIT_CONTRACTION "-ffp-contract=fast"

/* The parts, each adding its files to the tree. */
void dal__emit_net(const struct dal_plan *plan, struct dal_tree *tree);
void dal__emit_data(const struct dal_plan *plan, struct dal_tree *tree);
void dal__emit_fsm(const struct dal_emit *emit, struct dal_tree *tree);
void dal__emit_code(const struct dal_plan *plan, struct dal_tree *tree,
                    const struct dal_plan_unit *unit);
void dal__emit_ports(struct dal_text *text,
                     const struct dal_spec_process *process); /* in a header */
void dal__emit_kernel(const struct dal_plan *plan, struct dal_tree *tree,
                      const struct dal_plan_unit *unit);
void dal__emit_make(const struct dal_emit *emit, struct dal_tree *tree);
void dal__emit_commands(const struct dal_emit *emit, struct dal_tree *tree);

/* A new, empty file; a text that goes nowhere when memory is exhausted (tree.lost). */
struct dal_text *dal__tree_add(struct dal_tree *tree, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A new file of bytes that outlive the tree. */
void dal__tree_add_bytes(struct dal_tree *tree, const void *bytes, size_t count, const char *format,
                         ...) __attribute__((format(printf, 4, 5)));
/* First lines of every C file: what it is and what it was made from. */
void dal__emit_banner(const struct dal_plan *plan, struct dal_text *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* C file of the state machine's tables. The caller frees it; NULL when memory is exhausted. */
char *dal__emit_fsm_file(const struct dal_emit *emit);
/* The folder of a file, absolute. The caller frees it; NULL when it is not there. */
char *dal__emit_folder(const char *file);
/* What of a folder is below source_dir: "" of that itself; NULL of one that is elsewhere. Points
 * into folder. */
const char *dal__emit_below(const struct dal_emit *emit, const char *folder);
/* The plan that has this unit. */
const struct dal_plan *dal__emit_plan(const struct dal_emit *emit,
                                      const struct dal_plan_unit *unit);

#endif
