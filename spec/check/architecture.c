/* Checks the architecture: unique names, identifiers, links, costs. */
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <stdio.h>
#include <string.h>

#define MAX_CORE 65535

static const char *skip_digits(const char *text)
{
    return text + strspn(text, "0123456789");
}

/* Finds the number, of 1 or more, behind `key` at the end of `text`; returns its start, or NULL. */
static const char *numbered_tail(const char *text, const char *key)
{
    const char *at = NULL, *next = text;
    while ((next = strstr(next, key)))
        at = next++;
    next = at ? at + strlen(key) : "";
    return next[strspn(next, "0")] && !skip_digits(next)[0] ? at : NULL;
}

/* Is the text an identifier of a device, as CPU_32902_Name_DEV1, perhaps with _SUB2, or
 * CPU_DEV1? */
static int is_device(const struct dal_spec_capability_traits *traits, const char *text)
{
    const char *end = traits->has_parts ? numbered_tail(text, "_SUB") : NULL;
    char device[4100], type[5];
    size_t length = end ? (size_t)(end - text) : strlen(text);
    const char *vendor;
    snprintf(type, sizeof(type), "%s", text);
    if (strlen(type) < 4 || !strstr(traits->types, type) || length >= sizeof(device))
        return 0;
    memcpy(device, text, length);
    device[length] = '\0';
    end = numbered_tail(device, "_DEV");
    if (!end)
        return 0;
    if (end == device + 3)
        return 1;
    vendor = skip_digits(device + 4);
    return vendor > device + 4 && vendor[0] == '_' && vendor + 1 < end;
}

static int core_number(const char *text)
{
    int core = 0;
    if (!text[0] || skip_digits(text)[0])
        return -1;
    for (; *text && core <= MAX_CORE; text++)
        core = 10 * core + (*text - '0');
    return core <= MAX_CORE ? core : -1;
}

static enum dal_spec_memory usual_memory(const char *identifier)
{
    return strncmp(identifier, "CPU_", 4) == 0 ? DAL_MEMORY_UNIFIED : DAL_MEMORY_OWN;
}

static void refuse_identifier(struct dal_diags *diags, const struct dal_spec_processor *processor,
                              const struct dal_spec_capability *capability)
{
    const struct dal_spec_capability_traits *traits = dal_spec_capability_traits(capability->kind);
    if (!traits->has_parts && numbered_tail(capability->identifier, "_SUB"))
        dal_error(diags, capability->place, "bad-identifier",
                  "processor '%s': '%.200s' is a sub-device, which %s has not; leave out _SUB<m>",
                  processor->name, capability->identifier,
                  dal_processor_traits(capability->kind)->capability);
    else
        dal_error(diags, capability->place, "bad-identifier",
                  "processor '%s': '%.200s' is no %s identifier, %s; dalinfo lists those of this "
                  "machine",
                  processor->name, capability->identifier,
                  dal_processor_traits(capability->kind)->capability, traits->form);
}

static void check_memory(struct dal_diags *diags, const struct dal_spec_processor *processor,
                         struct dal_spec_capability *capability)
{
    const struct dal_spec_capability_traits *traits = dal_spec_capability_traits(capability->kind);
    if (capability->memory == DAL_MEMORY_UNKNOWN)
        capability->memory = usual_memory(capability->identifier);
    else if (capability->memory != DAL_MEMORY_OWN && !traits->shares_memory)
        dal_error(diags, capability->place, "device-memory",
                  "processor '%s': a device of %s has memory of its own; write memory=\"own\", or "
                  "leave it out",
                  processor->name, dal_processor_traits(capability->kind)->capability);
}

static void check_capability(struct dal_diags *diags, const struct dal_spec_processor *processor,
                             struct dal_spec_capability *capability)
{
    if (capability->kind == DAL_PROCESSOR_CORE) {
        capability->core = core_number(capability->identifier);
        if (capability->core < 0)
            dal_error(diags, capability->place, "bad-identifier",
                      "processor '%s': a POSIX identifier is the number of a core, not '%.100s'",
                      processor->name, capability->identifier);
        return;
    }
    if (!is_device(dal_spec_capability_traits(capability->kind), capability->identifier))
        refuse_identifier(diags, processor, capability);
    else
        check_memory(diags, processor, capability);
}

static void check_end(struct dal_diags *diags, const struct dal__raw *raw,
                      const struct dal_names *nodes, const struct dal__raw_link *link,
                      const struct dal__raw_end *end)
{
    size_t number = dal_names_find(nodes, end->name);
    struct dal__hint hint;
    if (number == DAL_NAMES_NONE) {
        dal_error(diags, link->place, "unknown-processor",
                  "link '%s': there is no processor or shared '%s'%s", link->name, end->name,
                  dal__did_you_mean(&hint, nodes, end->name));
        return;
    }
    for (size_t i = 0; i < raw->architecture.nodes[number].port_count; i++)
        if (strcmp(raw->architecture.nodes[number].ports[i], end->port) == 0)
            return;
    dal_error(diags, link->place, "unknown-port", "link '%s': '%s' has no port '%s'", link->name,
              end->name, end->port);
}

static int check_links(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                       const struct dal__raw *raw)
{
    struct dal_names nodes = {0};
    int status =
        DAL__CHECK_NAMES(diags, &nodes, "", raw->architecture.nodes, raw->architecture.node_count);
    for (size_t i = 0; i < raw->architecture.link_count && !status; i++) {
        check_end(diags, raw, &nodes, &raw->architecture.links[i],
                  &raw->architecture.links[i].ends[0]);
        check_end(diags, raw, &nodes, &raw->architecture.links[i],
                  &raw->architecture.links[i].ends[1]);
    }
    if (!status)
        status = dal__name_nodes(diags, architecture, raw, &nodes);
    if (!status)
        status = dal__check_links(diags, architecture, raw, &nodes);
    dal_names_finish(&nodes);
    return status;
}

int dal__check_architecture(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                            struct dal__raw *raw)
{
    if (architecture->processor_count == 0)
        dal_error(diags, architecture->place, "missing-processor",
                  "the architecture has no processor");
    for (size_t i = 0; i < architecture->processor_count; i++) {
        struct dal_spec_processor *processor = &architecture->processors[i];
        for (size_t k = 0; k < processor->capability_count; k++)
            check_capability(diags, processor, &processor->capabilities[k]);
        if (dal_names_add(&raw->names.processors, processor->name, i) == DAL_ERR_NOMEM)
            return dal__lost(diags);
    }
    if (check_links(diags, architecture, raw) || dal__check_measured(diags, architecture, raw))
        return DAL_ERR_NOMEM;
    dal__check_effect_architecture(diags, architecture, raw);
    return DAL_OK;
}
