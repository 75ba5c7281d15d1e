/* Finds the variable whose memory an expression of C is, or points into: also through a pointer
 * that has the variable's address. */
#include "synth/codegen/clang/tree_blocks.h"

#include "rt/base/alloc.h"

#include <string.h>

static CXCursor find_lead(const struct dal_leads *leads, CXCursor from)
{
    from = clang_getCanonicalCursor(from);
    for (size_t i = 0; i < leads->count; i++)
        if (clang_equalCursors(leads->list[i].from, from))
            return leads->list[i].to;
    return clang_getNullCursor();
}

int dal__is_member_of_process(CXCursor use)
{
    CXCursor owner = clang_getCursorSemanticParent(clang_getCursorReferenced(use));
    return clang_getCursorKind(use) == CXCursor_MemberRefExpr &&
           strcmp(dal__ast_name(owner), "_process") == 0;
}

/* What the value of a place leads to. */
static CXCursor behind(const struct dal_leads *leads, CXCursor place)
{
    while (clang_getCursorKind(place) == CXCursor_ParenExpr)
        place = dal__parts_of(place).last;
    if (dal__is_member_of_process(place) && strcmp(dal__ast_name(place), "local") == 0)
        return clang_getCursorReferenced(place);
    return clang_getCursorKind(place) == CXCursor_DeclRefExpr
               ? find_lead(leads, clang_getCursorReferenced(place))
               : clang_getNullCursor();
}

static int is_reference(CXCursor variable)
{
    return dal__type_of(variable).kind == CXType_LValueReference;
}

CXCursor dal__root_of(const struct dal_ast *tree, const struct dal_leads *leads, CXCursor at)
{
    for (;;) {
        struct dal_parts parts = dal__parts_of(at);
        CXCursor meant = clang_getCursorReferenced(at);
        switch (clang_getCursorKind(at)) {
        case CXCursor_DeclRefExpr:
            return is_reference(meant) ? find_lead(leads, meant) : meant;
        case CXCursor_CallExpr:
            return find_lead(leads, meant);
        case CXCursor_UnexposedExpr:
            if (dal__is_place(tree, parts.last) && !dal__ast_is_array(dal__type_of(parts.last)))
                return behind(leads, parts.last);
            at = parts.last;
            break;
        case CXCursor_ParenExpr:
        case CXCursor_CStyleCastExpr:
        case CXCursor_UnaryOperator:
            at = parts.last;
            break;
        case CXCursor_BinaryOperator:
            at = dal__is_pointer(parts.first) ? parts.first : parts.last;
            break;
        case CXCursor_MemberRefExpr:
        case CXCursor_ArraySubscriptExpr:
            at = parts.first;
            break;
        default:
            return clang_getNullCursor();
        }
    }
}

int dal__is_shared(CXCursor variable)
{
    CXType type = clang_getCursorType(variable);
    return clang_getCursorKind(variable) == CXCursor_FieldDecl ||
           (clang_getCursorKind(variable) == CXCursor_VarDecl &&
            clang_Cursor_hasVarDeclGlobalStorage(variable) == 1 &&
            clang_getCursorTLSKind(variable) == CXTLS_None && !dal__ast_is_const(type) &&
            dal__ast_element(type).kind != CXType_Atomic);
}

/* Notes that a pointer, or a function that returns one, leads to a variable that is shared. */
static void add_lead(struct dal_ast *tree, struct dal_leads *leads, CXCursor from, CXCursor to)
{
    if (!dal__is_shared(to) || !clang_Cursor_isNull(find_lead(leads, from)))
        return;
    if (dal_grow(&leads->list, leads->count, &leads->room, sizeof(*leads->list)))
        tree->facts->lost = 1;
    else
        leads->list[leads->count++] = (struct dal_lead){clang_getCanonicalCursor(from), to};
}

static void add_arguments(struct dal_ast *tree, struct dal_leads *leads, CXCursor call)
{
    CXCursor body = clang_getCursorDefinition(clang_getCursorReferenced(call));
    int count = clang_Cursor_getNumArguments(call), has = clang_Cursor_getNumArguments(body);
    if (clang_getCursorKind(body) != CXCursor_FunctionDecl)
        return;
    for (int i = 0; i < count && i < has; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        CXCursor parameter = clang_Cursor_getArgument(body, (unsigned)i);
        if (dal__is_pointer(parameter) || is_reference(parameter))
            add_lead(tree, leads, parameter, dal__root_of(tree, leads, argument));
    }
}

void dal__add_leads(struct dal_ast *tree, struct dal_leads *leads, CXCursor cursor, CXCursor body)
{
    CXCursor changed = dal__changed_by(tree, cursor), last = dal__parts_of(cursor).last;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CallExpr)
        add_arguments(tree, leads, cursor);
    else if (kind == CXCursor_VarDecl && clang_isExpression(clang_getCursorKind(last)) &&
             (dal__is_pointer(cursor) || is_reference(cursor)))
        add_lead(tree, leads, cursor, dal__root_of(tree, leads, last));
    else if (kind == CXCursor_BinaryOperator && dal__is_pointer(cursor) &&
             clang_getCursorKind(changed) == CXCursor_DeclRefExpr)
        add_lead(tree, leads, clang_getCursorReferenced(changed), dal__root_of(tree, leads, last));
    else if (kind == CXCursor_ReturnStmt && dal__is_pointer(last))
        add_lead(tree, leads, body, dal__root_of(tree, leads, last));
}
