/*
 * Names: a table from names to numbers, glob patterns, and the nearest of several names for
 * "did you mean". One thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DAL_NAMES_NONE SIZE_MAX

struct dal_names {
    struct dal_names_slot *slots; /* open addressing, room is a power of two */
    size_t count, room;
};

void dal_names_finish(struct dal_names *names);

/*
 * Enters `name` (not owned, must outlive the table) with `number`. Returns DAL_OK, or
 * DAL_ERR_NOMEM, or DAL_ERR_INVALID when the name is there already, with the table unchanged.
 */
int dal_names_add(struct dal_names *names, const char *name, size_t number);

/* Returns the number entered with `name`, or DAL_NAMES_NONE. */
size_t dal_names_find(const struct dal_names *names, const char *name);

/* Returns the name in the table that is most like `name` and close enough to be meant, or NULL. */
const char *dal_names_nearest(const struct dal_names *names, const char *name);

/* Returns whether `name` fits `pattern`: * takes any text, ? any character, [a-z] a set, [!a-z] all
 * others. Time is bounded by the product of the lengths. */
int dal_names_match(const char *pattern, const char *name);

/* Returns whether `text` has a character that is special in a pattern. */
int dal_names_is_pattern(const char *text);

/* " - did you mean 'x'?" for an unknown name, or "". `text` holds the result. */
struct dal__hint {
    char text[128];
};
const char *dal__did_you_mean(struct dal__hint *hint, const struct dal_names *names,
                              const char *name);
