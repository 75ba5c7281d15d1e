#include "synth/codegen/emit/emit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/codegen/emit/parts.h"

#include <string.h>

static int check_folder(struct dal_diags *diags, const char *file, const char *folder)
{
    struct dal_spec_place place = {.file = dal_diag_file(diags, file)};
    if (!folder || dal_text_is_plain(folder))
        return DAL_OK;
    return dal_error(diags, place, "control-character",
                     "the path of its folder has a newline or another control character");
}

/* Checks the folders of the networks and of the sources. */
int dal_emit_check(struct dal_diags *diags, const struct dal_emit *emit)
{
    int status = check_folder(diags, emit->first_file, emit->source_dir);
    const struct dal_plan_unit *unit;
    if (!status)
        status = check_folder(diags, emit->output_dir, emit->output_dir);
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)) && !status; i++) {
        const char *files[] = {unit->source->path, dal__emit_plan(emit, unit)->spec->network.file};
        for (size_t k = 0; k < 2 && !status; k++) {
            char *folder = dal_path_folder(files[k]);
            status = check_folder(diags, files[k], folder);
            dal_free(folder);
        }
    }
    return status;
}

static int has_file(const struct dal_tree *tree, const char *name)
{
    for (size_t i = 0; i < tree->count; i++)
        if (strcmp(tree->files[i]->name, name) == 0)
            return 1;
    return 0;
}

/* Emits a header that bears the process's name, for sources that include it, where the process's
 * own header has another name. */
static void emit_spare_header(const struct dal_plan *plan, struct dal_tree *tree,
                              const struct dal_plan_unit *unit)
{
    char *name = dal_format("%s.h", unit->process->base);
    struct dal_text *text;
    tree->lost |= !name;
    if (name && unit->asks_header && !has_file(tree, name)) {
        text = dal_tree_add(tree, "%s", name);
        dal__emit_banner(plan, text,
                         "Constants of process %s: those that it is compiled with stand in %s, "
                         "which has been included.",
                         unit->process->base, unit->header);
        if (tree->count && &tree->files[tree->count - 1]->text == text)
            tree->files[tree->count - 1]->spare = 1;
    }
    dal_free(name);
}

static void emit_plan(const struct dal_emit *emit, const struct dal_plan *plan,
                      struct dal_tree *tree)
{
    dal__emit_net(emit, plan, tree);
    dal__emit_data(plan, tree);
    for (size_t i = 0; i < plan->unit_count; i++) {
        if (plan->units[i].type == DAL_SOURCE_C)
            dal__emit_code(plan, tree, &plan->units[i]);
        else if (plan->units[i].type == DAL_SOURCE_OPENCL)
            dal__emit_kernel(plan, tree, &plan->units[i]);
    }
}

int dal_emit(const struct dal_emit *emit, struct dal_tree *tree)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    struct dal_text *marker;
    int status = DAL_OK;
    *tree = (struct dal_tree){0};
    marker = dal_tree_add(tree, ".dalsynth");
    dal_text_add(marker, "Made by dalsynth, which replaces a folder that has this file in it.\n");
    if (emit->fsm)
        dal__emit_fsm(emit, tree);
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        emit_plan(emit, plan, tree);
    if (emit->is_library) /* in front of headers that give way to one of the same name */
        status = dal__emit_library(emit, tree);
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->type == DAL_SOURCE_C)
            emit_spare_header(dal__emit_plan(emit, unit), tree, unit);
    dal__emit_openmp(emit, tree);
    dal__emit_make(emit, tree);
    dal__emit_commands(emit, tree);
    for (size_t i = 0; i < tree->count; i++)
        tree->lost |= tree->files[i]->text.lost;
    return tree->lost ? DAL_ERR_NOMEM : status;
}
