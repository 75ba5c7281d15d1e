#include "spec/read/meant.h"

#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/read/raw.h"

#include <libxml/parser.h>
#include <string.h>

/* A schema that is searched for names. The names live as long as its document. */
struct search {
    const xmlNode *schema;
    struct dal_names names;
    int status;
};

static int is(const xmlNode *node, const char *kind)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, kind) == 0;
}

static const char *attribute_of(const xmlNode *node, const char *name)
{
    for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0 && attribute->children)
            return (const char *)attribute->children->content;
    return NULL;
}

static int has(const xmlNode *node, const char *name, const char *value)
{
    const char *found = value ? attribute_of(node, name) : NULL;
    return found && strcmp(found, value) == 0;
}

/* Returns the next node in the order of the document, below `root`. */
static const xmlNode *next_below(const xmlNode *root, const xmlNode *node)
{
    if (node->type == XML_ELEMENT_NODE && node->children)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

/* Adds the names of all declarations of this kind below a node; the node's own name is left out. */
static void add_names(struct search *search, const xmlNode *root, const char *kind)
{
    const xmlNode *node = root;
    while (search->status == DAL_OK && (node = next_below(root, node))) {
        const char *name = is(node, kind) ? attribute_of(node, "name") : NULL;
        int status = name ? dal_names_add(&search->names, name, 0) : DAL_OK;
        search->status = status == DAL_ERR_NOMEM ? status : DAL_OK;
    }
}

/* Returns the definition of this name at the top of the schema, or NULL. */
static const xmlNode *find_definition(const struct search *search, const char *kind,
                                      const char *name)
{
    for (const xmlNode *node = search->schema->children; node; node = node->next)
        if (is(node, kind) && has(node, "name", name))
            return node;
    return NULL;
}

/* Adds the attributes of an element's declaration: its own ones, those of its type, and of groups
 * of attributes. */
static void add_attributes(struct search *search, const xmlNode *declaration)
{
    const xmlNode *type = find_definition(search, "complexType", attribute_of(declaration, "type"));
    const xmlNode *body = type ? type : declaration, *node = body;
    add_names(search, body, "attribute");
    while ((node = next_below(body, node))) {
        const xmlNode *group =
            is(node, "attributeGroup")
                ? find_definition(search, "attributeGroup", attribute_of(node, "ref"))
                : NULL;
        if (group)
            add_names(search, group, "attribute");
    }
}

/* An element's name may be declared several times, for several places. */
static void add_attributes_of(struct search *search, const char *element)
{
    for (const xmlNode *node = search->schema; node; node = next_below(search->schema, node))
        if (is(node, "element") && has(node, "name", element))
            add_attributes(search, node);
}

int dal__xml_meant(struct dal__hint *hint, const char *schema, size_t bytes, const char *element,
                   const char *attribute)
{
    const char *name = attribute ? attribute : element;
    xmlDoc *document = xmlReadMemory(schema, (int)bytes, NULL, NULL, XML_PARSE_NONET);
    struct search search = {.schema = document ? xmlDocGetRootElement(document) : NULL,
                            .status = document ? DAL_OK : DAL_ERR_NOMEM};
    hint->text[0] = '\0';
    if (document && attribute)
        add_attributes_of(&search, element);
    else if (document)
        add_names(&search, search.schema, "element");
    /* A name that is in the schema is right; only its place is wrong. */
    if (search.status == DAL_OK && dal_names_find(&search.names, name) == DAL_NAMES_NONE)
        dal__did_you_mean(hint, &search.names, name);
    dal_names_finish(&search.names);
    xmlFreeDoc(document);
    return search.status;
}
