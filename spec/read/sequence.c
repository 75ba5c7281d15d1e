/* Reads attributes that may be sequences: rates and times of a cyclo-static process. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/xml.h"

#include <inttypes.h>

struct sequence {
    struct dal__reader *reader;
    const xmlNode *element;
    const struct dal__number *rule;
    uint64_t *list;
    size_t count;
};

static int refuse_entry(const struct sequence *s, const char *code, const char *what, int64_t limit)
{
    return dal_error(s->reader->diags, dal__xml_place(s->element), code ? code : "bad-number",
                     "%s: %s: %s %" PRId64, (const char *)s->element->name, s->rule->attribute,
                     what, limit);
}

static int read_sequence_entry(const struct sequence *s, const char *text, int64_t *value)
{
    struct dal_expr_fault fault;
    int status = dal_expr_eval(s->reader->scope, text, value, &fault);
    if (status) {
        dal__xml_fault(s->reader, s->element, s->rule->attribute, &fault);
        return status;
    }
    if (*value < 0)
        return refuse_entry(s, s->rule->low_code, "what is in a sequence must be at least", 0);
    if (*value > s->rule->most)
        return refuse_entry(s, s->rule->high_code, "what is in a sequence must be at most",
                            s->rule->most);
    return DAL_OK;
}

/* Returns the next comma that is not between the arguments of a function; NULL without one. */
static char *find_comma(char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += *text == '(' ? 1 : *text == ')' ? -1 : 0;
        if (*text == ',' && depth <= 0)
            return text;
    }
    return NULL;
}

static size_t count_entries(char *text)
{
    size_t count = 1;
    while ((text = find_comma(text))) {
        count++;
        text++;
    }
    return count;
}

/* Entries are at most 2^40, and at most 4096: their sum fits. */
static int read_entries(struct sequence *s, char *text, int64_t *sum)
{
    int64_t value;
    int status;
    *sum = 0;
    for (char *next = text; next; text = next) {
        next = find_comma(text);
        if (next)
            *next++ = '\0';
        status = read_sequence_entry(s, text, &value);
        if (status)
            return status;
        s->list[s->count++] = (uint64_t)value;
        *sum += value;
    }
    if (*sum < s->rule->least)
        return refuse_entry(s, s->rule->low_code, "together they must be at least", s->rule->least);
    if (*sum > s->rule->most)
        return refuse_entry(s, s->rule->high_code, "together they must be at most", s->rule->most);
    return DAL_OK;
}

static int read_sequence(struct sequence *s, char *text, int64_t *sum)
{
    size_t count = count_entries(text);
    int status;
    if (count > DAL_MAX_PHASES)
        return refuse_entry(s, "bad-sequence", "a sequence may have entries, at most",
                            DAL_MAX_PHASES);
    s->list = dal_calloc(count, sizeof(*s->list));
    if (!s->list)
        return dal__lost(s->reader->diags);
    status = read_entries(s, text, sum);
    if (status) {
        dal_free(s->list);
        s->list = NULL;
        s->count = 0;
    }
    return status;
}

int dal__xml_sequence(struct dal__reader *reader, const xmlNode *element,
                      const struct dal__number *rule, int64_t *sum, uint64_t **list, size_t *count)
{
    struct sequence s = {.reader = reader, .element = element, .rule = rule};
    char *text;
    int status = dal__xml_text(reader, element, rule->attribute, &text);
    *list = NULL;
    *count = 0;
    if (!status && (!text || !find_comma(text))) {
        status = dal__xml_number(reader, element, rule, sum);
    } else if (!status) {
        status = read_sequence(&s, text, sum);
        if (status)
            *sum = rule->least;
        *list = s.list;
        *count = s.count;
    }
    dal_free(text);
    return status;
}
