/* Notes all facts of an OpenCL source that are needed before it can stand in one text with
 * others. */
#include "synth/codegen/clang/tree.h"

#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static void take_name(struct dal_ast *tree, CXCursor cursor)
{
    const char *name = dal__ast_name(cursor);
    /* libclang describes a thing without a name in words, in brackets. */
    if (*name && strspn(name, DAL_IDENTIFIER) == strlen(name))
        dal__ast_add(tree, DAL_FACT_NAME, name);
}

static int declares(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl ||
           kind == CXCursor_TypedefDecl || kind == CXCursor_StructDecl ||
           kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl ||
           kind == CXCursor_EnumConstantDecl;
}

/* Structures may have others declared in them, whose names are known outside as well. */
static int take_declared(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    if (declares(kind))
        take_name(data, cursor);
    return kind != CXCursor_FunctionDecl;
}

/* ---- calls that all work-items have to reach ------------------------------------------------- */

static int is_met(const char *name)
{
    static const char *const begins[] = {"barrier",
                                         "work_group_",
                                         "sub_group_",
                                         "async_work_group",
                                         "wait_group_events",
                                         "get_sub_group",
                                         "get_num_sub_group",
                                         "intel_sub_group",
                                         "__sync",
                                         "__shfl_"};
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return 1;
    return 0;
}

/* Notes what a CUDA source asks a work-item, by OpenCL's names. */
static void ask_as_cuda(struct dal_ast *tree, const char *name)
{
    if (strcmp(name, "threadIdx") == 0)
        dal__ast_add(tree, DAL_FACT_ASKS, "get_local_id");
    if (strcmp(name, "blockDim") == 0)
        dal__ast_add(tree, DAL_FACT_ASKS, "get_local_size");
}

/* Takes a call by its name, since the source may have a function of its own that makes such a call.
 * Questions of a work-item are noted as well. */
static int take_meeting(void *data, CXCursor cursor, enum CXCursorKind kind)
{
    struct dal_ast *tree = data;
    int is_name = kind == CXCursor_DeclRefExpr;
    const char *name;
    if (!is_name && kind != CXCursor_GCCAsmStmt)
        return 1;
    name = dal__ast_name(cursor);
    if (is_name && strncmp(name, "get_", 4) == 0)
        dal__ast_add(tree, DAL_FACT_ASKS, name);
    if (is_name && tree->reading->is_cuda)
        ask_as_cuda(tree, name);
    if (is_name && !is_met(name))
        return 1;
    dal__ast_add_named(tree, DAL_FACT_MEETS, name, clang_getCursorLocation(cursor));
    return 0;
}

void dal__ast_visit_names(struct dal_ast *tree)
{
    dal__ast_walk(tree, dal__ast_is_of_user, take_declared, tree);
    dal__ast_walk(tree, dal__ast_is_of_user, take_meeting, tree);
}

/* ---- local memory ---------------------------------------------------------------------------- */

struct locals {
    struct dal_ast *tree;
    CXCursor body;
    const char *fault; /* fault of the variable at hand, or NULL */
};

static int is_local(CXCursor variable)
{
    return clang_getCursorKind(variable) == CXCursor_VarDecl &&
           dal__ast_memory(clang_getCanonicalType(clang_getCursorType(variable))) ==
               DAL_TARGET_LOCAL;
}

static enum CXChildVisitResult visit_neighbour(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct locals *locals = data;
    (void)parent;
    if (!is_local(cursor))
        locals->fault = "stands in one declaration with one that is not";
    return CXChildVisit_Continue;
}

/* Finds why a declaration cannot stand outside of the function, where all that it names must be
 * known. */
static enum CXChildVisitResult visit_reference(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct locals *locals = data;
    CXCursor known = clang_getCursorReferenced(cursor);
    size_t at;
    (void)parent;
    if (clang_isDeclaration(clang_getCursorKind(cursor)) &&
        clang_getCursorKind(cursor) != CXCursor_VarDecl)
        locals->fault = "declares a type";
    if (clang_Cursor_isNull(known) || !dal__ast_is_of_user(locals->tree, known))
        return CXChildVisit_Recurse;
    at = dal__ast_start(known);
    if (at >= dal__ast_start(locals->body) && at < dal__ast_end(locals->body))
        locals->fault = "depends on what is declared in the kernel";
    return CXChildVisit_Recurse;
}

static void take_local(struct locals *locals, CXCursor variable, CXCursor declaration)
{
    CXType type = dal__ast_element(clang_getCanonicalType(clang_getCursorType(variable)));
    locals->fault = NULL;
    clang_visitChildren(declaration, visit_neighbour, locals);
    clang_visitChildren(variable, visit_reference, locals);
    if (type.kind == CXType_Pointer)
        locals->fault = "is a pointer";
    dal__ast_add_at(locals->tree,
                    (struct dal_fact){.kind = DAL_FACT_LOCAL,
                                      .name = dal__ast_name(variable),
                                      .local = {.fault = locals->fault,
                                                .start = dal__ast_start(declaration),
                                                .end = dal__ast_end(declaration)}},
                    clang_getCursorLocation(variable));
}

static enum CXChildVisitResult visit_local(CXCursor cursor, CXCursor parent, CXClientData data)
{
    if (clang_getCursorKind(cursor) == CXCursor_DeclStmt)
        return CXChildVisit_Recurse;
    if (is_local(cursor))
        take_local(data, cursor, parent);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct locals *locals = data;
    (void)parent;
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
        is_local(clang_getCursorReferenced(cursor)))
        dal__ast_add_at(
            locals->tree,
            (struct dal_fact){.kind = DAL_FACT_USE,
                              .name = dal__ast_name(cursor),
                              .place = {dal__ast_offset(clang_getCursorLocation(cursor)),
                                        strlen(dal__ast_name(cursor))}},
            clang_getCursorLocation(cursor));
    return CXChildVisit_Recurse;
}

void dal__ast_visit_locals(struct dal_ast *tree, CXCursor body)
{
    struct locals locals = {.tree = tree, .body = body};
    clang_visitChildren(body, visit_local, &locals);
    clang_visitChildren(body, visit_use, &locals);
}
