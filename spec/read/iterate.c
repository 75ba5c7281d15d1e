/* Iterated structure: <iterator variable="i" range="N"> repeats what is inside it. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/raw.h"
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
                           int64_t range)
{
    int status = DAL_OK;
    if (dal_expr_push(walk->reader->scope, variable, 0))
        return dal__lost(walk->reader->diags);
    walk->depth++;
    for (int64_t i = 0; !status && i < range; i++) {
        walk->reader->scope->list[walk->reader->scope->count - 1].value = i;
        status = count_visit(walk, iterator);
        if (!status)
            status = walk_children(walk, iterator);
    }
    walk->depth--;
    dal_expr_pop(walk->reader->scope);
    return status;
}

static int read_iterator(struct walk *walk, xmlNode *iterator)
{
    static const struct dal__number rule = {.attribute = "range",
                                            .least = 0,
                                            .most = MAX_RANGE,
                                            .low_code = "iterator-range",
                                            .high_code = "iterator-range"};
    struct dal__reader *reader = walk->reader;
    struct dal_spec_place place = dal__xml_place(iterator);
    char *variable = NULL;
    int64_t range;
    int status;
    if (walk->depth == MAX_NESTED) {
        dal_error(reader->diags, place, "iterator-range", "iterators nest at most %d deep",
                  MAX_NESTED);
        reader->unclear = 1;
        return DAL_OK;
    }
    if (dal__xml_number(reader, iterator, &rule, &range)) {
        reader->unclear = 1;
        range = 1;
    }
    status = dal__xml_text(reader, iterator, "variable", &variable);
    if (status || !variable)
        return status;
    if (dal_expr_find(reader->scope, variable)) {
        dal_error(reader->diags, place, "duplicate-name",
                  "iterator: there is a variable '%s' already", variable);
        reader->unclear = 1;
    } else {
        status = repeat_children(walk, iterator, variable, range);
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
