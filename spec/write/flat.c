/* Writes networks within a network as the one that they make together, in its long form. */
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/base/text.h"
#include "spec/dialects/short/tidy.h"
#include "spec/read/raw.h"
#include "spec/read/xml.h"
#include "spec/write/short.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NAME = 100 }; /* of what can be read again */

struct flat {
    struct dal_diags *diags;
    const struct dal_spec_network *network;
    const struct dal__raw_network *raw;
    const struct dal__raw_connection *(*ends)[2]; /* by channel: to it, and from it */
    xmlNode *root;
    int lost;
};

/* ---- elements -------------------------------------------------------------------------------- */

static xmlNode *add_element(struct flat *f, xmlNode *parent, const char *kind)
{
    xmlNode *made = parent ? xmlNewChild(parent, NULL, (const xmlChar *)kind, NULL) : NULL;
    f->lost |= !made;
    return made;
}

/* NULL is left out. */
static void set_text(struct flat *f, xmlNode *element, const char *attribute, const char *text)
{
    if (element && text && !xmlSetProp(element, (const xmlChar *)attribute, (const xmlChar *)text))
        f->lost = 1;
}

static void set_number(struct flat *f, xmlNode *element, const char *attribute, int64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRId64, number);
    set_text(f, element, attribute, text);
}

static void set_time(struct flat *f, xmlNode *element, const char *attribute, uint64_t ns)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64 "ns", ns);
    set_text(f, element, attribute, text);
}

static void set_percentile(struct flat *f, xmlNode *element, uint32_t late_ppm)
{
    char text[16];
    snprintf(text, sizeof(text), "%.6g", 100 - late_ppm / 1e4);
    if (late_ppm > 0)
        set_text(f, element, "percentile", text);
}

static void set_sequence(struct flat *f, xmlNode *element, const char *attribute,
                         const struct dal_spec_phases *phases, uint64_t number)
{
    struct dal_text text = {0};
    dal_text_printf(&text, "%" PRIu64, phases->count ? phases->of[0] : number);
    for (size_t i = 1; i < phases->count; i++)
        dal_text_printf(&text, ",%" PRIu64, phases->of[i]);
    set_text(f, element, attribute, dal_text_get(&text));
    f->lost |= text.lost;
    dal_text_finish(&text);
}

/* A name that is made of those of parts may be too long to be read. */
static void set_name(struct flat *f, xmlNode *element, struct dal_spec_place place,
                     const char *name)
{
    if (strlen(name) > MOST_NAME)
        dal_error(f->diags, place, "bad-name",
                  "'%s' has more than %d characters, which is the most of a name in one network",
                  name, MOST_NAME);
    set_text(f, element, "name", name);
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Returns a path as seen from the network's folder; it points into `path`. */
static const char *seen_from(const struct flat *f, const char *path)
{
    const char *slash = strrchr(f->network->file, '/');
    size_t length = slash ? (size_t)(slash - f->network->file) + 1 : 0;
    return strncmp(path, f->network->file, length) == 0 ? path + length : path;
}

/* Writes a name with its indices apart: "Left.Band" and 0. */
static void set_label(struct flat *f, xmlNode *element, const struct dal_spec_process *process)
{
    size_t length = strlen(process->name);
    char *stem;
    for (size_t i = process->index_count; i > 0; i--)
        length -= (size_t)snprintf(NULL, 0, "_%d", process->index[i - 1]);
    stem = dal_format("%.*s", (int)length, process->name);
    f->lost |= !stem;
    set_name(f, element, process->place, stem ? stem : "");
    dal_free(stem);
    for (size_t i = 0; i < process->index_count; i++)
        set_number(f, add_element(f, element, "append"), "function", process->index[i]);
}

static void set_period(struct flat *f, xmlNode *element, const struct dal_spec_period *periodic)
{
    if (!periodic->period_ns)
        return;
    set_time(f, element, "period", periodic->period_ns);
    set_time(f, element, "phase", periodic->phase_ns);
    set_time(f, element, "deadline", periodic->deadline_ns);
    set_number(f, element, "repetitions", (int64_t)periodic->repetitions);
    set_text(f, element, "overrun", dal_overrun_traits(periodic->overrun)->name);
}

static void set_attributes(struct flat *f, xmlNode *element, const struct dal_spec_process *process)
{
    static const char *const firings[] = {
        [DAL_FIRING_CYCLE] = "cycle", [DAL_FIRING_PHASE] = "phase", [DAL_FIRING_UNSAID] = NULL};
    static const char *const stateless[] = {
        [DAL_STATELESS_YES] = "true", [DAL_STATELESS_NO] = "false", [DAL_STATELESS_UNSAID] = NULL};
    set_text(f, element, "type", process->io ? "io" : NULL);
    if (process->shadow_copies)
        set_number(f, element, "shadowcopies", process->shadow_copies);
    set_text(f, element, "stateless", stateless[process->stateless]);
    set_text(f, element, "firing", firings[process->firing]);
    if (process->priority)
        set_number(f, element, "priority", process->priority);
    if (process->execution_time.is_given)
        set_sequence(f, element, "executiontime", &process->times, process->execution_time.units);
    if (process->state_bits)
        set_number(f, element, "statebits", (int64_t)process->state_bits);
    set_period(f, element, &process->periodic);
}

/* Each source gets the variables that it sees: in the flat network, all would see all. */
static void set_cflags(struct flat *f, xmlNode *element, const struct dal_spec_process *process,
                       const struct dal_spec_source *source)
{
    size_t count;
    const struct dal_spec_variable *variables = dal_spec_variables(f->network, process, &count);
    struct dal_text text = {0};
    for (size_t i = 0; i < count; i++) {
        struct dal_text option = {0};
        dal_text_printf(&option, "-DVAR_%s=", variables[i].name);
        dal_variable_print_c(&option, &variables[i]);
        dal_text_add(&text, i ? " " : "");
        dal_text_add_shell(&text, dal_text_get(&option));
        text.lost |= option.lost;
        dal_text_finish(&option);
    }
    if (source->cflags && text.length)
        dal_text_add(&text, " ");
    if (source->cflags)
        dal_text_add(&text, source->cflags);
    set_text(f, element, "cflags", text.length ? dal_text_get(&text) : NULL);
    f->lost |= text.lost;
    dal_text_finish(&text);
}

static void set_work_items(struct flat *f, xmlNode *element, const struct dal_spec_source *source)
{
    const uint32_t *shape = source->work_shape;
    char text[64];
    if (!source->work_items)
        return;
    if (source->work_items == DAL_SPEC_AUTO)
        set_text(f, element, "dataparallelism", "auto");
    else if (!shape[0])
        set_number(f, element, "dataparallelism", source->work_items);
    else {
        snprintf(text, sizeof(text), "%" PRIu32 "x%" PRIu32 "x%" PRIu32, shape[0], shape[1],
                 shape[2]);
        set_text(f, element, "dataparallelism", text);
    }
}

static void add_source(struct flat *f, xmlNode *parent, const struct dal_spec_process *process,
                       const struct dal_spec_source *source)
{
    xmlNode *element = add_element(f, parent, "source");
    set_number(f, element, "id", source->id);
    set_text(f, element, "type", dal_spec_source_kind(source));
    set_text(f, element, "location", seen_from(f, source->path));
    set_work_items(f, element, source);
    if (!source->python) { /* else they are the interpreter's, on this machine */
        set_cflags(f, element, process, source);
        set_text(f, element, "libs", source->libs);
    }
    set_text(f, element, "contraction", source->contraction ? "on" : NULL);
    if (source->execution_time.is_given)
        set_sequence(f, element, "executiontime", &source->times, source->execution_time.units);
    for (size_t i = 0; i < source->file_count; i++)
        set_text(f, add_element(f, element, "file"), "location",
                 seen_from(f, source->files[i].path));
}

static void add_port(struct flat *f, xmlNode *parent, int output, const char *name, uint64_t blocks)
{
    xmlNode *element = add_element(f, parent, "port");
    set_text(f, element, "type", output ? "output" : "input");
    set_text(f, element, "name", name);
    if (blocks > 1)
        set_number(f, element, "blocks", (int64_t)blocks);
}

static void add_constant(struct flat *f, xmlNode *process, const struct dal_spec_constant *constant)
{
    xmlNode *element = add_element(f, process, "constant");
    char *type = dal_format("%s[%" PRIu64 "]", constant->type, constant->count);
    f->lost |= !type;
    set_text(f, element, "name", constant->name);
    set_text(f, element, "type", type);
    set_text(f, element, "file", constant->file);
    set_text(f, element, "value", constant->value);
    dal_free(type);
}

static void add_process(struct flat *f, const struct dal_spec_process *process)
{
    xmlNode *element = add_element(f, f->root, "process");
    set_label(f, element, process);
    set_attributes(f, element, process);
    for (size_t i = 0; i < process->port_count; i++)
        add_port(f, element, process->ports[i].output, process->ports[i].name,
                 process->ports[i].blocks);
    for (size_t i = 0; i < process->source_count; i++)
        add_source(f, element, process, &process->sources[i]);
    for (size_t i = 0; i < process->parameter_count; i++) {
        const struct dal_spec_parameter *parameter = &process->parameters[i];
        xmlNode *child = add_element(f, element, "parameter");
        set_text(f, child, "name", parameter->name);
        set_text(f, child, "value", parameter->value);
        set_text(f, child, "live", parameter->live ? "true" : NULL);
        set_text(f, child, "type",
                 parameter->typed ? dal_value_traits(parameter->type)->name : NULL);
        set_text(f, child, "min", parameter->min);
        set_text(f, child, "max", parameter->max);
    }
    for (size_t i = 0; i < process->constant_count; i++)
        add_constant(f, element, &process->constants[i]);
}

/* ---- channels -------------------------------------------------------------------------------- */

static void set_tokens(struct flat *f, xmlNode *element, const struct dal_spec_channel *channel,
                       const struct dal__raw_channel *raw)
{
    char *type = channel->token_type ? dal_spec_token_name(channel) : NULL;
    f->lost |= channel->token_type && !type;
    set_text(f, element, "tokentype", type);
    set_text(f, element, "header", channel->header);
    if (type ? raw->is_sized : !channel->unsaid_bytes)
        set_number(f, element, "tokensize", (int64_t)channel->token_bytes);
    dal_free(type);
}

static void set_rates(struct flat *f, xmlNode *element, const struct dal_spec_channel *channel,
                      const struct dal__raw_channel *raw)
{
    if (channel->dynamic_in)
        set_text(f, element, "tokenratein", "dynamic");
    else if (!channel->unsaid_in && !channel->counted.most)
        set_sequence(f, element, "tokenratein", &raw->in, channel->rate_in);
    if (channel->dynamic_out)
        set_text(f, element, "tokenrateout", "dynamic");
    else if (!channel->unsaid_out && !channel->counted.most)
        set_sequence(f, element, "tokenrateout", &raw->out, channel->rate_out);
}

static void add_side(struct flat *f, xmlNode *parent, const char *kind,
                     const struct dal__raw_end *end)
{
    xmlNode *element = add_element(f, parent, kind);
    set_text(f, element, "name", end->name);
    set_text(f, add_element(f, element, "port"), "name", end->port);
}

static void add_connection(struct flat *f, size_t channel, int from)
{
    const struct dal__raw_connection *connection = f->ends[channel][from];
    char name[48];
    xmlNode *element;
    if (!connection)
        return;
    snprintf(name, sizeof(name), "%s_%zu", from ? "from" : "to", channel);
    element = add_element(f, f->root, "connection");
    set_text(f, element, "name", name);
    add_side(f, element, "origin", &connection->origin);
    add_side(f, element, "target", &connection->target);
}

static void add_channel(struct flat *f, size_t number)
{
    const struct dal_spec_channel *channel = &f->network->channels[number];
    const struct dal__raw_channel *raw = &f->raw->channels[number];
    xmlNode *element = add_element(f, f->root, "sw_channel");
    set_text(f, element, "type", "fifo");
    set_name(f, element, channel->place, channel->name);
    if (channel->capacity && !channel->newest.is_given)
        set_number(f, element, "size", (int64_t)channel->capacity);
    set_tokens(f, element, channel, raw);
    set_rates(f, element, channel, raw);
    if (channel->counted.most)
        set_number(f, element, "most", (int64_t)channel->counted.most);
    if (channel->initial_tokens)
        set_number(f, element, "initialtokens", (int64_t)channel->initial_tokens);
    set_text(f, element, "value", raw->value);
    set_text(f, element, "data", raw->data);
    set_text(f, element, "inplace", channel->inplace ? "true" : NULL);
    set_text(f, element, "newest", channel->newest.is_given ? "true" : NULL);
    set_text(f, element, "repeat", channel->newest.repeat ? "true" : NULL);
    if (channel->newest.age_ns)
        set_time(f, element, "age", channel->newest.age_ns);
    add_port(f, element, 0, raw->input, 0);
    add_port(f, element, 1, raw->output, 0);
    add_connection(f, number, 0);
    add_connection(f, number, 1);
}

static int find_ends(struct flat *f)
{
    struct dal_names channels = {0};
    f->ends = dal_calloc(f->network->channel_count + 1, sizeof(*f->ends));
    f->lost |= !f->ends;
    for (size_t i = 0; i < f->network->channel_count; i++)
        f->lost |= dal_names_add(&channels, f->network->channels[i].name, i) == DAL_ERR_NOMEM;
    for (size_t i = 0; i < f->raw->connection_count && !f->lost; i++) {
        const struct dal__raw_connection *c = &f->raw->connections[i];
        size_t to = dal_names_find(&channels, c->target.name);
        size_t from = dal_names_find(&channels, c->origin.name);
        if (to != DAL_NAMES_NONE)
            f->ends[to][0] = c;
        if (from != DAL_NAMES_NONE)
            f->ends[from][1] = c;
    }
    dal_names_finish(&channels);
    return f->lost;
}

/* ---- the network ----------------------------------------------------------------------------- */

static void add_all(struct flat *f)
{
    set_name(f, f->root, f->network->place, f->network->name);
    if (f->network->throughput > 0) {
        char text[40];
        snprintf(text, sizeof(text), "%.17g", f->network->throughput);
        set_text(f, f->root, "throughput", text);
    }
    set_text(f, f->root, "mapping", f->raw->mapping);
    for (size_t i = 0; i < f->network->process_count; i++)
        add_process(f, &f->network->processes[i]);
    for (size_t i = 0; i < f->network->channel_count; i++)
        add_channel(f, i);
    for (size_t i = 0; i < f->raw->latency_count; i++) {
        xmlNode *element = add_element(f, f->root, "latency");
        set_text(f, element, "from", f->raw->latencies[i].from);
        set_text(f, element, "to", f->raw->latencies[i].to);
        set_time(f, element, "max", f->raw->latencies[i].max_ns);
        set_percentile(f, element, f->raw->latencies[i].late_ppm);
    }
}

static int write_flat(struct flat *f, char **text)
{
    struct dal__schema *schema = dal__schema_open("processnetwork");
    xmlDoc *document = xmlNewDoc((const xmlChar *)"1.0");
    f->root =
        document ? xmlNewDocNode(document, NULL, (const xmlChar *)"processnetwork", NULL) : NULL;
    f->lost |= !schema || !f->root;
    if (f->root)
        xmlDocSetRootElement(document, f->root);
    if (!f->lost && !find_ends(f))
        add_all(f);
    if (!f->lost && !f->diags->errors)
        *text = dal__tidy_text(schema, document);
    if (document)
        xmlFreeDoc(document);
    dal__schema_close(schema);
    dal_free(f->ends);
    return *text ? DAL_OK : f->diags->errors && !f->lost ? DAL_ERR_INVALID : dal__lost(f->diags);
}

/* Looks whether a network has others within it, and ports. */
static void look_at(const char *file, int *is_nested, int *has_ports)
{
    unsigned char digest[DAL_SHA256_BYTES];
    struct dal_diags unsaid;
    xmlDoc *document;
    xmlNode *root;
    int is_dol;
    dal_diags_init(&unsaid);
    document = dal__xml_read(&unsaid, file, "processnetwork", &is_dol, digest);
    root = document ? xmlDocGetRootElement(document) : NULL;
    *is_nested = *has_ports = 0;
    for (xmlNode *node = root; node && !is_dol; node = dal__xml_next(root, node)) {
        *is_nested |= dal__xml_is(node, "network");
        *has_ports |= dal__xml_is(node, "port") && dal__xml_is_of(node, root);
    }
    if (document)
        xmlFreeDoc(document);
    dal_diags_finish(&unsaid);
}

int dal_network_flatten(struct dal_diags *diags, const char *file,
                        const struct dal_spec_define *defines, size_t define_count, char **text)
{
    struct dal_spec *spec;
    struct dal__raw raw = {0};
    struct flat f = {.diags = diags, .raw = &raw.network};
    int status, is_nested, has_ports;
    *text = NULL;
    look_at(file, &is_nested, &has_ports);
    if (has_ports && define_count)
        return dal_error(diags, (struct dal_spec_place){.file = dal_diag_file(diags, file)},
                         "open-port",
                         "a network with open ports keeps its variables, so it takes no -D");
    if (has_ports || (!is_nested && !define_count))
        return DAL_OK;
    spec = dal_calloc(1, sizeof(*spec));
    if (!spec)
        return dal__lost(diags);
    f.network = &spec->network;
    status = dal__read_network(diags, file, defines, define_count, &spec->network, &raw);
    if (!status)
        status = diags->errors ? DAL_ERR_INVALID : write_flat(&f, text);
    dal__raw_finish(&raw);
    dal_spec_destroy(spec);
    return status;
}
