#include "meta.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int refuse_meta(struct meta *meta, const char *what)
{
    snprintf(meta->why, sizeof(meta->why), "%s", what);
    return -1;
}

/* What a recording may have that is not read here, by the value that says so. */
static const struct {
    const char *name;
    json_int_t value; /* that means nothing */
} unread[] = {
    {"core:num_channels", 1},
    {"core:trailing_bytes", 0},
    {"core:header_bytes", 0},
};

static int check_unread(struct meta *meta, const json_t *object)
{
    for (size_t i = 0; i < sizeof(unread) / sizeof(unread[0]); i++) {
        const json_t *value = json_object_get(object, unread[i].name);

        if (!value || (json_is_integer(value) && json_integer_value(value) == unread[i].value))
            continue;
        snprintf(meta->why, sizeof(meta->why), "%s is not %d, and such recordings are not read",
                 unread[i].name, (int)unread[i].value);
        return -1;
    }
    return 0;
}

/* Reads a count of samples. Returns 0, or -1 after a refusal. */
static int read_samples(struct meta *meta, const json_t *object, const char *name, uint64_t *value)
{
    const json_t *found = json_object_get(object, name);

    *value = 0;
    if (found && (!json_is_integer(found) || json_integer_value(found) < 0)) {
        snprintf(meta->why, sizeof(meta->why), "%s is no number of samples", name);
        return -1;
    }
    if (found)
        *value = (uint64_t)json_integer_value(found);
    return 0;
}

static int read_global(struct meta *meta, const json_t *global)
{
    const json_t *type = json_object_get(global, "core:datatype");
    const json_t *rate = json_object_get(global, "core:sample_rate");

    if (!json_is_object(global))
        return refuse_meta(meta, "it has no object 'global'");
    if (!json_is_string(type) || json_string_length(type) >= sizeof(meta->type))
        return refuse_meta(meta, "core:datatype is missing, or no type of SigMF");
    memcpy(meta->type, json_string_value(type), json_string_length(type) + 1);
    if (rate && (!json_is_number(rate) || !(json_number_value(rate) > 0)))
        return refuse_meta(meta, "core:sample_rate is no number above 0");
    meta->rate = rate ? json_number_value(rate) : 0;
    if (json_object_get(global, "core:dataset"))
        return refuse_meta(meta,
                           "core:dataset names other files, and such recordings are not read");
    return check_unread(meta, global) != 0
               ? -1
               : read_samples(meta, global, "core:offset", &meta->offset);
}

/* Captures and annotations: the samples that they speak of must be there. */
static int read_list(struct meta *meta, const json_t *root, const char *name)
{
    const json_t *list = json_object_get(root, name), *entry;
    uint64_t start, count;
    size_t i;

    if (list && !json_is_array(list)) {
        snprintf(meta->why, sizeof(meta->why), "'%s' is no array", name);
        return -1;
    }
    json_array_foreach(list, i, entry)
    {
        if (!json_is_object(entry)) {
            snprintf(meta->why, sizeof(meta->why), "'%s' has an entry that is no object", name);
            return -1;
        }
        if (read_samples(meta, entry, "core:sample_start", &start) != 0 ||
            read_samples(meta, entry, "core:sample_count", &count) != 0 ||
            check_unread(meta, entry) != 0)
            return -1;
        if (start + count > meta->offset + meta->reach) /* none has more than 63 bits */
            meta->reach = start + count - meta->offset;
    }
    return 0;
}

int dal_part_read_meta(struct meta *meta, const char *text, size_t bytes)
{
    json_error_t error;
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    int status;

    *meta = (struct meta){0};
    if (!root) {
        snprintf(meta->why, sizeof(meta->why), "line %d: %.200s", error.line, error.text);
        return -1;
    }
    status = !json_is_object(root) ? refuse_meta(meta, "it is no object")
                                   : read_global(meta, json_object_get(root, "global"));
    if (status == 0)
        status = read_list(meta, root, "captures");
    if (status == 0)
        status = read_list(meta, root, "annotations");
    json_decref(root);
    return status;
}
