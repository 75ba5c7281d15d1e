/* Finds the parts of an OpenCL source and their places: its kernels part by part, and who calls
 * whom. */
#include "synth/codegen/clang/tree_blocks.h"

#include "include/net.h"
#include "rt/base/alloc.h"

#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

struct values {
    struct dal_size_fact numbers;
    int count;
};

static enum CXChildVisitResult visit_value(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct values *values = data;
    long long value;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_InitListExpr)
        return CXChildVisit_Recurse;
    if (!clang_isExpression(clang_getCursorKind(cursor)) || values->count == 3)
        return CXChildVisit_Continue;
    if (dal__ast_constant(cursor, &value))
        values->numbers.size[values->count] = (size_t)value;
    values->count++;
    return CXChildVisit_Continue;
}

/* ---- a function ------------------------------------------------------------------------------ */

struct function {
    struct dal_ast *tree;
    const struct function *caller; /* NULL for the first of a chain of calls */
    CXCursor cursor, body;
    int has_body, is_kernel;
    int is_fire;    /* a function of a portable source as fire is */
    size_t keyword; /* behind "kernel" */
};

static const char *first_word(struct dal_ast *tree, CXCursor cursor)
{
    struct dal_tokens tokens = dal__ast_tokens(tree, clang_getCursorExtent(cursor));
    return dal__ast_word(&tokens, 0);
}

/* Is it a word of CUDA's? */
static int is_annotation(CXCursor cursor)
{
    return clang_getCursorKind(cursor) == CXCursor_AnnotateAttr;
}

static enum CXChildVisitResult visit_part(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct function *f = data;
    (void)parent;
    if (clang_isAttribute(clang_getCursorKind(cursor))) {
        const char *word =
            is_annotation(cursor) ? dal__ast_name(cursor) : first_word(f->tree, cursor);
        if (strcmp(word, "kernel") == 0 || strcmp(word, "__kernel") == 0) {
            f->is_kernel = 1;
            f->keyword = dal__ast_end(cursor);
        }
    } else if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt) {
        f->has_body = 1;
        f->body = cursor;
    }
    return CXChildVisit_Continue;
}

/* Finds the brackets around a function's arguments: the first that open behind its name. */
static void find_arguments(struct function *f, struct dal_function_fact *fact)
{
    CXSourceRange range = clang_getRange(clang_getCursorLocation(f->cursor),
                                         clang_getRangeStart(clang_getCursorExtent(f->body)));
    struct dal_tokens tokens = dal__ast_tokens(f->tree, range);
    int depth = 0;
    for (unsigned i = 0; i < tokens.count; i++) {
        CXSourceRange extent = clang_getTokenExtent(tokens.parsed, tokens.list[i]);
        if (dal__ast_is_word(&tokens, i, "(") && depth++ == 0)
            fact->arguments = dal__ast_offset(clang_getRangeEnd(extent));
        if (dal__ast_is_word(&tokens, i, ")") && depth && --depth == 0) {
            fact->arguments_end = dal__ast_offset(clang_getRangeStart(extent));
            return;
        }
    }
}

/* Finds the begin of a function's head, attributes and all: behind the last thing before it, at
 * most behind the declaration in front of it. */
static size_t find_head(const struct function *f)
{
    CXTranslationUnit parsed = f->tree->parsed;
    struct dal_tokens tokens;
    CXFile file;
    clang_getFileLocation(clang_getCursorLocation(f->cursor), &file, NULL, NULL, NULL);
    tokens = dal__ast_tokens(
        f->tree, clang_getRange(clang_getLocationForOffset(parsed, file, f->tree->before),
                                clang_getCursorLocation(f->cursor)));
    for (unsigned i = tokens.count; i > 0; i--)
        if (dal__ast_is_word(&tokens, i - 1, ";") || dal__ast_is_word(&tokens, i - 1, "}") ||
            dal__ast_is_word(&tokens, i - 1, "%>"))
            return dal__ast_offset(
                clang_getRangeEnd(clang_getTokenExtent(parsed, tokens.list[i - 1])));
    return f->tree->before;
}

/* Is a type neither a pointer nor an array of pointers? */
static int is_plain(CXType type)
{
    type = dal__ast_element(type);
    return type.kind != CXType_Invalid && type.kind != CXType_Pointer &&
           type.kind != CXType_FunctionProto && type.kind != CXType_FunctionNoProto;
}

/* Returns a type as users write it, without __private. */
static const char *shown_type(CXType type)
{
    static const char word[] = "__private";
    const char *text = dal__ast_string(clang_getTypeSpelling(type)), *at;
    struct dal_text shown = {0};
    for (; (at = strstr(text, word)); text = at + strlen(word) + (at[strlen(word)] == ' '))
        dal_text_add_bytes(&shown, text, (size_t)(at - text));
    dal_text_add(&shown, text);
    return dal_text_get(&shown);
}

/* Returns an enum dal_value_type and 1. */
static size_t value_type(CXType type)
{
    static const struct {
        enum CXTypeKind kind;
        enum dal_value_type type;
    } types[] = {
        {CXType_Int, DAL_VALUE_INT},       {CXType_UInt, DAL_VALUE_UINT},
        {CXType_Long, DAL_VALUE_LONG},     {CXType_ULong, DAL_VALUE_ULONG},
        {CXType_Float, DAL_VALUE_FLOAT},   {CXType_Double, DAL_VALUE_DOUBLE},
        {CXType_LongLong, DAL_VALUE_LONG}, {CXType_ULongLong, DAL_VALUE_ULONG},
    };

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (types[i].kind == type.kind)
            return (size_t)types[i].type + 1;
    return 0;
}

/* Notes the type that a parameter points to; of an array, that of its elements. */
static void take_target(const struct function *f, CXCursor parameter, CXType type)
{
    CXType target = clang_getCursorType(parameter);
    if (type.kind == CXType_Pointer)
        target = clang_getPointeeType(type);
    else if (dal__ast_is_array(type))
        target = clang_getArrayElementType(type);
    else
        return;
    if (clang_getCanonicalType(target).kind != CXType_Void)
        dal__ast_add_layout(f->tree, target, dal__ast_name(parameter),
                            clang_getCursorLocation(parameter));
}

/* An array's type has the memory and the qualifiers of its elements. */
static void take_parameter(struct function *f, CXCursor parameter)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(parameter)), target = type;
    enum dal_target points_to = DAL_TARGET_NONE;
    if (type.kind == CXType_Pointer)
        target = clang_getCanonicalType(clang_getPointeeType(type));
    if ((type.kind == CXType_Pointer || dal__ast_is_array(type)) && is_plain(target))
        points_to = f->tree->reading->is_cuda ? DAL_TARGET_GLOBAL : dal__ast_memory(target);
    dal__ast_add_at(
        f->tree,
        (struct dal_fact){.kind = DAL_FACT_PARAMETER,
                          .name = dal__ast_name(parameter),
                          .parameter = {.type = shown_type(clang_getCursorType(parameter)),
                                        .canonical = dal__ast_type(type),
                                        .points_to = points_to,
                                        .value = value_type(type),
                                        .is_array = (size_t)dal__ast_is_array(type),
                                        .is_const = clang_isConstQualifiedType(target),
                                        .is_volatile = clang_isVolatileQualifiedType(target),
                                        .start = dal__ast_start(parameter),
                                        .at = dal__ast_offset(clang_getCursorLocation(parameter)),
                                        .end = dal__ast_end(parameter)}},
        clang_getCursorLocation(parameter));
    take_target(f, parameter, type);
}

static enum CXChildVisitResult visit_size(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct function *f = data;
    struct values values = {0};
    const char *word, *name;
    (void)parent;
    if (!clang_isAttribute(clang_getCursorKind(cursor)))
        return CXChildVisit_Continue;
    word = first_word(f->tree, cursor);
    if (is_annotation(cursor) && strcmp(dal__ast_name(cursor), "bounds") == 0)
        dal__ast_add_at(f->tree, (struct dal_fact){.kind = DAL_FACT_SIZE, .size = {{0}}},
                        clang_getRangeStart(clang_getCursorExtent(cursor)));
    if (strcmp(word, DAL_AST_SIZE) != 0 && strcmp(word, "__reqd_work_group_size__") != 0)
        return CXChildVisit_Continue;
    name = dal_format(DAL_AST_QUESTION "%zu", dal__ast_start(cursor) + 2 * (*word == '_'));
    if (name)
        clang_visitChildren(dal__ast_find(f->tree, CXCursor_VarDecl, name), visit_value, &values);
    dal__ast_add_at(f->tree, (struct dal_fact){.kind = DAL_FACT_SIZE, .size = values.numbers},
                    clang_getRangeStart(clang_getCursorExtent(cursor)));
    return CXChildVisit_Continue;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static enum CXChildVisitResult visit_call(CXCursor cursor, CXCursor parent, CXClientData data);

/* Follows each function once: those that it calls, and those that they call. */
static void follow_calls(struct dal_ast *tree, CXCursor cursor, const struct function *caller)
{
    struct function f = {.tree = tree, .cursor = cursor, .caller = caller};
    const char *name = dal__ast_name(cursor);
    if (!dal_text_list_join(&tree->followed, name, strlen(name)))
        return;
    clang_visitChildren(cursor, visit_part, &f);
    if (f.has_body)
        clang_visitChildren(f.body, visit_call, &f);
}

static void take_call(const struct function *caller, CXCursor callee, CXSourceLocation at)
{
    CXCursor definition = clang_getCursorDefinition(callee);
    const char *name = dal__ast_name(callee);
    const struct function *f;
    dal__ast_add_named(caller->tree, DAL_FACT_CALL, name, at);
    for (f = caller; f && !clang_equalCursors(f->cursor, definition); f = f->caller)
        ;
    if (f && caller->tree->reading->is_cuda)
        return;
    if (f)
        dal__ast_add_named(
            caller->tree, DAL_FACT_ERROR,
            dal_format("'%s' calls itself, directly or through others; OpenCL C has no recursion",
                       name),
            at);
    else if (!clang_Cursor_isNull(definition))
        follow_calls(caller->tree, definition, caller);
}

static enum CXChildVisitResult visit_call(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct function *f = data;
    CXCursor callee = clang_getCursorReferenced(cursor);
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
        clang_getCursorKind(callee) == CXCursor_FunctionDecl &&
        dal__ast_is_of_user(f->tree, callee))
        take_call(f, callee, clang_getCursorLocation(cursor));
    return CXChildVisit_Recurse;
}

/* ---- all functions --------------------------------------------------------------------------- */

static void add_function(struct function *f)
{
    struct dal_fact fact = {
        .kind = f->has_body ? DAL_FACT_FUNCTION : DAL_FACT_PROTOTYPE,
        .name = dal__ast_name(f->cursor),
        .function = {.result = dal__ast_type(clang_getCursorResultType(f->cursor)),
                     .is_kernel = (size_t)f->is_kernel,
                     .keyword = f->keyword}};
    if (f->has_body) {
        const char *text = f->tree->reading->text;
        size_t brace = text && text[dal__ast_start(f->body)] == '<' ? 2 : 1; /* or "<%" */
        unsigned line;
        find_arguments(f, &fact.function);
        clang_getPresumedLocation(clang_getCursorLocation(f->body), NULL, &line, NULL);
        fact.function.body = dal__ast_start(f->body) + brace;
        fact.function.end = dal__ast_end(f->body) - brace;
        fact.function.body_line = line;
        fact.function.start = f->is_kernel || f->is_fire ? find_head(f) : 0;
        fact.function.at = dal__ast_offset(clang_getCursorLocation(f->cursor));
    }
    dal__ast_add_at(f->tree, fact, clang_getCursorLocation(f->cursor));
}

/* Checks that a kernel has the name of C, by which CUDA finds it. */
static void check_linkage(const struct function *f)
{
    const char *name = dal__ast_name(f->cursor);
    if (f->is_kernel && strcmp(dal__ast_string(clang_Cursor_getMangling(f->cursor)), name) != 0)
        dal__ast_add_named(
            f->tree, DAL_FACT_NEVER,
            dal_format("kernel '%s' has no name of C; write extern \"C\" in front", name),
            clang_getCursorLocation(f->cursor));
}

/* Has it the process of a portable source as its only argument? */
static int is_fire(CXCursor function)
{
    return clang_Cursor_getNumArguments(function) == 1 &&
           dal__is_process(
               clang_getPointeeType(dal__type_of(clang_Cursor_getArgument(function, 0))));
}

static void visit_function(struct dal_ast *tree, CXCursor cursor)
{
    struct function f = {.tree = tree, .cursor = cursor};
    clang_visitChildren(cursor, visit_part, &f);
    f.is_fire = is_fire(cursor);
    add_function(&f);
    if (!f.has_body)
        return;
    for (int i = 0; i < clang_Cursor_getNumArguments(cursor); i++)
        take_parameter(&f, clang_Cursor_getArgument(cursor, (unsigned)i));
    clang_visitChildren(cursor, visit_size, &f);
    if (tree->reading->is_cuda)
        check_linkage(&f);
    else
        dal__ast_visit_locals(tree, f.body);
    if ((f.is_kernel || f.is_fire) && !tree->reading->is_cuda)
        dal__ast_visit_steps(tree, cursor, f.body);
    follow_calls(tree, cursor, NULL);
}

static int take_top(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    struct dal_ast *tree = data;
    if (kind == CXCursor_LinkageSpec || (tree->reading->is_cuda && kind == CXCursor_UnexposedDecl))
        return 1;
    if (kind == CXCursor_FunctionDecl)
        visit_function(tree, cursor);
    tree->before = (unsigned)dal__ast_start(cursor);
    return 0;
}

void dal__ast_visit_opencl(struct dal_ast *tree)
{
    dal__ast_walk(tree, dal__ast_is_of_user, take_top, tree);
    dal__ast_visit_names(tree);
    if (tree->reading->is_cuda) {
        dal__ast_visit_shared(tree);
        return;
    }
    dal__ast_visit_memory(tree);
    dal__ast_visit_cuda(tree);
}
