/*
 * Emits a C process: a header with its constants, and a translation unit that includes the user's
 * source. So the loop around fire is compiled together with it.
 */
#include "synth/codegen/c/source.h"
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* No process has such a name: theirs end in the role. The return value is not used. */
static void add_wrapper(struct dal_text *text, const struct dal_function *function,
                        const char *role)
{
    if (!function)
        return;
    dal_text_printf(text,
                    "static void dal__%s_unit(DALProcess *p)\n"
                    "{\n"
                    "    (void)%s(%s);\n"
                    "}\n\n",
                    role, function->symbol, strcmp(function->argument, "void") == 0 ? "" : "p");
}

static void add_bytes(struct dal_text *text, const char *member, const struct dal_spec_port *port,
                      uint64_t tokens)
{
    dal_text_printf(text, "%s = (size_t)%" PRIu64 " * %" PRIu64, member, port->channel->token_bytes,
                    tokens);
}

/* Adds the bytes of each port's firing. They are numbers, since the source may have constants of
 * its own. */
static void add_ports(struct dal_text *text, const struct dal_spec_process *process)
{
    dal_text_add(text, "static const struct dal_unit_port dal__unit_ports[] = {\n");
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        dal_text_add_comment(text, 4, "%s", port->name);
        add_bytes(text, "    {.bytes", port, port->rate);
        if (port->output)
            add_bytes(text, ", .must", port, port->rate);
        dal_text_add(text, "},\n");
    }
    if (process->port_count == 0)
        dal_text_add(text, "    {.bytes = 0},\n");
    dal_text_add(text, "};\n\n");
}

/* Adds one phase. `before` has the tokens of the phases before it, by port; the function adds those
 * of this phase. */
static void add_phase(struct dal_text *text, const struct dal_spec_process *process, uint64_t phase,
                      uint64_t *before)
{
    dal_text_add_comment(text, 4, "phase %" PRIu64, phase);
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        uint64_t rate = dal_plan_phase_rate(process, port, phase);
        add_bytes(text, "    {.bytes", port, rate);
        if (port->output)
            add_bytes(text, ", .must", port, rate);
        add_bytes(text, ", .from", port, before[i]);
        dal_text_add(text, "},\n");
        before[i] += rate;
    }
}

static void add_phases(struct dal_text *text, const struct dal_spec_process *process)
{
    uint64_t *before = dal_calloc(process->port_count + 1, sizeof(*before));
    dal_text_add(text, "static const struct dal_unit_port dal__unit_phases[] = {\n");
    for (uint64_t phase = 0; before && phase < process->phases; phase++)
        add_phase(text, process, phase, before);
    dal_text_add(text, "};\n\n");
    text->lost |= !before;
    dal_free(before);
}

void dal__emit_counted(struct dal_text *text, const struct dal_spec_channel *channel)
{
    dal_text_printf(text,
                    "{.most = %" PRIu64 ", .token_bytes = %" PRIu64 ", .header_bytes = %" PRIu64
                    ", .packet_bytes = %" PRIu64 "}",
                    channel->counted.most, channel->counted.token_bytes,
                    channel->counted.header_bytes, channel->token_bytes);
}

/* A KPN process reads the tokens of packets without them. */
static int is_counted(const struct dal_spec_process *process)
{
    return !process->kpn && (dal_spec_has_counted(process, 0) || dal_spec_has_counted(process, 1));
}

static const char *fire_symbol(const struct dal_plan_unit *unit)
{
    return is_counted(unit->process) ? "dal__fire_unit" : unit->roles[DAL_ROLE_FIRE]->symbol;
}

/* Adds the counted ports around fire: packets become windows of tokens, and windows become
 * packets. */
static void add_counted(struct dal_text *text, const struct dal_plan_unit *unit)
{
    const struct dal_spec_process *process = unit->process;
    if (!is_counted(process))
        return;
    dal_text_add(text, "static const struct dal_counted dal__unit_counted[] = {\n");
    for (size_t i = 0; i < process->port_count; i++) {
        dal_text_add_comment(text, 4, "%s", process->ports[i].name);
        dal_text_add(text, "    ");
        if (process->ports[i].channel->counted.most)
            dal__emit_counted(text, process->ports[i].channel);
        else
            dal_text_add(text, "{.most = 0}");
        dal_text_add(text, ",\n");
    }
    dal_text_printf(text,
                    "};\n\n"
                    "static int dal__fire_unit(DALProcess *p)\n"
                    "{\n"
                    "    struct dal_activation *a = (struct dal_activation *)p->wptr;\n"
                    "    int status = 1;\n"
                    "    if (dal_counted_open(a, dal__unit_counted, %zu))\n"
                    "        status = %s(p);\n"
                    "    dal_counted_close(a, dal__unit_counted, %zu, status);\n"
                    "    return status;\n"
                    "}\n\n",
                    process->port_count, unit->roles[DAL_ROLE_FIRE]->symbol, process->port_count);
}

static int is_cyclic(const struct dal_plan_unit *unit)
{
    return dal_plan_phases(unit->process) > 1;
}

/* `what` is a body of dal_unit.h. */
static void add_loop(struct dal_text *text, const struct dal_plan_unit *unit, const char *name,
                     const char *what)
{
    size_t ports = unit->process->port_count;
    char phases[64] = "";
    if (is_cyclic(unit))
        snprintf(phases, sizeof(phases), "dal__unit_phases, %" PRIu64 ", ", unit->process->phases);
    dal_text_printf(text,
                    "static __attribute__((flatten)) void dal__unit_%s(DALProcess *p, struct "
                    "dal_activation *a)\n"
                    "{\n"
                    "    struct dal_window windows[%zu];\n"
                    "    unsigned char *first[%zu];\n"
                    "    dal_unit_%s(p, a, %s, dal__unit_ports, %s%zu, windows, first);\n"
                    "}\n\n",
                    name, ports ? ports : 1, ports ? ports : 1, what, fire_symbol(unit), phases,
                    ports);
}

static void add_run(struct dal_text *text, const struct dal_plan_unit *unit)
{
    add_ports(text, unit->process);
    add_loop(text, unit, "run", is_cyclic(unit) ? "run_phases" : "run");
    if (unit->process->by_phase)
        add_loop(text, unit, "run_phase", "run_phase");
}

static int has_run(const struct dal_plan_unit *unit)
{
    return !unit->process->kpn && !unit->keeps_p;
}

/* In the order of struct dal_code, as C++ wants it. */
static void add_code(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (unit->has_state)
        dal_text_add(text, "extern dal__state dal__unit_state;\n\n");
    if (unit->source->cxx) /* a constant of C++ is seen by its file alone, unless declared so */
        dal_text_printf(text, "extern \"C\" const struct dal_code dal_code_%s;\n", unit->name);
    dal_text_printf(text, "const struct dal_code dal_code_%s = {\n", unit->name);
    if (unit->has_state)
        dal_text_add(text, "    .state = &dal__unit_state,\n");
    if (unit->roles[DAL_ROLE_INIT])
        dal_text_add(text, "    .init = dal__init_unit,\n");
    dal_text_printf(text, "    .fire = %s,\n", fire_symbol(unit));
    if (unit->roles[DAL_ROLE_FINISH])
        dal_text_add(text, "    .finish = dal__finish_unit,\n");
    if (has_run(unit))
        dal_text_add(text, "    .run = dal__unit_run,\n");
    if (is_cyclic(unit))
        dal_text_printf(text,
                        "    .phase_ports = dal__unit_phases,\n"
                        "    .phases = %" PRIu64 ",\n",
                        unit->process->phases);
    if (has_run(unit) && unit->process->by_phase)
        dal_text_add(text, "    .run_phase = dal__unit_run_phase,\n");
    dal_text_add(text, "};\n\n");
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
    dal_text_add(text, "\n/* clang-format on */\n");
}

static void add_checks(struct dal_text *text, const struct dal_plan_unit *unit)
{
    struct dal_text checks = {0};
    dal_source_checks(&checks, unit);
    if (checks.length) {
        dal_text_add(text, "\n");
        add_as_source(text, unit, &checks);
    }
    text->lost |= checks.lost;
    dal_text_finish(&checks);
}

static void add_declaration(struct dal_text *text, const struct dal_function *function,
                            const char *attribute)
{
    if (function)
        dal_text_printf(text, "%s%s %s(%s)%s;\n", function->is_static ? "static " : "",
                        function->result, function->symbol, function->argument, attribute);
}

/* gcc makes fire part of the loop around it since that is to be flat; clang wants to be told. */
static void add_declarations(struct dal_text *text, const struct dal_plan_unit *unit)
{
    struct dal_function fire = *unit->roles[DAL_ROLE_FIRE];
    fire.result = "int";
    fire.argument = "struct _process *p";
    dal_text_add(text,
                 "/* Known beforehand, so that another type is an error where it stands. */\n");
    dal_text_add(text, unit->source->cxx ? "extern \"C\" {\n" : "");
    add_declaration(text, unit->roles[DAL_ROLE_INIT], "");
    add_declaration(text, &fire, "");
    add_declaration(text, unit->roles[DAL_ROLE_FINISH], "");
    dal_text_add(text, unit->source->cxx ? "}\n" : "");
    if (has_run(unit)) {
        dal_text_add(text, "#ifdef __clang__\n");
        add_declaration(text, &fire, " __attribute__((always_inline))");
        dal_text_add(text, "#endif\n");
    }
    dal_text_add(text, "\n");
}

/* Adds the loop around the unit's firing, which stands in front of its source. */
static void add_loop_text(struct dal_text *text, const struct dal_plan_unit *unit)
{
    add_declarations(text, unit);
    add_wrapper(text, unit->roles[DAL_ROLE_INIT], "init");
    add_wrapper(text, unit->roles[DAL_ROLE_FINISH], "finish");
    add_counted(text, unit);
    if (is_cyclic(unit))
        add_phases(text, unit->process);
    if (has_run(unit))
        add_run(text, unit);
    add_code(text, unit);
}

/* A header, which may be one of the system: warnings that the source is compiled with are not about
 * this. A unit includes it once more for the loop. */
static void add_header(const struct dal_plan *plan, struct dal_tree *tree,
                       const struct dal_plan_unit *unit)
{
    struct dal_text *text = dal_tree_add(tree, "%s", unit->header);
    dal__emit_banner(plan, text, "Constants of process %s, and the loop around its firing.",
                     unit->process->base);
    dal_text_add(text, "#ifdef __GNUC__\n#pragma GCC system_header\n#endif\n\n");
    /* All headers have one guard. A source that two processes share may ask for the header of
     * either, and gets that of the process that it is compiled for: it was included first. */
    dal_text_add(text, "#ifndef DAL_UNIT_H\n#define DAL_UNIT_H\n\n");
    dal_source_constants(text, plan, unit, 1);
    dal__emit_ports(text, unit->process);
    dal_text_add(text, "#endif\n\n#ifdef DAL_UNIT_LOOP\n\n");
    add_loop_text(text, unit);
    dal_text_add(text, "#endif\n");
}

/* Adds all that is ours and needs nothing of the source. Macros of the source mean
 * nothing here. Those of its options are put aside where they would mean something. */
static void add_front(struct dal_text *text, const struct dal_plan_unit *unit)
{
    dal_text_add(text, "#define DAL_UNIT_FRONT\n");
    if (has_run(unit))
        dal_text_add(text, "#define DAL_UNIT_OWN /* no p is kept here */\n");
    dal_text_add_each(text, &unit->undefined, "#pragma push_macro(\"%.*s\")\n");
    dal_text_add_each(text, &unit->undefined, "#undef %.*s\n");
    dal_text_printf(text, "#include \"%s\"\n#include <dal_unit.h>\n%s", unit->header,
                    is_counted(unit->process) ? "#include <counted.h>\n" : "");
    dal_text_printf(text,
                    "#define DAL_UNIT_LOOP\n#include \"%s\"\n#undef DAL_UNIT_LOOP\n"
                    "#undef DAL_UNIT_FRONT\n\n",
                    unit->header);
    dal_text_add_each(text, &unit->undefined, "#pragma pop_macro(\"%.*s\")\n");
}

/* Adds a check that a token's type has the size that the network tells, compiled with the source's
 * options. The message tells the network's line. */
static void add_type(struct dal_text *text, const struct dal_plan_unit *unit,
                     const struct dal_spec_channel *channel)
{
    dal_text_add(text, "\n#include ");
    dal_text_add_literal(text, channel->header);
    dal_text_printf(text, "\n#line %d ", channel->place.line);
    dal_text_add_literal(text, dal_path_base(channel->place.file));
    dal_text_printf(text,
                    "\n%s(sizeof(%s) * %" PRIu64 " == %" PRIu64
                    ", \"sw_channel %s: a token of type %s has another size than %" PRIu64
                    " bytes\");\n",
                    unit->source->cxx ? "static_assert" : "_Static_assert", channel->token_type,
                    channel->token_count, dal_spec_token_bytes(channel), channel->name,
                    channel->token_type, dal_spec_token_bytes(channel));
}

/* Returns how many channels of the process have a type; without a text, they are only counted. A
 * unit for Python has none: the headers of Python would meet those of the types. */
static size_t add_types(struct dal_text *text, const struct dal_plan_unit *unit)
{
    size_t count = 0;
    for (size_t i = 0; i < unit->process->port_count && !unit->source->python; i++) {
        const struct dal_spec_port *port = &unit->process->ports[i];
        const struct dal_spec_channel *c;
        for (c = port->channel; c; c = dal_port_next(port, c)) {
            count += c->header != NULL;
            if (text && c->header)
                add_type(text, unit, c);
        }
    }
    return count;
}

int dal__emit_has_types(const struct dal_plan_unit *unit)
{
    return add_types(NULL, unit) > 0;
}

/* No constructor is called for the state. */
static const char cxx_state[] =
    "\nstatic_assert(__is_trivially_copyable(%s%s),\n"
    "              \"struct _local_states is zeroed memory, and nothing in it is constructed: \"\n"
    "              \"put objects of classes behind pointers (init: new; finish: delete)\");\n";

/* The check of a KPN process: it is left where it waits for what never comes (rt/kpn/leave.h). */
static const char cxx_left[] =
    "\n#ifndef __cpp_exceptions\n"
    "static_assert(false, \"process %s has ports of rate dynamic, and -fno-exceptions:\"\n"
    "              \" where such a process ends, no objects would be destroyed\");\n"
    "#endif\n";

/* Adds the text behind the source. Its words are freed of the source's macros first. */
static void add_behind(struct dal_text *text, const struct dal_plan_unit *unit)
{
    const struct dal_fact *type = unit->state_type;
    const char *word = type ? type->word.word : "struct ",
               *state = type ? type->name : "_local_states";
    if (unit->facts->behind.length && (unit->has_state || unit->own.length)) {
        dal_text_add(text, "\n");
        dal_text_add_each(text, &unit->facts->behind, "#undef %.*s\n");
    }
    if (unit->has_state && unit->source->cxx)
        dal_text_printf(text, cxx_state, word, state);
    if (unit->process->kpn && unit->source->cxx)
        dal_text_printf(text, cxx_left, unit->process->base);
    if (unit->has_state)
        dal_text_printf(text, "\ndal__state dal__unit_state = {sizeof(%s%s), __alignof__(%s%s)};\n",
                        word, state, word, state);
    add_checks(text, unit);
    add_types(text, unit);
}

static void add_unit(const struct dal_plan *plan, struct dal_tree *tree,
                     const struct dal_plan_unit *unit)
{
    struct dal_text *text = dal_tree_add(tree, "%s", unit->file);
    const char *base = dal_path_base(unit->source->path);
    dal__emit_banner(plan, text, "Process %s: %s, and the loop around its firing.",
                     unit->process->base, base);
    add_front(text, unit);
    if (unit->text.length)
        add_as_source(text, unit, &unit->text);
    else
        dal_text_printf(text, "#include \"%s\"\n", base);
    add_behind(text, unit);
}

/* Emits another file of the unit's source, with the constants of the ports in front of it. */
static void add_part(const struct dal_plan *plan, struct dal_tree *tree,
                     const struct dal_plan_unit *unit, size_t number)
{
    const char *base = dal_path_base(unit->source->files[number].path);
    char *file = dal_plan_part_file(unit, unit->file, number);
    struct dal_text *text = dal_tree_add(tree, "%s", file ? file : "");
    text->lost |= !file;
    dal_free(file);
    dal__emit_banner(plan, text, "Process %s: %s.", unit->process->base, base);
    dal_text_printf(text,
                    "#define DAL_UNIT_FRONT\n#include \"%s\"\n#undef DAL_UNIT_FRONT\n\n"
                    "#include \"%s\"\n",
                    unit->header, base);
}

void dal__emit_code(const struct dal_plan *plan, struct dal_tree *tree,
                    const struct dal_plan_unit *unit)
{
    add_header(plan, tree, unit);
    add_unit(plan, tree, unit);
    for (size_t i = 0; i < unit->source->file_count; i++)
        add_part(plan, tree, unit, i);
}
