#include "spec/base/names.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdio.h>
#include <string.h>

/* Longer names are never suggested. */
#define MAX_LENGTH 64
/* Larger tables are not searched for a suggestion. All suggestions of a table together may look at
 * this many names; a comparison counts as several looks. */
#define MAX_SEARCH          10000
#define MAX_LOOKS           ((size_t)1 << 24)
#define LOOKS_OF_COMPARISON 32

/* The slot behind the last has no name: its number counts looks at names for suggestions. */
struct dal_names_slot {
    const char *name;
    size_t number;
};

void dal_names_finish(struct dal_names *names)
{
    dal_free(names->slots);
    *names = (struct dal_names){0};
}

/* FNV-1a. */
static size_t hash_name(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

/* Returns the slot that holds `name`, or the free one where it belongs. */
static struct dal_names_slot *slot_of(const struct dal_names *names, const char *name)
{
    size_t i = hash_name(name) & (names->room - 1);
    while (names->slots[i].name && strcmp(names->slots[i].name, name) != 0)
        i = (i + 1) & (names->room - 1);
    return &names->slots[i];
}

static int widen_table(struct dal_names *names)
{
    struct dal_names wide = {.count = names->count, .room = names->room ? 2 * names->room : 16};
    wide.slots = dal_calloc(wide.room + 1, sizeof(*wide.slots));
    if (!wide.slots)
        return DAL_ERR_NOMEM;
    if (names->room)
        wide.slots[wide.room] = names->slots[names->room];
    for (size_t i = 0; i < names->room; i++)
        if (names->slots[i].name)
            *slot_of(&wide, names->slots[i].name) = names->slots[i];
    dal_free(names->slots);
    *names = wide;
    return DAL_OK;
}

int dal_names_add(struct dal_names *names, const char *name, size_t number)
{
    struct dal_names_slot *slot;
    if (2 * (names->count + 1) > names->room && widen_table(names))
        return DAL_ERR_NOMEM;
    slot = slot_of(names, name);
    if (slot->name)
        return DAL_ERR_INVALID;
    *slot = (struct dal_names_slot){.name = name, .number = number};
    names->count++;
    return DAL_OK;
}

size_t dal_names_find(const struct dal_names *names, const char *name)
{
    const struct dal_names_slot *slot;
    if (names->room == 0)
        return DAL_NAMES_NONE;
    slot = slot_of(names, name);
    return slot->name ? slot->number : DAL_NAMES_NONE;
}

static unsigned least_of(unsigned a, unsigned b, unsigned c)
{
    if (b < a)
        a = b;
    return c < a ? c : a;
}

/* Returns how many letters one must add, drop, change, or swap with the next one, to make one name
 * the other. Neither is longer than MAX_LENGTH. */
static unsigned edit_distance(const char *a, const char *b)
{
    unsigned rows[3][MAX_LENGTH + 1];
    unsigned length = (unsigned)strlen(b), i = 0;
    for (unsigned j = 0; j <= length; j++)
        rows[0][j] = j;
    while (a[i++]) {
        unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= length; j++) {
            unsigned changed = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least_of(above[j] + 1, row[j - 1] + 1, changed);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_of(row[j], before[j - 2] + 1, changed);
        }
    }
    return rows[(i - 1) % 3][length];
}

const char *dal_names_nearest(const struct dal_names *names, const char *name)
{
    size_t length = strlen(name);
    unsigned best = length < 2 ? 1 : length < 3 ? 2 : length < 6 ? 3 : 4;
    const char *nearest = NULL;
    size_t *looks;
    if (length > MAX_LENGTH || names->count > MAX_SEARCH)
        return NULL;
    looks = names->room ? &names->slots[names->room].number : NULL;
    for (size_t i = 0; i < names->room; i++) {
        const char *other = names->slots[i].name;
        size_t others = other ? strlen(other) : SIZE_MAX;
        unsigned d;
        if (++*looks > MAX_LOOKS)
            return NULL;
        if (others > MAX_LENGTH || others > length + best || length > others + best)
            continue;
        *looks += LOOKS_OF_COMPARISON;
        d = edit_distance(name, other);
        if (d > 1 && length < 6 && strncmp(name, other, 2) != 0 && !strstr(other, name))
            continue; /* too much of a short name */
        if (d < best || (d == best && nearest && strcmp(other, nearest) < 0)) {
            best = d;
            nearest = other;
        }
    }
    return nearest;
}

/* Returns whether `c` is in the set that starts at the '[' at *pattern; moves *pattern to its
 * ']'. */
static int in_set(const char **pattern, char c)
{
    const char *p = *pattern + 1;
    int negated = *p == '!', found = 0;
    if (negated)
        p++;
    do {
        int range = p[0] && p[1] == '-' && p[2] && p[2] != ']';
        found |= range ? p[0] <= c && c <= p[2] : p[0] == c;
        p += range ? 3 : 1;
    } while (*p && *p != ']');
    *pattern = *p ? p : p - 1;
    return found != negated;
}

/* Returns whether the pattern element at *pattern takes `c`; moves *pattern to its last byte. */
static int element_takes(const char **pattern, char c)
{
    if (**pattern == '?')
        return 1;
    if (**pattern == '[' && strchr(*pattern + 1, ']'))
        return in_set(pattern, c);
    return **pattern == c;
}

int dal_names_match(const char *pattern, const char *name)
{
    const char *star = NULL, *resume = name;
    while (*name) {
        const char *element = pattern;
        if (*pattern == '*') {
            star = ++pattern;
            resume = name;
        } else if (*pattern && element_takes(&element, *name)) {
            pattern = element + 1;
            name++;
        } else if (star) {
            pattern = star;
            name = ++resume;
        } else {
            return 0;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

int dal_names_is_pattern(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

const char *dal__did_you_mean(struct dal__hint *hint, const struct dal_names *names,
                              const char *name)
{
    const char *nearest = dal_names_nearest(names, name);
    hint->text[0] = '\0';
    if (nearest)
        snprintf(hint->text, sizeof(hint->text), "; did you mean '%s'?", nearest);
    return hint->text;
}

void *dal__named(const void *things, size_t count, size_t bytes, size_t member, const char *name)
{
    for (size_t i = 0; name && i < count; i++) {
        const char *thing = (const char *)things + i * bytes;
        if (strcmp(*(const char *const *)(const void *)(thing + member), name) == 0)
            return (void *)thing;
    }
    return NULL;
}
