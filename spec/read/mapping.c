/* Reads mappings: bindings, channels and the schedule. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/realtime.h"
#include "spec/base/file.h"
#include "spec/base/limits.h"
#include "spec/read/network.h"
#include "spec/read/variable.h"

#include <limits.h>
#include <string.h>

#define MAX_DEPTH 65536

/* Reads a number that overrides another, which stays if the attribute is absent. */
static void read_override_number(struct dal__reader *reader, const xmlNode *element,
                                 const char *attribute, uint32_t *number)
{
    const struct dal__number rule = {
        .attribute = attribute, .least = 1, .most = DAL_MAX_COPIES, .absent = *number};
    int64_t value;
    dal__xml_number_or_auto(reader, element, &rule, &value);
    *number = (uint32_t)value;
}

static int has_attribute(const xmlNode *element, const char *attribute)
{
    return xmlHasProp(element, (const xmlChar *)attribute) != NULL;
}

static void read_target(struct dal__reader *reader, const xmlNode *element,
                        struct dal__raw_binding *binding)
{
    static const struct dal__number priority_rule = {
        .attribute = "priority", .least = -DAL_MAX_PRIORITY, .most = DAL_MAX_PRIORITY};
    static const struct dal__number threads_rule = {
        .attribute = "threads", .least = 1, .most = DAL_MAX_THREADS};
    DAL__XML_EACH(child, element)
    {
        read_override_number(reader, child, "workgroups", &binding->shadow_copies);
        dal__xml_work_items(reader, child, "workitems", &binding->work_items, binding->work_shape);
        binding->has_both_copies =
            has_attribute(child, "workgroups") && has_attribute(element, "shadowcopies");
        binding->has_both_items =
            has_attribute(child, "workitems") && has_attribute(element, "workitems");
    }
    read_override_number(reader, element, "shadowcopies", &binding->shadow_copies);
    dal__xml_work_items(reader, element, "workitems", &binding->work_items, binding->work_shape);
    binding->priority = (int)dal__xml_value(reader, element, &priority_rule);
    binding->has_priority = has_attribute(element, "priority");
    binding->threads = (uint32_t)dal__xml_value(reader, element, &threads_rule);
    binding->group = dal__xml_has(element, "group", "yes")  ? DAL_GROUP_YES
                     : dal__xml_has(element, "group", "no") ? DAL_GROUP_NO
                                                            : DAL_GROUP_IF_POSSIBLE;
}

/* State that the visits of a mapping's elements share. */
struct mapping_walk {
    struct dal_spec_mapping *mapping;
    struct dal__raw *raw;
    const char *prefix; /* of names; NULL of the outer mapping, which has a queue and values */
    size_t values;
    int queues;
};

static int read_reference(struct dal__reader *reader, xmlNode *element,
                          struct dal__raw_reference *reference)
{
    reference->place = dal__xml_place(element);
    return dal__fatal(dal__xml_name(reader, element, &reference->name));
}

/* Reads the name of a process or a channel, which is that of a part. */
static int read_placed(struct dal__reader *reader, const struct mapping_walk *walk,
                       xmlNode *element, struct dal__raw_reference *reference)
{
    const struct dal__network_state part = {.prefix = walk->prefix ? walk->prefix : ""};
    int status = read_reference(reader, element, reference);
    return status ? status : dal__fatal(dal__qualify(reader, &part, element, &reference->name));
}

static const struct dal__number source_rule = {.attribute = "sourceid", .most = INT_MAX};

static int read_bound_process(struct dal__reader *reader, const struct mapping_walk *walk,
                              xmlNode *element, struct dal__raw_binding *binding)
{
    binding->source = (int)dal__xml_value(reader, element, &source_rule);
    binding->has_source = has_attribute(element, "sourceid");
    return read_placed(reader, walk, element, &binding->process);
}

static int read_bound_processor(struct dal__reader *reader, xmlNode *element,
                                struct dal__raw_binding *binding)
{
    int status;
    struct dal__raw_reference *reference =
        DAL__ADD(reader, element, NULL, binding->processors, binding->processor_count, &status);
    return reference ? read_reference(reader, element, reference) : status;
}

static int read_fallback(struct dal__reader *reader, const xmlNode *element,
                         struct dal__raw_fallback *fallback)
{
    *fallback = (struct dal__raw_fallback){
        .is_given = 1,
        .has_source = has_attribute(element, "sourceid"),
        .source = (int)dal__xml_value(reader, element, &source_rule),
        .place = dal__xml_place(element),
    };
    return dal__xml_text(reader, element, "processor", &fallback->processor);
}

static int read_binding(struct dal__reader *reader, const struct mapping_walk *walk,
                        xmlNode *element)
{
    static const struct dal__limit limit = {.most = DAL_MAX_PROCESSES, .things = "bindings"};
    struct dal__raw_mapping *raw = &walk->raw->mapping;
    int status;
    struct dal__raw_binding *binding =
        DAL__ADD(reader, element, &limit, raw->bindings, raw->binding_count, &status);
    if (!binding)
        return status;
    binding->place = dal__xml_place(element);
    status = dal__fatal(dal__xml_name(reader, element, &binding->name));
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "process"))
            status = read_bound_process(reader, walk, child, binding);
        else if (!status && dal__xml_is(child, "processor"))
            status = read_bound_processor(reader, child, binding);
        else if (!status && dal__xml_is(child, "target"))
            read_target(reader, child, binding);
        else if (!status && dal__xml_is(child, "fallback"))
            status = read_fallback(reader, child, &binding->fallback);
    }
    return status;
}

static int read_override(struct dal__reader *reader, const struct mapping_walk *walk,
                         xmlNode *element)
{
    static const struct dal__number rule = {.attribute = "size",
                                            .least = 1,
                                            .most = DAL_MAX_CHANNEL_BYTES,
                                            .low_code = "size-zero",
                                            .high_code = "size-too-large"};
    struct dal__raw_mapping *raw = &walk->raw->mapping;
    int64_t capacity;
    int status;
    struct dal__raw_override *override =
        DAL__ADD(reader, element, NULL, raw->overrides, raw->override_count, &status);
    if (!override)
        return status;
    if (dal__xml_number(reader, element, &rule, &capacity))
        capacity = 0;
    override->capacity = (uint64_t)capacity;
    override->kind = dal__xml_has(element, "kind", "naive")    ? DAL_WISH_NAIVE
                     : dal__xml_has(element, "kind", "staged") ? DAL_WISH_STAGED
                                                               : DAL_WISH_NONE;
    return read_placed(reader, walk, element, &override->channel);
}

static int read_queue(struct dal__reader *reader, struct dal_spec_mapping *mapping,
                      const xmlNode *element)
{
    static const struct dal__number depth = {.attribute = "depth", .least = 1, .most = MAX_DEPTH};
    static const struct dal__number realtime = {.attribute = "realtime", .most = DAL_REALTIME_MOST};
    mapping->queue_depth = (int)dal__xml_value(reader, element, &depth);
    mapping->realtime = (int)dal__xml_value(reader, element, &realtime);
    return dal__xml_text(reader, element, "policy", &mapping->policy);
}

static const struct dal__number value_rule = {
    .attribute = "value", .least = 1, .most = DAL_MAX_OPEN, .absent = 1};

static int read_value(struct dal__reader *reader, struct dal__raw *raw, const xmlNode *element)
{
    int status;
    struct dal__raw_value *value =
        DAL__ADD(reader, element, NULL, raw->mapping.values, raw->mapping.value_count, &status);
    if (!value)
        return status;
    value->line = dal__xml_place(element).line;
    value->value = dal__xml_value(reader, element, &value_rule);
    return dal__xml_text(reader, element, "name", &value->name);
}

static int read_values(struct dal__reader *reader, struct dal__raw *raw, const xmlNode *root)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, root)
    {
        if (!status && dal__xml_is(child, "variable") &&
            raw->mapping.value_count < DAL_MAX_VARIABLES)
            status = read_value(reader, raw, child);
    }
    return status;
}

int dal__read_values(const char *file, struct dal__raw *raw)
{
    struct dal_expr_scope scope = {0};
    struct dal_spec_place place;
    struct dal_diags diags;
    struct dal__reader reader = {.diags = &diags, .scope = &scope};
    char *name = NULL;
    xmlNode *root;
    int status = DAL_OK, lost;
    dal_diags_init(&diags);
    root = dal__xml_open(&reader, file, "mapping", &place, &name);
    if (root && !reader.is_dol) /* there they are of the file itself */
        status = read_values(&reader, raw, root);
    lost = diags.lost;
    dal__xml_close(root);
    dal_free(name);
    dal_diags_finish(&diags);
    return status || lost ? DAL_ERR_NOMEM : DAL_OK;
}

/* Tells what is wrong with a value. dal__read_values() has read it, before there were variables. */
static void check_open_value(struct dal__reader *reader, const xmlNode *element)
{
    struct dal_expr_scope none = {0}, *scope = reader->scope;
    reader->scope = &none;
    dal__xml_value(reader, element, &value_rule);
    reader->scope = scope;
}

/* A value of the outer mapping has been read. */
static int visit_variable(struct dal__reader *reader, const xmlNode *element,
                          struct mapping_walk *walk)
{
    if (reader->is_dol)
        return DAL_OK;
    if (walk->prefix) {
        dal_error(reader->diags, dal__xml_place(element), "open-variable",
                  "variable '%s' has its value where the part is used; the part's own mapping "
                  "cannot give it one",
                  dal__xml_get(element, "name"));
        return DAL_OK;
    }
    if (walk->values++ == DAL_MAX_VARIABLES) {
        dal_error(reader->diags, dal__xml_place(element), "network-size", "more than %d variables",
                  DAL_MAX_VARIABLES);
        return DAL_ERR_LIMIT;
    }
    check_open_value(reader, element);
    return DAL_OK;
}

static int visit_queue(struct dal__reader *reader, xmlNode *element, struct mapping_walk *walk)
{
    struct dal__raw_mapping *raw = &walk->raw->mapping;
    if (walk->queues++ > 0) {
        dal_error(reader->diags, dal__xml_place(element), "xml-schema", "a second element 'queue'");
        return DAL_OK;
    }
    if (walk->prefix)
        return DAL_OK;
    raw->queue = dal__xml_place(element);
    raw->queue_says = has_attribute(element, "depth") || has_attribute(element, "policy");
    raw->queue_fires = has_attribute(element, "realtime");
    return read_queue(reader, walk->mapping, element);
}

static int visit_mapping(struct dal__reader *reader, xmlNode *element, void *context)
{
    struct mapping_walk *walk = context;
    if (dal__xml_is(element, "binding"))
        return read_binding(reader, walk, element);
    if (dal__xml_is(element, "channel"))
        return read_override(reader, walk, element);
    if (dal__xml_is(element, "variable"))
        return visit_variable(reader, element, walk);
    return visit_queue(reader, element, walk);
}

/* Reads all that is in the root. */
static int read_rules(struct dal__reader *reader, xmlNode *root, struct mapping_walk *walk)
{
    struct dal__own_variables own = {0};
    int status = reader->is_dol ? dal__own_variables_read(reader, root, &own) : DAL_OK;
    if (!status)
        status = dal__xml_walk(reader, root, visit_mapping, walk);
    dal__own_variables_finish(reader, &own);
    return status;
}

static void check_for_network(struct dal_diags *diags, const xmlNode *root, const char *network,
                              struct dal_spec_place place)
{
    const char *said = dal__xml_get(root, "processnetwork");
    if (!said || strcmp(said, network) == 0)
        return;
    dal_error(diags, dal__xml_place(root), "wrong-network",
              "mapping '%s' is for process network '%s', but this one is '%s'",
              dal__xml_get(root, "name"), said, network);
    dal_note(diags, place, "process network '%s' is here", network);
}

int dal__read_mapping(struct dal_diags *diags, const char *file,
                      const struct dal_spec_network *network, struct dal_spec_mapping *mapping,
                      struct dal__raw *raw)
{
    struct mapping_walk walk = {.mapping = mapping, .raw = raw};
    struct dal__reader reader = {.diags = diags, .scope = &raw->scope, .foreign = raw->scope.count};
    xmlNode *root = dal__xml_open(&reader, file, "mapping", &mapping->place, &mapping->name);
    int status = root ? read_rules(&reader, root, &walk) : DAL_ERR_INVALID;
    mapping->file = mapping->place.file;
    memcpy(mapping->digest, reader.digest, sizeof(reader.digest));
    if (root && network)
        check_for_network(diags, root, network->name, network->place);
    if (!status && !mapping->policy) {
        mapping->policy = dal_strdup("fcfs");
        status = mapping->policy ? DAL_OK : dal__lost(diags);
    }
    raw->has_mapping = !status && !reader.unclear;
    dal__xml_close(root);
    return status;
}

/* ---- parts' own ------------------------------------------------------------------------------ */

/* Its expressions are over the part's variables. */
static int read_own_rules(struct dal__reader *reader, xmlNode *root,
                          const struct dal_spec_part *part, struct dal__raw *raw)
{
    char *prefix = dal_format("%s.", part->name);
    struct mapping_walk walk = {.raw = raw, .prefix = prefix};
    int status = prefix ? DAL_OK : dal__lost(reader->diags);
    for (size_t i = 0; i < part->variable_count && !status; i++)
        status = dal__show_variable(reader, &part->variables[i]);
    reader->foreign = reader->scope->count;
    root->doc->_private = (void *)part->mapping; /* as that of the part's file */
    check_for_network(reader->diags, root, part->network,
                      (struct dal_spec_place){.file = part->file});
    if (!status)
        status = read_rules(reader, root, &walk);
    dal_free(prefix);
    return status;
}

/* Returns whether it could be read. */
static int read_own_mapping(struct dal_diags *diags, const struct dal_spec_part *part,
                            struct dal__raw *raw, struct dal_sha256 *sha)
{
    struct dal_expr_scope scope = {0};
    struct dal__reader reader = {.diags = diags, .scope = &scope};
    struct dal_spec_place place = {.file = part->file};
    const char *why = dal_file_fault(part->mapping);
    char *name = NULL;
    xmlNode *root = why ? NULL : dal__xml_open(&reader, part->mapping, "mapping", &place, &name);
    int is_read = root && read_own_rules(&reader, root, part, raw) == DAL_OK && !reader.unclear;
    if (why)
        dal_error(diags, place, "file", "its mapping '%s': %s", part->mapping, why);
    dal_sha256_add(sha, reader.digest, sizeof(reader.digest));
    dal_expr_scope_finish(&scope);
    dal_free(name);
    dal__xml_close(root);
    return is_read;
}

void dal__read_own_mappings(struct dal_diags *diags, const struct dal_spec_network *network,
                            struct dal_spec_mapping *mapping, struct dal__raw *raw)
{
    struct dal_sha256 sha;
    int are_any = 0;
    dal_sha256_begin(&sha);
    dal_sha256_add(&sha, mapping->digest, sizeof(mapping->digest));
    for (size_t i = 0; i < network->part_count; i++)
        if (network->parts[i]->mapping) {
            are_any = 1;
            raw->has_mapping &= read_own_mapping(diags, network->parts[i], raw, &sha);
        }
    if (are_any)
        dal_sha256_end(&sha, mapping->digest);
}
