/*
 * Tells the compiler of a device about a work-item that is alone in its firing: it is number 0, and
 * waits for nobody. Then a loop that starts at its number becomes vectors, whatever the type of its
 * index. PoCL does not split such a kernel at its barriers. For CUDA, barrier() is a macro already.
 */
#include "synth/codegen/c/unit.h"

#include <string.h>

/* Does the source call another function than barrier() in which work-items meet? Only barrier() can
 * be left out. */
static int meets_otherwise(const struct dal_facts *facts)
{
    const struct dal_fact *fact = NULL;
    while ((fact = dal_fact_next(facts, DAL_FACT_MEETS, fact)))
        if (strcmp(fact->name, "barrier") != 0)
            return 1;
    return 0;
}

int dal__unit_is_alone(const struct dal_plan_unit *unit, const struct dal_variants *variants)
{
    int asks = 0;
    for (size_t i = 0; i < variants->count; i++) {
        const struct dal_facts *facts = &variants->list[i].facts;
        if (meets_otherwise(facts))
            return 0;
        asks |= dal_fact_find(facts, DAL_FACT_ASKS, "get_local_id") != NULL ||
                dal_fact_next(facts, DAL_FACT_MEETS, NULL) != NULL;
    }
    return unit->work_items == 1 && asks;
}

void dal__add_alone(struct dal_text *text)
{
    dal_text_add(text, "#define get_local_id(n) ((size_t)0 * (n))\n"
                       "#undef barrier\n"
                       "#define barrier(flags) ((void)0)\n");
}

void dal__drop_alone(struct dal_text *text)
{
    dal_text_add(text, "#undef get_local_id\n"
                       "#undef barrier\n"
                       "#ifdef __cplusplus\n"
                       "#define barrier(flags) __syncthreads()\n"
                       "#endif\n");
}
