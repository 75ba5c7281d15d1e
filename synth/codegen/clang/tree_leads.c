/* Finds the variables whose memory an expression of C may be, or point into: also through pointers
 * that have a variable's address, alone or in a structure or an array. */
#include "synth/codegen/clang/tree_blocks.h"

#include "rt/base/alloc.h"

#include <string.h>

/* One question after roots. */
struct ask {
    struct dal_ast *tree;
    struct dal_leads *leads;
    struct dal_cursors *roots;
    size_t part;
};

static void add_roots(struct ask *ask, CXCursor at);

int dal__is_listed(const struct dal_cursors *all, CXCursor cursor)
{
    for (size_t i = 0; i < all->count; i++)
        if (clang_equalCursors(all->list[i], cursor))
            return 1;
    return 0;
}

int dal__list_once(struct dal_ast *tree, struct dal_cursors *all, CXCursor cursor)
{
    if (dal__is_listed(all, cursor))
        return 0;
    if (dal_grow(&all->list, all->count, &all->room, sizeof(*all->list)))
        tree->facts->lost = 1;
    else
        all->list[all->count++] = cursor;
    return 1;
}

static void add_root(struct ask *ask, CXCursor root)
{
    dal__list_once(ask->tree, ask->roots, root);
}

static void follow(struct ask *ask, CXCursor from, CXCursor member)
{
    from = clang_getCanonicalCursor(from);
    for (size_t i = 0; i < ask->leads->count; i++) {
        const struct dal_lead *lead = &ask->leads->list[i];
        if (clang_equalCursors(lead->from, from) && clang_equalCursors(lead->member, member))
            add_root(ask, lead->to);
    }
}

int dal__is_member_of_process(CXCursor use)
{
    CXCursor owner = clang_getCursorSemanticParent(clang_getCursorReferenced(use));
    return clang_getCursorKind(use) == CXCursor_MemberRefExpr &&
           strcmp(dal__ast_name(owner), "_process") == 0;
}

/* The member that a place is in, null without one: all elements of an array are alike. */
static CXCursor member_of(CXCursor place)
{
    for (;;)
        switch (clang_getCursorKind(place)) {
        case CXCursor_MemberRefExpr:
            return clang_getCursorReferenced(place);
        case CXCursor_ArraySubscriptExpr:
            place = dal__parts_of(place).first;
            break;
        case CXCursor_UnexposedExpr:
            if (!dal__ast_is_array(dal__type_of(dal__parts_of(place).last)))
                return clang_getNullCursor();
            place = dal__parts_of(place).last;
            break;
        case CXCursor_ParenExpr:
            place = dal__parts_of(place).last;
            break;
        default:
            return clang_getNullCursor();
        }
}

/* Adds what the value of a place leads to. */
static void add_behind(struct ask *ask, CXCursor place)
{
    struct dal_cursors owners = {0};
    struct ask of_place = {.tree = ask->tree, .leads = ask->leads, .roots = &owners};
    while (clang_getCursorKind(place) == CXCursor_ParenExpr)
        place = dal__parts_of(place).last;
    if (dal__is_member_of_process(place) && strcmp(dal__ast_name(place), "local") == 0) {
        add_root(ask, clang_getCursorReferenced(place));
        return;
    }
    add_roots(&of_place, place);
    for (size_t i = 0; i < owners.count; i++)
        follow(ask, owners.list[i], member_of(place));
    dal_free(owners.list);
}

static int is_reference(CXCursor variable)
{
    return dal__type_of(variable).kind == CXType_LValueReference;
}

/* Both arms of "?:" count. */
static enum CXChildVisitResult visit_arm(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct ask *ask = data;
    (void)parent;
    if (ask->part++ > 0)
        add_roots(ask, cursor);
    return CXChildVisit_Continue;
}

static void add_arms(struct ask *ask, CXCursor at)
{
    struct ask of_arms = {.tree = ask->tree, .leads = ask->leads, .roots = ask->roots};
    clang_visitChildren(at, visit_arm, &of_arms);
}

/* Of two pointers, only a comma makes one. */
static CXCursor pointer_in(CXCursor at)
{
    struct dal_parts parts = dal__parts_of(at);
    return dal__is_pointer(parts.last) ? parts.last : parts.first;
}

static void add_of_name(struct ask *ask, CXCursor meant)
{
    if (is_reference(meant))
        follow(ask, meant, clang_getNullCursor());
    else
        add_root(ask, meant);
}

/* A window of an input is a root by the call that gives it. */
static void add_of_call(struct ask *ask, CXCursor call)
{
    CXCursor function = clang_getCursorReferenced(call);
    if (dal__is_input(call))
        add_root(ask, call);
    follow(ask, function, clang_getNullCursor());
}

static void add_roots(struct ask *ask, CXCursor at)
{
    struct dal_parts parts = dal__parts_of(at);
    enum CXCursorKind kind = clang_getCursorKind(at);
    if ((kind == CXCursor_UnaryOperator || kind == CXCursor_CompoundAssignOperator) &&
        !clang_Cursor_isNull(dal__changed_by(ask->tree, at))) {
        add_behind(ask, parts.first);
        return;
    }
    switch (kind) {
    case CXCursor_DeclRefExpr:
        add_of_name(ask, clang_getCursorReferenced(at));
        break;
    case CXCursor_CallExpr:
        add_of_call(ask, at);
        break;
    case CXCursor_UnexposedExpr:
        if (dal__is_place(ask->tree, parts.last) && !dal__ast_is_array(dal__type_of(parts.last))) {
            add_behind(ask, parts.last);
            break;
        }
        add_roots(ask, parts.last);
        break;
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundLiteralExpr:
    case CXCursor_StmtExpr:
    case CXCursor_CompoundStmt:
        add_roots(ask, parts.last);
        break;
    case CXCursor_BinaryOperator:
    case CXCursor_ArraySubscriptExpr:
        add_roots(ask, pointer_in(at));
        break;
    case CXCursor_ConditionalOperator:
        add_arms(ask, at);
        break;
    case CXCursor_MemberRefExpr:
        add_roots(ask, parts.first);
        break;
    default:
        break;
    }
}

struct dal_cursors dal__roots_of(struct dal_ast *tree, struct dal_leads *leads, CXCursor at)
{
    struct dal_cursors roots = {0};
    add_roots(&(struct ask){.tree = tree, .leads = leads, .roots = &roots}, at);
    return roots;
}

int dal__is_input(CXCursor root)
{
    return clang_getCursorKind(root) == CXCursor_CallExpr &&
           strcmp(dal__ast_name(root), "DAL_read_begin") == 0;
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

/* ---- what is given --------------------------------------------------------------------------- */

/* A variable, or a member of it, that gets a value. */
struct given {
    struct dal_ast *tree;
    struct dal_leads *leads;
    CXCursor to, member;
    CXType type;     /* of a list of values */
    unsigned number; /* of the next one in it */
};

static void add_lead(struct given *given, CXCursor root)
{
    struct dal_leads *all = given->leads;
    struct dal_lead lead = {clang_getCanonicalCursor(given->to), given->member, root};
    for (size_t i = 0; i < all->count; i++)
        if (clang_equalCursors(all->list[i].from, lead.from) &&
            clang_equalCursors(all->list[i].member, lead.member) &&
            clang_equalCursors(all->list[i].to, lead.to))
            return;
    if (dal_grow(&all->list, all->count, &all->room, sizeof(*all->list)))
        given->tree->facts->lost = 1;
    else
        all->list[all->count++] = lead;
}

static void give(struct given given, CXCursor value);

struct nth {
    unsigned number;
    CXCursor member;
};

static enum CXVisitorResult visit_nth(CXCursor field, CXClientData data)
{
    struct nth *nth = data;
    nth->member = field;
    return nth->number-- ? CXVisit_Continue : CXVisit_Break;
}

static enum CXChildVisitResult visit_given(CXCursor value, CXCursor parent, CXClientData data)
{
    struct given *given = data, part = *given;
    struct dal_parts parts = dal__parts_of(value);
    struct nth nth = {given->number++, clang_getNullCursor()};
    (void)parent;
    if (clang_getCursorKind(parts.first) == CXCursor_MemberRef) {
        part.member = clang_getCursorReferenced(parts.first);
        value = parts.last;
    } else if (given->type.kind == CXType_Record) {
        clang_Type_visitFields(given->type, visit_nth, &nth);
        part.member = nth.member;
    }
    give(part, value);
    return CXChildVisit_Continue;
}

static void give(struct given given, CXCursor value)
{
    struct dal_cursors roots;
    while (clang_getCursorKind(value) == CXCursor_CompoundLiteralExpr)
        value = dal__parts_of(value).last;
    if (clang_getCursorKind(value) == CXCursor_InitListExpr) {
        given.type = dal__type_of(value);
        given.number = 0;
        clang_visitChildren(value, visit_given, &given);
    }
    if (!dal__is_pointer(value) && !is_reference(given.to))
        return;
    roots = dal__roots_of(given.tree, given.leads, value);
    for (size_t i = 0; i < roots.count; i++)
        add_lead(&given, roots.list[i]);
    dal_free(roots.list);
}

/* What is set in a place is set in each variable that it may be in. */
static void give_place(struct given given, CXCursor place, CXCursor value)
{
    struct dal_cursors owners = dal__roots_of(given.tree, given.leads, place);
    given.member = member_of(place);
    for (size_t i = 0; i < owners.count; i++) {
        given.to = owners.list[i];
        give(given, value);
    }
    dal_free(owners.list);
}

static void give_arguments(struct given given, CXCursor call)
{
    CXCursor body = clang_getCursorDefinition(clang_getCursorReferenced(call));
    int count = clang_Cursor_getNumArguments(call), has = clang_Cursor_getNumArguments(body);
    if (clang_getCursorKind(body) != CXCursor_FunctionDecl)
        return;
    for (int i = 0; i < count && i < has; i++) {
        given.to = clang_Cursor_getArgument(body, (unsigned)i);
        give(given, clang_Cursor_getArgument(call, (unsigned)i));
    }
}

static void give_variable(struct given given, CXCursor variable)
{
    CXCursor definition = clang_getCursorDefinition(variable), value;
    if (clang_getCursorKind(variable) != CXCursor_VarDecl)
        return;
    value =
        clang_Cursor_getVarDeclInitializer(clang_Cursor_isNull(definition) ? variable : definition);
    given.to = variable;
    if (!clang_Cursor_isNull(value))
        give(given, value);
}

void dal__add_leads(struct dal_ast *tree, struct dal_leads *leads, CXCursor cursor, CXCursor body)
{
    struct given given = {
        .tree = tree, .leads = leads, .to = body, .member = clang_getNullCursor()};
    CXCursor changed = dal__changed_by(tree, cursor), last = dal__parts_of(cursor).last;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CallExpr:
        give_arguments(given, cursor);
        break;
    case CXCursor_VarDecl:
        give_variable(given, cursor);
        break;
    case CXCursor_DeclRefExpr:
        if (clang_Cursor_hasVarDeclGlobalStorage(clang_getCursorReferenced(cursor)) == 1)
            give_variable(given, clang_getCursorReferenced(cursor));
        break;
    case CXCursor_BinaryOperator:
        if (!clang_Cursor_isNull(changed))
            give_place(given, changed, last);
        break;
    case CXCursor_ReturnStmt:
        if (dal__is_pointer(last))
            give(given, last);
        break;
    default:
        break;
    }
}
