/* Walks over a C source: its functions, its state, its macros, and what it does with its p. */
#include "spec/base/names.h"
#include "synth/codegen/clang/tree.h"

#include "rt/base/error.h"

#include <string.h>

/* ---- the constants of ports, and macros ------------------------------------------------------ */

static int begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0 && name[strlen(prefix)];
}

/* Is it a name that DAL's generators make: PORT_x, TOKEN_x_t, BLOCK_x_SIZE, ...? */
static int is_constant(const char *name)
{
    return begins(name, "PORT_") || begins(name, "TOKEN_") || begins(name, "BLOCK_");
}

static int is_role(const char *name)
{
    const char *last = strrchr(name, '_');
    return last && last > name &&
           (strcmp(last, "_fire") == 0 || strcmp(last, "_init") == 0 ||
            strcmp(last, "_finish") == 0);
}

/* Is the name a word of the text that stands behind a source (synth/codegen/emit/code.c)? */
static int stands_behind(const char *name)
{
    static const char *const words[] = {"sizeof",         "struct",        "_local_states",
                                        "_Static_assert", "static_assert", "__alignof__",
                                        "__SIZE_TYPE__",  "dal__state",    "dal__unit_state"};
    return DAL_IS_ONE_OF(words, name);
}

/* Takes "#define NAME OTHER_NAME", which may make one function of another. */
static void take_renaming(struct dal_ast *tree, CXCursor macro)
{
    struct dal_tokens tokens = dal__ast_tokens(tree, clang_getCursorExtent(macro));
    if (tokens.count != 2 || clang_getTokenKind(tokens.list[1]) != CXToken_Identifier)
        return;
    dal_fact_write(tree->facts, &(struct dal_fact){.kind = DAL_FACT_RENAME,
                                                   .name = dal__ast_name(macro),
                                                   .word = {dal__ast_word(&tokens, 1)}});
}

static void take_macro(struct dal_ast *tree, CXCursor macro)
{
    const char *name = dal__ast_name(macro);
    if (dal__ast_is_of_source(tree, macro) && is_constant(name))
        dal__ast_add(tree, DAL_FACT_OWN, name);
    if (tree->bare)
        return;
    if ((is_role(name) || dal__ast_is_of_source(tree, macro)) &&
        !clang_Cursor_isMacroFunctionLike(macro))
        take_renaming(tree, macro);
    if (dal__ast_is_of_source(tree, macro) && stands_behind(name))
        dal__ast_add(tree, DAL_FACT_BEHIND, name);
}

/* Takes the use, in front of the source, of a macro that only the options can have made. */
static void take_expansion(struct dal_ast *tree, CXCursor expansion)
{
    CXCursor macro = clang_getCursorReferenced(expansion);
    const char *name = dal__ast_name(expansion);
    enum dal_owner owner;
    if (tree->bare || *name == '_' || dal__ast_owner(tree, expansion) != DAL_OWNER_PROLOGUE ||
        clang_Cursor_isNull(macro))
        return;
    owner = dal__ast_owner(tree, macro);
    if (owner == DAL_OWNER_NONE || owner == DAL_OWNER_SOURCE)
        dal__ast_add(tree, DAL_FACT_UNDEFINED, name);
}

static void take_include(struct dal_ast *tree, CXCursor include)
{
    struct dal_tokens tokens = dal__ast_tokens(tree, clang_getCursorExtent(include));
    if (tree->bare || !dal__ast_is_of_source(tree, include))
        return;
    if (strcmp(dal__ast_name(include), "dal_collectives.h") == 0)
        dal__ast_add(tree, DAL_FACT_COLLECTIVES, "");
    if (!dal__ast_is_word(&tokens, 2, "<"))
        dal__ast_add(tree, clang_getIncludedFile(include) ? DAL_FACT_INCLUDE : DAL_FACT_MISSING,
                     dal__ast_name(include));
}

/* ---- does it keep its p? --------------------------------------------------------------------- */

/* The cursors from a function's body down to the one at hand. */
struct walk {
    const struct walk *up;
    struct dal_ast *tree;
    CXCursor cursor;
};

static int is_process_pointer(CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind != CXType_Pointer)
        return 0;
    type = clang_getCanonicalType(clang_getPointeeType(type));
    return type.kind == CXType_Record &&
           strcmp(dal__ast_name(clang_getTypeDeclaration(type)), "_process") == 0;
}

static int is_truth(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Int || type.kind == CXType_Bool;
}

/* Is it a function at the top? In C++, those of a namespace, or those that a template makes, are
 * not. */
static int is_at_top(CXCursor function)
{
    enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(function));
    return clang_Cursor_isNull(clang_getSpecializedCursorTemplate(function)) &&
           (clang_isTranslationUnit(parent) || parent == CXCursor_LinkageSpec ||
            parent == CXCursor_UnexposedDecl);
}

/* Is it a function of dal.h, or one whose body is looked at as well? */
static int is_known(const struct dal_ast *tree, CXCursor function)
{
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
        return 0;
    if (dal__ast_owner(tree, function) == DAL_OWNER_PROLOGUE)
        return 1;
    return !clang_Cursor_isNull(clang_getCursorDefinition(function)) &&
           !clang_isFunctionTypeVariadic(clang_getCursorType(function)) && is_at_top(function);
}

/* Does a construct that has a p as its part let go of it again? */
static int lets_go(const struct dal_ast *tree, CXCursor whole)
{
    CXType type = clang_getCursorType(whole);
    switch (clang_getCursorKind(whole)) {
    case CXCursor_MemberRefExpr:
        return strcmp(dal__ast_name(whole), "local") == 0;
    case CXCursor_BinaryOperator: /* == and the like */
    case CXCursor_UnaryOperator:  /* ! */
    case CXCursor_UnexposedExpr:  /* made a truth */
        return is_truth(type);
    case CXCursor_CStyleCastExpr:
        return clang_getCanonicalType(type).kind == CXType_Void;
    case CXCursor_CallExpr:
        return is_known(tree, clang_getCursorReferenced(whole));
    case CXCursor_ConditionalOperator:
        return !is_process_pointer(type);
    case CXCursor_CompoundStmt:
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
        return 1;
    default:
        return 0;
    }
}

static void look_at_use(const struct walk *use)
{
    const struct walk *at = use->up;
    while (at &&
           (clang_getCursorKind(at->cursor) == CXCursor_ParenExpr ||
            clang_getCursorKind(at->cursor) == CXCursor_UnexposedExpr) &&
           is_process_pointer(clang_getCursorType(at->cursor)))
        at = at->up;
    if (!at || !lets_go(at->tree, at->cursor))
        use->tree->keeps_p = 1;
    for (; at; at = at->up) /* a function of C++ that takes it along */
        if (clang_getCursorKind(at->cursor) == CXCursor_LambdaExpr)
            use->tree->keeps_p = 1;
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *up = data, here = {.up = up, .tree = up->tree, .cursor = cursor};
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
        is_process_pointer(clang_getCursorType(cursor)))
        look_at_use(&here);
    if (!here.tree->keeps_p)
        clang_visitChildren(cursor, visit_body, &here);
    return here.tree->keeps_p ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* ---- declarations ---------------------------------------------------------------------------- */

/* Finds "alias" among a function's attributes, for which libclang has no name. */
static enum CXChildVisitResult visit_attribute(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct walk *function = data;
    struct dal_tokens tokens;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_UnexposedAttr)
        return CXChildVisit_Continue;
    tokens = dal__ast_tokens(function->tree, clang_getCursorExtent(cursor));
    for (unsigned i = 0; i < tokens.count; i++)
        if (dal__ast_is_word(&tokens, i, "alias") || dal__ast_is_word(&tokens, i, "__alias__"))
            function->up = function; /* a mark */
    return CXChildVisit_Continue;
}

static int is_alias(struct dal_ast *tree, CXCursor function)
{
    struct walk mark = {.tree = tree, .cursor = function};
    clang_visitChildren(function, visit_attribute, &mark);
    return mark.up != NULL;
}

static int may_be_fire(const struct dal_ast *tree, CXCursor function)
{
    return dal__ast_is_of_source(tree, function) && is_truth(clang_getCursorResultType(function)) &&
           clang_Cursor_getNumArguments(function) == 1 &&
           is_process_pointer(clang_getCursorType(clang_Cursor_getArgument(function, 0)));
}

/* Returns the type of the first argument, "void" without one. A function of several arguments
 * cannot be called with that alone. */
static const char *argument_of(CXCursor function)
{
    if (clang_Cursor_getNumArguments(function) == 0)
        return "void";
    return dal__ast_type(clang_getCursorType(clang_Cursor_getArgument(function, 0)));
}

static void take_function(struct dal_ast *tree, CXCursor function)
{
    struct walk body = {.tree = tree, .cursor = function};
    enum dal_owner owner = dal__ast_owner(tree, function);
    const char *name = dal__ast_name(function);
    if (owner == DAL_OWNER_PROLOGUE || (owner == DAL_OWNER_SYSTEM && !is_role(name)))
        return;
    if (!clang_isCursorDefinition(function) && !is_alias(tree, function))
        return;
    if (strcmp(name, "main") == 0)
        dal__ast_add_named(tree, DAL_FACT_REFUSED,
                           "this source has a 'main', which is the program's own",
                           clang_getCursorLocation(function));
    dal__ast_add_at(
        tree,
        (struct dal_fact){
            .kind = DAL_FACT_FUNCTION,
            .name = name,
            .function = {.result = dal__ast_type(clang_getCursorResultType(function)),
                         .argument = argument_of(function),
                         .is_static = clang_getCursorLinkage(function) == CXLinkage_Internal}},
        clang_getCursorLocation(function));
    if (may_be_fire(tree, function))
        dal__ast_judge(tree, function);
    if (!tree->keeps_p)
        clang_visitChildren(function, visit_body, &body);
}

/* Notes the state: the type that p->local points to, where that is defined. */
static void take_state(struct dal_ast *tree, CXCursor type_of_local)
{
    CXType type = clang_getTypedefDeclUnderlyingType(type_of_local);
    CXCursor state = clang_getTypeDeclaration(clang_getPointeeType(clang_getCanonicalType(type)));
    CXCursor last;
    state = clang_getCursorDefinition(state);
    if (clang_Cursor_isNull(state))
        return;
    dal__ast_add(tree, DAL_FACT_STATE, "");
    last = dal__ast_flexible(clang_getCursorType(state));
    if (!clang_Cursor_isNull(last))
        dal__ast_add_named(tree, DAL_FACT_FLEXIBLE, dal__ast_name(last),
                           clang_getCursorLocation(last));
}

/* Notes the structure that a source for DOL keeps at p->local, by its name: Square_State. `word`
 * stands in front of the name in C. */
static void take_state_type(struct dal_ast *tree, CXCursor cursor, CXType type, const char *word)
{
    static const char ending[] = "_State";
    const char *name = dal__ast_name(cursor);
    size_t length = strlen(name);
    type = clang_getCanonicalType(type);
    if (!dal__ast_is_of_source(tree, cursor) || length < sizeof(ending) ||
        strcmp(name + length + 1 - sizeof(ending), ending) != 0 || type.kind != CXType_Record ||
        clang_Type_getSizeOf(type) < 0)
        return;
    dal_fact_write(tree->facts,
                   &(struct dal_fact){.kind = DAL_FACT_STATE_TYPE, .name = name, .word = {word}});
}

static enum CXChildVisitResult visit_cast(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct dal_ast *tree = data;
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_MemberRefExpr)
        return CXChildVisit_Recurse;
    cursor = clang_getCursorReferenced(cursor);
    return strcmp(dal__ast_name(cursor), "local") == 0 &&
                   dal__ast_owner(tree, cursor) == DAL_OWNER_PROLOGUE
               ? CXChildVisit_Break
               : CXChildVisit_Continue;
}

/* Takes (struct counter *)p->local: what a source for DOL keeps there, whatever it is called. */
static void take_state_cast(struct dal_ast *tree, CXCursor cast)
{
    CXType type = clang_getPointeeType(clang_getCursorType(cast));
    if (clang_getCanonicalType(type).kind == CXType_Record && clang_Type_getSizeOf(type) > 0 &&
        clang_visitChildren(cast, visit_cast, tree))
        dal__ast_add_at(tree,
                        (struct dal_fact){.kind = DAL_FACT_STATE_CAST,
                                          .name = dal__ast_string(clang_getTypeSpelling(type)),
                                          .word = {""}},
                        clang_getCursorLocation(cast));
}

static int take_casts(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    if (kind == CXCursor_CStyleCastExpr)
        take_state_cast(data, cursor);
    return 1;
}

static int is_own_declaration(enum CXCursorKind kind)
{
    return kind == CXCursor_TypedefDecl || kind == CXCursor_EnumConstantDecl ||
           kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

/* Constants may be declared anywhere in the source. */
static enum CXChildVisitResult visit_bare(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_ast *tree = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    (void)parent;
    if (kind == CXCursor_MacroDefinition)
        take_macro(tree, cursor);
    if (clang_isPreprocessing(kind) || !dal__ast_is_of_source(tree, cursor))
        return CXChildVisit_Continue;
    if (is_own_declaration(kind) && is_constant(dal__ast_name(cursor)))
        dal__ast_add(tree, DAL_FACT_OWN, dal__ast_name(cursor));
    return CXChildVisit_Recurse;
}

/* Has a structure a name of its own? If only a typedef names it, clang stands at `struct`. clang 19
 * then calls the structure by the typedef's name, clang 14 does not. */
static int has_tag(CXCursor cursor)
{
    return !clang_equalLocations(clang_getCursorLocation(cursor),
                                 clang_getRangeStart(clang_getCursorExtent(cursor)));
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct dal_ast *tree = data;
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_MacroDefinition:
        take_macro(tree, cursor);
        break;
    case CXCursor_MacroExpansion:
        take_expansion(tree, cursor);
        break;
    case CXCursor_InclusionDirective:
        take_include(tree, cursor);
        break;
    case CXCursor_FunctionDecl:
        take_function(tree, cursor);
        break;
    case CXCursor_TypedefDecl:
        if (dal__ast_owner(tree, cursor) == DAL_OWNER_PROLOGUE &&
            strcmp(dal__ast_name(cursor), "LocalState") == 0)
            take_state(tree, cursor);
        take_state_type(tree, cursor, clang_getTypedefDeclUnderlyingType(cursor), "");
        break;
    case CXCursor_StructDecl:
        if (has_tag(cursor))
            take_state_type(tree, cursor, clang_getCursorType(cursor), "struct ");
        break;
    case CXCursor_LinkageSpec: /* extern "C" */
    case CXCursor_UnexposedDecl:
        return tree->reading->is_cxx ? CXChildVisit_Recurse : CXChildVisit_Continue;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

void dal__ast_visit_c(struct dal_ast *tree)
{
    CXCursor all = clang_getTranslationUnitCursor(tree->parsed);
    tree->keeps_p = tree->errors > 0;
    clang_visitChildren(all, visit_top, tree);
    dal__ast_walk(tree, dal__ast_is_of_source, take_casts, tree);
    dal__ast_visit_openmp(tree);
    if (tree->keeps_p)
        dal__ast_add(tree, DAL_FACT_KEEPS, "");
    tree->bare = 1;
    if (tree->errors && dal__ast_parse(tree) == DAL_OK)
        clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_bare, tree);
}
