/*
 * The header for the files that walk over a source's tree, in the reader's process. Nothing is
 * freed here: the process ends when it is done.
 */
#pragma once

#include "synth/codegen/clang/reader.h"

#include <clang-c/Index.h>

enum { DAL_AST_OPTIONS = 512 };

/* What a source has that may make it mean something else, "that ..." in words, or NULL. */
struct dal_outside {
    int is_known; /* it has been looked for */
    const char *words;
    CXSourceLocation at;
};

struct dal_ast {
    const struct dal_reading *reading;
    struct dal_text *facts;
    char *folder;        /* the source's, absolute, with a slash at its end */
    char *source, *unit; /* the source, and a unit beside it that is none */
    CXIndex index;
    struct CXUnsavedFile *files; /* files that stand for those of the disk */
    size_t file_count, file_room;
    const char *options[DAL_AST_OPTIONS];
    int option_count;
    CXTranslationUnit parsed;
    int bare; /* read without constants, to see which of them the source has */
    int errors;
    int keeps_p;              /* perhaps */
    unsigned before;          /* OpenCL C: the offset of the last declaration */
    unsigned told;            /* OpenCL C: the last line that has what CUDA has not */
    struct dal_text followed; /* functions of OpenCL C whose calls are known: a list */
    struct dal_outside outside;
};

/* Says who owns a place in a text. */
enum dal_owner {
    DAL_OWNER_NONE, /* the compiler, or its options */
    DAL_OWNER_PROLOGUE,
    DAL_OWNER_SYSTEM,
    DAL_OWNER_SOURCE, /* or a file that it includes */
};

enum dal_owner dal__ast_owner(const struct dal_ast *tree, CXCursor cursor);
enum dal_owner dal__ast_owner_at(const struct dal_ast *tree, CXSourceLocation location);
/* Is it the name of a file of ours that stands in front? */
int dal__ast_is_ours(const char *name);
/* Is a text read that stands for all files? */
int dal__ast_is_text(const struct dal_reading *reading);

/* Strings that last as long as the process. */
const char *dal__ast_string(CXString string);
const char *dal__ast_name(CXCursor cursor);
const char *dal__ast_type(CXType type); /* without other names for it */

/* Has an expression a constant value, an integer? Then *value is it. */
int dal__ast_constant(CXCursor cursor, long long *value);

/* The prefix of a name in a portable source that OpenCL C has for its own things. */
#define DAL_AST_RENAMED "dal__user_"
/* The name, in the text that asks for a type, of that type. */
#define DAL_AST_ASKED "dal__asked"
/* Behind a text in OpenCL C, an array of this name, and the place of the word, asks for the values
 * of each required size, which libclang does not tell. */
#define DAL_AST_QUESTION "dal__size_"
#define DAL_AST_SIZE     "reqd_work_group_size"

/* The element of an array, or of an array of arrays, by its canonical type. */
CXType dal__ast_element(CXType type);
int dal__ast_is_array(CXType type);
int dal__ast_is_const(CXType type);

/* The tokens of a part of the text, and their words: "" behind the last. */
struct dal_tokens {
    CXTranslationUnit parsed;
    CXToken *list;
    unsigned count;
};
struct dal_tokens dal__ast_tokens(const struct dal_ast *tree, CXSourceRange range);
/* Those of a whole file; returns 0 if it is none of the source's. */
int dal__ast_source_tokens(const struct dal_ast *tree, CXFile file, struct dal_tokens *tokens);
const char *dal__ast_word(const struct dal_tokens *tokens, unsigned i);
int dal__ast_is_word(const struct dal_tokens *tokens, unsigned i, const char *word);

/* Adds a file, in place of one that stood for it. Without memory, or a name for lack of it, the
 * facts are lost. */
void dal__ast_add_file(struct dal_ast *tree, const char *name, const char *text, size_t length);
/* Adds an option of the compiler, which has to stay. The second adds those of a list that NULL
 * ends. */
void dal__ast_add_option(struct dal_ast *tree, const char *option);
void dal__ast_add_options(struct dal_ast *tree, const char *const *options);
/* Adds those of a source's options that are for macros and folders. Those for processors are meant
 * for other compilers. */
void dal__ast_add_defines(struct dal_ast *tree, const char *options);
void dal__ast_add_resources(struct dal_ast *tree);

/* Adds a fact that is a name alone; the others, one of what stands at a place in a file, and
 * nothing otherwise. */
void dal__ast_add(struct dal_ast *tree, enum dal_fact_kind kind, const char *name);
void dal__ast_add_named(const struct dal_ast *tree, enum dal_fact_kind kind, const char *name,
                        CXSourceLocation at);
void dal__ast_add_at(const struct dal_ast *tree, struct dal_fact fact, CXSourceLocation at);

/* Adds the options of synth/codegen/emit/make.c. The source's folder is for a source that includes
 * PROCESS.h, too. */
void dal__ast_choose_options(struct dal_ast *tree);
/* Parses the unit; anew after tree->bare has changed. DAL_OK or DAL_ERR_SYSTEM. */
int dal__ast_parse(struct dal_ast *tree);
/* Part of it: parses the files by the options. */
int dal__ast_parse_files(struct dal_ast *tree);
/* Returns the next error behind the first *i diagnostics, and moves *i behind it; or NULL. */
CXDiagnostic dal__ast_next_error(const struct dal_ast *tree, unsigned *i);

/* The walks. What they find is in synth/plan/facts.h. */
void dal__ast_visit_c(struct dal_ast *tree);
void dal__ast_visit_opencl(struct dal_ast *tree);
/* Parts of that, for groups. The first: what stands outside of functions, and calls that all
 * work-items have to reach. The second: variables of a kernel in local memory, and where they are
 * used. */
void dal__ast_visit_names(struct dal_ast *tree);
void dal__ast_visit_locals(struct dal_ast *tree, CXCursor body);
/* How a kernel goes over the words of its windows. */
void dal__ast_visit_steps(struct dal_ast *tree, CXCursor kernel, CXCursor body);
/* Walks over the same source for CUDA: words that are replaced, and what CUDA lacks. */
void dal__ast_visit_memory(struct dal_ast *tree);
void dal__ast_visit_cuda(struct dal_ast *tree);
/* Walks over CUDA C++: shared memory whose size nobody gives. */
void dal__ast_visit_shared(struct dal_ast *tree);
/* Walks over a text that is C++ already: constructs that libclang takes and CUDA's compiler does
 * not. */
void dal__ast_visit_made(struct dal_ast *tree);
/* Offsets in the text, in bytes. */
size_t dal__ast_offset(CXSourceLocation location);
size_t dal__ast_start(CXCursor cursor);
size_t dal__ast_end(CXCursor cursor);
/* Is the cursor in the user's source? And: in that, or in the text that stands for it? */
int dal__ast_is_of_source(const struct dal_ast *tree, CXCursor cursor);
int dal__ast_is_of_user(const struct dal_ast *tree, CXCursor cursor);
/* Walks over all of the tree that `is_of` says is meant, but for what the preprocessor has done.
 * `take` returns whether the walk goes on into the cursor. */
void dal__ast_walk(struct dal_ast *tree, int (*is_of)(const struct dal_ast *, CXCursor),
                   int (*take)(void *data, CXCursor cursor, enum CXCursorKind kind), void *data);
/* Returns the last declaration outside of functions of that kind and name, or null. */
CXCursor dal__ast_find(const struct dal_ast *tree, enum CXCursorKind kind, const char *name);
/* Returns the memory that something of this type lies in. */
enum dal_target dal__ast_memory(CXType type);
/* Instead of those, for a portable source: reads it, and checks what was read. */
int dal__ast_read_portable(struct dal_ast *tree);
void dal__ast_check_blocks(struct dal_ast *tree);
/* Instead of those, for a header of which a type is asked for. */
void dal__ast_visit_type(struct dal_ast *tree);
/* Adds how a type lies in memory; `of` is the fact's text. Adds nothing for a type without a
 * size. */
void dal__ast_add_layout(const struct dal_ast *tree, CXType type, const char *of,
                         CXSourceLocation at);
/* The last member of a structure, where that is an array without a size; else null. */
CXCursor dal__ast_flexible(CXType type);
/* Finds whether a function of a C source that may be fire keeps nothing, or why not. */
void dal__ast_judge(struct dal_ast *tree, CXCursor function);
/* Finds the directives of OpenMP in a C source. */
void dal__ast_visit_openmp(struct dal_ast *tree);
