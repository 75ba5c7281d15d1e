/* Finds what an expression of a portable source does with a variable: on the tree, since libclang
 * does not tell the operators. */
#include "synth/codegen/clang/tree_blocks.h"

#include <string.h>

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_parts *parts = data;
    (void)parent;
    if (parts->count++ == 0)
        parts->first = cursor;
    parts->last = cursor;
    return CXChildVisit_Continue;
}

struct dal_parts dal__parts_of(CXCursor cursor)
{
    struct dal_parts parts = {.first = clang_getNullCursor(), .last = clang_getNullCursor()};
    clang_visitChildren(cursor, visit_part, &parts);
    return parts;
}

CXType dal__type_of(CXCursor cursor)
{
    return clang_getCanonicalType(clang_getCursorType(cursor));
}

static CXType target_of(CXCursor pointer)
{
    return clang_getCanonicalType(clang_getPointeeType(dal__type_of(pointer)));
}

int dal__is_pointer(CXCursor cursor)
{
    return dal__type_of(cursor).kind == CXType_Pointer;
}

int dal__is_number(CXCursor cursor)
{
    CXType type = dal__type_of(cursor);
    return type.kind != CXType_Pointer && !dal__ast_is_array(type) &&
           clang_getResultType(type).kind == CXType_Invalid;
}

int dal__is_window(CXType type)
{
    while (dal__ast_is_array(type) && clang_getAddressSpace(type) != DAL_TARGET_GLOBAL)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return clang_getAddressSpace(type) == DAL_TARGET_GLOBAL;
}

int dal__is_process(CXType type)
{
    return strcmp(dal__ast_name(clang_getTypeDeclaration(type)), "dal__process") == 0;
}

/* The types of the parts decide, since libclang does not tell the operator. "!" of a pointer may
 * look like "*". */
static int is_dereference(const struct dal_ast *tree, CXCursor unary)
{
    CXCursor pointer = dal__parts_of(unary).last;
    CXToken *token = clang_getToken(tree->parsed, clang_getCursorLocation(unary));
    return dal__is_pointer(pointer) && clang_equalTypes(dal__type_of(unary), target_of(pointer)) &&
           (!token ||
            strcmp(dal__ast_string(clang_getTokenSpelling(tree->parsed, *token)), "!") != 0);
}

static int is_address(CXCursor unary)
{
    return dal__is_pointer(unary) &&
           clang_equalTypes(target_of(unary), dal__type_of(dal__parts_of(unary).last));
}

int dal__is_variable(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

/* Is it a component of a vector in a place, or several? Clang has no kind for that. A value that is
 * taken has the type and the text of its place. */
static int is_component(const struct dal_ast *tree, CXCursor cursor)
{
    CXCursor whole = dal__parts_of(cursor).last;
    CXType type = dal__type_of(whole);
    return (type.kind == CXType_ExtVector || type.kind == CXType_Vector) &&
           dal__is_place(tree, whole) &&
           (clang_getNumElements(dal__type_of(cursor)) != clang_getNumElements(type) ||
            dal__ast_end(cursor) != dal__ast_end(whole));
}

int dal__is_place(const struct dal_ast *tree, CXCursor cursor)
{
    while (clang_getCursorKind(cursor) == CXCursor_ParenExpr)
        cursor = dal__parts_of(cursor).last;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
        return dal__is_variable(clang_getCursorReferenced(cursor));
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        return 1;
    case CXCursor_UnaryOperator:
        return is_dereference(tree, cursor);
    case CXCursor_UnexposedExpr:
        return is_component(tree, cursor);
    default:
        return 0;
    }
}

/* "=" has a place on its left, and all
 * other operators have none there. "++" has one, and so have "*" and "&". */
CXCursor dal__changed_by(const struct dal_ast *tree, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor part = clang_getNullCursor();
    if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator)
        part = dal__parts_of(cursor).first;
    else if (kind == CXCursor_UnaryOperator && !is_dereference(tree, cursor) && !is_address(cursor))
        part = dal__parts_of(cursor).last;
    return dal__is_place(tree, part) ? part : clang_getNullCursor();
}

CXCursor dal__call_in(CXCursor cursor)
{
    while (!clang_Cursor_isNull(cursor) && clang_getCursorKind(cursor) != CXCursor_CallExpr)
        cursor = dal__parts_of(cursor).last;
    return cursor;
}

int dal__is_call_of(CXCursor cursor, const char *name)
{
    return strcmp(dal__ast_name(dal__call_in(cursor)), name) == 0;
}

static enum CXVisitorResult visit_member(CXCursor member, CXClientData data);

/* Can a variable of a work-item be set through a value of this type? What it has pointers to has
 * pointers, too: they are followed a few times, as a list never ends. */
static int is_way(CXType type, int depth)
{
    int members[] = {depth + 1, 0};
    type = dal__ast_element(type);
    if (depth > 8)
        return 1;
    if (type.kind == CXType_Pointer) {
        CXType target = clang_getCanonicalType(clang_getPointeeType(type));
        return !dal__is_window(target) && !dal__is_process(target) &&
               (!dal__ast_is_const(target) || is_way(target, depth + 1));
    }
    clang_Type_visitFields(type, visit_member, members);
    return members[1];
}

static enum CXVisitorResult visit_member(CXCursor member, CXClientData data)
{
    int *members = data; /* the depth, and whether one is found */
    members[1] = is_way(clang_getCursorType(member), members[0]);
    return members[1] ? CXVisit_Break : CXVisit_Continue;
}

int dal__is_harmless(CXType pointer)
{
    return !is_way(pointer, 0);
}

/* A pointer is harmless where nothing of the variable can be set through it; it is followed no
 * further. */
static int is_harmless(CXCursor pointer, int windows_too)
{
    return windows_too ? !dal__is_window(target_of(pointer))
                       : dal__is_harmless(dal__type_of(pointer));
}

/* Is it a pointer, or does it have one through which something can be set? */
static int has_pointer(CXCursor value, int windows)
{
    return dal__is_pointer(value) || (!windows && !dal__is_harmless(dal__type_of(value)));
}

enum dal_use dal__find_use(const struct dal_walk *name, int windows)
{
    const struct dal_ast *tree = name->b->tree;
    const struct dal_walk *part, *at;
    int behind = 0;
    for (part = name, at = name->up; at; part = at, at = at->up) {
        CXCursor changed = dal__changed_by(tree, at->cursor);
        if (clang_equalCursors(changed, part->cursor))
            return DAL_USE_SET;
        switch (clang_getCursorKind(at->cursor)) {
        case CXCursor_ParenExpr:
            break;
        case CXCursor_ArraySubscriptExpr:
        case CXCursor_MemberRefExpr:
            if (clang_getCursorKind(part->cursor) == CXCursor_UnexposedExpr &&
                !dal__is_pointer(part->cursor))
                return DAL_USE_VALUE;
            behind |= dal__is_pointer(part->cursor);
            break;
        case CXCursor_UnaryOperator:
            behind |= is_dereference(tree, at->cursor);
            if (!behind && !is_address(at->cursor))
                return DAL_USE_VALUE;
            break;
        case CXCursor_VarDecl:
        case CXCursor_InitListExpr:
        case CXCursor_ReturnStmt:
            return has_pointer(part->cursor, windows) ? DAL_USE_HANDED : DAL_USE_VALUE;
        case CXCursor_CallExpr:
            return has_pointer(part->cursor, windows) ? DAL_USE_CALL : DAL_USE_VALUE;
        default:
            if (!clang_isExpression(clang_getCursorKind(at->cursor)) ||
                !has_pointer(at->cursor, windows))
                return behind ? DAL_USE_MEMORY : DAL_USE_VALUE;
            if (!clang_Cursor_isNull(changed))
                return DAL_USE_HANDED;
            if (is_harmless(at->cursor, windows))
                return DAL_USE_VALUE;
        }
    }
    return DAL_USE_VALUE;
}
