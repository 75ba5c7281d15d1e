/* An OpenCL process: its program for reading, and the same text as a C string for the binary. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/emit/parts.h"

#include <string.h>

/* One literal a line of the program. __extension__, since ISO C promises only 4095 characters. */
static void add_text(struct dal_text *text, const struct dal_text *program)
{
    const char *at = dal_text_get(program), *end = at + program->length;

    dal_text_add(text, "    /* clang-format off */\n    .text = __extension__");
    while (at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line ? line + 1 : end) - at);
        dal_text_add(text, "\n        ");
        dal_text_add_literal_bytes(text, at, length);
        at += length;
    }
    dal_text_add(text, ",\n    /* clang-format on */\n");
}

static void add_field(struct dal_text *text, const char *field, const char *value)
{
    dal_text_printf(text, "    .%s = ", field);
    dal_text_add_literal(text, value);
    dal_text_add(text, ",\n");
}

static void add_options(struct dal_text *text, const struct dal_spec_source *source)
{
    struct dal_text options = {0};

    dal_source_options(&options, source);
    add_field(text, "options", dal_text_get(&options));
    text->lost |= options.lost;
    dal_text_finish(&options);
}

/* Adds the parameters that the kernel takes, in the order of its arguments. */
static void add_values(struct dal_text *text, const struct dal_plan_unit *unit)
{
    size_t i;

    if (!dal_plan_count_values(unit))
        return;
    dal_text_add(text, "static const struct dal_kernel_value values[] = {\n");
    for (i = 0; i < unit->process->parameter_count; i++) {
        if (!unit->values[i].is_taken)
            continue;
        dal_text_add(text, "    {\n        .parameter = ");
        dal_text_add_literal(text, unit->process->parameters[i].name);
        dal_text_printf(text, ",\n        .type = %s,\n    },\n",
                        dal_value_traits(unit->values[i].type)->symbol);
    }
    dal_text_add(text, "};\n\n");
}

void dal__emit_kernel(const struct dal_plan *plan, struct dal_tree *tree,
                      const struct dal_plan_unit *unit)
{
    const char *suffix = unit->source->type == DAL_SOURCE_CUDA ? "cu" : "cl";
    struct dal_text *text = dal_tree_add(tree, "%s.%s", unit->name, suffix);

    dal_text_add_bytes(text, dal_text_get(&unit->text), unit->text.length);
    text = dal_tree_add(tree, "%s", unit->file);
    if (unit->is_group)
        dal__emit_banner(plan, text, "A group of processes: the text of %s.%s.", unit->name,
                         suffix);
    else
        dal__emit_banner(plan, text, "Process %s: the text of %s.%s.", unit->process->base,
                         unit->name, suffix);
    dal_text_add(text, "#include <net.h>\n\n");
    add_values(text, unit);
    dal_text_printf(text, "extern const struct dal_kernel dal_kernel_%s;\n\n", unit->name);
    dal_text_printf(text, "const struct dal_kernel dal_kernel_%s = {\n", unit->name);
    add_field(text, "name", unit->kernel);
    add_field(text, "file", dal_path_base(unit->source->path));
    add_text(text, &unit->text);
    add_options(text, unit->source);
    if (dal_plan_count_values(unit))
        dal_text_printf(text, "    .values = values,\n    .value_count = %d,\n",
                        dal_plan_count_values(unit));
    if (unit->counts_local)
        dal_text_add(text, "    .counts_local = 1,\n");
    dal_text_add(text, "};\n");
}
