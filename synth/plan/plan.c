#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"

#include <string.h>
#include <strings.h>

struct dal_plan_process *dal_plan_producer(const struct dal_plan *plan,
                                           const struct dal_spec_channel *channel)
{
    return &plan->processes[channel->producer->number];
}

struct dal_plan_process *dal_plan_consumer(const struct dal_plan *plan,
                                           const struct dal_spec_channel *channel)
{
    return &plan->processes[channel->consumer->number];
}

const struct dal_plan_group *dal_plan_keeper(const struct dal_plan *plan,
                                             const struct dal_plan_channel *channel)
{
    return channel->kept ? dal_plan_consumer(plan, channel->channel)->group : NULL;
}

int dal_plan_on_device(const struct dal_plan_process *process)
{
    return process->device;
}

int dal_plan_is_open(const struct dal_plan_channel *ch)
{
    return !ch->channel->capacity && !(ch->size && ch->size->capacity);
}

const struct dal_spec_execution_time *dal_plan_time(const struct dal_plan_process *p)
{
    const struct dal_spec_execution_time *own = &p->source->execution_time;
    return own->is_given ? own : &p->process->execution_time;
}

uint64_t dal_plan_window_bytes(const struct dal_spec_process *process)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < process->port_count; i++) {
        uint64_t bytes;
        if (__builtin_mul_overflow(process->ports[i].rate, process->ports[i].channel->token_bytes,
                                   &bytes) ||
            __builtin_add_overflow(sum, bytes, &sum))
            return UINT64_MAX;
    }
    return sum;
}

const struct dal_plan *dal_plan_peer(const struct dal_plan *plan, size_t i)
{
    if (plan->group)
        return i < plan->group_count ? plan->group[i] : NULL;
    return i == 0 ? plan : NULL;
}

char *dal_plan_folder(const struct dal_plan *plan)
{
    const char *network = plan->spec->network.file, *base = dal_path_base(network);
    return base == network ? dal_strdup(".") : dal_format("%.*s", (int)(base - network), network);
}

char *dal_plan_part_file(const struct dal_plan_unit *unit, const char *file, size_t number)
{
    size_t stem = (size_t)(strrchr(file, '.') - file);
    return dal_format("%.*s_%zu.%s", (int)stem, file, number + 1,
                      unit->source->files[number].cxx ? "cc" : "c");
}

size_t dal_plan_whole_length(const char *identifier)
{
    size_t length = strlen(identifier), digits = 0;
    while (digits < length && strchr("0123456789", identifier[length - digits - 1]))
        digits++;
    if (digits == 0 || length < digits + 4 || strncmp(identifier + length - digits - 4, "_SUB", 4))
        return length;
    return length - digits - 4;
}

int dal_plan_count_values(const struct dal_plan_unit *unit)
{
    int count = 0;
    for (size_t i = 0; unit->values && i < dal_plan_most_values(unit->process); i++)
        count += unit->values[i].is_taken;
    return count;
}

size_t dal_plan_most_values(const struct dal_spec_process *process)
{
    return process->parameter_count + process->constant_count;
}

const char *dal_plan_value_name(const struct dal_spec_process *process, size_t value)
{
    return value < process->parameter_count
               ? process->parameters[value].name
               : process->constants[value - process->parameter_count].name;
}

const char *dal_plan_value_type(const struct dal_plan_value *value)
{
    return value->memory == DAL_PLAN_GLOBAL     ? "__global const uchar *"
           : value->memory == DAL_PLAN_CONSTANT ? "__constant uchar *"
                                                : dal_value_traits(value->type)->name;
}

const struct dal_plan_unit *dal_plan_any_unit(const struct dal_plan *plan, size_t i)
{
    const struct dal_plan *peer;
    for (size_t k = 0; (peer = dal_plan_peer(plan, k)); k++) {
        if (i < peer->unit_count)
            return &peer->units[i];
        i -= peer->unit_count;
    }
    return NULL;
}

static int is_source_of(const struct dal_plan_process *p, const char *file)
{
    for (size_t i = 0; p && i < p->source->file_count; i++)
        if (!strcasecmp(dal_path_base(p->source->files[i].path), file))
            return 1;
    return p &&
           (!strcasecmp(dal_path_base(p->source->path), file) || is_source_of(p->fallback, file));
}

int dal_plan_is_source(const struct dal_plan *plan, const char *file)
{
    const struct dal_plan *peer;
    for (size_t k = 0; (peer = dal_plan_peer(plan, k)); k++)
        for (size_t i = 0; i < peer->process_count; i++)
            if (is_source_of(&peer->processes[i], file))
                return 1;
    return 0;
}

/* Returns how many processors fire a process; one with threads has only the first, which the others
 * help. */
static size_t firing_processors(const struct dal_spec_binding *b)
{
    return b->capability == DAL_PROCESSOR_CORE && b->threads ? 1 : b->processor_count;
}

static int is_used(const struct dal_spec_mapping *mapping,
                   const struct dal_spec_processor *processor,
                   const struct dal_spec_capability *capability)
{
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *b = &mapping->bindings[i];
        if (b->fallback && b->fallback_processor == processor &&
            capability->kind == DAL_PROCESSOR_CORE)
            return 1;
        if (dal_spec_capability(processor, b->capability) != capability)
            continue;
        for (size_t k = 0; k < firing_processors(b); k++)
            if (b->processors[k] == processor)
                return 1;
    }
    return 0;
}

static int collect_processors(struct dal_plan *plan)
{
    const struct dal_spec_architecture *arch = &plan->spec->architecture;
    size_t room = 0;
    for (size_t i = 0; i < arch->processor_count; i++)
        room += arch->processors[i].capability_count;
    plan->processors = dal_calloc(room + 1, sizeof(*plan->processors));
    if (!plan->processors)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < arch->processor_count; i++) {
        const struct dal_spec_processor *p = &arch->processors[i];
        for (size_t k = 0; k < p->capability_count; k++)
            if (is_used(&plan->spec->mapping, p, &p->capabilities[k]))
                plan->processors[plan->processor_count++] =
                    (struct dal_plan_processor){.processor = p, .capability = &p->capabilities[k]};
    }
    return DAL_OK;
}

static struct dal_plan_processor *find_processor(const struct dal_plan *plan,
                                                 const struct dal_spec_processor *processor,
                                                 enum dal_processor_kind kind)
{
    const struct dal_spec_capability *capability = dal_spec_capability(processor, kind);
    for (size_t i = 0; i < plan->processor_count; i++)
        if (plan->processors[i].capability == capability)
            return &plan->processors[i];
    return NULL;
}

const struct dal_spec_channel *dal_plan_newest(const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++)
        if (process->ports[i].channel->newest.is_given)
            return process->ports[i].channel;
    return NULL;
}

int dal_plan_may_have_copies(const struct dal_spec_process *process)
{
    return !process->kpn && !process->periodic.period_ns && !process->by_phase &&
           !dal_plan_newest(process) && !dal_spec_live_parameter(process);
}

uint32_t dal_plan_shadow_copies(const struct dal_spec_binding *b)
{
    uint32_t copies = dal_plan_given_copies(b);
    copies = copies == DAL_SPEC_AUTO ? 0 : copies;
    if (dal_spec_is_device(b->capability))
        return copies;
    if (b->threads || !dal_plan_may_have_copies(b->process) ||
        !dal_spec_is_stateless(b->process, b->source))
        return 1;
    return !copies || copies > b->processor_count ? (uint32_t)b->processor_count : copies;
}

static void take_work_items(struct dal_plan_process *p, const struct dal_spec_binding *b)
{
    uint32_t said = b->work_items ? b->work_items : b->source->work_items;
    p->work_items = 1;
    if (p->device && dal_spec_is_number(said))
        p->work_items = said;
    else if (p->device)
        p->items_open = said ? DAL_ITEMS_AUTO : DAL_ITEMS_UNSAID;
}

/* Takes the binding's work-items and their dimensions, else the source's. */
static void take_shape(struct dal_plan_process *p, const struct dal_spec_binding *b)
{
    const uint32_t *shape = b->work_items ? b->work_shape : b->source->work_shape;
    if (p->device)
        memcpy(p->work_shape, shape, sizeof(p->work_shape));
}

static int take_binding(struct dal_plan *plan, const struct dal_spec_binding *b)
{
    struct dal_plan_process *p = &plan->processes[b->process->number];
    p->process = b->process;
    p->binding = b;
    p->source = b->source;
    p->device = dal_spec_is_device(b->capability);
    p->priority = dal_spec_priority(b);
    p->shadow_copies = dal_plan_shadow_copies(b);
    p->copies_open = !dal_spec_is_number(dal_plan_given_copies(b));
    take_work_items(p, b);
    take_shape(p, b);
    p->processors = dal_calloc(b->processor_count, sizeof(*p->processors));
    if (!p->processors)
        return DAL_ERR_NOMEM;
    p->processor_count = firing_processors(b);
    for (size_t i = 0; i < p->processor_count; i++)
        p->processors[i] = find_processor(plan, b->processors[i], b->capability);
    return DAL_OK;
}

static int take_fallback(struct dal_plan *plan, const struct dal_spec_binding *b)
{
    struct dal_plan_process *p = &plan->processes[b->process->number], *fallback;
    if (!b->fallback)
        return DAL_OK;
    p->fallback = fallback = dal_calloc(1, sizeof(*fallback));
    if (!fallback)
        return DAL_ERR_NOMEM;
    *fallback = (struct dal_plan_process){
        .process = b->process,
        .binding = b,
        .source = b->fallback,
        .processors = dal_calloc(1, sizeof(*fallback->processors)),
        .processor_count = 1,
        .shadow_copies = 1,
        .work_items = 1,
        .priority = p->priority,
    };
    if (!fallback->processors)
        return DAL_ERR_NOMEM;
    fallback->processors[0] = find_processor(plan, b->fallback_processor, DAL_PROCESSOR_CORE);
    return DAL_OK;
}

static int take_mapping(struct dal_plan *plan)
{
    const struct dal_spec_network *network = &plan->spec->network;
    const struct dal_spec_mapping *mapping = &plan->spec->mapping;
    plan->processes = dal_calloc(network->process_count + 1, sizeof(*plan->processes));
    plan->channels = dal_calloc(network->channel_count + 1, sizeof(*plan->channels));
    if (!plan->processes || !plan->channels)
        return DAL_ERR_NOMEM;
    plan->process_count = network->process_count;
    plan->channel_count = network->channel_count;
    for (size_t i = 0; i < mapping->binding_count; i++)
        if (take_binding(plan, &mapping->bindings[i]) || take_fallback(plan, &mapping->bindings[i]))
            return DAL_ERR_NOMEM;
    for (size_t i = 0; i < network->channel_count; i++)
        plan->channels[i].channel = &network->channels[i];
    for (size_t i = 0; i < mapping->override_count; i++) {
        const struct dal_spec_override *o = &mapping->overrides[i];
        struct dal_plan_channel *ch = &plan->channels[o->channel->number];
        ch->wish = o->kind != DAL_WISH_NONE ? o : ch->wish;
        ch->size = o->capacity ? o : ch->size;
    }
    plan->queue_depth = mapping->queue_depth ? mapping->queue_depth : DAL_PLAN_QUEUE_DEPTH;
    plan->policy = mapping->policy;
    return dal__plan_teams(plan);
}

/*
 * Symbols. Names are unique, but names that are no identifiers may become the same one ("a-b",
 * "a.b"). Then the number of their entry stands behind them.
 */
/* One whose name was its symbol already keeps it, else the last of those that have it. */
static int take_plain(struct dal_names *taken, char **const *symbols, const char *const *names,
                      size_t count)
{
    for (int is_other = 0; is_other < 2; is_other++)
        for (size_t i = count; i-- > 0;)
            if ((strcmp(*symbols[i], names[i]) != 0) == is_other &&
                dal_names_add(taken, *symbols[i], i) == DAL_ERR_NOMEM)
                return DAL_ERR_NOMEM;
    return DAL_OK;
}

/* Puts a number behind a symbol so that no other has it. */
static int number_symbol(struct dal_names *taken, char **symbol, size_t number, size_t count)
{
    char *plain = *symbol;
    int status = DAL_ERR_INVALID;
    for (*symbol = NULL; status == DAL_ERR_INVALID; number += count) {
        dal_free(*symbol);
        *symbol = dal_format("%s__%zu", plain, number);
        status = *symbol ? dal_names_add(taken, *symbol, number) : DAL_ERR_NOMEM;
    }
    dal_free(plain);
    return status;
}

int dal_plan_name_symbols(char **const *symbols, const char *const *names, size_t count)
{
    struct dal_names taken = {0};
    int status;
    for (size_t i = 0; i < count; i++)
        if (!(*symbols[i] = dal_text_identifier(names[i])))
            return DAL_ERR_NOMEM;
    status = take_plain(&taken, symbols, names, count);
    for (size_t i = 0; i < count && !status; i++)
        if (dal_names_find(&taken, *symbols[i]) != i && strcmp(*symbols[i], names[i]) != 0)
            status = number_symbol(&taken, symbols[i], i, count);
    dal_names_finish(&taken);
    return status;
}

static size_t list_symbols(struct dal_plan *plan, int table, char ***symbols, const char **names)
{
    size_t count = table == 0   ? plan->processor_count
                   : table == 1 ? plan->process_count
                                : plan->channel_count;
    for (size_t i = 0; i < count; i++) {
        symbols[i] = table == 0   ? &plan->processors[i].symbol
                     : table == 1 ? &plan->processes[i].symbol
                                  : &plan->channels[i].symbol;
        names[i] = table == 0   ? plan->processors[i].processor->name
                   : table == 1 ? plan->processes[i].process->name
                                : plan->channels[i].channel->name;
    }
    return count;
}

static int make_symbols(struct dal_plan *plan)
{
    size_t most = plan->processor_count + plan->process_count + plan->channel_count + 1;
    char ***symbols = dal_calloc(most, sizeof(*symbols));
    const char **names = dal_calloc(most, sizeof(*names));
    int status = symbols && names ? DAL_OK : DAL_ERR_NOMEM;
    for (int table = 0; table < 3 && !status; table++)
        status = dal_plan_name_symbols((char **const *)symbols, names,
                                       list_symbols(plan, table, symbols, names));
    dal_free_all(symbols, names);
    return status;
}

static int has_processor_symbol(const struct dal_plan *plan, const char *symbol)
{
    return DAL_NAMED(plan->processors, plan->processor_count, symbol, symbol) != NULL;
}

/* A processor that is both a core and a device is called NAME and NAME_device; with a number behind
 * where another one is called so. */
static int name_device_twins(struct dal_plan *plan)
{
    for (size_t i = 1; i < plan->processor_count; i++) {
        struct dal_plan_processor *p = &plan->processors[i];
        const char *kind = p->capability->kind == DAL_PROCESSOR_CORE ? "cpu" : "device";
        unsigned number = 1;
        char *symbol;
        if (p->processor != p[-1].processor)
            continue;
        symbol = dal_format("%s_%s", p->symbol, kind);
        while (symbol && has_processor_symbol(plan, symbol)) {
            dal_free(symbol);
            symbol = dal_format("%s_%s__%u", p->symbol, kind, ++number);
        }
        if (!symbol)
            return DAL_ERR_NOMEM;
        dal_free(p->symbol);
        p->symbol = symbol;
    }
    return DAL_OK;
}

struct dal_plan *dal_plan_create(const struct dal_spec *spec)
{
    struct dal_plan *plan = dal_calloc(1, sizeof(*plan));
    if (!plan)
        goto fail;
    plan->spec = spec;
    if (collect_processors(plan) || take_mapping(plan) || make_symbols(plan) ||
        name_device_twins(plan))
        goto fail;
    return plan;
fail:
    dal_log(DAL_LOG_ERROR, "plan: %s", dal_strerror(DAL_ERR_NOMEM));
    dal_plan_destroy(plan);
    return NULL;
}

void dal__plan_unit_finish(struct dal_plan_unit *unit)
{
    dal_free_all(unit->name, unit->file, unit->header, unit->function, unit->kernel, unit->values);
    dal_text_finish(&unit->own);
    dal_text_finish(&unit->undefined);
    dal_free_all(unit->prologue, unit->output);
    if (unit->facts && !unit->shares_facts) {
        dal_facts_finish(unit->facts);
        dal_free(unit->facts);
    }
    if (unit->variants && !unit->shares_facts) {
        dal_variants_finish(unit->variants);
        dal_free(unit->variants);
    }
    if (unit->in_group)
        dal_variants_finish(unit->in_group);
    dal_free(unit->in_group);
    dal_text_finish(&unit->text);
    dal_free(unit->portable);
}

void dal__plan_proofs_finish(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->proof_count; i++)
        dal__plan_unit_finish(&plan->proofs[i]);
    dal_free(plan->proofs);
}

int dal_plan_arrange(struct dal_diags *diags, struct dal_plan *plan)
{
    int status = dal_plan_choose(diags, plan);
    if (!status)
        status = dal_plan_order(plan);
    if (!status)
        status = dal_plan_groups(plan);
    return status ? status : dal_plan_priorities(plan);
}

static void finish_process(struct dal_plan_process *p)
{
    if (p->fallback)
        finish_process(p->fallback);
    dal_free_all(p->fallback, p->processors, p->team, p->block_reason, p->copies_reason,
                 p->items_reason, p->apart, p->symbol);
}

void dal_plan_destroy(struct dal_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->processor_count; i++)
        dal_free(plan->processors[i].symbol);
    for (size_t i = 0; i < plan->process_count; i++)
        finish_process(&plan->processes[i]);
    for (size_t i = 0; i < plan->channel_count; i++) {
        dal_free_all(plan->channels[i].reason, plan->channels[i].capacity_reason,
                     plan->channels[i].symbol);
    }
    for (size_t i = 0; i < plan->unit_count; i++)
        dal__plan_unit_finish(&plan->units[i]);
    dal_free(plan->units);
    dal__plan_proofs_finish(plan);
    dal__plan_groups_finish(plan);
    dal_free_all(plan->sizes, plan->file, plan->processors, plan->processes, plan->channels,
                 plan->order, plan);
}
