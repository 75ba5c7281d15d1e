/*
 * Refuses what a portable source cannot do, on the tree of what a device gets. That is what only a
 * core can do, and what would differ once work-items share the blocks of a DAL_foreach.
 */
#include "synth/codegen/clang/tree_blocks.h"

#include "rt/base/alloc.h"

#include <string.h>

static const char no_state[] = "a portable source has no state; keep it in a channel to itself";

/* ---- what is done with a variable ------------------------------------------------------------ */

/* Checks a use, in a DAL_foreach, of what is declared outside. */
static void check_outer(struct dal_walk *walk, const char *name)
{
    enum dal_use use = dal__find_use(walk, 0);
    if (use == DAL_USE_SET)
        refuse_at(
            walk,
            "'%s' is set in DAL_foreach but declared outside: every work-item would have its own",
            name);
    else if (use == DAL_USE_HANDED || use == DAL_USE_CALL)
        refuse_at(
            walk,
            "'%s' may be set in DAL_foreach but is declared outside: every work-item would have "
            "its own; only pointers to const may lead there",
            name);
}

/* Is it a function of dal_collectives.h? In it, work-items wait for each other before they read or
 * write. */
static int is_collective(const char *name)
{
    static const char begin[] = "dal_joint_";
    return strncmp(name, begin, strlen(begin)) == 0;
}

/* Is it an argument of a collective? */
static int is_for_collective(const struct dal_walk *at)
{
    while (at && clang_getCursorKind(at->cursor) != CXCursor_CallExpr)
        at = at->up;
    return at && is_collective(dal__written_name(clang_getCursorReferenced(at->cursor)));
}

/* Checks a use outside of the DAL_foreach, where nobody knows which work-items have been where. */
static void check_output(struct dal_walk *walk, const char *name)
{
    enum dal_use use = dal__find_use(walk, 1);
    if (use == DAL_USE_MEMORY || (use == DAL_USE_CALL && !is_for_collective(walk)))
        refuse_at(
            walk,
            "memory behind '%s' is read outside of DAL_foreach: other work-items may not have "
            "written it yet",
            name);
}

static void check_name(struct dal_walk *walk)
{
    CXCursor variable = clang_getCursorReferenced(walk->cursor);
    if (!walk->f->is_fire || !dal__is_variable(variable) ||
        (walk->b->mixes && dal__is_pointer(walk->cursor)))
        return;
    if (walk->block && !dal__is_listed(&walk->f->inner, variable))
        check_outer(walk, dal__written_name(variable));
    else if (!walk->block && dal__is_listed(&walk->f->outputs, variable))
        check_output(walk, dal__written_name(variable));
}

/* Finds the first variable in an expression. */
static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    *(const char **)data = dal__written_name(cursor);
    return CXChildVisit_Break;
}

static void check_change(struct dal_walk *walk)
{
    struct dal_blocks *b = walk->b;
    CXCursor changed = dal__changed_by(b->tree, walk->cursor);
    const char *name = "";
    if (dal__is_call_of(dal__parts_of(walk->cursor).last, "dal__write_begin"))
        dal__list_once(b->tree, &walk->f->outputs, clang_getCursorReferenced(changed));
    if (clang_Cursor_isNull(changed) || !dal__is_window(dal__type_of(changed)))
        return;
    walk->f->writes = 1;
    clang_visitChildren(changed, visit_name, &name);
    if (walk->f->is_fire && !walk->block)
        refuse_at(walk,
                  "memory behind '%s' is written outside of DAL_foreach: every work-item would",
                  name);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static struct dal_portable_function *find_function(const struct dal_blocks *b, CXCursor function)
{
    for (size_t i = 0; i < b->function_count; i++)
        if (clang_equalCursors(b->functions[i].cursor, clang_getCanonicalCursor(function)))
            return &b->functions[i];
    return NULL;
}

/* Returns the number of a port, -1 for anything else. */
static int port_of(const struct dal_blocks *b, CXCursor argument)
{
    long long number;
    return dal__ast_constant(argument, &number) && number >= 0 &&
                   (size_t)number < b->portable->process->port_count
               ? (int)number
               : -1;
}

/* Checks DAL_count and DAL_set_count. */
static void check_count(struct dal_walk *walk, const struct dal_spec_port *port, int is_read)
{
    const char *call = is_read ? "DAL_count" : "DAL_set_count";
    if (port && port->output == is_read)
        refuse_at(walk, "%s on port %s, which is an %s port", call, port->name,
                  is_read ? "output" : "input");
    else if (port && !(port->channel && port->channel->counted.most))
        refuse_at(walk, "%s on port %s, which is not counted", call, port->name);
    if (walk->block && !is_read)
        refuse_at(walk, "DAL_set_count in DAL_foreach; a firing has one count: set it behind that");
}

/* Checks a call of dal.h, by its name in the prologue. */
static void check_window(struct dal_walk *walk, const char *name)
{
    CXCursor argument = clang_Cursor_getArgument(walk->cursor, 0);
    int port = port_of(walk->b, argument);
    int is_read = strncmp(name, "read_", 5) == 0;
    if (strstr(name, "_count")) {
        check_count(walk, port < 0 ? NULL : &walk->b->portable->process->ports[port], is_read);
        return;
    }
    if (port >= 0 && walk->b->portable->process->ports[port].output == is_read)
        refuse_at(walk, "DAL_%s on port %s, which is an %s port", name,
                  walk->b->portable->process->ports[port].name, is_read ? "output" : "input");
    if (walk->block && is_read)
        refuse_at(walk, "DAL_%s in DAL_foreach; %s", name,
                  strcmp(name, "read_end") == 0 ? "end the window behind it"
                                                : "begin the window in front of it");
}

/* Refuses a collective in a DAL_foreach: work-items would wait for those that have no block. */
static void check_meeting(struct dal_walk *walk, const char *name)
{
    walk->f->meets = 1;
    if (walk->block)
        refuse_at(walk, "'%s' is in DAL_foreach, and all work-items have to reach it", name);
}

static void walk_over(struct dal_blocks *b, struct dal_portable_function *f);

/* Checks a call of the source's own function. It is walked over first, so that it is known what it
 * writes. */
static void check_callee(struct dal_walk *walk, struct dal_portable_function *callee)
{
    const char *name = dal__written_name(callee->cursor);
    if (clang_Cursor_isNull(callee->body))
        refuse_at(walk, "'%s' is not defined in this source", name);
    if (callee->visited == 1)
        refuse_at(walk, "'%s' calls itself, directly or through others; a device has no recursion",
                  name);
    if (callee->visited == 0)
        walk_over(walk->b, callee);
    walk->f->writes |= callee->writes;
    if (callee->meets)
        check_meeting(walk, name);
    if (walk->f->is_fire && !walk->block && callee->writes)
        refuse_at(walk, "'%s' writes a window outside of DAL_foreach: every work-item would", name);
}

static void check_call(struct dal_walk *walk)
{
    static const char ours[] = "dal__", *const windows[] = {"dal__read_", "dal__write_"};
    CXCursor callee = clang_getCursorReferenced(walk->cursor);
    const char *name = dal__written_name(callee);
    struct dal_portable_function *f = find_function(walk->b, callee);
    if (is_collective(name))
        check_meeting(walk, name);
    else if (f)
        check_callee(walk, f);
    else if (strncmp(name, ours, strlen(ours)) != 0 && dal__reason_of(name))
        refuse_at(walk, "'%s' %s", name, dal__reason_of(name));
    for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++)
        if (strncmp(name, windows[i], strlen(windows[i])) == 0)
            check_window(walk, name + strlen(ours));
}

/* ---- statements ------------------------------------------------------------------------------ */

static const char absent[] = "a type that a device does not have";
static const char wide[] = "of 128 bits on a device; write 'int64_t' or 'uint64_t'";

/* Refuses types that OpenCL C has not, though clang takes them. */
static void check_type(struct dal_walk *walk)
{
    static const struct {
        enum CXTypeKind kind;
        const char *name, *why;
    } types[] = {
        {CXType_LongDouble, "long double", absent}, {CXType_Complex, "_Complex", absent},
        {CXType_Int128, "__int128", absent},        {CXType_UInt128, "unsigned __int128", absent},
        {CXType_Float128, "__float128", absent},    {CXType_LongLong, "long long", wide},
        {CXType_ULongLong, "long long", wide},
    };
    CXType type = dal__ast_element(clang_getCursorType(walk->cursor));

    if (clang_getCursorKind(walk->cursor) == CXCursor_FunctionDecl)
        type = clang_getCanonicalType(clang_getResultType(type));
    while (type.kind == CXType_Pointer)
        type = dal__ast_element(clang_getPointeeType(type));
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (type.kind == types[i].kind)
            refuse_at(walk, "'%s' is %s", types[i].name, types[i].why);
}

/* The tree does not have what sizeof is asked of, if that is a type without a name of its own. */
static void check_size(struct dal_walk *walk)
{
    enum { LARGEST = 8 };
    long long size;
    if (dal__parts_of(walk->cursor).count == 0 && dal__ast_constant(walk->cursor, &size) &&
        size > LARGEST)
        refuse_at(walk, "this is the size of %s", absent);
}

static int is_function(CXType pointer)
{
    return clang_getResultType(clang_getPointeeType(pointer)).kind != CXType_Invalid;
}

/* Refuses ways from a pointer through which nothing can be set to one through which that can be. */
static void check_pointer(struct dal_walk *walk)
{
    CXCursor from = dal__parts_of(walk->cursor).last;
    CXType type = dal__type_of(walk->cursor);
    long long value;
    if (!dal__is_pointer(walk->cursor) || dal__is_harmless(type) || is_function(type))
        return;
    if (dal__is_pointer(from) && dal__is_harmless(dal__type_of(from)))
        refuse_at(walk, "this makes a pointer to const one to what can be set: a device's "
                        "work-items would each set their own");
    else if (dal__is_number(from) && !dal__ast_constant(from, &value))
        refuse_at(walk, "this makes a pointer of a number");
}

static void check_return(struct dal_walk *walk)
{
    long long value;
    if (!walk->f->is_fire)
        return;
    if (walk->block)
        refuse_at(walk, "return in DAL_foreach: the other blocks would be left undone");
    else if (!dal__ast_constant(dal__parts_of(walk->cursor).last, &value) || value)
        refuse_at(walk, "fire of a portable source returns 0: a device cannot end a process");
}

static void take_variable(struct dal_walk *walk)
{
    if (walk->block)
        dal__list_once(walk->b->tree, &walk->f->inner, walk->cursor);
    if (dal__is_call_of(walk->cursor, "dal__write_begin"))
        dal__list_once(walk->b->tree, &walk->f->outputs, walk->cursor);
}

/* Returns the variable of a DAL_foreach; null for anything else. */
static CXCursor find_head(CXCursor loop)
{
    CXCursor variable = clang_getNullCursor();
    if (clang_getCursorKind(loop) == CXCursor_ForStmt)
        variable = dal__parts_of(dal__parts_of(loop).first).first;
    return dal__is_call_of(variable, "dal__first_block") ? variable : clang_getNullCursor();
}

static void check_head(struct dal_walk *walk, CXCursor variable)
{
    const struct dal_spec_process *process = walk->b->portable->process;
    int port = port_of(walk->b, clang_Cursor_getArgument(dal__call_in(variable), 0));
    if (!walk->f->is_fire)
        refuse_at(walk, "DAL_foreach outside of %s_fire", walk->b->portable->function);
    else if (walk->up->block)
        refuse_at(walk, "a DAL_foreach in another");
    else if (port >= 0 && !process->ports[port].output)
        refuse_at(walk, "DAL_foreach over 'PORT_%s', which is no output port of the process",
                  process->ports[port].name);
}

static void check_member(struct dal_walk *walk)
{
    CXCursor member = clang_getCursorReferenced(walk->cursor);
    if (strcmp(dal__written_name(member), "local") == 0 &&
        dal__ast_owner(walk->b->tree, member) == DAL_OWNER_PROLOGUE)
        refuse_at(walk, "%s", no_state);
    if (clang_getCursorKind(clang_getCursorSemanticParent(member)) == CXCursor_UnionDecl &&
        dal__is_pointer(walk->cursor) && !dal__is_harmless(dal__type_of(walk->cursor)))
        refuse_at(walk, "'%s' is a pointer in a union, which may be made of something else",
                  dal__written_name(member));
}

static void check_label(struct dal_walk *walk)
{
    if (walk->loop && clang_getCursorKind(walk->loop->cursor) != CXCursor_SwitchStmt)
        refuse_at(walk, "a case of a switch within a loop in it; devices' compilers do not have "
                        "ways into loops");
}

static void check_break(struct dal_walk *walk)
{
    if (walk->block && walk->loop == walk->block)
        refuse_at(walk, "break out of DAL_foreach: the other blocks would be left undone");
}

static void check_goto(struct dal_walk *walk)
{
    if (walk->f->is_fire)
        refuse_at(walk, "'goto' may leave a DAL_foreach; it is refused");
}

static void check_assembly(struct dal_walk *walk)
{
    refuse_at(walk, "'asm' is of another compiler");
}

static void note_loop(struct dal_walk *walk)
{
    walk->loop = walk;
}

static const struct {
    enum CXCursorKind kind;
    void (*check)(struct dal_walk *walk);
} checks[] = {
    {CXCursor_WhileStmt, note_loop},
    {CXCursor_DoStmt, note_loop},
    {CXCursor_ForStmt, note_loop},
    {CXCursor_SwitchStmt, note_loop},
    {CXCursor_CaseStmt, check_label},
    {CXCursor_DefaultStmt, check_label},
    {CXCursor_BreakStmt, check_break},
    {CXCursor_ReturnStmt, check_return},
    {CXCursor_GotoStmt, check_goto},
    {CXCursor_IndirectGotoStmt, check_goto},
    {CXCursor_GCCAsmStmt, check_assembly},
    {CXCursor_VarDecl, take_variable},
    {CXCursor_UnaryOperator, check_change},
    {CXCursor_BinaryOperator, check_change},
    {CXCursor_CompoundAssignOperator, check_change},
    {CXCursor_MemberRefExpr, check_member},
    {CXCursor_DeclRefExpr, check_name},
    {CXCursor_CallExpr, check_call},
    {CXCursor_UnaryExpr, check_size},
    {CXCursor_CStyleCastExpr, check_pointer},
    {CXCursor_UnexposedExpr, check_pointer},
};

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct dal_walk *up = data;
    struct dal_walk here = {
        .b = up->b, .f = up->f, .up = up, .cursor = cursor, .block = up->block, .loop = up->loop};
    CXCursor head = find_head(cursor);
    (void)parent;
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        if (clang_getCursorKind(cursor) == checks[i].kind)
            checks[i].check(&here);
    check_type(&here);
    if (clang_Cursor_isNull(head)) {
        clang_visitChildren(cursor, visit_body, &here);
    } else {
        check_head(&here, head);
        if (!up->block)
            here.f->inner.count = 0;
        here.block = &here;
        visit_body(dal__parts_of(cursor).last, cursor, &here);
    }
    return CXChildVisit_Continue;
}

/* ---- the source ------------------------------------------------------------------------------ */

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_blocks *b = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl ||
        dal__ast_owner(b->tree, cursor) != DAL_OWNER_SOURCE || find_function(b, cursor))
        return CXChildVisit_Continue;
    if (dal_grow(&b->functions, b->function_count, &b->function_room, sizeof(*b->functions)))
        b->tree->facts->lost = 1;
    else
        b->functions[b->function_count++] = (struct dal_portable_function){
            .cursor = clang_getCanonicalCursor(cursor),
            .body = clang_getCursorDefinition(cursor),
            .is_fire = strcmp(dal__written_name(cursor), b->portable->fire) == 0};
    return CXChildVisit_Continue;
}

static int is_role(const struct dal_blocks *b, const char *name, const char *role)
{
    size_t length = strlen(b->portable->function);
    return strncmp(name, b->portable->function, length) == 0 && strcmp(name + length, role) == 0;
}

static void walk_over(struct dal_blocks *b, struct dal_portable_function *f)
{
    struct dal_walk top = {.b = b, .f = f, .cursor = f->body};
    const char *name = dal__written_name(f->cursor);
    f->visited = 1;
    if (is_role(b, name, "_init") || is_role(b, name, "_finish"))
        dal__refuse(b, clang_getCursorLocation(f->cursor),
                    "a portable source has no '%s', only fire", name);
    if (!clang_Cursor_isNull(f->body)) {
        check_type(&top);
        clang_visitChildren(f->body, visit_body, &top);
    }
    f->visited = 2;
}

static enum CXChildVisitResult visit_types(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_walk here = {.b = data, .cursor = cursor};
    (void)parent;
    check_type(&here);
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_walk here = {.b = data, .cursor = cursor};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (dal__ast_owner(here.b->tree, cursor) != DAL_OWNER_SOURCE)
        return CXChildVisit_Continue;
    if (kind == CXCursor_StructDecl && clang_isCursorDefinition(cursor) &&
        strcmp(dal__ast_name(cursor), "_local_states") == 0)
        dal__refuse(here.b, clang_getCursorLocation(cursor), "%s", no_state);
    if (kind == CXCursor_VarDecl && !dal__ast_is_const(clang_getCursorType(cursor)))
        dal__refuse(here.b, clang_getCursorLocation(cursor),
                    "'%s' is a variable outside of functions; keep state in a channel to itself",
                    dal__ast_name(cursor));
    if (kind != CXCursor_FunctionDecl)
        visit_types(cursor, parent, data);
    if (kind != CXCursor_FunctionDecl)
        clang_visitChildren(cursor, visit_types, data);
    return CXChildVisit_Continue;
}

void dal__ast_check_blocks(struct dal_ast *tree)
{
    struct dal_blocks b = {.tree = tree, .portable = tree->reading->portable};
    CXCursor all = clang_getTranslationUnitCursor(tree->parsed);
    dal__refuse_errors(&b);
    clang_visitChildren(all, visit_top, &b);
    clang_visitChildren(all, visit_function, &b);
    for (size_t i = 0; i < b.function_count; i++)
        if (b.functions[i].visited == 0)
            walk_over(&b, &b.functions[i]);
}
