#include "synth/plan/facts.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdlib.h>
#include <string.h>

const struct dal_fact *dal_fact_next(const struct dal_facts *facts, enum dal_fact_kind kind,
                                     const struct dal_fact *fact)
{
    for (fact = fact ? fact + 1 : facts->list; fact < facts->list + facts->count; fact++)
        if (fact->kind == kind)
            return fact;
    return NULL;
}

const struct dal_fact *dal_fact_find(const struct dal_facts *facts, enum dal_fact_kind kind,
                                     const char *name)
{
    const struct dal_fact *fact = NULL;
    while ((fact = dal_fact_next(facts, kind, fact)) && name && strcmp(fact->name, name) != 0)
        ;
    return fact;
}

const struct dal_fact *dal_fact_of_function(const struct dal_facts *facts, enum dal_fact_kind kind,
                                            const struct dal_fact *fact)
{
    for (fact++; fact < facts->list + facts->count; fact++) {
        if (fact->kind == kind)
            return fact;
        if (fact->kind == DAL_FACT_FUNCTION || fact->kind == DAL_FACT_PROTOTYPE)
            break;
    }
    return NULL;
}

/* ---- as lines -------------------------------------------------------------------------------- */

/* How many texts and numbers a kind's structure has, in this order; it has nothing else. */
#define SHAPE(type, texts)                                                                         \
    {                                                                                              \
        texts, sizeof(struct dal_##type##_fact) / sizeof(size_t) - (texts)                         \
    }
static const struct shape {
    unsigned char texts, numbers;
} shapes[DAL_FACT_KINDS] = {
    [DAL_FACT_ERROR] = SHAPE(error, 0),         [DAL_FACT_RENAME] = SHAPE(word, 1),
    [DAL_FACT_STATE_TYPE] = SHAPE(word, 1),     [DAL_FACT_STATE_CAST] = SHAPE(word, 1),
    [DAL_FACT_DOUBT] = SHAPE(word, 1),          [DAL_FACT_WRITES] = SHAPE(word, 1),
    [DAL_FACT_RELIES] = SHAPE(word, 1),         [DAL_FACT_INPUT] = SHAPE(word, 1),
    [DAL_FACT_REDUCTION] = SHAPE(reduction, 2), [DAL_FACT_FUNCTION] = SHAPE(function, 2),
    [DAL_FACT_PROTOTYPE] = SHAPE(function, 2),  [DAL_FACT_PARAMETER] = SHAPE(parameter, 2),
    [DAL_FACT_SIZE] = SHAPE(size, 0),           [DAL_FACT_LOCAL] = SHAPE(local, 1),
    [DAL_FACT_USE] = SHAPE(word_place, 0),      [DAL_FACT_MEMORY] = SHAPE(word_place, 0),
    [DAL_FACT_WORD] = SHAPE(element, 1),        [DAL_FACT_IN_WAY] = SHAPE(word, 1),
    [DAL_FACT_STEP] = SHAPE(step, 0),           [DAL_FACT_LAYOUT] = SHAPE(layout, 1),
    [DAL_FACT_MEMBER] = SHAPE(member, 2),
};

_Static_assert(sizeof(char *) == sizeof(size_t), "a text and a number have the same size");

/* Adds a text; what would end a field is a space instead. */
static void write_text(struct dal_text *lines, const char *at)
{
    for (; at && *at; at++)
        dal_text_add_bytes(lines, strchr("\t\r\n", *at) ? " " : at, 1);
    dal_text_add(lines, "\t");
}

void dal_fact_write(struct dal_text *lines, const struct dal_fact *fact)
{
    const char *const *texts = (const void *)&fact->error;
    const size_t *numbers = (const void *)(texts + shapes[fact->kind].texts);

    dal_text_printf(lines, "%d\t", (int)fact->kind);
    write_text(lines, fact->name);
    write_text(lines, fact->file);
    dal_text_printf(lines, "%d\t%d\t", fact->line, fact->column);
    for (int i = 0; i < shapes[fact->kind].texts; i++)
        write_text(lines, texts[i]);
    for (int i = 0; i < shapes[fact->kind].numbers; i++)
        dal_text_printf(lines, "%zu\t", numbers[i]);
    dal_text_add(lines, "\n");
}

static const char *next_field(char **line)
{
    const char *field = strsep(line, "\t");
    return field ? field : "";
}

static void read_fact(char *line, struct dal_fact *fact)
{
    const char **texts = (void *)&fact->error;
    unsigned long number = strtoul(next_field(&line), NULL, 10);
    size_t *numbers;
    *fact = (struct dal_fact){.kind = number < DAL_FACT_KINDS ? number : DAL_FACT_ERROR,
                              .name = next_field(&line)};
    fact->file = next_field(&line);
    fact->line = atoi(next_field(&line));
    fact->column = atoi(next_field(&line));
    for (int i = 0; i < shapes[fact->kind].texts; i++)
        texts[i] = next_field(&line);
    numbers = (void *)(texts + shapes[fact->kind].texts);
    for (int i = 0; i < shapes[fact->kind].numbers; i++)
        numbers[i] = strtoul(next_field(&line), NULL, 10);
}

int dal_facts_read(struct dal_facts *facts)
{
    char *line, *rest = facts->lines;
    while ((line = strsep(&rest, "\n"))) {
        if (!*line)
            continue;
        if (dal_grow(&facts->list, facts->count, &facts->room, sizeof(*facts->list)))
            return DAL_ERR_NOMEM;
        read_fact(line, &facts->list[facts->count++]);
    }
    return DAL_OK;
}

/* ---- ends ------------------------------------------------------------------------------------ */

void dal_facts_finish(struct dal_facts *facts)
{
    while (facts->function_count) {
        struct dal_function *f = &facts->functions[--facts->function_count];
        dal_free_all(f->name, f->symbol, f->result, f->argument);
    }
    dal_free_all(facts->functions, facts->list, facts->lines);
    dal_text_finish(&facts->own);
    dal_text_finish(&facts->includes);
    dal_text_finish(&facts->missing);
    dal_text_finish(&facts->undefined);
    dal_text_finish(&facts->behind);
    *facts = (struct dal_facts){0};
}

void dal_variant_finish(struct dal_variant *variant)
{
    dal_text_finish(&variant->condition);
    dal_text_finish(&variant->defines);
    dal_text_finish(&variant->text);
    dal_facts_finish(&variant->facts);
    *variant = (struct dal_variant){0};
}

void dal_variants_finish(struct dal_variants *variants)
{
    while (variants->count)
        dal_variant_finish(&variants->list[--variants->count]);
    dal_free(variants->list);
    dal_text_finish(&variants->files);
    *variants = (struct dal_variants){0};
}
