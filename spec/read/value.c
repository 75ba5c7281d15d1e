/* Reads attributes of elements: texts, numbers and names with their indices. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/dialects/short/short.h"
#include "spec/read/raw.h"
#include "spec/read/xml.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAME    DAL_MAX_NAME
#define MAX_INDICES 16
/* Most bytes of attributes; each counts as often as iterators come by. */
#define MAX_TEXT ((size_t)1 << 29)

/* Counts bytes; the limit is reported once. */
static int count_text(struct dal__reader *reader, const xmlNode *element, size_t length)
{
    if (reader->text_bytes <= MAX_TEXT && length <= MAX_TEXT - reader->text_bytes) {
        reader->text_bytes += length;
        return DAL_OK;
    }
    if (reader->text_bytes <= MAX_TEXT)
        dal_error(reader->diags, dal__xml_place(element), "network-size",
                  "%s: iterators come by more than 2^29 bytes of attributes",
                  (const char *)element->name);
    reader->text_bytes = SIZE_MAX;
    return DAL_ERR_LIMIT;
}

int dal__xml_text(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                  char **value)
{
    const char *text = dal__xml_get(element, attribute);
    size_t length = text ? strlen(text) : 0;
    *value = NULL;
    if (!text)
        return DAL_OK;
    if (count_text(reader, element, length))
        return DAL_ERR_LIMIT;
    *value = dal_strdup(text);
    return *value ? DAL_OK : dal__lost(reader->diags);
}

int dal__xml_plain(struct dal_diags *diags, struct dal_spec_place place, const char *what,
                   const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            dal_error(diags, place, "control-character",
                      "%s has a newline or another control character (\\%03o)", what,
                      (unsigned char)*c);
            return 0;
        }
    return 1;
}

int dal__parse_positive(const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (text[strspn(text, "0123456789.eE+- \t\r\n")] || end == text ||
        end[strspn(end, " \t\r\n")] || !(number > 0) || number >= 1e300)
        return 0;
    *value = number;
    return 1;
}

int dal__fatal(int status)
{
    return status == DAL_ERR_INVALID ? DAL_OK : status;
}

static void refuse_more(struct dal__reader *reader, const xmlNode *place,
                        const struct dal__limit *limit)
{
    const char *code = limit->code ? limit->code : "network-size";
    if (limit->name)
        dal_error(reader->diags, dal__xml_place(place), code, "%s%s'%s' has more than %zu %s",
                  limit->of, *limit->of ? " " : "", limit->name, limit->most, limit->things);
    else
        dal_error(reader->diags, dal__xml_place(place), code, "more than %zu %s", limit->most,
                  limit->things);
}

void *dal__add(struct dal__reader *reader, const xmlNode *place, const struct dal__limit *limit,
               void *array, size_t *count, size_t bytes, int *status)
{
    char *list;
    if (limit && *count >= limit->most) {
        refuse_more(reader, place, limit);
        *status = DAL_ERR_LIMIT;
        return NULL;
    }
    if (dal_extend(array, *count, bytes)) {
        *status = dal__lost(reader->diags);
        return NULL;
    }
    memcpy(&list, array, sizeof(list));
    *status = DAL_OK;
    return memset(list + (*count)++ * bytes, 0, bytes);
}

static const char *name_of(const xmlNode *element, char name[MAX_NAME])
{
    const char *text = dal__xml_get(element, "name");
    name[0] = '\0';
    if (text)
        snprintf(name, MAX_NAME, " '%.100s'", text);
    return name;
}

/* Was this reported before? An iterator comes by again and again. */
static int is_told(const struct dal_diags *diags, struct dal_spec_place place, const char *code)
{
    for (size_t i = diags->count; i-- > 0;)
        if (diags->list[i].code && diags->list[i].place.line == place.line &&
            diags->list[i].place.file == place.file && strcmp(diags->list[i].code, code) == 0)
            return 1;
    return 0;
}

/* An index that the short form has in a name stands in the line of that. */
static int is_index(const xmlNode *element)
{
    return dal__xml_is(element, "append") &&
           dal__xml_place(element).line == dal__xml_place(element->parent).line;
}

static void refuse_index(struct dal__reader *reader, const xmlNode *element,
                         const struct dal_expr_fault *fault)
{
    int indices = 0;
    char *written = dal__short_written_name(element, &indices);
    if (written)
        dal_error(reader->diags, dal__xml_place(element), fault->code,
                  "%s'%.200s': %s; an iterator around it gives one",
                  dal__xml_is(element, "process") ? "process " : "", written, fault->text);
    else
        dal__lost(reader->diags);
    dal_free(written);
}

void dal__xml_fault(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                    const struct dal_expr_fault *fault)
{
    char name[MAX_NAME], variables[400] = "";
    if (strcmp(fault->code, "unknown-function") == 0 &&
        is_told(reader->diags, dal__xml_place(element), fault->code))
        return;
    if (fault->name[0] && is_index(element))
        refuse_index(reader, element->parent, fault);
    else
        dal_error(reader->diags, dal__xml_place(element), fault->code, "%s%s: %s: %s",
                  (const char *)element->name, name_of(element, name), attribute, fault->text);
    if (!fault->name[0])
        return;
    for (size_t i = 0; i < reader->scope->count && strlen(variables) < 200; i++) {
        size_t used = strlen(variables);
        snprintf(variables + used, sizeof(variables) - used, " %.100s",
                 reader->scope->list[i].name);
    }
    dal_note(reader->diags, dal__xml_place(element), "variables here:%s",
             variables[0] ? variables : " none");
}

int dal__xml_expand(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                    char **result)
{
    struct dal_expr_fault fault;
    char *text;
    int status = dal__xml_text(reader, element, attribute, &text);
    *result = NULL;
    if (status || !text)
        return status;
    status = dal_expr_expand(reader->scope, text, result, &fault);
    if (status == DAL_ERR_NOMEM) {
        dal__lost(reader->diags);
    } else if (status) {
        dal__xml_fault(reader, element, attribute, &fault);
        *result = text;
        return DAL_ERR_INVALID;
    }
    dal_free(text);
    return status;
}

static int out_of_range(struct dal__reader *reader, const xmlNode *element,
                        const struct dal__number *rule, int64_t *value)
{
    char name[MAX_NAME];
    int low = *value < rule->least;
    const char *code = low ? rule->low_code : rule->high_code;
    int64_t limit = low ? rule->least : rule->most;
    dal_error(reader->diags, dal__xml_place(element), code ? code : "bad-number",
              "%s%s: %s is %" PRId64 ", must be at %s %" PRId64, (const char *)element->name,
              name_of(element, name), rule->attribute, *value, low ? "least" : "most", limit);
    *value = limit;
    return DAL_ERR_INVALID;
}

int dal__xml_number(struct dal__reader *reader, const xmlNode *element,
                    const struct dal__number *rule, int64_t *value)
{
    struct dal_expr_fault fault;
    char *text;
    int status = dal__xml_text(reader, element, rule->attribute, &text);
    *value = rule->absent;
    if (status || !text)
        return status;
    status = dal_expr_eval(reader->scope, text, value, &fault);
    if (status) {
        dal__xml_fault(reader, element, rule->attribute, &fault);
        *value = rule->least > 1 || rule->most < 1 ? rule->least : 1;
    } else if (*value < rule->least || *value > rule->most) {
        status = out_of_range(reader, element, rule, value);
    }
    dal_free(text);
    return status;
}

int64_t dal__xml_value(struct dal__reader *reader, const xmlNode *element,
                       const struct dal__number *rule)
{
    int64_t value;
    dal__xml_number(reader, element, rule, &value);
    return value;
}

int dal__xml_number_or_auto(struct dal__reader *reader, const xmlNode *element,
                            const struct dal__number *rule, int64_t *value)
{
    if (!dal__xml_has(element, rule->attribute, "auto"))
        return dal__xml_number(reader, element, rule, value);
    *value = DAL_SPEC_AUTO;
    return DAL_OK;
}

const struct dal__unit dal__xml_times[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {0}};

static double factor_of(const struct dal__unit *units, const char *name)
{
    while (units->name && strcmp(units->name, name) != 0)
        units++;
    return units->name ? units->factor : 0;
}

int dal__xml_quantity(struct dal__reader *reader, const xmlNode *element,
                      const struct dal__quantity *rule, uint64_t *value)
{
    char name[MAX_NAME], unit[16] = "", *text;
    double number = 0;
    int status = dal__xml_expand(reader, element, rule->attribute, &text);
    *value = rule->least;
    if (status || !text) {
        dal_free(text);
        return status == DAL_ERR_INVALID;
    }
    if (sscanf(text, "%lf %15s", &number, unit) == 2)
        number = number * factor_of(rule->units, unit) + 0.5;
    if (number >= (double)rule->least && number < (double)rule->most + 1)
        *value = (uint64_t)number;
    else
        dal_error(reader->diags, dal__xml_place(element), "bad-number",
                  "%s%s: %s is %.40s, must be %s", (const char *)element->name,
                  name_of(element, name), rule->attribute, text, rule->range);
    dal_free(text);
    return 1;
}

/* Returns the first x between two expressions; NULL without one. */
static char *find_separator(char *text)
{
    int behind_operand = 0;
    while (*text) {
        if (behind_operand && *text == 'x')
            return text;
        if (isdigit((unsigned char)*text))
            text += strspn(text, "0123456789");
        else if (isalpha((unsigned char)*text) || *text == '_')
            while (isalnum((unsigned char)*text) || *text == '_')
                text++;
        else {
            if (!isspace((unsigned char)*text))
                behind_operand = *text == ')';
            text++;
            continue;
        }
        behind_operand = 1;
    }
    return NULL;
}

/* Reads one of several factors. */
static int read_factor(struct dal__reader *reader, const xmlNode *element,
                       const struct dal__number *rule, const char *text, int64_t *value)
{
    struct dal_expr_fault fault;
    int status = dal_expr_eval(reader->scope, text, value, &fault);
    if (status)
        dal__xml_fault(reader, element, rule->attribute, &fault);
    else if (*value < rule->least || *value > rule->most)
        status = out_of_range(reader, element, rule, value);
    return status;
}

static void read_shape(struct dal__reader *reader, const xmlNode *element,
                       const struct dal__number *rule, char *text, uint32_t shape[DAL_DIMENSIONS])
{
    int64_t product = 1, value;
    char *next = text;
    int count = 0;
    for (; next && count < DAL_DIMENSIONS; count++) {
        text = next;
        next = find_separator(text);
        if (next)
            *next++ = '\0';
        if (read_factor(reader, element, rule, text, &value))
            return;
        shape[count] = (uint32_t)value;
        product *= value;
        if (product > rule->most) {
            out_of_range(reader, element, rule, &product);
            return;
        }
    }
    if (next)
        dal_error(reader->diags, dal__xml_place(element), "bad-number",
                  "%s: %s has more than %d dimensions", (const char *)element->name,
                  rule->attribute, DAL_DIMENSIONS);
}

void dal__xml_work_items(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                         uint32_t *items, uint32_t shape[DAL_DIMENSIONS])
{
    const struct dal__number rule = {
        .attribute = attribute, .least = 1, .most = DAL_MAX_COPIES, .absent = *items};
    uint32_t found[DAL_DIMENSIONS] = {0};
    int64_t value;
    char *text;
    if (dal__xml_text(reader, element, attribute, &text) || !text)
        return;
    if (find_separator(text)) {
        memcpy(found, (uint32_t[DAL_DIMENSIONS]){1, 1, 1}, sizeof(found));
        read_shape(reader, element, &rule, text, found);
        value = (int64_t)found[0] * found[1] * found[2];
    } else {
        dal__xml_number_or_auto(reader, element, &rule, &value);
    }
    *items = (uint32_t)value;
    memcpy(shape, found, sizeof(found));
    dal_free(text);
}

static int append_index(struct dal__reader *reader, struct dal__label *label, int64_t value)
{
    char *longer = dal_format("%s_%" PRId64, label->name, value);
    int *index = dal_realloc(label->index, label->index_count + 1, sizeof(int));
    if (index)
        label->index = index;
    if (!longer || !index) {
        dal_free(longer);
        return dal__lost(reader->diags);
    }
    dal_free(label->name);
    label->name = longer;
    label->index[label->index_count++] = (int)value;
    return DAL_OK;
}

static int append_all(struct dal__reader *reader, xmlNode *element, struct dal__label *label)
{
    static const struct dal__number rule = {.attribute = "function", .least = 0, .most = INT_MAX};
    int result = DAL_OK;
    DAL__XML_EACH(child, element)
    {
        int64_t value;
        int status;
        if (!dal__xml_is(child, "append"))
            continue;
        if (label->index_count == MAX_INDICES)
            return dal_error(reader->diags, dal__xml_place(child), "bad-name",
                             "append: a name can have %d indices", MAX_INDICES);
        status = dal__xml_number(reader, child, &rule, &value);
        if (status) {
            reader->unclear = 1;
            result = status;
        }
        status = append_index(reader, label, value);
        if (status)
            return status;
    }
    return result;
}

int dal__xml_label(struct dal__reader *reader, xmlNode *element, struct dal__label *label)
{
    int status;
    *label = (struct dal__label){0};
    status = dal__xml_text(reader, element, "name", &label->base);
    if (status)
        return status;
    if (!label->base)
        label->base = dal_strdup("");
    label->name = label->base ? dal_strdup(label->base) : NULL;
    if (!label->name)
        return dal__lost(reader->diags);
    status = append_all(reader, element, label);
    if (!status && strlen(label->name) > MAX_NAME) {
        dal_error(reader->diags, dal__xml_place(element), "bad-name",
                  "%s: a name can have %d characters", (const char *)element->name, MAX_NAME);
        label->name[MAX_NAME] = '\0'; /* bounds the time of all that is done with names */
        status = DAL_ERR_INVALID;
    }
    return status;
}

int dal__xml_name(struct dal__reader *reader, xmlNode *element, char **name)
{
    struct dal__label label;
    int status = dal__xml_label(reader, element, &label);
    *name = label.name;
    dal_free_all(label.base, label.index);
    return status;
}
