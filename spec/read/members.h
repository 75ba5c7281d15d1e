/*
 * Reads the members of a JSON object to places that a table gives. Members that are not in the
 * table are passed over. One thread.
 */
#pragma once

#include "spec/read/json.h"

#include <stddef.h>

enum { DAL_MEMBERS_MOST = 32 }; /* of a table */

/* A member is one of four: a text of so many bytes, with its zero; an object with members of its
 * own, for the same structure; something that a function reads; or a number from least to most, a
 * double. A table ends with a member without a name. */
struct dal_member {
    const char *name;
    int must; /* it must be there */
    size_t offset, room;
    const struct dal_member *inside;
    void (*read)(struct dal_json *json, void *to);
    double least, most;
};

/* `what` it is, for messages. Errors are reported, and set in `json`. */
void dal__members_read(struct dal_json *json, const struct dal_member *table, void *to,
                       const char *what);
