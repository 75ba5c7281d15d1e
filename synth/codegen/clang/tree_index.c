/* Finds what an index of a window is, in a launch of one firing: on the tree, through variables
 * that keep their first value. */
#include "synth/codegen/clang/tree_steps.h"

#include <string.h>

enum { MOST_STEPS = 16 };

static enum CXChildVisitResult visit_list(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_list *list = data;
    (void)parent;
    if (list->count < sizeof(list->at) / sizeof(list->at[0]))
        list->at[list->count] = cursor;
    list->count++;
    return CXChildVisit_Continue;
}

struct dal_list dal__list_of(CXCursor cursor)
{
    struct dal_list list = {.count = 0};
    clang_visitChildren(cursor, visit_list, &list);
    return list;
}

int dal__is_kind(CXCursor cursor, enum CXCursorKind kind)
{
    return clang_getCursorKind(cursor) == kind;
}

int dal__is_in(CXCursor cursor, CXCursor whole)
{
    return dal__ast_start(cursor) >= dal__ast_start(whole) &&
           dal__ast_end(cursor) <= dal__ast_end(whole);
}

int dal__is_wrapper(CXCursor cursor)
{
    return dal__is_kind(cursor, CXCursor_ParenExpr) ||
           dal__is_kind(cursor, CXCursor_UnexposedExpr) ||
           dal__is_kind(cursor, CXCursor_CStyleCastExpr);
}

static CXCursor strip(CXCursor cursor)
{
    while (dal__is_wrapper(cursor))
        cursor = dal__parts_of(cursor).last;
    return cursor;
}

/* Has an expression of two parts this operator between them? libclang does not tell it. */
int dal__is_operation(const struct dal_step *s, CXCursor cursor, const char *word)
{
    struct dal_parts parts = dal__parts_of(cursor);
    struct dal_tokens tokens;
    if (!dal__is_kind(cursor, CXCursor_BinaryOperator) &&
        !dal__is_kind(cursor, CXCursor_CompoundAssignOperator))
        return 0;
    tokens = dal__ast_tokens(
        s->tree, clang_getRange(clang_getRangeEnd(clang_getCursorExtent(parts.first)),
                                clang_getRangeStart(clang_getCursorExtent(parts.last))));
    return dal__ast_is_word(&tokens, 0, word);
}

int dal__is_name_of(CXCursor cursor, CXCursor variable)
{
    cursor = strip(cursor);
    return dal__is_kind(cursor, CXCursor_DeclRefExpr) &&
           clang_equalCursors(clang_getCursorReferenced(cursor), variable);
}

/* Returns a constant's value, or -1. */
long long dal__value_of(CXCursor cursor)
{
    long long value;
    return dal__ast_constant(cursor, &value) ? value : -1;
}

struct setting {
    CXCursor variable;
    int is_set;
};

/* Where only its value is taken, clang has a step around it. */
static enum CXChildVisitResult visit_setting(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct setting *setting = data;
    (void)parent;
    if (dal__is_kind(cursor, CXCursor_UnexposedExpr) && dal__is_name_of(cursor, setting->variable))
        return CXChildVisit_Continue;
    setting->is_set |= dal__is_kind(cursor, CXCursor_DeclRefExpr) &&
                       clang_equalCursors(clang_getCursorReferenced(cursor), setting->variable);
    return CXChildVisit_Recurse;
}

/* May a variable have another value than its first one? */
static int is_set(struct dal_step *s, CXCursor variable)
{
    struct setting setting = {variable, 0};
    for (int i = 0; i < s->known_count; i++)
        if (clang_equalCursors(s->known[i].variable, variable))
            return s->known[i].is_set;
    if (s->known_count == DAL_STEP_NAMES)
        return 1;
    clang_visitChildren(s->body, visit_setting, &setting);
    s->known[s->known_count].variable = variable;
    return s->known[s->known_count++].is_set = setting.is_set;
}

/* Returns the expression, or what stands for it: the first value of a variable that keeps that. */
CXCursor dal__resolve(struct dal_step *s, CXCursor cursor)
{
    cursor = strip(cursor);
    for (int i = 0; i < MOST_STEPS && dal__is_kind(cursor, CXCursor_DeclRefExpr); i++) {
        CXCursor variable = clang_getCursorReferenced(cursor);
        CXCursor value = dal__parts_of(variable).last;
        if (!dal__is_kind(variable, CXCursor_VarDecl) || !dal__is_in(variable, s->body) ||
            !clang_isExpression(clang_getCursorKind(value)) || is_set(s, variable))
            break;
        cursor = strip(value);
    }
    return cursor;
}

/* Asks a work-item's function, of its first dimension. */
int dal__is_question(CXCursor cursor, const char *name)
{
    return dal__is_kind(cursor, CXCursor_CallExpr) && strcmp(dal__ast_name(cursor), name) == 0 &&
           clang_Cursor_getNumArguments(cursor) == 1 &&
           dal__value_of(clang_Cursor_getArgument(cursor, 0)) == 0;
}

/* Is an expression 0 in a launch of one firing? */
int dal__is_zero(struct dal_step *s, CXCursor cursor, int depth)
{
    struct dal_parts parts;
    cursor = dal__resolve(s, cursor);
    parts = dal__parts_of(cursor);
    if (dal__value_of(cursor) == 0 || dal__is_question(cursor, "get_group_id"))
        return 1;
    if (depth == MOST_STEPS)
        return 0;
    if (dal__is_operation(s, cursor, "*"))
        return dal__is_zero(s, parts.first, depth + 1) || dal__is_zero(s, parts.last, depth + 1);
    if (dal__is_operation(s, cursor, "+"))
        return dal__is_zero(s, parts.first, depth + 1) && dal__is_zero(s, parts.last, depth + 1);
    return dal__is_operation(s, cursor, "/") &&
           dal__is_question(dal__resolve(s, parts.first), "get_global_id") &&
           dal__is_question(dal__resolve(s, parts.last), "get_local_size");
}

/* Is it the number of the work-item, in a launch of one firing? */
int dal__is_item(struct dal_step *s, CXCursor cursor)
{
    cursor = dal__resolve(s, cursor);
    return dal__is_question(cursor, "get_local_id") || dal__is_question(cursor, "get_global_id");
}

/* Is it the number of the work-item's word, from the begin of the firing's window? */
int dal__is_index(struct dal_step *s, CXCursor cursor)
{
    for (int depth = 0; depth < MOST_STEPS; depth++) {
        struct dal_parts parts;
        if (clang_Cursor_isNull(s->loop) ? dal__is_item(s, cursor)
                                         : dal__is_name_of(cursor, s->counter))
            return 1;
        cursor = dal__resolve(s, cursor);
        parts = dal__parts_of(cursor);
        if (!dal__is_operation(s, cursor, "+"))
            return !clang_Cursor_isNull(s->loop) && dal__is_name_of(cursor, s->counter);
        cursor = dal__is_zero(s, parts.first, 0) ? parts.last : parts.first;
        if (clang_equalCursors(cursor, parts.first) && !dal__is_zero(s, parts.last, 0))
            return 0;
    }
    return 0;
}
