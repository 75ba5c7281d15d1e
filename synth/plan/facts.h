/*
 * What a C source defines, as synth/source finds it. A unit keeps it for what emits the unit.
 */
#ifndef DAL_SYNTH_PLAN_FACTS_H
#define DAL_SYNTH_PLAN_FACTS_H

#include "synth/text.h"

/* The functions of a process. */
enum dal_role { DAL_ROLE_INIT, DAL_ROLE_FIRE, DAL_ROLE_FINISH, DAL_ROLES };

/* A function that has a body, or is another name of one that has. */
struct dal_function {
    char *name;
    char *symbol;            /* NAME itself, or what a macro of the source makes of it */
    char *result, *argument; /* types; "void" without an argument */
    int is_static;
};

/* Lists as dal_text_list_add() makes them, but for the last. */
struct dal_facts {
    struct dal_function *functions;
    size_t function_count, function_room;
    int has_state;  /* struct _local_states is complete */
    char *flexible; /* its last member, where that is an array without a size; in a file */
    char *flexible_file;
    int flexible_line;
    struct dal_text own;      /* constants of ports that the source defines itself */
    struct dal_text includes; /* files that it includes with quotes, as written */
    struct dal_text missing;  /* those of them that are not there */
    struct dal_text aside;    /* macros of the options that the text in front has words of */
    struct dal_text behind;   /* macros of the source that are words of what stands behind it */
    int keeps_p;              /* perhaps, see below */
    struct dal_text errors;   /* "LINE MESSAGE" a line, of the source's file; not of others */
};

/*
 * keeps_p: does the source keep the p of its fire where later calls could find it: in a variable,
 * in a structure, or through a function that is not its own? If not, fire can be compiled with a p
 * of its own for every firing (include/dal_unit.h, dal_unit_run). The answer is "perhaps" wherever
 * a p is not just p->local, compared, or an argument, where it is a DALProcess * again, of a
 * function that is defined here, or of one of dal.h; and where the source has errors.
 */

/* Frees what they have; they may be half-made. */
void dal_facts_finish(struct dal_facts *facts);

#endif
