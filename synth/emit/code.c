/*
 * A C process: a header with its constants, and a translation unit that takes in the user's
 * source, so that the loop around fire is compiled together with it.
 */
#include "synth/emit/parts.h"
#include "synth/source/source.h"

#include <inttypes.h>
#include <string.h>

static void add_header(const struct dal_plan *plan, struct dal_tree *tree,
                       const struct dal_plan_unit *unit)
{
    struct dal_text *text = dal_tree_add(tree, "%s", unit->header);

    dal__emit_banner(plan, text, "Constants of process %s.", unit->process->base);
    /* One guard for all: a source that two processes share gets the header of the one that it is
     * compiled for, which was included first, whatever name it asks for. */
    dal_text_add(text, "#ifndef DAL_UNIT_H\n#define DAL_UNIT_H\n\n");
    dal_source_constants(text, plan, unit, 1);
    dal__emit_ports(text, unit->process);
    dal_text_add(text, "#endif\n");
}

/* A name that is of no process: theirs end in the role. */
static void add_wrapper(struct dal_text *text, const struct dal_plan_unit *unit, const char *role)
{
    dal_text_printf(text,
                    "static void dal__%s_unit(DALProcess *p)\n"
                    "{\n"
                    "    (void)%s_%s(p);\n"
                    "}\n\n",
                    role, unit->function, role);
}

/* The bytes of each port's firing; in numbers, since the source may have constants of its own. */
static void add_ports(struct dal_text *text, const struct dal_spec_process *process)
{
    size_t i;

    dal_text_add(text, "static const struct dal_unit_port dal__unit_ports[] = {\n");
    for (i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        uint64_t bytes = port->channel->token_bytes;
        dal_text_add_comment(text, 4, "%s", port->name);
        dal_text_printf(text, "    {.bytes = (size_t)%" PRIu64 " * %" PRIu64, bytes, port->rate);
        if (port->output)
            dal_text_printf(text, ", .must = (size_t)%" PRIu64 " * %" PRIu64, bytes, port->rate);
        dal_text_add(text, "},\n");
    }
    if (process->port_count == 0)
        dal_text_add(text, "    {.bytes = 0},\n");
    dal_text_add(text, "};\n\n");
}

static void add_run(struct dal_text *text, const struct dal_plan_unit *unit)
{
    size_t ports = unit->process->port_count;

    add_ports(text, unit->process);
    dal_text_printf(text,
                    "static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct "
                    "dal_activation *a)\n"
                    "{\n"
                    "    struct dal_window windows[%zu];\n"
                    "    unsigned char *first[%zu];\n"
                    "    dal_unit_run(p, a, %s_fire, dal__unit_ports, %zu, windows, first);\n"
                    "}\n\n",
                    ports ? ports : 1, ports ? ports : 1, unit->function, ports);
}

static int has_run(const struct dal_plan_unit *unit)
{
    return !unit->process->kpn && !unit->keeps_p;
}

static void add_code(struct dal_text *text, const struct dal_plan_unit *unit)
{
    dal_text_printf(text, "const struct dal_code dal_code_%s = {\n", unit->name);
    if (unit->has_state)
        dal_text_add(text, "    .local_bytes = sizeof(struct _local_states),\n");
    if (unit->has_init)
        dal_text_add(text, "    .init = dal__init_unit,\n");
    dal_text_printf(text, "    .fire = %s_fire,\n", unit->function);
    if (unit->has_finish)
        dal_text_add(text, "    .finish = dal__finish_unit,\n");
    dal_text_add(text, has_run(unit) ? "    .run = dal__unit_run,\n};\n" : "};\n");
}

static int count_lines(const struct dal_text *text)
{
    const char *at = dal_text_get(text);
    int lines = 0;

    for (; *at; at++)
        lines += *at == '\n';
    return lines;
}

/* Text that stands for the user's source: messages about it name that file, and our lines behind it
 * keep their numbers. */
static void add_as_source(struct dal_text *text, const struct dal_plan_unit *unit,
                          const struct dal_text *source)
{
    dal_text_add(text, "/* clang-format off */\n#line 1 ");
    dal_text_add_literal(text, dal_path_base(unit->source->path));
    dal_text_add(text, "\n");
    dal_text_add_bytes(text, source->data, source->length);
    dal_text_printf(text, "#line %d ", count_lines(text) + 2);
    dal_text_add_literal(text, unit->file);
    dal_text_add(text, "\n/* clang-format on */\n\n");
}

static void add_checks(struct dal_text *text, const struct dal_plan_unit *unit)
{
    struct dal_text checks = {0};

    dal_source_checks(&checks, unit);
    if (checks.length)
        add_as_source(text, unit, &checks);
    text->lost |= checks.lost;
    dal_text_finish(&checks);
}

/* gcc makes fire part of the loop around it since that is to be flat; clang wants to be told. */
static void add_declaration(struct dal_text *text, const struct dal_plan_unit *unit)
{
    const char *storage = unit->is_static ? "static " : "", *name = unit->function;

    dal_text_printf(text,
                    "/* Known beforehand, so that another type is an error where it stands. */\n"
                    "%sint %s_fire(struct _process *p);\n",
                    storage, name);
    if (has_run(unit))
        dal_text_printf(text,
                        "#ifdef __clang__\n"
                        "%sint %s_fire(struct _process *p) __attribute__((always_inline));\n"
                        "#endif\n",
                        storage, name);
    dal_text_add(text, "\n");
}

static void add_unit(const struct dal_plan *plan, struct dal_tree *tree,
                     const struct dal_plan_unit *unit)
{
    struct dal_text *text = dal_tree_add(tree, "%s", unit->file);
    const char *base = dal_path_base(unit->source->path);

    dal__emit_banner(plan, text, "Process %s: %s, and the loop around its firing.",
                     unit->process->base, base);
    if (has_run(unit))
        dal_text_add(text, "#define DAL_UNIT_OWN /* no p is kept here */\n");
    dal_text_printf(text, "#include \"%s\"\n\n", unit->header);
    add_declaration(text, unit);
    if (unit->text.length)
        add_as_source(text, unit, &unit->text);
    else
        dal_text_printf(text, "#include \"%s\"\n\n", base);
    dal_text_add(text, "#include <net.h>\n\n");
    if (unit->has_init || unit->has_finish)
        dal_text_add(text, "/* May return int in a user's source, which is of no interest. */\n");
    if (unit->has_init)
        add_wrapper(text, unit, "init");
    if (unit->has_finish)
        add_wrapper(text, unit, "finish");
    add_checks(text, unit);
    if (has_run(unit))
        add_run(text, unit);
    add_code(text, unit);
}

void dal__emit_code(const struct dal_plan *plan, struct dal_tree *tree,
                    const struct dal_plan_unit *unit)
{
    add_header(plan, tree, unit);
    add_unit(plan, tree, unit);
}
