#include "spec/dialects/dol/dialect.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/xml/node.h"

#include <stdio.h>
#include <string.h>

static const char dol_namespace[] = "http://www.tik.ee.ethz.ch/~shapes/";
static const char dal_namespace[] = "http://www.tik.ee.ethz.ch/~euretile/";
static const char instance_namespace[] = "http://www.w3.org/2001/XMLSchema-instance";

/* Limits of the search for dol.h. */
enum { MOST_FILES = 200, MOST_INCLUDES_DEEP = 4 };
#define MOST_SOURCE_BYTES ((size_t)1 << 20)

/* ---- sources that include dol.h -------------------------------------------------------------- */

struct search {
    struct dal_diags *diags;
    int left; /* files that may still be looked into */
};

static int text_says(struct search *search, const char *path, const char *text, int deep);

static int file_says(struct search *search, const char *path, int deep)
{
    size_t length;
    const char *why;
    char *text;
    int says = 0, status;
    if (deep == MOST_INCLUDES_DEEP || search->left-- <= 0)
        return 0;
    status = dal_file_read(path, MOST_SOURCE_BYTES, &text, &length, &why);
    if (status == DAL_ERR_NOMEM)
        dal__lost(search->diags);
    if (status)
        return 0;
    says = text_says(search, path, text, deep);
    dal_free(text);
    return says;
}

/* Looks at a file that is named in quotes or in <>, behind #include. */
static int include_says(struct search *search, const char *path, const char *name, int deep)
{
    size_t length = strcspn(name + 1, ">\"\n");
    char *file, *beside;
    int says = 0;
    if (length == strlen("dol.h") && strncmp(name + 1, "dol.h", length) == 0)
        return 1;
    if (*name != '"')
        return 0;
    file = dal_format("%.*s", (int)length, name + 1);
    beside = file ? dal__beside(path, file) : NULL;
    if (beside)
        says = file_says(search, beside, deep + 1);
    else
        dal__lost(search->diags);
    dal_free_all(file, beside);
    return says;
}

static int text_says(struct search *search, const char *path, const char *text, int deep)
{
    static const char word[] = "include";
    const char *at = text;
    while ((at = strchr(at, '#'))) {
        at += 1 + strspn(at + 1, " \t");
        if (strncmp(at, word, sizeof(word) - 1) != 0)
            continue;
        at += sizeof(word) - 1;
        at += strspn(at, " \t");
        if ((*at == '"' || *at == '<') && include_says(search, path, at, deep))
            return 1;
    }
    return 0;
}

static int source_says(struct search *search, const char *file, const xmlNode *source)
{
    const char *location = dal__xml_get(source, "location");
    char *path = location ? dal__dialect_source(file, location) : NULL;
    int says = path && file_says(search, path, 0);
    if (location && !path)
        dal__lost(search->diags);
    dal_free(path);
    return says;
}

/* ---- what makes it DOL's --------------------------------------------------------------------- */

static int network_says(struct dal_diags *diags, xmlNode *root, const char *file)
{
    struct search search = {.diags = diags, .left = MOST_FILES};
    for (xmlNode *at = root; at; at = dal__xml_next(root, at))
        if ((dal__xml_is(at, "sw_channel") && dal__xml_has(at, "type", "wfifo")) ||
            (dal__xml_is(at, "source") && source_says(&search, file, at)))
            return 1;
    return 0;
}

static int architecture_says(xmlNode *root)
{
    DAL__XML_EACH(child, root)
    {
        if (dal__xml_is(child, "memory") || dal__xml_is(child, "hw_channel"))
            return 1;
    }
    return 0;
}

int dal__dialect_is_dol(struct dal_diags *diags, xmlNode *root, const char *file)
{
    const xmlChar *href = root->ns ? root->ns->href : NULL;
    if (href && strncmp((const char *)href, dol_namespace, sizeof(dol_namespace) - 1) == 0)
        return 1;
    if (dal__xml_is(root, "processnetwork"))
        return network_says(diags, root, file);
    return dal__xml_is(root, "architecture") && architecture_says(root);
}

int dal__dialect_any_names(const xmlNode *root)
{
    const xmlChar *href = root->ns ? root->ns->href : NULL;
    return href && strncmp((const char *)href, dal_namespace, sizeof(dal_namespace) - 1) == 0;
}

char *dal__dialect_source(const char *file, const char *location)
{
    char *below = dal_format("src/%s", location);
    char *path = below && location[0] != '/' ? dal__beside(file, below) : NULL;
    int is_there = path && !dal_file_fault(path);
    dal_free(below);
    if (is_there || (!path && location[0] != '/'))
        return path;
    dal_free(path);
    return dal__beside(file, location);
}

/* ---- what means nothing here ----------------------------------------------------------------- */

/* An element that is passed over, in documents with this root or, without one, in all. */
struct passed {
    const char *root, *element, *why;
};

/* The rows are done in order, and each removes its elements from the tree. So an element that can
 * lie within another one has its row behind that of the outer one. */
static const struct passed passed[] = {
    {"mapping", "binding", "dalsynth finds where the tokens of a channel lie"},
    {"mapping", "schedule", "dalsynth finds the order on a processor"},
    {"architecture", "writepath", "of DOL's architectures, the processors are of use"},
    {"architecture", "readpath", "of DOL's architectures, the processors are of use"},
    {"architecture", "memory", "of DOL's architectures, the processors are of use"},
    {"architecture", "hw_channel", "of DOL's architectures, the processors are of use"},
    {NULL, "function", "Java is not run here; what expressions may call is built in"},
    {NULL, "configuration", "these are settings of other tools"},
    {NULL, "profiling", "dal measures by itself"},
};

/* Does the binding bind a channel? */
static int binds_channel(const xmlNode *binding)
{
    xmlChar *type =
        xmlGetNsProp(binding, (const xmlChar *)"type", (const xmlChar *)instance_namespace);
    const char *name = type ? strrchr((const char *)type, ':') : NULL;
    int binds = type && strcmp(name ? name + 1 : (const char *)type, "communication") == 0;
    xmlFree(type);
    return binds;
}

static int is_passed(const struct passed *row, const xmlNode *root, const xmlNode *element)
{
    if (element == root || element->type != XML_ELEMENT_NODE ||
        !dal__xml_is(element, row->element) || (row->root && !dal__xml_is(root, row->root)))
        return 0;
    return strcmp(row->element, "binding") != 0 || binds_channel(element);
}

/* Names that are told of, of one kind of element. */
struct told {
    char names[300];
    size_t others; /* elements that are not among them */
    struct dal_spec_place first;
    size_t count;
};

static void tell_name(struct told *told, const xmlNode *element)
{
    const char *text = dal__xml_get(element, "name");
    char quoted[80];
    size_t used = strlen(told->names);
    if (told->count++ == 0)
        told->first = dal__xml_place(element);
    if (text) {
        snprintf(quoted, sizeof(quoted), "'%.60s'", text);
        if (strstr(told->names, quoted))
            ;
        else if (used > 200)
            told->others++;
        else
            snprintf(told->names + used, sizeof(told->names) - used, "%s%s", used ? ", " : "",
                     quoted);
    }
}

static void warn_of(struct dal_diags *diags, const struct passed *row, const struct told *told)
{
    char others[40] = "";
    if (told->others)
        snprintf(others, sizeof(others), " and %zu more", told->others);
    dal_warning(diags, told->first, "no-effect", "passed over: %s %s%s%s%s; %s",
                told->count > 1 ? "elements" : "element", row->element, told->names[0] ? " " : "",
                told->names, others, row->why);
}

static void prune_kind(struct dal_diags *diags, xmlNode *root, const struct passed *row)
{
    struct told told = {.count = 0};
    xmlNode *next;
    for (xmlNode *at = root; at; at = next) {
        if (!is_passed(row, root, at)) {
            next = dal__xml_next(root, at);
            continue;
        }
        tell_name(&told, at);
        for (next = at; next != root && !next->next;)
            next = next->parent;
        next = next == root ? NULL : next->next;
        dal__xml_remove(at);
    }
    if (told.count)
        warn_of(diags, row, &told);
}

/* Removes white space: it is no content, also where the schema has none. */
static void remove_blanks(xmlNode *element)
{
    for (const xmlNode *child = element->children; child; child = child->next)
        if (child->type != XML_COMMENT_NODE && !xmlIsBlankNode(child))
            return;
    while (element->children)
        dal__xml_remove(element->children);
}

void dal__dialect_prune(struct dal_diags *diags, xmlNode *root)
{
    for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
        prune_kind(diags, root, &passed[i]);
    for (xmlNode *at = root; at; at = dal__xml_next(root, at)) {
        if (at->type != XML_ELEMENT_NODE)
            continue;
        remove_blanks(at);
        dal__flattened_fold(diags, at);
        if (dal__xml_is(at, "sw_channel") && dal__xml_has(at, "type", "wfifo"))
            xmlSetProp(at, (const xmlChar *)"type", (const xmlChar *)"fifo");
    }
}
