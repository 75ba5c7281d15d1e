/* Finds whether a condition of fire asks only whether a call of dal.h has failed. The program then
 * ends with an error anyway. */
#include "synth/codegen/clang/tree_blocks.h"

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

/* A pointer is asked for being NULL, or DAL_read for what it has returned. */
int dal__asks_for_failure(const struct dal_ast *tree, const struct dal_cursors *bodies,
                          CXCursor condition)
{
    CXCursor whole = bare(condition);
    struct dal_parts parts = dal__parts_of(whole);
    enum CXCursorKind kind = clang_getCursorKind(whole);
    if (kind == CXCursor_UnaryOperator)
        return !dal__is_place(tree, whole) && dal__asks_for_failure(tree, bodies, parts.last);
    if (kind != CXCursor_BinaryOperator)
        return dal__is_pointer(whole) ? is_given(tree, bodies, whole) : is_transfer(whole);
    if (dal__is_pointer(parts.first))
        return is_given(tree, bodies, parts.first) && is_given(tree, bodies, parts.last) &&
               (dal__ast_number(parts.first) == 0 || dal__ast_number(parts.last) == 0);
    if (is_transfer(bare(parts.first)))
        return dal__ast_number(parts.last) >= 0;
    return dal__asks_for_failure(tree, bodies, parts.first) &&
           dal__asks_for_failure(tree, bodies, parts.last);
}
