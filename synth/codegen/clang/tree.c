/*
 * Reads a source through libclang: the tree of its declarations, and the record of its
 * preprocessing. Nothing is freed here: the process ends when it is done.
 */
#include "synth/codegen/clang/tree.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The texts that stand in front of a source, as they are known here; the folder of a file must be
 * there. */
static const struct front {
    const char *name, *text;
} fronts[] = {
    {"/dal.h", __extension__
#include "synth/codegen/clang/dal_h.inc"
    },
    {"/dal_collectives.h", __extension__
#include "synth/codegen/clang/dal_collectives_h.inc"
    },
    {"/dal_collectives_device.h", __extension__
#include "synth/codegen/clang/dal_collectives_device_h.inc"
    },
    {"/dol.h", __extension__
#include "synth/codegen/clang/dol_h.inc"
    },
    {"/dal_unit.h", __extension__
#include "synth/codegen/clang/dal_unit_h.inc"
    },
};

/* The texts that stand in front of a kernel for CUDA. */
static const struct front cuda_fronts[] = {
    {"/dal_nvrtc.h", __extension__ "#pragma GCC system_header\n"
#include "synth/codegen/clang/nvrtc_h.inc"
    },
    {"/dal_opencl_c.h", __extension__ "#pragma GCC system_header\n"
#include "synth/codegen/clang/opencl_c_h.inc"
    },
};

const char *dal__ast_string(CXString string)
{
    const char *text = clang_getCString(string);

    return text ? text : "";
}

const char *dal__ast_name(CXCursor cursor)
{
    return dal__ast_string(clang_getCursorSpelling(cursor));
}

const char *dal__ast_type(CXType type)
{
    return dal__ast_string(clang_getTypeSpelling(clang_getCanonicalType(type)));
}

void dal__ast_add_at(const struct dal_ast *tree, struct dal_fact fact, CXSourceLocation at)
{
    unsigned line, column;
    CXString file;

    clang_getPresumedLocation(at, &file, &line, &column);
    fact.file = dal__ast_string(file);
    if (dal__is_no_file(fact.file))
        return;
    fact.line = (int)line;
    fact.column = (int)column;
    dal__fact_write(tree->facts, &fact);
}

void dal__ast_add(struct dal_ast *tree, const char *kind, const char *name)
{
    dal__fact_write(tree->facts, &(struct dal_fact){.kind = kind, .name = name});
}

/* ---- where things stand ---------------------------------------------------------------------- */

static int is_front(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++)
        if (strcmp(name, fronts[i].name) == 0)
            return 1;
    return 0;
}

static enum dal_owner owner_of(const struct dal_ast *tree, CXSourceLocation location)
{
    const char *name;
    CXFile file;

    clang_getExpansionLocation(location, &file, NULL, NULL, NULL);
    if (!file)
        return DAL_OWNER_NONE;
    name = dal__ast_string(clang_getFileName(file));
    if (strcmp(name, tree->unit) == 0 || is_front(name))
        return DAL_OWNER_FRONT;
    return clang_Location_isInSystemHeader(location) ? DAL_OWNER_SYSTEM : DAL_OWNER_SOURCE;
}

enum dal_owner dal__ast_owner(const struct dal_ast *tree, CXCursor cursor)
{
    return owner_of(tree, clang_getCursorLocation(cursor));
}

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
    size_t i;

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i], name) == 0)
            return 1;
    return 0;
}

/* Takes "#define NAME OTHER_NAME", which may make one function of another. */
static void take_renaming(struct dal_ast *tree, CXCursor macro)
{
    CXToken *tokens;
    unsigned count;

    clang_tokenize(tree->parsed, clang_getCursorExtent(macro), &tokens, &count);
    if (count != 2 || clang_getTokenKind(tokens[1]) != CXToken_Identifier)
        return;
    dal__fact_write(tree->facts, &(struct dal_fact){.kind = "rename",
                                                    .name = dal__ast_name(macro),
                                                    .text = dal__ast_string(clang_getTokenSpelling(
                                                        tree->parsed, tokens[1]))});
}

static void take_macro(struct dal_ast *tree, CXCursor macro)
{
    const char *name = dal__ast_name(macro);

    if (dal__ast_owner(tree, macro) == DAL_OWNER_SOURCE && is_constant(name))
        dal__ast_add(tree, "own", name);
    if (tree->bare)
        return;
    if ((is_role(name) || dal__ast_owner(tree, macro) == DAL_OWNER_SOURCE) &&
        !clang_Cursor_isMacroFunctionLike(macro))
        take_renaming(tree, macro);
    if (dal__ast_owner(tree, macro) == DAL_OWNER_SOURCE && stands_behind(name))
        dal__ast_add(tree, "behind", name);
}

/* Takes the use, in front of the source, of a macro that only the options can have made. */
static void take_expansion(struct dal_ast *tree, CXCursor expansion)
{
    CXCursor macro = clang_getCursorReferenced(expansion);
    const char *name = dal__ast_name(expansion);
    enum dal_owner owner;

    if (tree->bare || *name == '_' || dal__ast_owner(tree, expansion) != DAL_OWNER_FRONT ||
        clang_Cursor_isNull(macro))
        return;
    owner = dal__ast_owner(tree, macro);
    if (owner == DAL_OWNER_NONE || owner == DAL_OWNER_SOURCE)
        dal__ast_add(tree, "aside", name);
}

static void take_include(struct dal_ast *tree, CXCursor include)
{
    CXToken *tokens;
    unsigned count;
    int angle;

    if (tree->bare || dal__ast_owner(tree, include) != DAL_OWNER_SOURCE)
        return;
    if (strcmp(dal__ast_name(include), "dal_collectives.h") == 0)
        dal__ast_add(tree, "collectives", "");
    clang_tokenize(tree->parsed, clang_getCursorExtent(include), &tokens, &count);
    angle = count > 2 &&
            strcmp(dal__ast_string(clang_getTokenSpelling(tree->parsed, tokens[2])), "<") == 0;
    if (!angle)
        dal__ast_add(tree, clang_getIncludedFile(include) ? "include" : "missing",
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
    if (dal__ast_owner(tree, function) == DAL_OWNER_FRONT)
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
    CXToken *tokens;
    unsigned i, count = 0;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_UnexposedAttr)
        return CXChildVisit_Continue;
    clang_tokenize(function->tree->parsed, clang_getCursorExtent(cursor), &tokens, &count);
    for (i = 0; i < count; i++) {
        const char *word =
            dal__ast_string(clang_getTokenSpelling(function->tree->parsed, tokens[i]));
        if (strcmp(word, "alias") == 0 || strcmp(word, "__alias__") == 0)
            function->up = function; /* a mark */
    }
    return CXChildVisit_Continue;
}

static int is_alias(struct dal_ast *tree, CXCursor function)
{
    struct walk mark = {.tree = tree, .cursor = function};

    clang_visitChildren(function, visit_attribute, &mark);
    return mark.up != NULL;
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

    if (owner == DAL_OWNER_FRONT || (owner == DAL_OWNER_SYSTEM && !is_role(name)))
        return;
    if (!clang_isCursorDefinition(function) && !is_alias(tree, function))
        return;
    if (strcmp(name, "main") == 0)
        dal__ast_add_at(
            tree,
            (struct dal_fact){.kind = "refused",
                              .name = "this source has a 'main', which is the program's own"},
            clang_getCursorLocation(function));
    dal__ast_add_at(
        tree,
        (struct dal_fact){.kind = "function",
                          .name = name,
                          .text = dal__ast_type(clang_getCursorResultType(function)),
                          .more = argument_of(function),
                          .numbers = {clang_getCursorLinkage(function) == CXLinkage_Internal}},
        clang_getCursorLocation(function));
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
    dal__ast_add(tree, "state", "");
    last = dal__ast_flexible(clang_getCursorType(state));
    if (!clang_Cursor_isNull(last))
        dal__ast_add_at(tree, (struct dal_fact){.kind = "flexible", .name = dal__ast_name(last)},
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
    if (dal__ast_owner(tree, cursor) != DAL_OWNER_SOURCE || length < sizeof(ending) ||
        strcmp(name + length + 1 - sizeof(ending), ending) != 0 || type.kind != CXType_Record ||
        clang_Type_getSizeOf(type) < 0)
        return;
    dal__fact_write(tree->facts,
                    &(struct dal_fact){.kind = "state-type", .name = name, .text = word});
}

static enum CXChildVisitResult visit_cast(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const struct dal_ast *tree = data;

    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_MemberRefExpr)
        return CXChildVisit_Recurse;
    cursor = clang_getCursorReferenced(cursor);
    return strcmp(dal__ast_name(cursor), "local") == 0 &&
                   dal__ast_owner(tree, cursor) == DAL_OWNER_FRONT
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
                        (struct dal_fact){.kind = "state-cast",
                                          .name = dal__ast_string(clang_getTypeSpelling(type))},
                        clang_getCursorLocation(cast));
}

static enum CXChildVisitResult visit_casts(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_isPreprocessing(clang_getCursorKind(cursor)) ||
        dal__ast_owner(data, cursor) != DAL_OWNER_SOURCE)
        return CXChildVisit_Continue;
    if (clang_getCursorKind(cursor) == CXCursor_CStyleCastExpr)
        take_state_cast(data, cursor);
    return CXChildVisit_Recurse;
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
    if (clang_isPreprocessing(kind) || dal__ast_owner(tree, cursor) != DAL_OWNER_SOURCE)
        return CXChildVisit_Continue;
    if (is_own_declaration(kind) && is_constant(dal__ast_name(cursor)))
        dal__ast_add(tree, "own", dal__ast_name(cursor));
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
        if (dal__ast_owner(tree, cursor) == DAL_OWNER_FRONT &&
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

/* Is a text read that stands for all files? */
static int is_text(const struct dal_reading *reading)
{
    return reading->is_opencl && reading->text;
}

static void take_errors(struct dal_ast *tree)
{
    unsigned i, count = clang_getNumDiagnostics(tree->parsed);

    for (i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tree->parsed, i);
        const char *category = dal__ast_string(clang_getDiagnosticCategoryText(diagnostic));
        if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error)
            continue;
        tree->errors++;
        if (tree->reading->is_cuda &&
            owner_of(tree, clang_getDiagnosticLocation(diagnostic)) == DAL_OWNER_SYSTEM)
            continue;
        if (owner_of(tree, clang_getDiagnosticLocation(diagnostic)) == DAL_OWNER_FRONT &&
            !is_text(tree->reading))
            continue;
        dal__ast_add_at(
            tree,
            (struct dal_fact){.kind = "error",
                              .name = dal__ast_string(clang_getDiagnosticSpelling(diagnostic)),
                              .text = strcmp(category, "Parse Issue") == 0 ? "syntax" : ""},
            clang_getDiagnosticLocation(diagnostic));
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

void dal__ast_add_option(struct dal_ast *tree, const char *option)
{
    if (option && tree->option_count < DAL_AST_OPTIONS)
        tree->options[tree->option_count++] = option;
}

/* Does an option change what the text of a source means? The others are for the program's compiler,
 * which may know more of them. *takes_next is set when the argument is the next word. */
static int is_for_reading(const char *word, int *takes_next)
{
    static const char *const joined[] = {"-D",       "-U",      "-I",       "-include",
                                         "-imacros", "-iquote", "-isystem", "-idirafter"};
    static const char *const whole[] = {
        "-std=",    "-cl-std=",       "-ansi",           "-m",
        "-O",       "-fsigned-char",  "-funsigned-char", "-fshort-enums",
        "-fopenmp", "-fgnu89-inline", "-pthread"};
    size_t i;

    *takes_next = 0;
    for (i = 0; i < sizeof(joined) / sizeof(joined[0]); i++)
        if (strncmp(word, joined[i], strlen(joined[i])) == 0) {
            *takes_next = strcmp(word, joined[i]) == 0;
            return 1;
        }
    for (i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
        if (strncmp(word, whole[i], strlen(whole[i])) == 0)
            return 1;
    return 0;
}

static void add_options(struct dal_ast *tree, const char *options)
{
    int is_argument = 0, takes_next = 0, more = options != NULL;

    while (more) {
        struct dal_text word = {0};
        more = dal_text_next_word(&options, &word) > 0;
        is_argument = takes_next;
        takes_next = 0;
        if (more && (is_argument || is_for_reading(dal_text_get(&word), &takes_next)))
            dal__ast_add_option(tree, dal_text_take(&word));
    }
}

/* Adds the options for macros and folders. Those for processors are meant for other compilers. */
static void add_defines(struct dal_ast *tree, const char *options)
{
    struct dal_text option = {0};

    while (dal_text_next_define(&options, &option) > 0)
        dal__ast_add_option(tree, dal_text_take(&option));
    dal_text_finish(&option);
}

static void add_file(struct dal_ast *tree, const char *name, const char *text, size_t length)
{
    tree->files[tree->file_count++] =
        (struct CXUnsavedFile){.Filename = name, .Contents = text, .Length = length};
}

/* Adds what stands in front of the source, and the source. */
static void add_unit(struct dal_text *text, const struct dal_ast *tree)
{
    const struct dal_reading *reading = tree->reading;

    if (is_text(reading)) {
        dal_text_add(text, reading->text);
        if (!reading->is_cuda)
            dal__ast_add_questions(text);
        return;
    }
    if (reading->type) {
        dal__ast_add_type(text, tree);
        return;
    }
    dal_text_add(text, "#define DAL_UNIT_FRONT\n");
    dal_text_add_each(text, reading->set_aside, "#pragma push_macro(\"%.*s\")\n");
    dal_text_add_each(text, reading->set_aside, "#undef %.*s\n");
    if (!tree->bare)
        dal_text_add(text, reading->front);
    if (!reading->is_opencl)
        dal_text_add(text, "#include \"/dal_unit.h\"\n");
    dal_text_add(text, "#undef DAL_UNIT_FRONT\n");
    dal_text_add_each(text, reading->set_aside, "#pragma pop_macro(\"%.*s\")\n");
    dal_text_printf(text, "#include \"%s\"\n", dal_path_base(tree->source));
}

static int parse_unit(struct dal_ast *tree, CXIndex index)
{
    const struct dal_reading *reading = tree->reading;
    struct dal_text text = {0};
    size_t i;

    add_unit(&text, tree);
    tree->file_count = 0;
    for (i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++)
        add_file(tree, fronts[i].name, fronts[i].text, strlen(fronts[i].text));
    for (i = 0; i < sizeof(cuda_fronts) / sizeof(cuda_fronts[0]) && reading->is_cuda; i++)
        add_file(tree, cuda_fronts[i].name, cuda_fronts[i].text, strlen(cuda_fronts[i].text));
    add_file(tree, tree->unit, dal_text_get(&text), text.length);
    if (reading->text)
        add_file(tree, tree->source, reading->text, strlen(reading->text));
    return clang_parseTranslationUnit2(
               index, tree->unit, tree->options, tree->option_count, tree->files, tree->file_count,
               CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing,
               &tree->parsed) == CXError_Success
               ? DAL_OK
               : DAL_ERR_SYSTEM;
}

static int find_source(struct dal_ast *tree)
{
    char real[PATH_MAX];

    if (!realpath(tree->reading->path, real) || chdir(tree->reading->folder))
        return DAL_ERR_SYSTEM;
    tree->folder = dal_format("%.*s", (int)(dal_path_base(real) - real), real);
    /* If no #include can name the source, a text stands for it. */
    tree->source = strpbrk(dal_path_base(real), "\"\\\n")
                       ? dal_format("%s.dal-source.c", tree->folder ? tree->folder : "")
                       : dal_strdup(real);
    tree->unit = dal_format("%s.dal-unit.c", tree->folder);
    return tree->source && tree->folder && tree->unit ? DAL_OK : DAL_ERR_NOMEM;
}

/* Adds the folder of libclang's own headers where it was when the library was found. Else libclang
 * looks for them itself. */
void dal__ast_add_resources(struct dal_ast *tree)
{
    if (access(DAL_CLANG_RESOURCES, R_OK))
        return;
    dal__ast_add_option(tree, "-resource-dir");
    dal__ast_add_option(tree, DAL_CLANG_RESOURCES);
}

/* Takes the options of synth/codegen/emit/make.c. The source's folder is for a source that includes
 * PROCESS.h, too. */
static void choose_options(struct dal_ast *tree)
{
    static const char *const c[] = {"-xc", "-std=gnu11", "-O2", "-idirafter", "/", NULL};
    static const char *const cxx[] = {"-xc++", "-std=gnu++17", "-O2", "-idirafter", "/", NULL};
    static const char *const opencl[] = {"-xcl",
                                         "-Xclang",
                                         "-cl-ext=+all",
                                         "-nostdlibinc",
                                         "-D__OPENCL_VERSION__=300",
                                         "-DDAL_GROUP_ITEMS=1",
                                         "-DDAL_POINTER=__global void *",
                                         "-DDAL_POINTER_TO(what)=(what)",
                                         "-include",
                                         "/dal_collectives_device.h",
                                         "-idirafter",
                                         "/",
                                         NULL};
    static const char *const cuda[] = {"-xc++",
                                       "-std=c++17",
                                       "--target=nvptx64-nvidia-cuda",
                                       "-nostdinc",
                                       "-Wno-c++11-narrowing",
                                       "-include",
                                       "/dal_nvrtc.h",
                                       NULL};
    /* CUDA's compiler has few extensions. */
    static const char *const made[] = {"-pedantic-errors",       "-Wno-gnu-anonymous-struct",
                                       "-Wno-nested-anon-types", "-include",
                                       "/dal_opencl_c.h",        NULL};
    const char *const *option;

    for (option = tree->reading->is_cuda     ? cuda
                  : tree->reading->is_opencl ? opencl
                  : tree->reading->is_cxx    ? cxx
                                             : c;
         *option; option++)
        dal__ast_add_option(tree, *option);
    for (option = made; tree->reading->is_made && *option; option++)
        dal__ast_add_option(tree, *option);
    dal__ast_add_resources(tree);
    dal__ast_add_option(tree, "-ferror-limit=0");
    if (!tree->reading->is_made) /* extensions are warnings, where they are no errors */
        dal__ast_add_option(tree, "-w");
    dal__ast_add_option(tree, "-iquote");
    dal__ast_add_option(tree, tree->folder);
    if (tree->reading->defines)
        add_options(tree, dal_text_get(tree->reading->defines));
    if (!tree->reading->is_opencl)
        dal__ast_add_option(tree, tree->reading->openmp ? "-fopenmp" : "-fopenmp-simd");
    (tree->reading->is_cuda ? add_defines : add_options)(tree, tree->reading->options);
}

static void visit_c(struct dal_ast *tree, CXIndex index)
{
    tree->keeps_p = tree->errors > 0;
    clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_top, tree);
    clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_casts, tree);
    clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), dal__ast_visit_openmp, tree);
    if (tree->keeps_p)
        dal__ast_add(tree, "keeps", "");
    tree->bare = 1;
    if (tree->errors && parse_unit(tree, index) == DAL_OK)
        clang_visitChildren(clang_getTranslationUnitCursor(tree->parsed), visit_bare, tree);
}

int dal__ast_read(const struct dal_reading *reading, struct dal_text *facts)
{
    struct dal_ast tree = {.reading = reading, .facts = facts};
    CXIndex index = clang_createIndex(0, 0);
    int error = find_source(&tree);

    if (error)
        return error;
    if (reading->portable)
        return dal__ast_read_portable(&tree, index);
    choose_options(&tree);
    error = parse_unit(&tree, index);
    if (error)
        return error;
    take_errors(&tree);
    if (reading->type)
        dal__ast_visit_type(&tree);
    else if (reading->is_made)
        dal__ast_visit_made(&tree);
    else if (reading->is_opencl)
        dal__ast_visit_opencl(&tree);
    else
        visit_c(&tree, index);
    return DAL_OK;
}
