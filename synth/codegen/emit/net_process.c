/* The tables of a network's processes. */
#include "synth/codegen/emit/fields.h"
#include "synth/codegen/emit/net.h"
#include "synth/codegen/emit/parts.h"

#include "rt/base/error.h"

#include <inttypes.h>

/* A tap has packets as they are. */
static void add_counted(struct dal__net *w, const struct dal_spec_process *process,
                        const struct dal_spec_port *port)
{
    if (!port->channel->counted.most || process->tap.kind)
        return;
    dal_text_add(w->text, "        .counted = ");
    dal__emit_counted(w->text, port->channel);
    dal_text_add(w->text, ",\n");
}

static void add_ports(struct dal__net *w, const struct dal_plan_process *p)
{
    if (!p->process->port_count)
        return;
    dal_text_printf(w->text, "static const struct dal_port_desc ports_%s[] = {\n", p->symbol);
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        dal_text_add(w->text, "    {\n");
        dal__field_string(w->text, 8, "name", port->name);
        dal__field_number(w->text, 8, "output", port->output != 0);
        dal__field_symbol(w->text, 8, "channel", "CHANNEL_",
                          w->plan->channels[port->channel->number].symbol);
        dal__field_number(w->text, 8, "rate", p->process->kpn ? 1 : port->rate);
        add_counted(w, p->process, port);
        dal_text_add(w->text, "    },\n");
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_type(struct dal__net *w, const struct dal_spec_parameter *parameter)
{
    if (!parameter->typed)
        return;
    dal__field_number(w->text, 8, "typed", 1);
    dal__field_symbol(w->text, 8, "type", "", dal_value_traits(parameter->type)->symbol);
    if (parameter->min)
        dal__field_string(w->text, 8, "min", parameter->min);
    if (parameter->max)
        dal__field_string(w->text, 8, "max", parameter->max);
}

static void add_parameters(struct dal__net *w, const struct dal_plan_process *p)
{
    if (!p->process->parameter_count)
        return;
    dal_text_printf(w->text, "static const struct dal_parameter_desc parameters_%s[] = {\n",
                    p->symbol);
    for (size_t i = 0; i < p->process->parameter_count; i++) {
        dal_text_add(w->text, "    {\n");
        dal__field_string(w->text, 8, "name", p->process->parameters[i].name);
        dal__field_string(w->text, 8, "value", p->process->parameters[i].value);
        dal__field_given(w->text, 8, "live", p->process->parameters[i].live != 0);
        add_type(w, &p->process->parameters[i]);
        dal_text_add(w->text, "    },\n");
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_constants(struct dal__net *w, const struct dal_plan_process *p)
{
    const struct dal_spec_process *process = p->process;
    if (!process->constant_count)
        return;
    dal_text_printf(w->text, "static const struct dal_constant constants_%s[] = {\n", p->symbol);
    for (size_t i = 0; i < process->constant_count; i++) {
        const struct dal_spec_constant *constant = &process->constants[i];
        dal_text_add(w->text, "    {\n");
        dal__field_string(w->text, 8, "name", constant->name);
        dal_text_printf(w->text, "        .data = constant_%zu,\n", constant->data);
        dal__field_number(w->text, 8, "bytes", constant->count * constant->element_bytes);
        dal_text_add(w->text, "    },\n");
    }
    dal_text_add(w->text, "};\n\n");
}

/* Lists of numbers have a comma at the end, which makes clang-format keep one a line. */
static void add_processor_list(struct dal__net *w, const char *prefix, const char *symbol,
                               const struct dal_plan_process *p)
{
    dal_text_printf(w->text, "static const int %s%s[] = {\n", prefix, symbol);
    for (size_t i = 0; i < p->processor_count; i++)
        dal_text_printf(w->text, "    PROCESSOR_%s,\n", p->processors[i]->symbol);
    dal_text_add(w->text, "};\n\n");
}

static void add_period(struct dal__net *w, const struct dal_plan_process *p)
{
    const struct dal_spec_period *periodic = &p->process->periodic;
    if (!periodic->period_ns)
        return;
    dal_text_printf(w->text, "static const struct dal_period_desc period_%s = {\n", p->symbol);
    dal__field_number(w->text, 4, "period_ns", periodic->period_ns);
    dal__field_number(w->text, 4, "phase_ns", periodic->phase_ns);
    dal__field_number(w->text, 4, "deadline_ns", periodic->deadline_ns);
    dal__field_number(w->text, 4, "repetitions", periodic->repetitions);
    dal__field_symbol(w->text, 4, "overrun", "", dal_overrun_traits(periodic->overrun)->symbol);
    dal_text_add(w->text, "};\n\n");
}

static void add_lists(struct dal__net *w, const struct dal_plan_process *p)
{
    add_processor_list(w, "processors_", p->symbol, p);
    if (p->fallback)
        add_processor_list(w, "cores_", p->symbol, p->fallback);
    if (!p->process->index_count)
        return;
    dal_text_printf(w->text, "static const int index_%s[] = {\n", p->symbol);
    for (size_t i = 0; i < p->process->index_count; i++)
        dal_text_printf(w->text, "    %d,\n", p->process->index[i]);
    dal_text_add(w->text, "};\n\n");
}

static void add_team_list(struct dal__net *w, const struct dal_plan_process *p)
{
    if (p->team_count == 0)
        return;
    dal_text_printf(w->text, "static const int team_%s[] = {\n", p->symbol);
    for (size_t i = 0; i < p->team_count; i++)
        dal_text_printf(w->text, "    %d, /* %s */\n",
                        dal_spec_capability(p->team[i], DAL_PROCESSOR_CORE)->core,
                        p->team[i]->name);
    dal_text_add(w->text, "};\n\n");
}

static void add_team(struct dal__net *w, int indent, const struct dal_plan_process *p)
{
    if (!dal_plan_has_team(p))
        return;
    dal__field_number(w->text, indent, "threads", p->team_count + 1);
    if (p->team_count)
        dal__field_symbol(w->text, indent, "team", "team_", p->symbol);
}

static void add_activation(struct dal__net *w, int indent, const struct dal_plan_process *p)
{
    if (dal_plan_on_device(p)) {
        dal__field_symbol(w->text, indent, "kernel", "&dal_kernel_", p->unit->name);
        dal_text_add_comment(w->text, indent, "%s", p->items_reason);
        dal__field_number(w->text, indent, "work_items", p->work_items);
        dal__field_shape(w->text, indent, p->work_shape);
        dal_text_add_comment(w->text, indent, "%s", p->copies_reason);
        dal__field_number(w->text, indent, "shadow_copies", p->shadow_copies);
        dal__field_number(w->text, indent, "block", 1);
        return;
    }
    if (dal_spec_is_open(p->process)) {
        dal__field_symbol(w->text, indent, "code", "&dal_", "open_code");
        dal__field_symbol(w->text, indent, "open", "&open_", p->symbol);
    } else {
        dal__field_symbol(w->text, indent, "code", "&dal_code_", p->unit->name);
    }
    dal__field_number(w->text, indent, "work_items", 1);
    if (p->copies_reason)
        dal_text_add_comment(w->text, indent, "%s", p->copies_reason);
    dal__field_number(w->text, indent, "shadow_copies", p->shadow_copies);
    dal_text_add_comment(w->text, indent, "%s", p->block_reason);
    dal__field_number(w->text, indent, "block", p->block);
    dal__field_given(w->text, indent, "most_firings", w->plan->most_firings);
    add_team(w, indent, p);
}

static void add_source(struct dal__net *w, int indent, const struct dal_plan_process *p)
{
    char key[DAL_KEY_TEXT];
    dal__field_string(w->text, indent, "source", dal_path_base(p->source->path));
    w->text->lost |=
        dal_key_make(&w->keys, &w->plan->spec->network, p->process, p->source, key) != DAL_OK;
    dal__field_string(w->text, indent, "key", key);
}

/* Adds the fields that a process and its fallback share. They differ only in where and what they
 * run; `processors` is the prefix of that list. */
static void add_fields(struct dal__net *w, int indent, const char *symbol, const char *processors,
                       const struct dal_plan_process *p)
{
    const struct dal_spec_process *process = p->process;
    dal__field_string(w->text, indent, "name", process->name);
    dal__field_string(w->text, indent, "base", process->base);
    add_source(w, indent, p);
    dal__field_symbol(w->text, indent, "kind", "DAL_PROCESS_",
                      process->kpn            ? "KPN"
                      : dal_plan_on_device(p) ? "DEVICE"
                                              : "C");
    dal_text_add_comment(w->text, indent, "bound in %s:%d", dal_path_base(p->binding->place.file),
                         p->binding->place.line);
    dal__field_symbol(w->text, indent, "processors", processors, symbol);
    dal__field_number(w->text, indent, "processor_count", p->processor_count);
    add_activation(w, indent, p);
    dal__field_given(w->text, indent, "by_phase", process->by_phase != 0);
    if (process->periodic.period_ns)
        dal__field_symbol(w->text, indent, "periodic", "&period_", symbol);
    dal__field_given(w->text, indent, "io", process->io != 0);
    dal__field_given(w->text, indent, "guarded", (uint64_t)w->plan->guards);
    dal_text_printf(w->text, "%*s.priority = %d,\n", indent, "", p->priority);
    if (process->port_count)
        dal__field_symbol(w->text, indent, "ports", "ports_", symbol);
    dal__field_number(w->text, indent, "port_count", process->port_count);
    if (process->parameter_count) {
        dal__field_symbol(w->text, indent, "parameters", "parameters_", symbol);
        dal__field_number(w->text, indent, "parameter_count", process->parameter_count);
    }
    if (process->constant_count) {
        dal__field_symbol(w->text, indent, "constants", "constants_", symbol);
        dal__field_number(w->text, indent, "constant_count", process->constant_count);
    }
    if (process->index_count) {
        dal__field_symbol(w->text, indent, "index", "index_", symbol);
        dal__field_number(w->text, indent, "index_count", process->index_count);
    }
    dal__field_number(w->text, indent, "repetitions", process->repetitions);
    dal__field_origin(w->text, indent, process->place, w->plan->spec->network.file);
}

static void add_tap(struct dal__net *w, const struct dal_spec_tap *tap,
                    const struct dal_spec_channel *c)
{
    static const char *const kinds[] = {[DAL_TAP_RECORD] = "RECORD",
                                        [DAL_TAP_DROP] = "DROP",
                                        [DAL_TAP_REPLAY] = "REPLAY",
                                        [DAL_TAP_COMPARE] = "COMPARE"};
    dal__field_symbol(w->text, 4, "tap", "DAL_TAP_", kinds[tap->kind]);
    dal__field_string(w->text, 4, "of", tap->of);
    if (tap->folder)
        dal__field_string(w->text, 4, "folder", tap->folder);
    dal__field_given(w->text, 4, "order", tap->order);
    if (!c->counted.most)
        return;
    dal_text_add(w->text, "    .counted = ");
    dal__emit_counted(w->text, c);
    dal_text_add(w->text, ",\n");
}

/* Of a port of a cyclo-static process; NULL for others, and for what needs none. */
static const struct dal_spec_phases *phase_rates_of(const struct dal_spec_process *process)
{
    const struct dal_spec_channel *c = process->ports[0].channel;
    if (process->tap.kind != DAL_TAP_RECORD && process->tap.kind != DAL_TAP_COMPARE)
        return NULL;
    return dal_plan_phases(c->producer) > 1 ? &c->producer_port->phases : NULL;
}

static void add_phase_rates(struct dal__net *w, const struct dal_plan_process *p,
                            const struct dal_spec_phases *rates)
{
    if (!rates)
        return;
    dal_text_printf(w->text, "static const uint64_t rates_%s[] = {\n", p->symbol);
    for (size_t i = 0; i < rates->count; i++)
        dal_text_printf(w->text, "    %" PRIu64 ",\n", rates->of[i]);
    dal_text_add(w->text, "};\n\n");
}

/* Adds what the tokens of an open port are. */
static void add_open(struct dal__net *w, const struct dal_plan_process *p)
{
    const struct dal_spec_channel *c;
    const struct dal_spec_phases *rates;
    if (!dal_spec_is_open(p->process))
        return;
    c = p->process->ports[0].channel;
    rates = phase_rates_of(p->process);
    add_phase_rates(w, p, rates);
    dal_text_printf(w->text, "static const struct dal_open_desc open_%s = {\n", p->symbol);
    if (c->token_type)
        dal__field_string(w->text, 4, "type", c->token_type);
    dal_text_printf(w->text, "    .kind = '%c',\n", c->token_kind ? c->token_kind : 'V');
    dal__field_number(w->text, 4, "count", c->token_count ? c->token_count : 1);
    dal__field_number(w->text, 4, "token_bytes", c->token_bytes);
    if (p->process->tap.kind)
        add_tap(w, &p->process->tap, c);
    if (rates) {
        dal__field_symbol(w->text, 4, "rates", "rates_", p->symbol);
        dal__field_number(w->text, 4, "rate_count", rates->count);
    }
    dal_text_add(w->text, "};\n\n");
}

static void add_fallback(struct dal__net *w, const struct dal_plan_process *p)
{
    if (!p->fallback)
        return;
    dal_text_add_comment(w->text, 0, "When the kernel of %s cannot be had.", p->process->name);
    dal_text_printf(w->text, "static const struct dal_process_desc fallback_%s = {\n", p->symbol);
    add_fields(w, 4, p->symbol, "cores_", p->fallback);
    dal_text_add(w->text, "};\n\n");
}

static void add_process(struct dal__net *w, const struct dal_plan_process *p)
{
    dal__entry_open(w->text, "PROCESS_", p->symbol);
    add_fields(w, 12, p->symbol, "processors_", p);
    if (p->fallback)
        dal__field_symbol(w->text, 12, "fallback", "&fallback_", p->symbol);
    dal__entry_close(w->text);
}

void dal__net_processes(struct dal__net *w)
{
    for (size_t i = 0; i < w->plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(w->plan, i);
        add_lists(w, p);
        add_team_list(w, p);
        add_period(w, p);
        add_ports(w, p);
        add_parameters(w, p);
        add_constants(w, p);
        add_open(w, p);
        add_fallback(w, p);
    }
    dal_text_add(w->text, "static const struct dal_process_desc processes[] = {\n");
    for (size_t i = 0; i < w->plan->process_count; i++)
        add_process(w, dal_plan_in_order(w->plan, i));
    dal_text_add(w->text, "};\n\n");
}
