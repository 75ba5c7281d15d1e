/* Goes through iterators: <iterator variable="i" range="N"> repeats what is inside it. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/range.h"
#include "spec/read/xml.h"

#define MAX_RANGE   1000000
#define MAX_NESTED  8
#define MAX_VISITED 8000000

/* The iterators that are open, from the outermost in. */
struct walk {
    struct dal__reader *reader;
    dal__xml_visit *visit;
    void *context;
    int depth;
};

static int walk_children(struct walk *walk, xmlNode *parent);

/* Counts what iterators make, so that a few nested ones cannot keep us for ever. */
static int count_visit(struct walk *walk, const xmlNode *element)
{
    if (++walk->reader->visited <= MAX_VISITED)
        return DAL_OK;
    dal_error(walk->reader->diags, dal__xml_place(element), "network-size",
              "iterators make more than %d elements", MAX_VISITED);
    return DAL_ERR_LIMIT;
}

static int repeat_children(struct walk *walk, xmlNode *iterator, const char *variable,
                           const struct dal__range *range)
{
    int status = DAL_OK;
    if (dal_expr_push(walk->reader->scope, variable, 0))
        return dal__lost(walk->reader->diags);
    walk->reader->scope->list[walk->reader->scope->count - 1].line = dal__xml_place(iterator).line;
    walk->depth++;
    for (int64_t i = 0; !status && i < range->count; i++) {
        walk->reader->scope->list[walk->reader->scope->count - 1].value =
            range->first + i * range->step;
        status = count_visit(walk, iterator);
        if (!status)
            status = walk_children(walk, iterator);
    }
    walk->depth--;
    dal_expr_pop(walk->reader->scope);
    return status;
}

/* Reads how often to iterate, and with which values. After an error in diags that is once. */
static int read_range(struct dal__reader *reader, xmlNode *iterator, const char *variable,
                      struct dal__range *range)
{
    static const struct dal__number rule = {.attribute = "range",
                                            .least = 0,
                                            .most = MAX_RANGE,
                                            .low_code = "iterator-range",
                                            .high_code = "iterator-range"};
    struct dal_expr_fault fault;
    char *text;
    int status = dal__xml_text(reader, iterator, "range", &text), is_loop;
    if (status)
        return status;
    *range = (struct dal__range){.step = 1, .count = 1};
    is_loop = reader->is_dol && text && dal__range_is_loop(text);
    if (is_loop)
        status = dal__range_read(reader->scope, text, variable, range, &fault);
    if (is_loop && status)
        dal__xml_fault(reader, iterator, "range", &fault);
    dal_free(text);
    if (!is_loop)
        status = dal__xml_number(reader, iterator, &rule, &range->count);
    else if (!status && range->count > MAX_RANGE) {
        dal_error(reader->diags, dal__xml_place(iterator), "iterator-range",
                  "iterator: its loop has more than %d values", MAX_RANGE);
        status = DAL_ERR_INVALID;
    }
    if (status) {
        reader->unclear = 1;
        *range = (struct dal__range){.step = 1, .count = 1};
    }
    return DAL_OK;
}

/* Returns the variable of this file that has the name already, or NULL. */
static const struct dal_expr_variable *find_taken(const struct dal__reader *reader,
                                                  const char *name)
{
    const struct dal_expr_variable *found = dal_expr_find(reader->scope, name);
    return found && found >= reader->scope->list + reader->foreign ? found : NULL;
}

static int read_iterator(struct walk *walk, xmlNode *iterator)
{
    struct dal__reader *reader = walk->reader;
    struct dal_spec_place place = dal__xml_place(iterator);
    const struct dal_expr_variable *taken;
    struct dal__range range;
    char *variable = NULL;
    int status;
    if (walk->depth == MAX_NESTED) {
        dal_error(reader->diags, place, "iterator-range", "iterators nest at most %d deep",
                  MAX_NESTED);
        reader->unclear = 1;
        return DAL_OK;
    }
    status = dal__xml_text(reader, iterator, "variable", &variable);
    if (status || !variable)
        return status;
    status = read_range(reader, iterator, variable, &range);
    if (status) {
        dal_free(variable);
        return status;
    }
    taken = find_taken(reader, variable);
    if (taken) {
        dal_error(reader->diags, place, "duplicate-name",
                  "iterator: there is a variable '%s' already", variable);
        if (taken->line)
            dal_note(reader->diags,
                     (struct dal_spec_place){.file = place.file, .line = taken->line},
                     "variable '%s' is here", variable);
        reader->unclear = 1;
    } else {
        status = repeat_children(walk, iterator, variable, &range);
    }
    dal_free(variable);
    return status;
}

static int walk_children(struct walk *walk, xmlNode *parent)
{
    DAL__XML_EACH(child, parent)
    {
        int status = count_visit(walk, child);
        if (!status && dal__xml_is(child, "iterator"))
            status = read_iterator(walk, child);
        else if (!status)
            status = walk->visit(walk->reader, child, walk->context);
        if (status)
            return status;
    }
    return DAL_OK;
}

int dal__xml_walk(struct dal__reader *reader, xmlNode *parent, dal__xml_visit *visit, void *context)
{
    struct walk walk = {.reader = reader, .visit = visit, .context = context};
    return walk_children(&walk, parent);
}

/* ---- variables of a file ------------------------------------------------------------------------
 */

static int read_own(struct dal__reader *reader, const xmlNode *element,
                    struct dal__own_variables *own)
{
    static const struct dal__number rule = {
        .attribute = "value", .least = INT64_MIN, .most = INT64_MAX};
    static const struct dal__limit limit = {.most = DAL_MAX_VARIABLES, .things = "variables"};
    int64_t value;
    int status;
    char *name, **added = DAL__ADD(reader, element, &limit, own->names, own->count, &status);
    if (!added)
        return status;
    if (dal__xml_text(reader, element, "name", added))
        return dal__lost(reader->diags);
    name = *added;
    if (find_taken(reader, name))
        dal_error(reader->diags, dal__xml_place(element), "duplicate-name",
                  "variable '%s': there is one of this name already", name);
    if (dal__xml_number(reader, element, &rule, &value))
        reader->unclear = 1;
    if (dal_expr_push(reader->scope, name, value))
        return dal__lost(reader->diags);
    reader->scope->list[reader->scope->count - 1].line = dal__xml_place(element).line;
    return DAL_OK;
}

int dal__own_variables_read(struct dal__reader *reader, const xmlNode *root,
                            struct dal__own_variables *own)
{
    int status = DAL_OK;
    own->before = reader->scope->count;
    own->is_open = 1;
    DAL__XML_EACH(child, root)
    {
        if (!status && dal__xml_is(child, "variable"))
            status = read_own(reader, child, own);
    }
    return status;
}

void dal__own_variables_finish(struct dal__reader *reader, struct dal__own_variables *own)
{
    while (own->is_open && reader->scope->count > own->before)
        dal_expr_pop(reader->scope);
    while (own->count)
        dal_free(own->names[--own->count]);
    dal_free(own->names);
    *own = (struct dal__own_variables){0};
}
