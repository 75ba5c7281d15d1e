#define _GNU_SOURCE
#include "spec/dialects/short/tidy.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "spec/xml/schema.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mark in xmlNode._private, beside the line of an element. */
#define BLANK ((uintptr_t)1 << 40)

enum { MOST_DEPTH = 64 };

/* ---- white space ----------------------------------------------------------------------------- */

static int count_newlines(const xmlNode *text)
{
    int count = 0;
    for (const xmlChar *at = text->content; at && *at; at++)
        count += *at == '\n';
    return count;
}

static void space_within(xmlNode *parent)
{
    xmlNode *next;
    for (xmlNode *node = parent->children; node; node = next) {
        next = node->next;
        if (node->type == XML_ELEMENT_NODE)
            space_within(node);
        if (node->type != XML_TEXT_NODE || !xmlIsBlankNode(node))
            continue;
        if (next && node->prev && count_newlines(node) > 1)
            next->_private = (void *)((uintptr_t)next->_private | BLANK);
        dal__xml_remove(node);
    }
}

void dal__tidy_space(xmlDoc *document)
{
    space_within(xmlDocGetRootElement(document));
}

/* ---- one way to say a thing ------------------------------------------------------------------ */

static int set_if_absent(xmlNode *element, const char *name, const char *value)
{
    if (xmlHasProp(element, (const xmlChar *)name))
        return DAL_OK;
    return xmlNewProp(element, (const xmlChar *)name, (const xmlChar *)value) ? DAL_OK
                                                                              : DAL_ERR_NOMEM;
}

static int number_sources(xmlNode *process)
{
    int number = 0, status = DAL_OK;
    DAL__XML_EACH(child, process)
    {
        char id[16];
        if (!dal__xml_is(child, "source") || status)
            continue;
        snprintf(id, sizeof(id), "%d", number++);
        status = set_if_absent(child, "id", id);
    }
    return status;
}

static int same_attribute(const xmlNode *a, const xmlNode *b, const char *name)
{
    const char *x = dal__xml_get(a, name);
    const char *y = dal__xml_get(b, name);
    return x && y && strcmp(x, y) == 0;
}

static int same_appends(xmlNode *a, xmlNode *b)
{
    a = dal__xml_find(a->children, "append");
    b = dal__xml_find(b->children, "append");
    while (a && b && same_attribute(a, b, "function")) {
        a = dal__xml_find(a->next, "append");
        b = dal__xml_find(b->next, "append");
    }
    return !a && !b;
}

static int is_of(xmlNode *connection, xmlNode *channel, int number)
{
    xmlNode *side;
    if (!connection || !dal__xml_is(connection, "connection"))
        return 0;
    side = dal__xml_child(connection, number ? "origin" : "target");
    return side && same_attribute(side, channel, "name") && same_appends(side, channel);
}

xmlNode *dal__tidy_connection(xmlNode *channel, int number)
{
    xmlNode *node = channel->next;
    if (number)
        node = node ? node->next : NULL;
    return node && node->type == XML_ELEMENT_NODE && is_of(node, channel, number) ? node : NULL;
}

/* Moves the two connections of a channel behind it, where they are beside it. */
static void fetch_connections(xmlNode *parent, xmlNode *channel)
{
    xmlNode *behind = channel;
    for (int number = 0; number < 2; number++)
        DAL__XML_EACH(child, parent)
        {
            if (!is_of(child, channel, number))
                continue;
            child->_private = (void *)((uintptr_t)child->_private & ~BLANK);
            if (behind->next != child) {
                xmlUnlinkNode(child);
                xmlAddNextSibling(behind, child);
            }
            behind = child;
            break;
        }
}

int dal__tidy_network(xmlNode *parent)
{
    int status = DAL_OK;
    DAL__XML_EACH(child, parent)
    {
        if (status)
            return status;
        if (dal__xml_is(child, "iterator")) {
            status = dal__tidy_network(child);
        } else if (dal__xml_is(child, "process")) {
            status = number_sources(child);
        } else if (dal__xml_is(child, "sw_channel")) {
            fetch_connections(parent, child);
            status = set_if_absent(child, "type", "fifo");
        }
    }
    return status;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Attributes stand as in the schema; "cflags.opencl" stands beside "cflags". */
static int rank_of(const xmlNode *type, const xmlAttr *attribute)
{
    const char *name = (const char *)attribute->name;
    char stem[40];
    snprintf(stem, sizeof(stem), "%.*s", (int)strcspn(name, "."), name);
    return attribute->ns ? INT_MAX : dal__schema_rank(type, stem);
}

/* Moves an attribute in front of those that stand behind it in the schema. */
static void sort_attribute(const xmlNode *type, xmlAttr *attribute)
{
    xmlAttr *before = attribute->prev;
    int rank = rank_of(type, attribute);
    while (before && rank_of(type, before) > rank)
        before = before->prev;
    if (before == attribute->prev)
        return;
    attribute->prev->next = attribute->next;
    if (attribute->next)
        attribute->next->prev = attribute->prev;
    attribute->prev = before;
    attribute->next = before ? before->next : attribute->parent->properties;
    attribute->next->prev = attribute;
    if (before)
        before->next = attribute;
    else
        attribute->parent->properties = attribute;
}

static void sort_attributes(const struct dal__schema *schema, xmlNode *element)
{
    const xmlNode *type = dal__schema_element(schema, (const char *)element->name);
    xmlAttr *next;
    for (xmlAttr *attribute = element->properties; attribute; attribute = next) {
        next = attribute->next;
        sort_attribute(type, attribute);
    }
    DAL__XML_EACH(child, element)
    {
        sort_attributes(schema, child);
    }
}

static void write_value(FILE *out, const xmlChar *value)
{
    static const char *const names[] = {
        ['&'] = "&amp;",  ['<'] = "&lt;",  ['>'] = "&gt;",  ['"'] = "&quot;",
        ['\n'] = "&#10;", ['\t'] = "&#9;", ['\r'] = "&#13;"};
    for (; *value; value++)
        if (*value < sizeof(names) / sizeof(names[0]) && names[*value])
            fputs(names[*value], out);
        else
            fputc(*value, out);
}

static void write_attribute(FILE *out, const xmlAttr *attribute)
{
    fputc(' ', out);
    if (attribute->ns && attribute->ns->prefix)
        fprintf(out, "%s:", (const char *)attribute->ns->prefix);
    fprintf(out, "%s=\"", (const char *)attribute->name);
    if (attribute->children && attribute->children->content)
        write_value(out, attribute->children->content);
    fputc('"', out);
}

static void write_namespaces(FILE *out, const xmlNode *element)
{
    for (const xmlNs *ns = element->nsDef; ns; ns = ns->next) {
        fprintf(out, ns->prefix ? " xmlns:%s=\"" : " xmlns%s=\"",
                ns->prefix ? (const char *)ns->prefix : "");
        write_value(out, ns->href ? ns->href : (const xmlChar *)"");
        fputc('"', out);
    }
}

static void write_name(FILE *out, const xmlNode *element)
{
    if (element->ns && element->ns->prefix)
        fprintf(out, "%s:", (const char *)element->ns->prefix);
    fputs((const char *)element->name, out);
}

static void write_node(FILE *out, const xmlNode *node, int depth);

/* Writes text as it is, for example that of DOL's functions. */
static void write_text(FILE *out, const xmlNode *element)
{
    for (const xmlNode *child = element->children; child; child = child->next)
        if (child->type == XML_CDATA_SECTION_NODE)
            fprintf(out, "<![CDATA[%s]]>", (const char *)child->content);
        else if (child->type == XML_TEXT_NODE)
            write_value(out, child->content);
        else
            write_node(out, child, 0);
    fputs("</", out);
    write_name(out, element);
    fputs(">\n", out);
}

static void write_element(FILE *out, const xmlNode *element, int depth)
{
    fputc('<', out);
    write_name(out, element);
    write_namespaces(out, element);
    for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next)
        write_attribute(out, attribute);
    if (!element->children) {
        fputs("/>\n", out);
        return;
    }
    fputc('>', out);
    if (element->children->type == XML_TEXT_NODE ||
        element->children->type == XML_CDATA_SECTION_NODE) {
        write_text(out, element);
        return;
    }
    fputc('\n', out);
    for (const xmlNode *child = element->children; child; child = child->next)
        write_node(out, child, depth + 1);
    fprintf(out, "%*s</", 2 * depth, "");
    write_name(out, element);
    fputs(">\n", out);
}

static void write_node(FILE *out, const xmlNode *node, int depth)
{
    const char *content = node->content ? (const char *)node->content : "";
    if (depth > MOST_DEPTH)
        return;
    if ((uintptr_t)node->_private & BLANK && node->prev)
        fputc('\n', out);
    fprintf(out, "%*s", 2 * depth, "");
    if (node->type == XML_ELEMENT_NODE)
        write_element(out, node, depth);
    else if (node->type == XML_COMMENT_NODE)
        fprintf(out, "<!--%s-->\n", content);
    else if (node->type == XML_PI_NODE)
        fprintf(out, "<?%s%s%s?>\n", (const char *)node->name, *content ? " " : "", content);
}

char *dal__tidy_text(const struct dal__schema *schema, xmlDoc *document)
{
    struct dal_memory_stream out;
    char *text, *copy;
    sort_attributes(schema, xmlDocGetRootElement(document));
    dal_memory_open(&out);
    if (!out.file)
        return NULL;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out.file);
    for (const xmlNode *node = document->children; node; node = node->next)
        write_node(out.file, node, 0);
    text = dal_memory_close(&out);
    copy = text ? dal_strdup(text) : NULL;
    free(text);
    return copy;
}
