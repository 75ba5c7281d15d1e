#include "spec/model/variables.h"

#include "spec/base/text.h"

#include <inttypes.h>
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
