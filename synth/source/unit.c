/* Which sources become which translation units, and under which names. */
#include "synth/source/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static int same_ports(const struct dal_spec_process *a, const struct dal_spec_process *b)
{
    size_t i;

    if (a->port_count != b->port_count)
        return 0;
    for (i = 0; i < a->port_count; i++)
        if (strcmp(a->ports[i].name, b->ports[i].name) ||
            a->ports[i].output != b->ports[i].output || a->ports[i].rate != b->ports[i].rate ||
            a->ports[i].dynamic != b->ports[i].dynamic ||
            a->ports[i].blocks != b->ports[i].blocks ||
            a->ports[i].channel->token_bytes != b->ports[i].channel->token_bytes)
            return 0;
    return 1;
}

static int same_text(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

static enum dal_spec_source_type compiled_type(const struct dal_plan_process *p)
{
    return p->device ? DAL_SOURCE_OPENCL : DAL_SOURCE_C;
}

static int fits(const struct dal_plan_unit *unit, const struct dal_plan_process *p)
{
    return unit->type == compiled_type(p) && unit->source->type == p->source->type &&
           !strcmp(unit->source->path, p->source->path) &&
           !strcmp(unit->process->base, p->process->base) && unit->work_items == p->work_items &&
           unit->source->contraction == p->source->contraction &&
           same_text(unit->source->cflags, p->source->cflags) &&
           same_text(unit->source->libs, p->source->libs) && same_ports(unit->process, p->process);
}

/*
 * Names. A unit's is an identifier that no other unit of its type has, in whatever case: files go
 * by it too. In C it stands behind a prefix of its own ("dal_code_", "dal_kernel_"), as users'
 * names do in the tables (emit_net.c), so that two of them meet only where they are one.
 */

int dal_unit_name_reserved(const char *name)
{
    return !strcasecmp(name, "net") || !strcasecmp(name, "dal");
}

static int name_taken(const struct dal_plan *plan, enum dal_spec_source_type type, const char *name)
{
    const struct dal_plan_unit *unit;
    size_t i;

    for (i = 0; (unit = dal_plan_any_unit(plan, i)); i++)
        if (unit->type == type && unit->name && !strcasecmp(unit->name, name))
            return 1;
    return dal_unit_name_reserved(name);
}

static int same_file(const char *a, const char *b)
{
    return a && !strcasecmp(a, b);
}

/* By a user's source, which a unit's #include would miss then; or by another file of the folder. */
static int file_taken(const struct dal_plan *plan, const char *file)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *peer;
    size_t i;

    for (i = 0; (unit = dal_plan_any_unit(plan, i)); i++)
        if (same_file(unit->file, file) || same_file(unit->header, file))
            return 1;
    for (i = 0; (peer = dal_plan_peer(plan, i)); i++)
        if (same_file(peer->file, file))
            return 1;
    return dal_plan_is_source(plan, file);
}

/* An identifier; behind the application's name where there are several. */
static char *wished_name(const struct dal_plan *plan, const char *wish)
{
    char *plain = dal_text_identifier(wish), *name = plain;

    if (plain && plan->application) {
        name = dal_format("%s_%s", plan->application, plain);
        dal_free(plain);
    }
    return name;
}

/* The base name for the first unit, the process's own for another, then numbers. */
static int choose_name(struct dal_plan *plan, struct dal_plan_unit *unit)
{
    const char *wishes[] = {unit->process->base, unit->process->name};
    unsigned number;
    char *name;

    for (number = 0;; number++) {
        char *plain = wished_name(plan, wishes[number ? 1 : 0]);
        name = plain && number > 1 ? dal_format("%s_%u", plain, number) : plain;
        if (name != plain)
            dal_free(plain);
        if (!name)
            return DAL_ERR_NOMEM;
        if (!name_taken(plan, unit->type, name))
            break;
        dal_free(name);
    }
    unit->name = name;
    return DAL_OK;
}

static int choose_file(const struct dal_plan *plan, struct dal_plan_unit *unit)
{
    const char *suffix = unit->type == DAL_SOURCE_C ? "unit" : "cl";
    char *file = dal_format("%s_%s.c", unit->name, suffix);
    unsigned number = 1;

    while (file && file_taken(plan, file)) {
        dal_free(file);
        file = dal_format("%s_%u_%s.c", unit->name, ++number, suffix);
    }
    unit->file = file;
    return file ? DAL_OK : DAL_ERR_NOMEM;
}

static int choose_table_file(struct dal_plan *plan)
{
    const char *name = plan->application, *joint = name ? "_" : "";
    char *file = dal_format("%s%snet.c", name ? name : "", joint);
    unsigned number = 1;

    while (file && file_taken(plan, file)) {
        dal_free(file);
        file = dal_format("%s%snet_%u.c", name ? name : "", joint, ++number);
    }
    plan->file = file;
    return file ? DAL_OK : DAL_ERR_NOMEM;
}

static int check_options(struct dal_diags *diags, const struct dal_spec_source *source,
                         const char *attribute, const char *options)
{
    struct dal_text word;
    int found;

    dal_text_init(&word);
    do
        found = options ? dal_text_next_word(&options, &word) : 0;
    while (found > 0);
    dal_text_finish(&word);
    if (found)
        dal_error(diags, source->place, "bad-options",
                  "source '%s': %s: a quote is not closed, or nothing is behind a backslash",
                  source->location, attribute);
    return found;
}

static int add_unit(struct dal_diags *diags, struct dal_plan *plan,
                    const struct dal_plan_process *p)
{
    struct dal_plan_unit *unit = &plan->units[plan->unit_count];
    int error;

    *unit = (struct dal_plan_unit){
        .type = compiled_type(p),
        .source = p->source,
        .process = p->process,
        .work_items = p->work_items,
    };
    error = choose_name(plan, unit);
    plan->unit_count++;
    if (!error)
        error = choose_file(plan, unit);
    if (!error)
        error = check_options(diags, unit->source, "cflags", unit->source->cflags);
    if (!error)
        error = check_options(diags, unit->source, "libs", unit->source->libs);
    if (error)
        return error;
    if (unit->source->type == DAL_SOURCE_OPENCL)
        return dal_unit_rewrite_kernel(diags, plan, unit);
    error = dal_unit_scan_c(diags, plan, unit);
    if (!error && unit->source->type == DAL_SOURCE_PORTABLE)
        error = dal_unit_portable(diags, plan, unit);
    if (!error && unit->type == DAL_SOURCE_C)
        error = dal_unit_rewrite_foreach(diags, unit);
    return error;
}

/* A header that a source includes from its own folder must not be shadowed by ours: a unit that
 * holds the source's text looks in the unit's folder first. */
static int is_included(const struct dal_plan *plan, const char *header)
{
    const struct dal_plan_unit *unit;
    size_t i;

    for (i = 0; (unit = dal_plan_any_unit(plan, i)); i++)
        if (dal_text_list_has(&unit->includes, header))
            return 1;
    return 0;
}

static int choose_header(const struct dal_plan *plan, struct dal_plan_unit *unit)
{
    char *header = dal_format("%s.h", unit->name);
    unsigned number = 0;

    while (header && (is_included(plan, header) || file_taken(plan, header))) {
        dal_free(header);
        header = number++ ? dal_format("%s_unit_%u.h", unit->name, number)
                          : dal_format("%s_unit.h", unit->name);
    }
    unit->header = header;
    return header ? DAL_OK : DAL_ERR_NOMEM;
}

static struct dal_plan_unit *find_unit(struct dal_plan *plan, const struct dal_plan_process *p)
{
    size_t i;

    for (i = 0; i < plan->unit_count; i++)
        if (fits(&plan->units[i], p))
            return &plan->units[i];
    return NULL;
}

static int take_unit(struct dal_diags *diags, struct dal_plan *plan, struct dal_plan_process *p)
{
    int error = find_unit(plan, p) ? DAL_OK : add_unit(diags, plan, p);

    p->unit = find_unit(plan, p);
    return error;
}

int dal_plan_units(struct dal_diags *diags, struct dal_plan *plan)
{
    int result = DAL_OK;
    size_t i;

    plan->units = dal_calloc(2 * plan->process_count + 1, sizeof(*plan->units));
    if (!plan->units || choose_table_file(plan))
        return DAL_ERR_NOMEM;
    for (i = 0; i < plan->process_count; i++) {
        struct dal_plan_process *p = &plan->processes[i];
        int error = take_unit(diags, plan, p);
        if (p->fallback && error != DAL_ERR_NOMEM) {
            int second = take_unit(diags, plan, p->fallback);
            error = error && second != DAL_ERR_NOMEM ? error : second;
        }
        if (error == DAL_ERR_NOMEM)
            return error;
        if (error)
            result = error;
    }
    for (i = 0; i < plan->unit_count; i++)
        if (plan->units[i].type == DAL_SOURCE_C && choose_header(plan, &plan->units[i]))
            return DAL_ERR_NOMEM;
    return result;
}

/*
 * Constants. clang-format lines up the values of consecutive macros, so each group is measured
 * before it is written.
 */
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
        dal_free(name);
        dal_free(value);
        macros->lost |= !own;
        return;
    }
    macros->list[macros->count++] = (struct macro){.name = name, .value = value};
}

static void flush_macros(struct dal_text *text, struct macros *macros)
{
    size_t i, width = 0;

    for (i = 0; i < macros->count; i++)
        if (strlen(macros->list[i].name) > width)
            width = strlen(macros->list[i].name);
    for (i = 0; i < macros->count; i++) {
        dal_text_printf(text, "#define %-*s %s\n", (int)width, macros->list[i].name,
                        macros->list[i].value);
        dal_free(macros->list[i].name);
        dal_free(macros->list[i].value);
    }
    if (macros->count)
        dal_text_add(text, "\n");
    dal_free(macros->list);
    text->lost |= macros->lost;
    *macros = (struct macros){0};
}

/* Bytes, since the network knows no more of a token than its size. */
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
                        port->channel->token_bytes, type);
    dal_free(type);
}

static void add_port(struct dal_text *text, const struct dal_plan_unit *unit,
                     const struct dal_spec_port *port, const char *name, int with_name)
{
    struct macros macros = {.own = &unit->own};

    if (with_name) {
        struct dal_text literal;
        dal_text_init(&literal);
        dal_text_add_literal(&literal, name);
        add_macro(&macros, dal_format("PORT_%s", name), dal_text_take(&literal));
    }
    add_macro(&macros, dal_format("TOKEN_%s_SIZE", name),
              dal_format("%" PRIu64, port->channel->token_bytes));
    if (!port->dynamic)
        add_macro(&macros, dal_format("TOKEN_%s_RATE", name), dal_format("%" PRIu64, port->rate));
    if (!port->dynamic && port->rate % port->blocks == 0)
        add_macro(&macros, dal_format("BLOCK_%s_SIZE", name),
                  dal_format("%" PRIu64, port->rate / port->blocks));
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

    return length == base_length(b->name) && !memcmp(a->name, b->name, length);
}

/* What is said of a port under a name that it goes by. */
typedef void add_fn(struct dal_text *text, const struct dal_plan_unit *unit,
                    const struct dal_spec_port *port, const char *name, int names);

/* Iterated ports also go by their base name, when that is free and they are all alike. The first
 * of them stands for all. */
static void add_base(struct dal_text *text, const struct dal_plan_unit *unit, size_t first,
                     int names, add_fn *add)
{
    const struct dal_spec_process *process = unit->process;
    const struct dal_spec_port *port = &process->ports[first];
    size_t i, length = base_length(port->name);
    char *name;

    if (!port->name[length])
        return;
    for (i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *other = &process->ports[i];
        int alike = other->rate == port->rate && other->dynamic == port->dynamic &&
                    other->blocks == port->blocks &&
                    other->channel->token_bytes == port->channel->token_bytes;
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

static int is_identifier(const char *name)
{
    for (; *name; name++)
        if (!isascii((unsigned char)*name) || !(isalnum((unsigned char)*name) || *name == '_'))
            return 0;
    return 1;
}

/* A name with other characters than an identifier has cannot be part of a macro's; such a port is
 * reached by its name in quotes. */
static void each_name(struct dal_text *text, const struct dal_plan_unit *unit, int names,
                      add_fn *add)
{
    size_t i;

    for (i = 0; i < unit->process->port_count; i++) {
        const struct dal_spec_port *port = &unit->process->ports[i];
        if (!is_identifier(port->name))
            continue;
        add(text, unit, port, port->name, names);
        add_base(text, unit, i, names, add);
    }
}

void dal_unit_constants(struct dal_text *text, const struct dal_plan *plan,
                        const struct dal_plan_unit *unit, int names)
{
    const struct dal_spec_network *network = &plan->spec->network;
    struct macros macros = {0};
    size_t i;

    each_name(text, unit, names, add_port);
    for (i = 0; i < network->variable_count; i++)
        if (is_identifier(network->variables[i].name))
            add_macro(&macros, dal_format("VAR_%s", network->variables[i].name),
                      dal_format(network->variables[i].value < 0 ? "(%" PRId64 ")" : "%" PRId64,
                                 network->variables[i].value));
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

    if (!names || port->dynamic ||
        (!typed && !has_own(unit, name, "SIZE") && !has_own(unit, name, "RATE")))
        return;
    dal_text_printf(text,
                    "_Static_assert((size_t)%sTOKEN_%s_%s * TOKEN_%s_RATE == (size_t)%" PRIu64
                    " * %" PRIu64 ", \"port %s: the constants of the source are not those of the "
                    "network, %" PRIu64 " tokens of %" PRIu64 " bytes a firing\");\n",
                    typed ? "sizeof(" : "", name, typed ? "t)" : "SIZE", name,
                    port->channel->token_bytes, port->rate, name, port->rate,
                    port->channel->token_bytes);
}

void dal_unit_checks(struct dal_text *text, const struct dal_plan_unit *unit)
{
    each_name(text, unit, 1, add_check);
}
