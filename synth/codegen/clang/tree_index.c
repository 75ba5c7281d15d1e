/* Finds what an index of a window is, in a launch of one firing: on the tree, through variables
 * that keep their first value. It is a sum of a number, of blocks and of items, or unknown. */
#include "synth/codegen/clang/tree_steps.h"

#include "spec/base/names.h"

#include "rt/base/alloc.h"

#include <string.h>

enum { MOST_STEPS = 16, MOST_FACTOR = 1 << 22, SHOWN = 60 };

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

/* Has a conversion the value of what it is made of, if that is an index? */
static int keeps_value(CXCursor wrapper)
{
    CXType type = dal__type_of(wrapper), from = dal__type_of(dal__parts_of(wrapper).last);
    long long bytes = clang_Type_getSizeOf(type);
    return type.kind != CXType_Float && type.kind != CXType_Double && type.kind != CXType_Half &&
           (bytes >= 4 || bytes >= clang_Type_getSizeOf(from));
}

static CXCursor strip(CXCursor cursor)
{
    while (dal__is_wrapper(cursor) && keeps_value(cursor))
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
    const struct dal_ast *tree;
    CXCursor variable;
    int is_set;
};

/* Where only its value is taken, clang has a step around it. */
static enum CXChildVisitResult visit_setting(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct setting *setting = data;
    (void)parent;
    if (dal__is_kind(cursor, CXCursor_UnexposedExpr) &&
        dal__is_name_of(cursor, setting->variable) && !dal__is_place(setting->tree, cursor))
        return CXChildVisit_Continue;
    setting->is_set |= dal__is_kind(cursor, CXCursor_DeclRefExpr) &&
                       clang_equalCursors(clang_getCursorReferenced(cursor), setting->variable);
    return CXChildVisit_Recurse;
}

int dal__is_ours(const struct dal_step *s, CXCursor cursor, const char *name)
{
    static const char *const ours[] = {"dal__first_block", "dal__step",        "dal__read_begin",
                                       "dal__read_end",    "dal__write_begin", "dal__write_end"};
    const char *is = dal__ast_name(cursor);
    return s->is_fire &&
           (dal__is_kind(cursor, CXCursor_CallExpr) ||
            dal__is_kind(cursor, CXCursor_DeclRefExpr)) &&
           (name ? strcmp(is, name) == 0 : DAL_IS_ONE_OF(ours, is));
}

/* A call only asks: what has a body here is no question. Of operations that have no kind of their
 * own, one with several parts may do anything. */
int dal__only_gives(const struct dal_step *s, CXCursor cursor)
{
    static const enum CXCursorKind kinds[] = {
        CXCursor_DeclRefExpr,         CXCursor_MemberRefExpr,       CXCursor_IntegerLiteral,
        CXCursor_FloatingLiteral,     CXCursor_CharacterLiteral,    CXCursor_ArraySubscriptExpr,
        CXCursor_CStyleCastExpr,      CXCursor_ParenExpr,           CXCursor_InitListExpr,
        CXCursor_UnaryExpr,           CXCursor_CompoundLiteralExpr, CXCursor_UnaryOperator,
        CXCursor_ConditionalOperator, CXCursor_BinaryOperator};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CallExpr)
        return dal__is_ours(s, cursor, NULL) ||
               (strncmp(dal__ast_name(cursor), "get_", 4) == 0 &&
                clang_Cursor_isNull(clang_getCursorDefinition(clang_getCursorReferenced(cursor))));
    if (kind == CXCursor_UnexposedExpr)
        return dal__parts_of(cursor).count <= 1;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (kind == kinds[i])
            return clang_Cursor_isNull(dal__changed_by(s->tree, cursor));
    return clang_isReference(kind) || clang_isDeclaration(kind);
}

struct giving {
    const struct dal_step *s;
    int is_pure;
};

static enum CXChildVisitResult visit_giving(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct giving *giving = data;
    (void)parent;
    giving->is_pure = giving->is_pure && dal__only_gives(giving->s, cursor);
    return giving->is_pure ? CXChildVisit_Recurse : CXChildVisit_Break;
}

int dal__is_pure(const struct dal_step *s, CXCursor expression)
{
    struct giving giving = {s, dal__only_gives(s, expression)};
    clang_visitChildren(expression, visit_giving, &giving);
    return giving.is_pure;
}

/* May a variable have another value than its first one? */
static int is_set(struct dal_step *s, CXCursor variable)
{
    struct setting setting = {s->tree, variable, 0};
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

/* Is it the number of the work-item, in a launch of one firing? */
int dal__is_item(struct dal_step *s, CXCursor cursor)
{
    cursor = dal__resolve(s, cursor);
    return dal__is_question(cursor, "get_local_id") || dal__is_question(cursor, "get_global_id") ||
           dal__is_ours(s, cursor, "dal__first_block");
}

int dal__is_sum(struct dal_sum a, long long number, long long block, long long item)
{
    return a.is_known && a.number == number && a.block == block && a.item == item;
}

/* Is it so small that a sum of two of them, or one times MOST_FACTOR, is a number? */
static int is_small(struct dal_sum a)
{
    const long long most = 1LL << 40;
    return a.is_known && a.number <= most && a.block <= most && a.item <= most;
}

struct dal_sum dal__sum_add(struct dal_sum a, struct dal_sum b)
{
    return is_small(a) && is_small(b)
               ? (struct dal_sum){1, a.number + b.number, a.block + b.block, a.item + b.item}
               : (struct dal_sum){0};
}

struct dal_sum dal__sum_scale(struct dal_sum a, long long factor)
{
    return is_small(a) && factor >= 0 && factor <= MOST_FACTOR
               ? (struct dal_sum){1, a.number * factor, a.block * factor, a.item * factor}
               : (struct dal_sum){0};
}

static int is_number(struct dal_sum a)
{
    return a.is_known && a.block == 0 && a.item == 0;
}

static struct dal_sum sum_of(struct dal_step *s, CXCursor cursor, int depth)
{
    struct dal_sum one = {.is_known = 1}, left, right;
    struct dal_parts parts;
    long long value;
    cursor = dal__resolve(s, cursor);
    parts = dal__parts_of(cursor);
    value = dal__value_of(cursor);
    if (value >= 0)
        return (struct dal_sum){1, value, 0, 0};
    one.block = dal__is_name_of(cursor, s->block) && dal__is_in(cursor, s->around);
    one.item = clang_Cursor_isNull(s->loop)
                   ? dal__is_item(s, cursor)
                   : dal__is_name_of(cursor, s->counter) && dal__is_in(cursor, s->inside);
    if (one.block || one.item || dal__is_question(cursor, "get_group_id") ||
        (dal__is_operation(s, cursor, "/") &&
         dal__is_question(dal__resolve(s, parts.first), "get_global_id") &&
         dal__is_question(dal__resolve(s, parts.last), "get_local_size")))
        return one;
    if (depth == MOST_STEPS ||
        (!dal__is_operation(s, cursor, "+") && !dal__is_operation(s, cursor, "*")))
        return (struct dal_sum){0};
    left = sum_of(s, parts.first, depth + 1);
    right = sum_of(s, parts.last, depth + 1);
    if (dal__is_operation(s, cursor, "+"))
        return dal__sum_add(left, right);
    if (dal__is_sum(left, 0, 0, 0) || dal__is_sum(right, 0, 0, 0))
        return (struct dal_sum){.is_known = 1};
    return is_number(left) ? dal__sum_scale(right, left.number)
                           : dal__sum_scale(left, is_number(right) ? right.number : -1);
}

struct dal_sum dal__sum_of(struct dal_step *s, CXCursor cursor)
{
    return dal__is_pure(s, cursor) ? sum_of(s, cursor, 0) : (struct dal_sum){0};
}

int dal__is_zero(struct dal_step *s, CXCursor cursor)
{
    return dal__is_sum(dal__sum_of(s, cursor), 0, 0, 0);
}

/* Returns an expression as the text has it, up to some length. */
static const char *shown(const struct dal_step *s, CXCursor cursor)
{
    size_t start = dal__ast_start(cursor), bytes = dal__ast_end(cursor) - start;
    return s->tree->reading->text
               ? dal_format("'%.*s%s'", (int)(bytes < SHOWN ? bytes : SHOWN),
                            s->tree->reading->text + start, bytes < SHOWN ? "" : "...")
               : "it";
}

void dal__add_in_way(struct dal_step *s, const char *port, CXCursor at, const char *words)
{
    for (int i = 0; i < s->name_count; i++)
        if (strcmp(s->names[i].port, port) == 0 && s->names[i].in_way++)
            return;
    dal__ast_add_at(s->tree,
                    (struct dal_fact){.kind = DAL_FACT_IN_WAY,
                                      .name = port,
                                      .word = {dal_format("%s %s", shown(s, at), words)}},
                    clang_getCursorLocation(at));
}
