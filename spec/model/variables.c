#include "spec/model/variables.h"

#include "include/kinds.h"
#include "rt/base/error.h"
#include "rt/base/value.h"
#include "spec/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void dal_variable_print(struct dal_text *text, const struct dal_spec_variable *variable)
{
    if (variable->text)
        dal_text_add(text, variable->text);
    else
        dal_text_printf(text, "%" PRId64, variable->value);
}

void dal_variable_print_c(struct dal_text *text, const struct dal_spec_variable *variable)
{
    int is_negative = variable->text ? variable->type == DAL_VARIABLE_REAL && *variable->text == '-'
                                     : variable->value < 0;
    if (variable->type == DAL_VARIABLE_TEXT) {
        dal_text_add_literal(text, variable->text);
        return;
    }
    dal_text_add(text, is_negative ? "(" : "");
    dal_variable_print(text, variable);
    dal_text_add(text, is_negative ? ")" : "");
}

int dal_variable_same(const struct dal_spec_variable *a, const struct dal_spec_variable *b)
{
    return strcmp(a->name, b->name) == 0 && a->type == b->type && a->value == b->value &&
           dal_text_same(a->text, b->text);
}

int dal_spec_parameter_check(const struct dal_spec_parameter *parameter, char why[DAL_VALUE_WHY])
{
    const struct dal_value_traits *type = dal_value_traits(parameter->type);
    struct dal_value_range range = {type->name,  type->is_real, type->is_signed,
                                    type->bytes, NULL,          NULL};
    const char *const limits[] = {parameter->min, parameter->max};
    static const char *const names[] = {"min", "max"};
    char reason[DAL_VALUE_WHY];
    for (int i = 0; parameter->typed && i < 2; i++) {
        if (limits[i] && dal_value_check(limits[i], &range, reason)) {
            snprintf(why, DAL_VALUE_WHY, "%s: %.390s", names[i], reason);
            return DAL_ERR_INVALID;
        }
        range.min = parameter->min; /* checked, so max is not to be below it */
    }
    range.max = parameter->max;
    if (!parameter->typed || !dal_value_check(parameter->value, &range, reason))
        return DAL_OK;
    snprintf(why, DAL_VALUE_WHY, "value: %.390s", reason);
    return DAL_ERR_INVALID;
}
