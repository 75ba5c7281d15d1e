/*
 * The facts of a source, as synth/codegen finds them. A unit keeps them for what emits the unit.
 */
#pragma once

#include "spec/base/text.h"

/*
 * The kinds of facts that the reader tells of a source (synth/codegen/clang/reader.h). Facts come
 * in the order of the source. Offsets are in bytes of its text.
 */
enum dal_fact_kind {
    DAL_FACT_ERROR,   /* what is wrong (name) */
    DAL_FACT_REFUSED, /* what a process may not do, though it is right (name) */

    /* Of a C source. Those without a comment fill in the lists of struct dal_facts. */
    DAL_FACT_OWN,
    DAL_FACT_INCLUDE,
    DAL_FACT_MISSING,
    DAL_FACT_UNDEFINED,
    DAL_FACT_BEHIND,
    DAL_FACT_RENAME,      /* a macro that may make one function of another */
    DAL_FACT_COLLECTIVES, /* it includes dal_collectives.h */
    DAL_FACT_KEEPS,       /* keeps_p */
    DAL_FACT_STATE,       /* has_state */
    DAL_FACT_FLEXIBLE,    /* the state's last member, an array without a size */
    DAL_FACT_STATE_TYPE,  /* a structure Square_State of a source for DOL */
    DAL_FACT_STATE_CAST,  /* the type that p->local is made a pointer to */
    DAL_FACT_STATELESS,   /* a function that keeps nothing from one call to the next */
    DAL_FACT_DOUBT,       /* one that perhaps does; why, in words behind its name */
    DAL_FACT_WRITES,      /* one that writes what outlives the firing; how, in words */
    DAL_FACT_RELIES,      /* a function of the library that one which keeps nothing calls (word) */
    DAL_FACT_INPUT,       /* the window of an input that such a one writes; the port, or "" */
    DAL_FACT_OPENMP,      /* a directive of OpenMP */
    DAL_FACT_REDUCTION,   /* a variable of floating point that OpenMP reduces */

    /* Of a portable source: a line of the device's text, behind what stands in front. */
    DAL_FACT_LINE,

    /* Of an OpenCL source; places are those that its #line say. CUDA C++ has all but LOCAL, USE,
     * WORD, IN_WAY, STEP, MEMORY and CUDA. Those from PARAMETER to STEP are of the FUNCTION in
     * front of them. */
    DAL_FACT_FUNCTION,  /* a function with a body; in C, too */
    DAL_FACT_PROTOTYPE, /* a function without a body */
    DAL_FACT_PARAMETER,
    DAL_FACT_SIZE,   /* reqd_work_group_size */
    DAL_FACT_LOCAL,  /* a variable in local memory */
    DAL_FACT_USE,    /* a use of such a variable */
    DAL_FACT_WORD,   /* an element of a window, which is the work-item's own; its parameter */
    DAL_FACT_IN_WAY, /* why words of a parameter are not passed in registers; "" of all, and
                      * DAL_IN_WAY_OF_ITEMS if a firing has several work-items */
    DAL_FACT_STEP,   /* how a kernel goes over its words; its loop's variable, "" without one. A
                      * second one is of a loop in that */
    DAL_FACT_CALL,   /* a call of a function of the source */
    DAL_FACT_NAME,   /* a name of something outside of all functions */
    DAL_FACT_MEETS,  /* a function that all work-items of a work-group have to reach is called */
    DAL_FACT_ASKS,   /* a function that answers a work-item is called */
    DAL_FACT_MEMORY, /* the word of a variable in local or constant memory that says so; its macro
                      * (name). In the order of the text. */
    DAL_FACT_CUDA,   /* what CUDA lacks, in words that stand for its compiler's about that line */
    DAL_FACT_NEVER,  /* what CUDA would take for something else, in words */

    /* Of a type: of a header, of a kernel's argument or of a portable source's port. */
    DAL_FACT_UNUSABLE, /* why no token can be of it, in words behind its name */
    DAL_FACT_LAYOUT,   /* the type as it is written */
    DAL_FACT_MEMBER,   /* a member without members: "at.x"; "" of a type that is no structure. An
                        * array of structures has the members of its first one. */
    DAL_FACT_KINDS
};

#define DAL_IN_WAY_OF_ITEMS "*"

/* Memory that a pointer leads to. */
enum dal_target {
    DAL_TARGET_NONE, /* not a plain pointer */
    DAL_TARGET_GLOBAL,
    DAL_TARGET_LOCAL,
    DAL_TARGET_CONSTANT,
    DAL_TARGET_OTHER,
};

enum dal_member_kind {
    DAL_MEMBER_INTEGER,
    DAL_MEMBER_REAL,
    DAL_MEMBER_RECORDS, /* an array of structures, whose members stand behind it */
    DAL_MEMBER_ADDRESS, /* a pointer, or as large as one: not of one size on all devices */
    DAL_MEMBER_BOOL,
    DAL_MEMBER_BITS, /* a bit-field */
    DAL_MEMBER_OTHER,
};

/* The parts of a fact beside its name and place, by kind. A structure has its texts first, "" for
 * none, then its numbers; facts.c counts both. */
struct dal_error_fact {
    size_t is_syntax; /* the text cannot be parted */
};
struct dal_word_fact { /* RENAME: the other name; STATE_TYPE, STATE_CAST: the word in front of it in
                          C; DOUBT, WRITES: the words; RELIES, INPUT: the name; IN_WAY: the variable
                        */
    const char *word;
};
struct dal_reduction_fact {
    const char *operation;
    const char *lanes; /* "simd": lanes of a vector have a part each; "both": threads, too; or "" */
};
struct dal_function_fact {
    const char *result, *argument; /* types; that of the first argument of C, "void" without one */
    size_t is_static;              /* C */
    size_t is_kernel;              /* OpenCL C, as what follows */
    size_t keyword;                /* behind "kernel" */
    size_t arguments;              /* behind its "(" */
    size_t arguments_end;          /* at its ")" */
    size_t body;                   /* behind its "{" */
    size_t end;                    /* at its "}" */
    size_t body_line;              /* where its "{" stands */
    size_t start;                  /* a kernel's, or fire's, behind what stands before it */
    size_t at;                     /* its name */
};
struct dal_parameter_fact {
    const char *type, *canonical; /* as written, and without other names */
    size_t points_to;             /* an enum dal_target */
    size_t value;                 /* an enum dal_value_type and 1; 0 for another type */
    size_t is_array;
    size_t is_const, is_volatile; /* of what it points to */
    size_t start, at, end;        /* its own, and its name's */
};
struct dal_size_fact {
    size_t size[3];
};
struct dal_local_fact {
    const char *fault; /* why it cannot be declared elsewhere */
    size_t start, end; /* of its declaration, with the others in it */
};
struct dal_word_place_fact { /* USE, MEMORY */
    size_t start, bytes;
};
struct dal_element_fact {
    const char *type; /* of OpenCL C */
    size_t bytes;     /* of one */
    size_t start, end;
    size_t is_stored; /* else its value is taken */
    size_t is_alone;  /* the first work-item alone does so */
};
struct dal_step_fact { /* without a loop, all are 0 */
    size_t words;      /* of all work-items */
    size_t items;      /* the number of work-items that it takes for granted, or 0 */
    size_t by, of;     /* the loop does word i where it counts i / by % of */
    size_t start, start_end, next, next_end; /* its first number, and its step */
};
struct dal_layout_fact {
    const char *of; /* the argument, or the port; "" of a header's type */
    size_t bytes, alignment;
};
struct dal_member_fact {
    const char *of, *type;
    size_t offset, bytes; /* of the whole, with all elements of an array or a vector */
    size_t element;       /* bytes of one */
    size_t kind;          /* an enum dal_member_kind */
    size_t is_unsigned;   /* true when it is of C's unsigned types */
};

struct dal_fact {
    enum dal_fact_kind kind;
    const char *name; /* "" where there is none */
    const char *file; /* where the thing stands; line 0 for nowhere */
    int line, column;
    union {
        struct dal_error_fact error;
        struct dal_word_fact word;
        struct dal_reduction_fact reduction;
        struct dal_function_fact function; /* also of a PROTOTYPE */
        struct dal_parameter_fact parameter;
        struct dal_size_fact size;
        struct dal_local_fact local;
        struct dal_word_place_fact place;
        struct dal_element_fact element;
        struct dal_step_fact step;
        struct dal_layout_fact layout;
        struct dal_member_fact member;
    };
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
    int has_state;             /* struct _local_states is complete */
    struct dal_text own;       /* constants of ports that the source defines itself */
    struct dal_text includes;  /* files that it includes with quotes, as written */
    struct dal_text missing;   /* included files that are not there */
    struct dal_text undefined; /* macros of the options that the prologue has words of */
    struct dal_text behind;    /* macros of the source that are words of what stands behind it */
    int keeps_p;               /* perhaps, see below */
    int others_known;          /* its functions say whether they are of_other */
};

/*
 * keeps_p: does the source keep the p of its fire where later calls could find it? It does so in a
 * variable, in a structure, or through a function that is not its own. If not, fire can be compiled
 * with a p of its own for every firing (include/dal_unit.h, dal_unit_run). The answer is no only
 * where each p is p->local, compared, or an argument. That argument must be a DALProcess * of a
 * function that is defined here, or of one of dal.h. A source with errors gets "perhaps".
 */

/* The next of a kind behind `fact`, or the first for NULL; NULL without one. */
const struct dal_fact *dal_fact_next(const struct dal_facts *facts, enum dal_fact_kind kind,
                                     const struct dal_fact *fact);
/* The first of its kind with that name, or with any for NULL; NULL without one. */
const struct dal_fact *dal_fact_find(const struct dal_facts *facts, enum dal_fact_kind kind,
                                     const char *name);
/* The next of a kind behind `fact`, which is a function or about it; NULL without one. */
const struct dal_fact *dal_fact_of_function(const struct dal_facts *facts, enum dal_fact_kind kind,
                                            const struct dal_fact *fact);

/* Adds a fact as one line. */
void dal_fact_write(struct dal_text *lines, const struct dal_fact *fact);
/* Fills in facts.list with the facts of facts.lines, whose text it changes. DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_facts_read(struct dal_facts *facts);

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

/* Free the memory of each, which may be half-made. */
void dal_facts_finish(struct dal_facts *facts);
void dal_variant_finish(struct dal_variant *variant);
void dal_variants_finish(struct dal_variants *variants);
