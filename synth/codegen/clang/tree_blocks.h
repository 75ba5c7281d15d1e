/*
 * The header for the files that check a portable source (tree_blocks.c): what is refused is said in
 * tree_refused.c, what an expression does with a variable is found in tree_uses.c. tree_stateless.c
 * asks that, too, with tree_leads.c, tree_outside.c and tree_asks.c.
 */
#pragma once

#include "synth/codegen/clang/tree.h"

struct dal_cursors {
    CXCursor *list;
    size_t count, room;
};

struct dal_portable_function {
    CXCursor cursor;            /* its first declaration */
    CXCursor body;              /* the one that has a body, or null */
    int is_fire, writes;        /* writes a window, or calls what does */
    int meets;                  /* calls a collective, which all work-items have to reach */
    int visited;                /* 1 while it is walked over, 2 behind that */
    struct dal_cursors inner;   /* declared in the DAL_foreach at hand */
    struct dal_cursors outputs; /* pointers that DAL_write_begin() has given */
};

struct dal_blocks {
    struct dal_ast *tree;
    const struct dal_portable *portable;
    struct dal_portable_function *functions;
    size_t function_count, function_room;
    int mixes; /* pointers do not say what they lead to */
};

/* The cursors from a function's body down to the one at hand. */
struct dal_walk {
    struct dal_blocks *b;
    struct dal_portable_function *f;
    const struct dal_walk *up;
    CXCursor cursor;
    const struct dal_walk *block; /* the DAL_foreach that it is in */
    const struct dal_walk *loop;  /* the loop that a break would leave */
};

/* ---- tree_refused.c -------------------------------------------------------------------------- */

void dal__refuse(const struct dal_blocks *b, CXSourceLocation at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define refuse_at(walk, ...)                                                                       \
    dal__refuse((walk)->b, clang_getCursorLocation((walk)->cursor), __VA_ARGS__)

/* Returns the name as the source writes it. */
const char *dal__written_name(CXCursor cursor);
/* Returns why a device has no function or type of this name; NULL where nothing is known of it. */
const char *dal__reason_of(const char *word);
/* Refuses what a device's compiler takes for an error. */
void dal__refuse_errors(struct dal_blocks *b);

/* ---- tree_uses.c ----------------------------------------------------------------------------- */

/* The parts of an expression or a statement; null cursors without one. */
struct dal_parts {
    CXCursor first, last;
    unsigned count;
};
struct dal_parts dal__parts_of(CXCursor cursor);

CXType dal__type_of(CXCursor cursor);
int dal__is_pointer(CXCursor cursor);
/* It is no pointer, and does not become one by itself as arrays and functions do. */
int dal__is_number(CXCursor cursor);
int dal__is_window(CXType type);
/* Is it a pointer through which no variable of a work-item can be set, and what it leads to leads
 * to none? */
int dal__is_harmless(CXType pointer);
/* Is it what DALProcess is for a device? */
int dal__is_process(CXType type);
int dal__is_variable(CXCursor cursor);
/* Is it the place of a value, and not the value? Clang then has no step between. */
int dal__is_place(const struct dal_ast *tree, CXCursor cursor);
/* Returns the part that an expression sets, null without one. */
CXCursor dal__changed_by(const struct dal_ast *tree, CXCursor cursor);
/* Returns the call that an expression comes to; is it one of that name? */
CXCursor dal__call_in(CXCursor cursor);
int dal__is_call_of(CXCursor cursor, const char *name);

enum dal_use {
    DAL_USE_VALUE,
    DAL_USE_SET,    /* it, or memory behind it */
    DAL_USE_MEMORY, /* memory that is read */
    DAL_USE_HANDED, /* a pointer through which it can be set goes to another variable */
    DAL_USE_CALL,   /* or to a function */
};

/* Finds the use of a variable, from its name upwards. `windows`: it leads to a window, and that is
 * asked about. */
enum dal_use dal__find_use(const struct dal_walk *name, int windows);

/* ---- tree_leads.c ---------------------------------------------------------------------------- */

/* Pointers of C, and functions that return one, with what they may lead to: a variable, or the
 * window of an input, for which stands the call that gives it. */
struct dal_leads {
    struct dal_lead {
        CXCursor from, member, to; /* of a structure, one of its members */
    } * list;
    size_t count, room;
};

/* Does it stand for the window of an input? */
int dal__is_input(CXCursor root);
/* Do all firings share it? Each thread has its own one of some, and a lock may be around one that
 * is atomic. */
int dal__is_shared(CXCursor variable);
/* Is it a member of DALProcess, as p->local is? */
int dal__is_member_of_process(CXCursor use);
int dal__is_listed(const struct dal_cursors *all, CXCursor cursor);
/* Adds a cursor to a list that does not have it. Returns whether it is new. */
int dal__list_once(struct dal_ast *tree, struct dal_cursors *all, CXCursor cursor);
/* Lists the variables whose memory an expression may be, or point into, for the caller to free. It
 * outlives the firing where it is one outside of functions, a static one, or p->local. */
struct dal_cursors dal__roots_of(struct dal_ast *tree, struct dal_leads *leads, CXCursor at);
/* Adds what an expression or a statement in a body gives to pointers. */
void dal__add_leads(struct dal_ast *tree, struct dal_leads *leads, CXCursor cursor, CXCursor body);

/* ---- tree_known.c ---------------------------------------------------------------------------- */

/* Returns the body of a function that is looked into, or null: of the source, or of a header, as
 * ntohl() has one. */
CXCursor dal__body_of(const struct dal_ast *tree, CXCursor function);
/* Returns its name in the library; NULL without memory. */
char *dal__library_name(CXCursor function);
/* Does it keep nothing, and nothing outside? */
int dal__is_known(const struct dal_ast *tree, CXCursor function);
/* Does a known function write to what this argument points to? */
int dal__is_filled(const struct dal_ast *tree, CXCursor function, CXType argument, int number);
/* Does it keep something from one call to the next, as rand() does? */
int dal__is_keeping(const struct dal_ast *tree, CXCursor function);
/* Does this attribute change nothing of what a function does? */
int dal__is_known_attribute(const char *word);

/* ---- tree_outside.c -------------------------------------------------------------------------- */

/* Returns what the source has outside of functions. The first call looks, at all its files. */
const struct dal_outside *dal__find_outside(struct dal_ast *tree);
/* Is a word, or a part of one, in the text of a cursor? */
int dal__has_word(const struct dal_ast *tree, CXCursor cursor, const char *word);

/* ---- tree_asks.c ----------------------------------------------------------------------------- */

/* Returns the value of a constant that is not negative; -1 for anything else. */
long long dal__ast_number(CXCursor cursor);
/* Does a condition in fire ask only whether a call of dal.h has failed? `bodies`: fire's, and those
 * of what it calls. */
int dal__asks_for_failure(const struct dal_ast *tree, const struct dal_cursors *bodies,
                          CXCursor condition);
