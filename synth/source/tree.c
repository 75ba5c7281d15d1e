/*
 * A source through libclang: the tree of its declarations, and the record of its preprocessing.
 * Nothing is given back here: the process ends when it is done.
 */
#include "synth/source/reader.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <clang-c/Index.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 512 };

/* What stands in front of a source, as it is known here; the folder of a file must be there. */
static const struct front {
    const char *name, *text;
} fronts[] = {
    {"/dal.h", __extension__
#include "synth/source/dal_h.inc"
    },
    {"/dal_unit.h", __extension__
#include "synth/source/dal_unit_h.inc"
    },
};

struct tree {
    const struct dal_reading *reading;
    struct dal_text *facts;
    char *folder;        /* the source's, absolute, with a slash at its end */
    char *source, *unit; /* the source, and a unit beside it that is none */
    struct CXUnsavedFile files[4];
    unsigned file_count;
    const char *options[MOST_OPTIONS];
    int option_count;
    CXTranslationUnit parsed;
    int bare; /* read without constants, to see which of them the source has */
    int errors;
    int keeps_p; /* perhaps */
};

static const char *text_of(CXString string)
{
    const char *text = clang_getCString(string);

    return text ? text : "";
}

static const char *name_of(CXCursor cursor)
{
    return text_of(clang_getCursorSpelling(cursor));
}

/* A field: what would end it is a space instead. */
static void add_field(struct dal_text *facts, const char *field)
{
    for (; *field; field++)
        dal_text_add_bytes(facts, strchr("\t\r\n", *field) ? " " : field, 1);
}

static void add_fact(struct tree *tree, const char *kind, const char *value)
{
    dal_text_add(tree->facts, kind);
    dal_text_add(tree->facts, "\t");
    add_field(tree->facts, value);
    dal_text_add(tree->facts, "\n");
}

/* ---- where things stand ---------------------------------------------------------------------- */

enum owner {
    OWNER_NONE, /* the compiler, or its options */
    OWNER_FRONT,
    OWNER_SYSTEM,
    OWNER_SOURCE, /* or a file that it includes */
};

static enum owner owner_of(const struct tree *tree, CXSourceLocation location)
{
    const char *name;
    CXFile file;

    clang_getExpansionLocation(location, &file, NULL, NULL, NULL);
    if (!file)
        return OWNER_NONE;
    name = text_of(clang_getFileName(file));
    if (strcmp(name, tree->unit) == 0 || strcmp(name, fronts[0].name) == 0 ||
        strcmp(name, fronts[1].name) == 0)
        return OWNER_FRONT;
    return clang_Location_isInSystemHeader(location) ? OWNER_SYSTEM : OWNER_SOURCE;
}

static enum owner owner_of_cursor(const struct tree *tree, CXCursor cursor)
{
    return owner_of(tree, clang_getCursorLocation(cursor));
}

/* ---- the constants of ports, and macros ------------------------------------------------------ */

static int begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0 && name[strlen(prefix)];
}

/* As DAL's generators name them: PORT_x, TOKEN_x_t, BLOCK_x_SIZE, ... */
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

/* The words of what stands behind a source (synth/emit/code.c). */
static int stands_behind(const char *name)
{
    static const char *const words[] = {"sizeof",         "struct",         "_local_states",
                                        "_Static_assert", "__alignof__",    "__SIZE_TYPE__",
                                        "dal__state",     "dal__unit_state"};
    size_t i;

    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i], name) == 0)
            return 1;
    return 0;
}

/* "#define NAME OTHER_NAME", which may make one function of another. */
static void take_renaming(struct tree *tree, CXCursor macro)
{
    CXToken *tokens;
    unsigned count;

    clang_tokenize(tree->parsed, clang_getCursorExtent(macro), &tokens, &count);
    if (count != 2 || clang_getTokenKind(tokens[1]) != CXToken_Identifier)
        return;
    dal_text_printf(tree->facts, "rename\t%s\t%s\n", name_of(macro),
                    text_of(clang_getTokenSpelling(tree->parsed, tokens[1])));
}

static void take_macro(struct tree *tree, CXCursor macro)
{
    const char *name = name_of(macro);

    if (owner_of_cursor(tree, macro) == OWNER_SOURCE && is_constant(name))
        add_fact(tree, "own", name);
    if (tree->bare)
        return;
    if ((is_role(name) || owner_of_cursor(tree, macro) == OWNER_SOURCE) &&
        !clang_Cursor_isMacroFunctionLike(macro))
        take_renaming(tree, macro);
    if (owner_of_cursor(tree, macro) == OWNER_SOURCE && stands_behind(name))
        add_fact(tree, "behind", name);
}

/* In front of the source, a macro that only its options can have made. */
static void take_expansion(struct tree *tree, CXCursor expansion)
{
    CXCursor macro = clang_getCursorReferenced(expansion);
    const char *name = name_of(expansion);
    enum owner owner;

    if (tree->bare || *name == '_' || owner_of_cursor(tree, expansion) != OWNER_FRONT ||
        clang_Cursor_isNull(macro))
        return;
    owner = owner_of_cursor(tree, macro);
    if (owner == OWNER_NONE || owner == OWNER_SOURCE)
        add_fact(tree, "aside", name);
}

static void take_include(struct tree *tree, CXCursor include)
{
    CXToken *tokens;
    unsigned count;
    int angle;

    if (tree->bare || owner_of_cursor(tree, include) != OWNER_SOURCE)
        return;
    clang_tokenize(tree->parsed, clang_getCursorExtent(include), &tokens, &count);
    angle = count > 2 && strcmp(text_of(clang_getTokenSpelling(tree->parsed, tokens[2])), "<") == 0;
    if (!angle)
        add_fact(tree, clang_getIncludedFile(include) ? "include" : "missing", name_of(include));
}

/* ---- does it keep its p? --------------------------------------------------------------------- */

/* The cursors from a function's body down to the one at hand. */
struct walk {
    const struct walk *up;
    struct tree *tree;
    CXCursor cursor;
};

static int is_process_pointer(CXType type)
{
    type = clang_getCanonicalType(type);
    if (type.kind != CXType_Pointer)
        return 0;
    type = clang_getCanonicalType(clang_getPointeeType(type));
    return type.kind == CXType_Record &&
           strcmp(name_of(clang_getTypeDeclaration(type)), "_process") == 0;
}

static int is_truth(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Int || type.kind == CXType_Bool;
}

/* Functions of dal.h, and those whose bodies are looked at as well. */
static int is_known(const struct tree *tree, CXCursor function)
{
    if (clang_getCursorKind(function) != CXCursor_FunctionDecl)
        return 0;
    if (owner_of_cursor(tree, function) == OWNER_FRONT)
        return 1;
    return !clang_Cursor_isNull(clang_getCursorDefinition(function)) &&
           !clang_isFunctionTypeVariadic(clang_getCursorType(function));
}

/* What has it as a part: does it let go of it again? */
static int lets_go(const struct tree *tree, CXCursor whole)
{
    CXType type = clang_getCursorType(whole);

    switch (clang_getCursorKind(whole)) {
    case CXCursor_MemberRefExpr:
        return strcmp(name_of(whole), "local") == 0;
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

/* "alias" among a function's attributes, which libclang has no name for. */
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
        const char *word = text_of(clang_getTokenSpelling(function->tree->parsed, tokens[i]));
        if (strcmp(word, "alias") == 0 || strcmp(word, "__alias__") == 0)
            function->up = function; /* a mark */
    }
    return CXChildVisit_Continue;
}

static int is_alias(struct tree *tree, CXCursor function)
{
    struct walk mark = {.tree = tree, .cursor = function};

    clang_visitChildren(function, visit_attribute, &mark);
    return mark.up != NULL;
}

/* Its type; of a function that takes several, one that it cannot be called with. */
static const char *argument_of(CXCursor function)
{
    CXType type = clang_getCursorType(clang_Cursor_getArgument(function, 0));

    if (clang_Cursor_getNumArguments(function) == 0)
        return "void";
    return text_of(clang_getTypeSpelling(clang_getCanonicalType(type)));
}

static void take_function(struct tree *tree, CXCursor function)
{
    struct walk body = {.tree = tree, .cursor = function};
    enum owner owner = owner_of_cursor(tree, function);
    const char *name = name_of(function);
    CXType result = clang_getCanonicalType(clang_getCursorResultType(function));

    if (owner == OWNER_FRONT || (owner == OWNER_SYSTEM && !is_role(name)))
        return;
    if (!clang_isCursorDefinition(function) && !is_alias(tree, function))
        return;
    dal_text_printf(tree->facts, "function\t%s\t%d\t", name,
                    clang_getCursorLinkage(function) == CXLinkage_Internal);
    add_field(tree->facts, text_of(clang_getTypeSpelling(result)));
    dal_text_add(tree->facts, "\t");
    add_field(tree->facts, argument_of(function));
    dal_text_add(tree->facts, "\n");
    if (!tree->keeps_p)
        clang_visitChildren(function, visit_body, &body);
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data)
{
    *(CXCursor *)data = field;
    return CXVisit_Continue;
}

/* What p->local points to, where it is known what that is. */
static void take_state(struct tree *tree, CXCursor type_of_local)
{
    CXType type = clang_getTypedefDeclUnderlyingType(type_of_local);
    CXCursor state = clang_getTypeDeclaration(clang_getPointeeType(clang_getCanonicalType(type)));
    CXCursor last = clang_getNullCursor();
    const char *name;
    unsigned line;
    CXFile file;

    state = clang_getCursorDefinition(state);
    if (clang_Cursor_isNull(state))
        return;
    add_fact(tree, "state", "");
    clang_Type_visitFields(clang_getCursorType(state), visit_field, &last);
    if (clang_Cursor_isNull(last))
        return;
    type = clang_getCanonicalType(clang_getCursorType(last));
    if (type.kind != CXType_IncompleteArray &&
        (type.kind != CXType_ConstantArray || clang_getArraySize(type) != 0))
        return;
    clang_getExpansionLocation(clang_getCursorLocation(last), &file, &line, NULL, NULL);
    name = text_of(clang_getFileName(file));
    dal_text_printf(tree->facts, "flexible\t%s\t%u\t", name_of(last), line);
    add_field(tree->facts, strcmp(name, tree->source) ? name : ""); /* the user knows its name */
    dal_text_add(tree->facts, "\n");
}

static int is_own_declaration(enum CXCursorKind kind)
{
    return kind == CXCursor_TypedefDecl || kind == CXCursor_EnumConstantDecl ||
           kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
}

/* Of constants the source may have declarations anywhere. */
static enum CXChildVisitResult visit_bare(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct tree *tree = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);

    (void)parent;
    if (kind == CXCursor_MacroDefinition)
        take_macro(tree, cursor);
    if (clang_isPreprocessing(kind) || owner_of_cursor(tree, cursor) != OWNER_SOURCE)
        return CXChildVisit_Continue;
    if (is_own_declaration(kind) && is_constant(name_of(cursor)))
        add_fact(tree, "own", name_of(cursor));
    return CXChildVisit_Recurse;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct tree *tree = data;

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
        if (owner_of_cursor(tree, cursor) == OWNER_FRONT &&
            strcmp(name_of(cursor), "LocalState") == 0)
            take_state(tree, cursor);
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static void take_errors(struct tree *tree)
{
    unsigned i, count = clang_getNumDiagnostics(tree->parsed);

    for (i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(tree->parsed, i);
        unsigned line;
        CXFile file;
        if (clang_getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error)
            continue;
        tree->errors++;
        clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, NULL,
                                   NULL);
        if (!file || strcmp(text_of(clang_getFileName(file)), tree->source) != 0)
            continue;
        dal_text_printf(tree->facts, "error\t%u ", line);
        add_field(tree->facts, text_of(clang_getDiagnosticSpelling(diagnostic)));
        dal_text_add(tree->facts, "\n");
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static void add_option(struct tree *tree, const char *option)
{
    if (option && tree->option_count < MOST_OPTIONS)
        tree->options[tree->option_count++] = option;
}

/* Options that change what the text of a source is; the others are for the program's compiler,
 * which may know more of them. With an argument of its own where it is not in the same word. */
static int is_for_reading(const char *word, int *takes_next)
{
    static const char *const joined[] = {"-D",       "-U",      "-I",       "-include",
                                         "-imacros", "-iquote", "-isystem", "-idirafter"};
    static const char *const whole[] = {"-std=",
                                        "-ansi",
                                        "-m",
                                        "-O",
                                        "-fsigned-char",
                                        "-funsigned-char",
                                        "-fshort-enums",
                                        "-fopenmp",
                                        "-fgnu89-inline",
                                        "-pthread"};
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

static void add_options(struct tree *tree, const char *options)
{
    int is_argument = 0, takes_next = 0, more = options != NULL;

    while (more) {
        struct dal_text word = {0};
        more = dal_text_next_word(&options, &word) > 0;
        is_argument = takes_next;
        takes_next = 0;
        if (more && (is_argument || is_for_reading(dal_text_get(&word), &takes_next)))
            add_option(tree, dal_text_take(&word));
    }
}

static void add_file(struct tree *tree, const char *name, const char *text, size_t length)
{
    tree->files[tree->file_count++] =
        (struct CXUnsavedFile){.Filename = name, .Contents = text, .Length = length};
}

static void add_aside(struct dal_text *text, const struct dal_reading *reading, const char *format)
{
    const char *at = reading->set_aside ? dal_text_get(reading->set_aside) : "";

    for (; *at; at += strcspn(at, "\n") + 1)
        dal_text_printf(text, format, (int)strcspn(at, "\n"), at);
}

static int parse_unit(struct tree *tree, CXIndex index)
{
    const struct dal_reading *reading = tree->reading;
    struct dal_text text = {0};
    int i;

    dal_text_add(&text, "#define DAL_UNIT_FRONT\n");
    add_aside(&text, reading, "#pragma push_macro(\"%.*s\")\n");
    add_aside(&text, reading, "#undef %.*s\n");
    if (!tree->bare)
        dal_text_add(&text, reading->front);
    dal_text_add(&text, "#include \"/dal_unit.h\"\n#undef DAL_UNIT_FRONT\n");
    add_aside(&text, reading, "#pragma pop_macro(\"%.*s\")\n");
    dal_text_printf(&text, "#include \"%s\"\n", dal_path_base(tree->source));
    tree->file_count = 0;
    for (i = 0; i < 2; i++)
        add_file(tree, fronts[i].name, fronts[i].text, strlen(fronts[i].text));
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

static int find_source(struct tree *tree)
{
    char real[PATH_MAX];

    if (!realpath(tree->reading->path, real) || chdir(tree->reading->folder))
        return DAL_ERR_SYSTEM;
    tree->folder = dal_format("%.*s", (int)(dal_path_base(real) - real), real);
    /* One that no #include can name has a text that stands for it. */
    tree->source = strpbrk(dal_path_base(real), "\"\\\n")
                       ? dal_format("%s.dal-source.c", tree->folder ? tree->folder : "")
                       : dal_strdup(real);
    tree->unit = dal_format("%s.dal-unit.c", tree->folder);
    return tree->source && tree->folder && tree->unit ? DAL_OK : DAL_ERR_NOMEM;
}

/* As in synth/emit/make.c. The source's folder is for what asks for PROCESS.h, too. */
static void choose_options(struct tree *tree)
{
    add_option(tree, "-xc");
    add_option(tree, "-std=gnu11");
    add_option(tree, "-ferror-limit=0");
    add_option(tree, "-w");
    add_option(tree, "-O2");
    add_option(tree, "-idirafter");
    add_option(tree, "/");
    add_option(tree, "-iquote");
    add_option(tree, tree->folder);
    add_options(tree, tree->reading->options);
}

int dal__tree_read(const struct dal_reading *reading, struct dal_text *facts)
{
    struct tree tree = {.reading = reading, .facts = facts};
    CXIndex index = clang_createIndex(0, 0);
    int error = find_source(&tree);

    if (error)
        return error;
    choose_options(&tree);
    error = parse_unit(&tree, index);
    if (error)
        return error;
    take_errors(&tree);
    tree.keeps_p = tree.errors > 0;
    clang_visitChildren(clang_getTranslationUnitCursor(tree.parsed), visit_top, &tree);
    if (tree.keeps_p)
        add_fact(&tree, "keeps", "");
    tree.bare = 1;
    if (tree.errors && parse_unit(&tree, index) == DAL_OK)
        clang_visitChildren(clang_getTranslationUnitCursor(tree.parsed), visit_bare, &tree);
    return DAL_OK;
}
