/* Finds whether a condition of fire asks only whether a call of dal.h has failed. The program then
 * ends with an error anyway. */
#include "synth/codegen/clang/tree_blocks.h"

#include <limits.h>
#include <string.h>

/* Returns an expression without brackets and casts. */
static CXCursor bare(CXCursor cursor)
{
    while (clang_getCursorKind(cursor) == CXCursor_ParenExpr ||
           clang_getCursorKind(cursor) == CXCursor_UnexposedExpr ||
           clang_getCursorKind(cursor) == CXCursor_CStyleCastExpr)
        cursor = dal__parts_of(cursor).last;
    return cursor;
}

long long dal__ast_number(CXCursor cursor)
{
    CXCursor whole = bare(cursor);
    long long value;
    return clang_isExpression(clang_getCursorKind(whole)) && dal__ast_constant(whole, &value)
               ? value
               : -1;
}

/* ---- where a pointer comes from -------------------------------------------------------------- */

/* Values that a variable, or a member, gets in fire and in what that calls. */
struct origin {
    const struct dal_ast *tree;
    CXCursor variable;
    int calls, others; /* of dal.h; all else, and places where anything may be set */
};

static int is_call(const struct dal_ast *tree, CXCursor value)
{
    return clang_getCursorKind(value) == CXCursor_CallExpr &&
           dal__ast_owner(tree, clang_getCursorReferenced(value)) == DAL_OWNER_PROLOGUE;
}

static int is_of(const struct origin *origin, CXCursor place)
{
    return clang_equalCursors(clang_getCursorReferenced(bare(place)), origin->variable);
}

/* A pointer to it, as "&x" is. */
static int is_address(const struct origin *origin, CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_UnaryOperator && dal__is_pointer(cursor) &&
           !dal__is_place(origin->tree, cursor) && is_of(origin, dal__parts_of(cursor).last);
}

/* Of a list of values for a structure that has the member, those of its pointers count: which one
 * is the member's is not told. */
static enum CXChildVisitResult visit_value(CXCursor value, CXCursor parent, CXClientData data)
{
    struct origin *origin = data;
    (void)parent;
    if (!dal__is_pointer(value) && dal__ast_number(value) != 0)
        return CXChildVisit_Continue;
    if (is_call(origin->tree, bare(value)))
        origin->calls++;
    else
        origin->others++;
    return CXChildVisit_Continue;
}

static int is_list_of(const struct origin *origin, CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_InitListExpr &&
           clang_getCursorKind(origin->variable) == CXCursor_FieldDecl &&
           clang_equalCursors(clang_getTypeDeclaration(dal__type_of(cursor)),
                              clang_getCursorSemanticParent(origin->variable));
}

static enum CXChildVisitResult visit_origin(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct origin *origin = data;
    CXCursor changed = dal__changed_by(origin->tree, cursor), last = dal__parts_of(cursor).last;
    int is_its = clang_equalCursors(cursor, origin->variable)
                     ? clang_isExpression(clang_getCursorKind(last))
                     : !clang_Cursor_isNull(changed) && is_of(origin, changed);
    (void)parent;
    if (is_list_of(origin, cursor))
        clang_visitChildren(cursor, visit_value, origin);
    if (is_its && is_call(origin->tree, bare(last)))
        origin->calls++;
    else if (is_its || is_address(origin, cursor))
        origin->others++;
    return CXChildVisit_Recurse;
}

/* Is it a pointer that calls of dal.h alone have given, or NULL? What another one is depends on
 * data. */
static int is_given(const struct dal_ast *tree, const struct dal_cursors *bodies, CXCursor pointer)
{
    CXCursor from = bare(pointer);
    enum CXCursorKind kind = clang_getCursorKind(from);
    struct origin origin = {.tree = tree, .variable = clang_getCursorReferenced(from)};
    if (kind != CXCursor_DeclRefExpr && kind != CXCursor_MemberRefExpr)
        return is_call(tree, from) || dal__ast_number(from) == 0;
    for (size_t i = 0; i < bodies->count; i++)
        clang_visitChildren(bodies->list[i], visit_origin, &origin);
    return !origin.others &&
           (origin.calls || clang_getCursorKind(origin.variable) == CXCursor_ParmDecl);
}

/* ---- the condition --------------------------------------------------------------------------- */

static int is_transfer(CXCursor call)
{
    return clang_getCursorKind(call) == CXCursor_CallExpr &&
           (dal__is_call_of(call, "DAL_read") || dal__is_call_of(call, "DAL_write"));
}

static int asks(const struct dal_ast *tree, const struct dal_cursors *bodies, CXCursor condition,
                int failed);

/* Returns the word in front of an expression's last part. A macro may stand before it. */
static const char *find_operator(const struct dal_ast *tree, CXCursor whole)
{
    CXSourceRange range = clang_getCursorExtent(whole);
    unsigned end = (unsigned)dal__ast_start(dal__parts_of(whole).last), start;
    struct dal_tokens tokens;
    CXFile file;
    clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &start);
    range = clang_getRange(clang_getLocationForOffset(tree->parsed, file, start),
                           clang_getLocationForOffset(tree->parsed, file, end));
    tokens = dal__ast_tokens(tree, range);
    while (tokens.count && dal__ast_offset(clang_getTokenLocation(
                               tree->parsed, tokens.list[tokens.count - 1])) >= end)
        tokens.count--;
    return tokens.count ? dal__ast_word(&tokens, tokens.count - 1) : "";
}

static int is_true(long long result, const char *is, long long number)
{
    return strcmp(is, "<") == 0    ? result < number
           : strcmp(is, "<=") == 0 ? result <= number
           : strcmp(is, ">") == 0  ? result > number
           : strcmp(is, ">=") == 0 ? result >= number
           : strcmp(is, "==") == 0 ? result == number
                                   : strcmp(is, "!=") == 0 && result != number;
}

/* A call returns -1 where it has failed, else the length that it was given. */
static int tells_failure(CXCursor call, const char *is, CXCursor with, int failed)
{
    long long least, most, number = 0;
    if (!dal__ast_constant(bare(clang_Cursor_getArgument(call, 2)), &least)) {
        least = 0;
        most = INT_MAX;
    } else
        most = least;
    if (!clang_Cursor_isNull(with) && !dal__ast_constant(bare(with), &number))
        return 0;
    return is_true(-1, is, number) == failed && is_true(least, is, number) != failed &&
           is_true(most, is, number) != failed;
}

static int asks_of_two(const struct dal_ast *tree, const struct dal_cursors *bodies, CXCursor whole,
                       int failed)
{
    struct dal_parts parts = dal__parts_of(whole);
    const char *is = find_operator(tree, whole);
    if (strcmp(is, "&&") == 0 || strcmp(is, "||") == 0)
        return asks(tree, bodies, parts.first, failed) && asks(tree, bodies, parts.last, failed);
    if (dal__is_pointer(parts.first))
        return strcmp(is, failed ? "==" : "!=") == 0 && is_given(tree, bodies, parts.first) &&
               is_given(tree, bodies, parts.last) &&
               (dal__ast_number(parts.first) == 0 || dal__ast_number(parts.last) == 0);
    return is_transfer(bare(parts.first)) &&
           tells_failure(bare(parts.first), is, parts.last, failed);
}

/* Has a call failed where the condition is true; or, without `failed`, where it is not? A pointer
 * is asked for being NULL, or DAL_read for what it has returned. */
static int asks(const struct dal_ast *tree, const struct dal_cursors *bodies, CXCursor condition,
                int failed)
{
    CXCursor whole = bare(condition);
    enum CXCursorKind kind = clang_getCursorKind(whole);
    if (kind == CXCursor_UnaryOperator)
        return strcmp(find_operator(tree, whole), "!") == 0 &&
               asks(tree, bodies, dal__parts_of(whole).last, !failed);
    if (kind == CXCursor_BinaryOperator)
        return asks_of_two(tree, bodies, whole, failed);
    if (dal__is_pointer(whole))
        return !failed && is_given(tree, bodies, whole);
    return is_transfer(whole) && tells_failure(whole, "!=", clang_getNullCursor(), failed);
}

int dal__asks_for_failure(const struct dal_ast *tree, const struct dal_cursors *bodies,
                          CXCursor condition)
{
    return asks(tree, bodies, condition, 1);
}
