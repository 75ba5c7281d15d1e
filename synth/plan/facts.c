#include "synth/plan/facts.h"

#include "rt/base/alloc.h"

#include <string.h>

const struct dal_fact *dal_fact_find(const struct dal_facts *facts, const char *kind,
                                     const char *name)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->list[i].kind, kind) == 0 &&
            (!name || strcmp(facts->list[i].name, name) == 0))
            return &facts->list[i];
    return NULL;
}

int dal_fact_is(const struct dal_fact *fact, const char *kind)
{
    return strcmp(fact->kind, kind) == 0;
}

const struct dal_fact *dal_fact_of_function(const struct dal_facts *facts, const char *kind,
                                            const struct dal_fact *fact)
{
    for (fact++; fact < facts->list + facts->count; fact++) {
        if (dal_fact_is(fact, kind))
            return fact;
        if (dal_fact_is(fact, "function") || dal_fact_is(fact, "prototype"))
            break;
    }
    return NULL;
}

void dal_facts_finish(struct dal_facts *facts)
{
    while (facts->function_count) {
        struct dal_function *f = &facts->functions[--facts->function_count];
        dal_free(f->name);
        dal_free(f->symbol);
        dal_free(f->result);
        dal_free(f->argument);
    }
    dal_free(facts->functions);
    dal_free(facts->list);
    dal_free(facts->lines);
    dal_text_finish(&facts->own);
    dal_text_finish(&facts->includes);
    dal_text_finish(&facts->missing);
    dal_text_finish(&facts->aside);
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
