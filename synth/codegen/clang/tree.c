/* Shared by all walks over a tree of libclang: questions to the tree, and reports of findings. */
#include "synth/codegen/clang/tree.h"

#include <string.h>

const char *dal__ast_string(CXString string)
{
    const char *text = clang_getCString(string);
    return text ? text : "";
}

const char *dal__ast_name(CXCursor cursor)
{
    return dal__ast_string(clang_getCursorSpelling(cursor));
}

const char *dal__ast_type(CXType type)
{
    return dal__ast_string(clang_getTypeSpelling(clang_getCanonicalType(type)));
}

int dal__ast_constant(CXCursor cursor, long long *value)
{
    /* libclang 19 ends the program over a list in braces */
    int is_list = clang_getCursorKind(cursor) == CXCursor_InitListExpr;
    CXEvalResult result = is_list ? NULL : clang_Cursor_Evaluate(cursor);
    int is = result && clang_EvalResult_getKind(result) == CXEval_Int;
    if (is)
        *value = clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return is;
}

struct dal_tokens dal__ast_tokens(const struct dal_ast *tree, CXSourceRange range)
{
    struct dal_tokens tokens = {.parsed = tree->parsed};
    clang_tokenize(tree->parsed, range, &tokens.list, &tokens.count);
    return tokens;
}

int dal__ast_source_tokens(const struct dal_ast *tree, CXFile file, struct dal_tokens *tokens)
{
    CXSourceLocation start = clang_getLocationForOffset(tree->parsed, file, 0);
    size_t length = 0;
    if (dal__ast_owner_at(tree, start) != DAL_OWNER_SOURCE ||
        !clang_getFileContents(tree->parsed, file, &length))
        return 0;
    *tokens = dal__ast_tokens(
        tree,
        clang_getRange(start, clang_getLocationForOffset(tree->parsed, file, (unsigned)length)));
    return 1;
}

const char *dal__ast_word(const struct dal_tokens *tokens, unsigned i)
{
    return i < tokens->count
               ? dal__ast_string(clang_getTokenSpelling(tokens->parsed, tokens->list[i]))
               : "";
}

int dal__ast_is_word(const struct dal_tokens *tokens, unsigned i, const char *word)
{
    return strcmp(dal__ast_word(tokens, i), word) == 0;
}

void dal__ast_add_at(const struct dal_ast *tree, struct dal_fact fact, CXSourceLocation at)
{
    unsigned line, column;
    CXString file;
    clang_getPresumedLocation(at, &file, &line, &column);
    fact.file = dal__ast_string(file);
    if (dal__is_no_file(fact.file))
        return;
    fact.line = (int)line;
    fact.column = (int)column;
    dal_fact_write(tree->facts, &fact);
}

void dal__ast_add_named(const struct dal_ast *tree, enum dal_fact_kind kind, const char *name,
                        CXSourceLocation at)
{
    dal__ast_add_at(tree, (struct dal_fact){.kind = kind, .name = name}, at);
}

void dal__ast_add(struct dal_ast *tree, enum dal_fact_kind kind, const char *name)
{
    dal_fact_write(tree->facts, &(struct dal_fact){.kind = kind, .name = name});
}

/* ---- where things stand ---------------------------------------------------------------------- */

enum dal_owner dal__ast_owner_at(const struct dal_ast *tree, CXSourceLocation location)
{
    int is_system = clang_Location_isInSystemHeader(location);
    const char *name, *base;
    CXFile file;
    clang_getExpansionLocation(location, &file, NULL, NULL, NULL);
    if (!file)
        return DAL_OWNER_NONE;
    name = dal__ast_string(clang_getFileName(file));
    base = strrchr(name, '/');
    if (strcmp(name, tree->unit) == 0 || dal__ast_is_ours(name) ||
        (is_system && base && dal__ast_is_ours(base))) /* options lead to dal's own folder */
        return DAL_OWNER_PROLOGUE;
    return is_system ? DAL_OWNER_SYSTEM : DAL_OWNER_SOURCE;
}

enum dal_owner dal__ast_owner(const struct dal_ast *tree, CXCursor cursor)
{
    return dal__ast_owner_at(tree, clang_getCursorLocation(cursor));
}

size_t dal__ast_offset(CXSourceLocation location)
{
    unsigned offset;
    clang_getFileLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

size_t dal__ast_start(CXCursor cursor)
{
    return dal__ast_offset(clang_getRangeStart(clang_getCursorExtent(cursor)));
}

size_t dal__ast_end(CXCursor cursor)
{
    return dal__ast_offset(clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

int dal__ast_is_of_source(const struct dal_ast *tree, CXCursor cursor)
{
    return dal__ast_owner(tree, cursor) == DAL_OWNER_SOURCE;
}

int dal__ast_is_of_user(const struct dal_ast *tree, CXCursor cursor)
{
    enum dal_owner owner = dal__ast_owner(tree, cursor);
    return owner == DAL_OWNER_PROLOGUE || owner == DAL_OWNER_SOURCE;
}

/* ---- walks ----------------------------------------------------------------------------------- */

struct walk {
    const struct dal_ast *tree;
    int (*is_of)(const struct dal_ast *tree, CXCursor cursor);
    int (*take)(void *data, CXCursor cursor, enum CXCursorKind kind);
    void *data;
};

static enum CXChildVisitResult visit_meant(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    return !clang_isPreprocessing(kind) && walk->is_of(walk->tree, cursor) &&
                   walk->take(walk->data, cursor, kind)
               ? CXChildVisit_Recurse
               : CXChildVisit_Continue;
}

void dal__ast_walk(struct dal_ast *tree, int (*is_of)(const struct dal_ast *, CXCursor),
                   int (*take)(void *data, CXCursor cursor, enum CXCursorKind kind), void *data)
{
    struct walk walk = {tree, is_of, take, data};
    clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_meant, &walk);
}

struct sought {
    enum CXCursorKind kind;
    const char *name;
    CXCursor found;
};

static enum CXChildVisitResult visit_sought(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct sought *sought = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == sought->kind &&
        strcmp(dal__ast_name(cursor), sought->name) == 0)
        sought->found = cursor;
    return CXChildVisit_Continue;
}

CXCursor dal__ast_find(const struct dal_ast *tree, enum CXCursorKind kind, const char *name)
{
    struct sought sought = {kind, name, clang_getNullCursor()};
    clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_sought, &sought);
    return sought.found;
}

CXDiagnostic dal__ast_next_error(const struct dal_ast *tree, unsigned *i)
{
    while (*i < clang_getNumDiagnostics(tree->parsed)) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tree->parsed, (*i)++);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            return diagnostic;
    }
    return NULL;
}

/* ---- types ----------------------------------------------------------------------------------- */

int dal__ast_is_array(CXType type)
{
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray;
}

CXType dal__ast_element(CXType type)
{
    type = clang_getCanonicalType(type);
    while (dal__ast_is_array(type))
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return type;
}

/* An array is const where its elements are. */
int dal__ast_is_const(CXType type)
{
    type = clang_getCanonicalType(type);
    while (dal__ast_is_array(type) && !clang_isConstQualifiedType(type))
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return clang_isConstQualifiedType(type) != 0;
}

/* clang numbers memories from 0 for a private one, and in this order. */
enum dal_target dal__ast_memory(CXType type)
{
    unsigned memory = clang_getAddressSpace(type);
    return memory >= DAL_TARGET_GLOBAL && memory <= DAL_TARGET_CONSTANT ? memory : DAL_TARGET_OTHER;
}
