/*
 * Finds whether a kernel goes over its windows word by word, so that its words can be passed in
 * registers (synth/codegen/kernel/words.c). Each work-item then has words of its own: with a loop
 * over them, from its number on by the number of work-items, or one word without such a loop. A
 * port whose words it uses in another way is in the way of that, and so is what a kernel does
 * around them.
 */
#include "synth/codegen/clang/tree_steps.h"

#include "rt/base/alloc.h"

#include <string.h>

enum { MOST_WORDS = 1 << 30, SHOWN = 60 };

/* The cursors from the body down to the one at hand. */
struct place {
    struct dal_step *s;
    const struct place *up;
    CXCursor cursor;
};

/* ---- what is in the way ---------------------------------------------------------------------- */

/* Returns an expression as the text has it, up to some length. */
static const char *shown(const struct dal_step *s, CXCursor cursor)
{
    size_t start = dal__ast_start(cursor), bytes = dal__ast_end(cursor) - start;
    return s->tree->reading->text
               ? dal_format("'%.*s%s'", (int)(bytes < SHOWN ? bytes : SHOWN),
                            s->tree->reading->text + start, bytes < SHOWN ? "" : "...")
               : "it";
}

/* Notes once what is in the way of a port; or of all, for "". */
static void add_in_way(struct dal_step *s, const char *port, CXCursor at, const char *words)
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

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the name of a number's type, or of a vector's; NULL for another. */
static const char *word_type(CXType type)
{
    static const struct {
        enum CXTypeKind kind;
        const char *name;
    } types[] = {
        {CXType_Char_S, "char"}, {CXType_SChar, "char"},    {CXType_UChar, "uchar"},
        {CXType_Short, "short"}, {CXType_UShort, "ushort"}, {CXType_Int, "int"},
        {CXType_UInt, "uint"},   {CXType_Long, "long"},     {CXType_ULong, "ulong"},
        {CXType_Float, "float"}, {CXType_Double, "double"},
    };
    if (type.kind == CXType_ExtVector || type.kind == CXType_Vector) {
        const char *of = word_type(clang_getCanonicalType(clang_getElementType(type)));
        return of ? dal_format("%s%lld", of, clang_getNumElements(type)) : NULL;
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (types[i].kind == type.kind)
            return types[i].name;
    return NULL;
}

/* Is it the branch of an if, without an else, that the first work-item alone takes? */
static int is_of_first(struct dal_step *s, CXCursor branch, CXCursor statement)
{
    struct dal_list parts = dal__list_of(statement);
    struct dal_parts sides;
    if (!dal__is_kind(statement, CXCursor_IfStmt) || parts.count != 2 ||
        !clang_equalCursors(parts.at[1], branch) || !dal__is_operation(s, parts.at[0], "=="))
        return 0;
    sides = dal__parts_of(parts.at[0]);
    return (dal__is_item(s, sides.first) && dal__is_zero(s, sides.last, 0)) ||
           (dal__is_item(s, sides.last) && dal__is_zero(s, sides.first, 0));
}

/* Is a statement reached once for each word? Notes where only the first work-item reaches it. */
static int is_reached(const struct place *at, size_t *alone)
{
    struct dal_step *s = at->s;
    CXCursor all = clang_Cursor_isNull(s->loop) ? s->body : s->inside;
    if (clang_equalCursors(at->cursor, all) || clang_equalCursors(at->up->cursor, all))
        return 1;
    if (dal__is_kind(at->up->cursor, CXCursor_CompoundStmt))
        at = at->up;
    *alone = 1;
    return clang_Cursor_isNull(s->loop) && at->up->up &&
           clang_equalCursors(at->up->up->cursor, all) &&
           is_of_first(s, at->cursor, at->up->cursor);
}

/* Takes an element of a window. */
static void take_element(const struct place *at, const char *port)
{
    struct dal_step *s = at->s;
    CXCursor index = dal__parts_of(at->cursor).last, use = at->up->cursor;
    CXType type = dal__type_of(at->cursor);
    struct dal_element_fact word = {.type = word_type(type),
                                    .bytes = (size_t)clang_Type_getSizeOf(type),
                                    .start = dal__ast_start(at->cursor),
                                    .end = dal__ast_end(at->cursor)};
    word.is_stored =
        dal__is_operation(s, use, "=") && clang_equalCursors(dal__parts_of(use).first, at->cursor);
    if (!dal__is_index(s, index))
        word.is_alone = (size_t)(clang_Cursor_isNull(s->loop) && dal__is_zero(s, index, 0));
    if (!dal__is_index(s, index) && !word.is_alone)
        add_in_way(s, port, at->cursor, "is not the work-item's own word");
    else if (!word.type || clang_isVolatileQualifiedType(type))
        add_in_way(s, port, at->cursor, "is no plain number or vector");
    else if (!clang_Cursor_isNull(s->loop) && !dal__is_in(at->cursor, s->inside))
        add_in_way(s, port, at->cursor, "stands outside of the loop over words");
    else if (word.is_stored ? !is_reached(at->up, &word.is_alone)
                            : !dal__is_kind(use, CXCursor_UnexposedExpr))
        add_in_way(s, port, use, word.is_stored ? "is not always done" : "does more than take it");
    else
        dal__ast_add_at(s->tree,
                        (struct dal_fact){.kind = DAL_FACT_WORD, .name = port, .element = word},
                        clang_getCursorLocation(at->cursor));
}

static void add_name(struct dal_step *s, CXCursor variable, const char *port)
{
    if (s->name_count == DAL_STEP_NAMES)
        add_in_way(s, port, variable, "is one pointer too many");
    else
        s->names[s->name_count++] = (struct dal_step_name){.variable = variable, .port = port};
}

static int is_window(CXCursor variable)
{
    CXType type = dal__type_of(variable);
    return type.kind == CXType_Pointer &&
           dal__ast_memory(clang_getCanonicalType(clang_getPointeeType(type))) == DAL_TARGET_GLOBAL;
}

/* Is a pointer moved to its firing's window, before anything else is done? */
static int is_moved(const struct place *at)
{
    const struct place *up = at->up;
    return dal__is_kind(up->cursor, CXCursor_CompoundAssignOperator) &&
           dal__is_operation(at->s, up->cursor, "+=") &&
           clang_equalCursors(dal__parts_of(up->cursor).first, at->cursor) &&
           dal__is_zero(at->s, dal__parts_of(up->cursor).last, 0) &&
           clang_equalCursors(up->up->cursor, at->s->body);
}

/* Takes a use of a port's pointer: for an element, or for another name of the same place. */
static void take_pointer(const struct place *at, const char *port)
{
    const struct place *part = at;
    if (is_moved(at))
        return;
    for (const struct place *up = at->up; up; part = up, up = up->up) {
        struct dal_parts parts = dal__parts_of(up->cursor);
        int is_first = clang_equalCursors(parts.first, part->cursor);
        if (dal__is_wrapper(up->cursor) ||
            (dal__is_operation(at->s, up->cursor, "+") &&
             dal__is_zero(at->s, is_first ? parts.last : parts.first, 0)))
            continue;
        if (dal__is_kind(up->cursor, CXCursor_ArraySubscriptExpr) && is_first)
            take_element(up, port);
        else if (dal__is_kind(up->cursor, CXCursor_VarDecl) && is_window(up->cursor))
            add_name(at->s, up->cursor, port);
        else
            add_in_way(at->s, port, up->cursor, "uses the pointer itself");
        return;
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Is it a pointer to a variable, or an array, that can be changed? */
static int leads_to_variable(CXType type)
{
    enum dal_target memory;
    if (type.kind != CXType_Pointer && !dal__ast_is_array(type))
        return 0;
    if (type.kind == CXType_Pointer)
        type = clang_getCanonicalType(clang_getPointeeType(type));
    memory = dal__ast_memory(type);
    return memory != DAL_TARGET_GLOBAL && memory != DAL_TARGET_CONSTANT &&
           type.kind != CXType_FunctionProto && type.kind != CXType_FunctionNoProto &&
           !dal__ast_is_const(type);
}

/* Is a variable of the kernel more than looked at in the loop? Then a word would depend on those
 * before it. */
static int is_carried(const struct place *at)
{
    CXCursor variable = clang_getCursorReferenced(at->cursor);
    const struct place *up = at->up;
    if (clang_Cursor_isNull(at->s->loop) || !dal__is_in(at->cursor, at->s->inside) ||
        dal__is_in(variable, at->s->inside) || !dal__is_variable(variable))
        return 0;
    while (dal__is_kind(up->cursor, CXCursor_MemberRefExpr) ||
           dal__is_kind(up->cursor, CXCursor_ParenExpr))
        up = up->up;
    return !dal__is_kind(up->cursor, CXCursor_UnexposedExpr) ||
           leads_to_variable(dal__type_of(variable));
}

static void take_name(const struct place *at)
{
    CXCursor variable = clang_getCursorReferenced(at->cursor);
    for (int i = 1; i < at->s->name_count; i++)
        if (clang_equalCursors(at->s->names[i].variable, variable)) {
            take_pointer(at, at->s->names[i].port);
            return;
        }
    if (is_carried(at))
        add_in_way(at->s, "", at->cursor, "is carried from word to word");
}

static int leaves(enum CXCursorKind kind)
{
    return kind == CXCursor_ReturnStmt || kind == CXCursor_BreakStmt ||
           kind == CXCursor_ContinueStmt || kind == CXCursor_GotoStmt ||
           kind == CXCursor_IndirectGotoStmt || kind == CXCursor_LabelStmt ||
           kind == CXCursor_GCCAsmStmt;
}

/* What stands in front of the loop is done anew for each word. */
static int is_once(const struct place *at)
{
    const struct dal_step *s = at->s;
    CXCursor changed = dal__changed_by(s->tree, at->cursor);
    if (clang_Cursor_isNull(s->loop) || dal__is_in(at->cursor, s->loop))
        return 0;
    if (dal__is_kind(at->cursor, CXCursor_CallExpr))
        return strncmp(dal__ast_name(at->cursor), "get_", 4) != 0;
    if (clang_isExpression(clang_getCursorKind(at->cursor)) && dal__is_pointer(at->cursor) &&
        leads_to_variable(dal__type_of(at->cursor)))
        return 1;
    return !clang_Cursor_isNull(changed) && !is_window(clang_getCursorReferenced(changed));
}

static enum CXChildVisitResult visit_all(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct place at = {((const struct place *)data)->s, data, cursor};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (leaves(kind))
        add_in_way(at.s, "", cursor, "may leave words out");
    else if (is_once(&at))
        add_in_way(at.s, "", cursor, "stands outside of the loop over words");
    else if (kind == CXCursor_DeclRefExpr)
        take_name(&at);
    clang_visitChildren(cursor, visit_all, &at);
    return CXChildVisit_Continue;
}

/* Does a counter of this type have 32 bits or more? */
static int counts_far(enum CXTypeKind kind)
{
    static const enum CXTypeKind kinds[] = {CXType_Int,  CXType_Long,  CXType_LongLong,
                                            CXType_UInt, CXType_ULong, CXType_ULongLong};
    size_t i = 0;
    while (i < sizeof(kinds) / sizeof(kinds[0]) && kinds[i] != kind)
        i++;
    return i < sizeof(kinds) / sizeof(kinds[0]);
}

/* Notes what a loop over words is made of, whose first number is that of the work-item. */
static void take_loop(struct dal_step *s, const struct dal_list *parts, CXCursor start)
{
    CXCursor more = parts->at[1], next = parts->at[2], by = dal__parts_of(next).last;
    long long words = dal__value_of(dal__parts_of(more).last),
              items = dal__value_of(dal__resolve(s, by));
    CXType type = dal__type_of(s->counter);
    s->inside = parts->at[3];
    s->fact = (struct dal_step_fact){.words = (size_t)words,
                                     .items = items > 0 ? (size_t)items : 0,
                                     .start = dal__ast_start(start),
                                     .start_end = dal__ast_end(start),
                                     .next = dal__ast_start(next),
                                     .next_end = dal__ast_end(next)};
    if (!dal__is_operation(s, more, "<") ||
        !dal__is_name_of(dal__parts_of(more).first, s->counter) || words < 1 || words > MOST_WORDS)
        add_in_way(s, "", more, "has no constant end");
    else if (!counts_far(type.kind))
        add_in_way(s, "", more, "counts in a small type");
    else if (!dal__is_operation(s, next, "+=") ||
             !dal__is_name_of(dal__parts_of(next).first, s->counter) ||
             (items < 1 && !dal__is_question(dal__resolve(s, by), "get_local_size")))
        add_in_way(s, "", next, "does not step by the number of work-items");
}

/* Is a statement the loop over words? */
static int is_loop(struct dal_step *s, CXCursor statement)
{
    struct dal_list parts = dal__list_of(statement);
    CXCursor first = parts.at[0], start;
    if (!dal__is_kind(statement, CXCursor_ForStmt) || parts.count != 4)
        return 0;
    if (dal__is_kind(first, CXCursor_DeclStmt)) {
        s->counter = dal__parts_of(first).first;
        start = dal__parts_of(s->counter).last;
    } else {
        s->counter = clang_getCursorReferenced(dal__parts_of(first).first);
        start = dal__parts_of(first).last;
    }
    if (!dal__is_item(s, start) || !dal__is_variable(s->counter) ||
        (dal__parts_of(first).count != 1 && !dal__is_operation(s, first, "=")))
        return 0;
    s->loop = statement;
    take_loop(s, &parts, start);
    return 1;
}

static enum CXChildVisitResult visit_loop(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    return is_loop(data, cursor) ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Around the loop there are declarations, and pointers are moved. */
static enum CXChildVisitResult visit_beside(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_step *s = data;
    (void)parent;
    if (!clang_equalCursors(cursor, s->loop) && !dal__is_kind(cursor, CXCursor_DeclStmt) &&
        !dal__is_kind(cursor, CXCursor_NullStmt) &&
        !dal__is_kind(cursor, CXCursor_CompoundAssignOperator))
        add_in_way(s, "", cursor, "stands beside the loop over words");
    return CXChildVisit_Continue;
}

void dal__ast_visit_steps(struct dal_ast *tree, CXCursor kernel, CXCursor body)
{
    CXCursor none = clang_getNullCursor();
    struct dal_step s = {.tree = tree, .body = body, .loop = none, .inside = none, .counter = none};
    struct place at = {&s, NULL, body};
    add_name(&s, none, "");
    clang_visitChildren(body, visit_loop, &s);
    for (int i = 0; i < clang_Cursor_getNumArguments(kernel); i++) {
        CXCursor parameter = clang_Cursor_getArgument(kernel, (unsigned)i);
        if (is_window(parameter))
            add_name(&s, parameter, dal__ast_name(parameter));
    }
    if (!clang_Cursor_isNull(s.loop))
        clang_visitChildren(body, visit_beside, &s);
    clang_visitChildren(body, visit_all, &at);
    dal__ast_add_at(
        tree,
        (struct dal_fact){.kind = DAL_FACT_STEP, .name = dal__ast_name(s.counter), .step = s.fact},
        clang_getCursorLocation(kernel));
}
