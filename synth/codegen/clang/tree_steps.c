/*
 * Finds whether a kernel goes over its windows word by word, so that its words can be passed in
 * registers (synth/codegen/kernel/words.c). Each work-item then has words of its own: with a loop
 * over them, from its number on by the number of work-items, or one word without such a loop. Such
 * a loop may go over blocks instead, with a loop over the words of a block in it. A port whose
 * words it uses in another way is in the way of that, and so is what a kernel does around them.
 *
 * Fire of a portable source is looked at in the same way: there, a call hands the pointer of a
 * window out, which is an argument of a kernel.
 */
#include "synth/codegen/clang/tree_steps.h"

#include "rt/base/alloc.h"

#include <string.h>

/* The cursors from the body down to the one at hand. */
struct place {
    struct dal_step *s;
    const struct place *up;
    CXCursor cursor;
};

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
    return (dal__is_item(s, sides.first) && dal__is_zero(s, sides.last)) ||
           (dal__is_item(s, sides.last) && dal__is_zero(s, sides.first));
}

/* Is a statement reached once for each word? Notes where only the first work-item reaches it. */
static int is_reached(const struct place *at, size_t *alone)
{
    struct dal_step *s = at->s;
    CXCursor all = clang_Cursor_isNull(s->loop) ? s->body : s->inside;
    int is_of_all = clang_equalCursors(at->up->cursor, all);
    if (clang_equalCursors(at->cursor, all) ||
        (is_of_all && dal__is_kind(all, CXCursor_CompoundStmt)))
        return 1;
    if (dal__is_kind(at->up->cursor, CXCursor_CompoundStmt))
        at = at->up;
    *alone = 1;
    return clang_Cursor_isNull(s->loop) && at->up->up &&
           clang_equalCursors(at->up->up->cursor, all) &&
           is_of_first(s, at->cursor, at->up->cursor);
}

/* Returns the whole place of which a place is a part, with brackets around it. */
static const struct place *whole_of(const struct place *at)
{
    for (const struct place *up = at->up; dal__is_kind(up->cursor, CXCursor_MemberRefExpr) ||
                                          dal__is_kind(up->cursor, CXCursor_ParenExpr) ||
                                          (dal__is_kind(up->cursor, CXCursor_UnexposedExpr) &&
                                           dal__is_place(at->s->tree, up->cursor));
         up = up->up)
        at = up;
    return at;
}

/* Is the value of a place taken, and nothing else done with it? */
static int is_value_taken(const struct place *at)
{
    return dal__is_kind(whole_of(at)->up->cursor, CXCursor_UnexposedExpr);
}

/* Takes an element of a window, behind a byte of it. Returns whether it is a word. */
static int take_element(const struct place *at, const char *port, struct dal_sum from)
{
    struct dal_step *s = at->s;
    const struct place *whole = whole_of(at);
    CXCursor index = dal__parts_of(at->cursor).last, use = whole->up->cursor;
    CXType type = dal__type_of(at->cursor);
    struct dal_element_fact word = {.type = word_type(type),
                                    .bytes = (size_t)clang_Type_getSizeOf(type),
                                    .start = dal__ast_start(at->cursor),
                                    .end = dal__ast_end(at->cursor)};
    struct dal_sum own = dal__sum_scale(s->own, (long long)word.bytes);
    from = dal__sum_add(from, dal__sum_scale(dal__sum_of(s, index), (long long)word.bytes));
    word.is_stored = dal__is_operation(s, use, "=") &&
                     clang_equalCursors(dal__parts_of(use).first, whole->cursor) &&
                     clang_equalTypes(dal__type_of(whole->cursor), type);
    word.is_alone = (size_t)(clang_Cursor_isNull(s->loop) && dal__is_sum(from, 0, 0, 0));
    if (!dal__is_sum(from, 0, own.block, own.item) && !word.is_alone)
        dal__add_in_way(s, port, at->cursor, "is not the work-item's own word");
    else if (!word.type || clang_isVolatileQualifiedType(type))
        dal__add_in_way(s, port, at->cursor, "is no plain number or vector");
    else if (!clang_Cursor_isNull(s->loop) && !dal__is_in(at->cursor, s->inside))
        dal__add_in_way(s, port, at->cursor, "stands outside of the loop over words");
    else if (word.is_stored ? !is_reached(whole->up, &word.is_alone) : !is_value_taken(at))
        dal__add_in_way(s, port, use,
                        word.is_stored ? "is not always done" : "does more than take it");
    else {
        dal__ast_add_at(s->tree,
                        (struct dal_fact){.kind = DAL_FACT_WORD, .name = port, .element = word},
                        clang_getCursorLocation(at->cursor));
        return 1;
    }
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* What is done with a port's memory; how far a pointer is followed. */
enum { READ_OUTSIDE = 1, MAY_CHANGE = 2, MOST_STEPS = 64 };

/* Does it stand outside of the loop over words? What is between two loops stands in the outer one;
 * their heads are looked at by themselves. */
static int is_beside_words(const struct place *at)
{
    const struct dal_step *s = at->s;
    return !clang_Cursor_isNull(s->loop) && !dal__is_in(at->cursor, s->loop) &&
           (!dal__is_in(at->cursor, s->outer) || dal__is_in(at->cursor, s->around));
}

/* May memory change by what is done with a pointer? Not while all pointers to it are to const. */
static int may_change(const struct place *at)
{
    for (; at && dal__is_pointer(at->cursor); at = at->up)
        if (!dal__ast_is_const(clang_getPointeeType(dal__type_of(at->cursor))))
            return 1;
    return 0;
}

/* Notes a use of a port's memory. Blocks are done in another order. */
static void note_use(const struct place *at, const char *port, int changes, int is_word)
{
    struct dal_step *s = at->s;
    unsigned use =
        (unsigned)((is_beside_words(at) ? READ_OUTSIDE : 0) | (changes ? MAY_CHANGE : 0));
    unsigned all = use;
    for (int i = 1; i < s->name_count; i++)
        if (strcmp(s->names[i].port, port) == 0)
            all |= s->names[i].uses |= use;
    if (all == (READ_OUTSIDE | MAY_CHANGE))
        dal__add_in_way(s, "", at->cursor,
                        "is used outside of the loop over words, and may change");
    else if (changes && !is_word && !clang_Cursor_isNull(s->block))
        dal__add_in_way(s, "", at->cursor, "may change in another order than by blocks");
}

static void add_name(struct dal_step *s, CXCursor variable, const char *port, struct dal_sum at)
{
    if (s->name_count == DAL_STEP_NAMES)
        dal__add_in_way(s, "", variable, "is one pointer too many");
    else
        s->names[s->name_count++] =
            (struct dal_step_name){.variable = variable, .port = port, .at = at};
}

static int is_window(CXCursor variable)
{
    CXType type = dal__type_of(variable);
    return type.kind == CXType_Pointer &&
           dal__ast_memory(clang_getCanonicalType(clang_getPointeeType(type))) == DAL_TARGET_GLOBAL;
}

/* Moves a pointer by an index, in steps of what its sum with that points to. Returns 0 where nobody
 * knows how far. */
static int move_by(struct dal_step *s, struct dal_sum *from, CXCursor sum, CXCursor index)
{
    long long bytes = clang_Type_getSizeOf(clang_getPointeeType(dal__type_of(sum)));
    *from = dal__sum_add(*from, dal__sum_scale(dal__sum_of(s, index), bytes));
    return from->is_known;
}

/* Is a pointer moved to its firing's window, before anything else is done? */
static int is_moved(const struct place *at)
{
    const struct place *up = at->up;
    return dal__is_kind(up->cursor, CXCursor_CompoundAssignOperator) &&
           dal__is_operation(at->s, up->cursor, "+=") &&
           clang_equalCursors(dal__parts_of(up->cursor).first, at->cursor) &&
           dal__is_zero(at->s, dal__parts_of(up->cursor).last) &&
           clang_equalCursors(up->up->cursor, at->s->body);
}

/* Takes a use of a pointer into a port's window: for an element, or for another such pointer. */
static void take_pointer(const struct place *at, const char *port, struct dal_sum from)
{
    const struct place *part = at;
    if (is_moved(at))
        return;
    for (const struct place *up = at->up; up; part = up, up = up->up) {
        struct dal_parts parts = dal__parts_of(up->cursor);
        int is_first = clang_equalCursors(parts.first, part->cursor);
        if (dal__is_wrapper(up->cursor))
            continue;
        if (dal__is_kind(up->cursor, CXCursor_ArraySubscriptExpr) && is_first)
            note_use(at, port, !is_value_taken(up) && may_change(at), take_element(up, port, from));
        else if (dal__is_kind(up->cursor, CXCursor_VarDecl) && is_window(up->cursor))
            add_name(at->s, up->cursor, port, from);
        else if (dal__is_operation(at->s, up->cursor, "+") &&
                 move_by(at->s, &from, up->cursor, is_first ? parts.last : parts.first))
            continue;
        else {
            dal__add_in_way(at->s, port, up->cursor, "uses the pointer itself");
            note_use(at, port, may_change(at), 0);
        }
        return;
    }
}

/* Takes a window where a call of a portable source hands it out. Reading begins behind what has
 * been read. */
static void take_window(const struct place *at)
{
    struct dal_step *s = at->s;
    int is_read = dal__is_ours(s, at->cursor, "dal__read_begin");
    long long port = dal__value_of(clang_Cursor_getArgument(at->cursor, 0));
    long long bytes = dal__value_of(clang_Cursor_getArgument(at->cursor, 1));
    struct dal_sum from = {.is_known = 1};
    if (!is_read) {
        from = dal__sum_of(s, clang_Cursor_getArgument(at->cursor, 3));
        from = dal__sum_scale(from, dal__value_of(clang_Cursor_getArgument(at->cursor, 2)));
        from = dal__sum_scale(from, bytes);
    }
    if (port < 0)
        dal__add_in_way(s, "", at->cursor, "names no port");
    else
        take_pointer(at, dal_format("%lld", port), from);
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
    return memory != DAL_TARGET_GLOBAL && memory != DAL_TARGET_CONSTANT && !dal__is_process(type) &&
           type.kind != CXType_FunctionProto && type.kind != CXType_FunctionNoProto &&
           !dal__ast_is_const(type);
}

/* Is a variable of the kernel, or a part of it, more than looked at in the loop? Then a word would
 * depend on those before it. So would a block that looks at its loop's variable outside. */
static int is_carried(const struct place *at)
{
    const struct dal_step *s = at->s;
    CXCursor variable = clang_getCursorReferenced(at->cursor);
    if (is_beside_words(at) && dal__is_in(at->cursor, s->around))
        return clang_equalCursors(variable, s->counter);
    if (clang_Cursor_isNull(s->loop) || !dal__is_in(at->cursor, s->inside) ||
        dal__is_in(variable, s->inside) || !dal__is_variable(variable))
        return 0;
    return !is_value_taken(at) || leads_to_variable(dal__type_of(variable)) ||
           leads_to_variable(dal__type_of(whole_of(at)->cursor));
}

/* Are these the constants of a portable source's process? */
static int are_constants(CXCursor cursor)
{
    while (dal__is_kind(cursor, CXCursor_UnexposedExpr))
        cursor = dal__parts_of(cursor).last;
    return dal__is_kind(cursor, CXCursor_MemberRefExpr) &&
           strcmp(dal__ast_name(cursor), "dal__constant") == 0;
}

/* Takes a name of a portable source's process, which may only be asked for windows and constants.
 */
static void take_process(const struct place *at)
{
    const struct place *up = at->up;
    while (dal__is_wrapper(up->cursor))
        up = up->up;
    if (!dal__is_ours(at->s, up->cursor, NULL) && !are_constants(up->cursor))
        dal__add_in_way(at->s, "", up->cursor, "hands the process on");
}

/* Returns a pointer into a port's window, or NULL. */
static const struct dal_step_name *find_window_name(const struct dal_step *s, CXCursor variable)
{
    for (int i = 1; i < s->name_count; i++)
        if (clang_equalCursors(s->names[i].variable, variable))
            return &s->names[i];
    return NULL;
}

static void take_name(const struct place *at)
{
    const struct dal_step_name *name =
        find_window_name(at->s, clang_getCursorReferenced(at->cursor));
    if (is_carried(at))
        dal__add_in_way(at->s, "", at->cursor, "is carried from word to word");
    else if (name)
        take_pointer(at, name->port, name->at);
    else if (dal__is_pointer(at->cursor) &&
             dal__is_process(clang_getPointeeType(dal__type_of(at->cursor))))
        take_process(at);
}

/* ---- what a kernel may do -------------------------------------------------------------------- */

/* May a statement leave words out? The last one does not, at the end of all. */
static int leaves(const struct place *at)
{
    enum CXCursorKind kind = clang_getCursorKind(at->cursor);
    return (kind == CXCursor_ReturnStmt &&
            !clang_equalCursors(dal__parts_of(at->s->body).last, at->cursor)) ||
           kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt ||
           kind == CXCursor_GotoStmt || kind == CXCursor_IndirectGotoStmt ||
           kind == CXCursor_LabelStmt || kind == CXCursor_GCCAsmStmt;
}

/* Does a call end a window in front of words? */
static int ends_early(const struct place *at)
{
    CXCursor loop = at->s->outer;
    return dal__is_ours(at->s, at->cursor, "dal__read_end") &&
           (clang_Cursor_isNull(loop) || dal__ast_start(at->cursor) < dal__ast_end(loop));
}

static CXCursor pointer_of(struct dal_parts parts)
{
    return dal__is_pointer(parts.first) ? parts.first : parts.last;
}

/* Is it known which memory a pointer leads to: a window's, which is noted, or a constant's? */
static int leads_to_known(struct dal_step *s, CXCursor pointer)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        struct dal_parts parts = dal__parts_of(pointer);
        CXCursor next = pointer;
        if (dal__is_operation(s, pointer, "+"))
            next = pointer_of(parts);
        else if (dal__is_wrapper(pointer))
            next = parts.last;
        else if (dal__is_kind(pointer, CXCursor_ArraySubscriptExpr))
            return are_constants(parts.first);
        else if (find_window_name(s, clang_getCursorReferenced(pointer)))
            return 1;
        else
            next = dal__resolve(s, pointer);
        if (clang_equalCursors(next, pointer))
            break;
        pointer = next;
    }
    return 0;
}

/* Does it read memory through a pointer? Then that has to be known; what else memory is has no
 * other names. */
static int reads_unknown(const struct place *at)
{
    CXCursor pointer = pointer_of(dal__parts_of(at->cursor));
    return (dal__is_kind(at->cursor, CXCursor_ArraySubscriptExpr) ||
            dal__is_kind(at->cursor, CXCursor_MemberRefExpr) ||
            (dal__is_kind(at->cursor, CXCursor_UnaryOperator) &&
             dal__is_place(at->s->tree, at->cursor))) &&
           is_window(pointer) && !leads_to_known(at->s, pointer);
}

/* May it stand outside of the loop, where it is done anew for each word? So may what gives values
 * and does nothing else, and pointers that are moved in front. */
static int may_be_outside(const struct place *at)
{
    enum CXCursorKind kind = clang_getCursorKind(at->cursor);
    if (kind == CXCursor_CompoundAssignOperator)
        return clang_equalCursors(at->up->cursor, at->s->body) &&
               dal__is_operation(at->s, at->cursor, "+=") &&
               is_window(clang_getCursorReferenced(dal__parts_of(at->cursor).first));
    if (!clang_isExpression(kind))
        return kind == CXCursor_DeclStmt || kind == CXCursor_NullStmt ||
               kind == CXCursor_CompoundStmt || kind == CXCursor_ReturnStmt ||
               clang_isDeclaration(kind) || clang_isReference(kind) ||
               (clang_isAttribute(kind) && kind != CXCursor_UnexposedAttr);
    return dal__only_gives(at->s, at->cursor) && !reads_unknown(at) &&
           (!dal__is_pointer(at->cursor) || !leads_to_variable(dal__type_of(at->cursor)) ||
            are_constants(at->cursor));
}

/* Returns what is wrong with a statement, or an expression; or NULL. */
static const char *find_fault_of(const struct place *at)
{
    if (leaves(at))
        return "may leave words out";
    if (is_beside_words(at) && !may_be_outside(at))
        return "stands outside of the loop over words";
    return ends_early(at) ? "ends a window in front of its words" : NULL;
}

static enum CXChildVisitResult visit_all(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct place at = {((const struct place *)data)->s, data, cursor};
    const char *fault = find_fault_of(&at);
    (void)parent;
    if (fault)
        dal__add_in_way(at.s, "", cursor, fault);
    else if (dal__is_kind(cursor, CXCursor_DeclRefExpr))
        take_name(&at);
    else if (dal__is_ours(at.s, cursor, "dal__read_begin") ||
             dal__is_ours(at.s, cursor, "dal__write_begin"))
        take_window(&at);
    clang_visitChildren(cursor, visit_all, &at);
    return CXChildVisit_Continue;
}

/* Around the loop there are declarations, pointers are moved, and windows are ended. */
static enum CXChildVisitResult visit_beside(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_step *s = data;
    (void)parent;
    if (!clang_equalCursors(cursor, s->outer) && !dal__is_kind(cursor, CXCursor_DeclStmt) &&
        !dal__is_kind(cursor, CXCursor_NullStmt) && !dal__is_kind(cursor, CXCursor_ReturnStmt) &&
        !dal__is_kind(cursor, CXCursor_CompoundAssignOperator) && !dal__is_ours(s, cursor, NULL))
        dal__add_in_way(s, "", cursor, "stands beside the loop over words");
    return CXChildVisit_Continue;
}

static void add_step(const struct dal_step *s, CXCursor kernel, CXCursor counter,
                     struct dal_step_fact fact)
{
    dal__ast_add_at(
        s->tree,
        (struct dal_fact){.kind = DAL_FACT_STEP, .name = dal__ast_name(counter), .step = fact},
        clang_getCursorLocation(kernel));
}

void dal__ast_visit_steps(struct dal_ast *tree, CXCursor kernel, CXCursor body)
{
    CXCursor none = clang_getNullCursor();
    struct dal_sum zero = {.is_known = 1};
    struct dal_step s = {.tree = tree, .body = body, .loop = none, .inside = none, .counter = none};
    struct place at = {&s, NULL, body};
    s.outer = s.around = s.block = s.item = none;
    s.is_fire =
        clang_Cursor_getNumArguments(kernel) == 1 &&
        dal__is_process(clang_getPointeeType(dal__type_of(clang_Cursor_getArgument(kernel, 0))));
    s.own = (struct dal_sum){.is_known = 1, .item = 1};
    add_name(&s, none, "", zero);
    dal__find_loops(&s);
    for (int i = 0; i < clang_Cursor_getNumArguments(kernel); i++) {
        CXCursor parameter = clang_Cursor_getArgument(kernel, (unsigned)i);
        if (is_window(parameter))
            add_name(&s, parameter, dal__ast_name(parameter), zero);
    }
    if (!clang_Cursor_isNull(s.loop))
        clang_visitChildren(body, visit_beside, &s);
    clang_visitChildren(body, visit_all, &at);
    add_step(&s, kernel, clang_Cursor_isNull(s.block) ? s.counter : s.block, s.fact);
    if (s.rows.words)
        add_step(&s, kernel, s.counter, s.rows);
}
