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
    size_t at;                  /* the one that is looked at */
    const char *function;       /* the one that is asked about */
    struct dal_leads leads;
    CXSourceLocation guarded; /* the last statement of an if that asks for a failure */
    int part;                 /* of that if */
    int doubts, writes;
};

static void doubt(struct look *look, CXCursor cursor, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void doubt(struct look *look, CXCursor cursor, const char *format, ...)
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
        (struct dal_fact){.kind = DAL_FACT_DOUBT, .name = look->function, .word = {words}},
        clang_getCursorLocation(cursor));
}

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
    struct dal_cursors *all = &look->reached;
    for (size_t i = 0; i < all->count; i++)
        if (clang_equalCursors(all->list[i], definition))
            return;
    if (dal_grow(&all->list, all->count, &all->room, sizeof(*all->list)))
        look->tree->facts->lost = 1;
    else
        all->list[all->count++] = definition;
}

static void reach_variable(struct look *look, CXCursor use, CXCursor variable)
{
    CXCursor definition = clang_getCursorDefinition(variable);
    CXType type = clang_getCursorType(variable);
    if (!is_static(variable))
        return;
    if (!dal__ast_is_const(type) || clang_isVolatileQualifiedType(dal__ast_element(type)))
        doubt(look, use, "uses variable '%s', which is not constant", dal__ast_name(variable));
    else if (clang_Cursor_isNull(definition))
        doubt(look, use, "uses '%s', which is of another file", dal__ast_name(variable));
    else
        reach(look, definition);
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

/* Notes that the memory of an expression is written, if all firings share it. */
static void note_write(struct look *look, CXCursor use, CXCursor place)
{
    CXCursor variable = dal__root_of(look->tree, &look->leads, place);
    if (look->writes || !dal__is_shared(variable))
        return;
    add_write(
        look, use,
        clang_getCursorKind(variable) == CXCursor_FieldDecl
            ? dal_strdup("write p->local, which one firing leaves to the next")
            : dal_format("write variable '%s', which all of them share", dal__ast_name(variable)));
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void reach_function(struct look *look, CXCursor use, CXCursor function)
{
    CXCursor body = dal__body_of(look->tree, function);
    if (dal__is_known(look->tree, function))
        return;
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
    for (int i = 0; i < count && i < clang_getNumArgTypes(type); i++)
        if (dal__is_filled(look->tree, function,
                           clang_getCanonicalType(clang_getArgType(type, (unsigned)i)), i))
            note_write(look, call, clang_Cursor_getArgument(call, (unsigned)i));
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

static enum CXChildVisitResult visit_guarded(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct look *look = data;
    (void)parent;
    if (look->part++ == 0)
        return dal__asks_for_failure(look->tree, &look->reached, cursor) ? CXChildVisit_Continue
                                                                         : CXChildVisit_Break;
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
    case CXCursor_MSAsmStmt:
    case CXCursor_BlockExpr:
        doubt(look, cursor, "has something that is not C");
        break;
    default:
        break;
    }
    return CXChildVisit_Recurse;
}

/* ---- the function ---------------------------------------------------------------------------- */

static int has_word(const struct look *look, CXSourceRange range, const char *word)
{
    struct dal_tokens tokens = dal__ast_tokens(look->tree, range);
    for (unsigned i = 0; i < tokens.count; i++)
        if (clang_getTokenKind(tokens.list[i]) != CXToken_Comment &&
            strstr(dal__ast_word(&tokens, i), word))
            return 1;
    return 0;
}

/* A pragma may say of any function that another file brings its body. */
static void look_at_pragmas(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct look *look = data;
    CXTranslationUnit parsed = look->tree->parsed;
    CXSourceLocation start = clang_getLocationForOffset(parsed, file, 0);
    CXSourceRange all;
    size_t length = 0;
    (void)stack;
    (void)depth;
    if (dal__ast_owner_at(look->tree, start) != DAL_OWNER_SOURCE ||
        !clang_getFileContents(parsed, file, &length))
        return;
    all = clang_getRange(start, clang_getLocationForOffset(parsed, file, (unsigned)length));
    if (has_word(look, all, "ragma") && has_word(look, all, "weak"))
        doubt(look, look->reached.list[0], "is in a source whose pragma may make functions weak");
}

/* Of a function's attributes, one lets another file bring its body. */
static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CompoundStmt)
        clang_visitChildren(cursor, visit_part, data);
    else if (kind == CXCursor_UnexposedAttr &&
             has_word(data, clang_getCursorExtent(cursor), "weak"))
        doubt(data, cursor, "has '%s', which another file may define", dal__ast_name(parent));
    return CXChildVisit_Continue;
}

/* Looks at all that is reached, and again while that has shown where more pointers lead. */
static void look_at_all(struct look *look)
{
    size_t before;
    do {
        before = look->leads.count;
        for (look->at = 0; look->at < look->reached.count; look->at++) {
            CXCursor one = look->reached.list[look->at];
            int is_variable = clang_getCursorKind(one) == CXCursor_VarDecl;
            clang_visitChildren(one, is_variable ? visit_part : visit_body, look);
        }
    } while (look->leads.count > before);
}

void dal__ast_judge(struct dal_ast *tree, CXCursor function)
{
    struct look look = {
        .tree = tree, .function = dal__ast_name(function), .guarded = clang_getNullLocation()};
    reach(&look, function);
    if (tree->errors)
        doubt(&look, function, "is in a source with errors");
    clang_getInclusions(tree->parsed, look_at_pragmas, &look);
    look_at_all(&look);
    if (!look.doubts)
        dal__ast_add(tree, DAL_FACT_STATELESS, look.function);
}
