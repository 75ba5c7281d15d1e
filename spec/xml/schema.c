#include "spec/xml/schema.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/xml/node.h"

#include <limits.h>
#include <libxml/parser.h>
#include <libxml/xmlregexp.h>
#include <stdlib.h>
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

/* In the trees, _private of a declaration leads to its type, of a pattern to what was compiled of
 * it. */
struct dal__schema {
    xmlDoc *documents[2]; /* the root's own file, and the types of all */
};

/* ---- the schema as a tree -------------------------------------------------------------------- */

static const struct file *find_file(const char *root)
{
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        if (strcmp(files[i].root, root) == 0)
            return &files[i];
    return NULL;
}

int dal__schema_is_for(const char *root)
{
    return strcmp(root, "types") != 0 && find_file(root);
}

/* Returns the next node in the order of the document, below `root`. */
static xmlNode *next_below(const xmlNode *root, xmlNode *node)
{
    if (node->children)
        return node->children;
    while (node != root && !node->next)
        node = node->parent;
    return node == root ? NULL : node->next;
}

void dal__schema_close(struct dal__schema *schema)
{
    for (int i = 0; schema && i < 2 && schema->documents[i]; i++) {
        xmlNode *root = xmlDocGetRootElement(schema->documents[i]);
        for (xmlNode *node = root; node; node = next_below(root, node))
            if (node->_private && dal__xml_is(node, "pattern"))
                xmlRegFreeRegexp(node->_private);
        xmlFreeDoc(schema->documents[i]);
    }
    dal_free(schema);
}

static const char *value_of(const xmlNode *node, const char *name)
{
    for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
        if (strcmp((const char *)attribute->name, name) == 0)
            return attribute->children ? (const char *)attribute->children->content : "";
    return NULL;
}

static int is_kind(const xmlNode *node, const char *kind)
{
    return node->type == XML_ELEMENT_NODE && dal__xml_is(node, kind);
}

static int is_named(const xmlNode *node, const char *kind, const char *name)
{
    const char *found = is_kind(node, kind) ? value_of(node, "name") : NULL;
    return found && strcmp(found, name) == 0;
}

static xmlNode *child_of(const xmlNode *node, const char *kind)
{
    DAL__XML_EACH(child, node)
    {
        if (dal__xml_is(child, kind))
            return child;
    }
    return NULL;
}

/* Returns the definition of this name; the length stands for words within a list. */
static xmlNode *find_definition(const struct dal__schema *schema, const char *kind,
                                const char *name, size_t length)
{
    for (int i = 0; name && i < 2; i++)
        DAL__XML_EACH(node, xmlDocGetRootElement(schema->documents[i]))
        {
            const char *found = dal__xml_is(node, kind) ? value_of(node, "name") : NULL;
            if (found && strlen(found) == length && memcmp(found, name, length) == 0)
                return node;
        }
    return NULL;
}

/* Puts the attributes of a group in the place of what refers to it. */
static void insert_group(const struct dal__schema *schema, xmlNode *reference)
{
    const char *name = value_of(reference, "ref");
    const xmlNode *group = find_definition(schema, "attributeGroup", name, strlen(name));
    for (xmlNode *node = group->children; node; node = node->next)
        xmlAddPrevSibling(reference, xmlCopyNode(node, 1));
}

/* Leaves only what says something: no remarks, and no references to groups. */
static void prune(const struct dal__schema *schema, xmlNode *node)
{
    xmlNode *next;
    for (xmlNode *child = node->children; child; child = next) {
        next = child->next;
        prune(schema, child);
        if (is_kind(child, "attributeGroup") && value_of(child, "ref"))
            insert_group(schema, child);
        else if (child->type == XML_ELEMENT_NODE)
            continue;
        xmlUnlinkNode(child);
        xmlFreeNode(child);
    }
}

struct dal__schema *dal__schema_open(const char *root)
{
    const struct file *const parts[] = {find_file(root), find_file("types")};
    struct dal__schema *schema = dal_calloc(1, sizeof(*schema));
    for (int i = 0; schema && i < 2; i++) {
        schema->documents[i] = xmlReadMemory((const char *)parts[i]->text, (int)*parts[i]->bytes,
                                             NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOBLANKS);
        if (!schema->documents[i]) {
            dal__schema_close(schema);
            return NULL;
        }
    }
    if (schema)
        prune(schema, xmlDocGetRootElement(schema->documents[0]));
    return schema;
}

/* Returns the type of an element or attribute: the one that is named, or the one within. NULL for a
 * type of XML Schema itself. */
static const xmlNode *type_of(const struct dal__schema *schema, xmlNode *declaration,
                              const char *kind)
{
    const char *name = value_of(declaration, "type");
    if (!declaration->_private)
        declaration->_private =
            name ? find_definition(schema, kind, name, strlen(name)) : child_of(declaration, kind);
    return declaration->_private;
}

/* The next attribute of a type at or behind a declaration, NULL at the end. */
static xmlNode *attribute_at(xmlNode *declaration)
{
    while (declaration && !dal__xml_is(declaration, "attribute"))
        declaration = declaration->next;
    return declaration;
}

#define EACH_ATTRIBUTE(declaration, type)                                                          \
    for (xmlNode *declaration = attribute_at((type)->children); declaration;                       \
         declaration = attribute_at(declaration->next))

static xmlNode *find_attribute(const xmlNode *type, const char *name)
{
    EACH_ATTRIBUTE(declaration, type)
    {
        if (strcmp(value_of(declaration, "name"), name) == 0)
            return declaration;
    }
    return NULL;
}

int dal__schema_rank(const struct dal__schema *schema, const char *element, const char *attribute)
{
    xmlNode *root = xmlDocGetRootElement(schema->documents[0]), *node = root;
    int rank = 0;
    while (node && !is_named(node, "element", element))
        node = next_below(root, node);
    if (node)
        EACH_ATTRIBUTE(declaration, type_of(schema, node, "complexType"))
        {
            if (strcmp(value_of(declaration, "name"), attribute) == 0)
                return rank;
            rank++;
        }
    return INT_MAX;
}

/* ---- one check ------------------------------------------------------------------------------- */

struct check {
    struct dal__schema *schema;
    struct dal_diags *diags;
    int any_names, failed;
};

/* What is wrong with a value or a content, in words. */
struct fault {
    char text[600];
};

/* Is there an error of this line? */
static int is_told(const struct dal_diags *diags, struct dal_spec_place place)
{
    for (size_t i = 0; i < diags->count; i++)
        if (diags->list[i].level == DAL_DIAG_ERROR && diags->list[i].place.file == place.file &&
            diags->list[i].place.line == place.line)
            return 1;
    return 0;
}

static void tell(struct check *check, const xmlNode *element, const char *attribute,
                 const char *code, const char *fault)
{
    const char *space = element->ns && element->ns->href ? (const char *)element->ns->href : NULL;
    check->failed = 1;
    if (dal_diags_are_full(check->diags))
        check->diags->errors++;
    else if (!is_told(check->diags, dal__xml_place(element)))
        dal_error(check->diags, dal__xml_place(element), code, "element '%s%s%s%s'%s%s%s: %s",
                  space ? "{" : "", space ? space : "", space ? "}" : "",
                  (const char *)element->name, attribute ? ", attribute '" : "",
                  attribute ? attribute : "", attribute ? "'" : "", fault);
}

/* Puts "; did you mean 'NAME'?" into the hint where a name is not among these, but one like it. */
static const char *guess(struct check *check, struct dal__hint *hint, struct dal_names *names,
                         const char *name)
{
    hint->text[0] = '\0';
    if (!check->diags->lost && dal_names_find(names, name) == DAL_NAMES_NONE)
        dal__did_you_mean(hint, names, name);
    dal_names_finish(names);
    return hint->text;
}

static void add_name(struct check *check, struct dal_names *names, const xmlNode *declaration)
{
    if (dal_names_add(names, value_of(declaration, "name"), 0) == DAL_ERR_NOMEM)
        dal__lost(check->diags);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int fits_pattern(struct check *check, xmlNode *pattern, const char *value)
{
    if (!pattern->_private)
        pattern->_private = xmlRegexpCompile((const xmlChar *)value_of(pattern, "value"));
    if (!pattern->_private)
        dal__lost(check->diags);
    return !pattern->_private || xmlRegexpExec(pattern->_private, (const xmlChar *)value) == 1;
}

static int fits_length(const xmlNode *facet, const char *value, struct fault *fault)
{
    static const struct {
        const char *facet, *words;
        int less, more; /* whether it may be */
    } lengths[] = {
        {"length", "differs from the allowed length of", 0, 0},
        {"minLength", "underruns the allowed minimum length of", 0, 1},
        {"maxLength", "exceeds the allowed maximum length of", 1, 0},
    };
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        int limit, length;
        if (!dal__xml_is(facet, lengths[i].facet))
            continue;
        limit = atoi(value_of(facet, "value"));
        length = xmlUTF8Strlen((const xmlChar *)value);
        if (length == limit || (length < limit ? lengths[i].less : lengths[i].more))
            continue;
        snprintf(fault->text, sizeof(fault->text),
                 "The value '%.300s' has a length of '%d'; this %s '%d'", value, length,
                 lengths[i].words, limit);
        return 0;
    }
    return 1;
}

static int fits_enumeration(const xmlNode *restriction, const char *value, struct fault *fault)
{
    char set[300] = "";
    DAL__XML_EACH(facet, restriction)
    {
        size_t used = strlen(set);
        if (!dal__xml_is(facet, "enumeration"))
            continue;
        if (strcmp(value_of(facet, "value"), value) == 0)
            return 1;
        snprintf(set + used, sizeof(set) - used, "%s'%s'", used ? ", " : "",
                 value_of(facet, "value"));
    }
    if (!set[0])
        return 1;
    snprintf(fault->text, sizeof(fault->text),
             "The value '%.250s' is not an element of the set {%s}", value, set);
    return 0;
}

static int fits_type(struct check *check, const xmlNode *type, const char *value,
                     struct fault *fault);

static int fits_union(struct check *check, const xmlNode *type, const xmlNode *members,
                      const char *value, struct fault *fault)
{
    const char *name = value_of(members, "memberTypes");
    for (size_t length; *name; name += length + strspn(name + length, " ")) {
        length = strcspn(name, " ");
        if (fits_type(check, find_definition(check->schema, "simpleType", name, length), value,
                      fault))
            return 1;
    }
    snprintf(fault->text, sizeof(fault->text),
             "'%.300s' is not a valid value of the union type '%s'", value, value_of(type, "name"));
    return 0;
}

/* Does a value fit a type? Otherwise the fault tells why not. */
static int fits_type(struct check *check, const xmlNode *type, const char *value,
                     struct fault *fault)
{
    const xmlNode *members = child_of(type, "union"), *restriction;
    const char *dol = check->any_names ? value_of(type, "dol") : NULL;
    xmlNode *pattern;
    if (members)
        return fits_union(check, type, members, value, fault);
    restriction = child_of(type, "restriction");
    DAL__XML_EACH(facet, restriction)
    {
        if (!fits_length(facet, value, fault))
            return 0;
    }
    if (!fits_enumeration(restriction, value, fault))
        return 0;
    if (dol)
        type = find_definition(check->schema, "simpleType", dol, strlen(dol));
    pattern = child_of(child_of(type, "restriction"), "pattern");
    if (!pattern || fits_pattern(check, pattern, value))
        return 1;
    snprintf(fault->text, sizeof(fault->text), "this must be %s", value_of(type, "words"));
    return 0;
}

static int fits_boolean(const char *value, struct fault *fault)
{
    static const char *const values[] = {"true", "false", "1", "0"};
    static const char space[] = " \t\r\n";
    const char *start = value + strspn(value, space);
    size_t length = strcspn(start, space);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (strlen(values[i]) == length && memcmp(values[i], start, length) == 0 &&
            !start[length + strspn(start + length, space)])
            return 1;
    snprintf(fault->text, sizeof(fault->text),
             "'%.300s' is not a valid value of the atomic type 'xs:boolean'", value);
    return 0;
}

static void check_value(struct check *check, const xmlNode *element, const xmlAttr *attribute,
                        xmlNode *declaration)
{
    const xmlNode *type = type_of(check->schema, declaration, "simpleType");
    struct fault fault;
    xmlChar *value = xmlNodeListGetString(element->doc, attribute->children, 1);
    const char *text = value ? (const char *)value : "";
    int fits = type ? fits_type(check, type, text, &fault)
                    : strcmp(value_of(declaration, "type"), "xs:boolean") != 0 ||
                          fits_boolean(text, &fault);
    for (char *at = fault.text; !fits && *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' '; /* of the value */
    if (!fits)
        tell(check, element, (const char *)attribute->name, "xml-schema", fault.text);
    xmlFree(value);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static void refuse_attribute(struct check *check, const xmlNode *element, const xmlNode *type,
                             const xmlAttr *attribute)
{
    struct dal_names names = {0};
    struct dal__hint hint;
    struct fault fault;
    const xmlNs *space = attribute->ns;
    char *name =
        space ? dal_format("{%s}%s", (const char *)space->href, (const char *)attribute->name)
              : dal_strdup((const char *)attribute->name);
    EACH_ATTRIBUTE(declaration, type)
    {
        add_name(check, &names, declaration);
    }
    snprintf(fault.text, sizeof(fault.text), "The attribute '%.300s' is not allowed%s",
             name ? name : "", guess(check, &hint, &names, name ? name : ""));
    tell(check, element, name, "xml-schema", fault.text);
    dal_free(name);
}

static int has_attribute(const xmlNode *element, const char *name)
{
    for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next)
        if (!attribute->ns && strcmp((const char *)attribute->name, name) == 0)
            return 1;
    return 0;
}

static void check_attributes(struct check *check, const xmlNode *element, const xmlNode *type)
{
    const xmlAttr *unknown = NULL;
    struct fault fault;
    for (const xmlAttr *at = element->properties; at; at = at->next) {
        xmlNode *found = at->ns ? NULL : find_attribute(type, (const char *)at->name);
        if (found)
            check_value(check, element, at, found);
        else if (!unknown)
            unknown = at;
    }
    if (unknown)
        refuse_attribute(check, element, type, unknown);
    EACH_ATTRIBUTE(declaration, type)
    {
        if (!value_of(declaration, "use") || has_attribute(element, value_of(declaration, "name")))
            continue;
        snprintf(fault.text, sizeof(fault.text), "The attribute '%s' is required but missing",
                 value_of(declaration, "name"));
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
    const char *value = value_of(particle, which);
    if (!value)
        return 1;
    return strcmp(value, "unbounded") == 0 ? ULONG_MAX : strtoul(value, NULL, 10);
}

static void find_start(struct position *position, const xmlNode *type)
{
    const xmlNode *sequence = child_of(type, "sequence");
    position->at = sequence ? dal__xml_element(sequence->children) : child_of(type, "choice");
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
        return is_named(particle, "element", name) ? particle : NULL;
    DAL__XML_EACH(child, particle)
    {
        if (is_named(child, "element", name))
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
static void list_names(const xmlNode *particle, struct fault *list, int *count)
{
    size_t used = strlen(list->text);
    if (dal__xml_is(particle, "element"))
        snprintf(list->text + used, sizeof(list->text) - used, "%s%s", (*count)++ ? ", " : "",
                 value_of(particle, "name"));
    else
        DAL__XML_EACH(child, particle)
        {
            list_names(child, list, count);
        }
}

/* Makes a fault of these words, which elements could have come at the position, and a hint. One of
 * a choice has come before where it may come again, and is not told of. */
static struct fault expected_at(const char *words, struct position at, const char *hint)
{
    struct fault fault, list = {.text = ""};
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
    for (xmlNode *node = root; node; node = next_below(root, node))
        if (is_kind(node, "element"))
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
            tell(check, element, NULL, "xml-schema",
                 "Character content is not allowed, because the content type is empty");
}

static void check_element(struct check *check, const xmlNode *element, xmlNode *declaration)
{
    const xmlNode *type = type_of(check->schema, declaration, "complexType");
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
            tell(check, element, NULL, "xml-schema",
                 "Character content other than whitespace is not allowed because the content type "
                 "is 'element-only'");
    }
    if (is_missing(position))
        tell(check, element, NULL, "xml-schema",
             expected_at("Missing child element(s)", position, "").text);
}

int dal__schema_check(struct dal__schema *schema, struct dal_diags *diags, const xmlNode *root,
                      int any_names)
{
    struct check check = {.schema = schema, .diags = diags, .any_names = any_names};
    check_element(&check, root, child_of(xmlDocGetRootElement(schema->documents[0]), "element"));
    return diags->lost ? DAL_ERR_NOMEM : check.failed ? DAL_ERR_INVALID : DAL_OK;
}
