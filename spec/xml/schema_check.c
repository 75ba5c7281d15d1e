/* Checks the elements and attributes of a document against its schema. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/xml/node.h"
#include "spec/xml/schema.h"
#include "spec/xml/schema_tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct check {
    struct dal__schema *schema;
    struct dal_diags *diags;
    int any_names, failed;
};

/* Counts a fault. Returns whether nothing more is said of this node. */
static int is_silent(struct check *check, const xmlNode *node)
{
    check->failed = 1;
    if (!dal_diags_are_full(check->diags))
        return dal_diags_tell(check->diags, dal__xml_place(node));
    check->diags->errors++;
    return 1;
}

/* Tells of an element, at the line of a node. */
static void tell_at(struct check *check, const xmlNode *node, const xmlNode *element,
                    const char *attribute, const char *code, const char *fault)
{
    const char *space = element->ns && element->ns->href ? (const char *)element->ns->href : NULL;
    if (is_silent(check, node))
        return;
    dal_error(check->diags, dal__xml_place(node), code, "element '%s%s%s%s'%s%s%s: %s",
              space ? "{" : "", space ? space : "", space ? "}" : "", (const char *)element->name,
              attribute ? ", attribute '" : "", attribute ? attribute : "", attribute ? "'" : "",
              fault);
}

static void tell(struct check *check, const xmlNode *element, const char *attribute,
                 const char *code, const char *fault)
{
    tell_at(check, element, element, attribute, code, fault);
}

/* Tells of text in an element, with its first words; without these at the element. */
static void tell_stray_text(struct check *check, const xmlNode *element, const xmlNode *text,
                            const char *why)
{
    enum { MOST_QUOTED = 40 };
    const char *words = text->content ? (const char *)text->content : "";
    struct dal__fault fault;
    size_t length;
    words += strspn(words, " \t\r\n");
    length = strcspn(words, "\t\r\n");
    if (length > MOST_QUOTED) {
        length = MOST_QUOTED;
        while ((words[length] & 0xc0) == 0x80) /* not within a character of UTF-8 */
            length--;
    }
    snprintf(fault.text, sizeof(fault.text), "%s%s%.*s%s", why, length ? ": '" : "", (int)length,
             words, length ? "'" : "");
    tell_at(check, length ? text : element, element, NULL, "xml-schema", fault.text);
}

/* Returns what means the same and is among these names; else the name itself. */
static const char *synonym_of(const struct dal_names *names, const char *name)
{
    static const struct {
        const char *said, *meant;
    } synonyms[] = {
        {"tokentype", "type"},
        {"capacity", "size"},
        {"origin", "from"},
        {"target", "to"},
        {"delay", "initialtokens"},
        {"copies", "shadowcopies"},
        {"workgroups", "shadowcopies"},
        {"location", "source"},
        {"default", "value"},
    };
    for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++)
        if (strcmp(synonyms[i].said, name) == 0 &&
            dal_names_find(names, synonyms[i].meant) != DAL_NAMES_NONE)
            return synonyms[i].meant;
    return name;
}

/* Puts "; did you mean 'NAME'?" into the hint where a name is not among these, but one that is
 * meant by it or like it. */
static const char *guess(struct check *check, struct dal__hint *hint, struct dal_names *names,
                         const char *name)
{
    hint->text[0] = '\0';
    if (!check->diags->lost && dal_names_find(names, name) == DAL_NAMES_NONE)
        dal__did_you_mean(hint, names, synonym_of(names, name));
    dal_names_finish(names);
    return hint->text;
}

static void add_name(struct check *check, struct dal_names *names, const xmlNode *declaration)
{
    if (dal_names_add(names, dal__schema_get(declaration, "name"), 0) == DAL_ERR_NOMEM)
        dal__lost(check->diags);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static xmlNode *find_attribute(const xmlNode *type, const char *name)
{
    DAL__SCHEMA_EACH(declaration, type)
    {
        if (strcmp(dal__schema_get(declaration, "name"), name) == 0)
            return declaration;
    }
    return NULL;
}

static void check_value(struct check *check, const xmlNode *element, const xmlAttr *attribute,
                        xmlNode *declaration)
{
    struct dal__fault fault = {.text = ""};
    int fits = dal__schema_fits(check->schema, declaration, check->any_names,
                                dal__xml_get(element, (const char *)attribute->name), &fault);
    for (char *at = fault.text; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' '; /* of the value */
    if (!fits)
        tell(check, element, (const char *)attribute->name, "xml-schema", fault.text);
}

static void refuse_attribute(struct check *check, const xmlNode *element, const xmlNode *type,
                             const xmlAttr *attribute)
{
    struct dal_names names = {0};
    struct dal__hint hint;
    struct dal__fault fault;
    const xmlNs *space = attribute->ns;
    char *name;
    if (is_silent(check, element))
        return;
    name = space ? dal_format("{%s}%s", (const char *)space->href, (const char *)attribute->name)
                 : dal_strdup((const char *)attribute->name);
    DAL__SCHEMA_EACH(declaration, type)
    {
        add_name(check, &names, declaration);
    }
    snprintf(fault.text, sizeof(fault.text), "The attribute '%.300s' is not allowed%s",
             name ? name : "", guess(check, &hint, &names, name ? name : ""));
    tell(check, element, name, "xml-schema", fault.text);
    dal_free(name);
}

static void check_attributes(struct check *check, const xmlNode *element, const xmlNode *type)
{
    const xmlAttr *unknown = NULL;
    struct dal__fault fault;
    for (const xmlAttr *at = element->properties; at; at = at->next) {
        xmlNode *found = at->ns ? NULL : find_attribute(type, (const char *)at->name);
        if (found)
            check_value(check, element, at, found);
        else if (!unknown && (at->ns || !dal__xml_child(type, "anyAttribute")))
            unknown = at;
    }
    if (unknown)
        refuse_attribute(check, element, type, unknown);
    DAL__SCHEMA_EACH(declaration, type)
    {
        if (!dal__schema_get(declaration, "use") ||
            dal__xml_get(element, dal__schema_get(declaration, "name")))
            continue;
        snprintf(fault.text, sizeof(fault.text), "The attribute '%s' is required but missing",
                 dal__schema_get(declaration, "name"));
        tell(check, element, NULL, "missing-attribute", fault.text);
    }
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Where the children of an element are in the sequence that its type foresees: at a declaration, or
 * at a choice of some, which have come so many times. A choice is also a whole content. */
struct position {
    xmlNode *at;
    unsigned long count;
};

static unsigned long limit_of(const xmlNode *particle, const char *which)
{
    const char *value = dal__schema_get(particle, which);
    if (!value)
        return 1;
    return strcmp(value, "unbounded") == 0 ? ULONG_MAX : strtoul(value, NULL, 10);
}

static void find_start(struct position *position, const xmlNode *type)
{
    const xmlNode *sequence = dal__xml_child(type, "sequence");
    position->at = sequence ? dal__xml_element(sequence->children) : dal__xml_child(type, "choice");
    position->count = 0;
}

static void go_on(struct position *position)
{
    position->at =
        dal__xml_is(position->at->parent, "sequence") ? dal__xml_element(position->at->next) : NULL;
    position->count = 0;
}

/* Returns the declaration that foresees an element of this name, or NULL. */
static xmlNode *declaration_in(xmlNode *particle, const char *name)
{
    if (dal__xml_is(particle, "element"))
        return strcmp(dal__schema_get(particle, "name"), name) == 0 ? particle : NULL;
    DAL__XML_EACH(child, particle)
    {
        if (strcmp(dal__schema_get(child, "name"), name) == 0)
            return child;
    }
    return NULL;
}

/* Passes over what may be left out until an element of this name is foreseen. Returns its
 * declaration, or NULL with the position as it was. */
static xmlNode *take_element(struct position *position, const char *name)
{
    struct position at = *position;
    for (; at.at; go_on(&at)) {
        xmlNode *found = declaration_in(at.at, name);
        if (found && at.count < limit_of(at.at, "maxOccurs")) {
            at.count++;
            *position = at;
            return found;
        }
        if (at.count < limit_of(at.at, "minOccurs"))
            return NULL;
    }
    return NULL;
}

/* Must an element come after this position? */
static int is_missing(struct position at)
{
    while (at.at && at.count >= limit_of(at.at, "minOccurs"))
        go_on(&at);
    return at.at != NULL;
}

/* Adds the names of a particle to a list, and counts them. */
static void list_names(const xmlNode *particle, struct dal__fault *list, int *count)
{
    size_t used = strlen(list->text);
    if (dal__xml_is(particle, "element"))
        snprintf(list->text + used, sizeof(list->text) - used, "%s%s", (*count)++ ? ", " : "",
                 dal__schema_get(particle, "name"));
    else
        DAL__XML_EACH(child, particle)
        {
            list_names(child, list, count);
        }
}

/* Makes a fault of these words, which elements could have come at the position, and a hint. One of
 * a choice has come before where it may come again, and is not told of. */
static struct dal__fault expected_at(const char *words, struct position at, const char *hint)
{
    struct dal__fault fault, list = {.text = ""};
    int count = 0;
    for (int is_last = 0; at.at && !is_last; go_on(&at)) {
        is_last = at.count < limit_of(at.at, "minOccurs");
        if (dal__xml_is(at.at, "element") ? at.count < limit_of(at.at, "maxOccurs") : !at.count)
            list_names(at.at, &list, &count);
    }
    snprintf(fault.text, sizeof(fault.text), "%s%s%.350s%s%s", words,
             !count      ? ""
             : count > 1 ? ". Expected is one of ( "
                         : ". Expected is ( ",
             list.text, count ? " )" : "", hint);
    return fault;
}

static void refuse_element(struct check *check, const xmlNode *element, struct position position)
{
    xmlNode *root = xmlDocGetRootElement(check->schema->documents[0]);
    struct dal_names names = {0};
    struct dal__hint hint;
    if (is_silent(check, element))
        return;
    for (xmlNode *node = root; node; node = dal__xml_next(root, node))
        if (dal__xml_is(node, "element"))
            add_name(check, &names, node);
    guess(check, &hint, &names, (const char *)element->name);
    tell(check, element, NULL, "xml-schema",
         expected_at("This element is not expected", position, hint.text).text);
}

/* Is this text more than white space between elements? */
static int is_content(const xmlNode *node)
{
    return node->type == XML_CDATA_SECTION_NODE ||
           (node->type == XML_TEXT_NODE && !xmlIsBlankNode((xmlNode *)node));
}

static void check_empty(struct check *check, const xmlNode *element)
{
    for (const xmlNode *child = element->children; child; child = child->next)
        if (child->type == XML_ELEMENT_NODE)
            tell(check, element, NULL, "xml-schema",
                 "Element content is not allowed, because the content type is empty");
        else if (child->type != XML_COMMENT_NODE && child->type != XML_PI_NODE)
            tell_stray_text(check, element, child,
                            "Character content is not allowed, because the content type is empty");
}

static void check_element(struct check *check, const xmlNode *element, xmlNode *declaration)
{
    const xmlNode *type = dal__schema_type(check->schema, declaration, "complexType");
    struct position position;
    check_attributes(check, element, type);
    find_start(&position, type);
    if (!position.at) {
        check_empty(check, element);
        return;
    }
    for (const xmlNode *child = element->children; child; child = child->next) {
        xmlNode *found = child->type == XML_ELEMENT_NODE && !child->ns
                             ? take_element(&position, (const char *)child->name)
                             : NULL;
        if (found)
            check_element(check, child, found);
        else if (child->type == XML_ELEMENT_NODE)
            refuse_element(check, child, position);
        else if (is_content(child))
            tell_stray_text(
                check, element, child,
                "Character content other than whitespace is not allowed because the content "
                "type is 'element-only'");
    }
    if (is_missing(position))
        tell(check, element, NULL, "xml-schema",
             expected_at("Missing child element(s)", position, "").text);
}

int dal__schema_check(struct dal__schema *schema, struct dal_diags *diags, const xmlNode *root,
                      int any_names)
{
    struct check check = {.schema = schema, .diags = diags, .any_names = any_names};
    check_element(&check, root,
                  dal__xml_child(xmlDocGetRootElement(schema->documents[0]), "element"));
    if (schema->lost)
        dal__lost(diags);
    return diags->lost ? DAL_ERR_NOMEM : check.failed ? DAL_ERR_INVALID : DAL_OK;
}
