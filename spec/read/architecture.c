/* Reads architectures: nodes, processors with their capabilities, links. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/costs.h"
#include "spec/read/raw.h"
#include "spec/read/xml.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#define MAX_PROCESSORS 4096
#define MAX_LINKS      100000

static void remove_space(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            *to++ = *text;
    *to = '\0';
}

static int read_node_port(struct dal__reader *reader, const xmlNode *element,
                          struct dal__raw_node *node)
{
    const struct dal__limit limit = {
        .most = DAL_MAX_PORTS, .things = "ports", .of = "", .name = node->name};
    int status;
    char **name = DAL__ADD(reader, element, &limit, node->ports, node->port_count, &status);
    return name ? dal__xml_text(reader, element, "name", name) : status;
}

/* Reads what a <shared> and a <processor> have in common. */
static int read_node(struct dal__reader *reader, struct dal__raw *raw, xmlNode *element)
{
    int status;
    struct dal__raw_node *node = DAL__ADD(reader, element, NULL, raw->architecture.nodes,
                                          raw->architecture.node_count, &status);
    if (!node)
        return status;
    node->place = dal__xml_place(element);
    status = dal__fatal(dal__xml_name(reader, element, &node->name));
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "port"))
            status = read_node_port(reader, child, node);
    }
    return status;
}

/* Adds a capability to a processor; NULL without memory. */
static struct dal_spec_capability *add_capability(struct dal__reader *reader,
                                                  const xmlNode *element,
                                                  struct dal_spec_processor *processor,
                                                  enum dal_processor_kind kind)
{
    int status;
    struct dal_spec_capability *capability = DAL__ADD(
        reader, element, NULL, processor->capabilities, processor->capability_count, &status);
    if (!capability)
        return NULL;
    capability->kind = kind;
    capability->core = -1;
    capability->place = dal__xml_place(element);
    return capability;
}

/* Returns the first attribute here that only devices may have, or NULL. */
static const char *find_of_device(const xmlNode *element)
{
    static const char *const names[] = {"platform", "memory", "computeunits", "workgroup",
                                        "buffer"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (xmlHasProp(element, (const xmlChar *)names[i]))
            return names[i];
    return NULL;
}

static uint64_t read_fact(struct dal__reader *reader, const xmlNode *element, const char *attribute)
{
    const struct dal__number rule = {
        .attribute = attribute, .least = 1, .most = INT64_MAX, .absent = 0};
    return (uint64_t)dal__xml_value(reader, element, &rule);
}

/* The schema has checked the value. */
static enum dal_spec_memory memory_kind(const char *name)
{
    if (strcmp(name, "unified") == 0)
        return DAL_MEMORY_UNIFIED;
    return strcmp(name, "mapped") == 0 ? DAL_MEMORY_MAPPED : DAL_MEMORY_OWN;
}

static int read_capability_texts(struct dal__reader *reader, const xmlNode *element,
                                 struct dal_spec_capability *capability)
{
    const char *memory = dal__xml_get(element, "memory");
    if (dal__xml_text(reader, element, "identifier", &capability->identifier) ||
        dal__xml_text(reader, element, "platform", &capability->platform))
        return DAL_ERR_NOMEM;
    remove_space(capability->identifier);
    if (memory)
        capability->memory = memory_kind(memory);
    capability->compute_units = read_fact(reader, element, "computeunits");
    capability->work_group = read_fact(reader, element, "workgroup");
    capability->buffer_bytes = read_fact(reader, element, "buffer");
    capability->of_device = find_of_device(element);
    return DAL_OK;
}

/* Reads a capability that is known and new. */
static int read_capability(struct dal__reader *reader, const xmlNode *element,
                           struct dal_spec_processor *processor)
{
    struct dal_spec_place place = dal__xml_place(element);
    const char *name = dal__xml_get(element, "name");
    struct dal_spec_capability *capability;
    int known = dal_spec_find_capability(name);
    enum dal_processor_kind kind = (enum dal_processor_kind)known;
    if (known < 0) {
        dal_warning(reader->diags, place, "unknown-capability",
                    "processor '%s': capability '%s' is ignored; known are POSIX, OPENCL and CUDA",
                    processor->name, name);
        return DAL_OK;
    }
    if (dal_spec_capability(processor, kind)) {
        dal_error(reader->diags, place, "duplicate-name",
                  "processor '%s': a second capability '%s'", processor->name, name);
        return DAL_OK;
    }
    capability = add_capability(reader, element, processor, kind);
    return capability ? read_capability_texts(reader, element, capability) : DAL_ERR_NOMEM;
}

/* Makes a processor of DOL's a core of this machine: in order, and again from the first on. */
static int add_core(struct dal__reader *reader, const xmlNode *element,
                    struct dal_spec_processor *processor)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct dal_spec_capability *core =
        add_capability(reader, element, processor, DAL_PROCESSOR_CORE);
    if (!core)
        return DAL_ERR_NOMEM;
    core->identifier = dal_format("%ld", cores > 0 ? (long)processor->number % cores : 0);
    return core->identifier ? DAL_OK : dal__lost(reader->diags);
}

static int read_processor(struct dal__reader *reader, struct dal_spec_architecture *architecture,
                          xmlNode *element)
{
    static const struct dal__limit limit = {.most = MAX_PROCESSORS, .things = "processors"};
    int status;
    struct dal_spec_processor *processor = DAL__ADD(
        reader, element, &limit, architecture->processors, architecture->processor_count, &status);
    if (!processor)
        return status;
    processor->number = architecture->processor_count - 1;
    processor->place = dal__xml_place(element);
    status = dal__fatal(dal__xml_name(reader, element, &processor->name));
    if (!status)
        status = dal__xml_text(reader, element, "type", &processor->type);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "capability"))
            status = read_capability(reader, child, processor);
    }
    if (!status && reader->is_dol && !processor->capability_count)
        status = add_core(reader, element, processor);
    return status;
}

static int read_end_point(struct dal__reader *reader, const xmlNode *element,
                          struct dal__raw_end *end)
{
    int status = dal__xml_text(reader, element, "name", &end->name);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "port"))
            status = dal__xml_text(reader, child, "name", &end->port);
    }
    return status;
}

int dal__read_bandwidth(struct dal__reader *reader, const xmlNode *element, uint64_t *bandwidth)
{
    static const struct dal__unit rates[] = {{"bit/s", 1. / 8},
                                             {"kbit/s", 1e3 / 8},
                                             {"Mbit/s", 1e6 / 8},
                                             {"Gbit/s", 1e9 / 8},
                                             {"Tbit/s", 1e12 / 8},
                                             {"B/s", 1},
                                             {"kB/s", 1e3},
                                             {"MB/s", 1e6},
                                             {"GB/s", 1e9},
                                             {"TB/s", 1e12},
                                             {0}};
    static const struct dal__quantity rule = {.attribute = "bandwidth",
                                              .units = rates,
                                              .least = 125,
                                              .most = UINT64_C(12500000000000),
                                              .range = "at least 1kbit/s, at most 100Tbit/s"};
    return dal__xml_quantity(reader, element, &rule, bandwidth);
}

static void read_capacity(struct dal__reader *reader, const xmlNode *element,
                          struct dal__raw_link *link)
{
    static const struct dal__quantity latency = {.attribute = "latency",
                                                 .units = dal__xml_times,
                                                 .most = UINT64_C(10000000000),
                                                 .range = "at most 10s"};
    link->has_latency = dal__xml_quantity(reader, element, &latency, &link->latency_ns);
    link->has_bandwidth = dal__read_bandwidth(reader, element, &link->bandwidth);
}

static int read_link(struct dal__reader *reader, struct dal__raw *raw, const xmlNode *element)
{
    static const struct dal__limit limit = {.most = MAX_LINKS, .things = "links"};
    int status;
    struct dal__raw_link *link = DAL__ADD(reader, element, &limit, raw->architecture.links,
                                          raw->architecture.link_count, &status);
    if (!link)
        return status;
    link->place = dal__xml_place(element);
    read_capacity(reader, element, link);
    status = dal__xml_text(reader, element, "name", &link->name);
    DAL__XML_EACH(child, element)
    {
        if (!status)
            status = read_end_point(reader, child, &link->ends[dal__xml_is(child, "end_point_2")]);
    }
    return status;
}

/* State that the visits of an architecture's elements share. */
struct architecture_walk {
    struct dal_spec_architecture *architecture;
    struct dal__raw *raw;
};

static int visit_architecture(struct dal__reader *reader, xmlNode *element, void *context)
{
    struct architecture_walk *walk = context;
    int status;
    if (dal__xml_is(element, "variable"))
        return DAL_OK;
    if (dal__xml_is(element, "link"))
        return read_link(reader, walk->raw, element);
    if (dal__xml_is(element, "measured"))
        return dal__read_measured(reader, &walk->architecture->measured, walk->raw, element);
    status = read_node(reader, walk->raw, element);
    if (!status && dal__xml_is(element, "processor"))
        status = read_processor(reader, walk->architecture, element);
    return status;
}

int dal__read_architecture(struct dal_diags *diags, const char *file,
                           struct dal_spec_architecture *architecture, struct dal__raw *raw)
{
    struct architecture_walk walk = {.architecture = architecture, .raw = raw};
    struct dal__own_variables own = {0};
    struct dal_expr_scope scope = {0};
    struct dal__reader reader = {.diags = diags, .scope = &scope};
    xmlNode *root =
        dal__xml_open(&reader, file, "architecture", &architecture->place, &architecture->name);
    int status = root ? dal__own_variables_read(&reader, root, &own) : DAL_ERR_INVALID;
    if (!status)
        status = dal__xml_walk(&reader, root, visit_architecture, &walk);
    dal__own_variables_finish(&reader, &own);
    dal_expr_scope_finish(&scope);
    architecture->file = architecture->place.file;
    memcpy(architecture->digest, reader.digest, sizeof(reader.digest));
    raw->has_architecture = !status && !reader.unclear;
    dal__xml_close(root);
    return status;
}
