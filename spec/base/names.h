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

/* Returns the first of `count` things in an array whose `member` is the text `name`, or NULL; also
 * for a name that is NULL. */
#define DAL_NAMED(things, count, member, name)                                                     \
    dal__named(things, count, sizeof(*(things)), offsetof(__typeof__(*(things)), member), name)
void *dal__named(const void *things, size_t count, size_t bytes, size_t member, const char *name);
/* The same for all of a table. */
#define DAL_NAMED_IN(table, member, name)                                                          \
    DAL_NAMED(table, sizeof(table) / sizeof((table)[0]), member, name)
/* Is the text `name`, which may be NULL, one of the words of an array? */
#define DAL_IS_ONE_OF(words, name)                                                                 \
    (dal__named(words, sizeof(words) / sizeof((words)[0]), sizeof((words)[0]), 0, name) != NULL)

/* " - did you mean 'x'?" for an unknown name, or "". `text` holds the result. */
struct dal__hint {
    char text[128];
};
const char *dal__did_you_mean(struct dal__hint *hint, const struct dal_names *names,
                              const char *name);
