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
    int held;          /* the type that is looked at has the member */
    /* of a list: */
    int front, mixed; /* members in front of that one; do some of them take several values? */
    int values, named, taken;
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

static int is_record_of(CXCursor member, CXType type)
{
    return clang_equalCursors(clang_getTypeDeclaration(type),
                              clang_getCursorSemanticParent(member));
}

static enum CXVisitorResult visit_held(CXCursor field, CXClientData data);

/* Is it the structure of the member, or has it such structures? */
static int holds(struct origin *origin, CXType type)
{
    type = dal__ast_element(type);
    origin->held = is_record_of(origin->variable, type);
    if (!origin->held && type.kind == CXType_Record)
        clang_Type_visitFields(type, visit_held, origin);
    return origin->held;
}

static enum CXVisitorResult visit_held(CXCursor field, CXClientData data)
{
    return holds(data, clang_getCursorType(field)) ? CXVisit_Break : CXVisit_Continue;
}

/* Counts the members in front. A structure or an array among them may take several values. */
static enum CXVisitorResult visit_front(CXCursor field, CXClientData data)
{
    struct origin *origin = data;
    CXType type = dal__type_of(field);
    if (clang_equalCursors(field, origin->variable))
        return CXVisit_Break;
    origin->mixed |=
        dal__ast_is_array(type) || type.kind == CXType_Record || !*dal__ast_name(field);
    origin->front++;
    return CXVisit_Continue;
}

static void take_value(struct origin *origin, CXCursor value)
{
    if (is_call(origin->tree, bare(value)))
        origin->calls++;
    else
        origin->others++;
}

/* A value has the name of its member, or all are in order. */
static enum CXChildVisitResult visit_value(CXCursor value, CXCursor parent, CXClientData data)
{
    struct origin *origin = data;
    struct dal_parts parts = dal__parts_of(value);
    int is_named = clang_getCursorKind(parts.first) == CXCursor_MemberRef;
    (void)parent;
    origin->named += is_named;
    if (is_named ? is_of(origin, parts.first) : origin->values == origin->front) {
        take_value(origin, parts.last);
        origin->taken++;
    }
    origin->values++;
    return CXChildVisit_Continue;
}

/* A list that leaves the member out makes it NULL, as that of a structure around may do. */
static void take_list(struct origin *origin, CXCursor list)
{
    CXType type = dal__type_of(list);
    if (!holds(origin, type))
        return;
    origin->front = origin->mixed = origin->values = origin->named = origin->taken = 0;
    if (is_record_of(origin->variable, type)) {
        clang_Type_visitFields(type, visit_front, origin);
        clang_visitChildren(list, visit_value, origin);
    }
    if (!origin->taken || (origin->named ? origin->named != origin->values : origin->mixed))
        origin->others++;
}

/* Is it a constant that is NULL throughout? */
static int is_empty(CXCursor cursor, CXCursor value)
{
    return clang_getCursorKind(cursor) == CXCursor_VarDecl &&
           clang_Cursor_hasVarDeclGlobalStorage(cursor) == 1 &&
           !clang_isExpression(clang_getCursorKind(value));
}

static enum CXChildVisitResult visit_origin(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct origin *origin = data;
    CXCursor changed = dal__changed_by(origin->tree, cursor), last = dal__parts_of(cursor).last;
    int is_its = clang_equalCursors(cursor, origin->variable)
                     ? clang_isExpression(clang_getCursorKind(last))
                     : !clang_Cursor_isNull(changed) && is_of(origin, changed);
    (void)parent;
    if (clang_getCursorKind(origin->variable) == CXCursor_FieldDecl) {
        if (clang_getCursorKind(cursor) == CXCursor_InitListExpr)
            take_list(origin, cursor);
        else if (is_empty(cursor, last) && holds(origin, clang_getCursorType(cursor)))
            origin->others++;
    }
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
    for (size_t i = 0; i < bodies->count; i++) {
        if (clang_getCursorKind(bodies->list[i]) == CXCursor_VarDecl)
            visit_origin(bodies->list[i], clang_getNullCursor(), &origin);
        clang_visitChildren(bodies->list[i], visit_origin, &origin);
    }
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
