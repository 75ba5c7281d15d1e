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

/* Functions that keep nothing and do nothing outside. Those of <math.h> have their variants for
 * float and long double as well. All of them may have __builtin_ in front. An assertion ends the
 * program, whichever firing finds it broken. */
static const char math[] =
    " acos acosh asin asinh atan atan2 atanh cabs carg cbrt ccos ceil cexp cimag clog conj "
    "copysign "
    "cos cosh cpow creal csin csqrt erf erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin "
    "fmod "
    "frexp huge_val hypot ilogb inf ldexp llrint llround log log10 log1p log2 logb lrint lround "
    "modf "
    "nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn signbit sin "
    "sincos sinh sqrt tan tanh tgamma trunc ";
static const char known[] =
    " memchr memcmp memcpy memmove memset stpcpy strcat strchr strcmp strcpy strcspn strlen "
    "strncat "
    "strncmp strncpy strnlen strpbrk strrchr strspn strstr abs labs llabs div ldiv lldiv atof atoi "
    "atol atoll strtod strtof strtol strtoll strtoul strtoull isalnum isalpha isblank iscntrl "
    "isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper "
    "__assert_fail "
    "__isnan __isinf __finite __fpclassify __signbit alloca assume assume_aligned bswap16 bswap32 "
    "bswap64 clz clzl clzll constant_p ctz ctzl ctzll expect expect_with_probability ffs ffsl "
    "ffsll "
    "fpclassify isfinite isgreater isgreaterequal isinf isinf_sign isless islessequal "
    "islessgreater "
    "isnan isnormal isunordered object_size parity parityl parityll popcount popcountl popcountll "
    "prefetch unreachable add_overflow sub_overflow mul_overflow ";
/* Functions of dal.h of which the same is true: a window belongs to its firing. */
static const char ours[] =
    " DAL_read DAL_write DAL_read_begin DAL_read_end DAL_write_begin DAL_write_end DAL_count "
    "DAL_set_count DAL_rtest DAL_wtest DAL_getPhase DAL_getIndex DAL_getParameter "
    "DAL_getParameterInt DAL_getParameterDouble dal__constant createPort ";

struct look {
    struct dal_ast *tree;
    struct dal_cursors reached; /* bodies, and constants with their values */
    size_t at;                  /* the one that is looked at */
    const char *function;       /* the one that is asked about */
    CXSourceLocation guarded;   /* the last statement of an if that asks for a failure */
    int part;                   /* of that if */
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

/* Returns the variable whose memory an expression is, or points into; null without one. */
static CXCursor root_of(const struct dal_ast *tree, CXCursor at)
{
    for (;;) {
        struct dal_parts parts = dal__parts_of(at);
        switch (clang_getCursorKind(at)) {
        case CXCursor_DeclRefExpr:
            return clang_getCursorReferenced(at);
        case CXCursor_UnexposedExpr:
            if (dal__is_place(tree, parts.last) && !dal__ast_is_array(dal__type_of(parts.last)))
                return clang_getNullCursor(); /* what the variable has in it */
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

/* Notes that a variable is written which all firings share. Each thread has its own one of some,
 * and a lock may be around one that is atomic. */
static void note_write(struct look *look, CXCursor use, CXCursor variable)
{
    if (look->writes || !is_static(variable) || clang_getCursorTLSKind(variable) != CXTLS_None ||
        dal__ast_element(clang_getCursorType(variable)).kind == CXType_Atomic)
        return;
    look->writes = 1;
    dal__ast_add_at(look->tree,
                    (struct dal_fact){.kind = DAL_FACT_WRITES,
                                      .name = look->function,
                                      .word = {dal__ast_name(variable)}},
                    clang_getCursorLocation(use));
}

/* ---- calls ----------------------------------------------------------------------------------- */

static int is_listed(const char *list, const char *name, size_t length)
{
    const char *at = list;
    while (length && (at = strstr(at + 1, name)))
        if (at[-1] == ' ' && at[length] == ' ')
            return 1;
    return 0;
}

/* A builtin function is declared where it is used first. */
static int is_known(const struct look *look, CXCursor function)
{
    static const char builtin[] = "__builtin_";
    const char *name = dal__ast_name(function);
    int is_builtin = strncmp(name, builtin, strlen(builtin)) == 0, is;
    enum dal_owner owner = dal__ast_owner(look->tree, function);
    size_t length;
    char *plain;
    if (owner == DAL_OWNER_SOURCE && !is_builtin)
        return 0;
    if (owner == DAL_OWNER_PROLOGUE && !is_builtin)
        return is_listed(ours, name, strlen(name));
    if (strncmp(name, "__ctype_", 8) == 0)
        return 1;
    name += is_builtin ? strlen(builtin) : 0;
    length = strlen(name);
    if (is_listed(math, name, length) || is_listed(known, name, length))
        return 1;
    if (!length || !strchr("fl", name[length - 1]))
        return 0;
    plain = dal_format("%.*s", (int)length - 1, name);
    is = plain && is_listed(math, plain, length - 1);
    dal_free(plain);
    return is;
}

static void reach_function(struct look *look, CXCursor use, CXCursor function)
{
    CXCursor definition = clang_getCursorDefinition(function);
    if (is_known(look, function))
        return;
    if (!clang_Cursor_isNull(definition) && dal__ast_is_of_source(look->tree, definition))
        reach(look, definition);
    else
        doubt(look, use, "calls '%s', which may keep something", dal__ast_name(function));
}

/* Returns whether a known function writes to what this argument points to. */
static int is_filled(const struct look *look, CXCursor function, CXType argument, int number)
{
    const char *name = dal__ast_name(function);
    if (!is_known(look, function) || argument.kind != CXType_Pointer ||
        dal__ast_is_const(clang_getPointeeType(argument)))
        return 0;
    if (dal__ast_owner(look->tree, function) != DAL_OWNER_PROLOGUE)
        return 1;
    return strcmp(name, "createPort") == 0
               ? number == 0
               : number == 1 &&
                     (strcmp(name, "DAL_read") == 0 || strncmp(name, "DAL_getParameter", 16) == 0);
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
        if (is_filled(look, function, clang_getCanonicalType(clang_getArgType(type, (unsigned)i)),
                      i))
            note_write(look, call,
                       root_of(look->tree, clang_Cursor_getArgument(call, (unsigned)i)));
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
    if (strcmp(dal__ast_name(owner), "_process") == 0)
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

static int has_word(const struct look *look, CXCursor cursor, const char *word)
{
    struct dal_tokens tokens = dal__ast_tokens(look->tree, clang_getCursorExtent(cursor));
    for (unsigned i = 0; i < tokens.count; i++)
        if (strstr(dal__ast_word(&tokens, i), word))
            return 1;
    return 0;
}

/* Another attribute of a variable may call a function where the variable ends. */
static void look_at_attribute(struct look *look, CXCursor whole)
{
    if (!has_word(look, whole, "unused") && !has_word(look, whole, "fallthrough"))
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
    note_write(look, cursor, root_of(look->tree, dal__changed_by(look->tree, cursor)));
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

/* Of a function's attributes, one lets another file bring its body. */
static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CompoundStmt)
        clang_visitChildren(cursor, visit_part, data);
    else if (kind == CXCursor_UnexposedAttr && has_word(data, cursor, "weak"))
        doubt(data, cursor, "has '%s', which another file may define", dal__ast_name(parent));
    return CXChildVisit_Continue;
}

void dal__ast_judge(struct dal_ast *tree, CXCursor function)
{
    struct look look = {
        .tree = tree, .function = dal__ast_name(function), .guarded = clang_getNullLocation()};
    reach(&look, function);
    if (tree->errors)
        doubt(&look, function, "is in a source with errors");
    for (; look.at < look.reached.count; look.at++) {
        CXCursor one = look.reached.list[look.at];
        clang_visitChildren(
            one, clang_getCursorKind(one) == CXCursor_VarDecl ? visit_part : visit_body, &look);
    }
    if (!look.doubts)
        dal__ast_add(tree, DAL_FACT_STATELESS, look.function);
}
