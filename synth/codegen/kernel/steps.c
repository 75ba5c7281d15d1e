#include "synth/codegen/kernel/steps.h"

#include "rt/base/error.h"

#include <inttypes.h>

int dal__is_cuda(const struct dal_plan_unit *unit)
{
    return unit->source->type == DAL_SOURCE_CUDA;
}

const struct dal__words *dal__words_of(const struct dal_plan_unit *unit)
{
    static const struct dal__words opencl = {"__kernel", "__global ", "uchar", "uint", "ulong"};
    static const struct dal__words cuda = {"extern \"C\" __global__", "", "unsigned char",
                                           "unsigned", "unsigned long"};
    return dal__is_cuda(unit) ? &cuda : &opencl;
}

void dal__add_size(struct dal_text *text, const struct dal_plan_unit *unit)
{
    if (dal__is_cuda(unit))
        dal_text_printf(text, " __launch_bounds__(%" PRIu32 ")", unit->work_items);
    else
        dal_text_printf(text, " __attribute__((reqd_work_group_size(%zu, %zu, %zu)))",
                        dal_work_size(unit->work_items, unit->work_shape, 0),
                        dal_work_size(unit->work_items, unit->work_shape, 1),
                        dal_work_size(unit->work_items, unit->work_shape, 2));
}

void dal__add_head(struct dal_text *text, const struct dal_plan_unit *unit)
{
    dal_text_add(text, dal__words_of(unit)->kernel);
    dal__add_size(text, unit);
    dal_text_printf(text, " void %s(", unit->kernel);
}

void dal__add_base(struct dal_text *text, const struct dal_plan_unit *unit, const char *qualifiers,
                   const char *name)
{
    const struct dal__words *words = dal__words_of(unit);
    dal_text_printf(text, "%s%s%s *dal__base_%s, %s dal__offset_%s", words->global, qualifiers,
                    words->uchar, name, words->ulong, name);
}

void dal__add_local_check(struct dal_text *text, const char *variable)
{
    dal_text_printf(text,
                    "#ifdef DAL_LOCAL_BYTES\n"
                    "    typedef char dal__fits[sizeof(%s) <= DAL_LOCAL_BYTES ? 1 : -1];\n"
                    "#endif\n",
                    variable);
}

int dal__add_variants(struct dal_text *text, const struct dal_variants *variants,
                      int (*add)(void *data, struct dal_text *text, size_t variant), void *data)
{
    int status = DAL_OK;
    for (size_t i = 0; i < variants->count && !status; i++) {
        if (variants->count > 1)
            dal_text_printf(text, "%s %s\n", i ? "#elif" : "#if",
                            dal_text_get(&variants->list[i].condition));
        status = add(data, text, i);
    }
    if (variants->count > 1)
        dal_text_add(text, "#endif\n");
    return status;
}

uint64_t dal__window_bytes(const struct dal_spec_port *port)
{
    return port->rate * port->channel->token_bytes;
}
