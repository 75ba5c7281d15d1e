#include "synth/plan/mapping.h"

#include <inttypes.h>
#include <string.h>

/* Adds ` NAME="VALUE"`. */
static void add_attribute(struct dal_text *text, const char *name, const char *value)
{
    dal_text_printf(text, " %s=\"", name);
    for (; *value; value++)
        if (strchr("&<\"", *value))
            dal_text_printf(text, "&#%d;", *value);
        else
            dal_text_add_bytes(text, value, 1);
    dal_text_add(text, "\"");
}

/* Adds nothing for 0. */
static void add_count(struct dal_text *text, const char *name, uint32_t count)
{
    if (count == DAL_SPEC_AUTO)
        dal_text_printf(text, " %s=\"auto\"", name);
    else if (count)
        dal_text_printf(text, " %s=\"%" PRIu32 "\"", name, count);
}

static void add_items(struct dal_text *text, const struct dal_spec_binding *b)
{
    const uint32_t *shape = b->work_shape;
    if (!shape[0])
        add_count(text, "workitems", b->work_items);
    else if (shape[2] <= 1)
        dal_text_printf(text, " workitems=\"%" PRIu32 "x%" PRIu32 "\"", shape[0], shape[1]);
    else
        dal_text_printf(text, " workitems=\"%" PRIu32 "x%" PRIu32 "x%" PRIu32 "\"", shape[0],
                        shape[1], shape[2]);
}

static void add_target(struct dal_text *text, const struct dal_spec_binding *b)
{
    if (!b->shadow_copies && !b->work_items && !b->has_priority && !b->threads &&
        b->group == DAL_GROUP_IF_POSSIBLE)
        return;
    dal_text_add(text, "    <target");
    add_count(text, "shadowcopies", b->shadow_copies);
    add_items(text, b);
    if (b->has_priority)
        dal_text_printf(text, " priority=\"%d\"", b->priority);
    add_count(text, "threads", b->threads);
    if (b->group != DAL_GROUP_IF_POSSIBLE)
        dal_text_printf(text, " group=\"%s\"", b->group == DAL_GROUP_YES ? "yes" : "no");
    dal_text_add(text, "/>\n");
}

static void add_fallback(struct dal_text *text, const struct dal_spec_binding *b)
{
    if (!b->fallback)
        return;
    dal_text_printf(text, "    <fallback sourceid=\"%d\"", b->fallback->id);
    if (b->fallback_processor)
        add_attribute(text, "processor", b->fallback_processor->name);
    dal_text_add(text, "/>\n");
}

static void add_binding(struct dal_text *text, const struct dal_spec_binding *b)
{
    dal_text_add(text, "  <binding");
    add_attribute(text, "name", b->process->name);
    dal_text_add(text, ">\n    <process");
    add_attribute(text, "name", b->process->name);
    dal_text_printf(text, " sourceid=\"%d\"/>\n", b->source->id);
    for (size_t i = 0; i < b->processor_count; i++) {
        dal_text_add(text, "    <processor");
        add_attribute(text, "name", b->processors[i]->name);
        dal_text_add(text, "/>\n");
    }
    add_target(text, b);
    add_fallback(text, b);
    dal_text_add(text, "  </binding>\n");
}

/* The kind and the size of one channel may be two entries here; they are one in a file. */
static void add_channels(struct dal_text *text, const struct dal_spec *spec)
{
    const struct dal_spec_mapping *mapping = &spec->mapping;
    enum dal_spec_kind_wish kind = DAL_WISH_NONE;
    uint64_t capacity = 0;
    for (size_t i = 0; i < mapping->override_count; i++) {
        const struct dal_spec_override *o = &mapping->overrides[i];
        kind = o->kind != DAL_WISH_NONE ? o->kind : kind;
        capacity = o->capacity ? o->capacity : capacity;
        if (i + 1 < mapping->override_count && o[1].channel == o->channel)
            continue;
        dal_text_add(text, "  <channel");
        add_attribute(text, "name", o->channel->name);
        if (kind != DAL_WISH_NONE)
            dal_text_printf(text, " kind=\"%s\"", kind == DAL_WISH_NAIVE ? "naive" : "staged");
        if (capacity)
            dal_text_printf(text, " size=\"%" PRIu64 "\"", capacity);
        dal_text_add(text, "/>\n");
        kind = DAL_WISH_NONE;
        capacity = 0;
    }
}

static void add_queue(struct dal_text *text, const struct dal_spec_mapping *mapping)
{
    if (!mapping->queue_depth && !mapping->realtime &&
        (!mapping->policy || strcmp(mapping->policy, "fcfs") == 0))
        return;
    dal_text_add(text, "  <queue");
    if (mapping->queue_depth)
        dal_text_printf(text, " depth=\"%d\"", mapping->queue_depth);
    if (mapping->policy)
        add_attribute(text, "policy", mapping->policy);
    add_count(text, "realtime", (uint32_t)mapping->realtime);
    dal_text_add(text, "/>\n");
}

/* A comment may have no two hyphens side by side, nor one at its end. */
static void add_comment(struct dal_text *text, const char *comment)
{
    char before = '\0';
    if (!*comment)
        return;
    dal_text_add(text, "<!-- ");
    for (; *comment; comment++) {
        unsigned char byte = (unsigned char)*comment;
        if (byte == '-' && before == '-')
            dal_text_add(text, " ");
        if (byte < 0x20 && byte != '\n')
            dal_text_add(text, "?");
        else
            dal_text_add_bytes(text, comment, 1);
        if (byte == '\n' && comment[1])
            dal_text_add(text, "     ");
        before = *comment;
    }
    dal_text_add(text, " -->\n");
}

void dal_mapping_write(struct dal_text *text, const struct dal_spec *spec, const char *comment)
{
    const struct dal_spec_mapping *mapping = &spec->mapping;
    dal_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    add_comment(text, comment);
    dal_text_add(text, "<mapping");
    add_attribute(text, "name", mapping->name);
    add_attribute(text, "processnetwork", spec->network.name);
    dal_text_add(text, ">\n");
    for (size_t i = 0; i < spec->network.variable_count; i++)
        if (spec->network.variables[i].is_auto)
            dal_text_printf(text, "  <variable name=\"%s\" value=\"%" PRId64 "\"/>\n",
                            spec->network.variables[i].name, spec->network.variables[i].value);
    for (size_t i = 0; i < mapping->binding_count; i++)
        add_binding(text, &mapping->bindings[i]);
    add_channels(text, spec);
    add_queue(text, mapping);
    dal_text_add(text, "</mapping>\n");
}
