/*
 * Finds whether a function that may be fire keeps nothing from one call to the next. It and all
 * that it reaches in its source are looked at. What is not known to be harmless is a doubt.
 *
 * Tokens are bytes. A pointer to memory that outlives a firing can come from a variable's name,
 * from an unknown function, or from bytes. Hence doubts about the first two, and about each
 * conversion after which bytes may be a pointer.
 */
#include "synth/codegen/clang/tree_blocks.h"

#include "rt/base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PORTS = 65535 }; /* a smaller number is the name of a port, and no address */

struct look {
    struct dal_ast *tree;
    struct dal_cursors reached; /* bodies, and constants with their values */
    struct dal_cursors told;    /* functions of the library, and uses that write inputs */
    size_t at;                  /* the one that is looked at */
    const char *function;       /* the one that is asked about */
    struct dal_leads leads;
    CXSourceLocation guarded; /* the last statement of an if that asks for a failure */
    int part;                 /* of that if */
    int doubts, writes;
};

static void doubt_at(struct look *look, CXSourceLocation at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void doubt_at(struct look *look, CXSourceLocation at, const char *format, ...)
{
    char words[512];
    va_list arguments;
    if (look->doubts++)
        return;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    dal__ast_add_at(
        look->tree,
        (struct dal_fact){.kind = DAL_FACT_DOUBT, .name = look->function, .word = {words}}, at);
}
#define doubt(look, cursor, ...) doubt_at(look, clang_getCursorLocation(cursor), __VA_ARGS__)

/* ---- types ----------------------------------------------------------------------------------- */

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    CXType type = dal__ast_element(clang_getCursorType(field));
    int *found = data;
    if (type.kind == CXType_Record)
        clang_Type_visitFields(type, visit_field, found);
    *found |= type.kind == CXType_Pointer;
    return *found ? CXVisit_Break : CXVisit_Continue;
}

static int has_pointer(CXType type)
{
    int found = 0;
    type = dal__ast_element(type);
    if (type.kind == CXType_Record)
        clang_Type_visitFields(type, visit_field, &found);
    return found || type.kind == CXType_Pointer;
}

/* Are they the same but for const? */
static int is_same(CXType a, CXType b)
{
    a = dal__ast_element(a);
    b = dal__ast_element(b);
    if (a.kind == CXType_Pointer && b.kind == CXType_Pointer)
        return is_same(clang_getPointeeType(a), clang_getPointeeType(b));
    return a.kind == b.kind &&
           clang_equalCursors(clang_getTypeDeclaration(a), clang_getTypeDeclaration(b));
}

/* ---- variables ------------------------------------------------------------------------------- */

static int is_static(CXCursor variable)
{
    return clang_getCursorKind(variable) == CXCursor_VarDecl &&
           clang_Cursor_hasVarDeclGlobalStorage(variable) == 1;
}

static void reach(struct look *look, CXCursor definition)
{
    dal__list_once(look->tree, &look->reached, definition);
}

/* Notes what depends on more than the source; the word may be NULL for lack of memory. */
static void tell(struct look *look, enum dal_fact_kind kind, CXCursor use, const char *word)
{
    look->tree->facts->lost |= !word;
    if (word)
        dal__ast_add_at(look->tree,
                        (struct dal_fact){.kind = kind, .name = look->function, .word = {word}},
                        clang_getCursorLocation(use));
}

static void reach_variable(struct look *look, CXCursor use, CXCursor variable)
{
    CXCursor definition = clang_getCursorDefinition(variable);
    CXType type = clang_getCursorType(variable);
    if (!is_static(variable))
        return;
    if (!dal__ast_is_const(type) || clang_isVolatileQualifiedType(dal__ast_element(type)))
        doubt(look, use, "uses variable '%s', which is not constant", dal__ast_name(variable));
    else if (!clang_Cursor_isNull(definition))
        reach(look, definition);
    else if (clang_getCursorLinkage(variable) != CXLinkage_Internal) /* else all of it is 0 */
        doubt(look, use, "uses '%s', which is of another file", dal__ast_name(variable));
}

/* Takes over what firings do; NULL without memory. The first one is told. */
static void add_write(struct look *look, CXCursor use, char *what)
{
    if (!what)
        look->tree->facts->lost = 1;
    else if (!look->writes++)
        dal__ast_add_at(
            look->tree,
            (struct dal_fact){.kind = DAL_FACT_WRITES, .name = look->function, .word = {what}},
            clang_getCursorLocation(use));
    dal_free(what);
}

static enum CXChildVisitResult visit_port(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const char **port = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_StringLiteral)
        *port = dal__ast_name(cursor);
    return CXChildVisit_Recurse;
}

/* Only one that is in place is the firing's own. */
static void tell_input(struct look *look, CXCursor use, CXCursor call)
{
    const char *port = "\"\"";
    char *name;
    if (!dal__list_once(look->tree, &look->told, use))
        return;
    clang_visitChildren(clang_Cursor_getArgument(call, 0), visit_port, &port);
    name = dal_format("%.*s", (int)strcspn(port + 1, "\""), port + 1);
    tell(look, DAL_FACT_INPUT, use, name);
    dal_free(name);
}

static void note_root(struct look *look, CXCursor use, CXCursor root)
{
    if (dal__is_input(root))
        tell_input(look, use, root);
    if (look->writes || !dal__is_shared(root))
        return;
    add_write(
        look, use,
        clang_getCursorKind(root) == CXCursor_FieldDecl
            ? dal_strdup("write p->local, which one firing leaves to the next")
            : dal_format("write variable '%s', which all of them share", dal__ast_name(root)));
}

/* Notes that the memory of an expression is written, if firings share it. */
static void note_write(struct look *look, CXCursor use, CXCursor place)
{
    struct dal_cursors roots = dal__roots_of(look->tree, &look->leads, place);
    for (size_t i = 0; i < roots.count; i++)
        note_root(look, use, roots.list[i]);
    dal_free(roots.list);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void rely(struct look *look, CXCursor use, CXCursor function)
{
    char *name;
    if (!dal__list_once(look->tree, &look->told, function))
        return;
    name = dal__library_name(function);
    tell(look, DAL_FACT_RELIES, use, name);
    dal_free(name);
}

static void reach_function(struct look *look, CXCursor use, CXCursor function)
{
    CXCursor body = dal__body_of(look->tree, function);
    if (dal__is_known(look->tree, function)) {
        rely(look, use, function);
        return;
    }
    if (dal__is_keeping(look->tree, function))
        add_write(look, use,
                  dal_format("call '%s', which keeps something for all of them",
                             dal__ast_name(function)));
    if (!clang_Cursor_isNull(body))
        reach(look, body);
    else
        doubt(look, use, "calls '%s', which may keep something", dal__ast_name(function));
}

static void look_at_call(struct look *look, CXCursor call)
{
    CXCursor function = clang_getCursorReferenced(call);
    CXType type = clang_getCursorType(function);
    int count = clang_Cursor_getNumArguments(call);
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl) {
        doubt(look, call, "calls a function through a pointer");
        return;
    }
    for (int i = 0; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        CXType to = i < clang_getNumArgTypes(type) ? clang_getArgType(type, (unsigned)i)
                                                   : clang_getCursorType(argument);
        if (dal__is_filled(look->tree, function, clang_getCanonicalType(to), i))
            note_write(look, call, argument);
    }
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Can a pointer be made of it? Then it is a number, if it is no other pointer, array or function.
 */
static int is_number(CXCursor part)
{
    CXType type = dal__type_of(part);
    int is_name = clang_getCursorKind(part) == CXCursor_DeclRefExpr;
    return type.kind != CXType_Invalid && type.kind != CXType_Pointer &&
           type.kind != CXType_FunctionProto && type.kind != CXType_FunctionNoProto &&
           !dal__ast_is_array(type) &&
           !(is_name &&
             clang_getCursorKind(clang_getCursorReferenced(part)) == CXCursor_FunctionDecl);
}

static void look_at_conversion(struct look *look, CXCursor whole)
{
    CXCursor part = dal__parts_of(whole).last;
    CXType to = dal__type_of(whole), from = dal__type_of(part), a, b;
    long long number = dal__ast_number(part);
    if (to.kind != CXType_Pointer || number == 0)
        return;
    a = clang_getPointeeType(to);
    if (is_number(part) && (number < 0 || number > MOST_PORTS))
        doubt(look, whole, "makes a pointer of a number");
    if (from.kind != CXType_Pointer)
        return;
    b = clang_getPointeeType(from);
    if (!is_same(a, b) && (has_pointer(a) || has_pointer(b)))
        doubt(look, whole, "takes bytes for pointers, or pointers for bytes");
}

/* Finds a number that is made a pointer, in one that a call does not give. */
static enum CXChildVisitResult visit_made(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    int is_conversion = kind == CXCursor_UnexposedExpr || kind == CXCursor_CStyleCastExpr;
    int *found = data;
    (void)parent;
    if (clang_isExpression(kind) && (!dal__is_pointer(cursor) || kind == CXCursor_CallExpr))
        return CXChildVisit_Continue;
    *found |= is_conversion && is_number(dal__parts_of(cursor).last);
    return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* A number is no address by itself, NULL for one; but with another one it is. */
static void look_at_step(struct look *look, CXCursor whole)
{
    int is_unary = clang_getCursorKind(whole) == CXCursor_UnaryOperator, found = 0;
    int is_binary = clang_getCursorKind(whole) == CXCursor_BinaryOperator;
    if ((is_unary && !dal__is_place(look->tree, whole)) ||
        (is_binary &&
         (!dal__is_pointer(whole) || !clang_Cursor_isNull(dal__changed_by(look->tree, whole)))))
        return;
    clang_visitChildren(whole, visit_made, &found);
    if (found)
        doubt(look, whole, "makes a pointer of a number");
}

/* p->local is a state, and the rest of p belongs to the runtime. */
static void look_at_member(struct look *look, CXCursor whole)
{
    CXCursor owner = clang_getCursorSemanticParent(clang_getCursorReferenced(whole));
    if (dal__is_member_of_process(whole))
        doubt(look, whole, "uses '%s' of its process", dal__ast_name(whole));
    else if (clang_getCursorKind(owner) == CXCursor_UnionDecl &&
             has_pointer(clang_getCursorType(owner)))
        doubt(look, whole, "has pointers in a union, '%s'", dal__ast_name(whole));
}

static enum CXChildVisitResult visit_label(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    int *found = data;
    (void)parent;
    *found |=
        kind == CXCursor_LabelStmt || kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt;
    return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* What has a label may be reached without the condition. */
static enum CXChildVisitResult visit_guarded(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct look *look = data;
    int has_label = 0;
    (void)parent;
    if (look->part++ == 0)
        return dal__asks_for_failure(look->tree, &look->reached, cursor) ? CXChildVisit_Continue
                                                                         : CXChildVisit_Break;
    clang_visitChildren(cursor, visit_label, &has_label);
    if (has_label)
        return CXChildVisit_Break;
    if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt)
        cursor = dal__parts_of(cursor).last;
    look->guarded = clang_getCursorLocation(cursor);
    return CXChildVisit_Break;
}

/* Notes what is returned where a call has failed. */
static void look_at_if(struct look *look, CXCursor whole)
{
    look->part = 0;
    clang_visitChildren(whole, visit_guarded, look);
}

/* An end that a firing sets by itself comes too late for those that run beside it. */
static void look_at_return(struct look *look, CXCursor whole)
{
    if (look->at == 0 && !clang_equalLocations(clang_getCursorLocation(whole), look->guarded) &&
        dal__ast_number(dal__parts_of(whole).last) != 0)
        doubt(look, whole, "may return something else than 0");
}

/* Notes what assembly sets: parts between its first two colons. */
static enum CXChildVisitResult visit_output(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct look *look = data;
    struct dal_tokens tokens = dal__ast_tokens(look->tree, clang_getCursorExtent(parent));
    int colons = 0;
    for (unsigned i = 0; i < tokens.count; i++) {
        CXSourceLocation at = clang_getTokenLocation(tokens.parsed, tokens.list[i]);
        if (dal__ast_offset(at) >= dal__ast_start(cursor))
            break;
        colons += dal__ast_is_word(&tokens, i, ":") + 2 * dal__ast_is_word(&tokens, i, "::");
    }
    if (colons == 1)
        note_write(look, cursor, cursor);
    return CXChildVisit_Continue;
}

/* Another attribute of a variable may call a function where the variable ends. */
static void look_at_attribute(struct look *look, CXCursor whole)
{
    struct dal_tokens tokens = dal__ast_tokens(look->tree, clang_getCursorExtent(whole));
    if (!dal__is_known_attribute(dal__ast_word(&tokens, 0)))
        doubt(look, whole, "has an attribute that is not known here");
}

static void look_at_name(struct look *look, CXCursor use)
{
    CXCursor meant = clang_getCursorReferenced(use);
    if (clang_getCursorKind(meant) == CXCursor_FunctionDecl)
        reach_function(look, use, meant);
    else
        reach_variable(look, use, meant);
}

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct look *look = data;
    (void)parent;
    dal__add_leads(look->tree, &look->leads, cursor, look->reached.list[look->at]);
    note_write(look, cursor, dal__changed_by(look->tree, cursor));
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_DeclRefExpr:
        look_at_name(look, cursor);
        break;
    case CXCursor_CallExpr:
        look_at_call(look, cursor);
        break;
    case CXCursor_MemberRefExpr:
        look_at_member(look, cursor);
        look_at_step(look, cursor);
        break;
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator:
    case CXCursor_ArraySubscriptExpr:
        look_at_step(look, cursor);
        break;
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
        look_at_conversion(look, cursor);
        break;
    case CXCursor_IfStmt:
        look_at_if(look, cursor);
        break;
    case CXCursor_ReturnStmt:
        look_at_return(look, cursor);
        break;
    case CXCursor_UnexposedAttr:
        look_at_attribute(look, cursor);
        break;
    case CXCursor_CompoundLiteralExpr:
        if (clang_getCursorKind(look->reached.list[look->at]) == CXCursor_VarDecl)
            doubt(look, cursor, "has a constant that leads to a variable");
        break;
    case CXCursor_GCCAsmStmt:
        clang_visitChildren(cursor, visit_output, look);
        /* fallthrough */
    case CXCursor_MSAsmStmt:
    case CXCursor_BlockExpr:
    case CXCursor_AsmLabelAttr:
        doubt(look, cursor, "has something that is not C");
        break;
    default:
        break;
    }
    return CXChildVisit_Recurse;
}

/* ---- the function ---------------------------------------------------------------------------- */

/* Of a function's attributes, one lets another file bring its body. A parameter's type may count.
 */
static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    if (!clang_isAttribute(clang_getCursorKind(cursor))) {
        visit_part(cursor, parent, data);
        clang_visitChildren(cursor, visit_part, data);
    } else if (dal__has_word(((struct look *)data)->tree, cursor, "weak"))
        doubt(data, cursor, "has '%s', which another file may define", dal__ast_name(parent));
    return CXChildVisit_Continue;
}

/* Looks at a function, and at parameters that stand behind its brackets. */
static void look_at_function(struct look *look, CXCursor function)
{
    int count = clang_Cursor_getNumArguments(function);
    clang_visitChildren(function, visit_body, look);
    for (int i = 0; i < count; i++)
        clang_visitChildren(clang_Cursor_getArgument(function, (unsigned)i), visit_part, look);
}

/* Looks at all that is reached, and again while that has shown more. */
static void look_at_all(struct look *look)
{
    size_t leads, reached;
    do {
        leads = look->leads.count;
        reached = look->reached.count;
        for (look->at = 0; look->at < look->reached.count; look->at++) {
            CXCursor one = look->reached.list[look->at];
            if (clang_getCursorKind(one) == CXCursor_VarDecl)
                clang_visitChildren(one, visit_part, look);
            else
                look_at_function(look, one);
        }
    } while (look->leads.count > leads || look->reached.count > reached);
}

void dal__ast_judge(struct dal_ast *tree, CXCursor function)
{
    struct look look = {
        .tree = tree, .function = dal__ast_name(function), .guarded = clang_getNullLocation()};
    const struct dal_outside *outside = dal__find_outside(tree);
    reach(&look, function);
    if (tree->errors)
        doubt(&look, function, "is in a source with errors");
    if (outside->words)
        doubt_at(&look, outside->at, "is in a source %s", outside->words);
    look_at_all(&look);
    if (!look.doubts)
        dal__ast_add(tree, DAL_FACT_STATELESS, look.function);
}
