#include "rt/host/parameter.h"

#include "include/kinds.h"
#include "rt/base/error.h"

void dal_parameter_set(struct dal_parameter *parameter, const struct dal_parameter_desc *desc,
                       const char *text)
{
    int is_float = desc->typed && desc->type == DAL_VALUE_FLOAT;
    parameter->is_integer = dal_value_integer(text, &parameter->integer);
    parameter->is_real = dal_value_real(text, is_float, &parameter->real);
    /* Pairs with the acquire of the live page and the socket, which read another thread's text. */
    atomic_store_explicit(&parameter->text, text, memory_order_release);
}

int dal_parameter_check(const struct dal_parameter_desc *desc, const char *text,
                        char why[DAL_VALUE_WHY])
{
    const struct dal_value_traits *type = dal_value_traits(desc->type);
    const struct dal_value_range range = {type->name,  type->is_real, type->is_signed,
                                          type->bytes, desc->min,     desc->max};
    return desc->typed ? dal_value_check(text, &range, why) : DAL_OK;
}
