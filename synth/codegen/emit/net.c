/*
 * net.c: the tables of include/net.h, and main() where they are the only ones. A symbol that is
 * made of a user's name has a prefix that ends in '_'. No prefix begins another, so no two symbols
 * meet.
 */
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/model/key.h"

#include <inttypes.h>
#include <string.h>

struct writer {
    const struct dal_plan *plan;
    struct dal_text *text;
    struct dal_key_maker keys;
};

static void add_string(struct writer *w, int indent, const char *field, const char *value)
{
    dal_text_printf(w->text, "%*s.%s = ", indent, "", field);
    dal_text_add_literal(w->text, value);
    dal_text_add(w->text, ",\n");
}

static void add_number(struct writer *w, int indent, const char *field, uint64_t value)
{
    dal_text_printf(w->text, "%*s.%s = %" PRIu64 "%s,\n", indent, "", field, value,
                    value > INT64_MAX ? "u" : "");
}

static void add_shape(struct writer *w, int indent, const uint32_t *shape)
{
    if (shape[0])
        dal_text_printf(w->text, "%*s.work_shape = {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "},\n",
                        indent, "", shape[0], shape[1], shape[2]);
}

static void add_symbol(struct writer *w, int indent, const char *field, const char *prefix,
                       const char *symbol)
{
    dal_text_printf(w->text, "%*s.%s = %s%s,\n", indent, "", field, prefix, symbol);
}

static void add_origin(struct writer *w, int indent, struct dal_spec_place place)
{
    dal_text_printf(w->text, "%*s.origin = {.file = ", indent, "");
    dal_text_add_literal(w->text, dal_path_base(place.file));
    dal_text_printf(w->text, ", .line = %d},\n", place.line);
}

static void open_entry(struct writer *w, const char *prefix, const char *symbol)
{
    dal_text_printf(w->text, "    [%s%s] =\n        {\n", prefix, symbol);
}

static void close_entry(struct writer *w)
{
    dal_text_add(w->text, "        },\n");
}

static const struct dal_plan_process *in_order(const struct dal_plan *plan, size_t place)
{
    return &plan->processes[plan->order[place]];
}

static void add_indices(struct writer *w)
{
    const struct dal_plan *plan = w->plan;
    size_t i;

    dal_text_add(w->text, "enum {\n");
    for (i = 0; i < plan->processor_count; i++)
        dal_text_printf(w->text, "    PROCESSOR_%s,\n", plan->processors[i].symbol);
    dal_text_add(w->text, "    PROCESSORS,\n};\n\n");
    dal_text_add(w->text, "/* In the order in which a worker looks at them. */\nenum {\n");
    for (i = 0; i < plan->process_count; i++)
        dal_text_printf(w->text, "    PROCESS_%s,\n", in_order(plan, i)->symbol);
    dal_text_add(w->text, "    PROCESSES,\n};\n\nenum {\n");
    for (i = 0; i < plan->channel_count; i++)
        dal_text_printf(w->text, "    CHANNEL_%s,\n", plan->channels[i].symbol);
    dal_text_add(w->text, "    CHANNELS,\n};\n\n");
}

static void add_externals(struct writer *w)
{
    size_t i;

    for (i = 0; i < w->plan->unit_count; i++) {
        const struct dal_plan_unit *unit = &w->plan->units[i];
        const char *kind = unit->type == DAL_SOURCE_C ? "code" : "kernel";
        dal_text_printf(w->text, "extern const struct dal_%s dal_%s_%s;\n", kind, kind, unit->name);
    }
    if (dal_plan_has_teams(w->plan))
        dal_text_add(w->text, "extern const struct dal_openmp dal_openmp;\n");
    dal_text_add(w->text, "\n");
}

/* Returns the rank of a processor's node. */
static uint64_t number_of_node(const struct dal_plan *plan,
                               const struct dal_spec_processor *processor)
{
    uint64_t i = 0;

    while (strcmp(plan->spec->mapping.nodes[i], processor->node))
        i++;
    return i;
}

static void add_processors(struct writer *w)
{
    const struct dal_plan *plan = w->plan;
    size_t i;

    dal_text_add(w->text, "static const struct dal_processor_desc processors[] = {\n");
    for (i = 0; i < plan->processor_count; i++) {
        const struct dal_plan_processor *p = &plan->processors[i];
        enum dal_spec_capability_kind kind = p->capability->kind;
        int core = kind == DAL_CAPABILITY_POSIX;
        open_entry(w, "PROCESSOR_", p->symbol);
        add_string(w, 12, "name", p->processor->name);
        add_symbol(w, 12, "kind", "", dal_processor_traits(kind)->symbol);
        if (core)
            dal_text_printf(w->text, "            .core = %d,\n", p->capability->core);
        else
            add_string(w, 12, "identifier", p->capability->identifier);
        if (plan->spec->mapping.node_count > 1)
            add_number(w, 12, "node", number_of_node(plan, p->processor));
        add_origin(w, 12, p->capability->place);
        close_entry(w);
    }
    dal_text_add(w->text, "};\n\n");
}

static int has_data(const struct dal_spec_channel *c)
{
    return c->initial_data && c->initial_tokens;
}

static void add_data_file(struct writer *w, const struct dal_plan_channel *ch, uint64_t bytes)
{
    char *name = dal__emit_data_name(w->plan, ch->symbol);

    w->text->lost |= !name;
    dal_text_printf(w->text,
                    "/* %s.bin */\n"
                    "extern const unsigned char initial_%s[%" PRIu64 "] __asm__(\"dal.%s\");\n\n",
                    name ? name : "", ch->symbol, bytes, name ? name : "");
    dal_free(name);
}

/* Adds twelve bytes a line, and keeps clang-format from packing them otherwise. */
static void add_data(struct writer *w, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    uint64_t i, bytes = c->initial_tokens * c->token_bytes;

    if (dal__emit_is_file(c)) {
        add_data_file(w, ch, bytes);
        return;
    }
    dal_text_printf(w->text,
                    "/* clang-format off */\n"
                    "static const unsigned char initial_%s[%" PRIu64 "] = {",
                    ch->symbol, bytes);
    for (i = 0; i < bytes; i++)
        dal_text_printf(w->text, "%s0x%02x,", i % 12 ? " " : "\n    ", c->initial_data[i]);
    dal_text_add(w->text, "\n};\n/* clang-format on */\n\n");
}

static void add_channel(struct writer *w, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;

    open_entry(w, "CHANNEL_", ch->symbol);
    add_string(w, 12, "name", c->name);
    dal_text_add_comment(w->text, 12, "%s", ch->reason);
    add_symbol(w, 12, "kind", "", dal_channel_traits(ch->kind)->symbol);
    add_symbol(w, 12, "producer", "PROCESS_", dal_plan_producer(w->plan, c)->symbol);
    add_symbol(w, 12, "consumer", "PROCESS_", dal_plan_consumer(w->plan, c)->symbol);
    dal_text_add_comment(w->text, 12, "%s", ch->capacity_reason);
    add_number(w, 12, "capacity", ch->capacity);
    if (ch->message)
        add_number(w, 12, "message", ch->message);
    add_number(w, 12, "token_bytes", c->token_bytes);
    if (c->counted.most)
        add_number(w, 12, "most", c->counted.most);
    add_number(w, 12, "rate_in", c->producer->kpn ? 1 : c->rate_in);
    add_number(w, 12, "rate_out", c->consumer->kpn ? 1 : c->rate_out);
    add_number(w, 12, "initial_tokens", c->initial_tokens);
    if (has_data(c))
        add_symbol(w, 12, "initial_data", "initial_", ch->symbol);
    if (c->inplace)
        add_number(w, 12, "inplace", 1);
    if (c->next_of_port)
        add_symbol(w, 12, "next_of_port", "CHANNEL_",
                   w->plan->channels[c->next_of_port->number].symbol);
    add_origin(w, 12, c->place);
    close_entry(w);
}

static void add_channels(struct writer *w)
{
    size_t i;

    if (!w->plan->channel_count)
        return;
    for (i = 0; i < w->plan->channel_count; i++)
        if (has_data(w->plan->channels[i].channel))
            add_data(w, &w->plan->channels[i]);
    dal_text_add(w->text, "static const struct dal_channel_desc channels[] = {\n");
    for (i = 0; i < w->plan->channel_count; i++)
        add_channel(w, &w->plan->channels[i]);
    dal_text_add(w->text, "};\n\n");
}

static void add_counted(struct writer *w, const struct dal_spec_port *port)
{
    if (!port->channel->counted.most)
        return;
    dal_text_add(w->text, "        .counted = ");
    dal__emit_counted(w->text, port->channel);
    dal_text_add(w->text, ",\n");
}

static void add_ports(struct writer *w, const struct dal_plan_process *p)
{
    size_t i;

    if (!p->process->port_count)
        return;
    dal_text_printf(w->text, "static const struct dal_port_desc ports_%s[] = {\n", p->symbol);
    for (i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        dal_text_add(w->text, "    {\n");
        add_string(w, 8, "name", port->name);
        add_number(w, 8, "output", (uint64_t)(port->output != 0));
        add_symbol(w, 8, "channel", "CHANNEL_", w->plan->channels[port->channel->number].symbol);
        add_number(w, 8, "rate", p->process->kpn ? 1 : port->rate);
        add_counted(w, port);
        dal_text_add(w->text, "    },\n");
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_parameters(struct writer *w, const struct dal_plan_process *p)
{
    size_t i;

    if (!p->process->parameter_count)
        return;
    dal_text_printf(w->text, "static const struct dal_parameter_desc parameters_%s[] = {\n",
                    p->symbol);
    for (i = 0; i < p->process->parameter_count; i++) {
        dal_text_add(w->text, "    {\n");
        add_string(w, 8, "name", p->process->parameters[i].name);
        add_string(w, 8, "value", p->process->parameters[i].value);
        if (p->process->parameters[i].live)
            add_number(w, 8, "live", 1);
        dal_text_add(w->text, "    },\n");
    }
    dal_text_add(w->text, "};\n\n");
}

/* Lists of numbers have a comma at the end, which makes clang-format keep one a line. */
static void add_processor_list(struct writer *w, const char *prefix, const char *symbol,
                               const struct dal_plan_process *p)
{
    size_t i;

    dal_text_printf(w->text, "static const int %s%s[] = {\n", prefix, symbol);
    for (i = 0; i < p->processor_count; i++)
        dal_text_printf(w->text, "    PROCESSOR_%s,\n", p->processors[i]->symbol);
    dal_text_add(w->text, "};\n\n");
}

static void add_period(struct writer *w, const struct dal_plan_process *p)
{
    const struct dal_spec_period *periodic = &p->process->periodic;

    if (!periodic->period_ns)
        return;
    dal_text_printf(w->text, "static const struct dal_period_desc period_%s = {\n", p->symbol);
    add_number(w, 4, "period_ns", periodic->period_ns);
    add_number(w, 4, "phase_ns", periodic->phase_ns);
    add_number(w, 4, "deadline_ns", periodic->deadline_ns);
    add_number(w, 4, "repetitions", periodic->repetitions);
    add_symbol(w, 4, "overrun", "", dal_overrun_traits(periodic->overrun)->symbol);
    dal_text_add(w->text, "};\n\n");
}

static void add_lists(struct writer *w, const struct dal_plan_process *p)
{
    size_t i;

    add_processor_list(w, "processors_", p->symbol, p);
    if (p->fallback)
        add_processor_list(w, "cores_", p->symbol, p->fallback);
    if (!p->process->index_count)
        return;
    dal_text_printf(w->text, "static const int index_%s[] = {\n", p->symbol);
    for (i = 0; i < p->process->index_count; i++)
        dal_text_printf(w->text, "    %d,\n", p->process->index[i]);
    dal_text_add(w->text, "};\n\n");
}

static void add_team_list(struct writer *w, const struct dal_plan_process *p)
{
    size_t i;

    if (p->team_count == 0)
        return;
    dal_text_printf(w->text, "static const int team_%s[] = {\n", p->symbol);
    for (i = 0; i < p->team_count; i++)
        dal_text_printf(w->text, "    %d, /* %s */\n",
                        dal_spec_capability(p->team[i], DAL_CAPABILITY_POSIX)->core,
                        p->team[i]->name);
    dal_text_add(w->text, "};\n\n");
}

static void add_team(struct writer *w, int indent, const struct dal_plan_process *p)
{
    if (!dal_plan_has_team(p))
        return;
    add_number(w, indent, "threads", p->team_count + 1);
    if (p->team_count)
        add_symbol(w, indent, "team", "team_", p->symbol);
}

static void add_activation(struct writer *w, int indent, const struct dal_plan_process *p)
{
    if (dal_plan_on_device(p)) {
        add_symbol(w, indent, "kernel", "&dal_kernel_", p->unit->name);
        dal_text_add_comment(w->text, indent, "%s", p->items_reason);
        add_number(w, indent, "work_items", p->work_items);
        add_shape(w, indent, p->work_shape);
        dal_text_add_comment(w->text, indent, "%s", p->copies_reason);
        add_number(w, indent, "shadow_copies", p->shadow_copies);
        add_number(w, indent, "block", 1);
        return;
    }
    add_symbol(w, indent, "code", "&dal_code_", p->unit->name);
    add_number(w, indent, "work_items", 1);
    if (p->copies_reason)
        dal_text_add_comment(w->text, indent, "%s", p->copies_reason);
    add_number(w, indent, "shadow_copies", p->shadow_copies);
    dal_text_add_comment(w->text, indent, "%s", p->block_reason);
    add_number(w, indent, "block", p->block);
    add_team(w, indent, p);
}

static void add_source(struct writer *w, int indent, const struct dal_plan_process *p)
{
    char key[DAL_KEY_TEXT];

    add_string(w, indent, "source", dal_path_base(p->source->path));
    w->text->lost |=
        dal_key_make(&w->keys, &w->plan->spec->network, p->process, p->source, key) != DAL_OK;
    add_string(w, indent, "key", key);
}

/* Adds the fields that a process and its fallback share. They differ only in where and what they
 * run; `processors` is the prefix of that list. */
static void add_fields(struct writer *w, int indent, const char *symbol, const char *processors,
                       const struct dal_plan_process *p)
{
    const struct dal_spec_process *process = p->process;

    add_string(w, indent, "name", process->name);
    add_string(w, indent, "base", process->base);
    add_source(w, indent, p);
    add_symbol(w, indent, "kind", "DAL_PROCESS_",
               process->kpn            ? "KPN"
               : dal_plan_on_device(p) ? "DEVICE"
                                       : "C");
    dal_text_add_comment(w->text, indent, "bound in %s:%d", dal_path_base(p->binding->place.file),
                         p->binding->place.line);
    add_symbol(w, indent, "processors", processors, symbol);
    add_number(w, indent, "processor_count", p->processor_count);
    add_activation(w, indent, p);
    if (process->by_phase)
        add_number(w, indent, "by_phase", 1);
    if (process->periodic.period_ns)
        add_symbol(w, indent, "periodic", "&period_", symbol);
    if (process->io)
        add_number(w, indent, "io", 1);
    dal_text_printf(w->text, "%*s.priority = %d,\n", indent, "", p->priority);
    if (process->port_count)
        add_symbol(w, indent, "ports", "ports_", symbol);
    add_number(w, indent, "port_count", process->port_count);
    if (process->parameter_count) {
        add_symbol(w, indent, "parameters", "parameters_", symbol);
        add_number(w, indent, "parameter_count", process->parameter_count);
    }
    if (process->index_count) {
        add_symbol(w, indent, "index", "index_", symbol);
        add_number(w, indent, "index_count", process->index_count);
    }
    add_number(w, indent, "repetitions", process->repetitions);
    add_origin(w, indent, process->place);
}

static void add_fallback(struct writer *w, const struct dal_plan_process *p)
{
    if (!p->fallback)
        return;
    dal_text_add_comment(w->text, 0, "When the kernel of %s cannot be had.", p->process->name);
    dal_text_printf(w->text, "static const struct dal_process_desc fallback_%s = {\n", p->symbol);
    add_fields(w, 4, p->symbol, "cores_", p->fallback);
    dal_text_add(w->text, "};\n\n");
}

static void add_process(struct writer *w, const struct dal_plan_process *p)
{
    open_entry(w, "PROCESS_", p->symbol);
    add_fields(w, 12, p->symbol, "processors_", p);
    if (p->fallback)
        add_symbol(w, 12, "fallback", "&fallback_", p->symbol);
    close_entry(w);
}

static void add_processes(struct writer *w)
{
    size_t i;

    for (i = 0; i < w->plan->process_count; i++) {
        const struct dal_plan_process *p = in_order(w->plan, i);
        add_lists(w, p);
        add_team_list(w, p);
        add_period(w, p);
        add_ports(w, p);
        add_parameters(w, p);
        add_fallback(w, p);
    }
    dal_text_add(w->text, "static const struct dal_process_desc processes[] = {\n");
    for (i = 0; i < w->plan->process_count; i++)
        add_process(w, in_order(w->plan, i));
    dal_text_add(w->text, "};\n\n");
}

static void add_group_members(struct writer *w, const struct dal_plan_group *group)
{
    size_t i;

    dal_text_printf(w->text, "static const struct dal_group_member members_%s[] = {\n",
                    group->symbol);
    for (i = 0; i < group->member_count; i++)
        dal_text_printf(w->text,
                        "    {\n"
                        "        .process = PROCESS_%s,\n"
                        "        .firings = %" PRIu64 ",\n"
                        "    },\n",
                        group->members[i]->symbol, group->members[i]->round);
    dal_text_add(w->text, "};\n\n");
}

/* Adds the ports that lead out of the group, as its kernel's arguments
 * (synth/codegen/kernel/group.c). Returns their number. */
static size_t add_group_ports(struct writer *w, const struct dal_plan_group *group)
{
    size_t i, k, count = 0;

    for (i = 0; i < group->member_count; i++)
        for (k = 0; k < group->members[i]->process->port_count; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (!dal_plan_is_outside(w->plan, port))
                continue;
            if (count++ == 0)
                dal_text_printf(w->text, "static const struct dal_group_port outside_%s[] = {\n",
                                group->symbol);
            dal_text_printf(w->text,
                            "    {\n"
                            "        .member = %zu,\n"
                            "        .port = %zu,\n"
                            "    },\n",
                            i, k);
        }
    dal_text_add(w->text, count ? "};\n\n" : "");
    return count;
}

static size_t count_kept(const struct dal_plan *plan, const struct dal_plan_group *group)
{
    size_t i, count = 0;

    for (i = 0; i < plan->channel_count; i++)
        count += dal_plan_keeper(plan, &plan->channels[i]) == group;
    return count;
}

static void add_kept(struct writer *w, const struct dal_plan_group *group)
{
    size_t i;

    if (!group->in_order)
        return;
    dal_text_printf(w->text, "static const struct dal_group_kept kept_%s[] = {\n", group->symbol);
    for (i = 0; i < w->plan->channel_count; i++)
        if (dal_plan_keeper(w->plan, &w->plan->channels[i]) == group)
            dal_text_printf(w->text,
                            "    {\n"
                            "        .channel = CHANNEL_%s,\n"
                            "        .offset = %" PRIu64 ",\n"
                            "    },\n",
                            w->plan->channels[i].symbol, w->plan->channels[i].kept_at);
    dal_text_add(w->text, "};\n\n");
}

static void add_group(struct writer *w, const struct dal_plan_group *group, size_t ports)
{
    dal_text_add(w->text, "    {\n");
    add_string(w, 8, "name", group->unit->name);
    add_symbol(w, 8, "members", "members_", group->symbol);
    add_number(w, 8, "member_count", group->member_count);
    if (ports)
        add_symbol(w, 8, "ports", "outside_", group->symbol);
    add_number(w, 8, "port_count", ports);
    add_symbol(w, 8, "kernel", "&dal_kernel_", group->unit->name);
    add_number(w, 8, "work_items", group->work_items);
    dal_text_add_comment(w->text, 8, "%s", group->rounds_reason);
    add_number(w, 8, "rounds", group->rounds);
    add_shape(w, 8, group->members[0]->work_shape);
    if (group->in_order) {
        add_symbol(w, 8, "kept", "kept_", group->symbol);
        add_number(w, 8, "kept_count", count_kept(w->plan, group));
    }
    if (group->one_round)
        add_number(w, 8, "one_round", 1);
    add_number(w, 8, "scratch_bytes", group->slot_bytes);
    dal_text_add(w->text, "    },\n");
}

static void add_groups(struct writer *w)
{
    const struct dal_plan *plan = w->plan;
    size_t *ports, i;

    if (!plan->device_group_count)
        return;
    ports = dal_calloc(plan->device_group_count, sizeof(*ports));
    w->text->lost |= !ports;
    for (i = 0; ports && i < plan->device_group_count; i++) {
        add_group_members(w, &plan->device_groups[i]);
        ports[i] = add_group_ports(w, &plan->device_groups[i]);
        add_kept(w, &plan->device_groups[i]);
    }
    dal_text_add(w->text, "static const struct dal_group_desc groups[] = {\n");
    for (i = 0; ports && i < plan->device_group_count; i++)
        add_group(w, &plan->device_groups[i], ports[i]);
    dal_text_add(w->text, "};\n\n");
    dal_free(ports);
}

static void add_latencies(struct writer *w)
{
    const struct dal_spec_network *network = &w->plan->spec->network;
    size_t i;

    if (!network->latency_count)
        return;
    dal_text_add(w->text, "static const struct dal_latency_desc latencies[] = {\n");
    for (i = 0; i < network->latency_count; i++) {
        const struct dal_spec_latency *latency = &network->latencies[i];
        dal_text_add(w->text, "    {\n");
        add_symbol(w, 8, "from", "PROCESS_", w->plan->processes[latency->from->number].symbol);
        add_symbol(w, 8, "to", "PROCESS_", w->plan->processes[latency->to->number].symbol);
        add_number(w, 8, "max_ns", latency->max_ns);
        add_origin(w, 8, latency->place);
        dal_text_add(w->text, "    },\n");
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_net(struct writer *w)
{
    const char *name = w->plan->application;

    if (name)
        dal_text_printf(w->text,
                        "extern const struct dal_net dal_net_%s;\n\n"
                        "const struct dal_net dal_net_%s = {\n",
                        name, name);
    else
        dal_text_add(w->text, "static const struct dal_net net = {\n");
    dal_text_add(w->text, "    .version = DAL_NET_VERSION,\n");
    add_string(w, 4, "name", w->plan->spec->network.name);
    dal_text_add(w->text, "    .processors = processors,\n"
                          "    .processor_count = PROCESSORS,\n"
                          "    .processes = processes,\n"
                          "    .process_count = PROCESSES,\n");
    if (w->plan->channel_count)
        dal_text_add(w->text, "    .channels = channels,\n");
    dal_text_add(w->text, "    .channel_count = CHANNELS,\n");
    if (w->plan->device_group_count) {
        dal_text_add(w->text, "    .groups = groups,\n");
        add_number(w, 4, "group_count", w->plan->device_group_count);
    }
    if (w->plan->spec->network.latency_count) {
        dal_text_add(w->text, "    .latencies = latencies,\n");
        add_number(w, 4, "latency_count", w->plan->spec->network.latency_count);
    }
    if (dal_plan_has_teams(w->plan))
        dal_text_add(w->text, "    .openmp = &dal_openmp,\n");
    dal_text_printf(w->text, "    .queue_depth = %d,\n", w->plan->queue_depth);
    add_string(w, 4, "policy", w->plan->policy);
    dal__emit_nodes(&w->plan->spec->mapping, w->text);
    if (!name)
        dal__emit_made_fields(w->text);
    dal_text_add(w->text, "};\n");
    if (!name)
        dal_text_add(w->text, "\n"
                              "int main(int argc, char **argv)\n"
                              "{\n"
                              "    return dal_main(&net, argc, argv);\n"
                              "}\n");
}

void dal__emit_net(const struct dal_emit *emit, const struct dal_plan *plan, struct dal_tree *tree)
{
    struct writer w = {.plan = plan, .text = dal_tree_add(tree, "%s", plan->file)};

    dal__emit_banner(plan, w.text, "Network %s: what runs where and how it is joined.",
                     plan->spec->network.name);
    dal_text_add(w.text, "#include <net.h>\n\n");
    add_indices(&w);
    add_externals(&w);
    add_processors(&w);
    add_channels(&w);
    add_processes(&w);
    add_groups(&w);
    add_latencies(&w);
    dal__emit_node_names(&plan->spec->mapping, w.text);
    if (!plan->application)
        dal__emit_made(emit, w.text);
    add_net(&w);
    dal_key_maker_finish(&w.keys);
}
