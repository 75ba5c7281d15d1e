/* compile_commands.json: how each file is compiled, users' own too, for editors and analysers. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

#include <string.h>

static void add_argument(struct dal_text *text, const char *string)
{
    dal_text_add(text, ", ");
    dal_text_add_json(text, string);
}

static void add_options(struct dal_text *text, const char *options)
{
    struct dal_text word = {0};
    while (dal_text_next_word(&options, &word) > 0) {
        add_argument(text, dal_text_get(&word));
        text->lost |= word.lost;
    }
    dal_text_finish(&word);
}

/* Adds a string that has just been made. */
static void add_made(struct dal_text *text, char *string)
{
    add_argument(text, string ? string : "");
    text->lost |= !string;
    dal_free(string);
}

static void open_command(struct dal_text *text, const struct dal_emit *emit, const char *directory,
                         const char *file, int cxx)
{
    dal_text_add(text,
                 text->length > 2 ? ",\n  {\n    \"directory\": " : "  {\n    \"directory\": ");
    dal_text_add_json(text, directory);
    dal_text_add(text, ",\n    \"file\": ");
    dal_text_add_json(text, file);
    dal_text_printf(text, ",\n    \"arguments\": [\"%s\"", cxx ? "c++" : "cc");
    add_options(text, cxx ? DAL_EMIT_CXX : "-std=gnu11");
    add_options(text, "-Wall -Wextra " DAL_EMIT_FLOAT);
    add_options(text, emit->dal_cflags);
    add_options(text, "-O3 -g");
}

static void close_command(struct dal_text *text, const char *file)
{
    add_argument(text, "-c");
    add_argument(text, file);
    dal_text_add(text, "]\n  }");
}

static void add_table(struct dal_text *text, const struct dal_emit *emit, const char *file,
                      const char *option)
{
    open_command(text, emit, emit->output_dir, file, 0);
    add_argument(text, "-Wpedantic");
    if (option)
        add_argument(text, option);
    close_command(text, file);
}

/* A C file compiled as a unit is: the unit, or the source that is in it, with the header that the
 * unit includes first. Takes the file's name over. */
static void add_code(struct dal_text *text, const struct dal_emit *emit,
                     const struct dal_plan_unit *unit, char *file, int is_source, int cxx)
{
    char *from = dal_path_folder(dal__emit_plan(emit, unit)->spec->network.file);
    if (!from || !file) {
        text->lost = 1;
        goto done;
    }
    open_command(text, emit, from, file, cxx);
    add_options(text, "-iquote");
    add_made(text, dal_path_folder(unit->source->path));
    add_options(text, "-iquote");
    add_argument(text, emit->output_dir);
    if (dal__emit_has_types(unit))
        add_options(text, "-iquote .");
    if (unit->source->contraction)
        add_argument(text, DAL_EMIT_CONTRACTION);
    if (dal_source_openmp_options(unit))
        add_options(text, dal_source_openmp_options(unit));
    add_options(text, unit->source->cflags ? unit->source->cflags : "");
    if (unit->source->python)
        add_made(text, dal_format("-DDAL_PYTHON_FILE=\"%s\"", unit->source->path));
    if (is_source) {
        add_options(text, "-include");
        add_made(text, dal_format("%s/%s", emit->output_dir, unit->header));
    }
    close_command(text, file);
done:
    dal_free(from);
    dal_free(file);
}

static void add_unit(struct dal_text *text, const struct dal_emit *emit,
                     const struct dal_plan_unit *unit)
{
    if (unit->type == DAL_SOURCE_C)
        add_code(text, emit, unit, dal_format("%s/%s", emit->output_dir, unit->file), 0,
                 unit->source->cxx);
    else if (unit->type == DAL_SOURCE_OPENCL)
        add_table(text, emit, unit->file, NULL);
}

/* The unit is the first of its source. */
static int is_first(const struct dal_emit *emit, const struct dal_plan_unit *unit)
{
    const struct dal_plan_unit *other;
    for (size_t i = 0; (other = dal_plan_any_unit(emit->plan, i)) && other != unit; i++)
        if (other->type == DAL_SOURCE_C && strcmp(other->source->path, unit->source->path) == 0)
            return 0;
    return 1;
}

static void add_file(struct dal_text *text, const struct dal_emit *emit,
                     const struct dal_plan_unit *unit, const char *path, int cxx)
{
    char *folder = dal_path_folder(path);
    char *file =
        folder ? dal_format("%s/%s", strcmp(folder, "/") ? folder : "", dal_path_base(path)) : NULL;
    add_code(text, emit, unit, file, 1, cxx);
    dal_free(folder);
}

static void add_source(struct dal_text *text, const struct dal_emit *emit,
                       const struct dal_plan_unit *unit)
{
    add_file(text, emit, unit, unit->source->path, unit->source->cxx);
    for (size_t i = 0; i < unit->source->file_count; i++)
        add_file(text, emit, unit, unit->source->files[i].path, unit->source->files[i].cxx);
}

void dal__emit_commands(const struct dal_emit *emit, struct dal_tree *tree)
{
    struct dal_text *text = dal_tree_add(tree, "compile_commands.json");
    const struct dal_plan_unit *unit;
    const struct dal_plan *plan;
    char *file = emit->fsm ? dal__emit_fsm_file(emit) : NULL;
    dal_text_add(text, "[\n");
    if (file)
        add_table(text, emit, file, NULL);
    text->lost |= emit->fsm && !file;
    dal_free(file);
    for (size_t i = 0; (plan = dal_plan_peer(emit->plan, i)); i++)
        add_table(text, emit, plan->file, NULL);
    if (dal__emit_has_openmp(emit))
        add_table(text, emit, DAL_EMIT_OPENMP ".c", "-fopenmp");
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        add_unit(text, emit, unit);
    for (size_t i = 0; (unit = dal_plan_any_unit(emit->plan, i)); i++)
        if (unit->type == DAL_SOURCE_C && !unit->source->python && is_first(emit, unit))
            add_source(text, emit, unit);
    dal_text_add(text, "\n]\n");
}
