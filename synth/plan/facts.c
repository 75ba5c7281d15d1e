#include "synth/plan/facts.h"

#include "rt/base/alloc.h"

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
    dal_free(facts->flexible);
    dal_free(facts->flexible_file);
    dal_text_finish(&facts->own);
    dal_text_finish(&facts->includes);
    dal_text_finish(&facts->missing);
    dal_text_finish(&facts->aside);
    dal_text_finish(&facts->behind);
    dal_text_finish(&facts->errors);
    *facts = (struct dal_facts){0};
}
