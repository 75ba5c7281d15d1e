/*
 * The checks of all that has been read, and what they share. Internal to spec/. One thread.
 */
#pragma once

#include "spec/check/nodes.h"
#include "spec/model/complete.h"
#include "spec/read/raw.h"

#include <stddef.h>

/* The checks resolve names, and verify what they can with what has been read. Problems are in
 * diags. Return DAL_OK or DAL_ERR_NOMEM. */
int dal__check_network(struct dal_diags *diags, struct dal_spec_network *network,
                       struct dal__raw *raw);
/* Does the part of the above that needs no more than each element by itself, and its name. */
int dal__check_elements(struct dal_diags *diags, const struct dal_spec_network *network,
                        struct dal__raw *raw);
int dal__check_architecture(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                            struct dal__raw *raw);
int dal__check_mapping(struct dal_diags *diags, struct dal_spec *spec, struct dal__raw *raw);
int dal__check_fsm(struct dal_diags *diags, struct dal_spec_fsm *fsm);

/* A member of each thing in a list. */
struct dal__listed {
    const void *list;
    size_t count, bytes, at; /* bytes of a thing; where the member is in it */
};
#define DAL__LISTED(things, number, member)                                                        \
    {                                                                                              \
        .list = (things), .count = (number), .bytes = sizeof(*(things)),                           \
        .at = offsetof(__typeof__(*(things)), member)                                              \
    }
static inline const void *dal__listed(const struct dal__listed *listed, size_t i)
{
    return (const char *)listed->list + i * listed->bytes + listed->at;
}

/*
 * Enters the names of a list of things, each with a `name` and a `place`, by number. A second one
 * of a name is an error, with the place of the first. `kind` is what they are, with a space behind
 * it. Returns DAL_OK or DAL_ERR_NOMEM.
 */
#define DAL__CHECK_NAMES(diags, names, kind, list, count)                                          \
    dal__check_names(diags, names, kind, list, count, sizeof(*(list)),                             \
                     offsetof(__typeof__(*(list)), name), offsetof(__typeof__(*(list)), place))
int dal__check_names(struct dal_diags *diags, struct dal_names *names, const char *kind,
                     const void *list, size_t count, size_t bytes, size_t name, size_t place);
/* Reports only the error of the above. */
void dal__name_taken(struct dal_diags *diags, const char *kind, const char *name,
                     struct dal_spec_place place, struct dal_spec_place first);

/* Checks the measured costs (costs.c), and fills in architecture.measured. Call it after the nodes
 * are checked. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__check_measured(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                        const struct dal__raw *raw);

/* Check the times in the network (time.c). dal__check_time() checks periods and fills in
 * network.latencies. Once repetitions are known, dal__check_periods() warns of periods that
 * contradict each other, and of processes that wait for newest tokens while a ring fills. They
 * return DAL_OK or DAL_ERR_NOMEM. */
int dal__check_time(struct dal_diags *diags, struct dal_spec_network *network,
                    const struct dal__raw *raw);
int dal__check_periods(struct dal_diags *diags, const struct dal_spec_network *network);

/* Warn of what has no effect, when there are no errors (effect.c). The check of the mapping returns
 * DAL_OK or DAL_ERR_NOMEM. */
void dal__check_effect_network(struct dal_diags *diags, const struct dal_spec_network *network);
void dal__check_effect_architecture(struct dal_diags *diags,
                                    const struct dal_spec_architecture *architecture,
                                    const struct dal__raw *raw);
int dal__check_effect_mapping(struct dal_diags *diags, const struct dal_spec_mapping *mapping,
                              const struct dal__raw *raw);

/* Warns of a second source in C that no binding names: it looks like one more file of the first.
 * Call it after mapping and architecture have been checked, as far as they are given. */
void dal__check_effect_sources(struct dal_diags *diags, const struct dal_spec *spec,
                               const struct dal__raw *raw);

/* Turns the tokens of counted channels into packets (counted.c). Call it before the readers. */
void dal__check_counted(struct dal_diags *diags, struct dal_spec_network *network,
                        const struct dal__raw *raw);

/* Fills in phases of cyclo-static processes (phases.c), and makes rates and times those of a cycle.
 * Call it after the readers. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__check_phases(struct dal_diags *diags, struct dal_spec_network *network,
                      const struct dal__raw *raw);

/* Ports with several readers (readers.c) */

/* Are the channels of each port alike? A size that one of them has becomes that of all. */
void dal__check_readers(struct dal_diags *diags, const struct dal_spec_network *network,
                        const struct dal__raw *raw);

/* As above, for sizes in the mapping. rules[i] is the index in raw->mapping.overrides of the rule
 * for channel i, or DAL_NAMES_NONE. sizes[i] becomes the index of the rule whose size counts for
 * it. */
void dal__check_reader_sizes(struct dal_diags *diags, const struct dal_spec_network *network,
                             const struct dal__raw *raw, const size_t *rules, size_t *sizes);

/* Can channels be changed in place as the network says (inplace.c)? The capacity of all channels of
 * the port becomes the initial tokens. Call it after the readers and the phases. */
void dal__check_inplace(struct dal_diags *diags, const struct dal_spec_network *network,
                        const struct dal__raw *raw);
/* Can channels keep the newest token alone as the network says (newest.c)? Their capacity
 * becomes 1. Call it before what is in place is checked. */
void dal__check_newest(struct dal_diags *diags, const struct dal_spec_network *network,
                       const struct dal__raw *raw);
/* Refuses a mapping's rule for such a channel by its name. Patterns are not for it. */
void dal__refuse_rule_of_newest(struct dal_diags *diags, const struct dal_spec_channel *channel,
                                const struct dal__raw_override *rule);
/* May the mapping give this size to a channel, as far as its port has one that is changed in place?
 */
int dal__check_inplace_size(struct dal_diags *diags, const struct dal_spec_channel *channel,
                            uint64_t size, struct dal_spec_place place);

/* Most comparisons of a pattern's character with a name's, in all; so many take seconds. */
#define DAL__MAX_MATCHING UINT64_C(10000000000)

/* Selects which of several rules holds for which thing (select.c). A rule has a name or a pattern
 * of names. Rules of a file stand together, and win over those of files behind it. Within a file,
 * an exact name wins over a pattern, and the pattern that says most of the name wins over other
 * patterns. */
struct dal__selection {
    const char *element;         /* of the rules, for messages: "binding" */
    const char *unknown;         /* code for a rule that fits nothing */
    const char *thing;           /* the things that have the names: "process" */
    const struct dal_names *all; /* names of the things, numbered from 0 */
    struct dal__listed names;    /* char *, by thing */
    struct dal__listed rules;    /* struct dal__raw_reference, by rule */
    char *const *gone;           /* names of things that are left out: rules for them do nothing */
    size_t gone_count;
    const char *outer;  /* the file whose rules are no part's own, */
    char *const *inner; /* which may name these, too, and do nothing then */
    size_t inner_count;
    size_t first, end; /* the rules of one file; set by dal__select() */
};

/*
 * Fills in chosen[thing] with a rule or DAL_NAMES_NONE. Rules that fit nothing, or the same thing
 * with equal rank, are errors.
 */
void dal__select(struct dal_diags *diags, const struct dal__selection *selection, size_t *chosen);
