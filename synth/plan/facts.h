/*
 * The facts of a source, as synth/codegen finds them. A unit keeps them for what emits the unit.
 */
#ifndef DAL_SYNTH_PLAN_FACTS_H
#define DAL_SYNTH_PLAN_FACTS_H

#include "spec/base/text.h"

enum { DAL_FACT_NUMBERS = 9 };

/* One thing that the reader says (synth/codegen/clang/reader.h). Strings are "" where there is
 * none. */
struct dal_fact {
    const char *kind, *name, *text, *more;
    const char *file; /* where the thing stands; line 0 for nowhere */
    int line, column;
    size_t numbers[DAL_FACT_NUMBERS];
};

/* The functions of a process. */
enum dal_role { DAL_ROLE_INIT, DAL_ROLE_FIRE, DAL_ROLE_FINISH, DAL_ROLES };

/* A function that has a body, or is another name of one that has. */
struct dal_function {
    char *name;
    char *symbol;            /* NAME itself, or what a macro of the source makes of it */
    char *result, *argument; /* types; "void" without an argument */
    int is_static;
    int of_other; /* called after another process of the source; see dal_facts.others_known */
};

struct dal_facts {
    struct dal_fact
        *list; /* all of them, in the order of the source; their strings are in `lines` */
    size_t count, room;
    char *lines;
    /* Only for a C source. Lists are as dal_text_list_add() makes them. */
    struct dal_function *functions;
    size_t function_count, function_room;
    int has_state;            /* struct _local_states is complete */
    struct dal_text own;      /* constants of ports that the source defines itself */
    struct dal_text includes; /* files that it includes with quotes, as written */
    struct dal_text missing;  /* included files that are not there */
    struct dal_text aside;    /* macros of the options that the text in front has words of */
    struct dal_text behind;   /* macros of the source that are words of what stands behind it */
    int keeps_p;              /* perhaps, see below */
    int others_known;         /* its functions say whether they are of_other */
};

/*
 * keeps_p: does the source keep the p of its fire where later calls could find it? It does so in a
 * variable, in a structure, or through a function that is not its own. If not, fire can be compiled
 * with a p of its own for every firing (include/dal_unit.h, dal_unit_run). The answer is no only
 * where each p is p->local, compared, or an argument. That argument must be a DALProcess * of a
 * function that is defined here, or of one of dal.h. A source with errors gets "perhaps".
 */

int dal_fact_is(const struct dal_fact *fact, const char *kind);
/* The first of its kind with that name, or with any; NULL without one. */
const struct dal_fact *dal_fact_find(const struct dal_facts *facts, const char *kind,
                                     const char *name);

/* The next of a kind behind `fact`, which is a function or about it; NULL without one. */
const struct dal_fact *dal_fact_of_function(const struct dal_facts *facts, const char *kind,
                                            const struct dal_fact *fact);

/* An OpenCL source as the preprocessor leaves it for some devices
 * (synth/codegen/kernel/variants.h). */
struct dal_variant {
    struct dal_text condition; /* of a #if; "" for all devices */
    struct dal_text defines;   /* options that make it: a list */
    struct dal_text text;
    struct dal_facts facts; /* facts of the text */
    int is_refused;         /* by the preprocessor: the text is what that says */
};

struct dal_variants {
    struct dal_variant *list;
    size_t count;
    struct dal_text files; /* files that the texts are made of: a list */
};

/* Frees what they have; they may be half-made. */
void dal_facts_finish(struct dal_facts *facts);
void dal_variant_finish(struct dal_variant *variant);
void dal_variants_finish(struct dal_variants *variants);

#endif
