/*
 * Refuses what a portable source cannot do, on the tree of what a device gets. That is what only a
 * core can do, and what would differ once work-items share the blocks of a DAL_foreach.
 */
#include "synth/codegen/clang/tree.h"

#include "rt/base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct variables {
    CXCursor *list;
    size_t count, room;
};

struct function {
    CXCursor cursor;          /* its first declaration */
    CXCursor body;            /* the one that has a body, or null */
    int is_fire, writes;      /* writes a window, or calls what does */
    int meets;                /* calls a collective, which all work-items have to reach */
    int visited;              /* 1 while it is walked over, 2 behind that */
    struct variables inner;   /* declared in the DAL_foreach at hand */
    struct variables outputs; /* pointers that DAL_write_begin() has given */
};

struct blocks {
    struct dal_ast *tree;
    const struct dal_portable *portable;
    struct function *functions;
    size_t function_count, function_room;
    int mixes; /* pointers do not say what they lead to */
};

/* The cursors from a function's body down to the one at hand. */
struct walk {
    struct blocks *b;
    struct function *f;
    const struct walk *up;
    CXCursor cursor;
    const struct walk *block; /* the DAL_foreach that it is in */
    const struct walk *loop;  /* the loop that a break would leave */
};

/* ---- saying ---------------------------------------------------------------------------------- */

static void tell_refusal(const struct blocks *b, CXSourceLocation at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell_refusal(const struct blocks *b, CXSourceLocation at, const char *format, ...)
{
    char why[400];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    dal__ast_add_at(b->tree, (struct dal_fact){.kind = "refused", .name = why}, at);
}

static const char no_state[] = "a portable source has no state; keep it in a channel to itself";

/* Returns the name as the source writes it. */
static const char *name_of(CXCursor cursor)
{
    const char *name = dal__ast_name(cursor);
    size_t length = strlen(DAL_AST_RENAMED);

    return strncmp(name, DAL_AST_RENAMED, length) == 0 ? name + length : name;
}

#define refuse_at(walk, ...)                                                                       \
    tell_refusal((walk)->b, clang_getCursorLocation((walk)->cursor), __VA_ARGS__)

/* ---- words ----------------------------------------------------------------------------------- */

static const struct {
    const char *words, *why;
} refused[] = {
    {" DAL_read DAL_write DAL_READ_TOKEN DAL_WRITE_TOKEN ",
     "copies; use DAL_read_begin or DAL_write_begin and work in the window"},
    {" DAL_printf printf fprintf puts putchar putc fputc sprintf snprintf vprintf DAL_fail perror ",
     "writes text, which a device cannot"},
    {" DAL_getParameter DAL_getParameterInt DAL_getIndex GETINDEX ",
     "asks for what is known on a core only; use a variable of the network (VAR_name)"},
    {" DAL_send_event DAL_port_index CREATEPORT CREATEPORTVAR createPort DAL_at_end DAL_rtest "
     "DAL_wtest ",
     "is there on a core only"},
    {" malloc calloc realloc free alloca aligned_alloc strdup ",
     "takes memory, of which a device has none to give"},
    {" memcpy memmove memset memcmp strlen strcpy strcmp strncpy strncmp strcat ",
     "is not there on a device; write the loop"},
    {" FILE stdin stdout stderr fopen fclose fread fwrite fputs fgets fflush fscanf scanf getchar ",
     "uses files, which a device cannot"},
};

static const char *reason_of(const char *word)
{
    char padded[80];
    size_t i;

    snprintf(padded, sizeof(padded), " %s ", word);
    for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (strstr(refused[i].words, padded))
            return refused[i].why;
    return NULL;
}

/* Takes the text in the first quotes. */
static void take_quoted(const char *words, char *name, size_t room)
{
    const char *open = strchr(words, '\'');
    const char *close = open ? strchr(open + 1, '\'') : NULL;

    *name = '\0';
    if (close && (size_t)(close - open) < room) {
        memcpy(name, open + 1, (size_t)(close - open - 1));
        name[close - open - 1] = '\0';
    }
}

static void tell_memory(struct blocks *b, CXSourceLocation at, const char *words)
{
    CXCursor cursor = clang_getCursor(b->tree->parsed, at);

    b->mixes = 1;
    if (!strstr(words, "__global"))
        tell_refusal(
            b, at,
            "a device has another memory for texts and for constants outside of functions: no "
            "other pointer can lead there");
    else if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
        tell_refusal(b, at, "'%s' points to a window: write DAL_WINDOW in front of its type",
                     dal__ast_name(cursor));
    else
        tell_refusal(
            b, at,
            "this leads to a window: DAL_WINDOW stands in front of the type of what is pointed "
            "to");
}

/* Reports an error as a device's compiler would. */
static void tell_error(struct blocks *b, CXDiagnostic diagnostic)
{
    CXSourceLocation at = clang_getDiagnosticLocation(diagnostic);
    const char *words = dal__ast_string(clang_getDiagnosticSpelling(diagnostic));
    CXFile file;
    char name[60];

    clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
    if (!file || clang_Location_isInSystemHeader(at) ||
        strcmp(dal__ast_string(clang_getFileName(file)), b->tree->unit) == 0)
        at = clang_getLocation(b->tree->parsed, clang_getFile(b->tree->parsed, b->tree->source), 1,
                               1); /* options have changed what stands in front */
    take_quoted(words, name, sizeof(name));
    if (strstr(words, "file not found"))
        tell_refusal(b, at, "#include of '%s', which a device does not have", name);
    else if (reason_of(name))
        tell_refusal(b, at, "'%s' %s", name, reason_of(name));
    else if (strstr(words, "address space"))
        tell_memory(b, at, words);
    else if (strstr(words, "declared static"))
        tell_refusal(
            b, at,
            "a static variable in a function; constants stand outside, and state in a channel "
            "to itself");
    else if (strstr(words, "undeclared") || strstr(words, "implicit declaration"))
        tell_refusal(b, at, "'%s' is not there on a device", name);
    else
        tell_refusal(b, at, "%s", words);
}

static void tell_errors(struct blocks *b)
{
    unsigned i, count = clang_getNumDiagnostics(b->tree->parsed);

    for (i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(b->tree->parsed, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
            tell_error(b, diagnostic);
    }
}

/* ---- expressions ----------------------------------------------------------------------------- */

struct parts {
    CXCursor first, last;
    unsigned count;
};

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct parts *parts = data;

    (void)parent;
    if (parts->count++ == 0)
        parts->first = cursor;
    parts->last = cursor;
    return CXChildVisit_Continue;
}

static struct parts parts_of(CXCursor cursor)
{
    struct parts parts = {.first = clang_getNullCursor(), .last = clang_getNullCursor()};

    clang_visitChildren(cursor, visit_part, &parts);
    return parts;
}

static CXType type_of(CXCursor cursor)
{
    return clang_getCanonicalType(clang_getCursorType(cursor));
}

static CXType target_of(CXCursor pointer)
{
    return clang_getCanonicalType(clang_getPointeeType(type_of(pointer)));
}

static int is_pointer(CXCursor cursor)
{
    return type_of(cursor).kind == CXType_Pointer;
}

static int is_window(CXType type)
{
    while (dal__ast_is_array(type) && clang_getAddressSpace(type) != DAL_TARGET_GLOBAL)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    return clang_getAddressSpace(type) == DAL_TARGET_GLOBAL;
}

static int is_process(CXType type)
{
    return strcmp(dal__ast_name(clang_getTypeDeclaration(type)), "dal__process") == 0;
}

/* The types of the parts decide, since libclang does not tell the operator. "!" of a pointer may
 * look like "*". */
static int is_dereference(const struct dal_ast *tree, CXCursor unary)
{
    CXCursor pointer = parts_of(unary).last;
    CXToken *token = clang_getToken(tree->parsed, clang_getCursorLocation(unary));

    return is_pointer(pointer) && clang_equalTypes(type_of(unary), target_of(pointer)) &&
           (!token ||
            strcmp(dal__ast_string(clang_getTokenSpelling(tree->parsed, *token)), "!") != 0);
}

static int is_address(CXCursor unary)
{
    return is_pointer(unary) && clang_equalTypes(target_of(unary), type_of(parts_of(unary).last));
}

static int is_variable(CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

/* Is it the place of a value, and not the value? Clang then has no step between. */
static int is_place(const struct dal_ast *tree, CXCursor cursor)
{
    while (clang_getCursorKind(cursor) == CXCursor_ParenExpr)
        cursor = parts_of(cursor).last;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
        return is_variable(clang_getCursorReferenced(cursor));
    case CXCursor_MemberRefExpr:
    case CXCursor_ArraySubscriptExpr:
        return 1;
    case CXCursor_UnaryOperator:
        return is_dereference(tree, cursor);
    default:
        return 0;
    }
}

/* Returns the part that an expression sets, null without one. "=" has a place on its left, and all
 * other operators have none there. "++" has one, and so have "*" and "&". */
static CXCursor changed_by(const struct dal_ast *tree, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor part = clang_getNullCursor();

    if (kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator)
        part = parts_of(cursor).first;
    else if (kind == CXCursor_UnaryOperator && !is_dereference(tree, cursor) && !is_address(cursor))
        part = parts_of(cursor).last;
    return is_place(tree, part) ? part : clang_getNullCursor();
}

/* Returns the call that an expression comes to. */
static CXCursor call_in(CXCursor cursor)
{
    while (!clang_Cursor_isNull(cursor) && clang_getCursorKind(cursor) != CXCursor_CallExpr)
        cursor = parts_of(cursor).last;
    return cursor;
}

static int is_call_of(CXCursor cursor, const char *name)
{
    return strcmp(dal__ast_name(call_in(cursor)), name) == 0;
}

/* ---- what is done with a variable ------------------------------------------------------------ */

static int has_variable(const struct variables *variables, CXCursor cursor)
{
    size_t i;

    for (i = 0; i < variables->count; i++)
        if (clang_equalCursors(variables->list[i], cursor))
            return 1;
    return 0;
}

static void add_variable(struct blocks *b, struct variables *variables, CXCursor cursor)
{
    if (dal_grow(&variables->list, variables->count, &variables->room, sizeof(cursor)))
        b->tree->facts->lost = 1;
    else
        variables->list[variables->count++] = cursor;
}

enum use {
    USE_VALUE,
    USE_SET,    /* it, or memory behind it */
    USE_MEMORY, /* memory that is read */
    USE_HANDED, /* a pointer through which it can be set goes to another variable */
    USE_CALL,   /* or to a function */
};

/* A pointer is harmless where nothing of the variable can be set through it; it is followed no
 * further. */
static int is_harmless(CXCursor pointer, int windows_too)
{
    CXType target = target_of(pointer);

    return windows_too ? !is_window(target)
                       : is_window(target) || is_process(target) || dal__ast_is_const(target);
}

/* Finds the use of a variable, from its name upwards. `windows`: it leads to a window, and that is
 * asked about. */
static enum use find_use(const struct walk *name, int windows)
{
    const struct dal_ast *tree = name->b->tree;
    const struct walk *part, *at;
    int behind = 0;

    for (part = name, at = name->up; at; part = at, at = at->up) {
        CXCursor changed = changed_by(tree, at->cursor);
        if (clang_equalCursors(changed, part->cursor))
            return USE_SET;
        switch (clang_getCursorKind(at->cursor)) {
        case CXCursor_ParenExpr:
            break;
        case CXCursor_ArraySubscriptExpr:
        case CXCursor_MemberRefExpr:
            if (clang_getCursorKind(part->cursor) == CXCursor_UnexposedExpr &&
                !is_pointer(part->cursor))
                return USE_VALUE;
            behind |= is_pointer(part->cursor);
            break;
        case CXCursor_UnaryOperator:
            behind |= is_dereference(tree, at->cursor);
            if (!behind && !is_address(at->cursor))
                return USE_VALUE;
            break;
        case CXCursor_VarDecl:
        case CXCursor_InitListExpr:
        case CXCursor_ReturnStmt:
            return is_pointer(part->cursor) ? USE_HANDED : USE_VALUE;
        case CXCursor_CallExpr:
            return is_pointer(part->cursor) ? USE_CALL : USE_VALUE;
        default:
            if (!clang_isExpression(clang_getCursorKind(at->cursor)) || !is_pointer(at->cursor))
                return behind ? USE_MEMORY : USE_VALUE;
            if (!clang_Cursor_isNull(changed))
                return USE_HANDED;
            if (is_harmless(at->cursor, windows))
                return USE_VALUE;
        }
    }
    return USE_VALUE;
}

/* Checks a use, in a DAL_foreach, of what is declared outside. */
static void check_outer(struct walk *walk, const char *name)
{
    enum use use = find_use(walk, 0);

    if (use == USE_SET)
        refuse_at(
            walk,
            "'%s' is set in DAL_foreach but declared outside: every work-item would have its own",
            name);
    else if (use == USE_HANDED || use == USE_CALL)
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
static int is_for_collective(const struct walk *at)
{
    while (at && clang_getCursorKind(at->cursor) != CXCursor_CallExpr)
        at = at->up;
    return at && is_collective(name_of(clang_getCursorReferenced(at->cursor)));
}

/* Checks a use outside of the DAL_foreach, where nobody knows which work-items have been where. */
static void check_output(struct walk *walk, const char *name)
{
    enum use use = find_use(walk, 1);

    if (use == USE_MEMORY || (use == USE_CALL && !is_for_collective(walk)))
        refuse_at(
            walk,
            "memory behind '%s' is read outside of DAL_foreach: other work-items may not have "
            "written it yet",
            name);
}

static void check_name(struct walk *walk)
{
    CXCursor variable = clang_getCursorReferenced(walk->cursor);

    if (!walk->f->is_fire || !is_variable(variable) || (walk->b->mixes && is_pointer(walk->cursor)))
        return;
    if (walk->block && !has_variable(&walk->f->inner, variable))
        check_outer(walk, name_of(variable));
    else if (!walk->block && has_variable(&walk->f->outputs, variable))
        check_output(walk, name_of(variable));
}

/* Finds the first variable in an expression. */
static enum CXChildVisitResult visit_name(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    *(const char **)data = name_of(cursor);
    return CXChildVisit_Break;
}

static void check_change(struct walk *walk)
{
    struct blocks *b = walk->b;
    CXCursor changed = changed_by(b->tree, walk->cursor);
    const char *name = "";

    if (is_call_of(parts_of(walk->cursor).last, "dal__write_begin"))
        add_variable(b, &walk->f->outputs, clang_getCursorReferenced(changed));
    if (clang_Cursor_isNull(changed) || !is_window(type_of(changed)))
        return;
    walk->f->writes = 1;
    clang_visitChildren(changed, visit_name, &name);
    if (walk->f->is_fire && !walk->block)
        refuse_at(walk,
                  "memory behind '%s' is written outside of DAL_foreach: every work-item would",
                  name);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static struct function *find_function(const struct blocks *b, CXCursor function)
{
    size_t i;

    for (i = 0; i < b->function_count; i++)
        if (clang_equalCursors(b->functions[i].cursor, clang_getCanonicalCursor(function)))
            return &b->functions[i];
    return NULL;
}

/* Returns the number of a port, -1 for anything else. */
static int port_of(const struct blocks *b, CXCursor argument)
{
    CXEvalResult value = clang_Cursor_Evaluate(argument);
    int number = value && clang_EvalResult_getKind(value) == CXEval_Int
                     ? clang_EvalResult_getAsInt(value)
                     : -1;

    return number >= 0 && (size_t)number < b->portable->process->port_count ? number : -1;
}

/* Checks DAL_count and DAL_set_count. */
static void check_count(struct walk *walk, const struct dal_spec_port *port, int is_read)
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
static void check_window(struct walk *walk, const char *name)
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
static void check_meeting(struct walk *walk, const char *name)
{
    walk->f->meets = 1;
    if (walk->block)
        refuse_at(walk, "'%s' is in DAL_foreach, and all work-items have to reach it", name);
}

static void walk_over(struct blocks *b, struct function *f);

/* Checks a call of the source's own function. It is walked over first, so that it is known what it
 * writes. */
static void check_callee(struct walk *walk, struct function *callee)
{
    const char *name = name_of(callee->cursor);

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

static void check_call(struct walk *walk)
{
    static const char ours[] = "dal__";
    CXCursor callee = clang_getCursorReferenced(walk->cursor);
    const char *name = name_of(callee);
    struct function *f = find_function(walk->b, callee);

    if (is_collective(name))
        check_meeting(walk, name);
    else if (f)
        check_callee(walk, f);
    else if (strncmp(name, ours, strlen(ours)) == 0)
        check_window(walk, name + strlen(ours));
    else if (reason_of(name))
        refuse_at(walk, "'%s' %s", name, reason_of(name));
}

/* ---- statements ------------------------------------------------------------------------------ */

/* Refuses types that OpenCL C has not, though clang takes them. */
static void check_type(struct walk *walk)
{
    static const struct {
        enum CXTypeKind kind;
        const char *name;
    } types[] = {
        {CXType_LongDouble, "long double"}, {CXType_Complex, "_Complex"},
        {CXType_Int128, "__int128"},        {CXType_UInt128, "unsigned __int128"},
        {CXType_Float128, "__float128"},
    };
    CXType type = dal__ast_element(clang_getCursorType(walk->cursor));
    size_t i;

    if (clang_getCursorKind(walk->cursor) == CXCursor_FunctionDecl)
        type = clang_getCanonicalType(clang_getResultType(type));
    while (type.kind == CXType_Pointer)
        type = dal__ast_element(clang_getPointeeType(type));
    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (type.kind == types[i].kind)
            refuse_at(walk, "'%s' is a type that a device does not have", types[i].name);
}

static void check_return(struct walk *walk)
{
    CXEvalResult value;

    if (!walk->f->is_fire)
        return;
    value = clang_Cursor_Evaluate(parts_of(walk->cursor).last);
    if (walk->block)
        refuse_at(walk, "return in DAL_foreach: the other blocks would be left undone");
    else if (!value || clang_EvalResult_getKind(value) != CXEval_Int ||
             clang_EvalResult_getAsInt(value))
        refuse_at(walk, "fire of a portable source returns 0: a device cannot end a process");
}

static void take_variable(struct walk *walk)
{
    if (walk->block)
        add_variable(walk->b, &walk->f->inner, walk->cursor);
    if (is_call_of(walk->cursor, "dal__write_begin"))
        add_variable(walk->b, &walk->f->outputs, walk->cursor);
}

/* Returns the variable of a DAL_foreach; null for anything else. */
static CXCursor find_head(CXCursor loop)
{
    CXCursor variable = clang_getNullCursor();

    if (clang_getCursorKind(loop) == CXCursor_ForStmt)
        variable = parts_of(parts_of(loop).first).first;
    return is_call_of(variable, "dal__first_block") ? variable : clang_getNullCursor();
}

static void check_head(struct walk *walk, CXCursor variable)
{
    const struct dal_spec_process *process = walk->b->portable->process;
    int port = port_of(walk->b, clang_Cursor_getArgument(call_in(variable), 0));

    if (!walk->f->is_fire)
        refuse_at(walk, "DAL_foreach outside of %s_fire", walk->b->portable->function);
    else if (walk->up->block)
        refuse_at(walk, "a DAL_foreach in another");
    else if (port >= 0 && !process->ports[port].output)
        refuse_at(walk, "DAL_foreach over 'PORT_%s', which is no output port of the process",
                  process->ports[port].name);
}

static void check_member(struct walk *walk)
{
    CXCursor member = clang_getCursorReferenced(walk->cursor);

    if (strcmp(name_of(member), "local") == 0 &&
        dal__ast_owner(walk->b->tree, member) == DAL_OWNER_FRONT)
        refuse_at(walk, "%s", no_state);
}

static void check_break(struct walk *walk)
{
    if (walk->block && walk->loop == walk->block)
        refuse_at(walk, "break out of DAL_foreach: the other blocks would be left undone");
}

static void check_goto(struct walk *walk)
{
    if (walk->f->is_fire)
        refuse_at(walk, "'goto' may leave a DAL_foreach; it is refused");
}

static void check_assembly(struct walk *walk)
{
    refuse_at(walk, "'asm' is of another compiler");
}

static void note_loop(struct walk *walk)
{
    walk->loop = walk;
}

static const struct {
    enum CXCursorKind kind;
    void (*check)(struct walk *walk);
} checks[] = {
    {CXCursor_WhileStmt, note_loop},
    {CXCursor_DoStmt, note_loop},
    {CXCursor_ForStmt, note_loop},
    {CXCursor_SwitchStmt, note_loop},
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
};

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct walk *up = data;
    struct walk here = {
        .b = up->b, .f = up->f, .up = up, .cursor = cursor, .block = up->block, .loop = up->loop};
    CXCursor head = find_head(cursor);
    size_t i;

    (void)parent;
    for (i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
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
        visit_body(parts_of(cursor).last, cursor, &here);
    }
    return CXChildVisit_Continue;
}

/* ---- the source ------------------------------------------------------------------------------ */

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct blocks *b = data;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl ||
        dal__ast_owner(b->tree, cursor) != DAL_OWNER_SOURCE || find_function(b, cursor))
        return CXChildVisit_Continue;
    if (dal_grow(&b->functions, b->function_count, &b->function_room, sizeof(*b->functions)))
        b->tree->facts->lost = 1;
    else
        b->functions[b->function_count++] =
            (struct function){.cursor = clang_getCanonicalCursor(cursor),
                              .body = clang_getCursorDefinition(cursor),
                              .is_fire = strcmp(name_of(cursor), b->portable->fire) == 0};
    return CXChildVisit_Continue;
}

static int is_role(const struct blocks *b, const char *name, const char *role)
{
    size_t length = strlen(b->portable->function);

    return strncmp(name, b->portable->function, length) == 0 && strcmp(name + length, role) == 0;
}

static void walk_over(struct blocks *b, struct function *f)
{
    struct walk top = {.b = b, .f = f, .cursor = f->body};
    const char *name = name_of(f->cursor);

    f->visited = 1;
    if (is_role(b, name, "_init") || is_role(b, name, "_finish"))
        tell_refusal(b, clang_getCursorLocation(f->cursor),
                     "a portable source has no '%s', only fire", name);
    if (!clang_Cursor_isNull(f->body)) {
        check_type(&top);
        clang_visitChildren(f->body, visit_body, &top);
    }
    f->visited = 2;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk here = {.b = data, .cursor = cursor};
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    (void)parent;
    if (dal__ast_owner(here.b->tree, cursor) != DAL_OWNER_SOURCE)
        return CXChildVisit_Continue;
    if (kind == CXCursor_StructDecl && clang_isCursorDefinition(cursor) &&
        strcmp(dal__ast_name(cursor), "_local_states") == 0)
        tell_refusal(here.b, clang_getCursorLocation(cursor), "%s", no_state);
    if (kind == CXCursor_VarDecl && !dal__ast_is_const(clang_getCursorType(cursor)))
        tell_refusal(here.b, clang_getCursorLocation(cursor),
                     "'%s' is a variable outside of functions; keep state in a channel to itself",
                     dal__ast_name(cursor));
    if (kind == CXCursor_VarDecl)
        check_type(&here);
    return CXChildVisit_Continue;
}

void dal__ast_check_blocks(struct dal_ast *tree)
{
    struct blocks b = {.tree = tree, .portable = tree->reading->portable};
    CXCursor all = clang_getTranslationUnitCursor(tree->parsed);
    size_t i;

    tell_errors(&b);
    clang_visitChildren(all, visit_top, &b);
    clang_visitChildren(all, visit_function, &b);
    for (i = 0; i < b.function_count; i++)
        if (b.functions[i].visited == 0)
            walk_over(&b, &b.functions[i]);
}
