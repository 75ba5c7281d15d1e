#include "spec/xml/schema.h"

#include "rt/base/alloc.h"
#include "spec/base/names.h"
#include "spec/xml/node.h"
#include "spec/xml/schema_tree.h"

#include <limits.h>
#include <libxml/parser.h>
#include <libxml/xmlregexp.h>
#include <string.h>

/* The files of spec/schemas, built into the library. */
#define FILES(X) X(processnetwork) X(architecture) X(mapping) X(fsm) X(types)
#define DECLARE(name)                                                                              \
    extern const unsigned char dal__##name##_xsd[];                                                \
    extern const size_t dal__##name##_xsd_bytes;
FILES(DECLARE)

static const struct file {
    const char *root;
    const unsigned char *text;
    const size_t *bytes;
} files[] = {
#define ROW(name) {.root = #name, .text = dal__##name##_xsd, .bytes = &dal__##name##_xsd_bytes},
    FILES(ROW)};

static const struct file *find_file(const char *root)
{
    return DAL_NAMED_IN(files, root, root);
}

int dal__schema_is_for(const char *root)
{
    return find_file(root) != NULL;
}

void dal__schema_close(struct dal__schema *schema)
{
    for (int i = 0; schema && i < 2 && schema->documents[i]; i++) {
        xmlNode *root = xmlDocGetRootElement(schema->documents[i]);
        for (xmlNode *node = root; node; node = dal__xml_next(root, node))
            if (node->_private && dal__xml_is(node, "pattern"))
                xmlRegFreeRegexp(node->_private);
        xmlFreeDoc(schema->documents[i]);
    }
    dal_free(schema);
}

const char *dal__schema_get(const xmlNode *node, const char *name)
{
    for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0)
            return attribute->children ? (const char *)attribute->children->content : "";
    return NULL;
}

xmlNode *dal__schema_find(const struct dal__schema *schema, const char *kind, const char *name,
                          size_t length)
{
    for (int i = 0; name && i < 2; i++)
        DAL__XML_EACH(node, xmlDocGetRootElement(schema->documents[i]))
        {
            const char *found = dal__xml_is(node, kind) ? dal__schema_get(node, "name") : NULL;
            if (found && strlen(found) == length && memcmp(found, name, length) == 0)
                return node;
        }
    return NULL;
}

/* Puts the attributes of a group in the place of what refers to it. */
static void insert_group(struct dal__schema *schema, xmlNode *reference)
{
    const char *name = dal__schema_get(reference, "ref");
    const xmlNode *group = dal__schema_find(schema, "attributeGroup", name, strlen(name));
    for (xmlNode *node = group->children; node && !schema->lost; node = node->next) {
        xmlNode *copy = xmlCopyNode(node, 1);
        schema->lost = !copy;
        if (copy)
            xmlAddPrevSibling(reference, copy);
    }
}

/* Leaves only what says something: no remarks, and no references to groups. */
static void prune(struct dal__schema *schema, xmlNode *node)
{
    xmlNode *next;
    for (xmlNode *child = node->children; child; child = next) {
        next = child->next;
        prune(schema, child);
        if (child->type == XML_ELEMENT_NODE && dal__schema_get(child, "ref"))
            insert_group(schema, child);
        else if (child->type == XML_ELEMENT_NODE)
            continue;
        dal__xml_remove(child);
    }
}

struct dal__schema *dal__schema_open(const char *root)
{
    const struct file *const parts[] = {find_file(root), find_file("types")};
    struct dal__schema *schema = dal_calloc(1, sizeof(*schema));
    for (int i = 0; schema && i < 2 && !schema->lost; i++) {
        schema->documents[i] = xmlReadMemory((const char *)parts[i]->text, (int)*parts[i]->bytes,
                                             NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOBLANKS);
        schema->lost = !schema->documents[i];
    }
    for (int i = 0; schema && i < 2 && !schema->lost; i++)
        prune(schema, xmlDocGetRootElement(schema->documents[i]));
    if (!schema || !schema->lost)
        return schema;
    dal__schema_close(schema);
    return NULL;
}

const xmlNode *dal__schema_type(const struct dal__schema *schema, xmlNode *declaration,
                                const char *kind)
{
    const char *name = dal__schema_get(declaration, "type");
    if (!declaration->_private)
        declaration->_private = name ? dal__schema_find(schema, kind, name, strlen(name))
                                     : dal__xml_child(declaration, kind);
    return declaration->_private;
}

xmlNode *dal__schema_attribute(xmlNode *declaration)
{
    while (declaration && !dal__xml_is(declaration, "attribute"))
        declaration = declaration->next;
    return declaration;
}

const xmlNode *dal__schema_element(const struct dal__schema *schema, const char *name)
{
    xmlNode *root = xmlDocGetRootElement(schema->documents[0]), *node = root;
    while (node &&
           !(dal__xml_is(node, "element") && strcmp(dal__schema_get(node, "name"), name) == 0))
        node = dal__xml_next(root, node);
    return node ? dal__schema_type(schema, node, "complexType") : NULL;
}

int dal__schema_rank(const xmlNode *type, const char *attribute)
{
    int rank = 0;
    if (type)
        DAL__SCHEMA_EACH(declaration, type)
        {
            if (strcmp(dal__schema_get(declaration, "name"), attribute) == 0)
                return rank;
            rank++;
        }
    return INT_MAX;
}
