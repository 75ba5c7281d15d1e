/* Reads variables and their values, by type. */
#include "spec/read/variable.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME = 100, MOST_TEXT = 16000 };

/* A value that is being read. */
struct giving {
    const struct dal__given *given;
    struct dal__reader *inside; /* of the declaration */
    const xmlNode *declaration;
    struct dal_spec_variable *variable;
    char *text; /* the value as written, ${...} replaced; of an integer NULL */
};

/* ---- errors ---------------------------------------------------------------------------------- */

static int refuse_value(const struct giving *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int refuse_value(const struct giving *g, const char *format, ...)
{
    const struct dal__given *given = g->given;
    const char *name = dal__xml_get(given->element, "name");
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (given->define)
        return dal_error(given->reader->diags, dal__xml_place(given->element), "typed-variable",
                         "-D %s: %s", g->variable->name, text);
    return dal_error(given->reader->diags, dal__xml_place(given->element), "typed-variable",
                     "%s '%.100s': %s: %s", (const char *)given->element->name, name ? name : "",
                     given->attribute, text);
}

static int refuse_declaration(const struct giving *g, const char *attribute, const char *why)
{
    return dal_error(g->inside->diags, g->variable->place, "typed-variable",
                     "variable '%s': %s: %s", g->variable->name, attribute, why);
}

/* ---- integers -------------------------------------------------------------------------------- */

static int parse_define(const struct giving *g, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(g->given->define, &end, 10);
    if (!errno && end > g->given->define && !*end)
        return DAL_OK;
    *value = 1;
    return refuse_value(g, "'%.60s' is no integer", g->given->define);
}

static int read_integer(struct giving *g)
{
    static const struct dal__number
        low = {.attribute = "min", .least = INT64_MIN, .most = INT64_MAX, .absent = INT64_MIN},
        high = {.attribute = "max", .least = INT64_MIN, .most = INT64_MAX, .absent = INT64_MAX};
    struct dal__number rule = {
        .attribute = g->given->attribute, .least = INT64_MIN, .most = INT64_MAX};
    int64_t min, max, *value = &g->variable->value;
    int status = g->given->define
                     ? parse_define(g, value)
                     : dal__xml_number(g->given->reader, g->given->element, &rule, value);
    dal__xml_number(g->inside, g->declaration, &low, &min);
    dal__xml_number(g->inside, g->declaration, &high, &max);
    if (status || (*value >= min && *value <= max))
        return status;
    if (min > max)
        return refuse_declaration(g, "min", "it is above max");
    status = refuse_value(g, "%" PRId64 " is too %s: it must be at %s %" PRId64, *value,
                          *value < min ? "small" : "large", *value < min ? "least" : "most",
                          *value < min ? min : max);
    *value = *value < min ? min : max;
    return status;
}

/* ---- real numbers ---------------------------------------------------------------------------- */

/* Reads a number, a variable or an integer expression. Returns whether it is one. */
static int parse_real(const struct dal_expr_scope *scope, const char *text, double *value)
{
    struct dal_expr_fault fault;
    const struct dal_expr_variable *variable = scope ? dal_expr_find(scope, text) : NULL;
    int64_t integer;
    char *end;
    if (variable && variable->type == DAL_VARIABLE_REAL)
        text = variable->text;
    if (strspn(text, "0123456789.eE+- ") == strlen(text)) {
        *value = strtod(text, &end);
        if (end > text && !end[strspn(end, " ")])
            return isfinite(*value);
    }
    if (!scope || dal_expr_eval(scope, text, &integer, &fault))
        return 0;
    *value = (double)integer;
    return 1;
}

/* Returns a text that is read as the same double, with a point or an exponent. */
static char *print_real(double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return dal_format("%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

/* Checks one limit of a real number; `sign` is 1 for the least and -1 for the most. */
static int check_limit(const struct giving *g, const char *attribute, int sign, double value)
{
    const char *text = dal__xml_get(g->declaration, attribute);
    double limit;
    if (!text)
        return DAL_OK;
    if (!parse_real(g->inside->scope, text, &limit))
        return refuse_declaration(g, attribute, "it is no number");
    if (sign * value >= sign * limit)
        return DAL_OK;
    return refuse_value(g, "%.60s is too %s: it must be at %s %.60s", g->text,
                        sign > 0 ? "small" : "large", sign > 0 ? "least" : "most", text);
}

static int read_real(struct giving *g)
{
    double value = 1;
    const struct dal_expr_scope *scope = g->given->define ? NULL : g->given->reader->scope;
    int status = DAL_OK;
    if (!parse_real(scope, g->text, &value)) {
        status = refuse_value(g, "'%.60s' is no number", g->text);
        value = 1;
    }
    if (!status)
        status = check_limit(g, "min", 1, value);
    if (!status)
        status = check_limit(g, "max", -1, value);
    g->variable->text = print_real(value);
    return status;
}

/* ---- names and texts ------------------------------------------------------------------------- */

/* Returns whether a list that is parted by spaces has a word; any list has it that is NULL. */
static int has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && *(at += strspn(at, " \t\r\n")); at += strcspn(at, " \t\r\n"))
        if (strcspn(at, " \t\r\n") == length && strncmp(at, word, length) == 0)
            return 1;
    return !list;
}

static int is_identifier(const char *text)
{
    return *text && (*text < '0' || *text > '9') && strspn(text, DAL_IDENTIFIER) == strlen(text) &&
           strlen(text) <= MOST_NAME;
}

/* Returns a name with which reading may go on: the usual one, or the first that is allowed. */
static char *find_usual(const struct giving *g)
{
    const char *value = dal__xml_get(g->declaration, "value");
    const char *values = dal__xml_get(g->declaration, "values");
    if (value && is_identifier(value) && has_word(values, value))
        return dal_strdup(value);
    values = values ? values + strspn(values, " \t\r\n") : "int";
    return dal_format("%.*s", (int)strcspn(values, " \t\r\n"), values);
}

/* A variable of the network around it may stand for its value. */
static int read_name(struct giving *g)
{
    const char *values = dal__xml_get(g->declaration, "values"), *value = g->text;
    const struct dal_expr_variable *other =
        g->given->define ? NULL : dal_expr_find(g->given->reader->scope, value);
    int status = DAL_OK;
    if (other && other->type == DAL_VARIABLE_NAME)
        value = other->text;
    if (!is_identifier(value))
        status = refuse_value(g, "'%.60s' is no name of letters, digits and _", value);
    else if (!has_word(values, value))
        status = refuse_value(g, "'%.60s' is none of its values: %.200s", value, values);
    g->variable->text = status ? find_usual(g) : dal_strdup(value);
    return status;
}

static int read_text(struct giving *g)
{
    int status = DAL_OK;
    if (!dal_text_is_plain(g->text))
        status = refuse_value(g, "it has a newline or another control character");
    else if (strlen(g->text) > MOST_TEXT)
        status = refuse_value(g, "it has more than %d bytes", MOST_TEXT);
    else if (strstr(g->text, "${"))
        status = refuse_value(g, "it has '${', which would be replaced again");
    g->variable->text = dal_strdup(status ? "" : g->text);
    return status;
}

/* ---- variables ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int (*read)(struct giving *g);
    int has_limits, has_values;
} types[] = {
    [DAL_VARIABLE_INTEGER] = {.name = "integer", .read = read_integer, .has_limits = 1},
    [DAL_VARIABLE_REAL] = {.name = "real", .read = read_real, .has_limits = 1},
    [DAL_VARIABLE_NAME] = {.name = "name", .read = read_name, .has_values = 1},
    [DAL_VARIABLE_TEXT] = {.name = "text", .read = read_text},
};

static enum dal_variable_type read_type(const xmlNode *declaration)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (dal__xml_has(declaration, "type", types[i].name))
            return (enum dal_variable_type)i;
    return DAL_VARIABLE_INTEGER;
}

struct dal_spec_variable *dal__add_variable(struct dal__reader *reader, const xmlNode *declaration,
                                            struct dal_spec_variable **list, size_t *count,
                                            int *status)
{
    static const struct dal__limit limit = {.most = DAL_MAX_VARIABLES, .things = "variables"};
    struct dal_spec_variable *variable =
        DAL__ADD(reader, declaration, &limit, *list, *count, status);
    if (!variable)
        return NULL;
    variable->place = dal__xml_place(declaration);
    variable->type = read_type(declaration);
    if (dal__xml_text(reader, declaration, "name", &variable->name)) {
        --*count; /* none is without a name */
        *status = DAL_ERR_NOMEM;
        return NULL;
    }
    if (dal_expr_find(reader->scope, variable->name))
        dal_error(reader->diags, variable->place, "duplicate-name",
                  "variable '%s': there is one of this name already", variable->name);
    return variable;
}

static void check_declaration(const struct giving *g)
{
    enum dal_variable_type type = g->variable->type;
    const char *limit = dal__xml_get(g->declaration, "min") ? "min" : "max";
    if (!types[type].has_limits && dal__xml_get(g->declaration, limit))
        refuse_declaration(g, limit, "only numbers have limits");
    if (!types[type].has_values && dal__xml_get(g->declaration, "values"))
        refuse_declaration(g, "values", "only the type name has values to choose from");
}

static int refuse_missing(const struct giving *g)
{
    const struct dal__given *given = g->given;
    struct dal_spec_place place = dal__xml_place(given->element);
    const char *name = g->variable->name;
    if (given->element == g->declaration)
        return dal_error(given->reader->diags, place, "open-variable",
                         "variable '%s' has no value: -D %s=VALUE gives it one", name, name);
    return dal_error(given->reader->diags, place, "open-variable",
                     "network '%s': its variable '%s' needs a value here",
                     dal__xml_get(given->element, "name"), name);
}

/* Reads the text of a value. Without one, *status is an error. */
static char *read_written(const struct giving *g, int *status)
{
    const struct dal__given *given = g->given;
    char *text = NULL;
    if (given->define)
        text = dal_strdup(given->define);
    else
        *status = dal__xml_expand(given->reader, given->element, given->attribute, &text);
    if (!text && !*status)
        *status = dal__lost(given->reader->diags);
    return text;
}

int dal__give_value(struct dal__reader *reader, const xmlNode *declaration,
                    const struct dal__given *given, struct dal_spec_variable *variable)
{
    struct giving g = {
        .given = given, .inside = reader, .declaration = declaration, .variable = variable};
    int is_integer = variable->type == DAL_VARIABLE_INTEGER, status = DAL_OK;
    check_declaration(&g);
    if (!given->define && !given->attribute)
        status = refuse_missing(&g);
    else if (!is_integer)
        g.text = read_written(&g, &status);
    if (!status)
        status = types[variable->type].read(&g);
    dal_free(g.text);
    if (status)
        given->reader->unclear = 1;
    if (status && is_integer && !variable->value)
        variable->value = 1;
    if (!is_integer && !variable->text)
        variable->text = variable->type == DAL_VARIABLE_NAME ? find_usual(&g) : dal_strdup("1.0");
    if (!is_integer && !variable->text)
        return dal__lost(reader->diags);
    return dal__fatal(status);
}

int dal__show_variable(struct dal__reader *reader, const struct dal_spec_variable *variable)
{
    struct dal_expr_variable *shown;
    if (dal_expr_push(reader->scope, variable->name, variable->value))
        return dal__lost(reader->diags);
    shown = &reader->scope->list[reader->scope->count - 1];
    shown->line = variable->place.line;
    shown->type = variable->type;
    shown->text = variable->text;
    return DAL_OK;
}

int dal__replace_name(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                      char **name)
{
    const struct dal_expr_variable *variable = dal_expr_find(reader->scope, *name);
    char *value;
    if (!variable || variable->type == DAL_VARIABLE_INTEGER)
        return DAL_OK;
    if (variable->type != DAL_VARIABLE_NAME)
        return dal_error(reader->diags, dal__xml_place(element), "typed-variable",
                         "%s: %s: the variable '%s' is no name", (const char *)element->name,
                         attribute, *name);
    value = dal_strdup(variable->text);
    if (!value)
        return dal__lost(reader->diags);
    dal_free(*name);
    *name = value;
    return DAL_OK;
}
