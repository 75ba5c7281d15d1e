/*
 * Finds what an OpenCL source uses that CUDA lacks, construct by construct. So it can be refused by
 * name where the source is bound to a CUDA device. The text that is made of the source shows what
 * C++ does not take (cuda.c).
 */
#include "synth/codegen/clang/tree.h"

#include "rt/base/alloc.h"

#include <string.h>

/* Types, by the kinds of clang. */
static const struct {
    enum CXTypeKind first, last;
    const char *what, *instead;
} types[] = {
    {CXType_Vector, CXType_Vector, "a vector type", "write it per component"},
    {CXType_ExtVector, CXType_ExtVector, "a vector type", "write it per component"},
    {CXType_Half, CXType_Half, "half precision", "write it with float"},
    {CXType_Pipe, CXType_Pipe, "a pipe", "the channels of the network are there for that"},
    {CXType_OCLImage1dRO, CXType_OCLImage3dRW, "an image", "read the tokens themselves"},
    {CXType_OCLSampler, CXType_OCLSampler, "a sampler", "read the tokens themselves"},
    {CXType_OCLEvent, CXType_OCLEvent, "an event", "copy in a loop over the work-items"},
    {CXType_OCLQueue, CXType_OCLQueue, "a device's queue", "leave launches to the network"},
    {CXType_OCLReserveID, CXType_OCLReserveID, "a pipe's", "leave pipes out"},
};

/* Functions, by how their names begin; the longer first. */
static const struct {
    const char *begin, *what, *instead;
} functions[] = {
    {"work_group_barrier", NULL, NULL},
    {"work_group_", "a work-group function", "dal_collectives.h has such functions"},
    {"sub_group_", "a sub-group function", "dal_collectives.h has such functions"},
    {"get_sub_group", "a sub-group function", "dal_collectives.h has such functions"},
    {"get_max_sub_group", "a sub-group function", "dal_collectives.h has such functions"},
    {"get_num_sub_groups", "a sub-group function", "dal_collectives.h has such functions"},
    {"get_enqueued_num_sub_groups", "a sub-group function", "dal_collectives.h has such functions"},
    {"intel_sub_group", "a sub-group function", "dal_collectives.h has such functions"},
    {"async_work_group_", "a copy by the work-group", "copy in a loop over the work-items"},
    {"wait_group_events", "a copy by the work-group", "copy in a loop over the work-items"},
    {"read_image", "a function of images", "read the tokens themselves"},
    {"write_image", "a function of images", "write the tokens themselves"},
    {"get_image", "a function of images", "read the tokens themselves"},
    {"vload", "a function of vectors", "write it per component"},
    {"vstore", "a function of vectors", "write it per component"},
    {"shuffle", "a function of vectors", "write it per component"},
    {"vec_step", "a function of vectors", "write it per component"},
    {"read_pipe", "a function of pipes", "the channels of the network are there for that"},
    {"write_pipe", "a function of pipes", "the channels of the network are there for that"},
    {"enqueue_", "a launch by a kernel", "leave launches to the network"},
};

static void refuse_use(struct dal_ast *tree, CXCursor cursor, const char *name, const char *what,
                       const char *instead)
{
    char *words = dal_format("'%s' is %s, which CUDA has not; %s, or give a source of type cuda",
                             name, what, instead);
    unsigned line;
    clang_getPresumedLocation(clang_getCursorLocation(cursor), NULL, &line, NULL);
    if (line == tree->told) /* once is enough */
        return;
    tree->told = line;
    dal__ast_add_named(tree, DAL_FACT_CUDA, words, clang_getCursorLocation(cursor));
}

/* Returns the innermost type behind pointers and arrays. */
static CXType innermost(CXType type)
{
    for (;;) {
        type = clang_getCanonicalType(type);
        if (type.kind == CXType_Pointer)
            type = clang_getPointeeType(type);
        else if (dal__ast_is_array(type))
            type = dal__ast_element(type);
        else
            return type;
    }
}

/* Returns the name of a vector in OpenCL C: "uchar4". */
static const char *vector_name(CXType type)
{
    static const char word[] = "unsigned ";
    const char *element = dal__ast_type(clang_getElementType(type));
    int is_unsigned = strncmp(element, word, strlen(word)) == 0;
    return dal_format("%s%s%lld", is_unsigned ? "u" : "",
                      element + (is_unsigned ? strlen(word) : 0), clang_getNumElements(type));
}

static const char *type_name(CXType type)
{
    const char *name, *space;
    if (type.kind == CXType_Vector || type.kind == CXType_ExtVector)
        return vector_name(type);
    name = dal__ast_string(clang_getTypeSpelling(type));
    space = strrchr(name, ' ');
    return space ? space + 1 : name;
}

static int is_between(CXType type, enum CXTypeKind first, enum CXTypeKind last)
{
    int number = type.kind;
    return number >= (int)first && number <= (int)last;
}

static void check_type(struct dal_ast *tree, CXCursor cursor)
{
    int is_function = clang_getCursorKind(cursor) == CXCursor_FunctionDecl;
    CXType type =
        innermost(is_function ? clang_getCursorResultType(cursor) : clang_getCursorType(cursor));
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (is_between(type, types[i].first, types[i].last)) {
            refuse_use(tree, cursor, type_name(type), types[i].what, types[i].instead);
            return;
        }
}

/* A function of the source's own may have any name. */
static void check_function(struct dal_ast *tree, CXCursor use)
{
    CXCursor body = clang_getCursorDefinition(clang_getCursorReferenced(use));
    const char *name = dal__ast_name(use);
    if (!clang_Cursor_isNull(body))
        return;
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        if (strncmp(name, functions[i].begin, strlen(functions[i].begin)) == 0) {
            if (functions[i].what)
                refuse_use(tree, use, name, functions[i].what, functions[i].instead);
            return;
        }
}

static int take_use(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    if (kind == CXCursor_DeclRefExpr)
        check_function(data, cursor);
    if (clang_isExpression(kind) || clang_isDeclaration(kind))
        check_type(data, cursor);
    return 1;
}

void dal__ast_visit_cuda(struct dal_ast *tree)
{
    dal__ast_walk(tree, dal__ast_is_of_user, take_use, tree);
}

/* ---- a text that is C++ ---------------------------------------------------------------------- */

static enum CXChildVisitResult find_annotation(CXCursor cursor, CXCursor parent, CXClientData data)
{
    const char **word = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_AnnotateAttr &&
        strcmp(dal__ast_name(cursor), *word) == 0)
        *word = NULL;
    return *word ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Has a declaration this word, as synth/codegen/kernel/nvrtc.h annotates it? */
static int is_annotated(CXCursor cursor, const char *word)
{
    clang_visitChildren(cursor, find_annotation, &word);
    return !word;
}

static int take_shared(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    if (kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(cursor) == CX_SC_Extern &&
        is_annotated(cursor, "local"))
        dal__ast_add_named(data, DAL_FACT_NEVER,
                           dal_format("'%s' is shared memory of a launch's size, which launches "
                                      "here do not give; declare it with its size",
                                      dal__ast_name(cursor)),
                           clang_getCursorLocation(cursor));
    return 1;
}

void dal__ast_visit_shared(struct dal_ast *tree)
{
    dal__ast_walk(tree, dal__ast_is_of_user, take_shared, tree);
}

/* Words of compilers that are not CUDA's. */
static const struct {
    enum CXCursorKind kind;
    const char *what;
} constructs[] = {
    {CXCursor_CompoundLiteralExpr, "a literal of a structure or an array; make it a variable"},
    {CXCursor_StmtExpr, "a block that has a value; make it a function"},
    {CXCursor_AddrLabelExpr, "the address of a label"},
};

static int take_construct(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    const char *name = kind == CXCursor_DeclRefExpr ? dal__ast_name(cursor) : "";
    for (size_t i = 0; i < sizeof(constructs) / sizeof(constructs[0]); i++)
        if (constructs[i].kind == kind)
            dal__ast_add_named(data, DAL_FACT_NEVER, constructs[i].what,
                               clang_getCursorLocation(cursor));
    if (strncmp(name, "__builtin_", 10) == 0)
        dal__ast_add_named(data, DAL_FACT_NEVER,
                           dal_format("'%s', which is of other compilers; write it with a "
                                      "function of OpenCL C",
                                      name),
                           clang_getCursorLocation(cursor));
    return 1;
}

void dal__ast_visit_made(struct dal_ast *tree)
{
    dal__ast_walk(tree, dal__ast_is_of_user, take_construct, tree);
}
