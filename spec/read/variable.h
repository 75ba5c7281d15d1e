/*
 * Variables of a network or a part: their types, and the values that they are given. Errors are
 * reported at the line where the value is written. One thread.
 */
#pragma once

#include "spec/read/network.h"

/* Where a value is written. */
struct dal__given {
    struct dal__reader *reader; /* of the file that it is in, with what is in sight there */
    const xmlNode *element;     /* of the part that gets it, or the variable's own */
    const char *attribute;      /* NULL: nobody gives one */
    const char *define;         /* the text of a -D, in place of the attribute; or NULL */
};

/* Adds a variable to a list, with its name and type and no value. Returns NULL with *status after
 * an error in diags that ends the reading. */
struct dal_spec_variable *dal__add_variable(struct dal__reader *reader, const xmlNode *declaration,
                                            struct dal_spec_variable **list, size_t *count,
                                            int *status);

/* Gives a variable its value, or one that is allowed after an error in diags. `reader` is that of
 * the declaration. Returns DAL_OK, or what ends the reading. */
int dal__give_value(struct dal__reader *reader, const xmlNode *declaration,
                    const struct dal__given *given, struct dal_spec_variable *variable);

/* Puts a variable into sight of what follows. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__show_variable(struct dal__reader *reader, const struct dal_spec_variable *variable);

/* Replaces the name of a variable of type name by its value, and leaves other names alone. `*name`
 * is owned by the caller. Returns as dal__give_value(). */
int dal__replace_name(struct dal__reader *reader, const xmlNode *element, const char *attribute,
                      char **name);
