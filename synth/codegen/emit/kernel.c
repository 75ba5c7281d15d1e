/* An OpenCL process: its program for reading, and the same text as a C string for the binary. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/emit/fields.h"
#include "synth/codegen/emit/parts.h"

#include <string.h>

/* A literal for each line. It needs __extension__: ISO C promises no more than 4095 characters. */
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

static void add_options(struct dal_text *text, const struct dal_spec_source *source)
{
    struct dal_text options = {0};
    dal_source_options(&options, source);
    dal__field_string(text, 4, "options", dal_text_get(&options));
    text->lost |= options.lost;
    dal_text_finish(&options);
}

/* Adds the parameters and constants that the kernel takes, in the order of its arguments. */
static void add_values(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (!dal_plan_count_values(unit))
        return;
    dal_text_add(text, "static const struct dal_kernel_value values[] = {\n");
    for (size_t i = 0; i < dal_plan_most_values(unit->process); i++) {
        if (!unit->values[i].is_taken)
            continue;
        dal_text_add(text, "    {\n");
        dal__field_string(text, 8, "parameter", dal_plan_value_name(unit->process, i));
        if (unit->values[i].memory == DAL_PLAN_VALUE)
            dal__field_symbol(text, 8, "type", "", dal_value_traits(unit->values[i].type)->symbol);
        else
            dal__field_number(text, 8, "is_constant", 1);
        dal_text_add(text, "    },\n");
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
    dal__field_string(text, 4, "name", unit->kernel);
    dal__field_string(text, 4, "file", dal_path_base(unit->source->path));
    add_text(text, &unit->text);
    add_options(text, unit->source);
    if (dal_plan_count_values(unit))
        dal_text_printf(text, "    .values = values,\n    .value_count = %d,\n",
                        dal_plan_count_values(unit));
    dal__field_given(text, 4, "counts_local", unit->counts_local != 0);
    dal_text_add(text, "};\n");
}
