/* Decides which processes share a translation unit, and names units and their files. */
#include "synth/codegen/c/unit.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>
#include <strings.h>

int dal__same_rates(const struct dal_spec_port *a, const struct dal_spec_port *b)
{
    return a->rate == b->rate && a->dynamic == b->dynamic && a->phases.count == b->phases.count &&
           (a->phases.count == 0 ||
            memcmp(a->phases.of, b->phases.of, a->phases.count * sizeof(*a->phases.of)) == 0);
}

/* Returns the next channel of a port whose tokens are checked against a header. */
static const struct dal_spec_channel *next_typed(const struct dal_spec_port *port,
                                                 const struct dal_spec_channel *channel)
{
    while (channel && !channel->header)
        channel = dal_port_next(port, channel);
    return channel;
}

/* Have two ports the same types? The checks of types are part of a unit. */
static int same_types(const struct dal_spec_port *a, const struct dal_spec_port *b)
{
    const struct dal_spec_channel *c = next_typed(a, a->channel), *d = next_typed(b, b->channel);
    while (c && d && dal_text_same(c->token_type, d->token_type) &&
           dal_text_same(c->header, d->header) && c->token_count == d->token_count) {
        c = next_typed(a, dal_port_next(a, c));
        d = next_typed(b, dal_port_next(b, d));
    }
    return !c && !d;
}

static int same_ports(const struct dal_spec_process *a, const struct dal_spec_process *b)
{
    if (a->port_count != b->port_count || dal_plan_phases(a) != dal_plan_phases(b) ||
        a->by_phase != b->by_phase)
        return 0;
    for (size_t i = 0; i < a->port_count; i++)
        if (strcmp(a->ports[i].name, b->ports[i].name) ||
            a->ports[i].output != b->ports[i].output ||
            !dal__same_rates(&a->ports[i], &b->ports[i]) ||
            a->ports[i].blocks != b->ports[i].blocks ||
            a->ports[i].channel->token_bytes != b->ports[i].channel->token_bytes ||
            a->ports[i].channel->counted.most != b->ports[i].channel->counted.most ||
            !same_types(&a->ports[i], &b->ports[i]))
            return 0;
    return 1;
}

/* Have two processes the same constants, but for their values? */
static int same_constants(const struct dal_spec_process *a, const struct dal_spec_process *b)
{
    for (size_t i = 0; i < a->constant_count && a->constant_count == b->constant_count; i++)
        if (strcmp(a->constants[i].name, b->constants[i].name) != 0 ||
            strcmp(a->constants[i].type, b->constants[i].type) != 0 ||
            a->constants[i].count != b->constants[i].count)
            return 0;
    return a->constant_count == b->constant_count;
}

static enum dal_spec_source_type compiled_type(const struct dal_plan_process *p)
{
    return p->source->type == DAL_SOURCE_OPEN ? DAL_SOURCE_OPEN
           : p->device                        ? DAL_SOURCE_OPENCL
                                              : DAL_SOURCE_C;
}

static int unit_fits(const struct dal_plan_unit *unit, const struct dal_plan_process *p)
{
    return unit->type == compiled_type(p) && unit->source->type == p->source->type &&
           unit->source->cxx == p->source->cxx && dal_spec_same_files(unit->source, p->source) &&
           strcmp(unit->source->path, p->source->path) == 0 &&
           strcmp(unit->process->base, p->process->base) == 0 &&
           dal_spec_same_variables(unit->process, p->process) &&
           unit->work_items == p->work_items &&
           memcmp(unit->work_shape, p->work_shape, sizeof(p->work_shape)) == 0 &&
           unit->items_open == p->items_open && unit->openmp == dal_plan_has_team(p) &&
           unit->source->contraction == p->source->contraction &&
           dal_text_same(unit->source->cflags, p->source->cflags) &&
           dal_text_same(unit->source->libs, p->source->libs) &&
           same_ports(unit->process, p->process) && same_constants(unit->process, p->process);
}

/*
 * Names. A unit's name is an identifier that no other unit of its type has, in whatever case, since
 * files have it too. In C it stands behind a prefix of its own ("dal_code_", "dal_kernel_"), as
 * users' names do in the tables (synth/codegen/emit/net.c). So two units meet only where they are
 * one.
 */

/* Is the name needed for another file of the emitted folder, or for dal.h? */
int dal__name_is_reserved(const char *name)
{
    return !strcasecmp(name, "net") || !strcasecmp(name, "dal");
}

static int name_taken(const struct dal_plan *plan, enum dal_spec_source_type type, const char *name)
{
    const struct dal_plan_unit *unit;
    for (size_t i = 0; (unit = dal_plan_any_unit(plan, i)); i++)
        if (unit->type == type && unit->name && !strcasecmp(unit->name, name))
            return 1;
    return dal__name_is_reserved(name);
}

static int same_file(const char *a, const char *b)
{
    return a && !strcasecmp(a, b);
}

static int is_part(const struct dal_plan_unit *unit, const char *file)
{
    int same = 0;
    for (size_t i = 0; unit->file && unit->type == DAL_SOURCE_C && i < unit->source->file_count;
         i++) {
        char *part = dal_plan_part_file(unit, unit->file, i);
        same |= same_file(part, file);
        dal_free(part);
    }
    return same;
}

/* Is the name taken by a user's source, which a unit's #include would then miss, or by another file
 * of the folder? */
static int file_taken(const struct dal_plan *plan, const char *file)
{
    const struct dal_plan_unit *unit;
    const struct dal_plan *peer;
    for (size_t i = 0; (unit = dal_plan_any_unit(plan, i)); i++)
        if (same_file(unit->file, file) || same_file(unit->header, file) || is_part(unit, file))
            return 1;
    for (size_t i = 0; (peer = dal_plan_peer(plan, i)); i++)
        if (same_file(peer->file, file))
            return 1;
    return dal_plan_is_source(plan, file);
}

/* Is a name taken that another part of a unit of several files would have? */
static int parts_taken(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                       const char *file)
{
    int taken = 0;
    for (size_t i = 0; unit->type == DAL_SOURCE_C && i < unit->source->file_count && !taken; i++) {
        char *part = dal_plan_part_file(unit, file, i);
        taken = part && file_taken(plan, part);
        dal_free(part);
    }
    return taken;
}

/* Returns an identifier, behind the application's name where there are several. */
static char *wished_name(const struct dal_plan *plan, const char *wish)
{
    char *plain = dal_text_identifier(wish), *name = plain;
    if (plain && plan->application) {
        name = dal_format("%s_%s", plan->application, plain);
        dal_free(plain);
    }
    return name;
}

/* Chooses a name: one for the first unit, another for the second, then numbers. */
static int choose_name(struct dal_plan *plan, struct dal_plan_unit *unit, const char *first,
                       const char *second)
{
    const char *wishes[] = {first, second};
    char *name;
    for (unsigned number = 0;; number++) {
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

/* Returns a file's name that is free, of a unit or of the tables; with a number where another has
 * it. */
static char *free_file(const struct dal_plan *plan, const struct dal_plan_unit *unit,
                       const char *name, const char *ending)
{
    char *file = dal_format("%s%s", name, ending);
    unsigned number = 1;
    while (file && (file_taken(plan, file) || (unit && parts_taken(plan, unit, file)))) {
        dal_free(file);
        file = dal_format("%s_%u%s", name, ++number, ending);
    }
    return file;
}

static int choose_file(const struct dal_plan *plan, struct dal_plan_unit *unit)
{
    unit->file = free_file(plan, unit, unit->name,
                           unit->type != DAL_SOURCE_C ? "_cl.c"
                           : unit->source->cxx        ? "_unit.cc"
                                                      : "_unit.c");
    return unit->file ? DAL_OK : DAL_ERR_NOMEM;
}

static int choose_table_file(struct dal_plan *plan)
{
    char *name = plan->application ? dal_format("%s_net", plan->application) : dal_strdup("net");
    plan->file = name ? free_file(plan, NULL, name, ".c") : NULL;
    dal_free(name);
    return plan->file ? DAL_OK : DAL_ERR_NOMEM;
}

struct dal_plan_unit dal__unit_of(const struct dal_plan_process *p)
{
    struct dal_plan_unit unit = {
        .type = compiled_type(p),
        .source = p->source,
        .process = p->process,
        .openmp = dal_plan_has_team(p),
        .work_items = p->work_items,
        .items_open = p->items_open,
    };
    memcpy(unit.work_shape, p->work_shape, sizeof(p->work_shape));
    return unit;
}

static int add_unit(struct dal_plan *plan, const struct dal_plan_process *p)
{
    struct dal_plan_unit *unit = &plan->units[plan->unit_count];
    int status;
    *unit = dal__unit_of(p);
    status = choose_name(plan, unit, p->process->base, p->process->name);
    plan->unit_count++;
    return status || unit->type == DAL_SOURCE_OPEN ? status : choose_file(plan, unit);
}

int dal__unit_add_group(struct dal_plan *plan, struct dal_plan_group *group)
{
    const struct dal_plan_process *first = group->members[0];
    const char *last = group->members[group->member_count - 1]->process->name;
    char *wish = dal_format("%s_to_%s", first->process->name, last);
    struct dal_plan_unit *unit = &plan->units[plan->unit_count];
    int status;
    *unit = (struct dal_plan_unit){.type = DAL_SOURCE_OPENCL,
                                   .source = first->source,
                                   .process = first->process,
                                   .work_items = group->work_items,
                                   .is_group = 1};
    memcpy(unit->work_shape, first->work_shape, sizeof(unit->work_shape));
    status = wish ? choose_name(plan, unit, wish, wish) : DAL_ERR_NOMEM;
    dal_free(wish);
    plan->unit_count++;
    group->unit = unit;
    unit->kernel = status ? NULL : dal_format("dal__%s", unit->name);
    return status || !unit->kernel ? DAL_ERR_NOMEM : choose_file(plan, unit);
}

/* A header that a source includes from its own folder must not be shadowed by ours: a unit that
 * holds the source's text looks in the unit's folder first. */
static int is_included(const struct dal_plan *plan, const char *header)
{
    const struct dal_plan_unit *unit;
    for (size_t i = 0; (unit = dal_plan_any_unit(plan, i)); i++)
        if (unit->facts && dal_text_list_has(&unit->facts->includes, header))
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

struct dal_plan_unit *dal__unit_for(struct dal_plan_unit *units, size_t count,
                                    const struct dal_plan_process *p)
{
    for (size_t i = 0; i < count; i++)
        if (unit_fits(&units[i], p))
            return &units[i];
    return NULL;
}

static struct dal_plan_unit *find_unit(struct dal_plan *plan, const struct dal_plan_process *p)
{
    return dal__unit_for(plan->units, plan->unit_count, p);
}

static int take_unit(struct dal_plan *plan, struct dal_plan_process *p)
{
    int status = find_unit(plan, p) ? DAL_OK : add_unit(plan, p);
    p->unit = find_unit(plan, p);
    return status;
}

static int add_units(struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->process_count && !status; i++) {
        struct dal_plan_process *p = &plan->processes[i];
        status = take_unit(plan, p);
        if (!status && p->fallback)
            status = take_unit(plan, p->fallback);
    }
    return status;
}

int dal__units_list(struct dal_plan *plan)
{
    plan->units = dal_calloc(3 * plan->process_count + 1, sizeof(*plan->units));
    if (!plan->units || choose_table_file(plan))
        return DAL_ERR_NOMEM;
    return add_units(plan);
}

int dal__units_name_headers(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->unit_count; i++)
        if (plan->units[i].type == DAL_SOURCE_C && choose_header(plan, &plan->units[i]))
            return DAL_ERR_NOMEM;
    return DAL_OK;
}
