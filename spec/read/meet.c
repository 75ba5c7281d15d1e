#include "spec/read/meet.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <string.h>

/* The two channels, and what the files write of them. */
struct meeting {
    struct dal_diags *diags;
    struct dal_spec_channel *last;
    const struct dal_spec_channel *other;
    struct dal__raw_channel *last_raw;
    const struct dal__raw_channel *other_raw;
};

static int note_other(struct dal_diags *diags, const struct dal_spec_channel *other)
{
    dal_note(diags, other->place, "sw_channel '%s' is here", other->name);
    return 1;
}

/* Both say what only one may. */
static int refuse_twice(const struct meeting *m, const char *what)
{
    dal_error(m->diags, m->last->place, "part-port",
              "sw_channel '%s': %s, and so has sw_channel '%s', which it is one with: only one of "
              "them may say it",
              m->last->name, what, m->other->name);
    return note_other(m->diags, m->other);
}

static char *copy_said(struct dal_diags *diags, const char *text)
{
    char *made = text ? dal_strdup(text) : NULL;
    if (text && !made)
        dal__lost(diags);
    return made;
}

static int has_initial(const struct dal_spec_channel *channel, const struct dal__raw_channel *raw)
{
    return channel->initial_tokens || raw->value || raw->data;
}

static int meet_initial(const struct meeting *m)
{
    struct dal_spec_channel *last = m->last;
    const struct dal_spec_channel *other = m->other;
    size_t bytes = other->initial_tokens * other->token_bytes;
    if (!has_initial(other, m->other_raw))
        return 0;
    if (has_initial(last, m->last_raw))
        return refuse_twice(m, "it has initial tokens");
    last->initial_tokens = other->initial_tokens;
    m->last_raw->value = copy_said(m->diags, m->other_raw->value);
    m->last_raw->data = copy_said(m->diags, m->other_raw->data);
    m->last_raw->waits = m->other_raw->waits;
    if (!other->initial_data)
        return 0;
    last->initial_data = dal_alloc(bytes);
    if (last->initial_data)
        memcpy(last->initial_data, other->initial_data, bytes);
    else
        dal__lost(m->diags);
    return 0;
}

static int meet_size(const struct meeting *m)
{
    if (m->other->capacity && m->last->capacity)
        return refuse_twice(m, "it has a size");
    if (!m->other->capacity)
        return 0;
    m->last->capacity = m->other->capacity;
    m->last->size_place = m->other->place;
    return 0;
}

static int meet_most(const struct meeting *m)
{
    if (m->other->counted.most && m->last->counted.most)
        return refuse_twice(m, "it has most");
    if (!m->other->counted.most)
        return 0;
    m->last->counted.most = m->other->counted.most;
    m->last->unsaid_out = 0;
    return 0;
}

static int meet_newest(const struct meeting *m)
{
    struct dal_spec_newest *last = &m->last->newest;
    const struct dal_spec_newest *other = &m->other->newest;
    if (!other->is_given)
        return 0;
    if (last->is_given && (last->age_ns != other->age_ns || last->repeat != other->repeat)) {
        dal_error(
            m->diags, m->last->place, "part-port",
            "sw_channel '%s' has newest with another age or repeat than sw_channel '%s', which "
            "it is one with",
            m->last->name, m->other->name);
        return note_other(m->diags, m->other);
    }
    *last = *other;
    return 0;
}

int dal__meet(struct dal_diags *diags, struct dal_spec_network *network,
              struct dal__raw_network *raw, size_t last, size_t other)
{
    const struct meeting m = {.diags = diags,
                              .last = &network->channels[last],
                              .other = &network->channels[other],
                              .last_raw = &raw->channels[last],
                              .other_raw = &raw->channels[other]};
    m.last->inplace |= m.other->inplace;
    m.last_raw->broken |= m.other_raw->broken;
    m.last_raw->is_sized |= m.other_raw->is_sized;
    return meet_initial(&m) | meet_size(&m) | meet_most(&m) | meet_newest(&m);
}

int dal__meet_counted(struct dal_diags *diags, const struct dal_spec_channel *counted,
                      const struct dal_spec_channel *other, const struct dal__raw_channel *raw)
{
    if (counted == other || !raw->has_rates)
        return 0;
    dal_error(diags, counted->place, "counted",
              "sw_channel '%s': most=\"%" PRIu64
              "\" and a rate of sw_channel '%s', which it is one with, exclude each other",
              counted->name, counted->counted.most, other->name);
    return note_other(diags, other);
}
