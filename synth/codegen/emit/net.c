/*
 * net.c: the tables of include/net.h, and main() where they are the only ones. A symbol that is
 * made of a user's name has a prefix that ends in '_'. No prefix begins another, so no two symbols
 * meet.
 */
#include "synth/codegen/emit/net.h"
#include "synth/codegen/emit/fields.h"
#include "synth/codegen/emit/parts.h"

#include "rt/base/alloc.h"

#include <inttypes.h>
#include <string.h>

static void add_indices(struct dal__net *w)
{
    const struct dal_plan *plan = w->plan;
    dal_text_add(w->text, "enum {\n");
    for (size_t i = 0; i < plan->processor_count; i++)
        dal_text_printf(w->text, "    PROCESSOR_%s,\n", plan->processors[i].symbol);
    dal_text_add(w->text, "    PROCESSORS,\n};\n\n");
    dal_text_add(w->text, "/* In the order in which a worker looks at them. */\nenum {\n");
    for (size_t i = 0; i < plan->process_count; i++)
        dal_text_printf(w->text, "    PROCESS_%s,\n", dal_plan_in_order(plan, i)->symbol);
    dal_text_add(w->text, "    PROCESSES,\n};\n\nenum {\n");
    for (size_t i = 0; i < plan->channel_count; i++)
        dal_text_printf(w->text, "    CHANNEL_%s,\n", plan->channels[i].symbol);
    dal_text_add(w->text, "    CHANNELS,\n};\n\n");
}

static void add_externals(struct dal__net *w)
{
    for (size_t i = 0; i < w->plan->unit_count; i++) {
        const struct dal_plan_unit *unit = &w->plan->units[i];
        const char *kind = unit->type == DAL_SOURCE_C ? "code" : "kernel";
        if (unit->type == DAL_SOURCE_OPEN)
            continue;
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

static void add_processors(struct dal__net *w)
{
    const struct dal_plan *plan = w->plan;
    dal_text_add(w->text, "static const struct dal_processor_desc processors[] = {\n");
    for (size_t i = 0; i < plan->processor_count; i++) {
        const struct dal_plan_processor *p = &plan->processors[i];
        enum dal_processor_kind kind = p->capability->kind;
        int core = kind == DAL_PROCESSOR_CORE;
        dal__entry_open(w->text, "PROCESSOR_", p->symbol);
        dal__field_string(w->text, 12, "name", p->processor->name);
        dal__field_symbol(w->text, 12, "kind", "", dal_processor_traits(kind)->symbol);
        if (core)
            dal_text_printf(w->text, "            .core = %d,\n", p->capability->core);
        else
            dal__field_string(w->text, 12, "identifier", p->capability->identifier);
        if (plan->spec->mapping.node_count > 1)
            dal__field_number(w->text, 12, "node", number_of_node(plan, p->processor));
        dal__field_origin(w->text, 12, p->capability->place, p->capability->place.file);
        dal__entry_close(w->text);
    }
    dal_text_add(w->text, "};\n\n");
}

static int has_data(const struct dal_spec_channel *c)
{
    return c->initial_data && c->initial_tokens;
}

/* Bytes that a table points to: `prefix` and `symbol` make its name in C, `file` that of a file. */
struct bytes {
    const char *prefix, *symbol, *file;
    const unsigned char *data;
    uint64_t count;
};

static void add_data_file(struct dal__net *w, const struct bytes *bytes)
{
    char *name = bytes->file ? dal__emit_data_name(w->plan, bytes->file) : NULL;
    w->text->lost |= !name;
    dal_text_printf(w->text,
                    "/* %s.bin */\n"
                    "extern const unsigned char %s%s[%" PRIu64 "] __asm__(\"dal.%s\");\n\n",
                    name ? name : "", bytes->prefix, bytes->symbol, bytes->count, name ? name : "");
    dal_free(name);
}

/* Adds twelve bytes a line, and keeps clang-format from packing them otherwise. */
static void add_bytes(struct dal__net *w, const struct bytes *bytes, const char *attribute)
{
    if (bytes->count > DAL_EMIT_DATA_BYTES) {
        add_data_file(w, bytes);
        return;
    }
    dal_text_printf(w->text,
                    "/* clang-format off */\n"
                    "static const unsigned char %s%s[%" PRIu64 "]%s = {",
                    bytes->prefix, bytes->symbol, bytes->count, attribute);
    for (uint64_t i = 0; i < bytes->count; i++)
        dal_text_printf(w->text, "%s0x%02x,", i % 12 ? " " : "\n    ", bytes->data[i]);
    dal_text_add(w->text, "\n};\n/* clang-format on */\n\n");
}

static void add_data(struct dal__net *w, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    const struct bytes bytes = {"initial_", ch->symbol, ch->symbol, c->initial_data,
                                c->initial_tokens * c->token_bytes};
    add_bytes(w, &bytes, "");
}

static void add_constants(struct dal__net *w)
{
    const struct dal_spec_network *network = &w->plan->spec->network;
    for (size_t i = 0; i < network->data_count; i++) {
        const struct dal_spec_data *data = &network->data[i];
        char number[24], file[40];
        const struct bytes bytes = {"constant_", number, file, data->whole + data->at, data->bytes};
        snprintf(number, sizeof(number), "%zu", i);
        snprintf(file, sizeof(file), "constant.%zu", i);
        add_bytes(w, &bytes, " __attribute__((aligned(128)))");
    }
}

static void add_channel(struct dal__net *w, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    dal__entry_open(w->text, "CHANNEL_", ch->symbol);
    dal__field_string(w->text, 12, "name", c->name);
    dal_text_add_comment(w->text, 12, "%s", ch->reason);
    dal__field_symbol(w->text, 12, "kind", "", dal_channel_traits(ch->kind)->symbol);
    dal__field_symbol(w->text, 12, "producer", "PROCESS_", dal_plan_producer(w->plan, c)->symbol);
    dal__field_symbol(w->text, 12, "consumer", "PROCESS_", dal_plan_consumer(w->plan, c)->symbol);
    dal_text_add_comment(w->text, 12, "%s", ch->capacity_reason);
    dal__field_number(w->text, 12, "capacity", ch->capacity);
    dal__field_given(w->text, 12, "message", ch->message);
    dal__field_number(w->text, 12, "token_bytes", c->token_bytes);
    dal__field_given(w->text, 12, "most", c->counted.most);
    dal__field_number(w->text, 12, "rate_in", c->producer->kpn ? 1 : c->rate_in);
    dal__field_number(w->text, 12, "rate_out", c->consumer->kpn ? 1 : c->rate_out);
    dal__field_number(w->text, 12, "initial_tokens", c->initial_tokens);
    if (has_data(c))
        dal__field_symbol(w->text, 12, "initial_data", "initial_", ch->symbol);
    dal__field_given(w->text, 12, "inplace", c->inplace != 0);
    dal__field_given(w->text, 12, "is_tap", dal_spec_is_tapped(c));
    dal__field_given(w->text, 12, "repeat", c->newest.repeat != 0);
    dal__field_given(w->text, 12, "age_ns", c->newest.age_ns);
    if (c->next_of_port)
        dal__field_symbol(w->text, 12, "next_of_port", "CHANNEL_",
                          w->plan->channels[c->next_of_port->number].symbol);
    dal__field_origin(w->text, 12, c->place, w->plan->spec->network.file);
    dal__entry_close(w->text);
}

static void add_channels(struct dal__net *w)
{
    if (!w->plan->channel_count)
        return;
    for (size_t i = 0; i < w->plan->channel_count; i++)
        if (has_data(w->plan->channels[i].channel))
            add_data(w, &w->plan->channels[i]);
    dal_text_add(w->text, "static const struct dal_channel_desc channels[] = {\n");
    for (size_t i = 0; i < w->plan->channel_count; i++)
        add_channel(w, &w->plan->channels[i]);
    dal_text_add(w->text, "};\n\n");
}

static void add_latencies(struct dal__net *w)
{
    const struct dal_spec_network *network = &w->plan->spec->network;
    if (!network->latency_count)
        return;
    dal_text_add(w->text, "static const struct dal_latency_desc latencies[] = {\n");
    for (size_t i = 0; i < network->latency_count; i++) {
        const struct dal_spec_latency *latency = &network->latencies[i];
        dal_text_add(w->text, "    {\n");
        dal__field_symbol(w->text, 8, "from", "PROCESS_",
                          w->plan->processes[latency->from->number].symbol);
        dal__field_symbol(w->text, 8, "to", "PROCESS_",
                          w->plan->processes[latency->to->number].symbol);
        dal__field_number(w->text, 8, "max_ns", latency->max_ns);
        if (latency->late_ppm)
            dal__field_number(w->text, 8, "late_ppm", latency->late_ppm);
        dal__field_origin(w->text, 8, latency->place, network->file);
        dal_text_add(w->text, "    },\n");
    }
    dal_text_add(w->text, "};\n\n");
}

/* Begins the table: of one of several applications, of a library, or of a program. */
static void begin_net(struct dal__net *w, const struct dal_emit *emit)
{
    const char *name = w->plan->application;
    char *symbol = emit->is_library ? dal__emit_symbol(emit) : NULL;
    w->text->lost |= emit->is_library && !symbol;
    if (symbol)
        dal_text_printf(w->text,
                        "extern const struct dal_net %s_net;\n\n"
                        "const struct dal_net %s_net = {\n",
                        symbol, symbol);
    else if (name)
        dal_text_printf(w->text,
                        "extern const struct dal_net dal_net_%s;\n\n"
                        "const struct dal_net dal_net_%s = {\n",
                        name, name);
    else
        dal_text_add(w->text, "static const struct dal_net net = {\n");
    dal_free(symbol);
}

static void add_net(struct dal__net *w, const struct dal_emit *emit)
{
    const char *name = w->plan->application;
    begin_net(w, emit);
    dal_text_add(w->text, "    .version = DAL_NET_VERSION,\n");
    dal__field_string(w->text, 4, "name", w->plan->spec->network.name);
    dal_text_add(w->text, "    .processors = processors,\n"
                          "    .processor_count = PROCESSORS,\n"
                          "    .processes = processes,\n"
                          "    .process_count = PROCESSES,\n");
    if (w->plan->channel_count)
        dal_text_add(w->text, "    .channels = channels,\n");
    dal_text_add(w->text, "    .channel_count = CHANNELS,\n");
    if (w->plan->device_group_count) {
        dal_text_add(w->text, "    .groups = groups,\n");
        dal__field_number(w->text, 4, "group_count", w->plan->device_group_count);
    }
    if (w->plan->spec->network.latency_count) {
        dal_text_add(w->text, "    .latencies = latencies,\n");
        dal__field_number(w->text, 4, "latency_count", w->plan->spec->network.latency_count);
    }
    if (dal_plan_has_teams(w->plan))
        dal_text_add(w->text, "    .openmp = &dal_openmp,\n");
    dal_text_printf(w->text, "    .queue.depth = %d,\n", w->plan->queue_depth);
    dal__field_string(w->text, 4, "queue.policy", w->plan->policy);
    dal__field_given(w->text, 4, "queue.realtime", (uint64_t)w->plan->spec->mapping.realtime);
    dal__emit_nodes(&w->plan->spec->mapping, w->text);
    if (!name)
        dal__emit_made_fields(w->text);
    dal_text_add(w->text, "};\n");
    if (!name && !emit->is_library)
        dal_text_add(w->text, "\n"
                              "int main(int argc, char **argv)\n"
                              "{\n"
                              "    return dal_main(&net, argc, argv);\n"
                              "}\n");
}

void dal__emit_net(const struct dal_emit *emit, const struct dal_plan *plan, struct dal_tree *tree)
{
    struct dal__net w = {.plan = plan, .text = dal_tree_add(tree, "%s", plan->file)};
    if (plan->guards)
        w.keys.of = DAL_KEY_OF_GUARDED;
    dal__emit_banner(plan, w.text, "Network %s: what runs where and how it is joined.",
                     plan->spec->network.name);
    dal_text_add(w.text, "#include <net.h>\n\n");
    add_indices(&w);
    add_externals(&w);
    add_processors(&w);
    add_channels(&w);
    add_constants(&w);
    dal__net_processes(&w);
    dal__net_groups(&w);
    add_latencies(&w);
    dal__emit_node_names(&plan->spec->mapping, w.text);
    if (!plan->application)
        dal__emit_made(emit, w.text);
    add_net(&w, emit);
    dal_key_maker_finish(&w.keys);
}
