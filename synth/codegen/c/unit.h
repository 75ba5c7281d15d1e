/*
 * The header for the files of this room: what is done with one unit, for dal_source_units(). Errors
 * are found before a compiler is run, so that the message is about the process and not about
 * generated text.
 *
 * Each returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the problem in diags.
 */
#pragma once

#include "synth/plan/plan.h"

/* Sources larger than this are refused; nothing written by hand comes near. */
#define DAL_UNIT_MAX_BYTES (16u << 20)

/* Have two ports the same rate, in all phases? */
int dal__same_rates(const struct dal_spec_port *a, const struct dal_spec_port *b);

/* Reads a C source: fills in unit.facts, which units that read the same share, and what follows
 * from them: unit.function, roles, own, undefined, keeps_p, has_state and asks_header. Functions
 * are called NAME_fire, ...; NAME is the process; else the file's without what is behind the first
 * dot; else whatever other process of this source, or the file in other case, if that is one and no
 * more. Of a C unit also makes unit.text, where a DAL_foreach (name : port) is rewritten. */
int dal_unit_scan_c(struct dal_diags *diags, const struct dal_plan *plan,
                    struct dal_plan_unit *unit);

/* Part of it, called behind unit.facts: fills in unit.function, roles, keeps_p and has_state. */
int dal__unit_functions(struct dal_diags *diags, const struct dal_plan *plan,
                        struct dal_plan_unit *unit);

/* Reads all C and portable sources of these units ahead, before anything else is done with them.
 * Fills in unit.prologue, and unit.output where the source has been read. */
int dal__units_read_ahead(struct dal_plan *plan, struct dal_plan_unit *units, size_t count);

/* The unit of a process before it has names; and the one among these that is its own, or NULL. */
struct dal_plan_unit dal__unit_of(const struct dal_plan_process *p);
struct dal_plan_unit *dal__unit_for(struct dal_plan_unit *units, size_t count,
                                    const struct dal_plan_process *p);

/* Refuses what is said to be stateless and is not. DAL_OK or DAL_ERR_INVALID. */
int dal__check_stateless(struct dal_diags *diags, const struct dal_plan *plan);
/* Warns of kernels that do not know which firing of a launch they are. Called behind
 * dal__groups_fuse(): in a group each firing is a call. (kernel/firings.c) */
void dal__warn_of_firings(struct dal_diags *diags, const struct dal_plan *plan);

/* Fills in unit.prologue, unless it is there. */
int dal__unit_prologue(const struct dal_plan *plan, struct dal_plan_unit *unit);

/* Do two units with a prologue have the same to be read? */
int dal__unit_is_alike(const struct dal_plan_unit *a, const struct dal_plan_unit *b);

/* Makes unit.kernel and unit.text: the user's source as the preprocessor leaves it. A base and an
 * offset a port replace the kernel's arguments; its body declares the user's pointers at its top.
 * Where something else calls the kernel, that stays, and ours stands behind it. Lines keep their
 * numbers. */
int dal_unit_rewrite_kernel(struct dal_diags *diags, const struct dal_plan *plan,
                            struct dal_plan_unit *unit);

/* Makes the kernel of each group: a unit of its own, behind the others. Takes groups apart that
 * cannot have one. Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_INTERRUPTED. */
int dal__groups_fuse(struct dal_diags *diags, struct dal_plan *plan);
/* Lists the units of the plan's processes, and gives names to them, to their files and to the
 * table's file. DAL_OK or DAL_ERR_NOMEM. */
int dal__units_list(struct dal_plan *plan);
/* Names the header of each C unit, once the sources are read. DAL_OK or DAL_ERR_NOMEM. */
int dal__units_name_headers(struct dal_plan *plan);
/* Returns whether a unit must not have this name. */
int dal__name_is_reserved(const char *name);
/* Part of dal__groups_fuse(): adds the unit, with its names. DAL_OK or DAL_ERR_NOMEM. */
int dal__unit_add_group(struct dal_plan *plan, struct dal_plan_group *group);

/* Adds the source with a comma for the colon of DAL_foreach (name : port), as the macro of dal.h
 * wants it. Adds it also where no #include can name the source; else nothing. */
int dal_unit_rewrite_foreach(struct dal_diags *diags, const struct dal_plan_unit *unit,
                             struct dal_text *text);

/* A source in Python. The first adds C for the reader, which needs no Python; the second makes
 * unit.text, and checks with python3, if that is there, that the source can be read. DAL_OK,
 * DAL_ERR_NOMEM, DAL_ERR_INTERRUPTED, or DAL_ERR_INVALID with the problem in diags. */
int dal__python_stub(struct dal_text *text);
int dal__python_text(struct dal_diags *diags, const struct dal_plan *plan,
                     struct dal_plan_unit *unit);

/* Called behind dal_unit_scan_c(). Refuses what a portable source cannot do, whatever it runs on
 * now; for a device makes unit.kernel and unit.text. */
int dal_unit_portable(struct dal_diags *diags, const struct dal_plan *plan,
                      struct dal_plan_unit *unit);

/* Fills in unit.in_group of a portable source: the text for its device, behind the preprocessor.
 * Its kernel is called unit.kernel; the arguments are the windows of one firing, in the order of
 * the ports. Returns DAL_ERR_INVALID where there can be none, and reports nothing. */
int dal__portable_in_group(const struct dal_plan *plan, struct dal_plan_unit *unit);

/* Refuses C++ where no compiler for it is found. */
int dal__unit_check_cxx(struct dal_diags *diags, const struct dal_plan_unit *unit);

/* A text that is copied with changes. Words for the memory of variables are replaced on the way, as
 * its facts say. */
struct dal__copy {
    struct dal_text *text;
    const char *source;
    size_t at; /* up to here it is in the text, or left out */
    const struct dal_facts *facts;
    size_t next; /* the next fact */
};

void dal__copy_until(struct dal__copy *copy, size_t offset);

/* Adds a kernel's parameter as it is written, `called` so; an array as the pointer that it is. */
void dal__add_parameter(struct dal_text *text, const char *source, const struct dal_fact *parameter,
                        const char *called);

/* Adds the type of a kernel's parameter, in brackets, as a cast; an array is the pointer that it
 * is. `source` is the text of the fact's offsets. A type that can be written in one place only
 * becomes a pointer to anything. */
void dal__add_cast(struct dal_text *text, const char *source, const struct dal_fact *parameter);

/* Adds DAL_LOCAL_VARIABLE and DAL_CONSTANT_VARIABLE in front of a kernel's text: the words for a
 * variable's memory, as OpenCL C has them. CUDA's are in front of all of it. */
void dal__add_words(struct dal_text *text);
/* Adds DAL_CONSTANT_IN_KERNEL, where a variant has such a variable in a function. */
void dal__add_constant_word(struct dal_text *text, const struct dal_variants *variants);
/* Adds DAL_POINTER, which becomes a pointer to anything in global memory by itself, also in C++. */
void dal__add_pointer(struct dal_text *text);

/* Adds what keeps an OpenCL compiler from contracting a*b+c, unless the source allows it; in force
 * up to the text's end. */
void dal_unit_contraction(struct dal_text *text, const struct dal_plan_unit *unit);

/* Has a firing one work-item, and may the text say so (alone.c)? */
int dal__unit_is_alone(const struct dal_plan_unit *unit, const struct dal_variants *variants);
/* The first adds what stands in front of the text of such a unit, the second what stands behind it.
 */
void dal__add_alone(struct dal_text *text);
void dal__drop_alone(struct dal_text *text);

/* Checks that a source's cflags and libs have all their quotes, and make an object of C that the
 * program can be linked with. DAL_OK, DAL_ERR_INVALID or DAL_ERR_NOMEM. */
int dal__unit_check_options(struct dal_diags *diags, const struct dal_plan_unit *unit);

/* Returns a unit that has been read and has the same to be read, in front as well; or NULL. */
const struct dal_plan_unit *dal__unit_alike(const struct dal_plan *plan,
                                            const struct dal_plan_unit *unit);

/* Returns the path of a file as the user knows it who has named the source: below its folder, by
 * the way that leads there. The caller frees it; NULL when memory is exhausted. */
char *dal__user_path(const struct dal_spec_source *source, const char *path);

/* Returns the place of a fact; the source as a whole if that is not known. */
struct dal_spec_place dal__unit_place(struct dal_diags *diags, const struct dal_spec_source *source,
                                      const struct dal_fact *fact);

/* Returns the place of a kernel's fact: in the file of that name that its #line tells. */
struct dal_spec_place dal__place_in_unit(struct dal_diags *diags, const struct dal_plan_unit *unit,
                                         const struct dal_fact *fact);

/* Refuses in all units for CUDA what CUDA cannot have, once their texts are made. Returns DAL_OK,
 * DAL_ERR_NOMEM, DAL_ERR_INTERRUPTED, or DAL_ERR_INVALID with the problems in diags. */
int dal__units_check_cuda(struct dal_diags *diags, const struct dal_plan *plan);
/* A kernel's text, read as CUDA does: "error" and "never" are among its facts then. Returns as
 * dal_read_source(). */
int dal__read_as_cuda(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                      struct dal_facts *facts);

/* Reports the errors among the facts; returns how many those are. */
size_t dal__unit_errors(struct dal_diags *diags, const struct dal_spec_source *source,
                        const char *code, const struct dal_facts *facts);

/* Reads a source, with an error in diags when that fails. */
int dal_unit_read(struct dal_diags *diags, const struct dal_spec_source *source, const char *path,
                  char **data, size_t *length);

/* Says that a source's reader has ended without a result, or was ended. Returns DAL_ERR_INVALID. */
int dal__unit_unread(struct dal_diags *diags, const struct dal_spec_source *source);

/* Finds the source and the files beside it that it includes with quotes, wherever that is written.
 * Refuses by name what is no regular file of a bounded size, which a reader would wait for or choke
 * on. *list, if not NULL, is then their paths, the source's first, for the caller to finish. */
int dal__unit_files(struct dal_diags *diags, const struct dal_spec_source *source,
                    struct dal_text *list);

/* A macro that a device's compiler is given alone: how many work-items a work-group has. */
#define DAL__GROUP_ITEMS "DAL_GROUP_ITEMS"

/* Adds the macro where a text of these has it: as many as the unit has. Then adds the questions of
 * dal_collectives.h to a device, where a text has them, too. */
void dal__add_group_items(struct dal_text *text, const struct dal_plan_unit *unit,
                          const struct dal_variants *variants);

/* The text of dal_collectives.h without its questions to a device, which stand in front. */
extern const char dal__collectives[];
void dal__add_device(struct dal_text *text);

/* Makes a folder with that header in it, which the other call removes and frees; NULL is none.
 * Returns DAL_OK; DAL_ERR_NOMEM; or DAL_ERR_INVALID with the problem in diags. */
int dal__collectives_open(struct dal_diags *diags, const struct dal_spec_source *source,
                          char **folder);
void dal__collectives_close(char *folder);
