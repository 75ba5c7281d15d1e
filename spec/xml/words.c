#include "spec/xml/words.h"

#include "spec/xml/node.h"
#include "spec/xml/schema.h"
#include "spec/xml/schema_tree.h"

#include <string.h>

static void add_word(struct dal_text *words, const char *word)
{
    if (word)
        dal_text_list_join(words, word, strlen(word));
}

/* Returns the next declaration of an element within a type, at or behind a node, NULL at the end.
 */
static xmlNode *next_element(const xmlNode *type, xmlNode *node)
{
    while (node && !dal__xml_is(node, "element"))
        node = dal__xml_next(type, node);
    return node;
}

static const xmlNode *type_within(struct dal__schema *schema, const xmlNode *type, const char *name)
{
    xmlNode *node = next_element(type, type->children);
    while (node && !dal_text_same(dal__schema_get(node, "name"), name))
        node = next_element(type, dal__xml_next(type, node));
    return node ? dal__schema_type(schema, node, "complexType") : NULL;
}

/* Adds the enumerated values of a type, also where it is a union or a list of others. */
static void add_values(struct dal_text *words, const struct dal__schema *schema,
                       const xmlNode *type, int depth)
{
    enum { MOST_DEPTH = 4 };
    for (xmlNode *node = type ? type->children : NULL; node; node = dal__xml_next(type, node)) {
        const char *members =
            dal__xml_is(node, "union") ? dal__schema_get(node, "memberTypes") : NULL;
        if (dal__xml_is(node, "enumeration"))
            add_word(words, dal__schema_get(node, "value"));
        while (members && *members && depth < MOST_DEPTH) {
            size_t length = strcspn(members, " ");
            add_values(words, schema, dal__schema_find(schema, "simpleType", members, length),
                       depth + 1);
            members += length + strspn(members + length, " ");
        }
    }
}

static void add_boolean(struct dal_text *words, const char *type)
{
    if (type && strcmp(type, "xs:boolean") == 0) {
        add_word(words, "true");
        add_word(words, "false");
    }
}

static void add_of_type(struct dal_text *words, enum dal_words what, struct dal__schema *schema,
                        const xmlNode *type, const char *attribute)
{
    if (what == DAL_WORDS_ELEMENTS)
        for (xmlNode *node = next_element(type, type->children); node;
             node = next_element(type, dal__xml_next(type, node)))
            add_word(words, dal__schema_get(node, "name"));
    else
        DAL__SCHEMA_EACH(declaration, type)
        {
            const char *name = dal__schema_get(declaration, "name");
            if (what == DAL_WORDS_ATTRIBUTES) {
                add_word(words, name);
            } else if (dal_text_same(name, attribute)) {
                add_boolean(words, dal__schema_get(declaration, "type"));
                add_values(words, schema, dal__schema_type(schema, declaration, "simpleType"), 0);
            }
        }
}

void dal_words_add(struct dal_text *words, enum dal_words what, const char *const *elements,
                   size_t count, const char *attribute)
{
    static const char *const roots[] = {"processnetwork", "architecture", "mapping", "fsm"};
    struct dal__schema *schema;
    const xmlNode *type;
    for (size_t i = 0; !count && i < sizeof(roots) / sizeof(roots[0]); i++)
        add_word(words, roots[i]);
    if (!count || !dal__schema_is_for(elements[0]) || strcmp(elements[0], "types") == 0)
        return;
    schema = dal__schema_open(elements[0]);
    type = schema ? dal__schema_element(schema, elements[0]) : NULL;
    for (size_t i = 1; type && i < count; i++)
        type = type_within(schema, type, elements[i]);
    if (type)
        add_of_type(words, what, schema, type, attribute);
    dal__schema_close(schema);
}
