/*
 * Finds what a source has outside of functions that makes it another one than libclang reads. Names
 * may be bound to other functions, and compilers differ in what they tell of themselves.
 */
#include "synth/codegen/clang/tree_blocks.h"

#include <stdlib.h>
#include <string.h>

enum { GNUC = 4 }; /* __GNUC__ of libclang; that of compilers is not less */

static void tell_outside(struct dal_ast *tree, CXSourceLocation at, const char *words)
{
    if (!tree->outside.words)
        tree->outside = (struct dal_outside){1, words, at};
}

int dal__has_word(const struct dal_ast *tree, CXCursor cursor, const char *word)
{
    struct dal_tokens tokens = dal__ast_tokens(tree, clang_getCursorExtent(cursor));
    for (unsigned i = 0; i < tokens.count; i++)
        if (clang_getTokenKind(tokens.list[i]) != CXToken_Comment &&
            strstr(dal__ast_word(&tokens, i), word))
            return 1;
    return 0;
}

/* ---- words of the preprocessor --------------------------------------------------------------- */

/* Is the word in one of the forms in which all compilers give the same answer? */
static int is_alike(const struct dal_tokens *tokens, unsigned i)
{
    unsigned before = i - (i > 0 && dal__ast_is_word(tokens, i - 1, "("));
    const char *asks = before ? dal__ast_word(tokens, before - 1) : "";
    const char *is = dal__ast_word(tokens, i + 1), *number = dal__ast_word(tokens, i + 2);
    if (!dal__ast_is_word(tokens, i, "__GNUC__"))
        return 0;
    return strcmp(asks, "defined") == 0 || strcmp(asks, "ifdef") == 0 ||
           strcmp(asks, "ifndef") == 0 || (strcmp(is, ">=") == 0 && atoi(number) <= GNUC) ||
           (strcmp(is, ">") == 0 && atoi(number) < GNUC);
}

static int tells_compiler(const struct dal_tokens *tokens, unsigned i)
{
    static const char *const begins[] = {"__GNUC", "__clang",         "__llvm",  "__VERSION__",
                                         "__has_", "__is_identifier", "__INTEL_"};
    const char *word = dal__ast_word(tokens, i);
    for (size_t k = 0; k < sizeof(begins) / sizeof(begins[0]); k++)
        if (strncmp(word, begins[k], strlen(begins[k])) == 0)
            return strcmp(word, "__has_include") != 0 && !is_alike(tokens, i);
    return 0;
}

/* A pragma may say of any function that another file brings its body, or under what name. */
static void look_at_token(struct dal_ast *tree, const struct dal_tokens *tokens, unsigned i,
                          int has_pragma)
{
    const char *word = dal__ast_word(tokens, i);
    CXSourceLocation at = clang_getTokenLocation(tokens->parsed, tokens->list[i]);
    if (clang_getTokenKind(tokens->list[i]) == CXToken_Comment)
        return;
    if (has_pragma && strstr(word, "weak"))
        tell_outside(tree, at, "whose pragma may make functions weak");
    if (has_pragma && strstr(word, "redefine_extname"))
        tell_outside(tree, at, "whose pragma may rename functions");
    if (strncmp(word, "__ctype_", 8) == 0)
        tell_outside(tree, at, "that may set a table of the library");
    if (tells_compiler(tokens, i))
        tell_outside(tree, at, "that differs from compiler to compiler");
}

static void look_at_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct dal_ast *tree = data;
    struct dal_tokens tokens;
    int has_pragma = 0;
    (void)stack;
    (void)depth;
    if (!dal__ast_source_tokens(tree, file, &tokens))
        return;
    for (unsigned i = 0; i < tokens.count; i++)
        has_pragma |= clang_getTokenKind(tokens.list[i]) != CXToken_Comment &&
                      strstr(dal__ast_word(&tokens, i), "ragma") != NULL;
    for (unsigned i = 0; i < tokens.count; i++)
        look_at_token(tree, &tokens, i, has_pragma);
}

/* ---- names for the linker -------------------------------------------------------------------- */

/* A pragma that makes a header one of the system's stands behind its start. */
static int is_of_system(const struct dal_ast *tree, CXCursor cursor)
{
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    return file &&
           clang_Location_isInSystemHeader(clang_getLocationForOffset(tree->parsed, file, 0));
}

/* Does an attribute bind a declaration to another name? Headers of the library do so, to names that
 * are not of the source. */
static int binds(const struct dal_ast *tree, CXCursor attribute)
{
    int is_ours = !is_of_system(tree, attribute);
    CXCursor named;
    if (clang_getCursorKind(attribute) == CXCursor_UnexposedAttr)
        return is_ours && (dal__has_word(tree, attribute, "alias") ||
                           dal__has_word(tree, attribute, "weakref"));
    if (clang_getCursorKind(attribute) != CXCursor_AsmLabelAttr)
        return 0;
    named = clang_getCursorDefinition(
        dal__ast_find(tree, CXCursor_FunctionDecl, dal__ast_name(attribute)));
    return is_ours || (!clang_Cursor_isNull(named) && !is_of_system(tree, named));
}

/* A known name may be another function's, by words of the assembler. */
static enum CXChildVisitResult visit_outside(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_ast *tree = data;
    CXSourceLocation at = clang_getCursorLocation(cursor);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl)
        return CXChildVisit_Recurse;
    if (kind == CXCursor_UnexposedDecl) {
        struct dal_tokens tokens = dal__ast_tokens(tree, clang_getCursorExtent(cursor));
        if (dal__ast_owner(tree, cursor) != DAL_OWNER_PROLOGUE &&
            !dal__ast_is_word(&tokens, 0, ";"))
            tell_outside(tree, at, "that has something which is not C");
    } else if (clang_isAttribute(kind) && binds(tree, cursor))
        tell_outside(tree, at, "that gives a function another name");
    return CXChildVisit_Continue;
}

const struct dal_outside *dal__find_outside(struct dal_ast *tree)
{
    if (tree->outside.is_known)
        return &tree->outside;
    tree->outside.is_known = 1;
    clang_getInclusions(tree->parsed, look_at_file, tree);
    clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_outside, tree);
    return &tree->outside;
}
