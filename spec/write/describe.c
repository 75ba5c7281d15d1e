#include "spec/write/describe.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/table.h"
#include "spec/read/installed.h"
#include "spec/read/xml.h"

#include <string.h>

/* ---- files ----------------------------------------------------------------------------------- */

static struct dal_spec_place folder_place(struct dal_diags *diags)
{
    return (struct dal_spec_place){.file = dal_diag_file(diags, dal__installed_folder())};
}

/* Opens a part of this name, or a file; NULL after an error in diags. */
static xmlNode *open_part(struct dal_diags *diags, const char *name)
{
    size_t length = strlen(name);
    int is_file = strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
    int is_whole = dal__is_installed(name);
    struct dal_expr_scope scope = {0};
    struct dal__reader reader = {.diags = diags, .scope = &scope};
    struct dal_spec_place place = folder_place(diags);
    char *source = is_whole || is_file ? dal_strdup(name) : dal_format("dal:%s.xml", name);
    char *path = NULL, *title = NULL;
    xmlNode *root = NULL;
    if (!source || !place.file)
        dal__lost(diags);
    else if (is_file && !is_whole)
        path = dal_strdup(source);
    else
        path = dal__installed_path(diags, place, source);
    if (path)
        root = dal__xml_open(&reader, path, "processnetwork", &place, &title);
    dal_free_all(source, path, title);
    return root;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *text_of(const xmlNode *element, const char *attribute)
{
    const char *text = dal__xml_get(element, attribute);
    return text ? text : "";
}

static void add_port(struct dal_text *table, const xmlNode *port)
{
    dal_text_printf(table, "  %s\v%s\v%s\v%s\v%s\n", text_of(port, "name"), text_of(port, "type"),
                    text_of(port, "tokentype"), text_of(port, "unit"), text_of(port, "about"));
}

/* Tells which values a variable may have: "1 to 9", "float double". */
static void add_range(struct dal_text *table, const xmlNode *variable)
{
    const char *min = dal__xml_get(variable, "min"), *max = dal__xml_get(variable, "max");
    if (min && max)
        dal_text_printf(table, "%s to %s", min, max);
    else if (min || max)
        dal_text_printf(table, "%s %s", min ? "from" : "to", min ? min : max);
    dal_text_add(table, text_of(variable, "values"));
}

static void add_variable(struct dal_text *table, const xmlNode *variable)
{
    const char *type = dal__xml_get(variable, "type"), *value = dal__xml_get(variable, "value");
    dal_text_printf(table, "  %s\v%s\v%s\v", text_of(variable, "name"), type ? type : "integer",
                    value ? value : "(to be given)");
    add_range(table, variable);
    dal_text_printf(table, "\v%s\v%s\n", text_of(variable, "unit"), text_of(variable, "about"));
}

static void add_needs(struct dal_text *table, const xmlNode *needs)
{
    dal_text_printf(table, "  %s\v%s\n", text_of(needs, "pkg"), text_of(needs, "debian"));
}

static void add_parameter(struct dal_text *table, const xmlNode *parameter)
{
    int live = dal__xml_is_true(dal__xml_get(parameter, "live"));
    const char *type = dal__xml_get(parameter, "type");
    dal_text_printf(table, "  %s.%s\v%s\v%s%s%s\v", text_of(parameter->parent, "name"),
                    text_of(parameter, "name"), text_of(parameter, "value"), live ? "live" : "",
                    live && type ? " " : "", type ? type : "");
    add_range(table, parameter);
    dal_text_printf(table, "\v%s\v%s\n", text_of(parameter, "unit"), text_of(parameter, "about"));
}

static void add_constant(struct dal_text *table, const xmlNode *constant)
{
    const char *file = dal__xml_get(constant, "file");
    dal_text_printf(table, "  %s.%s\v%s\v%s\v%s\v%s\n", text_of(constant->parent, "name"),
                    text_of(constant, "name"), text_of(constant, "type"),
                    file ? file : text_of(constant, "value"), text_of(constant, "unit"),
                    text_of(constant, "about"));
}

static const struct section {
    const char *title, *element;
    void (*add)(struct dal_text *table, const xmlNode *element);
    int of_process; /* the elements are those of processes */
} sections[] = {
    {"Ports", "port", add_port, 0},
    {"Variables", "variable", add_variable, 0},
    {"Parameters", "parameter", add_parameter, 1},
    {"Constants", "constant", add_constant, 1},
    {"Needs packages of pkg-config, of Debian", "needs", add_needs, 0},
};

/* A port of a process is none of the network; one in an iterator is. */
static int is_of_part(const xmlNode *node, const xmlNode *root, const struct section *section)
{
    return dal__xml_is(node, section->element) &&
           (section->of_process || dal__xml_is_of(node, root));
}

static int print_section(const xmlNode *root, const struct section *section, FILE *out)
{
    struct dal_text table = {0};
    for (xmlNode *node = root->children; node; node = dal__xml_next(root, node))
        if (is_of_part(node, root, section))
            section->add(&table, node);
    if (table.length)
        fprintf(out, "\n%s\n", section->title);
    return dal_table_print(&table, out);
}

/* ---- parts ----------------------------------------------------------------------------------- */

int dal_part_describe(struct dal_diags *diags, const char *name, FILE *out)
{
    xmlNode *root = open_part(diags, name);
    int status = DAL_OK;
    if (!root)
        return diags->lost ? DAL_ERR_NOMEM : DAL_ERR_INVALID;
    fprintf(out, "%s%s%s\n", text_of(root, "name"), *text_of(root, "about") ? ": " : "",
            text_of(root, "about"));
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && !status; i++)
        status = print_section(root, &sections[i], out);
    dal__xml_close(root);
    return status;
}

static int add_part(struct dal_diags *diags, struct dal_text *table, const char *name)
{
    xmlNode *root = open_part(diags, name);
    if (!root)
        return diags->lost ? DAL_ERR_NOMEM : DAL_ERR_INVALID;
    dal_text_printf(table, "%s\v%s\n", name, text_of(root, "about"));
    dal__xml_close(root);
    return DAL_OK;
}

int dal_parts_list(struct dal_diags *diags, FILE *out)
{
    struct dal_text names = {0}, table = {0};
    const char *why = dal__installed_names(&names);
    char *list = dal_text_take(&names), *rest = NULL;
    int status = DAL_OK;
    if (why)
        status = dal_error(diags, folder_place(diags), "unknown-part",
                           "the folder of the parts that are installed: %s", why);
    for (char *name = list ? strtok_r(list, "\n", &rest) : NULL; name && !status;
         name = strtok_r(NULL, "\n", &rest))
        status = add_part(diags, &table, name);
    dal_free(list);
    if (!status)
        return dal_table_print(&table, out);
    dal_text_finish(&table);
    return status;
}
