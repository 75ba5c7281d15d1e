/*
 * Finds the variables of an OpenCL source in local or in constant memory, and the word of their
 * declaration that says so. CUDA has other words for a variable's own memory, and none for what a
 * pointer points to. So a macro replaces that one word, and no other (unit.h).
 */
#include "synth/codegen/clang/tree.h"

#include "rt/base/alloc.h"

#include <string.h>

static const struct memory {
    enum dal_target target;
    const char *words[2], *macro, *name;
} memories[] = {
    {DAL_TARGET_LOCAL, {"__local", "local"}, "DAL_LOCAL_VARIABLE", "local"},
    {DAL_TARGET_CONSTANT, {"__constant", "constant"}, "DAL_CONSTANT_VARIABLE", "constant"},
};

enum { MEMORIES = sizeof(memories) / sizeof(memories[0]) };

struct walk {
    struct dal_ast *tree;
    const struct memory *memory;    /* memory of the variable before, or NULL */
    CXSourceLocation start, behind; /* where its declaration starts, and where it ends itself */
    size_t told;                    /* the word that was told last, and 1 */
};

/* Returns the memory that the variable itself lies in; NULL if it is neither local nor constant. */
static const struct memory *memory_of(CXCursor variable)
{
    enum dal_target target = dal__ast_memory(clang_getCanonicalType(clang_getCursorType(variable)));
    for (size_t i = 0; i < MEMORIES; i++)
        if (memories[i].target == target)
            return &memories[i];
    return NULL;
}

static int is_pointer(CXCursor variable)
{
    CXType type = dal__ast_element(clang_getCanonicalType(clang_getCursorType(variable)));
    return clang_getCanonicalType(type).kind == CXType_Pointer;
}

/* Finds the word of a declaration that says the memory, outside of all brackets; for a pointer,
 * behind its last star. */
static int find_word(struct walk *walk, CXCursor variable, CXSourceRange *word)
{
    struct dal_tokens tokens =
        dal__ast_tokens(walk->tree, clang_getRange(walk->start, clang_getCursorLocation(variable)));
    const struct memory *memory = walk->memory;
    int depth = 0, found = 0, pointer = is_pointer(variable);
    for (unsigned i = 0; i < tokens.count; i++) {
        const char *text = dal__ast_word(&tokens, i);
        depth += strchr("([{", *text) != NULL && *text;
        depth -= strchr(")]}", *text) != NULL && *text;
        if (pointer && depth == 0 && strcmp(text, "*") == 0)
            found = 0;
        if (depth || found ||
            (strcmp(text, memory->words[0]) != 0 && strcmp(text, memory->words[1]) != 0))
            continue;
        *word = clang_getTokenExtent(tokens.parsed, tokens.list[i]);
        found = 1;
    }
    return found;
}

/* CUDA wants `static` in front of a constant in a function, which OpenCL C has not. */
static const char *macro_for(const struct walk *walk, CXCursor variable)
{
    CXCursor parent = clang_getCursorSemanticParent(variable);
    return walk->memory->target == DAL_TARGET_CONSTANT &&
                   clang_getCursorKind(parent) == CXCursor_FunctionDecl &&
                   clang_Cursor_getStorageClass(variable) != CX_SC_Static
               ? "DAL_CONSTANT_IN_KERNEL"
               : walk->memory->macro;
}

static void tell_word(struct walk *walk, CXCursor variable, CXSourceRange word)
{
    size_t start = dal__ast_offset(clang_getRangeStart(word));
    if (walk->told == start + 1)
        return;
    walk->told = start + 1;
    dal__ast_add_at(
        walk->tree,
        (struct dal_fact){.kind = DAL_FACT_MEMORY,
                          .name = macro_for(walk, variable),
                          .place = {start, dal__ast_offset(clang_getRangeEnd(word)) - start}},
        clang_getCursorLocation(variable));
}

static void refuse_variable(struct walk *walk, CXCursor variable, const char *format,
                            const struct memory *memory)
{
    dal__ast_add_named(walk->tree, DAL_FACT_NEVER,
                       dal_format(format, dal__ast_name(variable), memory->name, memory->words[0],
                                  memory->words[0]),
                       clang_getCursorLocation(variable));
}

/* Is nothing but a comma between this variable and the one before? */
static int goes_on(const struct walk *walk, CXCursor variable)
{
    CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(variable));
    struct dal_tokens tokens;
    if (clang_equalLocations(walk->behind, clang_getNullLocation()))
        return 0;
    if (clang_equalLocations(walk->start, start))
        return 1;
    tokens = dal__ast_tokens(walk->tree, clang_getRange(walk->behind, start));
    for (unsigned i = 0; i < tokens.count; i++) {
        size_t at = dal__ast_offset(clang_getTokenLocation(tokens.parsed, tokens.list[i]));
        if (at >= dal__ast_offset(walk->behind) && at < dal__ast_offset(start))
            return dal__ast_is_word(&tokens, i, ",");
    }
    return 0;
}

static void take_variable(struct walk *walk, CXCursor variable)
{
    const struct memory *memory = memory_of(variable), *before = walk->memory;
    int is_same = goes_on(walk, variable);
    CXSourceRange word;
    walk->memory = memory;
    if (!is_same)
        walk->start = clang_getRangeStart(clang_getCursorExtent(variable));
    walk->behind = clang_getRangeEnd(clang_getCursorExtent(variable));
    if (is_same && memory != before)
        refuse_variable(
            walk, variable,
            "'%s' stands in one declaration with a variable in %s memory, which CUDA says of all "
            "of it; declare it by itself",
            memory ? memory : before);
    if (!memory)
        return;
    if (find_word(walk, variable, &word))
        tell_word(walk, variable, word);
    else
        refuse_variable(
            walk, variable,
            "'%s' is in %s memory by its type's name, and CUDA wants that at the variable; write "
            "'%s' in its declaration",
            memory);
}

static int take_variables(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    if (kind == CXCursor_VarDecl)
        take_variable(data, cursor);
    return 1;
}

void dal__ast_visit_memory(struct dal_ast *tree)
{
    struct walk walk = {
        .tree = tree, .start = clang_getNullLocation(), .behind = clang_getNullLocation()};
    dal__ast_walk(tree, dal__ast_is_of_user, take_variables, &walk);
}
