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

static void take_errors(struct dal_ast *tree)
{
    CXDiagnostic diagnostic;
    unsigned i = 0;
    while ((diagnostic = dal__ast_next_error(tree, &i))) {
        const char *category = dal__ast_string(clang_getDiagnosticCategoryText(diagnostic));
        CXSourceLocation at = clang_getDiagnosticLocation(diagnostic);
        enum dal_owner owner = dal__ast_owner_at(tree, at);
        tree->errors++;
        if ((tree->reading->is_cuda && owner == DAL_OWNER_SYSTEM) ||
            (owner == DAL_OWNER_PROLOGUE && !dal__ast_is_text(tree->reading)))
            continue;
        dal__ast_add_at(
            tree,
            (struct dal_fact){.kind = DAL_FACT_ERROR,
                              .name = dal__ast_string(clang_getDiagnosticSpelling(diagnostic)),
                              .error = {strcmp(category, "Parse Issue") == 0}},
            at);
    }
}

int dal__ast_read(const struct dal_reading *reading, struct dal_text *facts)
{
    struct dal_ast tree = {.reading = reading, .facts = facts, .index = clang_createIndex(0, 0)};
    int status = find_source(&tree);
    if (status)
        return status;
    if (reading->portable)
        return dal__ast_read_portable(&tree);
    dal__ast_choose_options(&tree);
    status = dal__ast_parse(&tree);
    if (status)
        return status;
    take_errors(&tree);
    if (reading->type)
        dal__ast_visit_type(&tree);
    else if (reading->is_made)
        dal__ast_visit_made(&tree);
    else if (reading->is_opencl)
        dal__ast_visit_opencl(&tree);
    else
        dal__ast_visit_c(&tree);
    return DAL_OK;
}
