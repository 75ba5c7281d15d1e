/* Adds what a unit knows of its ports and of the network: constants, and checks of them. */
#include "synth/codegen/c/source.h"
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* clang-format lines up the values of consecutive macros, so each group is measured before it is
 * written. */
struct macro {
    char *name, *value;
};

struct macros {
    const struct dal_text *own; /* those that the source has */
    struct macro *list;
    size_t count, room;
    int lost;
};

static void add_macro(struct macros *macros, char *name, char *value)
{
    int own = name && macros->own && dal_text_list_has(macros->own, name);
    if (!name || !value || own ||
        dal_grow(&macros->list, macros->count, &macros->room, sizeof(*macros->list))) {
        dal_free_all(name, value);
        macros->lost |= !own;
        return;
    }
    macros->list[macros->count++] = (struct macro){.name = name, .value = value};
}

static void flush_macros(struct dal_text *text, struct macros *macros)
{
    size_t width = 0;
    for (size_t i = 0; i < macros->count; i++)
        if (strlen(macros->list[i].name) > width)
            width = strlen(macros->list[i].name);
    for (size_t i = 0; i < macros->count; i++) {
        dal_text_printf(text, "#define %-*s %s\n", (int)width, macros->list[i].name,
                        macros->list[i].value);
        dal_free_all(macros->list[i].name, macros->list[i].value);
    }
    if (macros->count)
        dal_text_add(text, "\n");
    dal_free(macros->list);
    text->lost |= macros->lost;
    *macros = (struct macros){0};
}

/* Adds a type of bytes, since the network knows no more of a token than its size. */
static void add_type(struct dal_text *text, const struct dal_plan_unit *unit,
                     const struct dal_spec_port *port, const char *name)
{
    char *type = dal_format("TOKEN_%s_t", name);
    if (!type)
        text->lost = 1;
    else if (!dal_text_list_has(&unit->own, type))
        dal_text_printf(text,
                        "typedef struct {\n"
                        "    unsigned char bytes[%" PRIu64 "];\n"
                        "} %s;\n\n",
                        dal_spec_token_bytes(port->channel), type);
    dal_free(type);
}

/* Can it be part of a macro's name? */
static int is_identifier(const char *name)
{
    for (; *name; name++)
        if (!isascii((unsigned char)*name) || !(isalnum((unsigned char)*name) || *name == '_'))
            return 0;
    return 1;
}

/* Adds a port's name. C++ makes no void * of a literal by itself, as the calls of dal.h take it. */
static void add_port_name(struct dal_text *text, const struct dal_plan_unit *unit, const char *name)
{
    int cast = unit->type == DAL_SOURCE_C && dal_spec_has_cxx(unit->source);
    dal_text_add(text, cast ? "((char *)" : "");
    dal_text_add_literal(text, name);
    dal_text_add(text, cast ? ")" : "");
}

/* Returns the rate of a port in a phase; for a counted port, the most tokens of a firing. */
static uint64_t rate_of(const struct dal_spec_process *process, const struct dal_spec_port *port,
                        uint64_t phase)
{
    return port->channel->counted.most ? port->channel->counted.most
                                       : dal_plan_phase_rate(process, port, phase);
}

/* The rate of a port as an expression: a number, or a choice by the phase. */
static char *describe_rate(const struct dal_spec_process *process, const struct dal_spec_port *port)
{
    uint64_t phase, count = port->phases.count, rate = rate_of(process, port, 0);
    struct dal_text text = {0};
    char place[64] = "DAL_PHASE";
    int at_all = 0;
    if (count < process->phases)
        snprintf(place, sizeof(place), "DAL_PHASE %% %" PRIu64, count);
    for (phase = 1; phase < count; phase++) {
        uint64_t next = rate_of(process, port, phase);
        if (next != rate)
            dal_text_printf(&text, "%s%s < %" PRIu64 " ? %" PRIu64 " : ", at_all++ ? "" : "(",
                            place, phase, rate);
        rate = next;
    }
    dal_text_printf(&text, "%" PRIu64 "%s", rate, at_all ? ")" : "");
    return dal_text_take(&text);
}

/* Returns the one rate of all phases, 0 where there is none. *most is the largest. */
static uint64_t steady_rate(const struct dal_spec_process *process,
                            const struct dal_spec_port *port, uint64_t *most)
{
    uint64_t phase, rate = rate_of(process, port, 0), first = rate;
    *most = rate;
    for (phase = 1; phase < port->phases.count; phase++) {
        uint64_t next = rate_of(process, port, phase);
        rate = next == first ? rate : 0;
        *most = next > *most ? next : *most;
    }
    return rate;
}

static int has_blocks(const struct dal_spec_process *process, const struct dal_spec_port *port)
{
    for (uint64_t phase = 0; phase < dal_plan_phases(process) && phase <= port->phases.count;
         phase++)
        if (rate_of(process, port, phase) % port->blocks)
            return 0;
    return 1;
}

static void add_rates(struct macros *macros, const struct dal_spec_process *process,
                      const struct dal_spec_port *port, const char *name)
{
    uint64_t most, steady = steady_rate(process, port, &most);
    add_macro(macros, dal_format("TOKEN_%s_RATE", name), describe_rate(process, port));
    if (dal_plan_phases(process) > 1)
        add_macro(macros, dal_format("TOKEN_%s_RATE_MAX", name), dal_format("%" PRIu64, most));
    if (!has_blocks(process, port))
        return;
    add_macro(macros, dal_format("BLOCK_%s_SIZE", name),
              steady ? dal_format("%" PRIu64, steady / port->blocks)
                     : dal_format("(TOKEN_%s_RATE / %" PRIu64 ")", name, port->blocks));
}

static void add_port(struct dal_text *text, const struct dal_plan_unit *unit,
                     const struct dal_spec_port *port, const char *name, int with_name)
{
    struct macros macros = {.own = &unit->own};
    if (with_name) {
        struct dal_text literal = {0};
        if (with_name == DAL_PORTS_NUMBERED)
            dal_text_printf(&literal, "%zu", (size_t)(port - unit->process->ports));
        else
            add_port_name(&literal, unit, is_identifier(port->name) ? name : port->name);
        add_macro(&macros, dal_format("PORT_%s", name), dal_text_take(&literal));
    }
    add_macro(&macros, dal_format("TOKEN_%s_SIZE", name),
              dal_format("%" PRIu64, dal_spec_token_bytes(port->channel)));
    if (!port->dynamic)
        add_rates(&macros, unit->process, port, name);
    if (!port->dynamic)
        add_macro(&macros, dal_format("BLOCK_%s_COUNT", name),
                  dal_format("%" PRIu64, port->blocks));
    if (with_name && !port->dynamic)
        add_macro(&macros, dal_format("DAL_BLOCKS_PORT_%s", name),
                  dal_format("BLOCK_%s_COUNT", name));
    flush_macros(text, &macros);
    if (with_name)
        add_type(text, unit, port, name);
}

/* Length of a port's name without the indices that <append> put behind it. */
static size_t base_length(const char *name)
{
    size_t length = strlen(name), at = length;
    for (;;) {
        while (at > 0 && isdigit((unsigned char)name[at - 1]))
            at--;
        if (at == length || at < 2 || name[at - 1] != '_')
            return length;
        length = --at;
    }
}

static int same_base(const struct dal_spec_port *a, const struct dal_spec_port *b)
{
    size_t length = base_length(a->name);
    return length == base_length(b->name) && memcmp(a->name, b->name, length) == 0;
}

/* Adds the constants of a port under one of its names. */
typedef void add_fn(struct dal_text *text, const struct dal_plan_unit *unit,
                    const struct dal_spec_port *port, const char *name, int names);

/* Iterated ports also go by their base name, when that is free and they are all alike. The first
 * of them stands for all. */
static void add_base(struct dal_text *text, const struct dal_plan_unit *unit, size_t first,
                     int names, add_fn *add)
{
    const struct dal_spec_process *process = unit->process;
    const struct dal_spec_port *port = &process->ports[first];
    size_t length = base_length(port->name);
    char *name;
    if (!port->name[length])
        return;
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *other = &process->ports[i];
        int alike = dal__same_rates(other, port) && other->blocks == port->blocks &&
                    other->channel->token_bytes == port->channel->token_bytes &&
                    other->channel->counted.most == port->channel->counted.most;
        if (same_base(other, port) && (i < first || !alike || !other->name[length]))
            return;
    }
    name = dal_format("%.*s", (int)length, port->name);
    if (name)
        add(text, unit, port, name, names);
    else
        text->lost = 1;
    dal_free(name);
}

/* Does another port have this name, as its own name or as the identifier made of it? */
static int is_taken(const struct dal_spec_process *process, size_t port, const char *name)
{
    int taken = 0;
    for (size_t i = 0; i < process->port_count && !taken; i++) {
        char *plain = dal_text_identifier(process->ports[i].name);
        taken = i != port && plain && strcmp(plain, name) == 0;
        dal_free(plain);
    }
    return taken;
}

/* A name with other characters than an identifier has gets _ for them, and the port's number where
 * that is not enough. The caller frees it. */
static char *find_plain(const struct dal_spec_process *process, size_t port)
{
    char *name = dal_text_identifier(process->ports[port].name);
    while (name && is_taken(process, port, name)) {
        char *longer = dal_format("%s_%zu", name, port);
        dal_free(name);
        name = longer;
    }
    return name;
}

static void each_name(struct dal_text *text, const struct dal_plan_unit *unit, int names,
                      add_fn *add)
{
    for (size_t i = 0; i < unit->process->port_count; i++) {
        const struct dal_spec_port *port = &unit->process->ports[i];
        char *plain = is_identifier(port->name) ? NULL : find_plain(unit->process, i);
        if (is_identifier(port->name)) {
            add(text, unit, port, port->name, names);
            add_base(text, unit, i, names, add);
        } else if (plain) {
            add(text, unit, port, plain, names);
        } else {
            text->lost = 1;
        }
        dal_free(plain);
    }
}

/* Returns the type of a constant's elements as C and OpenCL C have it without any header. */
static char *describe_type(const struct dal_spec_constant *constant)
{
    static const char *const names[] = {
        [1] = "char", [2] = "short", [4] = "int", [8] = sizeof(long) == 8 ? "long" : "long long"};
    const char *type = constant->type;
    size_t length = strlen(type);
    int is_own = length > 2 && strcmp(type + length - 2, "_t") == 0;
    if (constant->kind == 'u' && (is_own || strncmp(type, "unsigned", 8) != 0))
        return dal_format("unsigned %s", names[constant->element_bytes]);
    if (!is_own)
        return dal_strdup(type);
    return dal_format("%s%s", constant->element_bytes == 1 ? "signed " : "",
                      names[constant->element_bytes]);
}

/* Adds the index, the number and the type of the elements of each constant. */
static void add_constants(struct dal_text *text, const struct dal_spec_process *process)
{
    struct macros macros = {0};
    for (size_t i = 0; i < process->constant_count; i++) {
        const struct dal_spec_constant *constant = &process->constants[i];
        add_macro(&macros, dal_format("CONSTANT_%s", constant->name), dal_format("%zu", i));
        add_macro(&macros, dal_format("CONSTANT_%s_COUNT", constant->name),
                  dal_format("%" PRIu64, constant->count));
        add_macro(&macros, dal_format("CONSTANT_%s_t", constant->name), describe_type(constant));
    }
    flush_macros(text, &macros);
}

void dal_source_constants(struct dal_text *text, const struct dal_plan *plan,
                          const struct dal_plan_unit *unit, int names)
{
    size_t count;
    const struct dal_spec_variable *variables =
        dal_spec_variables(&plan->spec->network, unit->process, &count);
    struct macros macros = {0};
    if (dal_plan_phases(unit->process) > 1)
        add_macro(&macros, dal_strdup("DAL_PHASES"), dal_format("%" PRIu64, unit->process->phases));
    flush_macros(text, &macros);
    each_name(text, unit, names, add_port);
    add_constants(text, unit->process);
    for (size_t i = 0; i < count; i++)
        if (is_identifier(variables[i].name)) {
            struct dal_text value = {0};
            dal_variable_print_c(&value, &variables[i]);
            add_macro(&macros, dal_format("VAR_%s", variables[i].name), dal_text_take(&value));
        }
    flush_macros(text, &macros);
}

/* OpenCL C, section 6.12 of version 2.0: outside of functions, for the rest of the unit. */
void dal_unit_contraction(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (!unit->source->contraction)
        dal_text_add(text, "#pragma OPENCL FP_CONTRACT OFF\n");
}

static int has_own(const struct dal_plan_unit *unit, const char *name, const char *what)
{
    char *constant = dal_format("TOKEN_%s_%s", name, what);
    int has = constant && dal_text_list_has(&unit->own, constant);
    dal_free(constant);
    return has;
}

static void add_check(struct dal_text *text, const struct dal_plan_unit *unit,
                      const struct dal_spec_port *port, const char *name, int names)
{
    int typed = has_own(unit, name, "t");
    uint64_t most, rate = steady_rate(unit->process, port, &most);
    if (!names || port->dynamic || rate == 0 ||
        (!typed && !has_own(unit, name, "SIZE") && !has_own(unit, name, "RATE")))
        return;
    dal_text_printf(text,
                    "%s((__SIZE_TYPE__)%sTOKEN_%s_%s * TOKEN_%s_RATE == (__SIZE_TYPE__)%" PRIu64
                    " * %" PRIu64 ", \"port %s: the constants of the source are not those of the "
                    "network, %" PRIu64 " tokens of %" PRIu64 " bytes a firing\");\n",
                    unit->source->cxx ? "static_assert" : "_Static_assert", typed ? "sizeof(" : "",
                    name, typed ? "t)" : "SIZE", name, dal_spec_token_bytes(port->channel), rate,
                    name, rate, dal_spec_token_bytes(port->channel));
}

void dal_source_checks(struct dal_text *text, const struct dal_plan_unit *unit)
{
    each_name(text, unit, 1, add_check);
}
